"""The experimental conditions, the settings of tasks, and the names of tasks."""

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

SecondPass = Literal["conversation", "standalone", "reask"]
"""Whether level 5's second call continues the first, sees only the quoted response, or (a control)
continues the first with the question again and without a word of reflection."""

Reasoning = Literal["condition", "flags"]
"""Whether the condition decides on reasoning or the user's own ``--reasoning-*`` flags."""


@dataclass(frozen=True)
class Thinking:
    """One of the two thinking conditions.

    Source: "Experimental Conditions" in ``docs/spec/prompts.md``.

    Attributes:
        on: Whether the model is asked to think before it answers.
        temperature: Sampling temperature, or None if none is set.
        max_tokens: Token limit of a reply, reasoning included.
        budget: Reasoning tokens, or None if thinking is off.
    """

    on: bool
    temperature: float | None
    max_tokens: int
    budget: int | None


THINKING_OFF = Thinking(on=False, temperature=0.0, max_tokens=1000, budget=None)
THINKING_ON = Thinking(on=True, temperature=None, max_tokens=4000, budget=2000)


def thinking_condition(on: bool) -> Thinking:
    """Return the thinking condition, off or on."""
    return THINKING_ON if on else THINKING_OFF


@dataclass(frozen=True)
class Settings:
    """The settings of a task, common to all its items.

    Each sample's metadata contains them, so that a solver given with ``--solver`` asks in the
    task's condition.

    Attributes:
        thinking: Whether thinking is on.
        include_confidence: Whether the prompt asks for a confidence; None for the level's own
            words.
        second_pass: The form of level 5's second call.
        thinking_budget: Reasoning tokens, if thinking is on.
        reasoning: Whether the condition or the user's own flags decide on reasoning.
        allow_unhonoured: Whether to run even if the model cannot honour the condition.
    """

    thinking: bool = False
    include_confidence: bool | None = None
    second_pass: SecondPass = "conversation"
    thinking_budget: int = 2000
    reasoning: Reasoning = "condition"
    allow_unhonoured: bool = False

    def to_metadata(self) -> dict[str, Any]:
        """Return the settings as sample metadata."""
        return asdict(self)

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, Any]) -> "Settings":
        """Return the settings of a sample, with defaults for those not in its metadata."""
        return cls(**{f.name: metadata[f.name] for f in fields(cls) if f.name in metadata})


def level_task_name(benchmark: str, level: Level, thinking: bool) -> str:
    """Return the name of a level task, e.g. ``ethics_level5_thinking``."""
    return f"{benchmark}_level{level.value}" + ("_thinking" if thinking else "")


Strength = Literal["high", "low"]
"""The credibility of the authority."""

Valence = Literal["help", "harm"]
"""Whether the authority endorses the right option or a wrong one."""


@dataclass(frozen=True)
class AuthorityCondition:
    """One condition of the authority paradigm.

    Source: "Conditions (5 Total)" in ``docs/spec/authority.md``.

    Attributes:
        strength: Of the authority, or None in control.
        valence: Of its recommendation, or None in control.
    """

    strength: Strength | None = None
    valence: Valence | None = None

    @property
    def name(self) -> str:
        """The name in tasks and logs, e.g. ``control`` or ``high_help``."""
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
    """Return the name of an authority task; None for the task of all five conditions."""
    return f"{benchmark}_authority" + (f"_{condition.name}" if condition else "")
