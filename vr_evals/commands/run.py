"""``vr-evals run``: a grid of tasks, handed to ``inspect_ai.eval_set``."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from vr_evals.commands.exit_codes import exit_on_input_error, one_line
from vr_evals.commands.grid_options import GridOptions, grid_options

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

__all__ = ["run"]


@click.command(context_settings={"ignore_unknown_options": True})
@grid_options
@click.option(
    "--log-dir",
    metavar="DIR",
    required=True,
    envvar="INSPECT_LOG_DIR",
    help="A log folder or URL, used for this grid only.",
)
@click.option("--dry-run", is_flag=True, help="Print the plan without running it.")
def run(grid: GridOptions, log_dir: str, dry_run: bool) -> None:
    """Run a grid of tasks on models, with Inspect's eval_set.

    Repeat the command to resume a stopped run, or to add models, samples or epochs. Flags of
    `inspect eval-set` are passed on, e.g. --max-connections 20, --temperature 0.5,
    --retry-attempts 3 or --no-fail-on-error.

    Exit codes: 0 if all logs succeeded, 1 if any failed, 2 if nothing was run.
    """
    from rich.console import Console

    from vr_evals.analysis.plan import spending
    from vr_evals.commands.counted_tasks import counted_tasks, spending_options
    from vr_evals.commands.model_checks import check_models
    from vr_evals.commands.printed_plan import as_table, consistency, matched_thinking
    from vr_evals.commands.printed_study_plan import short_form
    from vr_evals.running.eval_grid import prepare_grid
    from vr_evals.terminal import printable

    parameters, options = grid.parameters(), grid.eval_options()
    with exit_on_input_error():
        cells = grid.cells(parameters)
        prepared = prepare_grid(cells, grid.models, log_dir, **options)
        unchecked = list(
            check_models(prepared.plan.models, options["model_args"], options.get("model_base_url"))
        )
    Console().print(as_table(prepared.plan, parameters))
    temperature = options.get("temperature")
    for line in (
        *consistency(prepared.plan, temperature),
        *matched_thinking(prepared.plan, temperature),
    ):
        click.echo(line)
    with exit_on_input_error():
        tasks = counted_tasks(prepared.plan)
        click.echo(short_form(spending(tasks, **spending_options(options))[0]))
    logs = prepared.plan.logs
    already = f"{prepared.finished} already finished"
    click.echo(f"logs: {logs} in {printable(log_dir)}, {already}")
    if dry_run:
        for what in unchecked:
            click.echo(f"not checked: {what}")
        return
    with exit_on_input_error():
        try:
            succeeded, headers = prepared.run()
        except OSError as error:  # on eval_set's own files; an error on a log ends its task only
            raise click.ClickException(f"run stopped: {one_line(error)}") from None
    for line in _failures(headers):
        click.echo(line, err=True)
    if len(headers) < logs:
        unfinished = f"{logs - len(headers)} of {logs} logs are unfinished"
        click.echo(f"stopped: {unfinished}; repeat the command to resume", err=True)
    if not succeeded:
        raise click.exceptions.Exit(1)


def _failures(logs: Sequence["EvalLog"]) -> Iterator[str]:
    """Yield a line per log that did not succeed."""
    from vr_evals.terminal import printable

    for log in logs:
        if log.status != "success":
            error = log.error.message if log.error else log.status
            reason = printable(" ".join(error.split())[:500])
            yield f"{log.eval.task} on {printable(log.eval.model)}: {reason}"
