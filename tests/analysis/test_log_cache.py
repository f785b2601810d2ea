"""Reading logs from the cache, as JSON and in processes: always the same table."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import fsspec
import pandas as pd
import pyarrow as pa
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from inspect_ai import score
from inspect_ai.log import EvalSampleSummary, convert_eval_logs, write_eval_log
from pandas.testing import assert_frame_equal

from tests.analysis.running import location, run
from vr_evals.analysis import accuracy, log_cache, log_reader, read_logs
from vr_evals.analysis.files import LogFile
from vr_evals.analysis.log_cache import CacheWarning, LogCache, log_state
from vr_evals.analysis.log_table import read_log_table
from vr_evals.analysis.run import Run
from vr_evals.analysis.summaries import _Sample, read_summaries_as_json
from vr_evals.analysis.workers import in_processes
from vr_evals.scorers import answer

Edit = Callable[[list[dict[str, Any]]], Any]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VR_EVALS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "logs"


def aged(folder: Path) -> None:
    """Make logs older than the time in which a second change would not be seen."""
    for path in folder.iterdir():
        if time.time() - path.stat().st_mtime < 30:
            os.utime(path, (time.time() - 60,) * 2)


def renamed(place: int, header: dict[str, Any]) -> None:
    """Make an edited log a run of its own."""
    header["eval"].update(eval_id=f"e{place}", task_id=f"t{place}", model=f"vr_sim/edited{place}")


def edited(log: Path, edit: Edit, file: str = "summaries.json") -> None:
    """Change the summaries of a log."""
    with zipfile.ZipFile(log) as old:
        content = {info.filename: (info, old.read(info)) for info in old.infolist()}
    with zipfile.ZipFile(log, "w") as new:
        for name, (info, data) in content.items():
            written = data
            if name == file:
                found = json.loads(data)
                changed = edit(found)
                written = json.dumps(found if changed is None else changed).encode()
            new.writestr(name, written, compress_type=info.compress_type)


def same(table: pd.DataFrame, other: pd.DataFrame) -> None:
    attrs = [{k: v for k, v in one.attrs.items() if k != "read"} for one in (table, other)]
    assert attrs[0] == attrs[1]
    assert_frame_equal(table, other)


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs that are whole, broken, edited, scored again, copied, growing, and of another kind."""
    folder = tmp_path_factory.mktemp("zoo")
    one = Path(location(run(folder, "morables_level5", items=6, include_confidence=True)))
    run(folder, "ethics_authority", items=2, flags={"epochs": 2})
    run(folder, "morables_level5", items=3, include_confidence=True)
    again = run(folder, "ethics_level2", items=3)
    write_eval_log(score(again, answer(), action="overwrite"), str(folder / "again.eval"))
    shutil.copy(one, folder / "copy.eval")
    (folder / "truncated.eval").write_bytes(one.read_bytes()[:-200])
    (folder / "none.eval").write_bytes(b"no zip")
    convert_eval_logs(location(again), "json", str(folder), overwrite=True)
    with zipfile.ZipFile(one) as old, zipfile.ZipFile(folder / "growing.eval", "w") as new:
        for info in old.infolist():
            if info.filename.startswith(("_journal/", "samples/")):
                new.writestr(info.filename, old.read(info), compress_type=info.compress_type)
    for place, edit in enumerate(EDITS):
        log = folder / f"edited{place}.eval"
        shutil.copy(one, log)
        edited(log, edit)
        edited(log, partial(renamed, place), "header.json")
    aged(folder)
    return folder


def put(name: str, value: Any, *within: str) -> Edit:
    """Set a value of the first sample."""

    def edit(samples: list[dict[str, Any]]) -> None:
        place = samples[0]
        for key in within:
            place = place[key]
        place[name] = value

    return edit


