"""Do stated confidences come true? By cell, in both readings of the scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cells import CELL, Cells, Integers, cells, tidy_frame
from vr_evals.analysis.checks import check_integer
from vr_evals.analysis.estimates import ESTIMATE, estimate_row
from vr_evals.stats import calibration as formulas
from vr_evals.stats.confidence import EXPECTED_BANDS, bin_index, chance_adjusted
from vr_evals.stats.discrimination import FEWEST, auroc, auroc_interval
from vr_evals.stats.intervals import (
    Interval,
    correlation_of_means,
    difference_from_rate,
    effective_size,
    mover,
    score_mean,
    wilson_clustered,
)
from vr_evals.stats.paired import holm

__all__ = ["ambiguity", "calibration", "reliability"]

_COLUMNS = (
    *CELL,
    "scale",
    *ESTIMATE,
    "n_left_out",
    "p",
    "p_adjusted",
)
_BINS = (*CELL, "scale", "bin_low", "bin_high", "confidence", "accuracy", "low", "high")
_TABLE_COLUMNS = ("label", "correct", "confidence", "n_options")


@dataclass(frozen=True)
class _Stated:
    """The answers of a cell that calibration is over, in one reading of the scale.

    Attributes:
        keys: The key columns, `scale` among them, and `n_left_out`.
        confidence: 0–100.
        correct: 0.0 or 1.0.
        clusters: The cluster of each.
        counts: The counts of a frame's row.
    """

    keys: dict[str, Any]
    confidence: NDArray[np.float64]
    correct: NDArray[np.float64]
    clusters: Integers
    counts: dict[str, int]

    def row(self, metric: str, estimate: float, low: float, high: float) -> dict[str, Any]:
        """Return a row of the frame."""
        return self.keys | estimate_row(metric, estimate, low, high, **self.counts)


def calibration(table: pd.DataFrame, *, simulations: int = 1000, seed: int = 0) -> pd.DataFrame:
    """Calibration of stated confidence, each epoch by itself.

    `scale` is the reading of the scale: `stated` (c/100 is the probability of being right) or
    `chance_adjusted` (0 is a guess among the options offered). The metrics:

    - `ece`: expected calibration error, with the interval and test of `calibration_error`, which
      know of epochs: `low` is above 0 if and only if `p` is below 0.05;
    - `ece_floor`: what perfect calibration would show with these confidences and epochs, with the
      range that 95 % of such respondents fall into;
    - `brier` and `mean_confidence` (0–100), with `score_mean`;
    - `auroc`, with `auroc_interval`, which is NaN if fewer than `FEWEST` items have a right, or
      a wrong, answer; `attrs["notes"]` says so;
    - `overconfidence`, with the interval and test of `difference_from_rate`.

    Args:
        table: The tidy table.
        simulations: Answers drawn anew, by `calibration_error`.
        seed: Of these.

    Returns:
        Rows for each cell in which a confidence was stated. `n_items` and `n_samples` are what they
        are over; `n_left_out` counts samples with a stated confidence whose answer could not be
        read or has no target. `p_adjusted` is Holm's: all tests of the frame are one family.

    Raises:
        InputError: The table does not have the columns of a tidy table, or there are no
            simulations.
    """
    check_integer("simulations", simulations)
    grouped = cells(table, _TABLE_COLUMNS)
    records = [row for stated in _stated(grouped) for row in _figures(stated, simulations, seed)]
    frame = tidy_frame(records, _COLUMNS, [*grouped.notes, *_refusals(records)])
    return frame.assign(p_adjusted=holm(frame["p"].to_numpy()))


def reliability(table: pd.DataFrame, *, bins: int = 10) -> pd.DataFrame:
    """What reliability diagrams show: accuracy of the answers in each bin of stated confidence.

    Args:
        table: The tidy table.
        bins: Number of bins of equal width; right-closed, the first holds 0.

    Returns:
        A row for each bin with answers of each cell and `scale`: its bounds `bin_low` and
        `bin_high` and the mean `confidence` (0–100), `accuracy` with its interval `low` and `high`
        (`wilson_clustered`), `n_samples`, and how many independent answers these are worth,
        `effective` (`effective_size`; 0 if it is not known).

    Raises:
        InputError: The table does not have the columns of a tidy table, or there are no bins.
    """
    check_integer("bins", bins)
    grouped = cells(table, _TABLE_COLUMNS)
    records = [stated.keys | row for stated in _stated(grouped) for row in _bin_rows(stated, bins)]
    return tidy_frame(records, (*_BINS, "n_samples", "effective"), grouped.notes)


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
                keys=cell.keys
                | {"scale": scale, "n_left_out": int(stated[in_cell].sum()) - len(unit)},
                confidence=values,
                correct=correct[in_cell][used],
                clusters=grouped.units.cluster_code[unit],
                counts={"n_items": grouped.units.n_items(unit), "n_samples": len(unit)},
            )


def _figures(stated: _Stated, simulations: int, seed: int) -> Iterator[dict[str, Any]]:
    """The metrics of one cell, each with its interval."""
    confidence, correct, clusters = stated.confidence, stated.correct, stated.clusters
    error = formulas.calibration_error(
        confidence, correct, clusters, simulations=simulations, seed=seed
    )
    yield stated.row("ece", error.ece, error.low, error.high) | {"p": error.p}
    yield stated.row("ece_floor", *error.floor)
    squares = score_mean((confidence / 100 - correct) ** 2, clusters)
    yield stated.row("brier", squares.mean, squares.low, squares.high)
    area = auroc_interval(confidence, correct, clusters)
    yield stated.row("auroc", auroc(confidence, correct), *area)
    mean = score_mean(confidence, clusters, (0, 100))
    yield stated.row("mean_confidence", mean.mean, mean.low, mean.high)
    over = difference_from_rate(confidence / 100, correct, clusters)
    yield stated.row("overconfidence", over.estimate, over.low, over.high) | {"p": over.p}


def _refusals(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Why areas have no interval, in a sentence."""
    refused = sum(
        row["metric"] == "auroc" and bool(np.isnan(row["low"])) and row["scale"] == "stated"
        for row in records
    )
    if refused:
        yield (
            f"AUROC has no interval in {refused} cell{'s' * (refused != 1)}: fewer than {FEWEST} "
            "items with a right answer, or with a wrong one."
        )


