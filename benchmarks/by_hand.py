"""The comparisons of one benchmark as one would write them in pandas, for ``analysis_speed.py``.

One row a sample, one epoch, items as clusters: what a quick script does. Estimates are those of
`vr_evals.analysis`; the intervals are plain ones (mean ± 1.96 standard errors), calibration has
none, and nothing is checked: settings, repeated runs, retries, orders, unread answers of a side.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest
from sklearn.metrics import roc_auc_score

if TYPE_CHECKING:
    from pandas.core.groupby import SeriesGroupBy

__all__ = ["plain_tables"]

_CELL = ["model", "level", "thinking"]


def plain_tables(samples: pd.DataFrame) -> list[pd.DataFrame]:
    """Accuracy, changes, flips between passes, calibration, and models two at a time."""
    rows = pd.DataFrame(
        {
            "model": samples["model"],
            "level": samples["answer_level"].astype(int),
            "thinking": samples["sample_thinking"].astype(bool),
            "item": samples["sample_item"],
            "read": samples["answer_answer"].notna(),
            "correct": samples["answer_value"] == "C",
            "confidence": pd.to_numeric(samples["confidence_value"], errors="coerce"),
            "reflection": samples["reflection_answer"],
        }
    )
    return [_accuracy(rows), _changes(rows), _flips(rows), _calibration(rows), _models(rows)]


def _accuracy(rows: pd.DataFrame) -> pd.DataFrame:
    read = rows[rows["read"]]
    found = {
        "accuracy": rows.groupby(_CELL)["correct"],
        "accuracy_read": read.groupby(_CELL)["correct"],
        "read_rate": rows.groupby(_CELL)["read"],
    }
    return pd.concat(_with_interval(grouped, metric) for metric, grouped in found.items())


def _changes(rows: pd.DataFrame) -> pd.DataFrame:
    others = rows[rows["level"] > 0]
    level0 = rows[rows["level"] == 0].drop(columns="level")
    by_level = others.merge(level0, on=["model", "thinking", "item"], suffixes=("", "_reference"))
    thinking = rows[rows["thinking"]]
    off = rows[~rows["thinking"]].drop(columns="thinking")
    by_thinking = thinking.merge(off, on=["model", "level", "item"], suffixes=("", "_reference"))
    return pd.concat(
        [
            _differences(by_level, _CELL, "change_from_level0"),
            _differences(by_thinking, _CELL, "change_from_thinking_off"),
        ]
    )


def _models(rows: pd.DataFrame) -> pd.DataFrame:
    frames = []
    by_model = {str(model): of_model for model, of_model in rows.groupby("model")}
    for model, versus in combinations(sorted(by_model), 2):
        both = by_model[model].merge(
            by_model[versus], on=["level", "thinking", "item"], suffixes=("", "_reference")
        )
        compared = _differences(both, _CELL, "accuracy_difference")
        frames.append(compared.assign(versus=versus))
    return pd.concat(frames)


def _flips(rows: pd.DataFrame) -> pd.DataFrame:
    both = rows[rows["reflection"].notna()]
    kinds = {"flip": ["good_flip", "bad_flip", "other_flip"]}
    kinds |= {kind: [kind] for kind in kinds["flip"]}
    return pd.concat(
        _with_interval(both.assign(flip=both["reflection"].isin(of)).groupby(_CELL)["flip"], metric)
        for metric, of in kinds.items()
    ).assign(comparison="first_pass")


def _calibration(rows: pd.DataFrame) -> pd.DataFrame:
    records = []
    for cell, of_cell in rows[rows["read"] & rows["confidence"].notna()].groupby(_CELL):
        stated, right = of_cell["confidence"] / 100, of_cell["correct"].astype(float)
        bins = pd.cut(of_cell["confidence"], range(0, 101, 10), labels=False, include_lowest=True)
        figures = {
            "ece": (stated - right).groupby(bins).sum().abs().sum() / len(bins),
            "brier": ((stated - right) ** 2).mean(),
            "auroc": roc_auc_score(right, stated) if right.nunique() == 2 else np.nan,
            "mean_confidence": 100 * stated.mean(),
            "overconfidence": (stated - right).mean(),
        }
        keys = dict(zip(_CELL, cell, strict=True))
        records += [keys | {"metric": name, "estimate": value} for name, value in figures.items()]
    return pd.DataFrame(records).assign(scale="stated")


def _differences(paired: pd.DataFrame, by: list[str], metric: str) -> pd.DataFrame:
    records = []
    for cell, of_cell in paired.groupby(by):
        here, there = of_cell["correct"], of_cell["correct_reference"]
        better, worse = int((here & ~there).sum()), int((~here & there).sum())
        difference = here.astype(int) - there.astype(int)
        mean = float(difference.mean())
        error = 1.96 * float(difference.std()) / len(difference) ** 0.5
        records.append(
            dict(zip(by, cell, strict=True))
            | {
                "metric": metric,
                "estimate": mean,
                "low": mean - error,
                "high": mean + error,
                "p": binomtest(better, better + worse).pvalue if better + worse else 1.0,
            }
        )
    return pd.DataFrame(records, columns=[*by, "metric", "estimate", "low", "high", "p"])


def _with_interval(grouped: SeriesGroupBy[Any, Any], metric: str) -> pd.DataFrame:
    found = grouped.agg(["mean", "sem"]).reset_index()
    mean, error = found["mean"].to_numpy(), 1.96 * found["sem"].to_numpy()
    return found[_CELL].assign(metric=metric, estimate=mean, low=mean - error, high=mean + error)
