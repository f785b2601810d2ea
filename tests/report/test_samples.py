"""Where `inspect view` shows a sample. `tests/browser` opens these addresses in the viewer."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser

from tests.analysis.frames import answer, table
from vr_evals.report.samples import VIEWER, common_folder, sample_block

IDS = (
    "plain-1",
    "a/b",
    "100% sure",
    "p%2Fq",
    "x#y",
    "q?z=1&b",
    "a b",
    "\\back\"quote'",
    "ünï 你+x",
    "<script>",
)


def link(item: str, log: str = "/logs/run 1/a.eval", **columns: Any) -> str:
    """The link to a sample of a log below `/logs`."""
    rows = table(answer(item, "A", log=log, **columns))
    found = sample_block(rows.iloc[0], "/logs", "", "").link
    assert found is not None
    return found


@pytest.mark.parametrize("item", IDS)
def test_an_id_is_quoted_once(item: str) -> None:
    before, _, after = link(item, epoch=3).partition("/samples/sample/")
    assert before == f"{VIEWER}/#/logs/run%201/a.eval"
    name, epoch, end = after.split("/")
    assert unquote(name) == item
    assert (epoch, end) == ("3", "")
    assert not set("#?& \"'<>\\") & set(name)


@pytest.mark.parametrize("item", IDS)
def test_a_uuid_stands_for_any_id(item: str) -> None:
    address = f"{VIEWER}/#/logs/run%201/a.eval/samples/sample_uuid/Xy7"
    assert link(item, uuid="Xy7") == address


def test_an_address_that_is_too_long_is_none() -> None:
    rows = table(answer("x" * 5000, "A", log="/logs/a.eval"))
    assert sample_block(rows.iloc[0], "/logs", "", "").link is None


def test_a_path_that_goes_up_is_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    logs = ["logs/a.eval", "../mine/b.eval"]
    folder = common_folder(logs)
    assert folder == tmp_path.parent.as_posix()
    for log, wanted in zip(logs, (f"{tmp_path.name}/logs/a.eval", "mine/b.eval"), strict=True):
        found = sample_block(table(answer("i", "A", log=log)).iloc[0], folder, "", "").link
        assert found == f"{VIEWER}/#/logs/{wanted}/samples/sample/i/1/"
    assert common_folder(["logs/a.eval", "logs/b/c.eval"]) == "logs"


def logged(folder: Path, sample: EvalSample) -> str:
    """A log with one sample."""
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="t",
        dataset=EvalDataset(),
        model="m/one",
        config=EvalConfig(),
    )
    log = str(folder / "a.json")
    write_eval_log(EvalLog(eval=spec, samples=[sample]), log)
    return log


def texts(log: str, item: str) -> dict[str, str]:
    rows = table(answer(item, "A", log=log))
    return dict(sample_block(rows.iloc[0], "", "", "").texts)


@pytest.mark.parametrize("name", [7, "seven"])
def test_a_sample_is_found_by_a_number_or_a_text(tmp_path: Path, name: int | str) -> None:
    asked: list[ChatMessage] = [
        ChatMessageSystem(content="Be brief."),
        ChatMessageUser(content="Is this wrong?"),
    ]
    log = logged(tmp_path, EvalSample(id=name, epoch=1, input=asked, target="A"))
    found = texts(log, str(name))
    assert (found["Item"], found["Right answer"]) == ("Is this wrong?", "A")
    assert texts(log, "eight")["Not shown"] == "The log could not be read again (IndexError)."


def test_a_large_log_is_not_read_for_one_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logged(tmp_path, EvalSample(id="i", epoch=1, input="Is this wrong?", target="A"))
    assert "Item" in texts(log, "i")
    monkeypatch.setattr("vr_evals.report.samples._SIZE_LIMIT", 10)
    assert texts(log, "i") == {
        "Not shown": "Log skipped: too large a JSON file to read for one sample."
    }
    gone = texts(str(tmp_path / "gone.json"), "i")["Not shown"]
    assert gone == "The log could not be read again (FileNotFoundError)."
