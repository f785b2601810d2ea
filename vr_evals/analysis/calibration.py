"""Do stated confidences come true? By cell, in both readings of the scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cells import CELL, Cells, cells, tidy_frame
from vr_evals.stats import calibration as formulas
from vr_evals.stats.bootstrap import bootstrap_alike
from vr_evals.stats.clusters import cluster_codes
from vr_evals.stats.confidence import bin_index, chance_adjusted
from vr_evals.stats.intervals import wilson_clustered

__all__ = ["calibration", "reliability"]

_COLUMNS = (
    *CELL,
    "scale",
    "metric",
    "estimate",
    "low",
    "high",
    "n_items",
    "n_samples",
    "n_left_out",
)
_BINS = (*CELL, "scale", "bin_low", "bin_high", "confidence", "accuracy", "low", "high")
_TABLE_COLUMNS = ("label", "correct", "confidence", "n_options")


@dataclass(frozen=True)
class _Stated:
    """The answers of a cell that calibration is over, in one reading of the scale.

    Attributes:
        keys: The key columns, `scale` among them.
        confidence: 0–100.
        correct: 0.0 or 1.0.
        clusters: The cluster of each.
        counts: The counts of a frame's row.
    """

    keys: dict[str, Any]
    confidence: NDArray[np.float64]
    correct: NDArray[np.float64]
    clusters: list[str]
    counts: dict[str, int]


def calibration(table: pd.DataFrame, *, resamples: int = 1000, seed: int = 0) -> pd.DataFrame:
    """Calibration of stated confidence, each epoch by itself.

    `scale` is the reading of the scale: `stated` (c/100 is the probability of being right) or
    `chance_adjusted` (0 is a guess among the options offered). The metrics:

    - `ece`: expected calibration error, with `ece_interval`;
    - `ece_floor`: what perfect calibration would show with these confidences, with the range that
      95 % of such respondents fall into: an `ece` within it is no evidence of miscalibration;
    - `brier`, `auroc`, `mean_confidence` (0–100) and `overconfidence`, with percentile intervals by
      bootstrap over clusters.

    Args:
        table: The tidy table.
        resamples: Of each bootstrap.
        seed: Of each bootstrap, and of the simulations of `ece_floor`.

    Returns:
        Rows for each cell in which a confidence was stated. `n_items` and `n_samples` are what they
        are over; `n_left_out` counts samples with a stated confidence whose answer could not be
        read or has no target.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    grouped = cells(table, _TABLE_COLUMNS)
    records = [
        stated.keys | row | stated.counts
        for stated in _stated(grouped)
        for row in _figures(stated, resamples, seed)
    ]
    return tidy_frame(records, _COLUMNS, grouped.notes)


def reliability(table: pd.DataFrame, *, bins: int = 10) -> pd.DataFrame:
    """What reliability diagrams show: accuracy of the answers in each bin of stated confidence.

    Args:
        table: The tidy table.
        bins: Number of bins of equal width; right-closed, the first holds 0.

    Returns:
        A row for each bin with answers of each cell and `scale`: its bounds `bin_low` and
        `bin_high` and the mean `confidence` (0–100), `accuracy` with its interval `low` and `high`
        (`wilson_clustered`), and `n_samples`.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    grouped = cells(table, _TABLE_COLUMNS)
    records = [stated.keys | row for stated in _stated(grouped) for row in _bin_rows(stated, bins)]
    return tidy_frame(records, (*_BINS, "n_samples"), grouped.notes)


def _stated(grouped: Cells) -> Iterator[_Stated]:
    """The answers with a confidence of each cell that has any, in both readings."""
    rows = grouped.rows
    stated = rows["confidence"].notna().to_numpy()
    usable = stated & (rows["label"].notna() & rows["correct"].notna()).to_numpy()
    confidence = rows["confidence"].to_numpy(dtype=float, na_value=np.nan)
    correct = rows["correct"].to_numpy(dtype=float, na_value=np.nan)
    options = rows["n_options"].to_numpy(dtype=float, na_value=np.nan)
    for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True):
        if not stated[in_cell].any():
            continue
        for scale, used in (
            ("stated", usable[in_cell]),
            ("chance_adjusted", usable[in_cell] & (options[in_cell] >= 1)),
        ):
            unit = grouped.unit[in_cell][used]
            values = confidence[in_cell][used]
            if scale == "chance_adjusted":
                values = chance_adjusted(values, options[in_cell][used])
            yield _Stated(
                keys=cell.keys | {"scale": scale},
                confidence=values,
                correct=correct[in_cell][used],
                clusters=grouped.units.cluster[unit].tolist(),
                counts={
                    "n_items": grouped.units.n_items(unit),
                    "n_samples": len(unit),
                    "n_left_out": int(stated[in_cell].sum()) - len(unit),
                },
            )


def _figures(stated: _Stated, resamples: int, seed: int) -> Iterator[dict[str, Any]]:
    """The metrics of one cell, each with its interval."""
    confidence, correct, clusters = stated.confidence, stated.correct, stated.clusters
    low, high = formulas.ece_interval(
        confidence,
        correct,
        clusters,
        resamples=resamples,
        seed=seed,
        bootstrap=bootstrap_alike,
    )
    estimate = formulas.ece(confidence, correct)
    yield {"metric": "ece", "estimate": estimate, "low": low, "high": high}
    floor = formulas.ece_floor(np.sort(confidence), seed=seed)  # whatever the order of the rows
    yield {"metric": "ece_floor", "estimate": floor.mean, "low": floor.low, "high": floor.high}
    estimates = formulas.calibration_figures(confidence, correct, np.ones(len(correct)))
    lows, highs = _percentiles(stated, resamples, seed)
    for row in zip(formulas.FIGURES, estimates, lows, highs, strict=True):
        yield dict(zip(("metric", "estimate", "low", "high"), row, strict=True))


def _percentiles(stated: _Stated, resamples: int, seed: int) -> NDArray[np.float64]:
    """Bounds of `FIGURES` by bootstrap, shape (2, 4).

    Answers with the same confidence and outcome share a weight: there are few of these kinds.
    """
    kinds, kind = np.unique(
        np.stack([stated.confidence, stated.correct], axis=1), axis=0, return_inverse=True
    )
    codes, n_clusters = cluster_codes(stated.clusters)
    counts = np.bincount(codes * len(kinds) + kind, minlength=n_clusters * len(kinds))
    return bootstrap_alike(
        counts.reshape(n_clusters, len(kinds)),
        lambda weights: formulas.calibration_figures(kinds[:, 0], kinds[:, 1], weights),
        sorted(set(stated.clusters), key=str),
        resamples=resamples,
        seed=seed,
    )


def _bin_rows(stated: _Stated, bins: int) -> Iterator[dict[str, Any]]:
    found = formulas.reliability(stated.confidence, stated.correct, bins=bins)
    index = bin_index(stated.confidence / 100, bins)
    for number in np.flatnonzero(found.count):
        members = np.flatnonzero(index == number)
        low, high = wilson_clustered(stated.correct[members], [stated.clusters[i] for i in members])
        yield {
            "bin_low": found.low[number],
            "bin_high": found.high[number],
            "confidence": found.confidence[number],
            "accuracy": found.accuracy[number],
            "low": low,
            "high": high,
            "n_samples": found.count[number],
        }
