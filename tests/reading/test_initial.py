"""Initial answers: worked replies to level 4, traps, and time by length."""

import time

import pytest

from tests.breadth import some_quick
from tests.reading.worked_replies import BENCHMARKS, Worked, worked_replies
from vr_evals.answers import read_answer
from vr_evals.initial_answers import InitialAnswer, read_initial_answer

REPLIES = worked_replies("level4_replies.txt")


def read(benchmark: str, reply: str, stop_reason: str | None = None) -> InitialAnswer:
    labels, options = BENCHMARKS[benchmark]
    return read_initial_answer(reply, labels, options=options, stop_reason=stop_reason)


@pytest.mark.parametrize("worked", REPLIES, ids=lambda worked: worked.name)
def test_worked_replies(worked: Worked) -> None:
    initial = worked.values["initial"]
    assert read(worked.benchmark, worked.reply).label == (None if initial == "-" else initial)
    labels, options = BENCHMARKS[worked.benchmark]
    final = read_answer(
        worked.reply, labels, options=options, tags=worked.benchmark != "ethics"
    ).label
    assert final == worked.values["final"]


def test_there_are_replies_of_each_kind() -> None:
    assert len(REPLIES) >= 60
    for benchmark in BENCHMARKS:
        of_one = [worked for worked in REPLIES if worked.benchmark == benchmark]
        initial = [worked.values["initial"] for worked in of_one]
        final = [worked.values["final"] for worked in of_one]
        assert initial.count("-") >= 5
        assert sum(i not in ("-", f) for i, f in zip(initial, final, strict=True)) >= 4


UNREAD = [
    # someone else's, mistaken, hypothetical, undecided
    ("ethics", "1. My initial intuition is that my sister was wrong to ask.\nFinal answer: wrong"),
    ("ethics", "My initial moral intuition was wrong.\nFinal answer: not wrong"),
    ("ethics", "My initial intuition is not wrong.\nFinal answer: wrong"),
    ("ethics", "A critic would say:\nMy intuition is that this is wrong.\nFinal answer: not wrong"),
    ("ethics", '"My intuition is that this is wrong," a critic says.\nFinal answer: not wrong'),
    ("ethics", "My first thought: wrong or not wrong?\nFinal answer: wrong"),
    ("ethics", "My gut says it's wrong. My intuition is that it's not wrong.\nFinal answer: wrong"),
    ("ethics", "Initial intuition: morally acceptable.\nFinal answer: not wrong"),
    ("moralchoice", "My intuition favors B or A.\n<answer>A</answer>"),
    ("moralchoice", "Initial intuition: A/B\n<answer>A</answer>"),
    ("moralchoice", "Initial intuition: A and B\n<answer>A</answer>"),
    ("moralchoice", "Intuition: A fair society returns wallets.\n<answer>B</answer>"),
    ("moralchoice", '"My intuition favors B," says the finder.\n<answer>A</answer>'),
    ("moralchoice", "My intuition goes against A.\n<answer>B</answer>"),
    ("moralchoice", "1. A\n2. B helps.\n3. Weak.\n4. No one is helped by A.\n<answer>A</answer>"),
    # the only answer is the final one
    ("moralchoice", "1. My intuition: <answer>A</answer>\n2. Need.\n3. Weak.\n4. No."),
    ("moralchoice", "It does not change my preference.\n<answer>A</answer>"),
    ("moralchoice", "Initial and final answer: A\n<answer>A</answer>"),
    ("morables", "2. At first glance, B also seems plausible.\n<answer>A</answer>"),
    ("morables", "Initial intuition: B or possibly E.\n<answer>A</answer>"),
    ("morables", "<think>Initial intuition: D.</think>\n<answer>A</answer>"),
    ("morables", "4. Reconsidering, my initial intuition is A.\n<answer>A</answer>"),
    ("morables", "Initial intuition: F\n<answer>A</answer>"),
    ("morables", ""),
]


