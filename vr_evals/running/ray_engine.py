"""A grid on a Ray cluster: one Ray task per cell, in Inspect's mode for external runners."""

import os
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from inspect_ai.log import (
    EvalLog,
    read_eval_log_sample_summaries,
    write_log_dir_manifest,
)

from vr_evals.errors import InputError, is_prerequisite, not_installed
from vr_evals.models.providers import LOADING_PROVIDERS
from vr_evals.running.captured import CapturedTask
from vr_evals.running.cell_logs import CellLog, cell_logs, failed_samples
from vr_evals.running.eval_grid import PreparedGrid
from vr_evals.running.folder import GridLog, check_writable, eval_set_id_of
from vr_evals.running.locks import exclusive_lock
from vr_evals.running.plan import PlannedTask
from vr_evals.running.ray_cells import (
    CellJob,
    CellOutcome,
    FolderToken,
    NodeVersions,
    check_node,
    run_cell,
)
from vr_evals.running.ray_cluster import (
    RayOptions,
    check_options,
    connected,
    last_line,
    provider_of,
)
from vr_evals.terminal import printable

__all__ = ["RayResult", "run_on_ray"]

_TOKEN = ".vr-evals-ray"
_CHECK_SECONDS = 300.0
"""How long a node may take to start Python and to read the folder."""
_CANCEL_SECONDS = 30.0
"""How long cells may take to write their logs after Ctrl-C."""


@dataclass(frozen=True)
class RayResult:
    """What became of a grid.

    Attributes:
        headers: The headers of the logs that succeeded.
        failures: A line per cell that failed.
        unfinished: How many cells were neither.
    """

    headers: tuple[EvalLog, ...]
    failures: tuple[str, ...]
    unfinished: int


@dataclass
class _CellState:
    """A cell, and what became of it so far.

    Attributes:
        planned: Its task.
        model: Its model.
        state: Its newest log, and whether that is finished.
        attempts: How often it was tried.
        failure: Why it failed for good.
    """

    planned: PlannedTask
    model: str
    state: CellLog
    attempts: int = 0
    failure: str | None = None

    def __str__(self) -> str:
        return f"{self.planned.cell.entry.name} on {printable(self.model)}"


def run_on_ray(
    prepared: PreparedGrid, options: RayOptions, tell: Callable[[str], None]
) -> RayResult:
    """Run what is not finished of a grid on a Ray cluster.

    Args:
        prepared: The grid, whose log folder is one that all nodes reach.
        options: The cluster, and what each cell takes of it.
        tell: Prints a line on progress.

    Raises:
        InputError: Ray is not installed, the cluster does not answer, a node does not reach the
            folder or has other versions, or another process runs a grid in the folder.
    """
    if find_spec("ray") is None:
        raise not_installed("--ray", "ray", "ray")
    check_options(options, prepared.plan.models)
    check_writable(prepared.log_dir)
    prepared = replace(prepared, log_dir=_absolute(prepared.log_dir))
    with (
        connected(options) as ray,
        exclusive_lock(prepared.log_dir),
        _token(prepared.log_dir) as token,
    ):
        driver = _Driver(ray, prepared, options, token, tell)
        driver.check_nodes()
        driver.run()
    return driver.finish()


