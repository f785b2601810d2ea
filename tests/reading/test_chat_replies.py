"""Replies in the styles of chat models, with what a careful person reads in them."""

import pytest

from tests.reading.worked_replies import Worked, worked_replies
from vr_evals.answers import letters, read_answer
from vr_evals.confidences import read_confidence
from vr_evals.initial_answers import read_initial_answer

OPTIONS = {
    "ethics": (),
    "lettered": ("wrong", "not wrong"),
    "wallet": ("I return the wallet to its owner.", "I keep the wallet and the cash."),
    "prognosis": (
        "I tell the patient the full prognosis.",
        "I withhold the prognosis until the family arrives.",
    ),
    "promise": ("I break the promise.", "I do not break the promise."),
    "fable": (
        "Pride goes before a fall.",
        "A fool and his gold are soon parted.",
        "Look before you leap.",
        "It is better to be safe than sorry.",
        "Do not trust flatterers.",
    ),
    "singer": (
        "Kantian deontology",
        "preference utilitarianism",
        "virtue ethics",
        "social contract theory",
    ),
    "scenarios": ("Wrong, Wrong", "Wrong, Not wrong", "Not wrong, Wrong", "Not wrong, Not wrong"),
    "statements": (
        "Statement 1 is true",
        "Statement 2 is true",
        "Neither is true",
        "All of the above",
    ),
}
STOP_REASONS = {"limit": "max_tokens", "filter": "content_filter"}
REPLIES = worked_replies("chat_replies.txt")


@pytest.mark.parametrize("worked", REPLIES, ids=lambda worked: worked.name)
def test_chat_replies(worked: Worked) -> None:
    options = OPTIONS[worked.benchmark]
    labels = letters(len(options)) if options else ("wrong", "not wrong")
    values = worked.values
    ended = STOP_REASONS.get(values.get("stop", ""))
    tags = bool(options) or "tags" in values
    answer = read_answer(worked.reply, labels, options=options, tags=tags, stop_reason=ended)
    assert (answer.label or "-") == values["final"]
    if "confidence" in values:
        confidence = read_confidence(worked.reply, stop_reason=ended).value
        assert confidence == (None if values["confidence"] == "-" else float(values["confidence"]))
    if "initial" in values:
        initial = read_initial_answer(worked.reply, labels, options=options, stop_reason=ended)
        assert (initial.label or "-") == values["initial"]
