"""Respondents that do, or skip, what their level asks for, through logs and the report."""

from pathlib import Path

import pytest

from tests.analysis.frames import only
from tests.models.respondents import close, run, write_csv
from tests.report.html_page import read
from tests.report.studies import leave_undrawn
from vr_evals.analysis import level_check, read_logs
from vr_evals.level_checks import LEVEL_CHECKS
from vr_evals.report import render
from vr_evals.report.results import compute
from vr_evals.report.sections.overview import page_warnings

N = 100


@pytest.mark.slow
def test_the_rate_of_skipped_reasoning_is_recovered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_undrawn(monkeypatch)
    rows = [{"id": i, "scenario": f"I did {i}.", "label": i % 2} for i in range(N)]
    items = write_csv(tmp_path / "scenarios.csv", rows)
    logs = tmp_path / "logs"
    for level, skips in ((0, 0.0), (2, 0.9), (3, 0.3), (4, 0.0)):
        rates = {"skips_reasoning": skips, "initial_unstated": 0.4}
        run(f"ethics_level{level}", M=rates, dataset=items, subset="all", log_dir=str(logs))
    # the arguments of a respondent are in its name
    table = read_logs(logs).assign(model="vr_sim/careful")
    frame = level_check(table)

    def share(level: int, metric: str) -> float:
        return float(only(frame, level=level, metric=metric).estimate)

    assert share(0, "answer_only") == 1
    assert share(0, "reasoned") == share(0, "both_sides") == share(0, "named_principles") == 0
    assert close(share(2, "answer_only"), 0.9, N)
    assert share(2, "reasoned") == pytest.approx(1 - share(2, "answer_only"))
    assert close(share(3, "named_principles"), 0.7, N)
    assert share(3, "both_sides") == 0
    assert close(share(4, "both_sides"), 0.6, N)
    assert only(frame, level=0, metric="visible_words").estimate < 3
    assert only(frame, level=2, metric="answer_only").undetermined == 0
    assert only(frame, level=4, metric="both_sides").undetermined == pytest.approx(
        1 - share(4, "both_sides")
    )
    page = read(render(table))
    section = page.section("accuracy")
    assert "What replies show of the demands of their level" in section
    assert "the share of replies that are nothing but an answer is 100" in section
    warned = [warning.text for warning in page_warnings(compute(table))]
    assert any("at least 50% of replies are nothing but an answer" in text for text in warned)
    assert any("The ladder was not climbed" in text for text in warned)
    climbed = page_warnings(compute(table[table["level"] != 2]))
    assert not any("not climbed" in warning.text for warning in climbed)
    # a log of an older version has no checks
    older = table.assign(visible_words=table["visible_words"].mask(table["item"].notna()))
    assert "demands of their level" not in read(render(older)).section("accuracy")
    assert not any("not climbed" in warning.text for warning in page_warnings(compute(older)))


@pytest.mark.parametrize("task", ["moralchoice", "morables"])
def test_every_level_of_the_sample_is_checked(task: str, tmp_path: Path) -> None:
    for level in (1, 3, 5):
        run(f"{task}_level{level}", dataset="sample", items=8, log_dir=str(tmp_path))
    frame = level_check(read_logs(tmp_path))
    assert set(frame["metric"]) == {*LEVEL_CHECKS, "visible_words"}
    assert only(frame, level=1, metric="answer_only").estimate == 1
    assert only(frame, level=3, metric="named_principles").estimate == 1
    assert only(frame, level=5, metric="reasoned").estimate == 1