class _Driver:
    """Gives cells to a cluster, and judges what comes back."""

    def __init__(
        self,
        ray: ModuleType,
        prepared: PreparedGrid,
        options: RayOptions,
        token: FolderToken,
        tell: Callable[[str], None],
    ) -> None:
        self._ray = ray
        self._prepared = prepared
        self._options = options
        self._token = token
        self._tell = tell
        # the cells with most calls first, and models in turn
        tasks = sorted(prepared.plan.tasks, key=lambda planned: -planned.calls)
        cells = [(planned, model) for planned in tasks for model in prepared.plan.models]
        states = prepared.cell_logs([_task_of(*cell) for cell in cells])
        self._cells = [_CellState(*cell, state) for cell, state in zip(cells, states, strict=True)]
        self._eval_set_id = _eval_set_id(prepared, states)
        self._remote = cache(self._remote_cell)
        self._attempts = max(1, prepared.attempts)

    def check_nodes(self) -> None:
        """Check that each node that may run a cell reaches the folder, and has our versions.

        Raises:
            InputError: One does not.
        """
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        nodes = [node for node in self._ray.nodes() if node["Alive"]]
        requests = {cell.model: _request(self._options.of_cell(cell.model)) for cell in self._cells}
        for provider, amount in self._options.resources.items():
            if not any(node["Resources"].get(provider, 0) >= amount for node in nodes):
                raise InputError(
                    f"--resource {provider}={amount:g}: no node of the cluster has that much of "
                    f"""it, e.g. by `ray start --resources '{{"{provider}": {amount:g}}}'`"""
                )
        able = [node for node in nodes if any(_has(node, each) for each in requests.values())]
        if not able:
            self._tell("no node has the resources of a cell: waiting for one")
        pending = {}
        for node in able:
            strategy = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = self._ray.remote(num_cpus=0, max_retries=0, scheduling_strategy=strategy)
            check = task(check_node).remote(self._token, f"{_TOKEN}-{node['NodeID']}")
            pending[check] = printable(node["NodeManagerHostname"])
        done, late = (
            self._ray.wait(list(pending), num_returns=len(pending), timeout=_CHECK_SECONDS)
            if pending
            else ([], [])
        )
        for check in late:
            raise InputError(f"--ray: node {pending[check]} does not answer")
        answered = [self._judge_node(check, pending[check]) for check in done]
        if able and not any(answered):
            self._tell("no node is left: waiting for one")

    def _judge_node(self, check: Any, node: str) -> bool:
        """Check a node's answer, and return whether there is one: a killed node is listed a while.

        Raises:
            InputError: The node cannot run a cell.
        """
        try:
            versions, problem = self._ray.get(check)
        except (*self._lost(), self._ray.exceptions.TaskUnschedulableError):
            self._tell(f"node {node} has left the cluster")
            return False
        except self._ray.exceptions.RayError as error:
            raise InputError(
                f"--ray: node {node} cannot run vr_evals: {last_line(error)}"
            ) from None
        if problem is not None:
            raise InputError(
                f"--ray: node {node} does not reach the log folder: {problem}; use a shared folder "
                "or a URL, e.g. s3://bucket/logs"
            )
        if versions != NodeVersions.here():
            raise InputError(
                f"--ray: node {node} has {versions}, but this process {NodeVersions.here()}: "
                "install the same versions"
            )
        return True

    def run(self) -> None:
        """Run the cells that are not finished, until all are or have failed; Ctrl-C stops."""
        waiting = deque(cell for cell in self._cells if not cell.state.finished)
        running: dict[Any, _CellState] = {}
        try:
            while waiting or running:
                while waiting and len(running) < (self._options.workers or len(self._cells)):
                    cell = waiting.popleft()
                    running[self._submit(cell)] = cell
                [done], _ = self._ray.wait(list(running), num_returns=1)
                cell = running.pop(done)
                if self._again(cell, done):
                    waiting.append(cell)
        except KeyboardInterrupt:
            for task in running:
                self._ray.cancel(task)
            if running:
                self._ray.wait(list(running), num_returns=len(running), timeout=_CANCEL_SECONDS)

    def _submit(self, cell: _CellState) -> Any:
        cell.attempts += 1
        options = self._prepared.options
        job = CellJob(
            task=cell.planned.cell.entry.name,
            arguments=cell.planned.cell.arguments,
            model=cell.model,
            thinking=cell.planned.cell.thinking,
            options={"display": "plain", **options, **_samples(cell.planned, options)},
            eval_set_id=self._eval_set_id,
            resume=cell.state.log.location if cell.state.log else None,
            token=self._token,
            folder=os.getcwd(),
            environment=self._options.environment,
        )
        return self._remote(provider_of(cell.model)).remote(job)

    def _remote_cell(self, provider: str) -> Any:
        """Return the function that runs a cell of a provider on the cluster.

        One for all of its cells, because Ray reuses a process for tasks of the same function.
        """
        return self._ray.remote(**self._options.of_cell(provider))(run_cell)

    def _again(self, cell: _CellState, done: Any) -> bool:
        """Judge an attempt at a cell, and return whether to try again."""
        is_final = cell.attempts >= self._attempts
        error = None
        try:
            outcome: CellOutcome = self._ray.get(done)
        except self._lost() as lost:
            error = f"worker lost ({type(lost).__name__})"
            [cell.state] = self._prepared.cell_logs([cell.state.task])
        except self._ray.exceptions.RayError as other:
            error, is_final = last_line(other), True
        else:
            error, is_final = outcome.error, is_final or outcome.is_certain
            if outcome.header is not None:
                cell.state = self._judged(cell, outcome.header)
        if cell.state.finished:
            _, samples = failed_samples(cell.state.log) if cell.state.log else (0, 0)
            self._tell(f"{self._count()} {cell}: finished, {samples} samples")
            return False
        problem = printable(error or _failure(cell.state.log))
        if is_final:
            cell.failure = problem
            self._tell(f"{self._count()} {cell}: failed: {problem}")
            return False
        self._tell(f"{self._count()} {cell}: {problem}; resumed from its log")
        return True

    def _judged(self, cell: _CellState, header: EvalLog) -> CellLog:
        log = GridLog(header, cell.planned, header.status == "success", 0)
        return cell_logs([cell.state.task], [log], self._prepared.options)[0]

    def _count(self) -> str:
        done = sum(cell.state.finished or cell.failure is not None for cell in self._cells)
        return f"[{done}/{len(self._cells)}]"

    def _lost(self) -> tuple[type[Exception], ...]:
        """Return the errors of tasks whose process or node is gone."""
        errors = self._ray.exceptions
        return (
            errors.LocalRayletDiedError,
            errors.NodeDiedError,
            errors.ObjectLostError,
            errors.OutOfMemoryError,
            errors.WorkerCrashedError,
        )

    def finish(self) -> RayResult:
        """Write the folder's metadata, and return what became of the grid."""
        logs = [cell.state.log for cell in self._cells if cell.state.finished]
        failures = tuple(f"{cell}: {_error(cell)}" for cell in self._cells if cell.failure)
        if len(logs) == len(self._cells):
            self._write_metadata()
        else:
            write_log_dir_manifest(self._prepared.log_dir)
        headers = tuple(log for log in logs if log is not None)
        return RayResult(headers, failures, len(self._cells) - len(logs) - len(failures))

    def _write_metadata(self) -> None:
        """Let Inspect write the folder's files and remove logs that were resumed.

        It creates the models for this, so that a machine without their keys, or without the memory
        for their weights, writes only the list of logs.
        """
        if LOADING_PROVIDERS.isdisjoint(map(provider_of, self._prepared.plan.models)):
            options = {**self._prepared.options, "eval_set_id": self._eval_set_id}
            try:
                replace(self._prepared, options=options).finish()
                return
            except Exception as error:
                if not is_prerequisite(error):
                    raise
        write_log_dir_manifest(self._prepared.log_dir)
        self._tell("eval-set.json not written: the models cannot be created here")


