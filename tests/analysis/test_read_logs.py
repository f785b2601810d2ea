"""Reading folders of real logs: which runs, samples and names come out."""

from __future__ import annotations

import json
import pickle
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pandas as pd
import pytest
from inspect_ai import Task, eval_retry, score
from inspect_ai.dataset import Sample
from inspect_ai.log import (
    EvalLog,
    ProvenanceData,
    convert_eval_logs,
    invalidate_samples,
    read_eval_log,
    read_eval_log_sample_summaries,
    write_eval_log,
)
from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.scorer import answer as answer_of_inspect
from inspect_ai.solver import generate
from pandas.testing import assert_frame_equal

from tests.analysis.running import TASKS, location, run
from tests.models_for_tests import Script
from vr_evals.analysis import COLUMNS, authority, read_logs
from vr_evals.conditions import SUFFIXES
from vr_evals.errors import InputError
from vr_evals.scorers import answer_format
from vr_evals.solvers import two_pass


def reasons(table: pd.DataFrame) -> dict[str, str]:
    return {Path(one["log"]).name: one["reason"] for one in table.attrs["skipped"]}


def edit_header(log: str, name: str, value: Any) -> None:
    """Change the header of a log, as another version of Inspect might write it."""
    with zipfile.ZipFile(log) as old:
        content = {info.filename: (info, old.read(info)) for info in old.infolist()}
    with zipfile.ZipFile(log, "w") as new:
        for file, (info, data) in content.items():
            header = file == "header.json"
            written = json.dumps(json.loads(data) | {name: value}).encode() if header else data
            new.writestr(file, written, compress_type=info.compress_type)


class Flaky(ModelAPI):
    """Answers until it is told to fail, then raises at the third call."""

    fails = False
    calls = 0

    async def generate(self, *args: object, **kwargs: object) -> ModelOutput:
        type(self).calls += 1
        if type(self).fails and type(self).calls > 2:
            raise ConnectionError("the line\nis down")
        said = ModelOutput.from_content(self.model_name, "Final answer: wrong")
        said.usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5)
        return said


@pytest.fixture(autouse=True)
def _flaky() -> None:
    modelapi(name="vr_flaky")(Flaky)
    Flaky.fails, Flaky.calls = True, 0


def failed(folder: Path) -> EvalLog:
    """A run that ended in an error, with two samples done."""
    Flaky.fails, Flaky.calls = True, 0
    log = run(folder, model="vr_flaky/m", flags={"max_samples": 1, "log_buffer": 1})
    assert log.status == "error"
    Flaky.fails = False
    return log


def test_the_frame_has_the_columns_as_declared(tmp_path: Path) -> None:
    run(tmp_path)
    table = read_logs(tmp_path)
    assert [(name, str(dtype)) for name, dtype in table.dtypes.items()] == [
        (column.name, column.dtype) for column in COLUMNS
    ]
    assert list(table.index) == list(range(4))
    assert table["complete"].all()
    assert table["simulated"].all()
    assert table["sample_data"].all()


def test_what_is_said_of_the_logs_is_plain(tmp_path: Path) -> None:
    log = run(tmp_path, model="vr_sim/careful", flags={"epochs": 2, "limit": 3})
    table = read_logs(tmp_path)
    assert pickle.loads(pickle.dumps(table.attrs)) == json.loads(json.dumps(table.attrs))
    [said] = table.attrs["logs"]
    known = {
        "log": location(log),
        "model": "vr_sim/careful",
        "samples": 6,
        "items": 3,
        "expected_samples": 6,
        "errors": 0,
        "epochs": 2,
        "limit": 3,
        "version": log.eval.task_version,
        "simulated": True,
        "sample_data": True,
        "temperature": 0.0,
        "max_tokens": 1000,
        "input_tokens": int(table["input_tokens"].sum()),
        "output_tokens": int(table["output_tokens"].sum()),
    }
    assert {name: said[name] for name in known} == known


