"""The options of ``vr-evals run`` for a Ray cluster."""

import json
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from vr_evals.commands.arguments import assignments

if TYPE_CHECKING:
    from vr_evals.running.eval_grid import PreparedGrid
    from vr_evals.running.ray_cluster import RayOptions

__all__ = ["ray_flags", "run_on_cluster"]


def ray_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which gets them as ``ray_options``; None without ``--ray``."""

    @click.option(
        "--ray",
        "address",
        metavar="ADDRESS",
        help="Run the cells on a Ray cluster: auto, host:port, or as for ray.init.",
    )
    @click.option(
        "--workers",
        metavar="N",
        type=click.IntRange(min=1),
        help="With --ray: the number of cells at a time.  [default: as many as the cluster can]",
    )
    @click.option(
        "--gpus-per-task",
        metavar="G",
        type=click.FloatRange(min=0),
        help="With --ray: GPUs of each cell.",
    )
    @click.option(
        "--resource",
        "resources",
        metavar="PROVIDER=N",
        multiple=True,
        help="With --ray: what each cell of a provider takes of Ray's resource of that name.",
    )
    @click.option(
        "--ray-option",
        "task_options",
        metavar="NAME=VALUE",
        multiple=True,
        help="With --ray: an option of ray.remote, or runtime_env; JSON or text.",
    )
    @click.option(
        "--ray-env",
        "variables",
        metavar="NAME",
        multiple=True,
        help="With --ray: an environment variable that workers get, e.g. ANTHROPIC_API_KEY.",
    )
    @wraps(command)
    def with_ray(
        *given: Any,
        address: str | None,
        workers: int | None,
        gpus_per_task: float | None,
        resources: tuple[str, ...],
        task_options: tuple[str, ...],
        variables: tuple[str, ...],
        **others: Any,
    ) -> None:
        if address is None:
            if workers or gpus_per_task is not None or resources or task_options or variables:
                raise click.UsageError(
                    "--workers, --gpus-per-task, --resource, --ray-option and --ray-env need --ray"
                )
            return command(*given, ray_options=None, **others)
        from vr_evals.running.ray_cluster import RayOptions

        options = RayOptions(
            address=address,
            workers=workers,
            gpus=gpus_per_task,
            resources={name: _amount(name, text) for name, text in _pairs("--resource", resources)},
            task_options={name: _json(text) for name, text in _pairs("--ray-option", task_options)},
            environment={name: _variable(name) for name in variables},
        )
        return command(*given, ray_options=options, **others)

    return with_ray


def _pairs(option: str, given: tuple[str, ...]) -> list[tuple[str, str]]:
    assignments(option, given)  # which checks them; but names of providers may have hyphens
    return [(name.strip(), text) for name, _, text in (each.partition("=") for each in given)]


def _amount(name: str, text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = 0
    if not 0 < amount < float("inf"):
        raise click.BadParameter(
            f"invalid amount {text!r} of {name}: expected a number above 0, e.g. {name}=8",
            param_hint="--resource",
        )
    return amount


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _variable(name: str) -> str:
    if name not in os.environ:
        raise click.BadParameter(f"{name} is not set in the environment", param_hint="--ray-env")
    return os.environ[name]


def run_on_cluster(prepared: "PreparedGrid", options: "RayOptions") -> int:
    """Run a grid on a cluster, print its progress and failures, and return the exit code."""
    from vr_evals.commands.exit_codes import exit_on_input_error
    from vr_evals.errors import one_line
    from vr_evals.running.cell_logs import failures_of
    from vr_evals.running.ray_engine import run_on_ray

    tell = partial(click.echo, file=sys.stdout)
    # Ray prints what happens to its nodes, page by page
    with exit_on_input_error(), redirect_stdout(sys.stderr):
        try:
            result = run_on_ray(prepared, options, tell)
        except OSError as error:
            raise click.ClickException(f"run stopped: {one_line(error)}") from None
    for line in result.failures:
        click.echo(line, err=True)
    for log in result.headers:
        if said := failures_of(log):  # but no more than --fail-on-error accepts
            click.echo(said, err=True)
    logs = prepared.plan.logs
    if result.unfinished:
        unfinished = f"{result.unfinished} of {logs} logs are unfinished"
        click.echo(f"stopped: {unfinished}; repeat the command to resume", err=True)
    return 0 if len(result.headers) == logs else 1
