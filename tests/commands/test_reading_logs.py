"""``vr-evals report``, ``table`` and ``export``, as a user types them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tests.analysis.frames import answers, table
from tests.analysis.running import run
from tests.report.studies import HOSTILE, hostile_study
from vr_evals.analysis import COLUMNS, read_logs
from vr_evals.cli import main
from vr_evals.commands.export import write_rows
from vr_evals.errors import InputError
from vr_evals.report import main_table

COMMANDS = ("table", "report", "export")


def typed(*words: str | Path, **environment: str) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], env=environment)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for task in ("ethics_level0", "ethics_level1", "ethics_level1_thinking"):
        for model in ("vr_sim/careful", "vr_sim/sloppy"):
            run(folder, task, model)
    run(folder, "mcqa_authority", "vr_sim/yes_man", items=2)
    return folder


def test_table_has_every_cell_within_80_columns(logs: Path) -> None:
    result = typed("table", logs, COLUMNS="80")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in result.stdout
    cells = [line for line in lines if re.search(r"\[\d+, \d+\]", line)]
    assert len(cells) == len(main_table(read_logs(logs))) == 11
    assert [line for line in lines if line.startswith("ethics")] == [
        "ethics  vr_sim/careful",
        "ethics  vr_sim/sloppy",
    ]
    assert any(line.startswith("off       high harm") for line in lines)
    assert "7 logs" in result.stderr
    assert "\x1b" not in result.output


def test_table_as_json_is_the_main_table(logs: Path) -> None:
    result = typed("table", logs, "--json", "--alias", "vr_sim/careful=Careful")
    found = json.loads(result.stdout)
    main = main_table(read_logs(logs, alias={"vr_sim/careful": "Careful"}))
    assert [row["model"] for row in found] == main["model"].tolist()
    assert "Careful" in {row["model"] for row in found}
    assert [row["accuracy"] for row in found] == pytest.approx(main["accuracy"].tolist())


def test_report_is_written_and_named(logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = typed("report", logs, "-o", path, "--title", "Mine")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{path}\n"
    assert "<title>Mine</title>" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("extension", ["parquet", "csv", "jsonl"])
def test_export_gives_every_row_and_column(logs: Path, tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"rows.{extension}"
    result = typed("export", logs, "-o", path)
    assert result.exit_code == 0, result.output
    rows = read_logs(logs)
    read: dict[str, Callable[[Path], pd.DataFrame]] = {
        "parquet": pd.read_parquet,
        "csv": pd.read_csv,
        "jsonl": lambda path: pd.read_json(path, lines=True),
    }
    found = read[extension](path)
    assert list(found.columns) == [column.name for column in COLUMNS]
    assert found["item"].tolist() == rows["item"].tolist()
    assert found["correct"].tolist() == rows["correct"].tolist()
    if extension == "parquet":
        pd.testing.assert_frame_equal(found, rows)


def test_no_cell_of_a_csv_is_a_formula(tmp_path: Path) -> None:
    rows = hostile_study()
    names = ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "'=1", "a=1", "1", "", "=", 'x,\n"y"']
    rows = rows.head(len(names)).assign(model=pd.array(names, dtype="string"))
    rows["confidence"] = pd.array([-5.0] * len(rows), dtype="Float64")
    rows["error"] = pd.NA
    write_rows(rows, tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    expected = [f"'{name}" if name[:1] in tuple("=+-@\t\r") else name for name in names]
    assert [row["model"] for row in found] == expected
    assert {row["confidence"] for row in found} == {"-5.0"}
    for row in found:
        assert not any(
            value.startswith(tuple("=+@\t\r")) or re.match(r"-\D", value) for value in row.values()
        )


@pytest.mark.parametrize("extension", ["parquet", "csv", "jsonl"])
def test_hostile_text_survives_an_export(tmp_path: Path, extension: str) -> None:
    rows = hostile_study()
    path = tmp_path / f"rows.{extension}"
    write_rows(rows, path)
    assert path.stat().st_size > 50_000
    if extension == "parquet":
        assert set(HOSTILE.values()) == set(pd.read_parquet(path)["item"])


def test_long_tables_are_exported_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vr_evals.commands.export._CHUNK", 3)
    rows = table(answers("ABABABAB"))
    for extension in ("csv", "jsonl"):
        write_rows(rows, tmp_path / f"rows.{extension}")
    assert pd.read_csv(tmp_path / "rows.csv")["item"].tolist() == rows["item"].tolist()
    lines = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["item"] for line in lines] == rows["item"].tolist()


def options(command: str, folder: Path) -> list[str]:
    name = {"report": "page.html", "export": "rows.csv"}
    return ["-o", str(folder / name[command])] if command in name else []


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_can_be_used_is_one_line(command: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.eval").write_text("no log")
    for place, words in (
        (tmp_path / "none", "no such file or folder"),
        (tmp_path / "empty", "there are no logs"),
        (tmp_path / "broken.eval", "is skipped since it cannot be read"),
    ):
        result = typed(command, place, *options(command, tmp_path))
        assert result.exit_code == 1
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1
        assert words in result.stderr


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["table"], "Missing argument 'LOGS...'"),
        (["report", "logs"], "Missing option '-o'"),
        (["export", "logs", "-o", "rows.xlsx"], "does not end in .parquet, .csv, .jsonl"),
        (["table", "logs", "--alias", "careful"], "'careful' is not MODEL=NAME"),
        (["table", "logs", "--nonsense"], "No such option"),
    ],
)
def test_wrong_usage_ends_with_2(words: list[str], found: str) -> None:
    result = typed(*words)
    assert result.exit_code == 2
    assert found in result.stderr


def test_aliases_that_join_two_models_are_refused(logs: Path) -> None:
    joined = ["--alias", "vr_sim/careful=x", "--alias", "vr_sim/sloppy=x"]
    result = typed("table", logs, *joined)
    assert result.exit_code == 1
    assert "would both have this name" in result.stderr


def test_skipped_logs_are_counted_by_reason(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.eval").write_text("no log")
    result = typed("table", logs, tmp_path / "broken.eval")
    assert result.exit_code == 0
    assert "1 log skipped: it cannot be read" in result.stderr


@pytest.mark.parametrize("name", ["rows", "rows.txt"])
def test_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="unknown format; wanted .parquet, .csv, .jsonl"):
        write_rows(table(answers("A")), tmp_path / name)
