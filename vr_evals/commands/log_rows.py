"""What the commands that read logs share: their arguments, and reading with a progress bar."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import pandas as pd
    from rich.progress import Progress

__all__ = ["log_arguments", "progress_bar", "read_rows"]


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
            help="Another name for a model; once or more.",
        ),
        click.argument("logs", metavar="LOGS...", nargs=-1, required=True),
    ):
        command = decorate(command)
    return command


def read_rows(logs: Sequence[str], alias: dict[str, str], unfinished: bool) -> "pd.DataFrame":
    """Read logs, with a progress bar on a terminal, and say what was skipped.

    Raises:
        InputError: There are no logs, or no sample that can be used.
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
    """What was read, and how many logs were not, by reason."""
    from collections import Counter

    from vr_evals.report.text import plural, shown

    yield f"{plural(len(rows), 'sample')} of {plural(len(rows.attrs['logs']), 'log')}"
    skipped = rows.attrs["skipped"]
    repeated = sum(one["repeated"] for one in skipped)
    if repeated:
        yield f"{plural(repeated, 'log')} set aside: another holds the same"
    reasons = Counter(one["reason"] for one in skipped if not one["repeated"])
    for reason, n in reasons.most_common(5):
        yield f"{plural(n, 'log')} skipped: {shown(reason, 200)}"
    if len(reasons) > 5:
        yield f"{plural(len(reasons) - 5, 'more reason')} to skip logs"