def _task_of(planned: PlannedTask, model: str) -> CapturedTask:
    """Return a task of the grid by its plan: a capture would create the models here."""
    names = planned.task.name, model, planned.cell.arguments
    return CapturedTask("", *names, planned.samples, planned.epochs)


def _failure(log: EvalLog | None) -> str:
    if log is None:
        return "no log was written"
    if log.status != "success":
        return log.error.message if log.error else log.status
    failed, samples = failed_samples(log)
    return f"{failed} of {samples} samples failed"


def _error(cell: _CellState) -> str:
    """Return why a cell failed, with the error of one of its samples if it has a log."""
    reason = cell.failure or ""
    log = cell.state.log
    if log is not None and log.status == "success":
        with suppress(Exception):  # the reason is known without it
            summaries = read_eval_log_sample_summaries(log.location)
            reason += f", e.g. {next(each.error for each in summaries if each.error)}"
    return printable(" ".join(reason.split())[:500])


def _samples(planned: PlannedTask, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the option that selects a task's samples, without selectors of other tasks."""
    if options.get("sample_id") is None or not planned.ids:
        return {}
    return {"sample_id": sorted(planned.ids)}


def _eval_set_id(prepared: PreparedGrid, states: Sequence[CellLog]) -> str:
    """Return the id of the grid: given, that of the folder or of its logs, or a new one."""
    known = (state.log.eval.eval_set_id for state in states if state.log)
    given = (prepared.options.get("eval_set_id"), eval_set_id_of(prepared.log_dir), *known)
    return next((id for id in given if id), uuid.uuid4().hex)


def _request(options: Mapping[str, Any]) -> dict[str, float]:
    """Return the amounts that a task takes of a node, by Ray's names."""
    amounts = {"CPU": options.get("num_cpus", 1), "GPU": options.get("num_gpus", 0)}
    return {**amounts, **options.get("resources", {})}


def _has(node: Mapping[str, Any], request: Mapping[str, float]) -> bool:
    return all(node["Resources"].get(name, 0) >= amount for name, amount in request.items())


def _absolute(log_dir: str) -> str:
    return log_dir if "://" in log_dir else os.path.abspath(log_dir)


@contextmanager
def _token(log_dir: str) -> Iterator[FolderToken]:
    """Write a file by which workers recognise a folder; it is removed at the end."""
    token = FolderToken(log_dir, _TOKEN, uuid.uuid4().hex)
    token.write()
    try:
        yield token
    finally:
        with suppress(Exception):  # it does no harm
            token.remove()
