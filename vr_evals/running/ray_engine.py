"""A grid on a Ray cluster: one Ray task per cell, in Inspect's mode for external runners."""

import os
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from inspect_ai.log import (
    EvalLog,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
    write_log_dir_manifest,
)

from vr_evals.errors import InputError
from vr_evals.models.providers import LOADING_PROVIDERS
from vr_evals.running.eval_grid import PreparedGrid
from vr_evals.running.folder import check_writable, exclusive_lock
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
    cluster_lock,
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
_ATTEMPTS = 10
"""How often a cell is tried, as by ``eval_set``."""


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
        model: Its model, as it was given.
        log: Its log that is finished, or is to be resumed.
        is_finished: Whether the log is finished.
        attempts: How often it was tried.
        failure: Why it failed for good.
    """

    planned: PlannedTask
    model: str
    log: EvalLog | None = None
    is_finished: bool = False
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
        raise InputError("--ray needs ray, which is not installed: pip install 'vr-evals[ray]'")
    check_options(options, prepared.plan.models)
    check_writable(prepared.log_dir)
    prepared = replace(prepared, log_dir=_absolute(prepared.log_dir))
    with (
        connected(options) as ray,
        exclusive_lock(prepared.log_dir),
        cluster_lock(ray, prepared.log_dir),
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
        self._cells = [_CellState(each, model) for each in tasks for model in prepared.plan.models]
        logs = self._logs()
        for cell in self._cells:
            self._find_log(cell, logs)
        self._eval_set_id = _eval_set_id(prepared, logs)
        self._attempts = max(1, prepared.options.get("retry_attempts") or _ATTEMPTS)

    def check_nodes(self) -> None:
        """Check that each node that may run a cell reaches the folder, and has our versions.

        Raises:
            InputError: One does not.
        """
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        nodes = [node for node in self._ray.nodes() if node["Alive"]]
        requests = {cell.model: _request(self._options.of_cell(cell.model)) for cell in self._cells}
        for provider in self._options.resources:
            if not any(node["Resources"].get(provider) for node in nodes):
                raise InputError(
                    f"--resource {provider}: no node of the cluster has this resource, e.g. "
                    f"""`ray start --resources '{{"{provider}": 8}}'`"""
                )
        able = [node for node in nodes if any(_has(node, each) for each in requests.values())]
        if not able:
            self._tell("no node has the resources of a cell: waiting for one")
        pending = {}
        for node in able:
            strategy = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = self._ray.remote(num_cpus=0, max_retries=0, scheduling_strategy=strategy)
            check = task(check_node).remote(self._token, f"{_TOKEN}-{node['NodeID']}")
            pending[check] = node["NodeManagerHostname"]
        done, late = (
            self._ray.wait(list(pending), num_returns=len(pending), timeout=_CHECK_SECONDS)
            if pending
            else ([], [])
        )
        for check in late:
            raise InputError(f"--ray: node {pending[check]} does not answer")
        for check in done:
            self._judge_node(check, pending[check])

    def _judge_node(self, check: Any, node: str) -> None:
        try:
            versions, problem = self._ray.get(check)
        except self._lost():
            return  # a node that is gone runs no cell
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

    def run(self) -> None:
        """Run the cells that are not finished, until all are or have failed; Ctrl-C stops."""
        waiting = deque(cell for cell in self._cells if not cell.is_finished)
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
            self._ray.wait(list(running), num_returns=len(running), timeout=_CANCEL_SECONDS)

    def _submit(self, cell: _CellState) -> Any:
        cell.attempts += 1
        job = CellJob(
            task=cell.planned.cell.entry.name,
            arguments=cell.planned.cell.arguments,
            model=cell.model,
            thinking=cell.planned.cell.thinking,
            options={**self._prepared.options, **_samples(cell.planned, self._prepared.options)},
            eval_set_id=self._eval_set_id,
            resume=cell.log.location if cell.log else None,
            token=self._token,
            folder=os.getcwd(),
            environment=self._options.environment,
        )
        return self._ray.remote(**self._options.of_cell(cell.model))(run_cell).remote(job)

    def _again(self, cell: _CellState, done: Any) -> bool:
        """Judge an attempt at a cell, and return whether to try again."""
        fail_on_error = self._prepared.options.get("fail_on_error")
        is_final = cell.attempts >= self._attempts
        problem: str | None
        try:
            outcome: CellOutcome = self._ray.get(done)
        except self._lost() as error:
            problem = f"worker lost ({type(error).__name__})"
            self._find_log(cell, self._logs())
        except self._ray.exceptions.RayError as error:
            problem, is_final = last_line(error), True
        else:
            cell.log = outcome.header or cell.log
            problem = outcome.error or (_failure(cell.log, fail_on_error) if cell.log else None)
            is_final = is_final or outcome.is_prerequisite
        if cell.is_finished or problem is None:
            cell.is_finished = True
            self._tell(f"{self._count()} {cell}: finished{_run_time(cell.log)}")
        elif is_final:
            cell.failure = problem
            self._tell(f"{self._count()} {cell}: failed: {printable(problem)}")
        else:
            self._tell(f"{self._count()} {cell}: {printable(problem)}; resumed from its log")
        return not (cell.is_finished or is_final)

    def _count(self) -> str:
        done = sum(cell.is_finished or cell.failure is not None for cell in self._cells)
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
        finished = [cell for cell in self._cells if cell.is_finished]
        failures = tuple(f"{cell}: {self._error(cell)}" for cell in self._cells if cell.failure)
        if len(finished) == len(self._cells):
            self._write_metadata()
        else:
            write_log_dir_manifest(self._prepared.log_dir)
        headers = tuple(cell.log for cell in finished if cell.log is not None)
        return RayResult(headers, failures, len(self._cells) - len(finished) - len(failures))

    def _write_metadata(self) -> None:
        """Let Inspect write the folder's files and remove logs that were resumed.

        Nothing is left to run, but ``eval_set`` creates the models.
        """
        models = self._prepared.plan.models
        if not LOADING_PROVIDERS.isdisjoint(map(provider_of, models)):
            write_log_dir_manifest(self._prepared.log_dir)
            return
        options = {**self._prepared.options, "eval_set_id": self._eval_set_id}
        replace(self._prepared, options=options).run()

    def _error(self, cell: _CellState) -> str:
        """Return why a cell failed, with the error of one of its samples if it has a log."""
        reason = cell.failure or ""
        if cell.log is not None and cell.log.status == "success":
            with suppress(Exception):  # the reason is known without it
                summaries = read_eval_log_sample_summaries(cell.log.location)
                reason += f", e.g. {next(each.error for each in summaries if each.error)}"
        return printable(" ".join(reason.split())[:500])

    def _logs(self) -> list[EvalLog]:
        """Return the headers of the folder's logs, newest first."""
        found = []
        for info in list_eval_logs(self._prepared.log_dir):
            with suppress(Exception):  # one that a lost worker left in pieces
                found.append(read_eval_log(info, header_only=True))
        return found

    def _find_log(self, cell: _CellState, logs: Sequence[EvalLog]) -> None:
        """Set the log of a cell to its finished one, or else to its newest."""
        model_args = self._prepared.options.get("model_args") or {}
        own = [log for log in logs if _is_log_of(cell, log, model_args)]
        fail_on_error = self._prepared.options.get("fail_on_error")
        finished = [log for log in own if _is_complete(cell.planned, log, fail_on_error)]
        cell.is_finished = bool(finished)
        cell.log = next(iter([*finished, *own]), None)