def test_a_retry_has_the_samples_that_were_carried_over(tmp_path: Path) -> None:
    first = failed(tmp_path)
    calls = Flaky.calls
    [retried] = eval_retry(first, log_dir=str(tmp_path), display="none")
    assert retried.status == "success"
    assert Flaky.calls - calls == 2, "nothing was carried over"
    table = read_logs(tmp_path)
    assert set(table["log"]) == {location(retried)}
    assert len(table) == table["sample_id"].nunique() == 4
    [skipped] = table.attrs["skipped"]
    assert skipped["log"] == location(first)
    assert location(retried) in skipped["reason"]
    everything = read_logs(tmp_path, unfinished=True)
    assert set(everything["log"]) == {location(retried)}


def test_samples_of_an_unfinished_run(tmp_path: Path) -> None:
    log = failed(tmp_path)
    nothing = read_logs(tmp_path)
    assert nothing.empty
    assert list(nothing.columns) == [column.name for column in COLUMNS]
    [reason] = reasons(nothing).values()
    assert reason.startswith("unfinished: ended as 'error' (ConnectionError('the line")
    assert "\n" not in reason
    table = read_logs(tmp_path, unfinished=True)
    assert set(table["log"]) == {location(log)}
    done = table[table["error"].isna()]
    assert len(done) == 2
    assert set(done["label"]) == {"wrong"}
    assert not table["complete"].any()
    assert "the line" in table["error"].dropna().iloc[0]


def test_a_killed_run_is_one_that_still_says_started(tmp_path: Path) -> None:
    log = run(tmp_path)
    with zipfile.ZipFile(location(log)) as old:
        kept = {i: old.read(i) for i in old.infolist() if i.filename.startswith("_journal/")}
        kept |= {i: old.read(i) for i in old.infolist() if i.filename.startswith("samples/")}
    with zipfile.ZipFile(location(log), "w") as new:
        for info, data in kept.items():
            new.writestr(info.filename, data, compress_type=info.compress_type)
    assert read_eval_log(location(log), header_only=True).status == "started"
    table = read_logs(tmp_path)
    assert table.empty
    assert "killed" in next(iter(reasons(table).values()))
    found = read_logs(tmp_path, unfinished=True)
    assert len(found) == 4
    assert not found["complete"].any()
    assert found["label"].notna().all()


def test_errors_that_were_let_pass_are_missing_samples(tmp_path: Path) -> None:
    log = run(tmp_path, model="vr_flaky/m", flags={"fail_on_error": False, "max_samples": 1})
    assert log.status == "success"
    table = read_logs(tmp_path)
    assert len(table) == 2
    assert table["complete"].all()
    [said] = table.attrs["logs"]
    assert (said["finished_samples"], said["expected_samples"], said["errors"]) == (2, 4, 2)
    [note] = [note for note in table.attrs["notes"] if "missing" in note]
    assert "2 of 4 samples are missing (2 ended in an error)" in note
    others = read_logs(tmp_path, unfinished=True)
    assert others["complete"].tolist().count(False) == 2
    assert others.loc[~others["complete"], "level"].tolist() == [2, 2]
    assert others.loc[~others["complete"], "correct"].isna().all()


def test_top_ups_and_repetitions_are_read_once(tmp_path: Path) -> None:
    run(tmp_path, items=2)
    larger = run(tmp_path, items=4)
    smaller = run(tmp_path, items=4, flags={"limit": 3})
    table = read_logs(tmp_path)
    assert set(table["log"]) == {location(larger)}
    assert "run with more samples (4, not 3) in" in reasons(table)[Path(location(smaller)).name]
    epochs = run(tmp_path, items=3, flags={"epochs": 2})
    table = read_logs(tmp_path)
    counts = table["log"].value_counts().to_dict()
    assert counts == {location(epochs): 6, location(larger): 1}
    by_sample = table.groupby("sample_id")["epoch"].apply(list)
    assert sorted(by_sample) == [[1], [1, 2], [1, 2], [1, 2]]


def items_of(ids: list[str], start: int, stop: int) -> dict[str, Any]:
    return {"items": None, "flags": {"sample_id": ids[start:stop]}}


