"""``vr-evals plan``: what a grid would take and what it could see, before it is run."""

import os
from collections.abc import Sequence

import click

from vr_evals.commands.exit_codes import exit_on_input_error
from vr_evals.commands.grid_options import GridOptions, grid_options

__all__ = ["plan"]


@click.command(context_settings={"ignore_unknown_options": True})
@grid_options
@click.option(
    "--rate",
    metavar="N",
    type=click.FloatRange(min=0, min_open=True),
    help="Calls per minute of each model, for the hours.",
)
@click.option(
    "--price",
    metavar="FILE",
    help="YAML or JSON: dollars per million tokens by model, e.g. {m/x: {input: 1, output: 5}}.",
)
@click.option(
    "--from",
    "pilot",
    metavar="LOGS",
    multiple=True,
    help="Earlier logs: their tokens, pace and variances replace assumptions; repeatable.",
)
@click.option(
    "--detect",
    metavar="POINTS",
    type=click.FloatRange(min=0, max=100, min_open=True, max_open=True),
    help="A difference of interest: the items that it takes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--log-dir", metavar="DIR", help="Ignored, as is --dry-run: nothing is run.")
@click.option("--dry-run", is_flag=True, hidden=True)
def plan(
    grid: GridOptions,
    rate: float | None,
    price: str | None,
    pilot: tuple[str, ...],
    detect: float | None,
    as_json: bool,
    log_dir: str | None,
    dry_run: bool,
) -> None:
    """Show what a grid would take (calls, tokens, dollars, hours) and what it could detect.

    Takes the flags of `vr-evals run`, and calls no model. The second table has, for each question
    of the study, half the length of the 95 % interval and the smallest difference that is found in
    80 % of studies.
    """
    from vr_evals.analysis import plan as planned
    from vr_evals.commands.counted_tasks import counted_tasks, spending_options
    from vr_evals.commands.log_rows import read_rows
    from vr_evals.commands.printed_study_plan import as_json_text, as_tables
    from vr_evals.running.plan import Selection, check_thinking, plan_grid

    parameters, options = grid.parameters(), grid.eval_options()
    with exit_on_input_error():
        _check(grid.models, pilot)
        spending = spending_options(options, price)
        chosen = ("epochs", "limit", "sample_id", "sample_shuffle")
        selection = Selection(**{name: options.get(name) for name in chosen})
        counted = plan_grid(grid.cells(parameters), grid.models, selection)
        check_thinking(counted)
        table = read_rows(pilot, {}, False, summary=False) if pilot else None
        tasks = counted_tasks(counted)
        found = planned(tasks, pilot=table, rate=rate, detect=detect, **spending)
    if as_json:
        click.echo(as_json_text(found))
        return
    for line in as_tables(found, detect):
        click.echo(line)


def _check(models: Sequence[str], logs: Sequence[str]) -> None:
    """Check what can be typed wrong, without creating a model.

    Raises:
        InputError: A model's name has no provider, or a log does not exist.
    """
    from vr_evals.errors import InputError

    for model in models:
        if not all(model.partition("/")[::2]):
            raise InputError(f"invalid model '{model}': expected provider/model")
    for path in logs:
        if "://" not in path and not os.path.exists(path):
            raise InputError(f"no such file or folder '{path}': expected logs (.eval, .json)")
