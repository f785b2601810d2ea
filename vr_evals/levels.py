"""The levels of reflection that a prompt can ask for."""

from enum import IntEnum

__all__ = ["Level"]


class Level(IntEnum):
    """How much reflection the prompt asks for, from none (0) to two passes (5).

    Source: the overview table of ``docs/spec/prompts.md``.
    """

    DIRECT = 0
    MINIMAL = 1
    CHAIN_OF_THOUGHT = 2
    STRUCTURED = 3
    ADVERSARIAL = 4
    TWO_PASS = 5

    @property
    def title(self) -> str:
        """The level's name for readers, e.g. ``Chain-of-Thought``."""
        return self.name.replace("_", "-").title().replace("-Of-", "-of-")
