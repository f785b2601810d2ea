"""What a simulated respondent says: a persona and what it is asked in, a reply out.

Every draw is a hash of the seed, its own name, and either the item alone or the call's whole
setting: item, epoch, level, thinking and confidence asked for, authority, order of options. So a
reply depends on no other call and is the same on every machine, and draws are independent of each
other. Those of the item alone are common to all settings, which pairs them: see
``Persona.consistency``.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from inspect_ai.model import StopReason

from vr_evals.models.grammar import AskedFormat
from vr_evals.models.personas import FAULTS, PULLS, Fault, Persona
from vr_evals.prompts import answer_tags
from vr_evals.solvers.asked import Asked

__all__ = ["Answer", "Reply", "answer", "guess", "write"]

T = TypeVar("T")

_EASE = (-1, -0.5, 0, 0.5, 1)
_REASONING = "[A simulated respondent does not reason. This line stands where reasoning would.]"
_REFUSAL = "I'm sorry, but I can't help with that."


@dataclass(frozen=True)
class Answer:
    """What a respondent means to say.

    Attributes:
        label: The label.
        confidence: 0–100, or None where it states none.
        fault: What will be wrong with the form of its reply, or None.
    """

    label: str
    confidence: float | None
    fault: Fault | None


@dataclass(frozen=True)
class Reply:
    """What a respondent says.

    Attributes:
        text: Its visible text.
        stop_reason: Why it ended, in Inspect's words.
    """

    text: str
    stop_reason: StopReason = "stop"


@dataclass(frozen=True)
class _Draws:
    """Numbers from 0 to 1, each by its name.

    Attributes:
        item: What names the item.
        call: What names the call, apart from which of level 5's two it is.
        repeats: Whether the item's own answer is given.
    """

    item: tuple[object, ...]
    call: tuple[object, ...]
    repeats: bool

    @classmethod
    def of(cls, persona: Persona, asked: Asked) -> "_Draws":
        item = (persona.seed, asked.benchmark, asked.item)
        setting = (asked.level, asked.thinking, asked.include_confidence, asked.condition)
        call = (*item, asked.epoch, *setting, asked.choices)
        return cls(item, call, _draw(*call, "repeats") < persona.consistency)

    def fresh(self, name: str) -> float:
        """A number of this call."""
        return _draw(*self.call, name)

    def own(self, name: str) -> float:
        """A number of the item where the epoch repeats it, else of this call."""
        return _draw(*(self.item if self.repeats else self.call), name)


def _draw(*key: object) -> float:
    text = "\x1f".join(map(str, key)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest()[:6]) / 2**48


def answer(persona: Persona, asked: Asked, thinks: bool) -> Answer:
    """What a respondent answers.

    Args:
        persona: Who it is.
        asked: What it is asked.
        thinks: Whether it thinks before it answers.
    """
    draws = _Draws.of(persona, asked)
    ease = _pick(_EASE, draws.own("ease"))
    accuracy = persona.accuracy_at(asked.level, thinks)
    p = accuracy + ease * persona.spread_at(asked.level, thinks) / 100
    label = _moved(persona, asked, draws, _first_label(persona, asked, draws, p), p)
    if asked.second_pass:
        label = _second_label(persona, asked, draws, label)
        accuracy, p = persona.after_reflection(accuracy), persona.after_reflection(p)
    confidence = _confidence(persona, accuracy, p) if asked.target else _unsure(persona, ease)
    return Answer(label, confidence, _fault(persona, draws.fresh(f"fault {asked.second_pass}")))


def guess(persona: Persona, prompt: str, labels: Sequence[str]) -> Answer:
    """What a respondent answers where nothing but the prompt is known: any label, by chance.

    A calibrated one states the chance as its confidence. A prompt always gets the same answer.

    Args:
        persona: Who it is; most of its parameters mean nothing here.
        prompt: What it is asked.
        labels: The labels that the prompt offers.
    """
    key = (persona.seed, "guess", prompt)
    chance = 1 / len(labels)
    return Answer(
        label=_pick(labels, _draw(*key, "label")),
        confidence=_confidence(persona, chance, chance),
        fault=_fault(persona, _draw(*key, "fault")),
    )


def write(meant: Answer, labels: Sequence[str], wanted: AskedFormat, level: int) -> Reply:
    """An answer in the format that the prompt asks for, or with its fault.

    Args:
        meant: The answer.
        labels: The labels on offer.
        wanted: The format.
        level: How many lines stand for reasoning, where the prompt asks for any.
    """
    reasoning = [_REASONING] * level if wanted.reasoning else []
    statement = _statement(meant, wanted)
    other = next(label for label in labels if label != meant.label)
    match meant.fault:
        case "refusal":
            return Reply(_REFUSAL)
        case "empty":
            return Reply("")
        case "truncation":
            return Reply("\n".join([*reasoning, _REASONING[:-20]]), "max_tokens")
        case "echo":
            return Reply("\n\n".join([*reasoning, _echo(labels, wanted)]))
        case "several_tags":
            first = f"<answer>{other}</answer>\n\n{_REASONING}\n\n<answer>{meant.label}</answer>"
            return Reply("\n".join([*reasoning, first, *_confidence_line(meant, wanted)]))
        case "unopened_think":
            thought = f"{_REASONING}\n<answer>{other}</answer>\nFinal answer: {other}\n</think>\n"
            return Reply("\n".join([thought, statement]))
        case None:
            return Reply("\n".join([*reasoning, statement]))


def _first_label(persona: Persona, asked: Asked, draws: _Draws, p: float) -> str:
    """The label that the respondent would give by itself, in the first pass."""
    if asked.target:
        if draws.own("right") < p:
            return asked.target
        return _pick(_others(asked, asked.target), draws.own("which wrong"))
    first = _in_file_order(asked)[0]
    if draws.own("action1") < persona.p_action1:
        return first
    return _pick(_others(asked, first), draws.own("which other"))


def _moved(persona: Persona, asked: Asked, draws: _Draws, label: str, p: float) -> str:
    """The label, or the one that its position or an authority makes the respondent give."""
    if draws.own("position") < persona.position_bias:
        label = asked.labels[0]
    if asked.endorsed is not None and asked.condition in PULLS:
        pull: float = getattr(persona, f"pull_{asked.condition}")
        if persona.pull_scale == "logit":
            pull = _adopted(pull, _rate_of(persona, asked, asked.endorsed, p))
        if draws.own("authority") < pull:
            return asked.endorsed
    return label


def _rate_of(persona: Persona, asked: Asked, label: str, p: float) -> float:
    """How often the respondent would give a label without an authority."""
    if asked.target:
        first, rate = asked.target, p
    else:
        first, rate = _in_file_order(asked)[0], persona.p_action1
    by_itself = rate if label == first else (1 - rate) / (len(asked.labels) - 1)
    at_first = float(label == asked.labels[0])
    return (1 - persona.position_bias) * by_itself + persona.position_bias * at_first


def _adopted(shift: float, rate: float) -> float:
    """The rate of adopting an option that shifts the log-odds of choosing it."""
    if not 0 < rate < 1:
        return 0.0
    odds = rate / (1 - rate) * math.exp(shift)
    return (odds / (1 + odds) - rate) / (1 - rate)


def _second_label(persona: Persona, asked: Asked, draws: _Draws, first: str) -> str:
    """The label after reflection on the first one."""
    flip = draws.own("flip")
    others = _others(asked, first)
    if first == asked.target:
        return _pick(others, draws.own("which flip")) if flip < persona.bad_flip else first
    if not asked.target:
        return _pick(others, draws.own("which flip")) if flip < persona.other_flip else first
    if flip < persona.good_flip:
        return asked.target
    wrong = [label for label in others if label != asked.target]
    if wrong and flip < persona.good_flip + persona.other_flip:
        return _pick(wrong, draws.own("which flip"))
    return first


def _in_file_order(asked: Asked) -> list[str]:
    """The labels in the order of what they stand for, so that the order shown decides nothing."""
    pairs = sorted(zip(map(str, asked.choices), asked.labels, strict=True))
    return [label for _, label in pairs]


def _others(asked: Asked, label: str) -> list[str]:
    return [other for other in _in_file_order(asked) if other != label]


def _pick(among: Sequence[T], draw: float) -> T:
    return among[int(draw * len(among))]


def _confidence(persona: Persona, accuracy: float, p: float) -> float | None:
    """The confidence, 0–100, of an answer that is right with probability p."""
    if persona.confidence == "none":
        return None
    if not isinstance(persona.confidence, str):
        return persona.confidence
    mean = persona.mean_confidence(accuracy)
    distance = 100 * (p - accuracy)
    return round(mean + (distance if persona.confidence == "calibrated" else -distance), 2)


def _unsure(persona: Persona, ease: float) -> float | None:
    """The confidence, 0–100, where no answer is right."""
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


def _statement(meant: Answer, wanted: AskedFormat) -> str:
    if wanted.shape == "word":
        return meant.label
    if wanted.shape == "line":
        return f"Final answer: {meant.label}"
    return "\n".join([f"<answer>{meant.label}</answer>", *_confidence_line(meant, wanted)])


def _confidence_line(meant: Answer, wanted: AskedFormat) -> list[str]:
    if wanted.shape != "tags_and_confidence" or meant.confidence is None:
        return []
    return [f"<confidence>{meant.confidence:g}</confidence>"]


def _echo(labels: Sequence[str], wanted: AskedFormat) -> str:
    if wanted.shape in ("word", "line"):
        return f"State your final answer: {' or '.join(labels)}."
    confidence = "\n<confidence>X</confidence>" * (wanted.shape == "tags_and_confidence")
    return f"State your answer: {answer_tags(labels)}{confidence}"
