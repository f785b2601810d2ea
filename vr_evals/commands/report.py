"""``vr-evals report``: one page of results and warnings."""

import click

from vr_evals.commands.log_rows import log_arguments, output_option

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
def report(
    logs: tuple[str, ...],
    alias: dict[str, str],
    unfinished: bool,
    output: str,
    title: str | None,
    full: bool,
    primary: str | None,
    margin: float | None,
) -> None:
    """Write a self-contained HTML page on LOGS: files, folders or URLs.

    It needs no network and can be mailed. docs/reading-a-report.md explains how to read it.
    """
    from vr_evals.commands.log_rows import progress_bar, read_rows
    from vr_evals.report import write_report
    from vr_evals.report.page import NEEDS, check_extra

    check_extra(*NEEDS)
    rows = read_rows(logs, alias, unfinished)
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
    click.echo(output)