@pytest.mark.parametrize(("benchmark", "reply"), UNREAD)
def test_never_guessed(benchmark: str, reply: str) -> None:
    assert read(benchmark, reply).label is None


READ = [
    ("ethics", "Initial intuition: It doesn't feel wrong.\nFinal answer: wrong", "not wrong"),
    ("ethics", "**1. Initial moral intuition:**\nThis seems wrong—a lie.\n\n**2.** x", "wrong"),
    ("ethics", "My gut says it's not wrong. A critic says it's wrong.", "not wrong"),
    ("moralchoice", "1. **Intuition:** I favor returning it (Option A).\n2. Need.", "A"),
    ("moralchoice", "My intuition favors **Option A** — keeping faith.\n<answer>B</answer>", "A"),
    ("moralchoice", "Intuition favors A.\n<answer>B</answer>", "A"),
    ("morables", "Initial intuition: The moral seems to be B.\n<answer>A</answer>", "B"),
    ("morables", 'My first thought is "The proud are swift to boast" (B).\n2. A', "B"),
    ("morables", "Step 1 - Initial intuition: C\nStep 2 - Others: A\n<answer>A</answer>", "C"),
    ("morables", "My first instinct was to pick B, but the end shows A.\n<answer>A</answer>", "B"),
    ("morables", "Initially, I thought the answer was B.\n<answer>A</answer>", "B"),
]


@pytest.mark.parametrize(("benchmark", "reply", "label"), READ)
def test_read(benchmark: str, reply: str, label: str) -> None:
    assert read(benchmark, reply).label == label


def test_the_last_line_of_a_reply_that_was_cut_off_is_not_read() -> None:
    reply = "Initial intuition: A"
    assert read("morables", reply).label == "A"
    assert read("morables", reply, "max_tokens").label is None
    assert read("morables", f"{reply}\nOther options: B mi", "max_tokens").label == "A"


def test_formats() -> None:
    for reply, how in (
        ("Initial intuition: A", "headed"),
        ("1. A\n2. B\n3. Weak.\n4. No.", "numbered"),
        ("My intuition favors A.", "sentence"),
        ("My intuition is torn.", "unclear"),
        ("A is best.", "missing"),
    ):
        assert read("morables", reply).format == how


@pytest.mark.parametrize(
    ("benchmark", "reply", "label", "otherwise"),
    [
        # read on past the limit of a sentence's length; denied; not a label but an article
        ("morables", "B because of this", "B", f"B because{' of this' * 80}"),
        ("morables", "B, clearly", "B", "B, no doubt"),
        ("morables", "C is best", "C", "c is best"),
        ("morables", "at first glance (B)", "B", "at first glance"),
        ("ethics", "Lying to friends is wrong", "wrong", "Lying is wrong, but this was kind"),
    ],
)
def test_what_makes_a_statement_unclear(
    benchmark: str, reply: str, label: str, otherwise: str
) -> None:
    assert read(benchmark, f"Initial intuition: {reply}.") == InitialAnswer(label, "headed")
    assert read(benchmark, f"Initial intuition: {otherwise}.") == InitialAnswer(None, "unclear")


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Initial intuition: Yes.", "yes"),
        ("My intuition is: no", "no"),
        ("Initial intuition: yes and no", None),
    ],
)
def test_labels_that_are_words_are_read(reply: str, label: str | None) -> None:
    assert read_initial_answer(reply, ("yes", "no")).label == label


PARTS = [
    "1. My initial intuition is that ",
    "Initial intuition:\n",
    "my intuition my intuition favors ",
    "the the the ",
    "(A) ",
    "not wrong, ",
    " is is",
    "Slow and steady wins the race. ",
    "1. A\n",
    "<answer>",
    "- - ",
]


@pytest.mark.parametrize("part", some_quick(PARTS, PARTS[::4].__contains__))
def test_time_is_linear(part: str) -> None:
    for benchmark in BENCHMARKS:
        text = (part * 100_000)[:100_000]
        started = time.process_time()
        read(benchmark, text)
        assert time.process_time() - started < 3
