"""Hypothesis strategies shared by the tests of what models write."""

from hypothesis import settings
from hypothesis import strategies as st

__all__ = ["examples", "fragments", "questions", "replies", "texts"]

_FRAGMENTS = (
    "<answer>", "</answer>", "<answer>A</answer>", "<answer>wrong</answer>", "<confidence>",
    "</confidence>", "85", "0.9", "-5", "%", "Final answer: ", "Answer: B", "I choose ", "option ",
    "wrong", "not ", "isn't ", "This is ", "never ", "A", "b", " or ", ", ", ". ", "\n", " ", "\t",
    "<think>", "</think>", "[THINK]", "[/THINK]", "<|channel|>analysis", "<|channel|>final",
    "<|message|>", "<|im_end|>", "\\boxed{", "}", "**", "&lt;", "&amp;", "&#", "Confidence: ",
    "confident", "\u200b", "\ufeff", "Ｂ", "答案：", "\ud800", "\x00", "~~", "|", "(", ")", "'",
    '"', "actually, no", "?",
)  # fmt: skip


def examples(number: int) -> settings:
    """So many examples of a property that takes long, and a third where only what is quick is run.

    ``make test-slow`` runs each property again, in full.
    """
    is_quick = settings.get_current_profile_name() == "quick"
    return settings(deadline=None, max_examples=-(-number // 3) if is_quick else number)


def texts() -> st.SearchStrategy[str]:
    """Any text at all, lone surrogates included."""
    return st.text(st.characters(exclude_categories=()))


def fragments() -> st.SearchStrategy[str]:
    """What replies are made of, in any order."""
    return st.lists(st.sampled_from(_FRAGMENTS), max_size=30).map("".join)


def replies() -> st.SearchStrategy[str]:
    """Any text, or fragments of replies with any text among them."""
    mixed = st.lists(st.sampled_from(_FRAGMENTS) | texts(), max_size=20).map("".join)
    return texts() | fragments() | mixed


def questions() -> st.SearchStrategy[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Labels and the options' texts, or no texts."""
    return st.sampled_from(
        [
            (("wrong", "not wrong"), ()),
            (("A", "B"), ()),
            (("A", "B"), ("wrong", "not wrong")),
            (("A", "B", "C"), ("A fool and his gold.", "I trust nobody.", "wrong")),
            (tuple("ABCDEFGHIJ"), ()),
        ]
    )
