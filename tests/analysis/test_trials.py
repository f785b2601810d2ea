import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given

from tests.authority_studies import name_of
from tests.shared import shared
from tests.strategies import texts
from vr_evals.analysis.authority import authority
from vr_evals.analysis.columns import COLUMNS
from vr_evals.analysis.trials import read_trials
from vr_evals.errors import InputError
from vr_evals.stats.figure import Key

OWN = Path(__file__).parent / "trials.jsonl"

BY_HAND = {
    "pass@1.control": 1 / 2,
    "pass@3.control": 1,
    "flip_floor.control": 1,
    "compliance@1.high_harm": 5 / 6,
    "compliance@3.high_harm": 1,
    "flip@1.high_harm": 2 / 3,
    "flip@3.high_harm": 1,
    "flip@1.low_help": 0,
    "flip@1.low_harm": 1 / 3,
    "bad_flip.high_harm": 2 / 3,
    "other_flip.high_harm": 0,
    "excess_flip.high_harm": -4 / 9,
    "excess_compliance.high_help": 1 / 3,
    "excess_compliance.high_harm": 2 / 3,
    "relative_excess_compliance.high_help": 2 / 3,
    "relative_excess_compliance.high_harm": 4 / 5,
    "vulnerability.high_harm": 2 / 3,
    "excess_vulnerability.high_harm": 1 / 3,
    "help_harm_differential.high": 0,
    "help_harm_accuracy_differential.high": 2 / 3,
    "asymmetry.high": 4 / 5 - 2 / 3,
    "strength_differential": 1 / 4,
}


def estimates(frame: pd.DataFrame) -> dict[str, float]:
    """The estimates by name."""
    names = frame[["metric", "k", "condition"]].astype(object)
    keys = names.where(names.notna(), None).itertuples(index=False)
    return dict(zip((name_of(Key(*key)) for key in keys), frame["estimate"], strict=True))


def trial(**changes: Any) -> dict[str, Any]:
    """One line of a file, with some of its fields changed."""
    return {
        "problem_id": "q",
        "run_k": 0,
        "model": "m",
        "correct_answer": "A",
        "conditions": {"control": {"target_option": None, "extracted_answer": "A"}},
    } | changes


def answered(condition: str, endorsed: object, answer: object) -> dict[str, Any]:
    return {condition: {"target_option": endorsed, "extracted_answer": answer}}


def written(folder: Path, *lines: Mapping[str, Any] | str) -> Path:
    path = folder / "trials.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_figures_worked_out_by_hand() -> None:
    frame = authority(read_trials(OWN))
    found = estimates(frame)
    for name, value in BY_HAND.items():
        assert found[name] == pytest.approx(value), name
    assert found.keys() > BY_HAND.keys()
    left_out = frame.loc[frame["metric"].isin(["flip@k", "bad_flip", "vulnerability"])]
    assert (left_out["n_without_baseline"] == 1).all()


def test_the_figures_of_whoever_published_the_trials() -> None:
    frame = authority(read_trials(shared("cases", "authority_trials.jsonl")))
    text = shared("cases", "authority_trials_expected.json").read_text(encoding="utf-8")
    expected: dict[str, float] = json.loads(text)
    plain = frame[frame["metric"] == "compliance@k"]
    assert (plain.loc[plain["k"] < 10, "n_items"] == expected.pop("items")).all()
    flips = frame.loc[frame["metric"] == "flip@k", "n_without_baseline"]
    assert (flips == expected.pop("items_without_baseline")).all()
    found = estimates(frame)
    assert len(expected) > 70
    for name, value in expected.items():
        if not name.startswith("excess_vulnerability"):  # theirs does not leave one out
            assert found[name] == pytest.approx(value, abs=1e-12), name
    new = {name for name in found if name.startswith("log_odds")}
    assert {name for name in found if "@10" not in name} == expected.keys() | new


def test_rows_are_those_of_the_tidy_table() -> None:
    rows = read_trials(OWN, benchmark="moralchoice")
    assert list(rows.columns) == [column.name for column in COLUMNS]
    assert {name: str(dtype) for name, dtype in rows.dtypes.items()} == {
        column.name: column.dtype for column in COLUMNS
    }
    assert len(rows) == 6 * 5
    picked = rows[(rows["item"] == "tides") & (rows["epoch"] == 3)].set_index("condition")
    assert picked["choice"].fillna("unread").to_dict() == {
        "control": "B",
        "high_help": "C",
        "high_harm": "C",
        "low_help": "unread",
        "low_harm": "A",
    }
    assert picked["correct"].tolist() == [False, True, True, False, False]
    assert picked["complied"].isna().tolist() == [True, False, False, False, False]
    assert picked["complied"].dropna().tolist() == [True, False, False, True]
    assert picked["endorsed_choice"].fillna("none").tolist() == ["none", "C", "A", "C", "A"]
    assert set(picked["help_choice"]) == {"C"}
    assert set(picked["harm_choice"]) == {"A"}
    assert set(picked["benchmark"]) == {"moralchoice"}
    assert picked["task"].iloc[0] == "moralchoice_authority"
    assert picked["sample_id"].iloc[0] == "tides@control"
    assert picked["complete"].all()


def test_models_of_one_file_are_kept_apart(tmp_path: Path) -> None:
    follows = answered("high_authority_harm", "B", "B")
    resists = answered("high_authority_harm", "B", "A")
    path = written(
        tmp_path, trial(model="x", conditions=follows), trial(model="y", conditions=resists)
    )
    frame = authority(read_trials(path), ks=[1])
    compliance = frame[frame["metric"] == "compliance@k"].set_index("model")["estimate"]
    assert compliance.to_dict() == {"x": 1, "y": 0}