EDITS: tuple[Edit, ...] = (
    put("item", "two  blanks and\ta tab", "metadata"),
    put("item", "x" * 3000, "metadata"),
    put("item", "half \ud83d", "metadata"),
    put("item", None, "metadata"),
    put("item", ["a", "list"], "metadata"),
    put("labels", ["A" * 2000, "B"], "metadata"),
    put("labels", [["A"], "B"], "metadata"),
    put("choices", {"a": 1}, "metadata"),
    put("target", ["A", "B"]),
    put("target", 5),
    put("input", 5),
    put("epoch", "1"),
    put("epoch", 1.5),
    put("id", 7),
    put("value", float("nan"), "scores", "confidence"),
    put("value", None, "scores", "confidence"),
    put("value", 10**30, "scores", "confidence"),
    put("answer", " A ", "scores", "answer"),
    put("metadata", None, "scores", "answer"),
    put("history", [{"value": "C"}], "scores", "answer"),
    put("scores", None),
    put("scores", {}),
    put("error", "it broke"),
    put("completed_at", "yesterday"),
    put("started_at", None),
    put("model_usage", {"m": {"input_tokens": 10**30}}),
    put("model_usage", {"m": {"input_tokens": "3"}}),
    put("unknown", {"of": "another version"}),
    put("working_time", 3),
    lambda samples: samples.append(samples[0] | {"uuid": "later"}),
    lambda samples: samples.clear(),
    lambda samples: {"samples": samples},
)


