"""Tables for a paper: what they contain, and that foreign text does nothing in any format."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from tests.analysis.frames import answers, only, table
from tests.commands.running import typed
from tests.latex import check_latex, compiled
from tests.report.studies import HOSTILE, authority_study, hostile_study, ladder_study
from vr_evals.analysis import authority_table, main_table
from vr_evals.analysis.effects import effects
from vr_evals.commands.paper_tables import (
    FORMATS,
    PaperTable,
    Part,
    _compared,
    _worst_case,
    accuracy_paper_table,
    as_latex,
    as_markdown,
    authority_paper_table,
    effects_paper_table,
)

NAMES = ("a_b|c%d", "[1] & #2", r"\input{x}$", "=1+1", "*--x", *list(HOSTILE.values())[:6])


def rows() -> pd.DataFrame:
    """Two models on two benchmarks, one of which the second model lacks."""
    return table(
        answers("AAAB", model="m/one"),
        answers("AABB", model="m/two"),
        answers("AAAA", model="m/one", level=1),
        answers("AABB", model="m/two", level=1),
        answers("AAAAB", model="m/one", benchmark="morables"),
    )


def paper_tables(study: pd.DataFrame) -> list[PaperTable]:
    """All tables that a study has data for."""
    found = [accuracy_paper_table(main_table(study)), effects_paper_table(effects(study))]
    cues = authority_table(study)
    return [*found, *([authority_paper_table(cues)] if len(cues) else [])]


def test_accuracy_has_a_row_per_model_and_a_column_per_benchmark() -> None:
    main = main_table(rows())
    found = accuracy_paper_table(main)
    assert found.columns == ("moralchoice (n = 4)", "morables (n = 5)") or found.columns == (
        "morables (n = 5)",
        "moralchoice (n = 4)",
    )
    first, second = found.parts
    assert (first.heading, second.heading) == ("level 0, thinking off", "level 1, thinking off")
    assert [name for name, _ in first.rows] == ["m/one", "m/two"]
    place = found.columns.index("moralchoice (n = 4)")
    row = only(main, model="m/one", benchmark="moralchoice", level=0)
    assert first.rows[0][1][place] == f"75.0 [{100 * row.low:.1f}, {100 * row.high:.1f}]"
    assert first.rows[1][1][1 - place] == "–"


def test_excess_compliance_has_a_row_per_model_and_a_column_per_cue() -> None:
    study = authority_study()
    found = authority_paper_table(authority_table(study))
    assert found.columns == ("high help", "high harm", "low help", "low harm")
    compliance, excess = found.parts
    assert [name for name, _ in compliance.rows] == ["m/one"]
    assert compliance.rows[0][1][1].startswith("100.0 [")
    assert excess.rows[0][1][1].startswith("+100.0 [")
    assert excess.rows[0][1][0].startswith("0.0 [")


def test_effects_have_a_row_per_contrast() -> None:
    frame = effects(ladder_study(), outcome=["accuracy", "confidence", "brier"], margin=20)
    found = effects_paper_table(frame)
    assert sum(len(part.rows) for part in found.parts) == len(frame)
    assert found.columns[-1] == "margin"
    by_name = {part.heading: dict(part.rows) for part in found.parts}
    row = only(frame, outcome="accuracy", contrast="level5-level0")
    effect, *_, items, cells, _, _ = by_name["levels, accuracy, points"]["level 5 − level 0"]
    assert effect == f"+{100 * row.estimate:.1f} [+{100 * row.low:.1f}, +{100 * row.high:.1f}]"
    assert (items, cells) == (str(row.n_items), str(row.n_cells))


def test_effects_name_what_is_not_averaged_over() -> None:
    frame = effects(ladder_study(), outcome="accuracy", contrast="thinking", by=["model", "level"])
    [part] = effects_paper_table(frame, ["model", "level"]).parts
    assert "thinking on − thinking off (m/two, level 5)" in dict(part.rows)


@pytest.mark.parametrize(
    "study",
    [rows(), authority_study(), ladder_study(models=NAMES[:4], items=3, epochs=1), hostile_study()],
)
def test_foreign_text_does_nothing_in_any_format(study: pd.DataFrame, tmp_path: Path) -> None:
    found_tables = paper_tables(study)
    assert compiled("\n".join(map(FORMATS["latex"], found_tables)), tmp_path) in ("", None)
    for found in found_tables:
        n_rows = sum(len(part.rows) for part in found.parts)
        latex = FORMATS["latex"](found)
        cells = check_latex(latex)
        assert [n for n in cells if n > 1] == [1 + len(found.columns)] * (1 + n_rows)
        lines = FORMATS["markdown"](found).splitlines()[2:]
        assert {len(re.findall(r"(?<!\\)\|", re.sub(r"\\\\", "", x))) for x in lines} == {
            2 + len(found.columns)
        }
        text = FORMATS["text"](found)
        assert all(line.isprintable() for line in text.splitlines())


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """What commands read instead of logs."""
    found = ladder_study(models=NAMES[:4], levels=(0, 5), items=4, epochs=1)
    monkeypatch.setattr("vr_evals.commands.log_rows.read_rows", lambda *given: found)
    return found


def test_csv_and_json_have_the_frame(study: pd.DataFrame) -> None:
    main = main_table(study)
    by_row = json.loads(typed("table", ".", "--of", "accuracy", "--format", "json").stdout)
    assert [row["model"] for row in by_row] == main["model"].tolist()
    lines = list(
        csv.DictReader(
            io.StringIO(typed("table", ".", "--of", "accuracy", "--format", "csv").stdout)
        )
    )
    assert [float(row["accuracy"]) for row in lines] == pytest.approx(main["accuracy"].tolist())
    assert not [row for row in lines if row["model"].startswith(("=", "+", "-", "@"))]
    assert {row["model"].removeprefix("'") for row in lines} == set(NAMES[:4])


def test_effects_are_the_primary_ones_unless_asked(study: pd.DataFrame) -> None:
    primary = json.loads(typed("table", ".", "--of", "effects", "--format", "json").stdout)
    assert {row["outcome"] for row in primary} == {"accuracy"}
    assert all(row["is_primary"] for row in primary)
    words = ("table", ".", "--of", "effects", "--outcome", "confidence", "--json")
    assert {row["outcome"] for row in json.loads(typed(*words).stdout)} == {"confidence"}
    result = typed("table", ".", "--of", "effects", "--by", "benchmark")
    assert "level 5 − level 0 (morables)" in result.stdout


@pytest.mark.usefixtures("study")
def test_a_plan_names_the_effects(tmp_path: Path) -> None:
    plan = tmp_path / "study.yaml"
    plan.write_text("primary: [{outcome: confidence, contrast: thinking}]")
    words = ("table", ".", "--of", "effects", "--primary", plan, "--margin", "50", "--json")
    [row] = json.loads(typed(*words).stdout)
    assert (row["outcome"], row["question"], row["margin"]) == ("confidence", "thinking", 0.5)


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize(
    ("words", "code", "found"),
    [
        (["--format", "latex"], 2, "--format needs --of accuracy, effects, authority"),
        (["--of", "accuracy", "--by", "model"], 2, "--by: needs --of effects"),
        (["--margin", "5"], 2, "--margin: needs --of effects"),
        (["--of", "accuracy", "--json", "--format", "csv"], 2, "expected one of them"),
        (["--of", "flips"], 2, "'flips' is not one of"),
        (["--of", "authority"], 1, "no authority to print: no authority task was run"),
        (["--of", "effects", "--outcome", "x"], 1, "invalid outcome 'x'"),
    ],
)
def test_what_cannot_be_printed_is_one_line(words: list[str], code: int, found: str) -> None:
    result = typed("table", ".", *words)
    assert result.exit_code == code
    assert result.stdout == ""
    assert found in result.stderr.splitlines()[-1]


def test_effects_with_unread_answers_have_bounds() -> None:
    unread = table(answers("ABB-" * 10), answers("AAAB" * 10, level=1))
    found = effects_paper_table(effects(unread))
    assert {"read on both sides", "worst case"} <= set(found.columns)
    place = found.columns.index("worst case")
    bounds = [values[place] for part in found.parts for _, values in part.rows]
    assert any(" to " in each for each in bounds)
    read = effects_paper_table(effects(table(answers("ABBA" * 10), answers("AAAB" * 10, level=1))))
    assert "worst case" not in read.columns


def test_what_is_not_known_is_a_dash() -> None:
    row = SimpleNamespace(bound_low=math.nan, bound_high=math.nan, unit="points", factor=100)
    assert _worst_case(row) == "–"
    found = SimpleNamespace(estimate=1.25, low=0.5, high=2.0, scale="mean", versus="m/two")
    assert _compared(found) == "+1.250 [+0.500, +2.000]"
    found.estimate = math.nan
    assert _compared(found) == "–"


def test_a_part_without_a_heading_has_rows_only() -> None:
    part = Part("", (("m/one", ("1",)),))
    made = PaperTable("x", "Caption", "model", ("n",), (part,))
    assert "****" not in as_markdown(made)
    assert "textit" not in as_latex(made)
    assert "multicolumn" not in as_latex(made)
