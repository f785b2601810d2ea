"""Section 7: agreement over epochs."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.analysis.main_table import sort_by_condition
from vr_evals.formatting import MISSING, count, interval, number, points
from vr_evals.report.blocks import Section, Table
from vr_evals.report.charts import CONDITION_PANELS, as_percent, chart_by_condition, chart_by_level
from vr_evals.report.claims import range_of
from vr_evals.report.results import Results
from vr_evals.report.tables import frame_table, on_ladder, under_condition

__all__ = ["agreement_section"]

_HOW_TO_READ = (
    "Marks are the share of pairs of epochs with the same choice, bars the 95% interval over "
    "items. An unread answer counts as a choice of its own. Answers that do not depend on the item "
    "also agree by chance; the table has the agreement beyond chance, Krippendorff's α."
)
_AXIS = "pairs that agree, %"


def agreement_section(results: Results) -> Section:
    """Show how often answers to the same question agree."""
    title = "Agreement over epochs"
    frame = results["agreement"]
    frame = frame[(frame["n_items"] > 0) & frame["estimate"].notna()] if len(frame) else frame
    alike = frame[frame["metric"] == "agreement"] if len(frame) else frame
    between = _between_models(results["model_agreement"])
    if alike.empty:
        why = (
            "Agreement is unknown: no item has answers from two epochs with the same settings "
            "(use --epochs)."
        )
        return Section("agreement", title, findings=(why,), tables=between)
    ladder = on_ladder(alike)
    conditions = sort_by_condition(under_condition(alike), *CONDITION_PANELS)
    return Section(
        "agreement",
        title,
        findings=(_finding(alike, _by_cell(frame, "accuracy_sd_over_epochs")),),
        charts=(
            *chart_by_level(
                "agreement-level",
                "Agreement by level",
                _HOW_TO_READ,
                as_percent(ladder),
                _table("Agreement, entropy and variation of accuracy by cell", ladder, frame),
                y_title=_AXIS,
                domain=(0, 100),
            ),
            *chart_by_condition(
                "agreement-conditions",
                "Agreement by condition",
                _HOW_TO_READ,
                as_percent(conditions),
                _table(
                    "Agreement, entropy and variation of accuracy by condition", conditions, frame
                ),
                x_title=_AXIS,
                domain=(0, 100),
            ),
        ),
        tables=between,
    )


def _between_models(frame: pd.DataFrame) -> tuple[Table, ...]:
    if frame.empty:
        return ()
    wide = frame[frame["metric"] == "agreement"]
    beyond = {_pair(row): row for row in frame[frame["metric"] == "agreement_kappa"].itertuples()}
    table = frame_table(
        "Agreement of two models on the same items",
        wide,
        {
            "agreement [95%]": interval,
            "Cohen's κ [95%]": lambda row: interval(beyond[_pair(row)], number),
            "items": lambda row: count(row.n_items),
        },
    )
    return (table,)


def _pair(row: Any) -> tuple[str, ...]:
    return tuple(str(getattr(row, name)) for name in (*CELL, "versus"))


def _finding(alike: pd.DataFrame, spread: pd.Series[Any]) -> str:
    finding = f"The share of pairs of epochs with the same choice is {range_of(alike)}."
    if len(spread):
        finding += (
            " Accuracy varies between epochs with a standard deviation of up to "
            f"{100 * spread.max():.1f} points."
        )
    return finding


def _table(caption: str, alike: pd.DataFrame, frame: pd.DataFrame) -> Table:
    spread, bits = _by_cell(frame, "accuracy_sd_over_epochs"), _by_cell(frame, "entropy")
    rows = frame[frame["metric"] == "agreement_alpha"]
    beyond = {tuple(str(x) for x in _key(row)): row for row in rows.itertuples()}
    return frame_table(
        caption,
        alike,
        {
            "agreement [95%]": interval,
            "α [95%]": lambda row: _alpha(beyond.get(tuple(str(x) for x in _key(row)))),
            "entropy, bits": lambda row: number(bits.get(_key(row))),
            "s.d. of accuracy, points": lambda row: points(spread.get(_key(row))).lstrip("+"),
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
    )


def _alpha(row: Any) -> str:
    """Krippendorff's α; without a row if all choices are the same."""
    return MISSING if row is None else interval(row, number)


def _by_cell(frame: pd.DataFrame, metric: str) -> pd.Series[Any]:
    """The estimates of a metric, by cell."""
    return frame[frame["metric"] == metric].set_index(list(CELL))["estimate"]


def _key(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in CELL)
