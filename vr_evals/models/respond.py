"""The replies of simulated respondents, as a function of the persona and the call.

Each draw is a hash of the seed, the draw's name, and either the item alone or the whole call: item,
epoch, level, thinking, confidence, authority condition, order of options, and whether level 5's
second call only repeats the question. So a reply depends on no other call, is the same on every
machine, and draws are independent of each other. Draws from the item alone are the same in all
conditions, which pairs them: see ``Persona.consistency``.
"""

import hashlib
import math
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeVar

from inspect_ai.model import StopReason

from vr_evals.conditions import MENTION
from vr_evals.levels import Level
from vr_evals.models.grammar import AskedFormat
from vr_evals.models.personas import FAULTS, PULLS, Fault, Flips, Persona
from vr_evals.option_kinds import ERROR_KINDS
from vr_evals.prompts import answer_tags
from vr_evals.solvers.call_context import CallContext

__all__ = ["Answer", "Reply", "answer", "guess", "think", "write"]

T = TypeVar("T")

_EASE = (-1, -0.5, 0, 0.5, 1)
_REASONING = (
    "[A simulated respondent does not reason. This line stands where reasoning would, because "
    "the prompt asks for it.]"
)
_PRINCIPLES = "Relevant principles and values: [placeholder of a simulated respondent]"
_THOUGHTS = "[A simulated respondent does not think. This text stands where its thoughts would.]"
_ACKNOWLEDGEMENT = "I follow the recommendation of the cited source."
_INITIAL = (
    "1. My initial intuition: {initial}",
    "**1. Initial intuition**\n{initial}",
    "1. **What is my intuition?** {initial}.",
    "1. My intuition favors: {initial}",
    "1. {initial}",
)
"""How a level-4 reply states its initial answer."""
_REFUSAL = "I'm sorry, but I can't help with that."


@dataclass(frozen=True)
class Answer:
    """The answer of a respondent, before it is written as a reply.

    Attributes:
        label: The label.
        confidence: 0–100, or None if it states none.
        fault: The fault in the form of its reply, or None.
        acknowledges: Whether its reply says that it follows an authority.
        acknowledges_in_reasoning: Whether its reasoning does.
        initial: The initial answer that a level-4 reply states, or None.
        phrasing: From 0 to 1: which words state the initial answer.
        skips_reasoning: Whether its reply is nothing but an answer.
    """

    label: str
    confidence: float | None
    fault: Fault | None
    acknowledges: bool = False
    acknowledges_in_reasoning: bool = False
    initial: str | None = None
    phrasing: float = 0
    skips_reasoning: bool = False


@dataclass(frozen=True)
class Reply:
    """The reply of a respondent.

    Attributes:
        text: Its visible text.
        stop_reason: Inspect's stop reason.
    """

    text: str
    stop_reason: StopReason = "stop"


@dataclass(frozen=True)
class _Draws:
    """Draws from 0 to 1, by name.

    Attributes:
        item: The key of the item.
        call: The key of the call; both calls of level 5 have the same.
        repeats: Whether this epoch repeats the item's own answer.
    """

    item: tuple[object, ...]
    call: tuple[object, ...]
    repeats: bool

    @classmethod
    def of(cls, persona: Persona, context: CallContext) -> "_Draws":
        item = (persona.seed, context.benchmark, context.item)
        setting = (context.level, context.thinking, context.include_confidence, context.condition)
        call = (*item, context.epoch, *setting, context.choices, *["reask"] * context.reask)
        return cls(item, call, _draw(*call, "repeats") < persona.consistency)

    def fresh(self, name: str) -> float:
        """Return a draw of this call."""
        return _draw(*self.call, name)

    def own(self, name: str) -> float:
        """Return a draw of the item if the epoch repeats it, else of this call."""
        return _draw(*(self.item if self.repeats else self.call), name)


def _draw(*key: object) -> float:
    text = "\x1f".join(map(str, key)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest()[:6]) / 2**48


def answer(persona: Persona, context: CallContext, thinks: bool) -> Answer:
    """Return the answer of a respondent.

    Args:
        persona: The respondent.
        context: What it is asked.
        thinks: Whether it thinks before it answers.
    """
    draws = _Draws.of(persona, context)
    ease = _pick(_EASE, draws.own("ease"))
    accuracy = persona.accuracy_at(context.level, thinks)
    p = accuracy + ease * persona.spread_at(context.level, thinks) / 100
    label = _first_label(persona, context, draws, p)
    if draws.own("position") < persona.position_bias:
        label = context.labels[0]
    label = _mentioned(persona, context, draws, label)
    adopts = _adopts(persona, context, draws, p)
    if adopts and context.endorsed is not None:
        label = context.endorsed
    if context.second_pass:
        flips = persona.flips(context.reask)
        label = _second_label(persona, flips, context, draws, label)
        accuracy, p = flips.after(accuracy), flips.after(p)
    confidence = _confidence(persona, accuracy, p) if context.target else _unsure(persona, ease)
    initial = _initial_label(persona, context, draws, label)
    return Answer(
        label,
        confidence,
        _fault(persona, draws.fresh(f"fault {context.second_pass}")),
        adopts and draws.own("acknowledges") < persona.acknowledges,
        adopts and draws.own("acknowledges in reasoning") < persona.acknowledges_in_reasoning,
        initial=initial,
        phrasing=0.0 if initial is None else draws.fresh("phrasing"),
        skips_reasoning=draws.fresh(f"skips {context.second_pass}") < persona.skips_reasoning,
    )


