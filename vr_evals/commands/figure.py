"""``vr-evals figure``: charts of the page as one picture for a paper."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vr_evals.commands.log_rows import log_arguments, output_option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["figure", "only"]

_OF = ("effects", "accuracy", "flips", "calibration", "authority", "errors")
_DPI = 300


@click.command()
@log_arguments
@click.option("--of", type=click.Choice(_OF), required=True, help="What it shows.")
@output_option("The .svg, .pdf or .png file to write.", ".svg", ".pdf", ".png")
@click.option(
    "--width",
    metavar="MM",
    type=click.FloatRange(min=20, max=2000),
    help="Width in mm; left out, text has 9 pt.",
)
@click.option(
    "--columns",
    type=click.IntRange(min=1, max=20),
    default=2,
    show_default=True,
    help="Panels beside each other.",
)
@click.option(
    "--dpi",
    type=click.IntRange(min=50, max=1200),
    help=f"Pixels per inch of a .png.  [default: {_DPI}]",
)
@click.option(
    "--models",
    metavar="MODELS",
    multiple=True,
    help="Only these, as if no others were in the logs; comma-separated or repeatable.",
)
@click.option("--benchmarks", metavar="NAMES", multiple=True, help="Only these, likewise.")
@click.option(
    "--primary",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="With --of effects: a YAML file that names the primary effects.",
)
def figure(
    logs: tuple[str, ...],
    alias: dict[str, str],
    unfinished: bool,
    of: str,
    output: str,
    width: float | None,
    columns: int,
    dpi: int | None,
    models: tuple[str, ...],
    benchmarks: tuple[str, ...],
    primary: str | None,
) -> None:
    """Draw results of LOGS (files, folders or URLs) for a paper.

    The charts are those of the report, in one picture: vector graphics with text as text in .svg
    and .pdf. Series differ by shape and dash as well as by colour. A text for the caption is
    printed to standard error.
    """
    from vr_evals.commands.log_rows import no_results, progress_bar, read_rows
    from vr_evals.formatting import plural
    from vr_evals.report.figures import figure_charts, figure_svg, write_figure
    from vr_evals.report.page import check_extra

    if dpi and Path(output).suffix.lower() != ".png":
        raise click.UsageError("--dpi needs a .png file; .svg and .pdf are vector graphics")
    if primary and of != "effects":
        raise click.UsageError("--primary needs --of effects")
    check_extra("a figure", "vl_convert")
    rows = read_rows(logs, alias, unfinished)
    rows = only(only(rows, "model", models), "benchmark", benchmarks)
    with progress_bar() as bar:
        bar.add_task("comparing", total=None)
        charts = figure_charts(rows, of, primary=primary)
    write_figure(figure_svg(charts, columns=columns, width=width), output, dpi=dpi or _DPI)
    for chart in charts:
        click.echo(f"{chart.title}. {chart.how_to_read}", err=True)
        if chart.left_out:
            click.echo(
                f"{chart.title}: {plural(chart.left_out, 'more panel')} not drawn; choose with "
                "--models and --benchmarks",
                err=True,
            )
    for line in no_results(rows):
        click.echo(line, err=True)
    click.echo(output)


def only(rows: "pd.DataFrame", column: str, given: Sequence[str]) -> "pd.DataFrame":
    """Return the rows of some models or benchmarks; all if none are given.

    Args:
        rows: The tidy table.
        column: ``model`` or ``benchmark``.
        given: Names, also several in a text, separated by commas.

    Raises:
        InputError: One is not in the table.
    """
    from vr_evals.errors import InputError
    from vr_evals.formatting import listed, shown

    known = set(rows[column].dropna().unique())
    names = [
        name.strip() for text in given for name in ([text] if text in known else text.split(","))
    ]
    for name in names:
        if name not in known:
            found = listed((shown(each) for each in sorted(known)), 20)
            raise InputError(f"invalid {column} '{name}': not in the logs (they have {found})")
    return rows[rows[column].isin(names)] if names else rows
