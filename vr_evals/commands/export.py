"""``vr-evals export``: the tidy table, or the effects, as a file."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from vr_evals.commands.log_rows import log_arguments, output_option
from vr_evals.commands.spreadsheets import spreadsheet_safe
from vr_evals.replacing import replacing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["export", "write_rows"]

_CHUNK = 50_000


@click.command()
@log_arguments
@output_option("The .parquet, .csv or .jsonl file to write.", ".parquet", ".csv", ".jsonl")
@click.option(
    "--frame",
    type=click.Choice(["rows", "effects"]),
    default="rows",
    show_default=True,
    help="The tidy table, or effects averaged over the cells of the study.",
)
@click.option(
    "--primary",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="A YAML file that names the primary effects; with --frame effects.",
)
@click.option(
    "--margin",
    metavar="POINTS",
    type=click.FloatRange(min=0, min_open=True),
    help="The least effect of interest, to show that others are smaller; with --frame effects.",
)
def export(
    logs: tuple[str, ...],
    alias: dict[str, str],
    unfinished: bool,
    output: str,
    frame: str,
    primary: str | None,
    margin: float | None,
) -> None:
    """Write the tidy table of LOGS: a row per item, epoch, task and model.

    With --frame effects: a row per effect of levels, thinking, models and authority.

    docs/metrics.md describes the columns. In a .csv file, texts that a spreadsheet might take for a
    formula (they begin with = + - @, a tab or a carriage return) are prefixed with an apostrophe,
    and control characters are escaped.
    """
    from vr_evals.commands.log_rows import progress_bar, read_rows

    if frame != "effects" and (primary or margin):
        raise click.UsageError("--primary and --margin need --frame effects")
    rows = read_rows(logs, alias, unfinished)
    if frame == "effects":
        from vr_evals.analysis.effects import effects

        rows = effects(rows, primary=primary, margin=margin)
        for note in rows.attrs["notes"]:
            click.echo(note, err=True)
    with progress_bar() as bar:
        bar.add_task("writing", total=None)
        write_rows(rows, output)
    click.echo(output)


def write_rows(rows: "pd.DataFrame", path: str | Path) -> None:
    """Write a tidy table as .parquet, .csv or .jsonl.

    Args:
        rows: What `vr_evals.analysis.read_logs` returns.
        path: A path or URL; its suffix is the format. An existing file is replaced as a whole; if
            writing fails, it is left unchanged.

    Raises:
        InputError: Unknown format, or the file cannot be written.
    """
    from vr_evals.errors import InputError

    write = _WRITERS.get(Path(path).suffix.lower())
    if write is None:
        raise InputError(f"invalid format of '{path}': expected {', '.join(_WRITERS)}")
    try:
        with replacing(path) as part:
            write(rows, part)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def _as_parquet(rows: "pd.DataFrame", path: Path) -> None:
    rows.to_parquet(path, engine="pyarrow", index=False)


def _as_csv(rows: "pd.DataFrame", path: Path) -> None:
    for start in range(0, max(len(rows), 1), _CHUNK):
        part = spreadsheet_safe(rows.iloc[start : start + _CHUNK])
        mode: Literal["a", "w"] = "a" if start else "w"
        # RFC 4180's line ends; with "\n" alone, Python leaves a cell with "\r" unquoted
        part.to_csv(path, mode=mode, header=not start, index=False, lineterminator="\r\n")


def _as_jsonl(rows: "pd.DataFrame", path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, len(rows), _CHUNK):
            part = rows.iloc[start : start + _CHUNK]
            part.to_json(file, orient="records", lines=True, force_ascii=False, double_precision=15)


_WRITERS: dict[str, Callable[["pd.DataFrame", Path], None]] = {
    ".parquet": _as_parquet,
    ".csv": _as_csv,
    ".jsonl": _as_jsonl,
}
