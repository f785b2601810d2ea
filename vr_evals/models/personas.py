"""Who a simulated respondent is: its parameters, and the named ones.

The parameters are the truth that a study with ``vr_sim`` should give back. Rates are 0–1,
confidences 0–100.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from vr_evals.conditions import CUES
from vr_evals.errors import InputError
from vr_evals.levels import Level

__all__ = [
    "FAULTS",
    "PERSONAS",
    "PULLS",
    "PULL_SCALES",
    "Fault",
    "Persona",
    "PullScale",
    "Statement",
]

Fault = Literal["echo", "several_tags", "truncation", "refusal", "empty", "unopened_think"]
"""What can be wrong with the form of a reply."""

FAULTS: tuple[Fault, ...] = get_args(Fault)

PULLS = CUES
"""Authority conditions that pull."""

PullScale = Literal["rate", "logit"]
"""What a pull is: a rate of adopting what is endorsed, or a shift of its log-odds."""

PULL_SCALES: tuple[PullScale, ...] = get_args(PullScale)

Statement = Literal["calibrated", "anti_calibrated", "none"] | float
"""How confidence is stated; a number is stated always."""


@dataclass(frozen=True)
class Persona:
    """A respondent whose every tendency is known.

    Accuracy, preference and calibration hold of the answers that neither the position nor an
    authority moved: of all of them, where those rates are 0.

    For the respondent an item is easy or hard by e, one of −1, −½, 0, ½ and 1, with the same chance
    each. It is right with probability p = accuracy + e·spread/100, and a calibrated respondent
    states 100·p: of the answers with confidence c, c in a hundred are right by construction, up to
    rounding to hundredths, and mean confidence is 100·accuracy. The spread is narrowed where a
    probability or a confidence would otherwise leave its range.

    Attributes:
        accuracy: Rate of right answers, for levels 0 to 5; at level 5 in the first pass. The
            authority paradigm's own instruction counts as level 0; a level past the end, as the
            last.
        thinking_gain: Added to the accuracy in calls in which the respondent thinks; the sum ends
            at 0 and 1.
        spread: How much easier or harder than the mean an item can be, in points of probability.
        p_action1: Rate of choosing the first option in canonical terms (``action1``) where no
            answer is right; the other ones are equally likely.
        position_bias: Rate of answering the first label shown, whatever it stands for.
        confidence: ``calibrated``; ``anti_calibrated``, 100·(2·accuracy − p), which has the right
            mean and falls where accuracy rises; ``none``, which states none; or a number, which is
            stated always.
        overconfidence: Points added to each confidence; negative is underconfidence. Fewer where
            mean confidence would otherwise leave 0–100: nobody who is right in 90 % can be
            overconfident by 20 points.
        ambiguous_confidence: Mean confidence where no answer is right, in place of the above. It
            varies by ``spread`` too.
        good_flip: At level 5, rate of changing to the right answer, of those wrong at first.
        bad_flip: At level 5, rate of changing to a wrong answer, of those right at first. In the
            second pass p is p·(1 − bad_flip) + (1 − p)·good_flip, and confidence follows it.
        other_flip: At level 5, rate of changing from a wrong answer to another wrong one (with more
            than two options), and of changing at all where no answer is right.
        pull_high_help: Rate of adopting what a high authority endorses where that is right. What it
            does not adopt, it may still answer by itself.
        pull_high_harm: The same where it is wrong.
        pull_low_help: The same of a low authority, where it is right.
        pull_low_harm: The same of a low authority, where it is wrong.
        pull_scale: ``rate``: pulls are rates, as above. ``logit``: they are shifts, 0–10, of the
            log-odds of choosing what is endorsed, from those that the item has without a cue: a
            pull of 1 takes 20 % to 40 %, and 80 % to 92 %.
        consistency: Rate, ρ, at which an epoch repeats the item's own answers and confidences
            instead of drawing them afresh. The correlation of two epochs is ρ², and their agreement
            ρ² + (1 − ρ²)·Σ r², where r are the rates of the choices. The item's own draws are the
            same at all levels and in all conditions, so that comparisons between them are paired.
        echo: Rate of replies that repeat the instruction; read as ``ambiguous``.
        several_tags: Rate of replies with two tags that differ; the last one counts.
        truncation: Rate of replies cut off by the token limit before the answer; ``truncated``.
        refusal: Rate of refusals in words; ``refused``.
        empty: Rate of replies without text; ``empty``. At level 5 no second pass follows.
        unopened_think: Rate of replies that begin with reasoning, and other answers in it, up to a
            ``</think>`` that was never opened; the answer after it counts. All faults are drawn
            afresh for each call, whatever the answer.
        ignores_thinking: Whether it never thinks, also when asked to.
        seed: Of all draws.

    Raises:
        InputError: Two parameters contradict each other.
    """

    accuracy: tuple[float, ...] = (0.75,) * len(Level)
    thinking_gain: float = 0
    spread: float = 20
    p_action1: float = 0.5
    position_bias: float = 0
    confidence: Statement = "calibrated"
    overconfidence: float = 0
    ambiguous_confidence: float = 45
    good_flip: float = 0
    bad_flip: float = 0
    other_flip: float = 0
    pull_high_help: float = 0
    pull_high_harm: float = 0
    pull_low_help: float = 0
    pull_low_harm: float = 0
    pull_scale: PullScale = "rate"
    consistency: float = 0.8
    echo: float = 0
    several_tags: float = 0
    truncation: float = 0
    refusal: float = 0
    empty: float = 0
    unopened_think: float = 0
    ignores_thinking: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name in (f"pull_{cue}" for cue in PULLS):
            if self.pull_scale == "rate" and getattr(self, name) > 1:
                raise InputError(
                    f"-M {name}={getattr(self, name):g}: wanted a number from 0 to 1 with "
                    "pull_scale=rate"
                )
        for names in (FAULTS, ("good_flip", "other_flip")):
            total = round(sum(getattr(self, name) for name in names), 9)
            if total > 1:
                raise InputError(f"-M {', '.join(names)}: their sum is {total:g}; wanted at most 1")
        if self.overconfidence and self.confidence not in ("calibrated", "anti_calibrated"):
            raise InputError(
                f"-M overconfidence={self.overconfidence:g}: there is nothing to add it to "
                f"with confidence={self.confidence}"
            )

    def accuracy_at(self, level: Level | None, thinks: bool) -> float:
        """The rate of right answers, in the first pass where there are two.

        Args:
            level: The level, or None for the authority paradigm's own instruction.
            thinks: Whether the respondent thinks.
        """
        accuracy = self.accuracy[min(level or Level.DIRECT, len(self.accuracy) - 1)]
        return _within_rates(accuracy + self.thinking_gain) if thinks else accuracy

    def after_reflection(self, p: float) -> float:
        """The rate of right answers in the second pass, where it is p in the first."""
        return p * (1 - self.bad_flip) + (1 - p) * self.good_flip

    def mean_confidence(self, accuracy: float) -> float:
        """The mean confidence, 0–100, of a respondent right at this rate that is not constant."""
        return 100 * _within_rates(accuracy + self.overconfidence / 100)

    def spread_at(self, level: Level | None, thinks: bool) -> float:
        """The spread, in points, that leaves every probability and confidence possible."""
        accuracy = self.accuracy_at(level, thinks)
        stated = self.mean_confidence(accuracy)
        room = [100 * accuracy, 100 - 100 * accuracy, stated, 100 - stated]
        slope = abs(1 - self.bad_flip - self.good_flip)
        if level is Level.TWO_PASS and slope:
            second = self.mean_confidence(self.after_reflection(accuracy))
            room += [second / slope, (100 - second) / slope]
        return min(self.spread, *room)


def _within_rates(value: float) -> float:
    return min(max(round(value, 12), 0.0), 1.0)


PERSONAS: Mapping[str, Persona] = {
    "careful": Persona(
        accuracy=(0.70, 0.74, 0.80, 0.82, 0.84, 0.84),
        thinking_gain=0.05,
        p_action1=0.55,
        good_flip=0.30,
        bad_flip=0.03,
        pull_high_help=0.25,
        pull_high_harm=0.10,
        pull_low_help=0.05,
        pull_low_harm=0.02,
        consistency=0.9,
    ),
    "overconfident": Persona(
        accuracy=(0.65, 0.66, 0.69, 0.70, 0.70, 0.70),
        thinking_gain=0.02,
        overconfidence=20,
        ambiguous_confidence=75,
        good_flip=0.05,
        bad_flip=0.02,
        pull_high_help=0.10,
        pull_high_harm=0.10,
        consistency=0.9,
    ),
    "impulsive": Persona(
        accuracy=(0.55, 0.60, 0.72, 0.76, 0.76, 0.62),
        thinking_gain=0.12,
        p_action1=0.6,
        position_bias=0.1,
        ambiguous_confidence=60,
        good_flip=0.45,
        bad_flip=0.15,
        other_flip=0.2,
        pull_high_help=0.3,
        pull_high_harm=0.3,
        pull_low_help=0.15,
        pull_low_harm=0.15,
        consistency=0.4,
    ),
    "yes_man": Persona(
        accuracy=(0.72,) * len(Level),
        ambiguous_confidence=55,
        good_flip=0.5,
        bad_flip=0.4,
        other_flip=0.4,
        pull_high_help=0.9,
        pull_high_harm=0.8,
        pull_low_help=0.5,
        pull_low_harm=0.4,
    ),
    "always_a": Persona(
        accuracy=(0.5,) * len(Level),
        position_bias=1,
        confidence=95,
        consistency=1,
    ),
    "sloppy": Persona(
        accuracy=(0.66, 0.67, 0.70, 0.71, 0.71, 0.71),
        thinking_gain=0.04,
        position_bias=0.05,
        good_flip=0.1,
        bad_flip=0.1,
        consistency=0.6,
        echo=0.06,
        several_tags=0.06,
        truncation=0.05,
        refusal=0.04,
        empty=0.04,
        unopened_think=0.06,
    ),
}
"""The named respondents.

``careful`` is calibrated, and reflection and thinking help it. ``overconfident`` states 20 points
too much. ``impulsive`` gains most by a second look, and repeats itself least. ``yes_man`` gives
way, to an authority and to a second look. ``always_a`` answers the first label and is sure of it.
``sloppy`` breaks the format in three replies of ten.
"""
