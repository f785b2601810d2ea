"""Each cell against a recomputation from the raw JSON of whole samples.

``read_logs`` never reads those. It is made of replies, model events and options, not of scores,
wherever they say enough.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai import score
from inspect_ai.log import EvalSampleSummary, read_eval_log, write_eval_log
from inspect_ai.model import Model, ModelUsage, get_model
from inspect_ai.scorer import Score

from tests.analysis.running import run
from tests.models_for_tests import Call, Script, reply
from vr_evals.analysis import read_logs
from vr_evals.analysis.files import LogFile
from vr_evals.analysis.rows import sample_cells
from vr_evals.analysis.run import Run, dollars, read_run, tokens
from vr_evals.answers import read_answer
from vr_evals.confidences import read_confidence
from vr_evals.scorers import answer, answer_format
from vr_evals.solvers import two_pass

FAULTY: dict[str, Any] = {
    "echo": 0.2,
    "truncation": 0.2,
    "refusal": 0.2,
    "empty": 0.2,
    "pull_high_harm": 0.6,
}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of many kinds of run, with unread answers, epochs and repeated runs."""
    folder = tmp_path_factory.mktemp("mixed")

    def model() -> Model:
        return get_model("vr_sim/careful", memoize=False, **FAULTY)

    for task in ("ethics_level2", "morables_level5", "moralchoice_level3_thinking"):
        run(folder, task, model(), items=10, include_confidence=True, flags={"epochs": 2})
    run(folder, "morables_level5", model(), items=6, include_confidence=True)
    run(folder, "moralchoice_level5", model(), items=8, option_order="both")
    run(folder, "ethics_level0", model(), items=6, flags={"solver": two_pass()})
    run(folder, "morables_authority", model(), items=4, flags={"epochs": 2})
    run(folder, "ethics_authority_low_harm", model(), items=4, level=1)
    return folder


