"""Scores of any Inspect logs, in the layouts that other tools read."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from vr_evals.analysis.scored_logs import chosen_scores
from vr_evals.errors import InputError
from vr_evals.formatting import listed, plural, shown

__all__ = ["HIBAYES", "lay_out"]

HIBAYES = ("model", "task", "item", "epoch", "score")
"""The columns of the layout ``hibayes``."""

_SAMPLE = ["task", "variant", "item", "epoch"]


def lay_out(scores: pd.DataFrame, layout: str, scorer: str | None = None) -> pd.DataFrame:
    """Lay scores out for another tool.

    Args:
        scores: What `vr_evals.analysis.read_scores` returns.
        layout: ``long`` has all rows and columns of `scores`. ``hibayes`` has the columns `HIBAYES`
            of the scored samples, with numbers only. ``wide`` has a row for each task, item,
            epoch, scorer and key, and a column for each model, empty without a number.
        scorer: Only this scorer, or ``SCORER/KEY``.

    Returns:
        The table; `attrs["notes"]` has what was left out.

    Raises:
        InputError: There is no such layout or scorer, a task has several scores for ``hibayes``, or
            there is no number.
    """
    known: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
        "hibayes": _hibayes,
        "long": lambda all_scores: all_scores.copy(),
        "wide": _wide,
    }
    if layout not in known:
        raise InputError(f"invalid layout '{layout}': expected one of {', '.join(known)}")
    notes = list(scores.attrs.get("notes", ()))
    kept = scores if scorer is None else _only(scores, scorer)
    if layout != "long":
        notes += _left_out(kept)
        if not (kept["status"] == "scored").any():
            raise InputError(f"no scores to write: {'; '.join(notes)}")
    laid = known[layout](kept).reset_index(drop=True)
    laid.attrs["notes"] = list(dict.fromkeys(notes))
    return laid


def _names(scores: pd.DataFrame) -> pd.Series[str]:
    """Each row's scorer, with the key of its score."""
    found: pd.Series[str] = scores["scorer"].where(
        scores["score"] == "", scores["scorer"] + "/" + scores["score"]
    )
    return found


def _only(scores: pd.DataFrame, scorer: str) -> pd.DataFrame:
    keys = pd.MultiIndex.from_frame(scores[["scorer", "score"]])
    return scores[keys.isin(chosen_scores(keys.unique(), [scorer]))]


def _left_out(scores: pd.DataFrame) -> list[str]:
    """A sentence on the rows without a number."""
    counts = scores["status"].value_counts()
    words = [f"{n:,} {status}" for status, n in counts.items() if status != "scored"]
    n = int(counts.sum() - counts.get("scored", 0))
    return [f"{plural(n, 'score')} left out: {', '.join(words)}"] if n else []


def _hibayes(scores: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each score that is a number, of one scorer and key for each task."""
    scored = scores[scores["status"] == "scored"]
    for task, rows in scored.groupby("task", sort=False):
        names = _names(rows).unique()
        if len(names) > 1:
            raise InputError(
                f"{shown(task)} has several scores: choose one with --scorer, "
                f"e.g. --scorer {shown(names[0])} (it has {listed(map(shown, names), 20)})"
            )
    tasks = scored["task"].where(
        scored["variant"] == "", scored["task"] + " (" + scored["variant"] + ")"
    )
    return scored.assign(task=tasks, score=scored["value"])[list(HIBAYES)]


def _wide(scores: pd.DataFrame) -> pd.DataFrame:
    """Return a column of values for each model."""
    models = sorted(scores["model"].unique())
    taken = {*_SAMPLE, "scorer", "score"} & set(models)
    if taken:
        raise InputError(f"model '{shown(min(taken))}' is the name of a column: give it an --alias")
    wide = scores.pivot(index=[*_SAMPLE, "scorer", "score"], columns="model", values="value")
    return wide.reset_index().rename_axis(columns=None)
