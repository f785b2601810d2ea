"""``vr-evals table``: accuracy, effects, and what an authority does, in the terminal."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from vr_evals.commands.log_rows import log_arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd

__all__ = ["table"]


_OF = ("accuracy", "effects", "authority")
_FORMATS = ("text", "markdown", "latex", "csv", "json")


@click.command()
@log_arguments
@click.option("--of", type=click.Choice(_OF), help="Print this table, as a paper needs it.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="How --of is printed; csv and json have all columns as numbers.  [default: text]",
)
@click.option(
    "--outcome",
    "outcomes",
    multiple=True,
    metavar="NAME",
    help="With --of effects: all effects on an outcome, not the primary ones; repeatable.",
)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(("model", "benchmark", "level", "thinking", "condition")),
    help="With --of effects: do not average over it; repeatable.",
)
@click.option(
    "--primary",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="With --of effects: a YAML file that names the primary effects.",
)
@click.option(
    "--margin",
    metavar="POINTS",
    type=click.FloatRange(min=0, min_open=True),
    help="With --of effects: the least effect of interest, to show that others are smaller.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all intervals.")
def table(
    logs: tuple[str, ...],
    alias: dict[str, str],
    unfinished: bool,
    of: str | None,
    form: str | None,
    outcomes: tuple[str, ...],
    by: tuple[str, ...],
    primary: str | None,
    margin: float | None,
    as_json: bool,
) -> None:
    """Print accuracy by model, benchmark, level and thinking.

    LOGS are files, folders or URLs. Accuracy is over the items with a right answer. Changes are in
    percentage points on the items that both sides answered; * marks p < 0.05 after Holm's
    correction. "as asked" is the share of samples that thought, or did not, as their condition
    requires.

    If an authority endorses an option, a second table has compliance (the share of answers that are
    this option) and excess compliance over control, in percentage points, on the items of both.

    --json prints an object with three lists of rows, "accuracy", "authority" and "descriptives"
    (how answers were stated, what they mention, and how sure they are).

    --of prints one table for a paper, in the chosen --format: accuracy by model and benchmark,
    the effects of levels, thinking, models and authority over the whole study, or compliance with
    each cue. LaTeX needs the package booktabs.
    """
    of_effects = {"--outcome": outcomes, "--by": by, "--primary": primary, "--margin": margin}
    _check_options(of, form, [name for name, value in of_effects.items() if value], as_json)
    from vr_evals.analysis import authority_table, descriptives, main_table
    from vr_evals.commands.log_rows import progress_bar, read_rows

    rows = read_rows(logs, alias, unfinished)
    if of:
        find = partial(_effects, rows, outcomes, by, primary, margin)
        _print_one(rows, of, "json" if as_json else form or "text", find, by)
        return
    with progress_bar() as bar:
        bar.add_task("comparing", total=None)
        main, cues = main_table(rows), authority_table(rows)
    if as_json:
        click.echo(_as_json(accuracy=main, authority=cues, descriptives=descriptives(rows)))
        return
    _print(main, cues)
    _print_notes(rows, [*main.attrs["notes"], *cues.attrs["notes"]])


def _check_options(
    of: str | None, form: str | None, of_effects: Sequence[str], as_json: bool
) -> None:
    """Check that options go together.

    Raises:
        click.UsageError: They do not.
    """
    if form and not of:
        raise click.UsageError(f"--format needs --of {', '.join(_OF)}")
    if of_effects and of != "effects":
        raise click.UsageError(f"{', '.join(of_effects)}: needs --of effects")
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form}: expected one of them")


def _print_one(
    rows: "pd.DataFrame",
    of: str,
    form: str,
    find_effects: "Callable[[], pd.DataFrame]",
    by: Sequence[str],
) -> None:
    """Print one table for a paper.

    Raises:
        InputError: The logs have no data for it, or there is no such outcome.
    """
    from vr_evals.analysis import authority_table, main_table
    from vr_evals.commands.paper_tables import (
        FORMATS,
        PaperTable,
        accuracy_paper_table,
        authority_paper_table,
        effects_paper_table,
    )
    from vr_evals.commands.printed_frames import frame_as_csv, frame_as_json
    from vr_evals.errors import InputError

    paper_table: Callable[[pd.DataFrame], PaperTable]
    if of == "accuracy":
        frame = main_table(rows)
        frame, paper_table = frame[frame["accuracy"].notna()], accuracy_paper_table
    elif of == "authority":
        frame, paper_table = authority_table(rows), authority_paper_table
    else:
        frame, paper_table = find_effects(), partial(effects_paper_table, by=by)
    if frame.empty:
        raise InputError(f"no {of} to print: {_NOTHING[of]}")
    if form == "json":
        click.echo(frame_as_json(frame))
    elif form == "csv":
        click.echo(frame_as_csv(frame), nl=False)
    else:
        click.echo(FORMATS[form](paper_table(frame)))
    _print_notes(rows, frame.attrs["notes"])


_NOTHING = {
    "accuracy": "no item has a right answer",
    "effects": "no two sides that differ in one factor have answers to the same items",
    "authority": "no authority task was run (vr_evals/…_authority)",
}


def _effects(
    rows: "pd.DataFrame",
    outcomes: Sequence[str],
    by: Sequence[str],
    primary: str | None,
    margin: float | None,
) -> "pd.DataFrame":
    """The effects asked for; without outcomes the primary ones of the study."""
    from vr_evals.analysis.effects import effects
    from vr_evals.analysis.outcomes import OUTCOMES
    from vr_evals.analysis.plans import as_plan

    plan = None if primary is None else as_plan(primary)
    planned = (
        [name for name, each in OUTCOMES.items() if each.primary]
        if plan is None
        else list(dict.fromkeys(each.outcome for each in plan))
    )
    frame = effects(rows, outcome=outcomes or planned, by=by, primary=plan, margin=margin)
    shows_all = outcomes or (by and plan is None)
    return frame if shows_all else frame[frame["is_primary"].astype(bool)]


def _print_notes(rows: "pd.DataFrame", notes: "Iterable[object]") -> None:
    """Print to standard error what is no result, and what was left out."""
    from vr_evals.commands.log_rows import no_results
    from vr_evals.formatting import shown

    for note in (*no_results(rows), *(shown(note, 600) for note in dict.fromkeys(notes))):
        click.echo(note, err=True)


def _as_json(**tables: "pd.DataFrame") -> str:
    import json

    from vr_evals.commands.printed_frames import frame_records

    return json.dumps({name: frame_records(frame) for name, frame in tables.items()}, indent=2)


def _print(main: "pd.DataFrame", cues: "pd.DataFrame") -> None:
    from rich.console import Console
    from rich.text import Text

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
    console = Console()
    print_tables(console, main, {**CELL_FORMS, **accuracy})
    print_tables(console, cues, {**CELL_FORMS, **authority}, title="authority")
    unwidened = Console()  # wide tables have widened the other one
    for line in _legend(main, cues):
        unwidened.print(Text(line))


def _legend(main: "pd.DataFrame", cues: "pd.DataFrame") -> "Iterator[str]":
    """Yield what the headings and signs mean, of columns that are shown."""
    changes = {
        "from 0": ("level 0", "change_from_level0"),
        "from off": ("thinking off", "change_from_thinking_off"),
    }
    shown = {name: side for name, (side, column) in changes.items() if main[column].notna().any()}
    if shown:
        yield f"{', '.join(shown)}: change from {' and from '.join(shown.values())}, in points."
    if len(main):
        yield "as asked: samples that thought, or did not, as their condition requires."
    if len(cues):
        yield (
            "compliance: answers that are the endorsed option; excess: minus the same under "
            "control, in points, on the items of both."
        )
    if shown or len(cues):
        yield "*: p < 0.05 after Holm's correction over the tests of the model."
