"""``vr-evals report``: one page of results and warnings."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from vr_evals.commands.log_rows import log_arguments, output_option

if TYPE_CHECKING:
    import pandas as pd

    from vr_evals.analysis.plans import Plan

__all__ = ["report"]


@click.command()
@log_arguments
@output_option("The .html file to write, e.g. report.html.", ".html", ".htm")
@click.option("--title", metavar="TEXT", help="Heading of the page.")
@click.option("--full", is_flag=True, help="Unfold all sections, e.g. to print all of them.")
@click.option(
    "--primary",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="A YAML file that names the primary effects of the study.",
)
@click.option(
    "--margin",
    metavar="POINTS",
    type=click.FloatRange(min=0, min_open=True),
    help="The least effect of interest, to show that others are smaller.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Make the page again whenever a log is added or finished, until Ctrl-C.",
)
def report(
    logs: tuple[str, ...],
    alias: dict[str, str],
    unfinished: bool,
    output: str,
    title: str | None,
    full: bool,
    primary: str | None,
    margin: float | None,
    watch: bool,
) -> None:
    """Write a self-contained HTML page on LOGS: files, folders or URLs.

    It needs no network and can be mailed. docs/reading-a-report.md explains how to read it.
    """
    from vr_evals.analysis.plans import as_plan
    from vr_evals.commands.log_rows import read_rows
    from vr_evals.report.page import NEEDS, check_extra

    check_extra(*NEEDS)
    plan = primary and as_plan(primary)
    write = partial(_write, output=output, title=title, full=full, primary=plan, margin=margin)
    if watch:
        _watch(logs, alias, unfinished, output, write)
        return
    write(read_rows(logs, alias, unfinished))
    click.echo(output)


def _watch(
    logs: tuple[str, ...],
    alias: dict[str, str],
    unfinished: bool,
    output: str,
    write: Callable[["pd.DataFrame"], None],
) -> None:
    """Write the page whenever logs change, until Ctrl-C, which is no error once there is a page.

    Logs that cannot be read, or not yet, are waited for: the old page is left as it is.
    """
    from vr_evals.commands.log_rows import read_rows
    from vr_evals.commands.watch import changes_of_logs
    from vr_evals.errors import InputError
    from vr_evals.formatting import plural

    pages = 0
    try:
        for _ in changes_of_logs(logs, unfinished):
            try:
                rows = read_rows(logs, alias, unfinished, summary=not pages)
            except InputError as error:
                click.echo(f"{_now()} waiting for logs: {error.message}", err=True)
                continue
            write(rows)
            pages += 1
            if pages == 1:
                click.echo(output)
                click.echo("watching the logs; end with Ctrl-C", err=True)
                continue
            read, skipped = (len(rows.attrs[name]) for name in ("logs", "skipped"))
            also = f", {plural(skipped, 'log')} skipped" if skipped else ""
            counts = f"{plural(len(rows), 'sample')} from {plural(read, 'log')}{also}"
            click.echo(f"{_now()} {output}: {counts}", err=True)
    except KeyboardInterrupt:
        if not pages:
            raise
        click.echo(f"stopped watching; {output} was made {plural(pages, 'time')}", err=True)


def _now() -> str:
    return f"{datetime.now():%H:%M:%S}"


def _write(
    rows: "pd.DataFrame",
    output: str,
    title: str | None,
    full: bool,
    primary: "Plan | None",
    margin: float | None,
) -> None:
    """Write the page, with a progress bar on a terminal."""
    from vr_evals.commands.log_rows import progress_bar
    from vr_evals.report import write_report

    with progress_bar() as bar:
        task = bar.add_task("comparing", total=None)

        def on_progress(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        write_report(
            rows,
            output,
            title=title,
            full=full,
            primary=primary,
            margin=margin,
            progress=on_progress,
        )
