"""Confidence in the document's words, through logs, table and report."""

from pathlib import Path

import pytest

from tests.analysis.frames import in_cell, only
from tests.models.respondents import run
from tests.report.html_page import read
from tests.report.studies import leave_undrawn
from vr_evals.analysis import confidence_category, read_logs
from vr_evals.confidences import category
from vr_evals.report import render


@pytest.mark.slow
def test_categories_by_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_undrawn(monkeypatch)
    for level, stated in ((0, 95), (1, 55)):
        run(
            f"moralchoice_level{level}",
            M={"confidence": stated},
            dataset="sample",
            items=12,
            include_confidence=True,
            log_dir=str(tmp_path),
        )
    table = read_logs(tmp_path).assign(model="vr_sim/careful")
    frame = confidence_category(table)
    assert only(frame, level=0, category="very_high").estimate == 1
    assert only(frame, level=1, category="moderate").estimate == 1
    assert in_cell(frame, category="low")["estimate"].eq(0).all()
    expected = table["confidence"].map(category, na_action="ignore")
    assert (table["confidence_category"] == expected).all()
    section = read(render(table)).section("calibration")
    assert "Categories of stated confidence by level" in section
    assert "Confidences in the expected band by level" in section
