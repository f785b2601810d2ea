"""Which logs are read, by their headers alone: each cell once, whatever was run again."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_sample_summaries

from vr_evals.analysis.files import LogFile
from vr_evals.analysis.run import Run, read_run, why_not_ours

__all__ = ["Selection", "Skipped", "Used", "choose", "select_logs", "unreadable"]


@dataclass(frozen=True)
class Used:
    """A run that is read.

    Attributes:
        run: The run.
        conditions: Which of its authority conditions; another run has the others.
    """

    run: Run
    conditions: frozenset[str | None]


@dataclass(frozen=True)
class Skipped:
    """A log that is not read.

    Attributes:
        log: Its path or URL.
        reason: Why, in words.
        repeated: Whether another log holds the same cell.
    """

    log: str
    reason: str
    repeated: bool = False


@dataclass(frozen=True)
class Selection:
    """Which logs are read.

    Attributes:
        used: Those that are, ordered by cell.
        skipped: The others.
    """

    used: tuple[Used, ...]
    skipped: tuple[Skipped, ...]


def select_logs(
    files: Sequence[LogFile], unfinished: bool, headers_read: Callable[[], None]
) -> Selection:
    """Read the headers of logs, and select.

    Args:
        files: The log files.
        unfinished: Whether runs that did not end well are used too.
        headers_read: Called after each header.
    """
    runs: list[Run] = []
    skipped: list[Skipped] = []
    for file in files:
        found = _read(file, unfinished)
        if isinstance(found, Run):
            runs.append(found)
        else:
            skipped.append(found)
        headers_read()
    chosen = choose(runs, unfinished)
    return replace(chosen, skipped=(*skipped, *chosen.skipped))


def _read(file: LogFile, unfinished: bool) -> Run | Skipped:
    try:
        header = read_eval_log(file.name, header_only=True)
        why_not = why_not_ours(header)
        if why_not:
            return Skipped(file.name, why_not)
        run = read_run(file, header)
        return _counted(run, header) if unfinished else run
    except Exception as error:  # whatever Inspect's readers make of a broken file
        return Skipped(file.name, unreadable(error))


def unreadable(error: Exception) -> str:
    """Why a log could not be read, in a line."""
    said = " ".join(str(error).split())[:200]
    return f"it cannot be read ({type(error).__name__}{': ' if said else ''}{said})"


def _counted(run: Run, header: EvalLog) -> Run:
    """The run with its samples counted, where it was killed before its header said how many."""
    if header.results is not None:
        return run
    summaries = read_eval_log_sample_summaries(run.log)
    return replace(run, samples=sum(summary.error is None for summary in summaries))


def choose(runs: Iterable[Run], unfinished: bool = False) -> Selection:
    """Keep one run of each cell.

    Of a run and its retries, which share a task id, the newest that ended well has all samples,
    those carried over too. Of other runs of a cell, and of an authority condition that was run both
    alone and with the others, the one that holds more samples is kept, among equals the one with
    more of our scores, then the newest.

    Args:
        runs: The runs.
        unfinished: Whether runs that did not end well are used where no other has their cell.
    """
    skipped: list[Skipped] = []
    left = _one_of_each(runs, lambda run: run.eval_id, _best_scored, _copied, skipped)
    if not unfinished:
        skipped += _unfinished(left)
        left = [run for run in left if run.finished]
    left = _one_of_each(left, lambda run: run.task_id, _newest, _retried, skipped)
    return Selection(_winners(left, skipped), tuple(skipped))


def _one_of_each(
    runs: Iterable[Run],
    key: Callable[[Run], str],
    order: Callable[[Run], tuple[Any, ...]],
    reason: Callable[[Run, Run], str],
    skipped: list[Skipped],
) -> list[Run]:
    """The last in an order of the runs that share a key."""
    groups: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        groups[key(run)].append(run)
    kept = []
    for group in groups.values():
        best = max(group, key=order)
        kept.append(best)
        skipped += [Skipped(r.log, reason(r, best), repeated=True) for r in group if r is not best]
    return kept


def _newest(run: Run) -> tuple[Any, ...]:
    return (run.finished, *run.age)


def _best_scored(run: Run) -> tuple[Any, ...]:
    """A log that was scored again has the old one's id."""
    return (run.finished, run.scorers, *run.age)


def _copied(run: Run, best: Run) -> str:
    return f"it is another copy of {best.log}"


def _retried(run: Run, best: Run) -> str:
    return f"its run was retried in {best.log}"


def _unfinished(runs: Sequence[Run]) -> list[Skipped]:
    """The runs that did not end well, and whether a retry did."""
    retried = {run.task_id: run for run in sorted(runs, key=_newest) if run.finished}
    return [
        Skipped(run.log, f"it ended as {run.status!r}; {_retried(run, best)}", repeated=True)
        if (best := retried.get(run.task_id))
        else Skipped(run.log, _ended(run))
        for run in runs
        if not run.finished
    ]


def _ended(run: Run) -> str:
    if run.status == "started":
        return "it is unfinished: it is still running or was killed"
    return f"it is unfinished: it ended as {run.status!r}" + (
        f" ({run.error})" if run.error else ""
    )


def _winners(runs: Sequence[Run], skipped: list[Skipped]) -> tuple[Used, ...]:
    """The best run of each cell and condition."""
    best: dict[tuple[str, str | None], Run] = {}
    for run in sorted(runs, key=_holds):
        best.update({(run.cell, condition): run for condition in run.conditions})
    won: defaultdict[str, set[str | None]] = defaultdict(set)
    for (_, condition), run in best.items():
        won[run.log].add(condition)
    for run in runs:
        if not won[run.log]:
            winner = best[run.cell, run.conditions[0]]
            skipped.append(Skipped(run.log, _why_set_aside(run, winner), repeated=True))
    used = [Used(run, frozenset(won[run.log])) for run in runs if won[run.log]]
    return tuple(sorted(used, key=lambda one: (one.run.cell, sorted(map(str, one.conditions)))))


def _holds(run: Run) -> tuple[Any, ...]:
    """Orders runs of a cell, the best last."""
    # the level-5 solver on the task of another level has no score of the first pass
    return (run.finished, _samples_each(run), run.scorers, *run.age)


def _samples_each(run: Run) -> float:
    """Samples in each of its conditions."""
    return run.samples / len(run.conditions)


def _why_set_aside(run: Run, winner: Run) -> str:
    if run.finished < winner.finished:
        how = "to its end"
    elif _samples_each(run) < _samples_each(winner):
        how = f"with more samples ({_samples_each(winner):g}, not {_samples_each(run):g})"
    else:
        how = "with more of the scores" if run.scorers < winner.scorers else "later"
    return f"the same cell was run {how} in {winner.log}, which is kept"
