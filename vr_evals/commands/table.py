"""``vr-evals table``: accuracy, and the effect of an authority, in the terminal."""

from typing import TYPE_CHECKING

import click

from vr_evals.commands.log_rows import log_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from rich.console import Console

__all__ = ["table"]


@click.command()
@log_arguments
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all intervals.")
def table(logs: tuple[str, ...], alias: dict[str, str], unfinished: bool, as_json: bool) -> None:
    """Print accuracy by model, benchmark, level and thinking.

    LOGS are files, folders or URLs. Accuracy is over the items with a right answer. Changes are in
    percentage points on the items that both sides answered; * marks p < 0.05 after Holm's
    correction. "as asked" is the share of samples that honoured the thinking condition.

    If an authority endorses an option, a second table has compliance (the share of answers that are
    this option) and excess compliance over control, in percentage points, on the items of both.

    --json prints an object with three lists of rows, "accuracy", "authority" and "descriptives"
    (how answers were stated, what they mention, and how sure they are).
    """
    from rich.console import Console

    from vr_evals.analysis import authority_table, descriptives, main_table
    from vr_evals.commands.log_rows import progress_bar, read_rows
    from vr_evals.formatting import shown

    rows = read_rows(logs, alias, unfinished)
    with progress_bar() as bar:
        bar.add_task("comparing", total=None)
        main, cues = main_table(rows), authority_table(rows)
    if as_json:
        click.echo(_as_json(accuracy=main, authority=cues, descriptives=descriptives(rows)))
        return
    _print(Console(), main, cues)
    notes = dict.fromkeys([*main.attrs["notes"], *cues.attrs["notes"]])
    for note in (*_no_results(rows), *(shown(note, 600) for note in notes)):
        click.echo(note, err=True)


def _no_results(rows: "pd.DataFrame") -> "Iterator[str]":
    """Lines on simulated respondents and sample data, which are no results."""
    from vr_evals.formatting import listed, shown

    for column, of, words in (
        ("simulated", "model", "simulated respondents, no evidence about any model"),
        ("sample_data", "benchmark", "shipped sample of items, no result on the benchmark"),
    ):
        names = rows.loc[rows[column].fillna(False), of].dropna().unique()
        if len(names):
            yield f"{words}: {listed(shown(name, 60) for name in sorted(names))}"


def _as_json(**tables: "pd.DataFrame") -> str:
    import json

    rows = {
        name: json.loads(frame.to_json(orient="records", double_precision=15))
        for name, frame in tables.items()
    }
    return json.dumps(rows, indent=2)


def _print(console: "Console", main: "pd.DataFrame", cues: "pd.DataFrame") -> None:
    from vr_evals.commands.printed_tables import (
        CELL_FORMS,
        Form,
        change,
        number,
        print_tables,
        rate,
    )

    accuracy = {
        "items": Form("n_scored", lambda row: number(row.n_scored, "{:,.0f}"), always=True),
        "accuracy [95%]": Form("accuracy", rate("accuracy", "low", "high"), always=True),
        "unread": Form(
            "read_rate", lambda row: number(100 * (1 - row.read_rate), "{:.1f}%"), always=True
        ),
        "from 0": Form("change_from_level0", change("change_from_level0")),
        "from off": Form("change_from_thinking_off", change("change_from_thinking_off")),
        "as asked": Form(
            "as_asked",
            lambda row: number(100 * row.as_asked, "{:.0f}%") + ("!" if row.as_asked < 1 else ""),
            always=True,
        ),
    }
    authority = {
        "items": Form("n_items", lambda row: f"{row.n_items:,}", always=True),
        "compliance [95%]": Form(
            "compliance", rate("compliance", "compliance_low", "compliance_high"), always=True
        ),
        "excess [95%]": Form(
            "excess_compliance", change("excess_compliance", interval=True), always=True
        ),
        "both": Form("excess_compliance_n_items", lambda row: f"{row.excess_compliance_n_items:,}"),
    }
    print_tables(console, main, {**CELL_FORMS, **accuracy})
    print_tables(console, cues, {**CELL_FORMS, **authority}, title="authority")