def _is_log_of(cell: _CellState, log: EvalLog, model_args: Mapping[str, Any]) -> bool:
    planned = cell.planned
    return (log.eval.task, log.eval.task_version) == (planned.task.name, planned.task.version) and (
        log.eval.model,
        log.eval.model_args,
        log.eval.task_args_passed,
    ) == (cell.model, model_args, planned.cell.arguments)


def _is_complete(planned: PlannedTask, log: EvalLog, fail_on_error: bool | float | None) -> bool:
    ids = {str(id) for id in log.eval.dataset.sample_ids or ()}
    has_all = (len(ids), log.eval.config.epochs or 1) == (planned.samples, planned.epochs)
    return has_all and _failure(log, fail_on_error) is None


def _failure(log: EvalLog, fail_on_error: bool | float | None) -> str | None:
    """Return why a worker's log is not a success, or None.

    A worker never fails a log for errors of its samples; ``eval_set`` does, by ``fail_on_error``.
    """
    if log.status != "success":
        return log.error.message if log.error else log.status
    samples = log.results.total_samples if log.results else 0
    failed = samples - log.results.completed_samples if log.results else 0
    if fail_on_error is False or not failed:
        return None
    limit = 1.0 if fail_on_error is None else float(fail_on_error)
    is_failure = failed >= (limit * samples if limit < 1 else limit)
    return f"{failed} of {samples} samples failed" if is_failure else None


def _run_time(log: EvalLog | None) -> str:
    samples = log.results.total_samples if log and log.results else 0
    return f", {samples} samples"


def _samples(planned: PlannedTask, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the option that selects a task's samples, without selectors of other tasks."""
    if options.get("sample_id") is None or not planned.ids:
        return {}
    return {"sample_id": sorted(planned.ids)}


def _eval_set_id(prepared: PreparedGrid, logs: Sequence[EvalLog]) -> str:
    """Return the id of the folder's eval set, which its logs have, or a new one."""
    ids = [log.eval.eval_set_id for log in logs if log.eval.eval_set_id]
    return next(iter(ids), None) or prepared.options.get("eval_set_id") or uuid.uuid4().hex


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
