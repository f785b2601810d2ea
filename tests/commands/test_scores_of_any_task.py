"""``compare`` and ``export --layout`` on logs that were read: notes, and what is refused."""

from pathlib import Path

import pandas as pd
import pytest

from tests.analysis.scored import log, sample
from tests.commands.running import typed
from vr_evals.analysis.scored_logs import ScoredLogs


def put(monkeypatch: pytest.MonkeyPatch, *models: str) -> None:
    """Let commands read logs of these models."""
    logs = [
        log(model, *(sample(f"i{n}", (n + place) % 3 / 2) for n in range(6)))
        for place, model in enumerate(models)
    ]
    read = ScoredLogs(tuple(logs), ("1 log skipped: unfinished run: b.eval",))
    for command in ("compare", "export"):
        monkeypatch.setattr(f"vr_evals.commands.{command}.read_any_logs", lambda *given: read)


def test_notes_are_printed_beside_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, "m/one", "m/two")
    done = typed("compare", ".")
    assert done.exit_code == 0, done.output
    assert "1 log skipped: unfinished run: b.eval" in done.stderr.splitlines()
    assert "m/two" in done.stdout


def test_a_layout_is_written_and_its_notes_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    put(monkeypatch, "m/one", "m/two")
    path = tmp_path / "wide.csv"
    done = typed("export", ".", "--layout", "wide", "-o", path)
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{path}\n"
    assert "1 log skipped: unfinished run: b.eval" in done.stderr.splitlines()
    assert {"m/one", "m/two"} <= set(pd.read_csv(path).columns)


@pytest.mark.parametrize(
    ("words", "model", "code", "message"),
    [
        (("--frame", "effects"), "m", 2, "--layout and --frame effects: expected one of them"),
        ((), "scorer", 1, "model 'scorer' is the name of a column: give it an --alias"),
    ],
)
def test_what_cannot_be_laid_out_is_one_line(
    words: tuple[str, ...],
    model: str,
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    put(monkeypatch, model)
    done = typed("export", ".", "--layout", "wide", "-o", tmp_path / "x.csv", *words)
    assert done.exit_code == code
    assert done.stderr.splitlines()[-1].endswith(message)
    assert not list(tmp_path.iterdir())
