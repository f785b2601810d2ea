"""``vr-evals report``, ``table`` and ``export``, as a user types them."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.analysis.frames import answers, table
from tests.analysis.running import location, run
from tests.commands.running import typed
from tests.report.studies import HOSTILE, hostile_study, leave_undrawn
from vr_evals.analysis import COLUMNS, accuracy, authority, compare_models, main_table, read_logs
from vr_evals.analysis.effects import effects
from vr_evals.commands.export import write_rows
from vr_evals.errors import InputError

COMMANDS = ("table", "report", "export")


@pytest.fixture(autouse=True)
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_undrawn(monkeypatch)


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
    assert len(main_table(read_logs(logs))) == 11
    assert len(cells) == 11 + 4, "the conditions in which an authority endorses an option, too"
    assert [line for line in lines if line.startswith(("ethics", "mcqa"))] == [
        "ethics  vr_sim/careful",
        "ethics  vr_sim/sloppy",
        "mcqa  vr_sim/yes_man",
        "mcqa  vr_sim/yes_man  authority",
    ]
    assert any(line.startswith("off       high harm") for line in lines)
    assert "7 logs" in result.stderr
    assert "\x1b" not in result.output


def test_table_as_json_is_the_main_table(logs: Path) -> None:
    result = typed("table", logs, "--json", "--alias", "vr_sim/careful=Careful")
    found = json.loads(result.stdout)["accuracy"]
    main = main_table(read_logs(logs, alias={"vr_sim/careful": "Careful"}))
    assert [row["model"] for row in found] == main["model"].tolist()
    assert "Careful" in {row["model"] for row in found}
    assert [row["accuracy"] for row in found] == pytest.approx(main["accuracy"].tolist())


def figures(output: str) -> dict[str, list[str]]:
    """What the table of authority has for each condition, in its words."""
    rows = output[output.index("authority") :].splitlines()[2:]
    cells = [re.split(r" {2,}", row.strip()) for row in rows if row]
    return {row[1]: row[2:] for row in cells if len(row) > 1}


def test_table_has_what_an_authority_does(logs: Path) -> None:
    frame = authority(read_logs(logs))
    found = figures(typed("table", logs, COLUMNS="80").stdout)
    assert list(found) == ["high help", "high harm", "low help", "low harm"]
    rows = json.loads(typed("table", logs, "--json").stdout)["authority"]
    assert [row["condition"].replace("_", " ") for row in rows] == list(found)
    for row in rows:
        of_condition = frame[frame["condition"] == row["condition"]]
        for metric, name in (("compliance@k", "compliance"), ("excess_compliance",) * 2):
            wanted = of_condition[of_condition["metric"] == metric].iloc[0]
            assert row[name] == pytest.approx(wanted["estimate"])
            assert row[f"{name}_low"] == pytest.approx(wanted["low"])
            assert row[f"{name}_high"] == pytest.approx(wanted["high"])
        assert row["n_items"] == row["excess_compliance_n_items"] == 2
        assert row["excess_compliance_p_adjusted"] == pytest.approx(wanted["p_adjusted"])
        items, compliance, excess, both = found[row["condition"].replace("_", " ")]
        assert items == both == "2"
        assert compliance.startswith(f"{100 * row['compliance']:.1f}% [")
        printed = float(excess.split()[0].replace("−", "-"))
        assert printed == pytest.approx(100 * row["excess_compliance"], abs=0.06)


def test_table_says_what_the_columns_and_signs_that_it_shows_mean(logs: Path) -> None:
    both = typed("table", logs, COLUMNS="200").stdout
    assert "from 0, from off: change from level 0 and from thinking off, in points." in both
    assert "excess: minus the same under control" in both
    assert "*: p < 0.05 after Holm" in both
    level0 = next(logs.glob("*ethics-level0_*.eval"))
    alone = typed("table", level0, COLUMNS="200").stdout
    assert "as asked: samples that thought" in alone
    assert not [words for words in ("from 0", "from off", "excess", "*") if words in alone]


def test_table_says_nothing_of_authority_where_there_is_none(logs: Path) -> None:
    levels = [path for path in logs.glob("*.eval") if "level" in path.name]
    assert len(levels) == 6
    assert "authority" not in typed("table", *levels).stdout
    assert json.loads(typed("table", *levels, "--json").stdout)["authority"] == []


@pytest.mark.parametrize("columns", ["40", "60", "80"])
def test_table_cuts_nothing_off(logs: Path, columns: str) -> None:
    levels = [path for path in logs.glob("*.eval") if "level" in path.name]
    lines = typed("table", *levels, COLUMNS=columns).stdout.splitlines()
    assert not [line for line in lines if "…" in line]
    assert sum(bool(re.search(r"\d\.\d% \[\d+, \d+\]", line)) for line in lines) == 6
    if columns != "40":
        assert max(map(len, lines)) <= int(columns)


def test_conditions_of_several_logs_are_one_table(tmp_path: Path) -> None:
    """A log of all conditions, and one of one of them with more items."""
    together = run(tmp_path, "ethics_authority", items=3, flags={"epochs": 1})
    smaller = run(tmp_path, "ethics_authority_low_harm", items=2, flags={"epochs": 1})
    run(tmp_path, "ethics_authority_high_harm", items=5, flags={"epochs": 1})
    result = typed("table", tmp_path)
    shown = {condition: (row[0], row[-1]) for condition, row in figures(result.stdout).items()}
    assert shown == {
        "high help": ("3", "3"),
        "high harm": ("5", "3"),
        "low help": ("3", "3"),
        "low harm": ("3", "3"),
    }
    [line] = [line for line in result.stderr.splitlines() if line.startswith("skipped: ")]
    assert Path(smaller.location).name in line
    assert "the same cell was run with more samples (3, not 2) in " in line
    [line] = [line for line in result.stderr.splitlines() if line.startswith("partly read: ")]
    assert Path(together.location).name in line
    assert line.endswith("high_harm read from another log")


def test_logs_that_are_set_aside_are_named_but_not_by_the_hundred(tmp_path: Path) -> None:
    for items in range(1, 9):
        log = run(tmp_path, "ethics_level0", items=items)
    for copy in range(15):
        shutil.copy(location(log), tmp_path / f"copy{copy}.eval")
    lines = typed("table", tmp_path).stderr.splitlines()
    assert lines[0] == "8 samples from 1 log"
    assert sum(line.startswith("skipped: ") for line in lines) == 20
    assert lines[21] == "2 more logs skipped, same reason"
    for line, (what, name) in zip(
        lines[-2:], (("simulated", "vr_sim/careful"), ("shipped sample", "ethics")), strict=True
    ):
        assert line.startswith(what)
        assert line.endswith(f": {name}")


def test_report_is_written_and_named(logs: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = typed("report", logs, "-o", path, "--title", "Mine")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{path}\n"
    assert "<title>Mine</title>" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("extension", ["parquet", "csv", "jsonl", "CSV"])
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
    found = read[extension.lower()](path)
    assert list(found.columns) == [column.name for column in COLUMNS]
    assert found["item"].tolist() == rows["item"].tolist()
    assert found["correct"].tolist() == rows["correct"].tolist()
    if extension == "parquet":
        pd.testing.assert_frame_equal(found, rows)


def test_export_of_effects(logs: Path, tmp_path: Path) -> None:
    plan, path = tmp_path / "study.yaml", tmp_path / "effects.csv"
    plan.write_text("primary: [{outcome: read_rate, contrast: levels}]", encoding="utf-8")
    options = ("--frame", "effects", "--primary", str(plan), "--margin", "50")
    result = typed("export", logs, "-o", path, *options)
    assert result.exit_code == 0, result.output
    written = pd.read_csv(path)
    expected = effects(read_logs(logs), primary=plan, margin=50)
    assert written["contrast"].tolist() == expected["contrast"].tolist()
    assert written["estimate"].tolist() == pytest.approx(expected["estimate"].tolist())
    assert set(written.loc[written["is_primary"], "outcome"]) == {"read_rate"}


def test_what_effects_leave_out_is_said(logs: Path, tmp_path: Path) -> None:
    plan, path = tmp_path / "study.yaml", tmp_path / "effects.csv"
    plan.write_text("primary: [{outcome: brier, contrast: levels}]", encoding="utf-8")
    notes = effects(read_logs(logs), primary=plan).attrs["notes"]
    assert notes
    result = typed("export", logs, "-o", path, "--frame", "effects", "--primary", str(plan))
    assert result.exit_code == 0, result.output
    assert [line for line in notes if line not in result.stderr] == []


def test_a_plan_is_for_effects_alone(logs: Path, tmp_path: Path) -> None:
    result = typed("export", logs, "-o", tmp_path / "rows.csv", "--margin", "5")
    assert result.exit_code == 2
    assert "--frame effects" in result.stderr


@pytest.mark.parametrize("dtype", ["string", "object", "category"])
def test_no_cell_of_a_csv_is_a_formula(tmp_path: Path, dtype: str) -> None:
    rows = hostile_study()
    names = ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "'=1", "a=1", "1", "", "=", 'x,\n"y"']
    rows = rows.head(len(names)).assign(model=pd.Series(names, dtype=dtype))
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
        (tmp_path / "empty", "contains no logs"),
        (tmp_path / "broken.eval", "broken.eval: unreadable"),
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
        (["table", "nowhere"], "no such file or folder 'nowhere'"),
        (
            ["export", ".", "-o", "rows.xlsx"],
            "invalid file 'rows.xlsx': expected .parquet or .csv or .jsonl",
        ),
        (["report", ".", "-o", "page.pdf"], "invalid file 'page.pdf': expected .html or .htm"),
        (["report", ".", "-o", "page"], "invalid file 'page': expected .html or .htm"),
        (["report", ".", "-o", "no/page.html"], "'no/page.html': no folder 'no'"),
        (["table", ".", "--alias", "careful"], "invalid alias 'careful': expected MODEL=NAME"),
        (
            ["table", ".", "--alias", "a=x", "--alias", "a=y"],
            "invalid alias 'a=y': 'a' has another",
        ),
        (["table", ".", "--nonsense"], "No such option"),
    ],
)
def test_wrong_usage_ends_with_2_before_a_log_is_read(
    words: list[str], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vr_evals.analysis.read_logs", None)
    result = typed(*words)
    assert result.exit_code == 2
    assert found in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("aliases", "found"),
    [
        (["vr_sim/careful=vr_sim/sloppy"], "would both have this name"),
        (
            ["careful=x"],
            "alias 'careful': no log that is read has this model; they have vr_sim/careful, "
            "vr_sim/sloppy, vr_sim/yes_man",
        ),
    ],
)
def test_aliases_of_no_model_or_of_two_are_refused(
    command: str, aliases: list[str], found: str, logs: Path, tmp_path: Path
) -> None:
    words = [word for alias in aliases for word in ("--alias", alias)]
    result = typed(command, logs, *words, *options(command, tmp_path))
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert found in line


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_cannot_be_read_is_named(
    command: str, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs the tests may read all of them."""
    closed = tmp_path / "closed"
    closed.mkdir()
    scan = os.scandir

    def refuse(path: str) -> Any:
        if path == str(closed):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr("os.scandir", refuse)
    for place in (closed, tmp_path):
        result = typed(command, logs, place, *options(command, tmp_path))
        assert result.exit_code == 1
        assert result.stderr == f"Error: {closed}: failed to read: Permission denied\n"