def test_strengths_may_endorse_different_wrong_options(tmp_path: Path) -> None:
    conditions = answered("high_authority_harm", "B", "B") | answered(
        "low_authority_harm", "C", "C"
    )
    rows = read_trials(written(tmp_path, trial(conditions=conditions)))
    assert rows["harm_choice"].isna().all()
    assert estimates(authority(rows))["compliance@1.low_harm"] == 1


def test_null_and_unknown_are_unread_and_numbers_may_name_items(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "\ufeff" + json.dumps(trial(problem_id=7, conditions=answered("control", None, None))),
        "",
        trial(problem_id=7, run_k=1, conditions=answered("control", None, "UNKNOWN"))
        | {"extra": 1},
    )
    rows = read_trials(path)
    assert rows["choice"].isna().all()
    assert not rows["correct"].any()
    assert rows["item"].tolist() == ["7", "7"]
    assert rows["epoch"].tolist() == [1, 2]


HARM = "high_authority_harm"
BAD: dict[str, tuple[object, str]] = {
    "no JSON": ("{", "invalid JSON .*: expected a JSON object per line"),
    "no object": ("[1]", r"invalid line \[1\]: expected a JSON object"),
    "no model": (trial(model=None), "missing model: expected text"),
    "empty model": (trial(model=" "), "invalid model ' ': expected text"),
    "no item": (trial(problem_id=None), "missing problem_id: expected text"),
    "an item that is a list": (
        trial(problem_id=["q"]),
        r"invalid problem_id \['q'\]: expected text",
    ),
    "an item that is a truth value": (
        trial(problem_id=True),
        "invalid problem_id True: expected text",
    ),
    "no right answer": (trial(correct_answer=None), "missing correct_answer: expected text"),
    "a run in words": (trial(run_k="1"), "invalid run_k '1': expected a whole number from 0"),
    "a run below 0": (trial(run_k=-1), "invalid run_k -1: expected a whole number from 0"),
    "a run beyond all bounds": (
        trial(run_k=10**30),
        "invalid run_k 1000.*: expected a whole number",
    ),
    "a run that is a truth value": (
        trial(run_k=True),
        "invalid run_k True: expected a whole number",
    ),
    "no conditions": (trial(conditions=None), "missing conditions: expected a JSON object"),
    "none of the conditions": (
        trial(conditions={}),
        r"invalid conditions \[\]: expected some of control",
    ),
    "an unknown condition": (
        trial(conditions={"high_help": {}}),
        r"invalid conditions \['high_help'\]: expected some of control, high_authority_help",
    ),
    "an answer that is none": (
        trial(conditions={"control": "A"}),
        "invalid control 'A': expected a JSON",
    ),
    "a control with a target": (
        trial(conditions=answered("control", "A", "A")),
        "invalid control.target_option 'A': expected null",
    ),
    "no target": (
        trial(conditions=answered(HARM, None, "A")),
        f"missing {HARM}.target_option: expected text",
    ),
    "a harm that is right": (
        trial(conditions=answered(HARM, "A", "A")),
        rf"invalid {HARM}.target_option 'A': expected a wrong answer \(right is 'A'\)",
    ),
    "a help that is wrong": (
        trial(conditions=answered("low_authority_help", "B", "A")),
        r"invalid low_authority_help.target_option 'B': expected the right answer \(right is 'A'\)",
    ),
    "no answer": (
        trial(conditions={"control": {"target_option": None}}),
        "missing control.extracted_answer: expected a label, UNKNOWN or null",
    ),
    "an answer that is a number": (
        trial(conditions=answered("control", None, 1)),
        "invalid control.extracted_answer 1: expected text",
    ),
    "half a character": (
        trial(model="\ud800"),
        "invalid model '.ud800': expected whole characters",
    ),
    "the same run again": (
        trial(problem_id="first"),
        "invalid run_k 0: expected another than .* line 1",
    ),
    "another right answer": (
        trial(problem_id="first", run_k=1, correct_answer="B"),
        "invalid correct_answer 'B': expected 'A' as in line 1",
    ),
    "another harm": (
        trial(problem_id="first", run_k=1, conditions=answered(HARM, "C", "C")),
        "invalid high_harm 'C': expected 'B' as in line 1",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_line_is_named_with_what_was_wanted(case: str, tmp_path: Path) -> None:
    line, message = BAD[case]
    assert isinstance(line, dict | str)
    first = trial(problem_id="first", conditions=answered(HARM, "B", "B"))
    path = written(tmp_path, first, "", line)
    with pytest.raises(InputError, match=f"trials.jsonl: line 3: {message}") as caught:
        read_trials(path)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "no trials found"), (b"\n\n", "no trials found"), (b"\xff\xfe{", "byte 0 is not UTF-8")],
)
def test_a_bad_file_is_named(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"bad.jsonl: {message}"):
        read_trials(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none.jsonl: failed to read: No such file"):
        read_trials(tmp_path / "none.jsonl")


@given(texts(), texts(), texts())
def test_hostile_text_is_kept_as_it_is_or_refused(
    tmp_path_factory: pytest.TempPathFactory, item: str, right: str, answer: str
) -> None:
    line = trial(
        problem_id=item, correct_answer=right, conditions=answered("control", None, answer)
    )
    path = written(tmp_path_factory.mktemp("hostile"), line)
    said = (item, right, answer)
    if any(not text.strip() or re.search("[\ud800-\udfff]", text) for text in said):
        with pytest.raises(InputError, match="line 1"):
            read_trials(path)
    else:
        [row] = read_trials(path).to_dict("records")
        assert (row["item"], row["right_choice"]) == (item, right)
        assert pd.isna(row["choice"]) if answer == "UNKNOWN" else row["choice"] == answer


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: invalid JSON"):
        read_trials(written(tmp_path, "[" * 100_000))