def ambiguity(table: pd.DataFrame) -> pd.DataFrame:
    """Whether confidence knows which dilemmas are ambiguous, each epoch by itself.

    Over answers that were read, also without a target. The metrics:

    - `confidence_low_ambiguity`, `confidence_high_ambiguity`: mean confidence (0–100), with
      `score_mean`; `confidence_low_minus_high`: their difference, with `mover`;
    - `auroc_low_ambiguity`: area under the ROC curve of confidence against low ambiguity, with
      `auroc_interval`;
    - `in_band_low_ambiguity`, `in_band_high_ambiguity`, `in_band`: shares of confidences within
      `EXPECTED_BANDS`, with `wilson_clustered`.

    Args:
        table: The tidy table.

    Returns:
        Rows for each cell in which a confidence was stated on a dilemma whose ambiguity is known.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("label", "confidence", "ambiguity"))
    rows = grouped.rows
    kind = rows["ambiguity"].to_numpy(dtype=object)
    stated = rows["label"].notna() & rows["confidence"].notna()
    used = (stated & rows["ambiguity"].isin(list(EXPECTED_BANDS))).to_numpy()
    confidence = rows["confidence"].to_numpy(dtype=float, na_value=np.nan)
    records = []
    for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True):
        samples = in_cell.start + np.flatnonzero(used[in_cell])
        if not len(samples):
            continue
        rows_of_cell = _of_ambiguity(confidence, kind, samples, grouped)
        records += [cell.keys | row for row in rows_of_cell]
    return tidy_frame(records, (*CELL, *ESTIMATE), grouped.notes)


def _of_ambiguity(
    confidence: NDArray[np.float64], kind: NDArray[np.object_], samples: Integers, grouped: Cells
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one cell."""
    clusters = grouped.units.cluster_code[grouped.unit]

    def row(metric: str, estimate: float, low: float, high: float, of: Integers) -> dict[str, Any]:
        return estimate_row(metric, estimate, low, high, **grouped.counts(of))

    of = {name: samples[kind[samples] == name] for name in EXPECTED_BANDS}
    means = {name: score_mean(confidence[n], clusters[n], (0, 100)) for name, n in of.items()}
    for name, mean in means.items():
        yield row(f"confidence_{name}_ambiguity", mean.mean, mean.low, mean.high, of[name])
    low, high = means["low"], means["high"]
    interval = mover(
        low.mean,
        Interval(low.low, low.high),
        high.mean,
        Interval(high.low, high.high),
        correlation=correlation_of_means(
            confidence[of["low"]],
            clusters[of["low"]],
            confidence[of["high"]],
            clusters[of["high"]],
        ),
    )
    yield row("confidence_low_minus_high", low.mean - high.mean, *interval, samples)
    is_low = kind[samples] == "low"
    area = auroc(confidence[samples], is_low)
    bounds = auroc_interval(confidence[samples], is_low, clusters[samples])
    yield row("auroc_low_ambiguity", area, *bounds, samples)
    within = np.zeros(len(confidence), dtype=bool)
    for name, (least, greatest) in EXPECTED_BANDS.items():
        within[of[name]] = (confidence[of[name]] >= least) & (confidence[of[name]] <= greatest)
    for metric, n in (
        *((f"in_band_{name}_ambiguity", of[name]) for name in EXPECTED_BANDS),
        ("in_band", samples),
    ):
        share = float(within[n].mean()) if len(n) else np.nan
        yield row(metric, share, *wilson_clustered(within[n], clusters[n]), n)


def _bin_rows(stated: _Stated, bins: int) -> Iterator[dict[str, Any]]:
    found = formulas.reliability(stated.confidence, stated.correct, bins=bins)
    index = bin_index(stated.confidence / 100, bins)
    for number in np.flatnonzero(found.count):
        members = np.flatnonzero(index == number)
        right, clusters = stated.correct[members], stated.clusters[members]
        low, high = wilson_clustered(right, clusters)
        yield {
            "bin_low": found.low[number],
            "bin_high": found.high[number],
            "confidence": found.confidence[number],
            "accuracy": found.accuracy[number],
            "low": low,
            "high": high,
            "n_samples": found.count[number],
            "effective": effective_size(right, clusters)[1],
        }
