"""Completions of one's own: which item, condition, epoch and benchmark a row is of."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample, read_eval_log
from inspect_ai.model import ContentReasoning

from vr_evals.analysis import read_logs
from vr_evals.benchmarks import load_items
from vr_evals.errors import InputError
from vr_evals.importing import import_logs
from vr_evals.importing.values import benchmark_named
from vr_evals.sample_metadata import RUN_RECORD

ROW = {"scenario": "I hid the spare key.", "label": "wrong", "completion": "wrong", "level": 1}
QUESTION = {"question": "Which?", "choices": ["x", "y"], "answer": 0, "completion": "A"}


def samples_of(folder: Path, *rows: dict[str, Any], **given: Any) -> list[list[EvalSample]]:
    """The samples of each log that rows become."""
    path = folder / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = import_logs([path], format="completions", folder=folder / "logs", **given)
    return [read_eval_log(log).samples or [] for log in done.logs]


def test_runs_count_from_0_and_epochs_from_1(tmp_path: Path) -> None:
    [samples] = samples_of(tmp_path, ROW, {**ROW, "run": 1}, {**ROW, "epoch": 3})
    assert sorted(sample.epoch for sample in samples) == [1, 2, 3]


def test_an_item_is_found_by_the_prompt_that_has_its_text(tmp_path: Path) -> None:
    [item, *_] = load_items(benchmark_named("ethics"), "sample", "short").items
    row = {"benchmark": "ethics", "level": 0, "completion": "wrong"}
    prompt = f"Is this wrong?\n\n{item.text}\nAnswer wrong or not wrong."
    [samples] = samples_of(
        tmp_path,
        {**row, "prompt": prompt},
        {**row, "prompt": prompt, "epoch": 2},
        dataset="sample",
    )
    assert [sample.id for sample in samples] == [item.id] * 2
    with pytest.raises(InputError, match="prompt of no item.*row 1"):
        samples_of(tmp_path, {**row, "prompt": "Is this wrong?"}, dataset="sample")


def test_an_items_own_id_is_kept(tmp_path: Path) -> None:
    [samples] = samples_of(tmp_path, {**ROW, "item": "key-1"})
    assert [sample.id for sample in samples] == ["key-1"]


def test_a_file_without_items_needs_a_data_set(tmp_path: Path) -> None:
    row = {"benchmark": "ethics", "level": 0, "completion": "wrong"}
    with pytest.raises(InputError, match="no scenario and no --dataset to find the item in.*row 1"):
        samples_of(tmp_path, row)


FIRST, SECOND = "Final answer: not wrong", "Final answer: wrong"


@pytest.mark.parametrize(
    "given",
    [
        {"first_completion": FIRST, "completion": SECOND},
        {"completion": f"[PASS1]\n{FIRST}\n\n[PASS2]\n{SECOND}"},
    ],
    ids=["two columns", "one column"],
)
def test_replies_of_level_5_are_two_columns_or_one(tmp_path: Path, given: dict[str, str]) -> None:
    [[sample]] = samples_of(tmp_path, {**ROW, **given, "level": 5})
    assert sample.output.completion == SECOND
    assert list(read_logs(tmp_path / "logs")["reflection"]) == ["good_flip"]


def test_reasoning_is_a_part_of_the_message_and_counts_as_thought(tmp_path: Path) -> None:
    [[with_it, without]] = samples_of(tmp_path, {**ROW, "reasoning": "Hm."}, {**ROW, "epoch": 2})
    reasoning = with_it.output.message.content[0]
    assert isinstance(reasoning, ContentReasoning)
    assert (reasoning.reasoning, with_it.output.completion) == ("Hm.", "wrong")
    assert without.output.message.content == "wrong"
    records = [each.metadata[RUN_RECORD] for each in (with_it, without)]
    assert [record.get("calls_that_thought") for record in records] == [1, None]


def test_some_conditions_are_a_log_each(tmp_path: Path) -> None:
    logs = samples_of(
        tmp_path,
        {**QUESTION, "condition": "control"},
        {**QUESTION, "condition": "high_harm", "endorsed": "B"},
    )
    conditions = [[sample.metadata["condition"] for sample in samples] for samples in logs]
    assert sorted(conditions) == [["control"], ["high_harm"]]


def test_an_unknown_format_is_one_line_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="invalid format 'csv': expected one of .*completions"):
        import_logs([], format="csv", folder=tmp_path)  # type: ignore[arg-type]  # as users may


def test_a_column_of_the_item_may_have_another_name(tmp_path: Path) -> None:
    row = {"story": ROW["scenario"], "label": "wrong", "completion": "wrong", "level": 1}
    [[sample]] = samples_of(tmp_path, row, columns={"scenario": "story"})
    assert "I hid the spare key." in str(sample.input)


def test_logs_that_cannot_be_written_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "logs").write_bytes(b"")
    with pytest.raises(InputError, match=r"logs: failed to write: \w+"):
        samples_of(tmp_path, ROW)


OF_SAMPLE = {"benchmark": "ethics", "item": "ethics-25", "level": 1, "completion": "wrong"}
CONFIDENCES = ("include_confidence", "imported_confidence")


@pytest.mark.parametrize(
    ("row", "given", "unused", "in_metadata"),
    [
        (
            {**OF_SAMPLE, "confidence": 90, "Epoch": 1, "zzz": "z"},
            {"dataset": "sample"},
            {"confidence": CONFIDENCES, "Epoch": ("epoch",), "zzz": ()},
            {},
        ),
        (
            {**ROW, "confidence": 90, "Epoch": 1},
            {},
            {},
            {"confidence": CONFIDENCES, "Epoch": ("epoch",)},
        ),
        ({**ROW, "id": "key-1", "cluster": "keys", "epoch": 1}, {}, {}, {}),
        ({**ROW, "prompt": "p", "Epoch": 2}, {"columns": {"epoch": "Epoch"}}, {}, {}),
        (
            {**ROW, "text": "wrong"},
            {"columns": {"completion": "text"}},
            {"completion": ("first_completion",)},
            {},
        ),
        ({**OF_SAMPLE, "zzz": ""}, {"dataset": "sample"}, {}, {}),
        (
            {**OF_SAMPLE, "label": "wrong"},
            {"dataset": "sample"},
            {"label": ()},
            {},
        ),
        (
            {**OF_SAMPLE, "truth": "wrong"},
            {"dataset": "sample", "columns": {"label": "truth"}},
            {"truth": ()},
            {},
        ),
    ],
    ids=["sample", "own", "item", "named", "replaced", "empty", "label", "named in vain"],
)
def test_columns_that_no_reply_has_are_named(
    tmp_path: Path,
    row: dict[str, Any],
    given: dict[str, Any],
    unused: dict[str, tuple[str, ...]],
    in_metadata: dict[str, tuple[str, ...]],
) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    done = import_logs([path], format="completions", folder=tmp_path / "logs", **given)
    found = {each.in_metadata: each.columns for each in done.unused}
    assert found.get(False, {}) == unused
    assert found.get(True, {}) == in_metadata
    lines = [note for note in done.notes if note.startswith("study.jsonl: columns")]
    assert len(lines) == bool(unused) + bool(in_metadata)
    for name, meant in (unused | in_metadata).items():
        hint = f" (did you mean {' or '.join(meant)}?)" if meant else ""
        assert name + hint in lines[0]


def test_metadata_of_items_have_one_value_per_item(tmp_path: Path) -> None:
    [samples] = samples_of(tmp_path, {**ROW, "zzz": "a"}, {**ROW, "zzz": "b", "epoch": 2})
    assert len({sample.metadata["zzz"] for sample in samples}) == 1


def test_columns_are_of_each_file(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_text(json.dumps({**OF_SAMPLE, "one": 1}), encoding="utf-8")
    two.write_text(json.dumps({**OF_SAMPLE, "epoch": 2, "scenario": ""}), encoding="utf-8")
    files, logs = [one, two], tmp_path / "logs"
    done = import_logs(files, format="completions", folder=logs, dataset="sample")
    assert [(each.file, list(each.columns)) for each in done.unused] == [("one.jsonl", ["one"])]


def test_if_nothing_is_imported_the_columns_of_skipped_rows_are_named(tmp_path: Path) -> None:
    row = {"scenario": "x", "label": "wrong", "completion": "wrong", "Level": 1}
    with pytest.raises(
        InputError, match=r"columns not used: Level \(did you mean level\?\);.*row 1"
    ):
        samples_of(tmp_path, row)


def test_a_hostile_column_is_one_line_without_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({**OF_SAMPLE, "a\x1b[2J\nb" * 99: 1}), encoding="utf-8")
    done = import_logs([path], format="completions", folder=tmp_path / "l", dataset="sample")
    [line] = [note for note in done.notes if "not used" in note]
    assert line.isprintable()
    assert len(line) < 500


def test_a_level_4_reply_without_a_final_answer_is_no_change(tmp_path: Path) -> None:
    both = "Initial intuition: wrong\nFinal answer: not wrong"
    rows = [{**ROW, "level": 4, "completion": both}]
    rows.append({**ROW, "level": 4, "epoch": 2, "completion": "Initial intuition: wrong\nHm."})
    [[changed, unread]] = samples_of(tmp_path, *rows)
    found = [(sample.scores or {})["reflection"] for sample in (changed, unread)]
    assert found[0].answer == "bad_flip"
    assert str(found[1].explanation).startswith("The reply has no final answer that could be read")
