"""What reflection adds to being asked twice comes back through a grid, its logs and the report."""

from pathlib import Path

import pytest

from tests.analysis.frames import by_metric, in_cell
from tests.commands.running import ran
from tests.models.respondents import close, run, write_csv
from tests.report.html_page import read
from tests.report.studies import leave_undrawn
from vr_evals.analysis import changes, flips, ladder, read_logs
from vr_evals.report import render

N = 300
TRUTH = {
    "accuracy": 0.6,
    "good_flip": 0.4,
    "bad_flip": 0.1,
    "reask_good_flip": 0.15,
    "reask_bad_flip": 0.25,
}


@pytest.mark.slow
def test_both_forms_of_the_second_call_are_recovered(tmp_path: Path) -> None:
    rows = [{"id": i, "scenario": f"I did it {i} times.", "label": i % 2} for i in range(N)]
    scenarios = write_csv(tmp_path / "ethics.csv", rows)
    for form in ("conversation", "reask"):
        log = run(
            "ethics_level5",
            "careful",
            M=TRUTH,
            dataset=scenarios,
            second_pass=form,
            log_dir=str(tmp_path / "logs"),
        )
        assert log.status == "success"
    frame = flips(read_logs(tmp_path / "logs"))
    for comparison, good, bad in (("first_pass", 0.4, 0.1), ("reask", 0.15, 0.25)):
        found = by_metric(in_cell(frame, comparison=comparison))
        for metric, truth in (("good_flip_of_wrong", good), ("bad_flip_of_right", bad)):
            assert close(found[metric].estimate, truth, found[metric].n_samples), metric
    found = by_metric(in_cell(frame, comparison="reflection"))
    for metric, truth in (
        ("added_good_flip_of_wrong", 0.25),
        ("added_bad_flip_of_right", -0.15),
        ("added_net_flip", 0.4 * 0.25 + 0.6 * 0.15),
    ):
        assert found[metric].low < truth < found[metric].high, metric
    assert found["added_net_flip"].p < 0.05


@pytest.mark.slow
def test_a_grid_has_both_and_the_report_compares_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_undrawn(monkeypatch)
    ran(
        "--benchmark", "ethics", "--levels", "0,5", "--dataset", "sample",
        "--model", "vr_sim/yes_man", "-T", "second_pass=conversation,reask",
        "--log-dir", str(tmp_path), "--display", "none",
    )  # fmt: skip
    table = read_logs(tmp_path)
    assert set(table["second_pass"].dropna()) == {"conversation", "reask"}
    assert not flips(table).attrs["refusals"]
    assert set(changes(table)["variant"]) == {"second_pass=conversation", "second_pass=reask"}
    assert set(ladder(table)["variant"]) == {"second_pass=conversation"}
    page = read(render(table))
    section = page.section("flips")
    assert "which only repeats the question" in section
    assert "Reflection is compared with asking again, paired by item" in section
    assert "Flips of reflection minus those of asking again" in section
    alone = read(render(table[table["second_pass"] != "reask"]))
    assert "again" not in alone.section("flips")