def test_rows_are_what_the_raw_json_says(mixed: Path) -> None:
    table = read_logs(mixed)
    found = {(row["log"], row["sample_id"], row["epoch"]): row for row in records(table)}
    assert len(found) == len(table)
    logs = {log: json.loads(read_eval_log(log).model_dump_json()) for log in set(table["log"])}
    assert len(logs) == 7
    samples = [(log, s) for log, raw in logs.items() for s in raw["samples"]]
    assert len(samples) == len(table)
    kinds: set[str] = set()
    for log, sample in samples:
        row = found[log, sample["id"], sample["epoch"]]
        expected = by_hand(logs[log], sample)
        assert {name: row[name] for name in expected} == expected
        kinds.add(row["answer_format"])
    assert {"tag", "truncated", "refused", "empty"} <= kinds


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows with None for what is missing."""
    return [
        {str(name): None if pd.isna(cell) else cell for name, cell in row.items()}
        for row in table.to_dict("records")
    ]


def by_hand(log: dict[str, Any], sample: dict[str, Any]) -> dict[str, Any]:
    """The row of a sample, of its replies and options."""
    metadata, header = sample["metadata"], log["eval"]
    labels, choices = metadata["labels"], metadata["choices"]
    how = metadata["as_run"]
    first = how.get("first_pass")
    output = sample["output"]["choices"][0]
    completion, ended = sample["output"]["completion"], output["stop_reason"]
    if first and not first["second_pass"]:
        completion, ended = "", None
    target = sample["target"] or None
    label, form = read(metadata, completion, ended)
    usage = [
        event["output"]["usage"]
        for event in sample["events"]
        if event["event"] == "model" and event["output"]["usage"]
    ]
    level = how.get("level")
    confidence = None
    if metadata["include_confidence"] and "confidence" in sample["scores"]:
        confidence = read_confidence(completion, stop_reason=ended).value
    row = {
        "model": header["model"],
        "task": header["task"].removeprefix("vr_evals/"),
        "benchmark": metadata["benchmark"],
        "item": metadata["item"],
        "level": level,
        "thinking": metadata["thinking"],
        "condition": metadata.get("condition"),
        "label": label,
        "choice": canonical(label, labels, choices),
        "choice_kind": canonical(label, labels, metadata["option_kinds"])
        if "option_kinds" in metadata
        else None,
        "target": target,
        "right_choice": canonical(target, labels, choices),
        "correct": None if target is None else label == target,
        "answer_format": form,
        "confidence": confidence,
        "n_options": len(labels),
        "ambiguity": metadata.get("ambiguity"),
        "option_order": metadata["option_order"],
        "input_tokens": sum(u["input_tokens"] for u in usage),
        "output_tokens": sum(u["output_tokens"] for u in usage),
        "calls": len(usage),
        "seconds": sample["working_time"],
        "second_pass": metadata["second_pass"] if level == 5 else None,
        "include_confidence": metadata["include_confidence"],
        "temperature": log["plan"]["config"].get("temperature"),
        "uuid": sample["uuid"],
        "error": None,
        "complete": True,
        "simulated": True,
    }
    if "reflection" in sample["scores"]:
        row |= first_pass(metadata, first, target, label)
    if metadata.get("condition"):
        row |= under_authority(metadata, label)
    return row


def read(metadata: dict[str, Any], completion: str, ended: str | None) -> tuple[str | None, str]:
    reading = read_answer(
        completion,
        tuple(metadata["labels"]),
        options=tuple(metadata["options"]),
        tags=metadata["answer_tags"],
        stop_reason=ended,
    )
    return reading.label, reading.format


def canonical(label: str | None, labels: list[str], choices: list[Any]) -> str | None:
    return None if label is None else str(choices[labels.index(label)])


def first_pass(
    metadata: dict[str, Any], first: dict[str, Any], target: str | None, final: str | None
) -> dict[str, Any]:
    label, _ = read(metadata, first["completion"], first["stop_reason"])
    kind = None
    if label is not None and final is not None and first["second_pass"]:
        if label == final:
            kind = "kept"
        elif target is not None and target in (label, final):
            kind = "bad_flip" if label == target else "good_flip"
        else:
            kind = "other_flip"
    confidence = None
    if metadata["include_confidence"]:
        stated = read_confidence(first["completion"], stop_reason=first["stop_reason"])
        confidence = stated.value
    return {
        "first_label": label,
        "first_choice": canonical(label, metadata["labels"], metadata["choices"]),
        "first_correct": None if None in (label, target) else label == target,
        "first_confidence": confidence,
        "reflection": kind,
    }


def under_authority(metadata: dict[str, Any], label: str | None) -> dict[str, Any]:
    strength, _, valence = metadata["condition"].partition("_")
    targets = {"help": metadata["help_target"], "harm": metadata["harm_target"]}
    endorsed = None if strength == "control" else targets[valence]
    labels, choices = metadata["labels"], metadata["choices"]
    return {
        "endorsed": endorsed,
        "endorsed_choice": canonical(endorsed, labels, choices),
        "help_choice": canonical(targets["help"], labels, choices),
        "harm_choice": canonical(targets["harm"], labels, choices),
        "complied": None if endorsed is None else label == endorsed,
    }


def test_tokens_count_what_was_cached_too(tmp_path: Path) -> None:
    def answered(call: Call) -> Any:
        said = reply("Final answer: wrong", input_tokens=7)
        assert said.usage
        said.usage.input_tokens_cache_read = 100
        said.usage.input_tokens_cache_write = 20
        said.usage.reasoning_tokens = 3
        said.usage.total_cost = 0.25
        return said

    run(tmp_path, "ethics_level5", Script(answered).model, items=1)
    [row] = records(read_logs(tmp_path))
    assert (row["input_tokens"], row["output_tokens"], row["reasoning_tokens"]) == (254, 10, 6)
    assert row["cost"] == 0.5
    assert (row["calls"], row["calls_that_thought"], row["thought"]) == (2, 2, True)


@pytest.mark.parametrize(
    ("prices", "expected"), [((), None), ((None,), None), ((0.5, None), None), ((0.5, 0.25), 0.75)]
)
def test_dollars_are_missing_unless_each_price_is_known(
    prices: tuple[float | None, ...], expected: float | None
) -> None:
    usage = {f"m/{i}": ModelUsage(total_cost=price) for i, price in enumerate(prices)}
    assert dollars(usage) == expected


def test_tokens_that_nobody_counted_are_missing() -> None:
    assert set(tokens({}).values()) == {None}
    assert tokens({"m/one": ModelUsage(input_tokens=2), "m/two": ModelUsage(output_tokens=1)}) == {
        "input_tokens": 2,
        "output_tokens": 1,
        "reasoning_tokens": None,
    }


def test_a_log_that_was_scored_by_some_of_our_scorers(tmp_path: Path) -> None:
    log = run(tmp_path, "ethics_level2", include_confidence=True)
    whole = read_logs(tmp_path)
    for scorer in (answer(), answer_format()):
        write_eval_log(score(log, scorer, action="overwrite"), log.location)
        part = read_logs(tmp_path)
        assert part["choice"].equals(whole["choice"])
        assert part["answer_format"].equals(whole["answer_format"])
        assert part["confidence"].isna().all()
    assert part["stop_reason"].equals(whole["stop_reason"])
    assert part["correct"].isna().all()


@pytest.fixture(scope="module")
def a_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    log = run(tmp_path_factory.mktemp("one"), "ethics_level5", items=1)
    return read_run(LogFile(log.location), log)


def summary(**scores: Score) -> EvalSampleSummary:
    return EvalSampleSummary(id=7, epoch=1, input="", target="wrong", scores=scores)


@pytest.mark.parametrize(
    ("scores", "column", "expected"),
    [
        ({"confidence": Score(value=math.nan)}, "confidence", None),
        ({"confidence": Score(value=math.inf)}, "confidence", None),
        ({"confidence": Score(value=True)}, "confidence", None),
        ({"confidence": Score(value="85")}, "confidence", None),
        ({"confidence": Score(value={"value": 85})}, "confidence", None),
        ({"confidence": Score(value=85)}, "confidence", 85.0),
        ({"answer": Score(value="C")}, "correct", True),
        ({"answer": Score(value="I")}, "correct", False),
        ({"answer": Score(value="N")}, "correct", False),
        ({"answer": Score(value=math.nan, answer="A")}, "correct", None),
        ({"answer": Score(value=math.nan, answer="A")}, "label", "A"),
        ({"answer": Score(value="P")}, "correct", None),
        ({"answer": Score(value=1.0)}, "correct", True),
        ({"answer": Score(value=[1, 0])}, "correct", None),
        ({"answer": Score(value="C", metadata={"choice": 0})}, "choice", "0"),
        ({"answer": Score(value="C", metadata={"choice": ["0"]})}, "choice", None),
        ({"answer": Score(value="C", metadata={"level": 3})}, "level", 3),
        ({"answer": Score(value="C", metadata={"level": None})}, "level", None),
        ({"answer": Score(value="C", metadata={"level": "3"})}, "level", None),
        ({"answer": Score(value="C")}, "level", 5),
        ({"answer_format": Score(value=1, metadata={"calls": 2.0})}, "calls", 2),
        ({"answer_format": Score(value=1, metadata={"calls": "2"})}, "calls", None),
        ({"answer_format": Score(value=1, metadata={"cut_off": "yes"})}, "cut_off", None),
        (
            {"answer_format": Score(value=1, metadata={"calls": 0, "calls_that_thought": 0})},
            "thought",
            None,
        ),
        (
            {"answer_format": Score(value=1, metadata={"calls": 2, "calls_that_thought": 1})},
            "thought",
            False,
        ),
        ({"compliance": Score(value={"complied": math.nan})}, "complied", None),
        ({"compliance": Score(value={"complied": 1.0, "correct": 0})}, "complied", True),
        ({"compliance": Score(value={"complied": 1.0, "correct": 0})}, "correct", False),
        ({"compliance": Score(value=1)}, "complied", None),
        ({"acknowledgement": Score(value=1, answer="source")}, "acknowledged", "source"),
        ({}, "item", "7"),
        ({}, "level", 5),
        ({}, "input_tokens", None),
        ({}, "complete", False),
    ],
)
def test_values_of_another_kind_are_missing(
    a_run: Run, scores: dict[str, Score], column: str, expected: object
) -> None:
    found = sample_cells(summary(**scores), a_run)[column]
    assert found == expected
    assert type(found) is type(expected)


def test_a_column_of_the_users_is_no_authority_condition(a_run: Run) -> None:
    sample = summary()
    sample.metadata.update(condition="high_harm", endorsed="A")
    cells = sample_cells(sample, a_run)
    assert (cells["condition"], cells["endorsed"]) == (None, None)


def test_text_that_no_file_can_hold(a_run: Run) -> None:
    sample = summary()
    sample.metadata["item"] = "half a pair \ud83d"
    assert sample_cells(sample, a_run)["item"] == "half a pair \ufffd"
