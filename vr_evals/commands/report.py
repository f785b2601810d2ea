"""``vr-evals report``: one page on what happened, and what not to believe."""

import click

from vr_evals.commands.log_rows import log_arguments, output_option

__all__ = ["report"]


@click.command()
@log_arguments
@output_option("Where the page goes, such as report.html.", ".html", ".htm")
@click.option("--title", metavar="TEXT", help="The page's heading.")
def report(
    logs: tuple[str, ...], alias: dict[str, str], unfinished: bool, output: str, title: str | None
) -> None:
    """Write one self-contained page on LOGS: files, folders or URLs.

    It needs no network and can be mailed. docs/reading-a-report.md says how to read it.
    """
    from vr_evals.commands.log_rows import progress_bar, read_rows
    from vr_evals.report import write_report
    from vr_evals.report.page import NEEDS, check_extra

    check_extra(*NEEDS)
    rows = read_rows(logs, alias, unfinished)
    with progress_bar() as bar:
        task = bar.add_task("comparing", total=None)

        def goes_on(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        write_report(rows, output, title=title, progress=goes_on)
    click.echo(output)
