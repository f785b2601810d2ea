"""Shared by the commands that read logs: their arguments, and reading with a progress bar."""

import os
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import pandas as pd
    from rich.progress import Progress

__all__ = [
    "any_log_arguments",
    "log_arguments",
    "no_results",
    "output_option",
    "progress_bar",
    "read_rows",
    "reading_progress",
]

_SHOWN = 20
"""Lines of a kind that are printed on what was not read."""

_NAMED = 50
"""Logs skipped for the same reason that are named."""


def _check_logs(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    for path in given:
        if "://" not in path and not os.path.exists(path):
            raise click.BadParameter(
                f"no such file or folder '{path}': expected logs (.eval, .json)"
            )
    return given


def _read_aliases(
    context: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        model, equals, name = text.partition("=")
        if not (model.strip() and equals and name.strip()):
            raise click.BadParameter(f"invalid alias '{text}': expected MODEL=NAME")
        if found.setdefault(model.strip(), name.strip()) != name.strip():
            raise click.BadParameter(f"invalid alias '{text}': '{model.strip()}' has another name")
    return found


_NO_CACHE = "vr_evals.no_cache"
"""Key in the context of a command."""


def _note_no_cache(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    context.meta[_NO_CACHE] = given  # for `read_rows`: no command has another use for it


def log_arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the arguments `logs`, `alias` and `unfinished`, and the option --no-cache."""
    no_cache = click.option(
        "--no-cache",
        is_flag=True,
        expose_value=False,
        callback=_note_no_cache,
        help="Read all logs anew, and keep nothing of them in the cache.",
    )
    return any_log_arguments(no_cache(command))


def any_log_arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that reads logs of any task the arguments `logs`, `alias` and `unfinished`."""
    for decorate in (
        click.option(
            "--unfinished",
            is_flag=True,
            help="Also read unfinished runs; their samples are not a random sample.",
        ),
        click.option(
            "--alias",
            metavar="MODEL=NAME",
            multiple=True,
            callback=_read_aliases,
            help="Rename a model; repeatable. Models given the same name are read as one.",
        ),
        click.argument("logs", metavar="LOGS...", nargs=-1, required=True, callback=_check_logs),
    ):
        command = decorate(command)
    return command


def output_option(help: str, *suffixes: str, required: bool = True) -> Callable[..., Any]:
    """Give a command the option `output`, whose suffix and folder are checked before reading."""

    def check(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
        if path is None:
            return None
        if Path(path).suffix.lower() not in suffixes:
            raise click.BadParameter(f"invalid file '{path}': expected {' or '.join(suffixes)}")
        if "://" not in path and not Path(path).absolute().parent.is_dir():
            raise click.BadParameter(f"invalid file '{path}': no folder '{Path(path).parent}'")
        return path

    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        type=click.Path(dir_okay=False, writable=True),
        required=required,
        callback=check,
        help=help,
    )


def read_rows(
    logs: Sequence[str], alias: dict[str, str], unfinished: bool, *, summary: bool = True
) -> "pd.DataFrame":
    """Read logs, with a progress bar on a terminal, and print what was skipped.

    Args:
        logs: Files, folders and URLs.
        alias: New names of models.
        unfinished: Whether unfinished runs are read, too.
        summary: Whether to print what was read and what was skipped.

    Raises:
        InputError: There are no logs, no usable samples, or an alias matches no model.
    """
    from vr_evals.analysis import read_logs
    from vr_evals.analysis.checks import check_rows
    from vr_evals.analysis.log_cache import CacheWarning
    from vr_evals.formatting import shown

    context = click.get_current_context(silent=True)
    cache = not (context and context.meta.get(_NO_CACHE))
    with reading_progress() as progress, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CacheWarning)
        rows = read_logs(*logs, unfinished=unfinished, alias=alias, progress=progress, cache=cache)
    for one in caught:
        if issubclass(one.category, CacheWarning):
            click.echo(f"warning: {shown(str(one.message), 400)}", err=True)
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    check_rows(rows)
    for line in _read_summary(rows) if summary else ():
        click.echo(line, err=True)
    return rows


def no_results(rows: "pd.DataFrame") -> Iterator[str]:
    """Yield lines on simulated respondents and sample data, which are no results."""
    from vr_evals.formatting import listed, shown

    for column, of, words in (
        ("simulated", "model", "simulated respondents, not evidence about any real model"),
        ("sample_data", "benchmark", "shipped sample of items, no result on the benchmark"),
    ):
        names = rows.loc[rows[column].fillna(False), of].dropna().unique()
        if len(names):
            yield f"{words}: {listed(shown(name, 60) for name in sorted(names))}"


@contextmanager
def reading_progress() -> "Iterator[Callable[[int, int], None]]":
    """Show how far logs are read; yields what takes the numbers of those read and of all."""
    with progress_bar() as bar:
        task = bar.add_task("reading logs", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def progress_bar() -> "Iterator[Progress]":
    """Show a bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        yield bar


def _read_summary(rows: "pd.DataFrame") -> Iterator[str]:
    """Lines on what was read, the logs that were not or only partly, and what else was left out."""
    from vr_evals.analysis.files import file_name
    from vr_evals.formatting import listed, plural, shown

    logs, skipped = rows.attrs["logs"], rows.attrs["skipped"]
    yield f"{plural(len(rows), 'sample')} from {plural(len(logs), 'log')}"
    repeated = [
        f"skipped: {shown(one['log'], 200)}: {shown(one['reason'], 300)}"
        for one in skipped
        if one["repeated"]
    ]
    yield from _first(repeated, "log", "skipped, same reason")
    partly = [
        f"partly read: {shown(log['log'], 200)}: "
        f"{', '.join(log['conditions_set_aside'])} read from another log"
        for log in logs
        if log["conditions_set_aside"]
    ]
    yield from _first(partly, "log", "partly read, same reason")
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for one in skipped:
        if not one["repeated"]:
            by_reason[one["reason"]].append(shown(file_name(one["log"]), 200))
    counted = [
        f"{plural(len(names), 'log')} skipped: {shown(reason, 200)}: {listed(names, _NAMED)}"
        for reason, names in sorted(by_reason.items(), key=lambda each: -len(each[1]))
    ]
    yield from _first(counted, "reason", "to skip logs")
    yield from _first([shown(line, 600) for line in rows.attrs["left_out"]], "note", "not shown")


def _first(lines: Sequence[str], what: str, ending: str) -> Iterator[str]:
    """The first of some lines, and how many more there are."""
    from vr_evals.formatting import plural

    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"{plural(len(lines) - _SHOWN, f'more {what}')} {ending}"
