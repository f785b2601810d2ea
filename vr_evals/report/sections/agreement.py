"""Section 5: agreement over epochs."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.report.blocks import Figure, Section, Table
from vr_evals.report.by_condition import figure_by_condition, in_order
from vr_evals.report.charts import by_place
from vr_evals.report.figures import as_percent, panels_of, places_of, series_of
from vr_evals.report.results import Results
from vr_evals.report.tables import (
    cell_words,
    frame_table,
    not_drawn,
    on_ladder,
    under_condition,
)
from vr_evals.report.text import MISSING, count, interval, number, percent, points

__all__ = ["agreement_section"]

_PANELS = ("benchmark", "model", "variant")
_READING = (
    "Marks are the share of pairs of epochs with the same choice, bars its 95% interval over "
    "items. An answer that could not be read is a choice of its own. Answers that do not depend on "
    "the item agree by chance too; the table has the agreement beyond that, Krippendorff's α."
)


def agreement_section(results: Results) -> Section:
    """How alike the answers to the same question are."""
    title = "Agreement over epochs"
    frame = results["agreement"]
    frame = frame[(frame["n_items"] > 0) & frame["estimate"].notna()] if len(frame) else frame
    alike = frame[frame["metric"] == "agreement"] if len(frame) else frame
    between = _between_models(results["model_agreement"])
    if alike.empty:
        why = (
            "No item was asked twice in the same way and answered, so nothing is known of it (see "
            "--epochs)."
        )
        return Section("agreement", title, findings=(why,), tables=between)
    return Section(
        "agreement",
        title,
        findings=(_finding(alike, _by_cell(frame, "accuracy_sd_over_epochs")),),
        figures=(
            *_by_level(on_ladder(alike), frame),
            *_by_condition(under_condition(alike), frame),
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
    ordered = alike.sort_values("estimate")
    low, high = ordered.iloc[0], ordered.iloc[-1]
    finding = (
        f"Two answers to the same question agree in {percent(low['estimate'])} "
        f"({cell_words(low)}) to {percent(high['estimate'])} of cases ({cell_words(high)})."
        if len(alike) > 1
        else f"Two answers to the same question agree in {interval(low)} of cases."
    )
    if len(spread):
        finding += (
            " From one epoch to the next accuracy moves by a standard deviation of up to "
            f"{100 * spread.max():.1f} points."
        )
    return finding


def _by_level(alike: pd.DataFrame, frame: pd.DataFrame) -> tuple[Figure, ...]:
    drawn, series = series_of(as_percent(alike[alike["level"].notna()]))
    drawn = drawn.assign(place=drawn["level"]).sort_values(list(_PANELS))
    places = places_of(drawn)

    def draw(rows: pd.DataFrame) -> Any:
        return by_place(
            rows,
            series,
            x_title="level",
            y_title="pairs that agree, in %",
            domain=(0, 100),
            places=places,
        )

    return panels_of(
        "agreement-figure",
        "Agreement by level",
        _READING + not_drawn(alike),
        drawn,
        _PANELS,
        draw,
        _table("Agreement, entropy, and how much accuracy moves between epochs", alike, frame),
        series=series,
    )


def _by_condition(alike: pd.DataFrame, frame: pd.DataFrame) -> tuple[Figure, ...]:
    return figure_by_condition(
        "agreement-conditions",
        "Agreement by condition",
        _READING,
        alike,
        _table(
            "Agreement, entropy and accuracy between epochs, by condition", in_order(alike), frame
        ),
        x_title="pairs that agree, in %",
        domain=(0, 100),
    )


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
    """Krippendorff's α; without a row where all choices are alike."""
    return MISSING if row is None else interval(row, number)


def _by_cell(frame: pd.DataFrame, metric: str) -> pd.Series[Any]:
    """The estimates of a metric, by the names of their cell."""
    return frame[frame["metric"] == metric].set_index(list(CELL))["estimate"]


def _key(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in CELL)