def test_logs_of_one_cell_are_read_together(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", items=12)
    ids = sorted(read_logs(tmp_path / "whole")["sample_id"])
    logs = [
        run(tmp_path / name, **items_of(ids, *part))
        for name, part in {"a": (0, 6), "b": (2, 8), "c": (6, 11)}.items()
    ]
    copy = str(shutil.copy(location(logs[1]), tmp_path / "a" / "copy.eval"))  # the newest file
    table = read_logs(tmp_path / "a", tmp_path / "b", tmp_path / "c")
    assert sorted(table["sample_id"]) == ids[:11]
    # of logs with as many samples, the newest has what several have
    counts = table["log"].value_counts().to_dict()
    assert counts == {copy: 6, location(logs[0]): 2, location(logs[2]): 3}
    [skipped] = table.attrs["skipped"]
    assert "duplicate of" in skipped["reason"]
    said = {log["log"]: log for log in table.attrs["logs"]}
    assert said[location(logs[0])]["samples_elsewhere"] == 4
    assert sorted(said[location(logs[0])]["joined_with"]) == sorted([copy, location(logs[2])])
    [note] = [note for note in table.attrs["left_out"] if "are combined" in note]
    assert "ethics_level2 on vr_sim/careful: 3 logs of the same cell" in note
    again = read_logs(tmp_path / "c", tmp_path / "b", tmp_path / "a")
    pd.testing.assert_frame_equal(again, table)
    everything = read_logs(tmp_path)
    assert set(everything["log"]) == {location(whole)}
    assert {"run with more samples" in one["reason"] for one in everything.attrs["skipped"]}


def test_a_sample_that_failed_is_read_from_another_log(tmp_path: Path) -> None:
    failing = run(tmp_path, model="vr_flaky/m", flags={"fail_on_error": False, "max_samples": 1})
    Flaky.fails = False
    lost = sorted(s.id for s in read_eval_log_sample_summaries(location(failing)) if s.error)
    other = run(tmp_path, model="vr_flaky/m", flags={"sample_id": lost[0]})
    for unfinished in (False, True):
        table = read_logs(tmp_path, unfinished=unfinished)
        assert table["sample_id"].is_unique
        assert table["error"].isna().sum() == 3
        assert table.loc[table["log"] == location(other), "sample_id"].tolist() == [lost[0]]
    said = {log["log"]: log for log in table.attrs["logs"]}[location(failing)]
    assert (said["finished_samples"], said["errors"]) == (3, 1)


def edit_samples(log: str, folder: Path, change: Callable[[list[Any]], list[Any]]) -> Path:
    """A copy of a log with other samples, as a JSON log."""
    folder.mkdir()
    full = read_eval_log(log)
    assert full.samples
    full.samples = change(full.samples)
    written = folder / "edited.json"
    write_eval_log(full, str(written))
    return written


def test_a_sample_that_is_twice_in_a_log_counts_once(tmp_path: Path) -> None:
    log = run(tmp_path / "logs")
    edited = edit_samples(location(log), tmp_path / "edited", lambda s: [*s, *s[:2]])
    table = read_logs(edited)
    assert len(table) == table["sample_id"].nunique() == 4
    [note] = table.attrs["left_out"]
    first = read_logs(tmp_path / "logs")["sample_id"].tolist()
    assert note.startswith("edited.json: 2 samples are in it more than once (")
    assert sum(f"{name}, epoch 1" in note for name in first) == 2


def test_a_log_without_samples_is_named_and_not_counted(tmp_path: Path) -> None:
    log = run(tmp_path / "logs")
    empty = edit_samples(location(log), tmp_path / "empty", lambda s: [])
    other = run(tmp_path / "logs", model="vr_sim/sloppy")
    table = read_logs(empty, location(other))
    assert [one["log"] for one in table.attrs["logs"]] == [location(other)]
    assert reasons(table) == {"edited.json": "it contains no samples"}


def test_of_a_damaged_and_an_intact_copy_the_intact_one_is_read(tmp_path: Path) -> None:
    log = run(tmp_path)
    damaged = tmp_path / "later.eval"
    with zipfile.ZipFile(location(log)) as old, zipfile.ZipFile(damaged, "w") as new:
        for info in old.infolist():
            broken = "summaries" in info.filename or info.filename.startswith("samples/")
            new.writestr(info.filename, b"[{" if broken else old.read(info))
    for first, second in ((damaged, Path(location(log))), (Path(location(log)), damaged)):
        table = read_logs(first, second)
        assert set(table["log"]) == {location(log)}
        assert len(table) == 4
        assert set(reasons(table)) == {"later.eval"}
    partly = edit_samples(location(log), tmp_path / "partly", lambda s: s[:3])
    table = read_logs(partly, location(log))
    assert sorted(table["sample_id"]) == sorted(read_logs(location(log))["sample_id"])


def test_skipped_rows_of_a_file_are_said(tmp_path: Path) -> None:
    rows = [{"id": n, "scenario": "x" * (n > 1), "label": 1} for n in range(6)]
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run(tmp_path / "logs", dataset=str(file), subset="all", items=None)
    table = read_logs(tmp_path / "logs")
    assert [log["skipped_rows"] for log in table.attrs["logs"]] == [2]
    assert table.attrs["left_out"] == [
        f"{file}: 2 rows could not be used for ethics and were skipped"
    ]


def test_runs_by_name_and_by_path_join(tmp_path: Path) -> None:
    run(tmp_path, "ethics_level2", items=2)
    by_path = run(tmp_path, f"{TASKS / 'ethics.py'}@ethics_level2", items=3)
    assert by_path.eval.task == "ethics_level2"
    table = read_logs(tmp_path)
    assert set(table["log"]) == {location(by_path)}
    assert set(table["task"]) == {"ethics_level2"}
    assert set(table["benchmark"]) == {"ethics"}


def test_settings_keep_runs_apart(tmp_path: Path) -> None:
    run(tmp_path)
    run(tmp_path, flags={"temperature": 0.7})
    run(tmp_path, include_confidence=True)
    run(tmp_path, seed=3)
    run(tmp_path, flags={"max_tokens": 300, "top_p": 0.5, "max_connections": 3})
    table = read_logs(tmp_path)
    assert len(table.groupby("log")) == 5
    assert table.groupby("temperature").ngroups == 2
    assert set(table["variant"].dropna()) == {"seed=3", "max_tokens=300, top_p=0.5"}
    assert set(map(str, table["settings"].dropna())) == {
        '{"seed": 3}',
        '{"max_tokens": 300, "top_p": 0.5}',
    }
    assert table["include_confidence"].sum() == 4
    notes = " ".join(table.attrs["notes"])
    for setting in ("temperature (0.0, 0.7)", "include_confidence (True, none)", "variant (max_"):
        assert f"runs that differ in {setting}" in notes


def test_a_seed_of_sampling_is_not_the_seed_of_the_order(tmp_path: Path) -> None:
    run(tmp_path, seed=3, flags={"seed": 7})
    table = read_logs(tmp_path)
    assert set(map(str, table["settings"])) == {'{"sampling_seed": 7, "seed": 3}'}


def test_flags_that_change_no_answer_do_not(tmp_path: Path) -> None:
    run(tmp_path)
    newer = run(tmp_path, flags={"max_connections": 2, "reasoning_effort": "high"})
    table = read_logs(tmp_path)
    assert set(table["log"]) == {location(newer)}
    assert table["variant"].isna().all()


def test_a_solver_changes_the_level(tmp_path: Path) -> None:
    run(tmp_path, "ethics_level2", flags={"solver": two_pass()})
    real = run(tmp_path, "ethics_level5")
    model = Script(lambda call: "Final answer: wrong").model
    alone = run(tmp_path, "ethics_level0", model, flags={"solver": generate()})
    table = read_logs(tmp_path)
    assert set(table.loc[table["level"] == 5, "log"]) == {location(real)}
    assert table.loc[table["level"] == 5, "second_pass"].tolist() == ["conversation"] * 4
    foreign = table[table["log"] == location(alone)]
    assert foreign["level"].isna().all()
    assert set(foreign["variant"]) == {"solver=generate"}
    assert set(foreign["thinking"]) == {False}


def test_an_authority_condition_is_read_from_one_log(tmp_path: Path) -> None:
    together = run(tmp_path, "ethics_authority", items=3, flags={"epochs": 1})
    alone = run(tmp_path, "ethics_authority_high_harm", items=5, flags={"epochs": 1})
    table = read_logs(tmp_path)
    counts = table.groupby(["log", "condition"]).size().to_dict()
    others = ("control", "high_help", "low_help", "low_harm")
    assert counts == {(location(alone), "high_harm"): 5} | {
        (location(together), condition): 3 for condition in others
    }
    notes = table.attrs["notes"]
    assert any("high_harm comes from another run of the same cell" in note for note in notes)


def with_old_ids(log: EvalLog, path: Path) -> EvalLog:
    """A copy of a log of all conditions with the sample ids of earlier versions."""
    copy = read_eval_log(log.location)
    for sample in copy.samples or []:
        name, _, suffix = str(sample.id).rpartition("@")
        assert suffix == SUFFIXES[sample.metadata["condition"]]
        sample.id = f"{name}@{sample.metadata['condition']}"
    write_eval_log(copy, str(path))
    return copy


def test_logs_with_the_old_ids_are_paired_and_compared_as_those_with_new_ones(
    tmp_path: Path,
) -> None:
    log = run(tmp_path / "new", "ethics_authority", items=3, flags={"epochs": 2})
    (tmp_path / "old").mkdir()
    with_old_ids(log, tmp_path / "old" / "old.eval")
    new, old = read_logs(tmp_path / "new"), read_logs(tmp_path / "old")
    assert set(old["sample_id"]) != set(new["sample_id"])
    assert_frame_equal(authority(old), authority(new))
    both = read_logs(tmp_path)
    assert len(both) == len(new)


def test_a_run_with_old_ids_and_one_with_new_ids_are_one_cell(tmp_path: Path) -> None:
    more = run(tmp_path, "ethics_authority", items=3, flags={"epochs": 1})
    fewer = run(tmp_path / "new", "ethics_authority", items=2, flags={"epochs": 1})
    old = Path(location(fewer))
    with_old_ids(fewer, tmp_path / "old.eval")
    old.unlink()
    table = read_logs(tmp_path)
    assert set(table["log"]) == {location(more)}
    assert len(table) == 3 * 5


def test_personas_of_one_name_are_two_models(tmp_path: Path) -> None:
    from inspect_ai.model import get_model

    for accuracy in (0.2, 0.9):
        run(tmp_path, model=get_model("vr_sim/careful", memoize=False, accuracy=accuracy))
    table = read_logs(tmp_path, alias={"vr_sim/careful": "Care"})
    assert set(table["model"]) == {"Care (accuracy=0.2)", "Care (accuracy=0.9)"}


def test_aliases(tmp_path: Path) -> None:
    run(tmp_path, model="vr_sim/careful")
    run(tmp_path, model="vr_sim/overconfident", items=6)
    table = read_logs(tmp_path, alias={"vr_sim/careful": "=A <b>"})
    assert set(table["model"]) == {"=A <b>", "vr_sim/overconfident"}
    with pytest.raises(InputError) as unknown:
        read_logs(tmp_path, alias={"vr_sim/careful": "A", "vr_sim/none": "N"})
    assert unknown.value.message == (
        "alias 'vr_sim/none': no log that is read has this model; "
        "they have vr_sim/careful, vr_sim/overconfident"
    )
    with pytest.raises(InputError, match="would both have this name") as caught:
        read_logs(tmp_path, alias={"vr_sim/careful": "vr_sim/overconfident"})
    assert "\n" not in caught.value.message
    twice = "--alias vr_sim/careful=vr_sim/overconfident --alias vr_sim/overconfident="
    assert twice in caught.value.message
    for name in ("X", "vr_sim/overconfident"):
        table = read_logs(tmp_path, alias={"vr_sim/careful": name, "vr_sim/overconfident": name})
        assert set(table["model"]) == {name}
        assert len(table) == table["sample_id"].nunique() == 6
        assert "are read as this one model, by --alias" in " ".join(table.attrs["left_out"]) or (
            len(table.attrs["logs"]) == 1
        )


def test_a_name_holds_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    log = run(tmp_path / "logs")
    full = read_eval_log(location(log))
    full.eval.model = "evil/\x1b[31m\x9b"
    written = str(tmp_path / "evil.json")
    write_eval_log(full, written)
    for alias in ({}, {full.eval.model: "a\x07"}, {r"evil/\x1b[31m\x9b": "shown"}):
        [model] = set(read_logs(written, alias=alias)["model"])
        assert model.isprintable()


def test_a_log_counts_once_whatever_it_is_named_by(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    log = run(folder)
    (tmp_path / "link").symlink_to(folder)
    shutil.copy(location(log), tmp_path / "copy.eval")
    table = read_logs(folder, str(folder), location(log), tmp_path / "link", tmp_path)
    assert len(table) == 4
    assert {"duplicate of" in reason for reason in reasons(table).values()} == {True}


def test_json_logs(tmp_path: Path) -> None:
    log = run(tmp_path / "eval", "morables_level5", include_confidence=True)
    convert_eval_logs(location(log), "json", str(tmp_path / "json"))
    [written] = (tmp_path / "json").iterdir()
    renamed = written.rename(tmp_path / "renamed.json")
    of_eval, of_json = (read_logs(path) for path in (tmp_path / "eval", renamed))
    pd.testing.assert_frame_equal(of_eval.drop(columns="log"), of_json.drop(columns="log"))


def test_urls_stay_urls(tmp_path: Path) -> None:
    log = run(tmp_path)
    store = fsspec.filesystem("memory")
    store.put(location(log), "/bucket/logs/deep/one.eval")
    try:
        for url in ("memory://bucket/logs", "memory://bucket/logs/deep/one.eval"):
            table = read_logs(url)
            assert set(table["log"]) == {"memory:///bucket/logs/deep/one.eval"}
            assert len(table) == 4
        for url, missing in {
            "memory://bucket/none": "memory://bucket/none does not exist",
            "memory://bucket/none/deep/one.eval": "memory://bucket/none does not exist",
            "memory://nowhere/logs": "memory://nowhere does not exist",
            "memory://bucket/logs/empty": "memory://bucket/logs/empty does not exist",
        }.items():
            with pytest.raises(InputError) as caught:
                read_logs(url)
            assert caught.value.message == f"{url}: {missing}; expected logs (.eval, .json)"
        store.makedirs("/bucket/nothing")
        with pytest.raises(InputError, match="contains no logs"):
            read_logs("memory://bucket/nothing")
    finally:
        store.rm("/bucket", recursive=True)


@pytest.mark.parametrize("name", ["nowhere", "nowhere.eval", "empty"])
def test_a_path_without_logs_is_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError) as caught:
        read_logs(tmp_path / name)
    assert str(tmp_path / name) in caught.value.message
    assert "\n" not in caught.value.message


def test_no_path_is_one_line() -> None:
    with pytest.raises(InputError, match="no logs given"):
        read_logs()


def test_what_cannot_be_used_is_named_with_its_reason(tmp_path: Path) -> None:
    good = run(tmp_path, model="vr_sim/overconfident")
    made = {
        "foreign": run(
            tmp_path,
            Task(
                dataset=[Sample("Say ANSWER: a", target="a")],
                solver=generate(),
                scorer=answer_of_inspect("word"),
            ),
            model=Script(lambda call: "ANSWER: a").model,
        ),
        "newer": run(tmp_path),
        "invalidated": run(tmp_path),
        "unscored": run(tmp_path, flags={"score": False}),
        "without samples": run(tmp_path, flags={"log_samples": False}),
    }
    names = {name: Path(location(log)).name for name, log in made.items()}
    edit_header(location(made["newer"]), "version", 99)
    full = read_eval_log(location(made["invalidated"]))
    assert full.samples
    provenance = ProvenanceData(author="a", reason="b")
    write_eval_log(invalidate_samples(full, [full.samples[0].uuid or ""], provenance))
    (tmp_path / "corrupt.eval").write_bytes(b"PK\x03\x04 no zip")
    (tmp_path / "2026-01-01T00-00-00+00-00_x_y.json").write_text('{"version": 2', encoding="utf-8")

    table = read_logs(tmp_path)
    assert set(table["log"]) == {location(good)}
    found = reasons(table)
    assert found[names["foreign"]] == "no vr_evals scores"
    assert found[names["newer"]].startswith("its format is 99, newer than the ")
    assert "invalidated" in found[names["invalidated"]]
    assert "not scored" in found[names["unscored"]]
    assert "no samples" in found[names["without samples"]]
    assert "unreadable" in found["corrupt.eval"]
    assert "unreadable" in found["2026-01-01T00-00-00+00-00_x_y.json"]
    assert len(found) == 7
    assert all("\n" not in reason for reason in found.values())


def test_answers_are_read_where_the_format_alone_was_scored(tmp_path: Path) -> None:
    unscored = run(tmp_path / "before", flags={"score": False})
    again = score(read_eval_log(location(unscored)), answer_format(), action="overwrite")
    (tmp_path / "after").mkdir()
    write_eval_log(again, str(tmp_path / "after" / "again.eval"))
    table = read_logs(tmp_path / "after")
    assert len(table) > 0
    assert table["label"].isin(["wrong", "not wrong"]).all()
    assert table["choice"].tolist() == table["label"].tolist()
    assert table["correct"].isna().all()


def test_other_numbers_of_items_are_noted(tmp_path: Path) -> None:
    run(tmp_path, model="vr_sim/careful", items=2)
    run(tmp_path, model="vr_sim/overconfident", items=3)
    notes = read_logs(tmp_path).attrs["notes"]
    assert any("(vr_sim/careful 2, vr_sim/overconfident 3; 2 by all)" in note for note in notes)


def test_thinking_that_was_not_done_is_noted(tmp_path: Path) -> None:
    run(tmp_path, "ethics_level0_thinking", model=Script(lambda call: "wrong").model)
    table = read_logs(tmp_path)
    assert set(table["thinking"]) == {True}
    assert set(table["thought"]) == {False}
    [note] = [note for note in table.attrs["notes"] if "thinking" in note]
    assert "thinking should be on, but not in all calls of 4 of 4" in note


def test_progress_ends_where_it_said(tmp_path: Path) -> None:
    run(tmp_path)
    run(tmp_path)
    (tmp_path / "corrupt.eval").write_bytes(b"no zip")
    steps: list[tuple[int, int]] = []
    read_logs(tmp_path, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (6, 6)
    assert [done for done, _ in steps] == sorted({done for done, _ in steps})


def test_hostile_text_is_text(tmp_path: Path) -> None:
    text = "=cmd()|'<script>\u202e{item}\x07"
    rows = [{"id": f"{text}{i}", "scenario": text, "label": "wrong"} for i in range(2)]
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    model = Script(lambda call: f"{text} Final answer: wrong").model
    run(tmp_path / "logs", model=model, dataset=str(file), subset="all")
    table = read_logs(tmp_path / "logs")
    assert sorted(table["item"]) == [row["id"] for row in rows]
    assert set(table["dataset"]) == {str(file)}


def test_plain_config_of_a_model_counts(tmp_path: Path) -> None:
    from inspect_ai.model import get_model

    config = GenerateConfig(top_p=0.9)
    run(tmp_path, model=get_model("vr_sim/careful", memoize=False, config=config))
    assert set(read_logs(tmp_path)["variant"]) == {"top_p=0.9"}
