"""Shared by the commands that read logs: their arguments, and reading with a progress bar."""

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

_MAX_LINES = 20
"""Lines printed per kind of skipped logs."""

_MAX_NAMED = 50
"""Logs named per reason for skipping."""


def _check_logs(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    for path in given:
        if "://" not in path and not os.path.exists(path):
            raise click.BadParameter(
                f"invalid path {path!r}: expected an existing log (.eval, .json) or folder of logs"
            )
    return given


def _read_aliases(
    context: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> dict[str, str]:
    found = {}
    for text in given:
        model, equals, name = text.partition("=")
        if not (model.strip() and equals and name.strip()):
            raise click.BadParameter(f"invalid value {text!r}: expected MODEL=NAME")
        found[model.strip()] = name.strip()
    return found


def log_arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the arguments `logs`, `alias` and `unfinished`."""
    for decorate in (
        click.option(
            "--unfinished",
            is_flag=True,
            help="Include unfinished runs, whose samples are not a random subset.",
        ),
        click.option(
            "--alias",
            metavar="MODEL=NAME",
            multiple=True,
            callback=_read_aliases,
            help="Rename a model; repeatable. Models renamed to the same name are one model.",
        ),
        click.argument("logs", metavar="LOGS...", nargs=-1, required=True, callback=_check_logs),
    ):
        command = decorate(command)
    return command


def output_option(help: str, *suffixes: str) -> Callable[..., Any]:
    """Return the option `output`: a file with one of the suffixes, checked before reading logs."""

    def check(context: click.Context, parameter: click.Parameter, path: str) -> str:
        if Path(path).suffix.lower() not in suffixes:
            raise click.BadParameter(
                f"invalid file {path!r}: expected the suffix {' or '.join(suffixes)}"
            )
        if "://" not in path and not Path(path).absolute().parent.is_dir():
            raise click.BadParameter(
                f"invalid file {path!r}: folder {str(Path(path).parent)!r} does not exist"
            )
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
    """Read logs, with a progress bar on a terminal, and print what was skipped.

    Raises:
        InputError: There are no logs or no valid samples, or an alias is for an unknown model.
    """
    from vr_evals.analysis import read_logs
    from vr_evals.report.results import check_rows

    with progress_bar() as bar:
        task = bar.add_task("reading logs", total=None)

        def on_progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        rows = read_logs(*logs, unfinished=unfinished, alias=alias, progress=on_progress)
    check_rows(rows)
    for line in _summary(rows):
        click.echo(line, err=True)
    return rows


@contextmanager
def progress_bar() -> "Iterator[Progress]":
    """Show a progress bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        yield bar


def _summary(rows: "pd.DataFrame") -> Iterator[str]:
    """Yield lines on what was read, skipped (with reasons), partly read and left out."""
    from vr_evals.analysis.files import file_name
    from vr_evals.report.text import listed, plural, shown

    logs, skipped = rows.attrs["logs"], rows.attrs["skipped"]
    yield f"{plural(len(rows), 'sample')} of {plural(len(logs), 'log')}"
    repeated = [
        f"skipped: {shown(one['log'], 200)}: {shown(one['reason'], 300)}"
        for one in skipped
        if one["repeated"]
    ]
    yield from _first(repeated, "log", "skipped, same reason")
    partly = [
        f"partly read: {shown(log['log'], 200)}: "
        f"{', '.join(log['conditions_set_aside'])} skipped, read from another log"
        for log in logs
        if log["conditions_set_aside"]
    ]
    yield from _first(partly, "log", "partly read, same reason")
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for one in skipped:
        if not one["repeated"]:
            by_reason[one["reason"]].append(shown(file_name(one["log"]), 200))
    counted = [
        f"{plural(len(names), 'log')} skipped: {shown(reason, 200)}: {listed(names, _MAX_NAMED)}"
        for reason, names in sorted(by_reason.items(), key=lambda each: -len(each[1]))
    ]
    yield from _first(counted, "reason", "for skipped logs")
    yield from _first([shown(line, 600) for line in rows.attrs["left_out"]], "note", "of this kind")


def _first(lines: Sequence[str], what: str, ending: str) -> Iterator[str]:
    """Yield the first lines, and the number of the rest."""
    from vr_evals.report.text import plural

    yield from lines[:_MAX_LINES]
    if len(lines) > _MAX_LINES:
        yield f"{plural(len(lines) - _MAX_LINES, f'more {what}')} {ending}"
