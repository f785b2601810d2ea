"""What ``vr-evals run`` and ``report --watch`` say in the end, whatever ran."""

from types import SimpleNamespace
from typing import Any

import click
import pandas as pd
import pytest

from tests.analysis.frames import answers, table
from vr_evals.analysis.log_cache import CacheWarning
from vr_evals.commands.log_rows import read_rows
from vr_evals.commands.report import _watch
from vr_evals.commands.run import _run, _run_driven


def header(status: str, failed: int = 0, message: str | None = None) -> Any:
    return SimpleNamespace(
        status=status,
        error=message and SimpleNamespace(message=message),
        eval=SimpleNamespace(task="ethics_level0", model="m/one"),
        results=SimpleNamespace(total_samples=4, completed_samples=4 - failed),
    )


def test_an_error_of_the_folder_is_one_line() -> None:
    def refuse() -> Any:
        raise OSError(28, "No space\nleft")

    with pytest.raises(click.ClickException, match="^run stopped: .*No space left") as error:
        _run(refuse)
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("headers", "line"),
    [
        ([header("success")], None),
        ([header("success", failed=1)], "ethics_level0 on m/one: 1 of 4 samples failed"),
        ([header("error", message="no\nkey")], "ethics_level0 on m/one: no key"),
        ([header("started")], "ethics_level0 on m/one: started"),
    ],
)
def test_failures_are_said_by_log(
    headers: list[Any], line: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(lambda: (True, headers)) == (True, headers)
    assert capsys.readouterr().err.splitlines() == [line] * bool(line)


@pytest.mark.parametrize(
    ("succeeded", "headers", "code", "said"),
    [
        (True, [header("success")] * 2, 0, "worker: 2 of 2 selected logs succeeded"),
        (False, [header("success"), header("error")], 1, "worker: 1 of 2 selected"),
        (True, [], 1, "worker: 0 of 0 selected"),
    ],
)
def test_a_worker_answers_for_its_own_logs(
    succeeded: bool,
    headers: list[Any],
    code: int,
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    prepared: Any = SimpleNamespace(run=lambda: (succeeded, headers))
    assert _run_driven(prepared) == code
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_watch_without_a_page_ends_as_it_was_ended(
    interrupted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def changes(*given: object) -> Any:
        if interrupted:
            raise KeyboardInterrupt
        return iter(())

    def write(rows: pd.DataFrame) -> None:
        raise AssertionError("nothing was read")

    monkeypatch.setattr("vr_evals.commands.watch.changes_of_logs", changes)
    if interrupted:
        with pytest.raises(KeyboardInterrupt):
            _watch(("logs",), {}, False, "x.html", write)
    else:
        _watch(("logs",), {}, False, "x.html", write)
    assert capsys.readouterr() == ("", "")


def test_warnings_of_the_cache_are_lines_and_others_stay_warnings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import warnings

    rows = table(answers("AB"))
    rows.attrs |= {"logs": [], "skipped": [], "notes": []}

    def read(*logs: str, **given: Any) -> pd.DataFrame:
        warnings.warn("cache\x1b is full", CacheWarning, stacklevel=1)
        warnings.warn("other", UserWarning, stacklevel=1)
        return rows

    monkeypatch.setattr("vr_evals.analysis.read_logs", read)
    with pytest.warns(UserWarning, match="^other$") as caught:
        assert read_rows(["logs"], {}, False, summary=False) is rows
    assert [str(each.message) for each in caught] == ["other"]
    assert capsys.readouterr().err == "warning: cache\\x1b is full\n"
