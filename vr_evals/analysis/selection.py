"""Which logs are read, and which first, by their headers alone."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vr_evals.analysis.run import Run

__all__ = [
    "Candidate",
    "Selection",
    "Skipped",
    "choose",
    "repeat_reason",
]


@dataclass(frozen=True)
class Candidate:
    """A run that may be read.

    Attributes:
        run: The run.
        cell: Its cell: candidates of one cell are read together.
        better: Another run that contains all of its samples, if that one can be read: a copy of the
            log, or a retry.
        reason: Why the run is skipped then, in words.
    """

    run: Run
    cell: str
    better: Run | None = None
    reason: str = ""


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
        candidates: Those that are read as far as they have samples that no earlier one of their
            cell has: ordered by cell, the best first.
        skipped: The others.
    """

    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]


def choose(
    runs: Iterable[Run], unfinished: bool = False, names: Mapping[str, str] | None = None
) -> Selection:
    """Order the runs of each cell, the best first: of a sample that several have, the first counts.

    The best is the one with more samples (in each of its authority conditions), among equals the
    one with more of our scores, then the newest. A copy of a log (of which the one that was scored
    more often, then the newest, is taken) and a run that was retried follow the run that has all of
    their samples, and are read only if that one is damaged.

    Args:
        runs: The runs.
        unfinished: Whether runs that did not end well are used, for samples that no other has.
        names: What models are called, by `Run.model_key`: those of one name are one model.
    """
    skipped: list[Skipped] = []
    copied: dict[str, tuple[Run, str]] = {}
    retried: dict[str, tuple[Run, str]] = {}
    every = list(runs)
    first_copies = _best_of_each(every, lambda run: run.eval_id, _best_scored, _copied, copied)
    if not unfinished:
        skipped += _unfinished(first_copies)
        skipped += [
            Skipped(run.log, copied[run.log][1], repeated=True)
            for run in every
            if run.log in copied and not run.finished
        ]
        every = [run for run in every if run.finished]
        first_copies = [run for run in first_copies if run.finished]
    _best_of_each(first_copies, lambda run: run.task_id, _newest, _retried, retried)
    # what a retry that is unfinished itself carried over may be less than its run had
    better = copied | {log: each for log, each in retried.items() if each[0].finished}
    candidates = [
        Candidate(run, _cell(_root(run, better), names or {}), *better.get(run.log, ()))
        for run in every
    ]
    candidates.sort(key=lambda one: _place(one.run, better), reverse=True)
    return Selection(tuple(sorted(candidates, key=lambda one: one.cell)), tuple(skipped))


def _best_of_each(
    runs: Iterable[Run],
    key: Callable[[Run], str],
    order: Callable[[Run], tuple[Any, ...]],
    reason: Callable[[Run, Run], str],
    better: dict[str, tuple[Run, str]],
) -> list[Run]:
    """The last in an order of the runs that share a key; for the others, it is `better`."""
    groups: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        groups[key(run)].append(run)
    kept = []
    for group in groups.values():
        best = max(group, key=order)
        kept.append(best)
        better |= {run.log: (best, reason(run, best)) for run in group if run is not best}
    return kept


def _root(run: Run, better: Mapping[str, tuple[Run, str]]) -> Run:
    """The run that has all samples of a run, and which no other run is better than."""
    while run.log in better:
        run = better[run.log][0]
    return run


def _cell(run: Run, names: Mapping[str, str]) -> str:
    return json.dumps([names.get(run.model_key, run.model_key), run.asked])


def _place(run: Run, better: Mapping[str, tuple[Run, str]]) -> tuple[Any, ...]:
    """Orders the runs of a cell, the best last; those that have a better one just before it."""
    depth, root = 0, run
    while root.log in better:
        depth, root = depth - 1, better[root.log][0]
    return (*_holds(root), depth, *_holds(run))


def _newest(run: Run) -> tuple[Any, ...]:
    return (run.finished, *run.age)


def _best_scored(run: Run) -> tuple[Any, ...]:
    """A log that was scored again has the old one's id."""
    return (run.finished, run.scorers, *run.age)


def _copied(run: Run, best: Run) -> str:
    return f"duplicate of {best.log}"


def _retried(run: Run, best: Run) -> str:
    return f"retried in {best.log}"


def _unfinished(runs: Sequence[Run]) -> list[Skipped]:
    """The runs that did not end well, and whether a retry did."""
    retried = {run.task_id: run for run in sorted(runs, key=_newest) if run.finished}
    return [
        Skipped(run.log, f"ended as {run.status!r}; {_retried(run, best)}", repeated=True)
        if (best := retried.get(run.task_id))
        else Skipped(run.log, _ended(run))
        for run in runs
        if not run.finished
    ]


def _ended(run: Run) -> str:
    if run.status == "started":
        return "unfinished: still running, or killed"
    return f"unfinished: ended as {run.status!r}" + (f" ({run.error})" if run.error else "")


def _holds(run: Run) -> tuple[Any, ...]:
    """Orders runs of a cell, the best last."""
    # the level-5 solver on the task of another level has no score of the first pass
    return (run.finished, _samples_each(run), run.scorers, *run.age)


def _samples_each(run: Run) -> float:
    """Samples in each of its conditions."""
    return run.samples / len(run.conditions)


def repeat_reason(run: Run, winner: Run) -> str:
    """Why a run of which no sample is read comes after the one that has them, in words."""
    if run.finished < winner.finished:
        how = "and finished"
    elif _samples_each(run) < _samples_each(winner):
        how = f"with more samples ({_samples_each(winner):g}, not {_samples_each(run):g})"
    else:
        how = "with more of the scores" if run.scorers < winner.scorers else "later"
    return f"duplicate: the same cell was run {how} in {winner.log}, which is used"