def test_skipped_logs_are_counted_by_reason(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.eval").write_text("no log")
    result = typed("table", logs, tmp_path / "broken.eval")
    assert result.exit_code == 0
    assert "1 log skipped: unreadable" in result.stderr
    assert "broken.eval" in result.stderr


def test_what_was_left_out_is_printed(tmp_path: Path) -> None:
    """Two logs of a cell with other items, a level with fewer, and rows that could not be used."""
    rows = [{"id": f"i{n}", "scenario": "x" * (n > 0), "label": 1} for n in range(9)]
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    mine: dict[str, Any] = {"dataset": str(file), "subset": "all", "items": None}
    for ids in (["i1", "i2", "i3"], ["i3", "i4", "i5", "i6"]):
        run(tmp_path / "logs", "ethics_level0", flags={"sample_id": ids}, **mine)
    run(tmp_path / "logs", "ethics_level1", flags={"sample_id": ["i5", "i6", "i7"]}, **mine)
    sloppy: dict[str, Any] = {"model": "vr_sim/sloppy", "flags": {"sample_id": ["i1", "i8"]}}
    run(tmp_path / "logs", "ethics_level0", **sloppy, **mine)
    result = typed("table", tmp_path / "logs")
    assert result.exit_code == 0
    for words in (
        "11 samples from 4 logs",
        "2 logs of the same cell are combined",
        "1 row could not be used for ethics and was skipped",
        "partly different items in 1 cell (vr_sim/careful 6, vr_sim/sloppy 2; 1 by all)",
        "compared with level 0 on the 2 items of both; left out: 1 that only the former",
    ):
        assert words in result.stderr
    found = compare_models(read_logs(tmp_path / "logs"))
    assert found["n_unpaired"].tolist() == [6]
    assert "left out: 5 that only the former has, 1 that only" in found.attrs["notes"][0]
    page = tmp_path / "page.html"
    typed("report", tmp_path / "logs", "-o", page)
    for words in ("are combined", "were never asked", "6 left out, 1 compared"):
        assert words in page.read_text(encoding="utf-8")


def test_settings_keep_cells_apart_after_an_export(tmp_path: Path) -> None:
    rows = table(
        answers("AAAA", settings='{"system_message": "Be brief, top_p=0.5"}', variant="a"),
        answers("ABBB", settings='{"system_message": "Be brief", "top_p": 0.5}', variant="a"),
    )
    wanted = accuracy(rows)
    assert len(wanted.drop_duplicates("variant")) == 2
    read: dict[str, Callable[[Path], pd.DataFrame]] = {
        "parquet": pd.read_parquet,
        "csv": pd.read_csv,
        "jsonl": lambda path: pd.read_json(path, lines=True),
    }
    for extension, reader in read.items():
        write_rows(rows, tmp_path / f"rows.{extension}")
        found = accuracy(reader(tmp_path / f"rows.{extension}"))
        assert found["variant"].tolist() == wanted["variant"].tolist()
        assert found["estimate"].tolist() == pytest.approx(wanted["estimate"], nan_ok=True)


def test_no_control_character_reaches_a_csv(tmp_path: Path) -> None:
    rows = table(answers("AB", model="evil\x1b[31m\x9b\x07"))
    write_rows(rows, tmp_path / "rows.csv")
    text = (tmp_path / "rows.csv").read_text(encoding="utf-8")
    assert r"evil\x1b[31m\x9b\x07" in text
    assert not re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]", text)


@pytest.mark.parametrize("name", ["rows", "rows.txt"])
def test_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="invalid format .* expected .parquet, .csv, .jsonl"):
        write_rows(table(answers("A")), tmp_path / name)


@pytest.mark.parametrize("extension", ["parquet", "csv", "jsonl"])
def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path, extension: str) -> None:
    path = tmp_path / "missing" / f"rows.{extension}"
    with pytest.raises(InputError, match=rf"rows\.{extension} cannot be written: ") as caught:
        write_rows(table(answers("A")), path)
    assert "\n" not in caught.value.message


def test_a_missing_extra_is_said_before_a_log_is_read(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setattr("vr_evals.commands.log_rows.read_rows", None)
    result = typed("report", logs, "-o", tmp_path / "x.html")
    assert result.exit_code == 1
    assert "needs vl_convert, which is not installed: pip install" in result.stderr
