"""Labels that are words of a benchmark's own: each read as itself and as no other."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vr_evals.answers import read_answer

NUMBERS, SIGNED = ("15", "20"), ("1", "-1")
MANNERS, KINDS, BUTS = (
    ("polite", "rude"),
    ("kind", "unkind", "not kind"),
    ("yes", "yes, but", "yes!"),
)


@pytest.mark.parametrize(
    ("labels", "reply", "label", "form"),
    [
        (SIGNED, "<answer>-1</answer>", "-1", "tag"),
        (SIGNED, "-1", "-1", "stated"),
        (SIGNED, "Final answer: -1", "-1", "stated"),
        (SIGNED, "1.5", None, "missing"),
        (SIGNED, "Final answer: 1.5", None, "missing"),
        (NUMBERS, "<answer>1.5</answer>", None, "missing"),
        (NUMBERS, "<answer>1-5</answer>", None, "missing"),
        (NUMBERS, "15.", "15", "stated"),
        (("N/A", "NA"), "<answer>n/a</answer>", "N/A", "tag"),
        (("N/A", "NA"), "<answer>na</answer>", "NA", "tag"),
        (("resign", "stay"), "<answer>re-sign</answer>", None, "missing"),
        (MANNERS, "polite", "polite", "stated"),
        (MANNERS, "Polite.", "polite", "stated"),
        (MANNERS, "<answer>**Polite**.</answer>", "polite", "tag"),
        (MANNERS, "<answer>polite, because it is kind</answer>", "polite", "tag"),
        (MANNERS, "Final answer: polite, because it is kind.", "polite", "stated"),
        (MANNERS, "Final answer: polite – he held the door.", "polite", "stated"),
        (MANNERS, "I would say polite.", "polite", "stated"),
        (MANNERS, "It was hard to say.\nBut he helped.\nrude", "rude", "stated"),
        (MANNERS, "Final answer: polite, not rude", None, "ambiguous"),
        (MANNERS, "I say polite things.", None, "missing"),
        (MANNERS, "It was rude.", None, "missing"),
        (MANNERS, "polite or rude", None, "missing"),
        (MANNERS, "politeness", None, "missing"),
        (KINDS, "<answer>unkind</answer>", "unkind", "tag"),
        (KINDS, "Final answer: unkind, because", "unkind", "stated"),
        (KINDS, "<answer>not-kind</answer>", "not kind", "tag"),
        (KINDS, "NotKind", "not kind", "stated"),
        (BUTS, "<answer>yes, but</answer>", "yes, but", "tag"),
        (BUTS, "<answer>yes</answer>", "yes", "tag"),
        (BUTS, "yes!", "yes!", "stated"),
        (BUTS, "Final answer: yes, but only then", None, "ambiguous"),
        (("好", "坏"), "答案：好", "好", "stated"),
        (("A", "AB"), "AB", "AB", "stated"),
        (("0", "1"), "<answer>0</answer>", "0", "tag"),
    ],
)
def test_words(labels: tuple[str, ...], reply: str, label: str | None, form: str) -> None:
    read = read_answer(reply, labels, options=labels, tags=True)
    assert (read.label, read.format) == (label, form)


def test_of_a_reply_cut_off_the_last_line_is_no_conclusion() -> None:
    read = read_answer(
        "It was\nrude\nor", MANNERS, options=MANNERS, tags=True, stop_reason="max_tokens"
    )
    assert (read.label, read.format) == (None, "truncated")


words = st.text(
    st.characters(
        codec="utf-8", categories=["L", "N", "P", "Zs"], exclude_characters="<>&*_`#\\$~"
    ),
    min_size=1,
    max_size=12,
).map(lambda text: " ".join(text.split()))


@given(st.lists(words, min_size=2, max_size=4, unique_by=str.casefold), st.text(max_size=20))
def test_each_label_in_tags_is_read_as_itself_or_not_at_all(labels: list[str], noise: str) -> None:
    assume(all(any(c.isalnum() for c in label) for label in labels))
    for label in labels:
        read = read_answer(f"<answer>{label}</answer>", labels, options=labels, tags=True)
        assert read.label in (label, None)
    assert read_answer(noise, labels, options=labels, tags=False).label in (*labels, None)


@pytest.mark.parametrize("unit", ["polite ", "rude, ", "-", "not ", "Final answer: polite "])
def test_time_grows_no_faster_than_the_text(unit: str) -> None:
    assert read_answer(unit * 20_000, MANNERS, options=MANNERS, tags=True).format