def guess(persona: Persona, prompt: str, labels: Sequence[str]) -> Answer:
    """Return a random label, for a call without a context.

    A calibrated respondent states the chance as its confidence. A prompt always gets the same
    answer.

    Args:
        persona: The respondent; most of its parameters do not apply.
        prompt: The prompt.
        labels: The labels that the prompt offers.
    """
    key = (persona.seed, "guess", prompt)
    chance = 1 / len(labels)
    return Answer(
        label=_pick(labels, _draw(*key, "label")),
        confidence=_confidence(persona, chance, chance),
        fault=_fault(persona, _draw(*key, "fault")),
    )


def write(meant: Answer, labels: Sequence[str], asked: AskedFormat, level: int) -> Reply:
    """Write an answer in the format that the prompt asks for, or with its fault.

    Args:
        meant: The answer.
        labels: The labels on offer.
        asked: The format.
        level: Lines of reasoning, if the prompt asks for reasoning.
    """
    reasons = asked.reasoning and not meant.skips_reasoning
    reasoning = [_REASONING] * level if reasons else []
    if reasons and level == Level.STRUCTURED:
        reasoning = [_PRINCIPLES, *reasoning]
    if reasons and meant.initial is not None:
        reasoning = _two_sides(meant)
    reasoning = [*[_ACKNOWLEDGEMENT] * meant.acknowledges, *reasoning]
    statement = _statement(meant, asked)
    other = next(label for label in labels if label != meant.label)
    match meant.fault:
        case "refusal":
            return Reply(_REFUSAL)
        case "empty":
            return Reply("")
        case "truncation":
            return Reply("\n".join([*reasoning, _REASONING[:-20]]), "max_tokens")
        case "echo":
            return Reply("\n\n".join([*reasoning, _echo(labels, asked)]))
        case "several_tags":
            first = f"<answer>{other}</answer>\n\n{_REASONING}\n\n<answer>{meant.label}</answer>"
            return Reply("\n".join([*reasoning, first, *_confidence_line(meant, asked)]))
        case "unopened_think":
            thought = f"{_REASONING}\n<answer>{other}</answer>\nFinal answer: {other}\n</think>\n"
            return Reply("\n".join([thought, statement]))
        case None:
            return Reply("\n".join([*reasoning, statement]))


def think(meant: Answer) -> str:
    """Return the reasoning of a respondent that thinks."""
    return "\n".join([*[_ACKNOWLEDGEMENT] * meant.acknowledges_in_reasoning, _THOUGHTS])


def _two_sides(meant: Answer) -> list[str]:
    """Return the four parts of a level-4 reply, in one of several forms."""
    changed = "Yes, it changes my view." if meant.initial != meant.label else "No, it does not."
    first = _pick(_INITIAL, meant.phrasing).format(initial=meant.initial)
    return [first, f"2. Someone who disagrees: {_REASONING}", f"3. {_REASONING}", f"4. {changed}"]


def _first_label(persona: Persona, context: CallContext, draws: _Draws, p: float) -> str:
    """Return the label of the first pass, without effects of position and authority."""
    if context.target:
        if draws.own("right") < p:
            return context.target
        wrong = _others(context, context.target)
        return _pick_wrong(persona, context, wrong, draws.own("which wrong"))
    first = _in_file_order(context)[0]
    if draws.own("action1") < persona.p_action1:
        return first
    return _pick(_others(context, first), draws.own("which other"))


def _adopts(persona: Persona, context: CallContext, draws: _Draws, p: float) -> bool:
    """Return whether the answer is adopted from an authority."""
    if context.endorsed is None or context.condition not in PULLS:
        return False
    pull: float = getattr(persona, f"pull_{context.condition}")
    if persona.pull_scale == "logit":
        pull = _adopted(pull, _rate_of(persona, context, context.endorsed, p))
    return draws.own("authority") < pull


def _mentioned(persona: Persona, context: CallContext, draws: _Draws, label: str) -> str:
    """Return the label after a source is mentioned that endorses nothing."""
    mentioned = context.condition == MENTION.name and bool(context.target)
    return context.target if mentioned and draws.own("mention") < persona.mention_gain else label


def _rate_of(persona: Persona, context: CallContext, label: str, p: float) -> float:
    """Return the rate of a label without an authority."""
    if context.target:
        first, rate = context.target, p
    else:
        first, rate = _in_file_order(context)[0], persona.p_action1
    if label == first:
        by_itself = rate
    else:
        others = _others(context, first)
        shares = _shares(persona, context, others) if context.target else None
        by_itself = (1 - rate) * shares[others.index(label)] if shares else (1 - rate) / len(others)
    at_first = float(label == context.labels[0])
    return (1 - persona.position_bias) * by_itself + persona.position_bias * at_first


