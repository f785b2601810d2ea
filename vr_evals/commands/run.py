"""``vr-evals run``: a grid of tasks, handed to ``inspect_ai.eval_set``."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from vr_evals.commands.exit_codes import exit_on_input_error
from vr_evals.commands.grid_options import GridOptions, grid_options
from vr_evals.commands.ray_flags import ray_flags, run_on_cluster
from vr_evals.errors import one_line

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

    from vr_evals.running.eval_grid import PreparedGrid
    from vr_evals.running.plan import Plan
    from vr_evals.running.ray_cluster import RayOptions
    from vr_evals.running.shards import Shard

__all__ = ["run"]


def _read_shard(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> "Shard | None":
    if text is None:
        return None
    from vr_evals.errors import InputError
    from vr_evals.running.shards import Shard

    try:
        return Shard.parse(text)
    except InputError as error:
        raise click.BadParameter(error.message) from None


@click.command(context_settings={"ignore_unknown_options": True})
@grid_options
@click.option(
    "--log-dir",
    metavar="DIR",
    required=True,
    envvar="INSPECT_LOG_DIR",
    help="A log folder or URL, used for this grid only.",
)
@ray_flags
@click.option(
    "--shard",
    metavar="I/N",
    callback=_read_shard,
    help="Run the I-th of N equal shares of the grid, e.g. 3/8, beside the others.",
)
@click.option("--finish", is_flag=True, help="Write the folder's metadata after the last shard.")
@click.option("--dry-run", is_flag=True, help="Print the plan without running it.")
def run(
    grid: GridOptions,
    log_dir: str,
    ray_options: "RayOptions | None",
    shard: "Shard | None",
    finish: bool,
    dry_run: bool,
) -> None:
    """Run a grid of tasks on models, with Inspect's eval_set.

    Repeat the command to resume a stopped run, or to add models, samples or epochs. Flags of
    `inspect eval-set` are passed on, e.g. --max-connections 20, --temperature 0.5,
    --retry-attempts 3 or --no-fail-on-error.

    Exit codes: 0 if all logs succeeded, 1 if any failed, 2 if nothing was run.
    """
    from rich.console import Console
    from rich.text import Text

    from vr_evals.commands.model_checks import check_models
    from vr_evals.commands.printed_plan import as_table, consistency, matched_thinking
    from vr_evals.commands.printed_study_plan import short_form
    from vr_evals.running.captured import driven_mode
    from vr_evals.running.eval_grid import prepare_grid
    from vr_evals.terminal import printable

    parameters, options = grid.parameters(), grid.eval_options()
    with exit_on_input_error():
        cells = grid.cells(parameters)
        prepared = prepare_grid(cells, grid.models, log_dir, **options)
        unchecked = list(
            check_models(prepared.plan.models, options["model_args"], options.get("model_base_url"))
        )
    if shard and finish:
        raise click.UsageError("--finish with --shard: not supported; finish after the last shard")
    if ray_options is not None and (shard or finish):
        raise click.UsageError("--ray with --shard or --finish: not supported")
    if driven_mode() and (shard or finish):
        raise click.UsageError("--shard and --finish: not supported in a worker")
    if driven_mode() and not dry_run:
        raise click.exceptions.Exit(_run_driven(prepared))
    console = Console()
    console.print(as_table(prepared.plan, parameters))
    temperature = options.get("temperature")
    for line in (
        *consistency(prepared.plan, temperature),
        *matched_thinking(prepared.plan, temperature),
    ):
        console.print(Text(line))
    click.echo(short_form(prepared.plan, options))
    logs = prepared.plan.logs
    already = f"{prepared.finished} already finished"
    click.echo(f"logs: {logs} in {printable(log_dir)}, {already}")
    if shard:
        logs = shard.size(logs)
        click.echo(f"shard {shard.index} of {shard.count}: {logs} logs")
    if dry_run:
        for what in unchecked:
            click.echo(f"not checked: {what}")
        return
    if ray_options is not None:
        raise click.exceptions.Exit(run_on_cluster(prepared, ray_options))
    if finish:
        succeeded, headers = _run(prepared.finish)
        for line in _unfinished(prepared.plan, headers):
            click.echo(line, err=True)
    elif shard:
        succeeded, headers = _run(lambda: prepared.run_shard(shard))
    else:
        succeeded, headers = _run(prepared.run)
    if len(headers) < logs:
        unfinished = f"{logs - len(headers)} of {logs} logs are unfinished"
        repeat = "run their shards again" if finish else "repeat the command"
        click.echo(f"stopped: {unfinished}; {repeat} to resume", err=True)
    if not succeeded:
        raise click.exceptions.Exit(1)


def _run(
    grid: Callable[[], tuple[bool, list["EvalLog"]]],
) -> tuple[bool, list["EvalLog"]]:
    """Run a grid and print its failed logs; return whether all succeeded, and their headers."""
    with exit_on_input_error():
        try:
            succeeded, headers = grid()
        except OSError as error:  # on eval_set's own files; an error on a log ends its task only
            raise click.ClickException(f"run stopped: {one_line(error)}") from None
    for line in _failures(headers):
        click.echo(line, err=True)
    return succeeded, headers


def _run_driven(prepared: "PreparedGrid") -> int:
    """Run what an external runner selects, and return the exit code for these tasks only."""
    succeeded, headers = _run(prepared.run)
    finished = sum(log.status == "success" for log in headers)
    click.echo(f"worker: {finished} of {len(headers)} selected logs succeeded; others not checked")
    return 0 if succeeded and headers else 1


def _unfinished(plan: "Plan", finished: Sequence["EvalLog"]) -> Iterator[str]:
    """Yield a line per model with unfinished logs."""
    from vr_evals.terminal import printable

    left = Counter({model: len(plan.tasks) for model in plan.models})
    left.subtract(log.eval.model for log in finished)
    for model, count in left.items():
        if count > 0:
            yield f"{printable(model)}: {count} of {len(plan.tasks)} logs unfinished"


def _failures(logs: Sequence["EvalLog"]) -> Iterator[str]:
    """Yield a line per log that did not succeed, or some of whose samples failed."""
    from vr_evals.running.cell_logs import failures_of
    from vr_evals.terminal import printable

    for log in logs:
        if log.status == "success":
            if said := failures_of(log):
                yield said
        else:
            error = log.error.message if log.error else log.status
            reason = printable(" ".join(error.split())[:500])
            yield f"{log.eval.task} on {printable(log.eval.model)}: {reason}"
