"""Cells under a condition are on the page, each by itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pandas as pd
import pytest

from tests.analysis.frames import answer, table
from tests.report.studies import HOSTILE, authority_study, ladder_study, leave_undrawn, results_of
from vr_evals.report.blocks import Section, Table
from vr_evals.report.results import Results
from vr_evals.report.sections.accuracy import accuracy_section
from vr_evals.report.sections.agreement import agreement_section
from vr_evals.report.sections.calibration import calibration_section
from vr_evals.report.sections.cost import cost_section
from vr_evals.report.sections.flips import flips_section


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_undrawn(monkeypatch)


CONDITIONS = ["control", "high help", "high harm", "low help", "low harm"]


def authority(**columns: Any) -> pd.DataFrame:
    """The authority study with confidences, which differ between items."""
    rows = authority_study().assign(**columns)
    rows["confidence"] = [50.0 + 10 * (number % 5) for number in range(len(rows))]
    return rows


def column(found: Table, heading: str) -> list[str]:
    """The texts of a column; dashes if the table has none of that name."""
    headings = [each.heading for each in found.columns]
    if heading not in headings:
        return ["–"] * len(found.rows)
    return [row[headings.index(heading)] for row in found.rows]


@cache
def both() -> Results:
    """A ladder and an authority study in one table."""
    return results_of(pd.concat([ladder_study(), authority()], ignore_index=True))


@pytest.mark.parametrize(
    ("make", "titles"),
    [
        (accuracy_section, ["Accuracy by level", "Accuracy by condition"]),
        (agreement_section, ["Agreement by level", "Agreement by condition"]),
        (
            calibration_section,
            [
                f"Expected calibration error{which} ({scale} scale)"
                for scale in ("stated", "chance-adjusted")
                for which in ("", " by condition")
            ],
        ),
    ],
)
def test_conditions_have_a_chart_of_their_own(
    make: Callable[[Results], Section], titles: list[str]
) -> None:
    charts = {chart.title: chart for chart in make(both()).charts}
    assert [title for title in charts if title in titles] == titles
    for title in titles:
        of_conditions = "condition" in title
        shown = column(charts[title].table, "condition")
        assert set(shown) == (set(CONDITIONS) if of_conditions else {"–"})
        named = [name for name in CONDITIONS if f">{name}</text>" in charts[title].panels[0].svg]
        assert named == (CONDITIONS if of_conditions else [])


@pytest.mark.usefixtures("undrawn")
def test_conditions_are_never_averaged() -> None:
    [chart] = accuracy_section(results_of(authority())).charts
    cells = zip(
        column(chart.table, "condition"), column(chart.table, "accuracy [95%]"), strict=True
    )
    assert {name: text.partition(" ")[0] for name, text in cells} == {
        name: "0.0%" if name == "high harm" else "100.0%" for name in CONDITIONS
    }


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    "study",
    [both, lambda: results_of(authority()), lambda: results_of(ladder_study())],
    ids=["both", "authority", "ladder"],
)
def test_no_row_is_lost(study: Callable[[], Results]) -> None:
    results = study()
    for make, frame, metrics in (
        (accuracy_section, results["accuracy"], ["accuracy"]),
        (agreement_section, results["agreement"], ["agreement"]),
        (calibration_section, results["calibration"], ["ece", "ece_floor"]),
    ):
        charts = [
            chart for chart in make(results).charts if not chart.title.startswith("Reliability")
        ]
        wanted = frame["metric"].isin(metrics) & (frame["n_items"] > 0)
        assert sum(len(chart.table.rows) for chart in charts) == int(wanted.sum())


@pytest.mark.usefixtures("undrawn")
def test_reliability_is_by_condition_and_pools_none() -> None:
    charts = {chart.title: chart for chart in calibration_section(both()).charts}
    pooled = charts["Reliability, all levels (stated scale)"]
    assert set(column(pooled.table, "condition")) == {"–"}
    apart = charts["Reliability by condition (stated scale)"]
    assert set(column(apart.table, "condition")) == set(CONDITIONS)
    assert sum(int(n) for n in column(apart.table, "answers")) == len(authority())


@pytest.mark.usefixtures("undrawn")
def test_rows_that_no_chart_draws_are_in_its_table() -> None:
    crossed = [
        authority(level=level, output_tokens=5).astype({"level": "Int64"}) for level in (0, 2)
    ]
    alone = results_of(pd.concat(crossed, ignore_index=True))
    [chart] = flips_section(alone).charts
    assert not chart.panels
    assert set(column(chart.table, "condition")) == set(CONDITIONS)
    assert "Under a condition, from level 0, " in flips_section(alone).findings[0]
    beside = results_of(pd.concat([ladder_study(epochs=1), *crossed], ignore_index=True))
    for section in (flips_section(beside), cost_section(beside)):
        assert section.charts[0].panels
        assert section.charts[0].how_to_read.endswith(
            "Cells under a condition are only in the table."
        )
    assert "only in the table" not in cost_section(results_of(ladder_study())).charts[0].how_to_read


def test_conditions_of_other_paradigms_follow_in_their_order() -> None:
    names = ["low_anchor", "control", "high_anchor", HOSTILE["script"]]
    rows = table(
        answer(f"i{number}", "A", level=None, condition=name)
        for name in names
        for number in range(5)
    )
    [chart] = accuracy_section(results_of(rows)).charts
    shown = column(chart.table, "condition")
    assert shown == ["control", HOSTILE["script"], "high anchor", "low anchor"]
    assert "<script" not in chart.panels[0].svg
    assert "low anchor" in chart.panels[0].svg