def _adopted(shift: float, rate: float) -> float:
    """Return the rate of adopting an option that shifts the log-odds of choosing it."""
    if not 0 < rate < 1:
        return 0.0
    odds = rate / (1 - rate) * math.exp(shift)
    return (odds / (1 + odds) - rate) / (1 - rate)


def _initial_label(persona: Persona, context: CallContext, draws: _Draws, final: str) -> str | None:
    """Return the initial answer of a level-4 reply, or None if it states none."""
    if context.level is not Level.ADVERSARIAL or draws.own("unstated") < persona.initial_unstated:
        return None
    right = bool(context.target) and final == context.target
    rate = persona.initial_flip_of_right if right else persona.initial_flip_of_wrong
    if draws.own("initial flip") >= rate:
        return final
    if context.target and not right:
        return context.target
    return _pick(_others(context, final), draws.own("which initial"))


def _second_label(
    persona: Persona, flips: Flips, context: CallContext, draws: _Draws, first: str
) -> str:
    """Return the label of the second pass."""
    flip = draws.own("flip")
    others = _others(context, first)
    if first == context.target:
        if flip >= flips.bad:
            return first
        return _pick_wrong(persona, context, others, draws.own("which flip"))
    if not context.target:
        return _pick(others, draws.own("which flip")) if flip < flips.other else first
    if flip < flips.good:
        return context.target
    wrong = [label for label in others if label != context.target]
    if wrong and flip < flips.good + flips.other:
        return _pick_wrong(persona, context, wrong, draws.own("which flip"))
    return first


def _in_file_order(context: CallContext) -> list[str]:
    """Return the labels in the order of their choices, which does not depend on the order shown."""
    pairs = sorted(zip(map(str, context.choices), context.labels, strict=True))
    return [label for _, label in pairs]


def _others(context: CallContext, label: str) -> list[str]:
    return [other for other in _in_file_order(context) if other != label]


def _pick(among: Sequence[T], draw: float) -> T:
    return among[int(draw * len(among))]


def _pick_wrong(persona: Persona, context: CallContext, wrong: Sequence[str], draw: float) -> str:
    """Return one of some wrong labels."""
    shares = _shares(persona, context, wrong)
    if shares is None:
        return _pick(wrong, draw)
    return wrong[bisect(list(accumulate(shares[:-1])), draw)]


def _shares(persona: Persona, context: CallContext, wrong: Sequence[str]) -> list[float] | None:
    """Return how likely each of some wrong labels is; None if all are equally likely."""
    if persona.error_kinds is None or not context.kinds:
        return None
    share = dict(zip(ERROR_KINDS, persona.error_kinds, strict=True))
    kind = dict(zip(context.labels, context.kinds, strict=True))
    shares = [share.get(kind[label], 0.0) for label in wrong]
    return [each / sum(shares) for each in shares] if any(shares) else None


def _confidence(persona: Persona, accuracy: float, p: float) -> float | None:
    """Return the confidence, 0–100, in an answer that is right with probability p."""
    if persona.confidence == "none":
        return None
    if not isinstance(persona.confidence, str):
        return persona.confidence
    mean = persona.mean_confidence(accuracy)
    distance = 100 * (p - accuracy)
    return round(mean + (distance if persona.confidence == "calibrated" else -distance), 2)


def _unsure(persona: Persona, ease: float) -> float | None:
    """Return the confidence, 0–100, if no answer is right."""
    if not isinstance(persona.confidence, str):
        return persona.confidence
    mean = persona.ambiguous_confidence
    distance = ease * min(persona.spread, mean, 100 - mean)
    return None if persona.confidence == "none" else round(mean + distance, 2)


def _fault(persona: Persona, draw: float) -> Fault | None:
    for fault in FAULTS:
        draw -= getattr(persona, fault)
        if draw < 0:
            return fault
    return None


def _statement(meant: Answer, asked: AskedFormat) -> str:
    if asked.shape == "word":
        return meant.label
    if asked.shape == "line":
        return f"Final answer: {meant.label}"
    return "\n".join([f"<answer>{meant.label}</answer>", *_confidence_line(meant, asked)])


def _confidence_line(meant: Answer, asked: AskedFormat) -> list[str]:
    if asked.shape != "tags_and_confidence" or meant.confidence is None:
        return []
    return [f"<confidence>{meant.confidence:g}</confidence>"]


def _echo(labels: Sequence[str], asked: AskedFormat) -> str:
    if asked.shape in ("word", "line"):
        return f"State your final answer: {' or '.join(labels)}."
    confidence = "\n<confidence>X</confidence>" * (asked.shape == "tags_and_confidence")
    return f"State your answer: {answer_tags(labels)}{confidence}"
