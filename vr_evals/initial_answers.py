"""Parse the initial answer of a reply to a level-4 prompt."""

from collections.abc import Sequence
from dataclasses import dataclass

from vr_evals.reading.initial import InitialFormat, initial
from vr_evals.reading.question import Question
from vr_evals.visible import TOKEN_LIMIT, find_tags, plain, readable

__all__ = ["InitialAnswer", "read_initial_answer"]


@dataclass(frozen=True)
class InitialAnswer:
    """The parsed initial answer of a reply.

    Attributes:
        label: One of the labels, or None if no initial answer was parsed.
        format: How it was stated, or why none was parsed.
    """

    label: str | None
    format: InitialFormat


def read_initial_answer(
    completion: str,
    labels: Sequence[str],
    *,
    options: Sequence[str] = (),
    stop_reason: str | None = None,
) -> InitialAnswer:
    """Parse the answer that a reply says it began with.

    Level 4 asks for an initial intuition, then for the case against it and a final answer. Only an
    explicit statement of the initial answer counts; it is never inferred from the final one, or
    from "my view is unchanged". The last answer tag is the final answer and is not read.

    Args:
        completion: The reply.
        labels: ``("wrong", "not wrong")`` or letters.
        options: The options' texts as shown, in the order of the labels.
        stop_reason: Inspect's stop reason of the reply. The last line of a reply that was cut off
            is not read.

    Raises:
        ValueError: The numbers of options and labels differ.
    """
    question = Question.of(labels, options)
    cut_off = stop_reason in TOKEN_LIMIT
    text = _without_last_tag(readable(completion, cut_off))
    if cut_off:
        text = text.rpartition("\n")[0]
    return InitialAnswer(*initial(plain(text), question))


def _without_last_tag(text: str) -> str:
    """Return a text with the content of its answer tags, but for the last one."""
    kept, position = [], 0
    tags = find_tags(text, "answer")
    for tag in tags:
        kept.append(text[position : tag.start])
        kept.append("\n" if tag is tags[-1] else tag.content)
        position = tag.end
    return "".join([*kept, text[position:]])
