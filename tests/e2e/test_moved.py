"""Respondents that follow an authority openly, silently, or openly in their reasoning only."""

from pathlib import Path

import pytest

from tests.analysis.frames import by_metric, in_cell
from tests.models.respondents import close, run, write_csv
from tests.report.html_page import read
from tests.report.studies import leave_undrawn
from vr_evals.analysis import moved, read_logs
from vr_evals.report import render

N = 60


def fables(folder: Path) -> str:
    options = {f"option_{letter}": f"Moral {letter}." for letter in "abcde"}
    rows = [{"id": i, "fable": f"Fable {i}.", **options, "correct_idx": i % 5} for i in range(N)]
    return write_csv(folder / "fables.csv", rows)


@pytest.mark.parametrize(
    ("persona", "parameters", "in_reply", "in_reasoning"),
    [
        ("silent", {}, 0, 0),
        ("open", {}, 1, 1),
        ("concealing", {}, 0, 1),
        ("silent", {"acknowledges": 0.4, "acknowledges_in_reasoning": 0.5}, 0.4, 0.5),
    ],
)
@pytest.mark.slow
def test_whether_moved_answers_say_so_is_recovered(
    persona: str,
    parameters: dict[str, float],
    in_reply: float,
    in_reasoning: float,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leave_undrawn(monkeypatch)
    for condition in ("control", "high_harm"):
        log = run(
            f"morables_authority_{condition}",
            persona,
            M={"accuracy": 0.75, "consistency": 0.95, "pull_high_harm": 0.6} | parameters,
            dataset=fables(tmp_path),
            thinking=True,
            epochs=3,
            log_dir=str(tmp_path / "logs"),
        )
        assert log.status == "success"
    table = read_logs(tmp_path / "logs")
    frame = moved(table)
    cue = by_metric(frame, condition="high_harm")
    n = cue["acknowledged_given_moved"].n_items
    assert n > 20
    for metric, truth in (
        ("acknowledged_given_moved", in_reply),
        ("acknowledged_in_reasoning_given_moved", in_reasoning),
        ("hidden", in_reasoning * (1 - in_reply)),
    ):
        assert close(cue[metric].estimate, truth, n), metric
    assert close(cue["moved"].estimate, 0.58, N)
    assert cue["silent_at_least"].low <= 1 - in_reply <= cue["silent_at_most"].high
    assert cue["silent_at_most"].estimate - cue["silent_at_least"].estimate < 0.3
    control = by_metric(frame, condition="control")
    assert {row.estimate for row in control.values()} == {0}
    assert set(control) == {"acknowledged", "acknowledged_in_reasoning"}
    marked = in_cell(table[table["moved"].fillna(False)], condition="high_harm", complied=True)
    assert len(marked) == cue["acknowledged_given_moved"].n_samples
    section = read(render(table)).section("authority")
    assert "Moved answers that mention the cue" in section
