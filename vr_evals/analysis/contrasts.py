"""Which sides an effect compares: contrasts of levels, thinking, models, conditions, re-asking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from vr_evals.analysis.outcomes import Question
from vr_evals.conditions import AUTHORITY_CONDITIONS
from vr_evals.levels import Level

__all__ = ["BASELINES", "FACTORS", "Contrast", "Values", "contrasts"]

Values = tuple[Any, ...]
"""One value for each factor of a contrast."""

BASELINES: Mapping[str, Any] = {
    "level": Level.DIRECT.value,
    "thinking": False,
    "condition": "control",
    "second_pass": "reask",
}
"""The value of a factor that others are compared with."""

FACTORS = ("level", "thinking", "model", "condition", "second_pass")
"""What contrasts are of: columns of the tidy table."""

_REFLECTIVE = Level.CHAIN_OF_THOUGHT.value
"""The first level that asks for reflection."""


@dataclass(frozen=True)
class Contrast:
    """A weighted sum of what cells that differ in one or two factors have.

    Attributes:
        name: Tells it from others, e.g. ``level5-level0``.
        question: The question that it answers.
        factors: The factors in which its cells differ: columns of the tidy table, keys of a cell
            or `second_pass`.
        weights: The weight of each cell by its values; they sum to 0.
        side: What is compared, in words.
        reference: What it is compared with.
        main: Whether it is a main effect: a primary one unless a plan says otherwise.
    """

    name: str
    question: Question
    factors: tuple[str, ...]
    weights: Mapping[Values, float]
    side: str
    reference: str
    main: bool = False

    @property
    def baseline(self) -> tuple[str, Any] | None:
        """The last factor that has a baseline, and that baseline; None if none has one."""
        factors = [name for name in self.factors if name in BASELINES]
        return (factors[-1], BASELINES[factors[-1]]) if factors else None

    @property
    def compares_baseline(self) -> bool:
        """Whether a cell of the baseline is one of those compared."""
        if self.baseline is None:
            return False
        factor, value = self.baseline
        place = self.factors.index(factor)
        return any(values[place] == value for values in self.weights)


def contrasts(values: Mapping[str, Sequence[Any]]) -> list[Contrast]:
    """All contrasts of a study.

    Args:
        values: The values of `FACTORS` in it, without missing ones.
    """
    levels = [*_levels(sorted(values["level"])), *_reflection(values["second_pass"])]
    thinking = list(_thinking(values["thinking"]))
    models = list(_models(sorted(values["model"])))
    authority = list(_authority(values["condition"]))
    pairs = [
        *product([each for each in levels if each.main], thinking),
        *product([each for each in authority if each.main], thinking),
        *product([each for each in authority if each.main], [x for x in levels if x.main]),
    ]
    others = [
        *product(
            models[:1] if len(values["model"]) == 2 else [x for x in models if not x.main],
            [each for each in (*levels, *thinking, *authority) if each.main],
        )
    ]
    questions: dict[str, Question] = {
        "level": "thinking",
        "second_pass": "thinking",
        "condition": "authority",
    }
    return [
        *levels,
        *thinking,
        *models,
        *authority,
        *(_interaction(a, b, questions[a.factors[0]]) for a, b in pairs),
        *(_interaction(b, a, "models") for a, b in others),
    ]


def _versus(
    question: Question, factor: str, side: Any, reference: Any, names: tuple[str, str], key: str
) -> Contrast:
    """One value minus another."""
    return Contrast(key, question, (factor,), {(side,): 1.0, (reference,): -1.0}, *names, main=True)


def _between(
    name: str,
    question: Question,
    factor: str,
    sides: Sequence[Any],
    references: Sequence[Any],
    words: tuple[str, str],
) -> Contrast:
    """The mean of some values minus the mean of others."""
    weights = {(value,): 1 / len(sides) for value in sides}
    weights |= {(value,): -1 / len(references) for value in references}
    return Contrast(name, question, (factor,), weights, *words)


def _levels(levels: Sequence[int]) -> Iterator[Contrast]:
    first = BASELINES["level"]
    if first in levels:
        for level in levels:
            if level != first:
                words = (f"level {level}", f"level {first}")
                yield _versus("levels", "level", level, first, words, f"level{level}-level{first}")
    direct = [level for level in levels if level < _REFLECTIVE]
    reflective = [level for level in levels if level >= _REFLECTIVE]
    if direct and len(reflective) > 1:
        words = ("reflective levels", "direct levels")
        yield _between("reflective-direct", "levels", "level", reflective, direct, words)
    if len(levels) > 2:
        mean = sum(levels) / len(levels)
        squares = sum((level - mean) ** 2 for level in levels)
        weights = {(level,): (level - mean) / squares for level in levels}
        words = ("one level more", "a level")
        yield Contrast("level_trend", "levels", ("level",), weights, *words)


def _reflection(forms: Sequence[str]) -> Iterator[Contrast]:
    """Level 5 less its control, whose second call only repeats the question."""
    side, reference = "conversation", BASELINES["second_pass"]
    if {side, reference} <= set(forms):
        words = ("level 5 (reflection)", "level 5 (re-asking)")
        yield _versus("levels", "second_pass", side, reference, words, "reflection-reask")


def _thinking(values: Sequence[bool]) -> Iterator[Contrast]:
    if len(values) > 1:
        yield _versus(
            "thinking", "thinking", True, False, ("thinking on", "thinking off"), "thinking_on-off"
        )


def _models(models: Sequence[str]) -> Iterator[Contrast]:
    for side, reference in combinations(models, 2):
        yield _versus("models", "model", side, reference, (side, reference), f"{side}-{reference}")
    if len(models) > 2:
        for side in models:
            others = [model for model in models if model != side]
            words = (side, "the mean of the other models")
            yield _between(f"{side}-others", "models", "model", [side], others, words)


def _authority(conditions: Sequence[str]) -> Iterator[Contrast]:
    control = BASELINES["condition"]
    cues = [condition for condition in conditions if condition != control]
    if control in conditions:
        for cue in cues:
            words = (cue.replace("_", " "), control)
            yield _versus("authority", "condition", cue, control, words, f"{cue}-{control}")
    for attribute, side, reference in (("valence", "harm", "help"), ("strength", "high", "low")):
        sides, references = (
            [c.name for c in AUTHORITY_CONDITIONS if getattr(c, attribute) == value]
            for value in (side, reference)
        )
        if set(cues).issuperset((*sides, *references)):
            words = (side, reference)
            name = f"{side}-{reference}"
            yield _between(name, "authority", "condition", sides, references, words)


def _interaction(a: Contrast, b: Contrast, question: Question) -> Contrast:
    """The contrast `a` at the one side of `b` minus that at the other."""
    weights = {(*x, *y): p * q for (x, p), (y, q) in product(a.weights.items(), b.weights.items())}
    effect = f"{a.side} − {a.reference}"
    return Contrast(
        f"{a.name} * {b.name}",
        question,
        (*a.factors, *b.factors),
        weights,
        f"({effect}, {b.side})",
        f"({effect}, {b.reference})",
    )
