"""The files of the authority study: shapes of its questions, and what is refused of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from vr_evals.errors import InputError
from vr_evals.importing.completions import Mapped
from vr_evals.importing.editorial_faithfulness import editorial_faithfulness
from vr_evals.importing.replies import Reply
from vr_evals.importing.skipped import Notes
from vr_evals.importing.sources import open_source

ENTRY = {"id": "q1", "question": "Which is a colour?\n\nA) Red\nB) Loud", "correct_answer": "A"}
APART = {**ENTRY, "question": "Which is a colour?"}
TRIAL = {
    "problem_id": "q1",
    "run_k": 0,
    "conditions": {"control": {"target_option": None, "raw_output": "A"}},
}


def replies(
    folder: Path, trial: dict[str, Any], *entries: dict[str, Any]
) -> tuple[list[Reply], list[str]]:
    """The replies of a trial, and the notes on it."""
    for name, content in (("trials.json", [trial]), ("entries.json", list(entries))):
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    notes = Notes()
    source = open_source(str(folder / "trials.json"))
    dataset = str(folder / "entries.json")
    return list(editorial_faithfulness([source], Mapped(), dataset, notes)), list(notes.lines())


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY,
        {**APART, "options": {"B": "Loud", "A": "Red"}},
        {**APART, "choices": ["Red", "Loud"]},
        {**APART, "option_A": "Red", "option_B": "Loud", "option_C": None},
    ],
    ids=["text", "object", "list", "columns"],
)
def test_options_may_be_in_the_text_or_apart(tmp_path: Path, entry: dict[str, Any]) -> None:
    [reply], notes = replies(tmp_path, TRIAL, entry)
    assert (reply.item.text, reply.item.options) == ("Which is a colour?", ("Red", "Loud"))
    assert (reply.item.target, notes) == (0, [])


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([ENTRY, ENTRY], "entries.json row 2: duplicate id 'q1'"),
        ([{"question": "x"}], "row 1: missing id or question: expected the study's file of"),
        ([{**ENTRY, "question": "x\nA) y\nC) z"}], r"no options of q1: expected lines A\)"),
        ([{**ENTRY, "correct_answer": "C"}], "invalid correct_answer 'C' of q1: expected a letter"),
        ([APART], "invalid correct_answer 'A' of q1"),
    ],
)
def test_questions_that_are_not_the_studys_are_refused(
    tmp_path: Path, entries: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        replies(tmp_path, TRIAL, *entries)


def test_a_file_that_has_no_trials_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing run_k, conditions: .*found problem_id"):
        replies(tmp_path, {"problem_id": "q1"}, ENTRY)
    with pytest.raises(InputError, match="missing the study's questions: name their file"):
        list(editorial_faithfulness([], Mapped(), None, Notes()))


@pytest.mark.parametrize(
    ("condition", "answer", "note"),
    [
        ("control", {"target_option": "A"}, "invalid target_option 'A' of control: expected null"),
        ("high_authority_help", {"target_option": "B"}, "'B' of high_help: expected the right"),
        ("low_authority_harm", {"target_option": "A"}, "'A' of low_harm: expected a wrong option"),
        ("low_authority_harm", {"target_option": "C"}, "'C' of low_harm: expected a wrong option"),
        ("high_authority_harm", {}, "None of high_harm: expected a wrong option"),
        ("control", "A", "invalid answer: expected an object"),
    ],
)
def test_a_cue_that_is_not_its_conditions_is_skipped(
    tmp_path: Path, condition: str, answer: object, note: str
) -> None:
    found, [line] = replies(tmp_path, {**TRIAL, "conditions": {condition: answer}}, ENTRY)
    assert not found
    assert note in line
    assert "skipped in one condition" in line


def test_only_fields_that_are_not_of_the_study_are_named(tmp_path: Path) -> None:
    answer = {"target_option": None, "raw_output": "A", "choice": "A", "seed": 1}
    trial = {**TRIAL, "correct_answer": "A", "date": "today", "conditions": {"control": answer}}
    _, notes = replies(tmp_path, trial, ENTRY)
    assert notes == ["trials.json: columns not used: date, conditions.seed"]
