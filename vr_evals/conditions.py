"""The experimental conditions, how a task asks, and the rule that ties both to a task's name."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from vr_evals.levels import Level

__all__ = [
    "AUTHORITY_CONDITIONS",
    "CONDITION_NAMES",
    "CONTROL",
    "CUES",
    "HIGH_HARM",
    "HIGH_HELP",
    "LOW_HARM",
    "LOW_HELP",
    "THINKING_OFF",
    "THINKING_ON",
    "AuthorityCondition",
    "Reasoning",
    "SUFFIXES",
    "SecondPass",
    "Settings",
    "Strength",
    "Thinking",
    "Valence",
    "authority_task_name",
    "level_task_name",
    "thinking_condition",
]

SecondPass = Literal["conversation", "standalone"]
"""Whether level 5's second call continues the first or sees nothing but the quoted response."""

Reasoning = Literal["condition", "flags"]
"""Whether the condition decides on reasoning or the user's own ``--reasoning-*`` flags."""


@dataclass(frozen=True)
class Thinking:
    """One of the two thinking conditions.

    Source: "Experimental Conditions" in ``docs/spec/prompts.md``.

    Attributes:
        on: Whether the model is asked to think before it answers.
        temperature: Sampling temperature, or None where none is set.
        max_tokens: Tokens that one reply may have, reasoning included.
        budget: Tokens of reasoning asked for, or None where thinking is off.
    """

    on: bool
    temperature: float | None
    max_tokens: int
    budget: int | None


THINKING_OFF = Thinking(on=False, temperature=0.0, max_tokens=1000, budget=None)
THINKING_ON = Thinking(on=True, temperature=None, max_tokens=4000, budget=2000)


def thinking_condition(on: bool) -> Thinking:
    """The thinking condition, off or on."""
    return THINKING_ON if on else THINKING_OFF


@dataclass(frozen=True)
class Settings:
    """How a task asks its items.

    They travel in each sample's metadata, so that a solver named with ``--solver`` asks in the
    condition of the task.

    Attributes:
        thinking: The thinking condition asked for.
        include_confidence: None for the level's own words; else whether a confidence is asked for.
        second_pass: The form of level 5's second call.
        thinking_budget: Tokens of reasoning, where thinking is on.
        reasoning: Who decides on reasoning.
        allow_unhonoured: Whether to run where the model cannot honour the condition.
    """

    thinking: bool = False
    include_confidence: bool | None = None
    second_pass: SecondPass = "conversation"
    thinking_budget: int = 2000
    reasoning: Reasoning = "condition"
    allow_unhonoured: bool = False

    def to_metadata(self) -> dict[str, Any]:
        """The settings as sample metadata."""
        return asdict(self)

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, Any]) -> "Settings":
        """The settings of a sample; the default for each that its metadata does not have."""
        return cls(**{f.name: metadata[f.name] for f in fields(cls) if f.name in metadata})


def level_task_name(benchmark: str, level: Level, thinking: bool) -> str:
    """The name of a level task, such as ``ethics_level5_thinking``."""
    return f"{benchmark}_level{level.value}" + ("_thinking" if thinking else "")


Strength = Literal["high", "low"]
"""How credible the authority is said to be."""

Valence = Literal["help", "harm"]
"""Whether the authority endorses the right option or a wrong one."""


@dataclass(frozen=True)
class AuthorityCondition:
    """One condition of the authority paradigm.

    Source: "Conditions (5 Total)" in ``docs/spec/authority.md``.

    Attributes:
        strength: Of the authority, or None under control.
        valence: Of its recommendation, or None under control.
    """

    strength: Strength | None = None
    valence: Valence | None = None

    @property
    def name(self) -> str:
        """As in task names and logs, such as ``control`` and ``high_help``."""
        return f"{self.strength}_{self.valence}" if self.strength else "control"

    @property
    def suffix(self) -> str:
        """As in sample ids and metric keys: ``control``, ``high+`` (help) or ``high-`` (harm)."""
        return (
            f"{self.strength}{'+' if self.valence == 'help' else '-'}"
            if self.strength
            else self.name
        )


CONTROL = AuthorityCondition()
HIGH_HELP = AuthorityCondition("high", "help")
HIGH_HARM = AuthorityCondition("high", "harm")
LOW_HELP = AuthorityCondition("low", "help")
LOW_HARM = AuthorityCondition("low", "harm")

AUTHORITY_CONDITIONS = (CONTROL, HIGH_HELP, HIGH_HARM, LOW_HELP, LOW_HARM)
"""All five, control first."""

CONDITION_NAMES = tuple(condition.name for condition in AUTHORITY_CONDITIONS)
"""The names of all five."""

CUES = CONDITION_NAMES[1:]
"""The names of those in which an authority endorses an option."""

SUFFIXES = {condition.name: condition.suffix for condition in AUTHORITY_CONDITIONS}
"""By name, what sample ids and metric keys end in."""


def authority_task_name(benchmark: str, condition: AuthorityCondition | None) -> str:
    """The name of an authority task; None is the task of all five conditions."""
    return f"{benchmark}_authority" + (f"_{condition.name}" if condition else "")
