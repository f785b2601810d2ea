"""What the commands that read logs share: their arguments, and reading with a progress bar."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import pandas as pd
    from rich.progress import Progress

__all__ = ["log_arguments", "output_option", "progress_bar", "read_rows"]

_SHOWN = 20
"""How many lines of a kind are printed on what was not read."""

_NAMED = 50
"""How many logs are named that are skipped for the same reason."""


def _check_logs(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    for path in given:
        if "://" not in path and not os.path.exists(path):
            raise click.BadParameter(f"{path}: no such file or folder; wanted logs (.eval, .json)")
    return given


def _read_aliases(
    context: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> dict[str, str]:
    found = {}
    for text in given:
        model, equals, name = text.partition("=")
        if not (model.strip() and equals and name.strip()):
            raise click.BadParameter(f"{text!r} is not MODEL=NAME")
        found[model.strip()] = name.strip()
    return found


def log_arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the arguments `logs`, `alias` and `unfinished`."""
    for decorate in (
        click.option(
            "--unfinished",
            is_flag=True,
            help="Read samples of unfinished runs too; they are not a fair sample.",
        ),
        click.option(
            "--alias",
            metavar="MODEL=NAME",
            multiple=True,
            callback=_read_aliases,
            help="Another name for a model; once or more. Two models that are both given the same "
            "name are read as one.",
        ),
        click.argument("logs", metavar="LOGS...", nargs=-1, required=True, callback=_check_logs),
    ):
        command = decorate(command)
    return command


def output_option(help: str, *suffixes: str) -> Callable[..., Any]:
    """The option `output` of a command: a file whose name ends in one of some suffixes.

    It is checked before a log is read.
    """

    def check(context: click.Context, parameter: click.Parameter, path: str) -> str:
        if Path(path).suffix.lower() not in suffixes:
            raise click.BadParameter(f"{path!r} does not end in {', '.join(suffixes)}")
        if "://" not in path and not Path(path).absolute().parent.is_dir():
            raise click.BadParameter(f"{path!r}: there is no folder {str(Path(path).parent)!r}")
        return path

    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        type=click.Path(dir_okay=False, writable=True),
        required=True,
        callback=check,
        help=help,
    )


def read_rows(logs: Sequence[str], alias: dict[str, str], unfinished: bool) -> "pd.DataFrame":
    """Read logs, with a progress bar on a terminal, and say what was skipped.

    Raises:
        InputError: There are no logs, or no sample that can be used, or an alias names no model.
    """
    from vr_evals.analysis import read_logs
    from vr_evals.report.results import check_rows

    with progress_bar() as bar:
        task = bar.add_task("reading logs", total=None)

        def went_on(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        rows = read_logs(*logs, unfinished=unfinished, alias=alias, progress=went_on)
    check_rows(rows)
    for line in _read(rows):
        click.echo(line, err=True)
    return rows


@contextmanager
def progress_bar() -> "Iterator[Progress]":
    """A bar on standard error, which is not shown where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        yield bar


def _read(rows: "pd.DataFrame") -> Iterator[str]:
    """What was read; which logs were not, or in part, and why; what else was left out."""
    from vr_evals.analysis.files import file_name
    from vr_evals.report.text import listed, plural, shown

    logs, skipped = rows.attrs["logs"], rows.attrs["skipped"]
    yield f"{plural(len(rows), 'sample')} of {plural(len(logs), 'log')}"
    set_aside = [
        f"set aside: {shown(one['log'], 200)}: {shown(one['reason'], 300)}"
        for one in skipped
        if one["repeated"]
    ]
    yield from _first(set_aside, "log", "set aside likewise")
    partly = [
        f"read in part: {shown(log['log'], 200)}: "
        f"its {', '.join(log['conditions_set_aside'])} is read from another log"
        for log in logs
        if log["conditions_set_aside"]
    ]
    yield from _first(partly, "log", "read in part likewise")
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for one in skipped:
        if not one["repeated"]:
            by_reason[one["reason"]].append(shown(file_name(one["log"]), 200))
    counted = [
        f"{plural(len(names), 'log')} skipped: {shown(reason, 200)}: {listed(names, _NAMED)}"
        for reason, names in sorted(by_reason.items(), key=lambda each: -len(each[1]))
    ]
    yield from _first(counted, "reason", "to skip logs")
    yield from _first([shown(line, 600) for line in rows.attrs["left_out"]], "note", "likewise")


def _first(lines: Sequence[str], what: str, ending: str) -> Iterator[str]:
    """The first of some lines, and how many more there are."""
    from vr_evals.report.text import plural

    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"{plural(len(lines) - _SHOWN, f'more {what}')} {ending}"
