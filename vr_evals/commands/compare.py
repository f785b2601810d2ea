"""``vr-evals compare``: models on any Inspect task, sample by sample."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from vr_evals.commands.log_rows import any_log_arguments, output_option

if TYPE_CHECKING:
    import pandas as pd

    from vr_evals.analysis.scored_logs import ScoredLogs
    from vr_evals.commands.paper_tables import PaperTable

__all__ = ["compare", "cluster_option", "read_any_logs"]

_FORMATS = ("text", "markdown", "latex", "csv", "json")


def cluster_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `cluster`."""
    return click.option(
        "--cluster",
        metavar="KEY",
        help="Metadata of samples that names their cluster, e.g. the passage they are about.",
    )(command)


@click.command()
@any_log_arguments
@cluster_option
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="How the table is printed; csv and json have all columns as numbers.",
)
@click.option(
    "--scorer",
    "scorers",
    metavar="NAME",
    multiple=True,
    help="Only this scorer, or SCORER/KEY for one key of its scores; repeatable.",
)
@click.option("--items", is_flag=True, help="Print who was better on which samples.")
@output_option("An .html page to write instead.", ".html", ".htm", required=False)
@click.option("--title", metavar="TEXT", help="Heading of the page.")
@click.option("--full", is_flag=True, help="Unfold all sections of the page.")
def compare(
    logs: tuple[str, ...],
    alias: dict[str, str],
    unfinished: bool,
    cluster: str | None,
    form: str,
    scorers: tuple[str, ...],
    items: bool,
    output: str | None,
    title: str | None,
    full: bool,
) -> None:
    """Compare models on the same samples of any Inspect task.

    LOGS are files, folders or URLs, of any number of models and tasks. For each task and score:
    each model's mean with its interval, and the paired difference of each two models with its
    interval, p, and p after Holm's correction. Rates are in per cent, their differences in
    percentage points. p is adjusted over all differences that are compared: choose with --scorer
    before you look.

    Logs of different task versions, arguments, data sets or sample ids are not compared. What is
    not compared or left out is printed to standard error.
    """
    from vr_evals.analysis.compare_logs import (
        check_comparable,
        compare_items,
        compare_tasks,
        scored_tasks,
    )
    from vr_evals.commands.log_rows import progress_bar
    from vr_evals.formatting import shown

    if (title or full) and not output:
        raise click.UsageError("--title and --full need -o FILE.html")
    if output and (items or form != "text"):
        raise click.UsageError("-o: the page has all tables; --items and --format print one")
    if output:
        from vr_evals.report.page import NEEDS, check_extra

        check_extra(*NEEDS)
    tasks = scored_tasks(read_any_logs(logs, alias, unfinished, cluster), scorers)
    with progress_bar() as bar:
        bar.add_task("comparing", total=None)
        frame = compare_tasks(tasks)
        check_comparable(frame)
        if output:
            from vr_evals.report.comparison import write_comparison

            write_comparison(tasks, output, title=title, full=full)
        elif items:
            frame = compare_items(tasks)
    for note in (*frame.attrs["refusals"], *frame.attrs["notes"]):
        click.echo(shown(note, 1000), err=True)
    if output:
        click.echo(output)
    else:
        _print(frame, form, _items_table if items else _table)


def read_any_logs(
    logs: tuple[str, ...], alias: dict[str, str], unfinished: bool, cluster: str | None
) -> "ScoredLogs":
    """Read logs of any task, with a progress bar on a terminal.

    Raises:
        InputError: As for `read_scored_logs`.
    """
    from vr_evals.analysis.scored_logs import read_scored_logs
    from vr_evals.commands.log_rows import reading_progress

    with reading_progress() as progress:
        return read_scored_logs(
            logs, unfinished=unfinished, alias=alias, cluster=cluster, progress=progress
        )


def _print(
    frame: "pd.DataFrame", form: str, paper_table: "Callable[[pd.DataFrame], PaperTable]"
) -> None:
    from vr_evals.commands.paper_tables import FORMATS
    from vr_evals.commands.printed_frames import frame_as_csv, frame_as_json

    if form == "json":
        click.echo(frame_as_json(frame))
    elif form == "csv":
        click.echo(frame_as_csv(frame), nl=False)
    else:
        click.echo(FORMATS[form](paper_table(frame)))


def _table(frame: "pd.DataFrame") -> "PaperTable":
    from vr_evals.commands.paper_tables import compared_paper_table

    return compared_paper_table(frame)


def _items_table(frame: "pd.DataFrame") -> "PaperTable":
    from vr_evals.commands.paper_tables import compared_items_paper_table

    return compared_items_paper_table(frame)
