"""How far our reader and that of an imported file agree."""

from typing import Any

import pandas as pd

from vr_evals.analysis.cells import CELL, Integers, cells, needed_columns
from vr_evals.analysis.checks import tidy_columns
from vr_evals.stats.intervals import wilson_clustered

__all__ = ["readings"]

_COLUMNS = (
    *CELL,
    "n_samples",
    "n_agree",
    "n_disagree",
    "n_only_ours",
    "n_only_imported",
    "n_neither",
    "agreement",
    "agreement_low",
    "agreement_high",
    "n_confidence_differs",
    "disagreeing",
)


_READ = ("label", "imported_label", "confidence", "imported_confidence", "sample_id", "epoch")


def readings(table: pd.DataFrame) -> pd.DataFrame:
    """Compare the labels that were read of imported replies with those that the file has.

    Args:
        table: What `read_logs` returns; rows of logs that were not imported are left out.

    Returns:
        A row per cell, without samples that ended in an error: samples by whether both read the
        same label (``n_agree``), different ones (``n_disagree``), one of them none
        (``n_only_ours``, ``n_only_imported``), or both none; ``agreement``, the share (0–1) of
        samples where both read the same or both nothing, with its 95 % interval
        (`wilson_clustered`: ``agreement_low``, ``agreement_high``); samples whose confidences
        differ (``n_confidence_differs``); and the sample ids with epoch of all labels that differ
        (``disagreeing``).

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    rows = tidy_columns(table, needed_columns("imported", *_READ))
    grouped = cells(rows[rows["imported"].fillna(False)], _READ)
    clusters = grouped.units.cluster_code[grouped.unit]
    records = [
        cell.keys | _counts(grouped.rows.iloc[there], clusters[there])
        for cell, there in zip(grouped.cells, grouped.row_slices, strict=True)
    ]
    frame = pd.DataFrame(records, columns=list(_COLUMNS))
    frame.attrs["notes"] = list(grouped.notes)
    return frame


def _counts(rows: pd.DataFrame, clusters: Integers) -> dict[str, Any]:
    ours, theirs = (
        rows[name].astype("string").str.casefold() for name in ("label", "imported_label")
    )
    same = (ours == theirs).fillna(False)
    both, neither = ours.notna() & theirs.notna(), ours.isna() & theirs.isna()
    differ = rows[~same & ~neither]
    confidences = rows[["confidence", "imported_confidence"]].astype("Float64")
    unlike = (confidences["confidence"] - confidences["imported_confidence"]).abs() > 1e-9
    agree = (same | neither).to_numpy(dtype=float)
    low, high = wilson_clustered(agree, clusters)
    one_missing = confidences.isna().sum(axis=1) == 1
    return {
        "n_samples": len(rows),
        "n_agree": int((same & both).sum()),
        "n_disagree": int((~same & both).sum()),
        "n_only_ours": int((ours.notna() & theirs.isna()).sum()),
        "n_only_imported": int((ours.isna() & theirs.notna()).sum()),
        "n_neither": int(neither.sum()),
        "agreement": float(agree.mean()),
        "agreement_low": low,
        "agreement_high": high,
        "n_confidence_differs": int((unlike.fillna(False) | one_missing).sum()),
        "disagreeing": [
            f"{id} (epoch {epoch})"
            for id, epoch in zip(differ["sample_id"], differ["epoch"], strict=True)
        ],
    }
