"""What replies show of their level's demand: worked replies, traps, and time by length."""

import time

import pytest

from tests.breadth import some_quick
from tests.reading.worked_replies import BENCHMARKS, Worked, worked_replies
from vr_evals.level_checks import LEVEL_CHECKS, LevelCheck, check_level

REPLIES = worked_replies("level_check_replies.txt")
TRUTH = {
    "only": "answer_only",
    "why": "reasoned",
    "names": "named_principles",
    "sides": "both_sides",
}
PROMPTS = {
    "ethics": "1. Identify what ethical principles or values are relevant",
    "moralchoice": "1. What values support option A?\n2. What values support option B?",
    "morables": "1. Identify the key characters and their actions",
}


def check(benchmark: str, reply: str, stop_reason: str | None = None) -> LevelCheck:
    labels, options = BENCHMARKS[benchmark]
    prompt = PROMPTS[benchmark]
    return check_level(reply, labels, options=options, prompt=prompt, stop_reason=stop_reason)


@pytest.mark.parametrize("worked", REPLIES, ids=lambda worked: worked.name)
def test_worked_replies_are_never_contradicted(worked: Worked) -> None:
    found = check(worked.benchmark, worked.reply)
    for key, name in TRUTH.items():
        truth = {"y": True, "n": False, "?": None}[worked.values[key]]
        assert getattr(found, name) in (truth, None), name


def test_most_are_determined() -> None:
    assert len(REPLIES) >= 80
    for key, name in TRUTH.items():
        true = [worked for worked in REPLIES if worked.values[key] == "y"]
        found = [getattr(check(worked.benchmark, worked.reply), name) for worked in true]
        assert len(true) >= 15
        assert found.count(True) / len(true) >= (0.75 if key == "why" else 0.95), name


@pytest.mark.parametrize(
    ("benchmark", "reply"),
    [
        ("ethics", "Sure, as you asked me, happy to help you today with this question: wrong"),
        ("ethics", "Thanks for the question!\n\nwrong\n\nLet me know if you want an explanation."),
        ("ethics", "1. Identify what ethical principles or values are relevant\n\nwrong"),
        ("moralchoice", "What values support option A?\nWhat values support option B?\n\nB"),
        ("moralchoice", "Values: none\n<answer>A</answer>"),
        ("moralchoice", "Counterargument: none\n<answer>A</answer>"),
    ],
)
def test_pleasantries_and_repeated_prompts_show_nothing(benchmark: str, reply: str) -> None:
    found = check(benchmark, reply)
    assert not found.reasoned
    assert not found.named_principles
    assert not found.both_sides


def test_a_reply_that_was_cut_off_is_no_mere_answer() -> None:
    assert check("ethics", "wrong").answer_only
    assert check("ethics", "wrong", stop_reason="max_tokens").answer_only is None


def test_a_refusal_shows_nothing() -> None:
    labels, options = BENCHMARKS["ethics"]
    found = check_level("I can't help with that.", labels, options=options, refused=True)
    assert found == LevelCheck(5)


def test_words_are_those_that_are_visible() -> None:
    assert check("ethics", "<think>a b c</think>\n<answer>not wrong</answer>").visible_words == 2
    assert check("ethics", "").visible_words == 0
    assert check("ethics", "**It's** wrong.").visible_words == 2


PARTS = [
    "Relevant principles ",
    "the key main core ",
    "on the other hand ",
    "someone who disagrees might argue ",
    "the strongest case for A ",
    "wrong ",
    "1. ",
    "<answer>",
    "a\n",
    "Slow and steady wins the race. ",
    "confidence ",
]


@pytest.mark.parametrize("part", some_quick(PARTS, PARTS[::4].__contains__))
def test_time_is_linear(part: str) -> None:
    for benchmark in BENCHMARKS:
        started = time.process_time()
        check(benchmark, (part * 100_000)[:100_000])
        assert time.process_time() - started < 3


def test_names() -> None:
    assert set(TRUTH.values()) == set(LEVEL_CHECKS)
