"""The experimental conditions, the settings of tasks, and the names of tasks."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from vr_evals.levels import Level

__all__ = [
    "AUTHORITY_CONDITIONS",
    "CONDITIONS",
    "CONDITION_NAMES",
    "CONTROL",
    "CUES",
    "EXTENDED_CONDITIONS",
    "EXTENDED_RANDOM_CONDITIONS",
    "HIGH_HARM",
    "HIGH_HELP",
    "LOW_HARM",
    "LOW_HELP",
    "MENTION",
    "RANDOM_CONDITIONS",
    "THINKING_OFF",
    "THINKING_ON",
    "TREATMENTS",
    "AuthorityCondition",
    "Certainty",
    "Design",
    "Reasoning",
    "SUFFIXES",
    "SecondPass",
    "Settings",
    "Strength",
    "Thinking",
    "Valence",
    "authority_task_name",
    "conditions_of",
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

Valence = Literal["help", "harm", "random"]
"""Whether the right option or a wrong one is endorsed, or a random one because none is right."""

Certainty = Literal["certain", "hedged"]
"""How sure the authority is."""

Design = Literal["standard", "extended"]
"""The document's five conditions, or those that separate what they join as well."""

_SIGN: dict[Valence, str] = {"help": "+", "harm": "-", "random": "~"}


@dataclass(frozen=True)
class AuthorityCondition:
    """One condition of the authority paradigm.

    Source: "Conditions (5 Total)" in ``docs/spec/authority.md``; those with a `certainty` or a
    `kind` are ours, from ``docs/spec/additions.md``.

    Attributes:
        strength: Of the authority, or None without a source.
        valence: Of its recommendation, or None if no option is named.
        certainty: If it is not that of the document's authority of this strength.
        kind: ``mention``, a source without an option, or ``option``, an option without a source.
    """

    strength: Strength | None = None
    valence: Valence | None = None
    certainty: Certainty | None = None
    kind: Literal["mention", "option"] | None = None

    @property
    def cue(self) -> str:
        """What precedes the prompt, whatever option it names, e.g. ``high`` or ``low_certain``."""
        parts = filter(None, (self.kind, self.strength, self.certainty))
        return "_".join(parts) or "control"

    @property
    def name(self) -> str:
        """The name in tasks and logs, e.g. ``control`` or ``high_help``."""
        return f"{self.cue}_{self.valence}" if self.valence else self.cue

    @property
    def suffix(self) -> str:
        """As in sample ids and metric keys: ``control``, ``high+`` (help), ``high-`` (harm)."""
        return self.cue + (_SIGN[self.valence] if self.valence else "")


CONTROL = AuthorityCondition()
HIGH_HELP = AuthorityCondition("high", "help")
HIGH_HARM = AuthorityCondition("high", "harm")
LOW_HELP = AuthorityCondition("low", "help")
LOW_HARM = AuthorityCondition("low", "harm")
MENTION = AuthorityCondition(kind="mention")

AUTHORITY_CONDITIONS = (CONTROL, HIGH_HELP, HIGH_HARM, LOW_HELP, LOW_HARM)
"""The document's five, control first."""


def _separating(valence: Valence) -> tuple[AuthorityCondition, ...]:
    return (
        AuthorityCondition("high", valence, "hedged"),
        AuthorityCondition("low", valence, "certain"),
        AuthorityCondition(None, valence, kind="option"),
    )


EXTENDED_CONDITIONS = (
    *AUTHORITY_CONDITIONS,
    MENTION,
    *(each for pair in zip(_separating("help"), _separating("harm"), strict=True) for each in pair),
)
"""The five, and those that separate source, certainty and naming an option."""

RANDOM_CONDITIONS = (
    CONTROL,
    AuthorityCondition("high", "random"),
    AuthorityCondition("low", "random"),
)
"""The five if no option is right: help and harm are one."""

EXTENDED_RANDOM_CONDITIONS = (*RANDOM_CONDITIONS, MENTION, *_separating("random"))
"""The extended ones if no option is right."""

CONDITIONS = {
    condition.name: condition
    for condition in (*EXTENDED_CONDITIONS, *RANDOM_CONDITIONS, *EXTENDED_RANDOM_CONDITIONS)
}
"""All conditions by name, the document's five first."""

CONDITION_NAMES = tuple(condition.name for condition in AUTHORITY_CONDITIONS)
"""The names of the document's five."""

CUES = CONDITION_NAMES[1:]
"""The names of those of the five in which an authority endorses an option."""

TREATMENTS = tuple(name for name in CONDITIONS if name != CONTROL.name)
"""The names of all conditions with a text before the prompt."""

SUFFIXES = {name: condition.suffix for name, condition in CONDITIONS.items()}
"""By name, what sample ids and metric keys end in."""


def conditions_of(design: Design, has_right_option: bool) -> tuple[AuthorityCondition, ...]:
    """Return the conditions of a design, control first."""
    if has_right_option:
        return EXTENDED_CONDITIONS if design == "extended" else AUTHORITY_CONDITIONS
    return EXTENDED_RANDOM_CONDITIONS if design == "extended" else RANDOM_CONDITIONS


def authority_task_name(benchmark: str, condition: AuthorityCondition | None) -> str:
    """Return the name of an authority task; None for the task of all conditions."""
    return f"{benchmark}_authority" + (f"_{condition.name}" if condition else "")
