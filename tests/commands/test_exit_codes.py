"""0: done. 1: it ran and something failed, or there is nothing to show. 2: nothing was done."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.analysis.running import run
from tests.commands.running import SMALL
from tests.report.studies import leave_undrawn
from vr_evals.cli import main

RUN = ("run", *SMALL, "--log-dir", "{new}", "--limit", "1")
FAILING = (*RUN, "--retry-attempts", "0", "--solver", "vr_evals/authority")

CASES: list[tuple[int, tuple[str, ...]]] = [
    (0, ("--help",)),
    (0, ("--version",)),
    (2, ("nothing",)),
    (0, ("tasks",)),
    (0, ("tasks", "--json")),
    (2, ("tasks", "ethics")),
    (2, ("tasks", "--benchmark", "ethic")),
    (0, ("thinking", "openai/gpt-5.1")),
    (2, ("thinking",)),
    (2, ("thinking", "--nonsense", "x/y")),
    (0, ("prompts", "ethics_level0", "-T", "dataset=sample")),
    (2, ("prompts",)),
    (2, ("prompts", "ethics_levl0")),
    (2, ("prompts", "ethics_level0", "-T", "dataset=nowhere.csv")),
    (2, ("prompts", "ethics_level0", "-T", "datset=sample")),
    (2, ("prompts", "ethics_level0", "-T", "dataset=sample", "--item", "x")),
    (2, ("prompts", "ethics_level0", "-T", "dataset=sample", "--limit", "0")),
    (0, RUN),
    (0, (*RUN, "--dry-run")),
    (1, FAILING),
    (2, ("run",)),
    (2, (*RUN, "--levels", "7")),
    (2, (*RUN, "--benchmark", "ethic")),
    (2, (*RUN, "-T", "thinking=true")),
    (2, (*RUN, "--model", "nobody/x")),
    (2, (*RUN, "--model", "nobody/x", "--dry-run")),
    (2, (*RUN, "--log-dir", "{file}")),
    *(
        (code, (command, *output, *words))
        for command, output in {
            "table": (),
            "report": ("-o", "{out}.html"),
            "export": ("-o", "{out}.csv"),
        }.items()
        for code, words in [
            (0, ("{logs}",)),
            (0, ("{logs}", "--alias", "vr_sim/careful=C")),
            (1, ("{empty}",)),
            (1, ("{file}",)),
            (2, ()),
            (2, ("{new}",)),
            (2, ("{logs}", "--alias", "careful=C")),
            (2, ("{logs}", "--alias", "careful")),
            (2, ("{logs}", "--nonsense")),
        ]
    ),
    (2, ("report", "{logs}")),
    (2, ("report", "{logs}", "-o", "{out}.pdf")),
    (2, ("export", "{logs}")),
    (2, ("export", "{logs}", "-o", "{out}.xlsx")),
    (2, ("export", "{logs}", "-o", "{new}/rows.csv")),
]


@pytest.fixture(autouse=True)
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_undrawn(monkeypatch)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    run(folder, "ethics_level0", items=2)
    return folder


@pytest.mark.parametrize(("code", "words"), CASES)
def test_exit_codes(code: int, words: tuple[str, ...], logs: Path, tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("empty", "file", "new", "out")}
    places["empty"].mkdir()
    places["file"].write_text("no log", encoding="utf-8")
    result = CliRunner().invoke(main, [word.format(logs=logs, **places) for word in words])
    assert result.exit_code == code, (result.output, result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == (0 if code == 0 or words == FAILING else 1)