@pytest.mark.parametrize("unfinished", [pytest.param(False, marks=pytest.mark.slow), True])
def test_all_ways_give_one_table(
    zoo: Path, unfinished: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the ways are compared here
    monkeypatch.setattr(log_reader, "read_log_table", read_log_table)
    plain = read_logs(zoo, unfinished=unfinished, cache=False, processes=1)
    assert plain.attrs["read"]["json"] > 5
    assert plain.attrs["read"]["inspect"] > 5
    cold = read_logs(zoo, unfinished=unfinished, processes=2)
    warm = read_logs(zoo, unfinished=unfinished)
    alone = read_logs(zoo, unfinished=unfinished, cache=False, processes=2)
    assert warm.attrs["read"] == {
        "cache": sum(plain.attrs["read"].values()),
        "json": 0,
        "inspect": 0,
    }
    monkeypatch.setattr("vr_evals.analysis.summaries.read_summaries_as_json", lambda run: None)
    by_inspect = read_logs(zoo, unfinished=unfinished, cache=False, processes=1)
    assert by_inspect.attrs["read"]["json"] == 0
    for table in (cold, warm, alone, by_inspect):
        same(plain, table)


@pytest.mark.parametrize("item", [None, ["a"], {"a": 1}, True])
def test_samples_that_name_no_item_are_skipped_and_named(tmp_path: Path, item: Any) -> None:
    for task in ("morables_level0", "morables_level1"):
        run(tmp_path, task, items=2)
    aged(tmp_path)
    first, second = sorted(tmp_path.iterdir())
    edited(first, put("item", item, "metadata"))

    def of_all(samples: list[dict[str, Any]]) -> None:
        for sample in samples:
            sample["metadata"]["item"] = item

    tables = [read_logs(tmp_path, cache=cache) for cache in (False, True, True)]
    assert all(len(table) == 3 for table in tables)
    [note] = {note for table in tables for note in table.attrs["left_out"]}
    assert "1 sample is skipped" in note
    assert tables[0].attrs["logs"][0]["samples_without_item"][0] in note
    assert accuracy(tables[0])["n_items"].max() == 2
    edited(second, of_all)
    table = read_logs(tmp_path)
    assert len(table) == 1
    assert "none of its 2 samples" in table.attrs["skipped"][0]["reason"]


def ways(folder: Path) -> dict[str, int]:
    found: dict[str, int] = read_logs(folder).attrs["read"]
    return found


def test_a_log_that_changes_is_read_again_and_nothing_else(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for task in ("ethics_level0", "ethics_level1"):
        run(logs, task)
    assert ways(logs)["json"] == ways(logs)["json"] == 2, "logs just written are not kept"
    aged(logs)
    assert ways(logs)["json"] == 2
    assert ways(logs)["cache"] == 2
    first = sorted(logs.iterdir())[0]
    before = first.stat()
    edited(first, put("item", "new", "metadata"))
    os.utime(first, ns=(before.st_atime_ns, before.st_mtime_ns))
    table = read_logs(logs)
    assert "new" in set(table["item"])
    assert table.attrs["read"] == {"cache": 1, "json": 1, "inspect": 0}


def test_entries_of_other_software_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "logs")
    aged(tmp_path / "logs")
    ways(tmp_path / "logs")
    monkeypatch.setattr(log_cache, "_software", lambda: "of another version")
    assert ways(tmp_path / "logs") == {"cache": 0, "json": 1, "inspect": 0}
    assert ways(tmp_path / "logs") == {"cache": 1, "json": 0, "inspect": 0}


@pytest.mark.parametrize("places", [8, pytest.param(400, marks=pytest.mark.slow)])
def test_damaged_entries_are_remade(tmp_path: Path, cache: Path, places: int) -> None:
    run(tmp_path / "logs", items=2)
    aged(tmp_path / "logs")
    plain = read_logs(tmp_path / "logs")
    [entry] = cache.iterdir()
    whole = entry.read_bytes()
    for place in range(0, len(whole), len(whole) // places):
        entry.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        same(plain, read_logs(tmp_path / "logs"))
    for part in (b"", whole[:100], whole[:-1]):
        entry.write_bytes(part)
        assert ways(tmp_path / "logs")["json"] == 1
    assert ways(tmp_path / "logs")["cache"] == 1


def test_a_folder_that_cannot_be_written_to_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        run(tmp_path / "logs", items=2)
    aged(tmp_path / "logs")
    (tmp_path / "file").touch()
    plain = read_logs(tmp_path / "logs", cache=False)
    monkeypatch.setenv("VR_EVALS_CACHE", str(tmp_path / "file"))
    for processes in (1, 2):
        with pytest.warns(CacheWarning, match="cache of logs not written"):
            same(plain, read_logs(tmp_path / "logs", processes=processes))


def test_a_full_disk_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    run(tmp_path / "logs", items=2)
    aged(tmp_path / "logs")
    monkeypatch.setattr(log_reader, "read_log_table", read_log_table)
    monkeypatch.setattr("pyarrow.parquet.write_table", full)
    with pytest.warns(CacheWarning, match="No space left on device"):
        assert len(read_logs(tmp_path / "logs")) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permissions")
def test_a_read_only_folder_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        logs, cache = Path(name) / "logs", Path(name) / "cache"
        run(logs, items=2)
        aged(logs)
        monkeypatch.setenv("VR_EVALS_CACHE", str(cache))
        assert ways(logs)["json"] == 1
        plain = read_logs(logs)
        run(logs, "ethics_level1", items=2)
        aged(logs)
        os.chmod(cache / "logs", 0o555)
        try:
            with as_other_than_root(), pytest.warns(CacheWarning, match="not written"):
                table = read_logs(logs)
        finally:
            os.chmod(cache / "logs", 0o755)
        assert table.attrs["read"] == {"cache": 1, "json": 1, "inspect": 0}
        assert len(table) == len(plain) + 2


@contextmanager
def as_other_than_root() -> Iterator[None]:
    """Root may write to any folder."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_processes_share_a_cache(tmp_path: Path, cache: Path) -> None:
    logs = tmp_path / "logs"
    for task in ("ethics_level0", "ethics_level1", "ethics_level2"):
        run(logs, task, items=2)
    aged(logs)
    plain = read_logs(logs, cache=False).to_json()
    assert set(in_processes(_read_again_and_again, [logs] * 4, 4)) == {plain}
    assert len(list(cache.iterdir())) == 3, "no parts are left"
    assert ways(logs)["cache"] == 3


def _read_again_and_again(logs: Path) -> str:
    """Read logs while others read them, and some remove entries; return the table."""
    found = set()
    for number in range(6):
        table = read_logs(logs, processes=1)
        found.add(table.to_json())
        if number < 3:
            for entry in LogCache(log_cache.default_folder()).folder.glob("*.parquet"):
                entry.unlink(missing_ok=True)
    return found.pop() if len(found) == 1 else "different tables"


def test_a_log_that_grows_is_read_again(tmp_path: Path) -> None:
    whole = Path(location(run(tmp_path / "whole", items=4)))
    log = tmp_path / "logs" / whole.name
    log.parent.mkdir()
    for n in (1, 3):
        unfinished_copy(whole, log, n)
        for _ in range(2):
            aged(log.parent)
            assert len(read_logs(log, unfinished=True)) == n
    shutil.copy(whole, log)
    aged(log.parent)
    assert [read_logs(log).attrs["read"]["cache"] for _ in range(2)] == [0, 1]
    assert len(read_logs(log)) == 4


def unfinished_copy(whole: Path, log: Path, samples: int) -> None:
    """Write a log as it is while the run goes on."""
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(log, "w") as new:
        summaries = json.loads(old.read("summaries.json"))[:samples]
        new.writestr("_journal/start.json", old.read("_journal/start.json"))
        new.writestr("_journal/summaries/1.json", json.dumps(summaries))
        for one in summaries:
            name = f"samples/{one['id']}_epoch_{one['epoch']}.json"
            new.writestr(name, old.read(name))


@pytest.mark.parametrize("etag", ["etag", "ETag"])
def test_a_url_is_read_again_if_its_etag_changes(tmp_path: Path, etag: str) -> None:
    """The time of the last change is the same all along."""

    class Remote(MemoryFileSystem):  # type: ignore[misc]  # fsspec has no types
        protocol = "etagged"
        store: ClassVar[dict[str, Any]] = {}
        pseudo_dirs: ClassVar[list[str]] = [""]

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            stripped: str = super()._strip_protocol(path.replace("etagged://", "memory://"))
            return stripped

        def info(self, path: str, **options: Any) -> dict[str, Any]:
            found: dict[str, Any] = super().info(path, **options)
            if found["type"] == "file":
                content = self.cat_file(path)
                found |= {etag: hashlib.sha256(content).hexdigest(), "mtime": 1.0}
            return found

    fsspec.register_implementation("etagged", Remote, clobber=True)
    log = Path(location(run(tmp_path, items=2)))
    filesystem = Remote()
    filesystem.pipe_file("/logs/a.eval", log.read_bytes())
    url = "etagged://logs/a.eval"
    assert log_state(LogFile(url)) != log_state(LogFile("etagged://logs/none.eval"))
    first, second = read_logs(url), read_logs(url)
    assert [table.attrs["read"]["cache"] for table in (first, second)] == [0, 1]
    same(first, second)
    edited(log, put("item", "new", "metadata"))
    filesystem.pipe_file("/logs/a.eval", log.read_bytes())
    table = read_logs(url)
    assert table.attrs["read"]["cache"] == 0
    assert "new" in set(table["item"])


def test_the_cache_stays_below_its_limit(tmp_path: Path) -> None:
    cache = LogCache(tmp_path)
    for number in range(4):
        path = tmp_path / f"{number}.parquet"
        path.write_bytes(b"x" * 10)
        os.utime(path, (1000 + number,) * 2)
    cache.trim(limit=25)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.parquet", "3.parquet"]
    assert cache.clear() == (2, 20)
    assert cache.clear() == (0, 0)


def test_processes_that_die_leave_their_logs_to_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        run(tmp_path / "logs", items=2)
    plain = read_logs(tmp_path / "logs", cache=False, processes=1)
    monkeypatch.setattr(log_reader, "_read_and_keep", _die)
    same(plain, read_logs(tmp_path / "logs", processes=2))


def _die(task: object) -> None:
    os._exit(9)


def test_states_of_urls() -> None:
    with fsspec.open("memory://logs/a.eval", "wb") as file:
        file.write(b"x")
    assert log_state(LogFile("memory://logs/a.eval")) is None, "it has neither etag nor time"
    assert log_state(LogFile("memory://logs/none.eval")) is None


def test_the_fast_way_knows_all_fields_of_summaries() -> None:
    assert set(_Sample.__dataclass_fields__) == set(EvalSampleSummary.model_fields)


def test_unfinished_and_foreign_logs_are_left_to_inspect(zoo: Path) -> None:
    empty: dict[str, Any] = dict.fromkeys(Run.__dataclass_fields__)
    assert read_summaries_as_json(Run(**empty | {"log": str(zoo / "copy.eval")})) is None


def test_the_state_of_a_url_with_a_time_is_its_size_and_time(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(b"x")
    assert log_state(LogFile(f"file://{path}")) is None, "it was written just now"
    os.utime(path, (1e9, 1e9))
    assert log_state(LogFile(f"file://{path}")) == [1, repr(1e9)]


def test_what_an_entry_says_of_itself_is_sealed() -> None:
    sealed = log_cache._sealed('{"run": "none"}')
    schema = pa.schema([]).with_metadata({log_cache._KEY: sealed})
    assert log_cache._described(schema) == {"run": "none"}
    for damaged in (sealed.replace(b"none", b"some"), b""):
        with pytest.raises(ValueError, match="damaged"):
            log_cache._described(schema.with_metadata({log_cache._KEY: damaged}))
