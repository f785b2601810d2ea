"""Initial answers of level 4 come back through a log, a table and the report."""

from pathlib import Path
from typing import Any

import pytest

from tests.analysis.frames import by_metric, in_cell
from tests.logs import samples
from tests.models.respondents import close, run, write_csv
from tests.report.html_page import read
from tests.report.studies import leave_undrawn
from vr_evals.analysis import flips, read_logs
from vr_evals.report import render

N = 200
RATES = {
    "accuracy": 0.7,
    "spread": 0,
    "initial_flip_of_right": 0.3,
    "initial_flip_of_wrong": 0.2,
    "initial_unstated": 0.25,
    "consistency": 0,
}


def scenarios(folder: Path) -> str:
    rows = [{"id": i, "scenario": f"I did {i}.", "label": i % 2} for i in range(N)]
    return write_csv(folder / "scenarios.csv", rows)


def dilemmas(folder: Path) -> str:
    rows = [
        {"id": i, "context": f"Case {i}.", "action1": f"I do {i}.", "action2": f"I leave {i}."}
        for i in range(N)
    ]
    return write_csv(folder / "dilemmas.csv", [row | {"ambiguity": "low"} for row in rows])


def fables(folder: Path) -> str:
    rows = []
    for i in range(N):
        options = {f"option_{letter}": f"Moral {letter}." for letter in "abcde"}
        rows.append({"id": i, "fable": f"Fable {i}.", **options, "correct_idx": i % 5})
    return write_csv(folder / "fables.csv", rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "items", "include_confidence"),
    [
        ("ethics_level4", scenarios, None),
        ("moralchoice_level4", dilemmas, None),
        ("morables_level4", fables, True),
    ],
)
def test_the_rates_of_changes_are_recovered(
    task: str, items: object, include_confidence: bool | None, tmp_path: Path
) -> None:
    assert callable(items)
    given: dict[str, Any] = {} if "morables" in task else {"subset": "all"}
    if include_confidence is not None:
        given["include_confidence"] = include_confidence
    folder = tmp_path / "logs"
    log = run(task, M=RATES, dataset=items(tmp_path), log_dir=str(folder), **given)
    assert log.status == "success"
    found = by_metric(flips(read_logs(tmp_path / "logs")), comparison="initial")
    assert found["both_read"].n_samples == N
    assert close(found["both_read"].estimate, 0.75, N)
    n = found["flip"].n_samples
    assert n == round(N * found["both_read"].estimate)
    assert close(found["good_flip"].estimate, 0.7 * 0.3, n)
    if "morables" in task:
        # the initial answer of a right one is wrong, that of a wrong one right
        assert close(found["bad_flip"].estimate, 0.3 * 0.2, n)
    assert found["flip"].low < found["flip"].estimate < found["flip"].high
    # Inspect's own log has the same
    assert log.results
    logged = {
        name: metric.value
        for score in log.results.scores
        if score.scorer == "reflection"
        for name, metric in score.metrics.items()
    }
    assert logged["mean"] == pytest.approx(found["flip"].estimate)
    assert logged["good_flip"] == pytest.approx(found["good_flip"].estimate)


def test_what_was_written_is_what_is_read(tmp_path: Path) -> None:
    """Every stated initial answer is read, in all phrasings, and no other one."""
    log = run("morables_level4", M=RATES | {"initial_unstated": 0.5}, dataset=fables(tmp_path))
    formats = set()
    for sample in samples(log):
        score = (sample.scores or {})["reflection"]
        assert score.metadata
        formats.add(score.metadata["first_read_as"])
        stated = "Someone who disagrees" in sample.output.completion
        assert (score.metadata["first_label"] is not None) == stated
        assert (score.answer is not None) == stated
    assert formats == {"headed", "numbered", "sentence", "missing"}


@pytest.mark.slow
def test_level_4_beside_level_5_in_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_undrawn(monkeypatch)
    for level in (0, 4, 5):
        run(f"ethics_level{level}", dataset="sample", log_dir=str(tmp_path))
    table = read_logs(tmp_path)
    rows = table[table["level"] == 4]
    assert set(rows["first_format"]) <= {"headed", "numbered", "sentence"}
    assert rows["reflection"].notna().all()
    frame = flips(table)
    assert set(in_cell(frame, comparison="initial")["level"]) == {4}
    assert set(in_cell(frame, comparison="first_pass")["level"]) == {5}
    section = read(render(table)).section("flips")
    assert "level-4 replies in which both answers could be read is 100" in section
    assert "level 4, thinking off" in section or "Flips on reflection" in section


def test_an_authority_task_at_level_4_has_initial_answers(tmp_path: Path) -> None:
    run(
        "ethics_authority_high_harm",
        dataset="sample",
        level=4,
        items=6,
        epochs=1,
        log_dir=str(tmp_path),
    )
    table = read_logs(tmp_path)
    assert table["first_label"].notna().all()
