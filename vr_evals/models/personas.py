"""The parameters of simulated respondents, and the named respondents.

The parameters are the truth that a study with ``vr_sim`` should recover. Rates are 0–1, confidences
0–100.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from vr_evals.conditions import CONDITIONS
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.option_kinds import ERROR_KINDS

__all__ = [
    "FAULTS",
    "PERSONAS",
    "PULLS",
    "PULL_SCALES",
    "Fault",
    "Flips",
    "Persona",
    "PullScale",
    "Statement",
]

Fault = Literal["echo", "several_tags", "truncation", "refusal", "empty", "unopened_think"]
"""A fault in the form of a reply."""

FAULTS: tuple[Fault, ...] = get_args(Fault)

PULLS = tuple(name for name, condition in CONDITIONS.items() if condition.valence)
"""The authority conditions that endorse an option."""

PullScale = Literal["rate", "logit"]
"""Whether a pull is a rate of adopting the endorsed option or a shift of its log-odds."""

PULL_SCALES: tuple[PullScale, ...] = get_args(PullScale)

Statement = Literal["calibrated", "anti_calibrated", "none"] | float
"""How confidence is stated; a number is a constant confidence."""


@dataclass(frozen=True)
class Flips:
    """Rates of changes in a second pass: of wrong answers to the right one, and so on."""

    good: float
    bad: float
    other: float

    def after(self, p: float) -> float:
        """Return the rate of right answers in the second pass, from that in the first."""
        return p * (1 - self.bad) + (1 - p) * self.good


@dataclass(frozen=True)
class Persona:
    """A respondent with known tendencies.

    Accuracy, preference and calibration are those of answers not changed by position or authority
    (of all answers, if those rates are 0).

    An item has an ease e for the respondent: −1, −½, 0, ½ or 1, equally likely. The answer is right
    with probability p = accuracy + e·spread/100, and a calibrated respondent states 100·p: by
    construction c % of the answers with confidence c are right, up to rounding to hundredths, and
    the mean confidence is 100·accuracy. The spread is reduced if a probability or a confidence
    would leave its range.

    Attributes:
        accuracy: Rate of right answers at levels 0 to 5; at level 5 in the first pass. The
            authority paradigm's own instruction counts as level 0, a level past the end as the
            last.
        thinking_gain: Added to the accuracy in calls with thinking; the sum is limited to 0–1.
        spread: How much easier or harder than the mean an item can be, in points of probability.
        p_action1: Rate of choosing the first canonical option (``action1``) if no answer is right;
            the others are equally likely.
        error_kinds: Shares of the wrong answers to items whose options have kinds, in the order of
            ``ERROR_KINDS``; they add up to 1. None: all wrong options are equally likely. An
            ``other_flip`` keeps their proportions among the options that it can change to.
        position_bias: Rate of answering the first label shown, whatever it is.
        confidence: ``calibrated``; ``anti_calibrated``, 100·(2·accuracy − p), which has the right
            mean and falls as accuracy rises; ``none``; or a number, stated in every reply.
        overconfidence: Points added to each confidence; negative is underconfidence. Fewer if the
            mean confidence would leave 0–100, e.g. 10 points at an accuracy of 90 %.
        ambiguous_confidence: Mean confidence if no answer is right, in place of the above. It
            varies by ``spread`` too.
        good_flip: At level 5, rate of changing to the right answer, of answers wrong at first.
        bad_flip: At level 5, rate of changing to a wrong answer, of answers right at first. In the
            second pass p is p·(1 − bad_flip) + (1 − p)·good_flip, and confidence follows it.
        other_flip: At level 5, rate of changing from a wrong answer to another wrong one (with more
            than two options), and of any change if no answer is right.
        reask_good_flip: The same where the second call only repeats the question
            (``second_pass=reask``), likewise the next two.
        reask_bad_flip: See ``bad_flip``.
        reask_other_flip: See ``other_flip``.
        initial_flip_of_right: Rate of level-4 replies that state another initial answer, of those
            whose final answer is right. The final answer is drawn as at any other level.
        initial_flip_of_wrong: The same of those whose final answer is wrong (the initial one is
            then right), or if no answer is right.
        initial_unstated: Rate of level-4 replies that state no initial answer.
        skips_reasoning: Rate of replies to levels 2 to 5 that are nothing but an answer.
        pull_high_help: Rate of adopting the right option that a high authority endorses. An option
            that is not adopted may still be the respondent's own answer.
        pull_high_harm: The same for a wrong option.
        pull_low_help: The same for a right option that a low authority endorses.
        pull_low_harm: The same for a wrong option that a low authority endorses.
        pull_high_hedged_help: The same in the extended design, likewise the next five: for each
            condition that endorses an option.
        pull_high_hedged_harm: See there.
        pull_low_certain_help: See there.
        pull_low_certain_harm: See there.
        pull_option_help: See there.
        pull_option_harm: See there.
        pull_high_random: Rate of adopting a random option that a high authority endorses if no
            option is right, likewise the next four.
        pull_low_random: See there.
        pull_high_hedged_random: See there.
        pull_low_certain_random: See there.
        pull_option_random: See there.
        mention_gain: Rate of adopting the right option if a source is mentioned without an option.
        pull_scale: ``rate``: pulls are rates, as above. ``logit``: pulls are shifts, 0–10, of the
            log-odds of choosing the endorsed option, from those of the item without a cue: a pull
            of 1 turns 20 % into 40 %, and 80 % into 92 %.
        acknowledges: Rate of saying so in the reply, of answers that adopt what an authority
            endorses; also if it is the respondent's own answer.
        acknowledges_in_reasoning: The same of its reasoning, in calls with thinking; independent of
            what the reply says.
        consistency: Rate, ρ, at which an epoch repeats the item's own answer and confidence instead
            of a new draw. The correlation of two epochs is ρ², and their agreement
            ρ² + (1 − ρ²)·Σ r², with the rates r of the choices. The item's own draws are the same
            at all levels and in all conditions, so that comparisons between them are paired.
        echo: Rate of replies that repeat the instruction; parsed as ``ambiguous``.
        several_tags: Rate of replies with two different tags; the last one counts.
        truncation: Rate of replies cut off by the token limit before the answer; ``truncated``.
        refusal: Rate of refusals in words; ``refused``.
        empty: Rate of replies without text; ``empty``. At level 5 there is then no second pass.
        unopened_think: Rate of replies that begin with reasoning and other answers, up to a
            ``</think>`` without an opening tag; the answer after it counts. Each call draws its
            fault independently of the answer.
        ignores_thinking: Whether it never thinks, even when asked to.
        latency: Seconds that each call takes.
        seed: Seed of all draws.

    Raises:
        InputError: Two parameters contradict each other.
    """

    accuracy: tuple[float, ...] = (0.75,) * len(Level)
    thinking_gain: float = 0
    spread: float = 20
    p_action1: float = 0.5
    error_kinds: tuple[float, ...] | None = None
    position_bias: float = 0
    confidence: Statement = "calibrated"
    overconfidence: float = 0
    ambiguous_confidence: float = 45
    good_flip: float = 0
    bad_flip: float = 0
    other_flip: float = 0
    reask_good_flip: float = 0
    reask_bad_flip: float = 0
    reask_other_flip: float = 0
    initial_flip_of_right: float = 0
    initial_flip_of_wrong: float = 0
    initial_unstated: float = 0
    skips_reasoning: float = 0
    pull_high_help: float = 0
    pull_high_harm: float = 0
    pull_low_help: float = 0
    pull_low_harm: float = 0
    pull_high_hedged_help: float = 0
    pull_high_hedged_harm: float = 0
    pull_low_certain_help: float = 0
    pull_low_certain_harm: float = 0
    pull_option_help: float = 0
    pull_option_harm: float = 0
    pull_high_random: float = 0
    pull_low_random: float = 0
    pull_high_hedged_random: float = 0
    pull_low_certain_random: float = 0
    pull_option_random: float = 0
    mention_gain: float = 0
    pull_scale: PullScale = "rate"
    acknowledges: float = 0
    acknowledges_in_reasoning: float = 0
    consistency: float = 0.8
    echo: float = 0
    several_tags: float = 0
    truncation: float = 0
    refusal: float = 0
    empty: float = 0
    unopened_think: float = 0
    ignores_thinking: bool = False
    latency: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in (f"pull_{cue}" for cue in PULLS):
            if self.pull_scale == "rate" and getattr(self, name) > 1:
                raise InputError(
                    f"invalid -M {name} '{getattr(self, name):g}': expected a number from 0 to 1 "
                    "with pull_scale=rate"
                )
        for names in (
            FAULTS,
            ("good_flip", "other_flip"),
            ("reask_good_flip", "reask_other_flip"),
        ):
            total = round(sum(getattr(self, name) for name in names), 9)
            if total > 1:
                raise InputError(
                    f"invalid -M {', '.join(names)}: expected a sum of at most 1, found {total:g}"
                )
        if self.error_kinds and round(sum(self.error_kinds), 9) != 1:
            raise InputError(
                f"invalid -M error_kinds '{','.join(f'{share:g}' for share in self.error_kinds)}': "
                f"expected shares of {', '.join(ERROR_KINDS)} with a sum of 1"
            )
        if self.overconfidence and self.confidence not in ("calibrated", "anti_calibrated"):
            raise InputError(
                f"-M overconfidence={self.overconfidence:g}: not supported with "
                f"confidence={self.confidence}"
            )

    def accuracy_at(self, level: Level | None, thinks: bool) -> float:
        """Return the rate of right answers, at level 5 in the first pass.

        Args:
            level: The level, or None for the authority paradigm's own instruction.
            thinks: Whether the respondent thinks.
        """
        accuracy = self.accuracy[min(level or Level.DIRECT, len(self.accuracy) - 1)]
        return _within_rates(accuracy + self.thinking_gain) if thinks else accuracy

    def flips(self, reask: bool) -> Flips:
        """Return the rates of changes in the second pass, of reflection or of re-asking."""
        if reask:
            return Flips(self.reask_good_flip, self.reask_bad_flip, self.reask_other_flip)
        return Flips(self.good_flip, self.bad_flip, self.other_flip)

    def mean_confidence(self, accuracy: float) -> float:
        """Return the mean confidence, 0–100, at an accuracy, if confidence is not constant."""
        return 100 * _within_rates(accuracy + self.overconfidence / 100)

    def spread_at(self, level: Level | None, thinks: bool) -> float:
        """Return the largest spread, in points, that keeps probabilities and confidences valid."""
        accuracy = self.accuracy_at(level, thinks)
        stated = self.mean_confidence(accuracy)
        room = [100 * accuracy, 100 - 100 * accuracy, stated, 100 - stated]
        for flips in map(self.flips, (False, True)):
            slope = abs(1 - flips.bad - flips.good)
            if level is Level.TWO_PASS and slope:
                second = self.mean_confidence(flips.after(accuracy))
                room += [second / slope, (100 - second) / slope]
        return min(self.spread, *room)


def _within_rates(value: float) -> float:
    return min(max(round(value, 12), 0.0), 1.0)


_FOLLOWER = Persona(
    accuracy=(0.75,) * len(Level),
    pull_high_help=0.5,
    pull_high_harm=0.5,
    pull_low_help=0.25,
    pull_low_harm=0.25,
)

PERSONAS: Mapping[str, Persona] = {
    "careful": Persona(
        accuracy=(0.70, 0.74, 0.80, 0.82, 0.84, 0.84),
        thinking_gain=0.05,
        p_action1=0.55,
        good_flip=0.30,
        bad_flip=0.03,
        reask_good_flip=0.05,
        reask_bad_flip=0.03,
        initial_flip_of_right=0.08,
        initial_flip_of_wrong=0.05,
        pull_high_help=0.25,
        pull_high_harm=0.10,
        pull_low_help=0.05,
        pull_low_harm=0.02,
        pull_high_hedged_help=0.15,
        pull_high_hedged_harm=0.06,
        pull_low_certain_help=0.1,
        pull_low_certain_harm=0.04,
        pull_high_random=0.25,
        pull_low_random=0.05,
        pull_high_hedged_random=0.15,
        pull_low_certain_random=0.1,
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
        initial_flip_of_right=0.2,
        initial_flip_of_wrong=0.2,
        initial_unstated=0.3,
        other_flip=0.2,
        reask_good_flip=0.3,
        reask_bad_flip=0.15,
        reask_other_flip=0.2,
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
        reask_good_flip=0.4,
        reask_bad_flip=0.4,
        reask_other_flip=0.4,
        pull_high_help=0.9,
        pull_high_harm=0.8,
        pull_low_help=0.5,
        pull_low_harm=0.4,
        pull_high_hedged_help=0.7,
        pull_high_hedged_harm=0.6,
        pull_low_certain_help=0.7,
        pull_low_certain_harm=0.6,
        pull_option_help=0.3,
        pull_option_harm=0.3,
        pull_high_random=0.9,
        pull_low_random=0.5,
        pull_high_hedged_random=0.7,
        pull_low_certain_random=0.7,
        pull_option_random=0.3,
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
    "surface_reader": Persona(
        accuracy=(0.50, 0.52, 0.58, 0.60, 0.62, 0.55),
        thinking_gain=0.05,
        error_kinds=(0.40, 0.25, 0.20, 0.15),
        good_flip=0.2,
        bad_flip=0.05,
    ),
    "silent": _FOLLOWER,
    "open": replace(_FOLLOWER, acknowledges=1, acknowledges_in_reasoning=1),
    "concealing": replace(_FOLLOWER, acknowledges_in_reasoning=1),
}
"""The named respondents.

``careful`` is calibrated and gains from reflection and thinking, hardly from being asked again.
``overconfident`` states 20 points too much. ``impulsive`` gains most from a second pass and varies
most between epochs. ``yes_man`` follows authorities, and changes its answer on reflection and on
being asked again alike. ``always_a`` always answers the first label, with a confidence of 95.
``sloppy`` breaks the format in 3 of 10 replies.
``surface_reader`` reads fables by their surface: 85 % of its wrong morals share only characters or
traits with the fable. ``silent``, ``open`` and ``concealing`` follow authorities equally: the first
never says so, the second says so, and the third does in its reasoning only.
"""
