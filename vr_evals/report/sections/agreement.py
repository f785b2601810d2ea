"""Section 5: agreement over epochs."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.report.blocks import Section
from vr_evals.report.charts import by_place
from vr_evals.report.figures import as_percent, panels_of, places_of, series_of
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words, frame_table, on_ladder
from vr_evals.report.text import count, interval, number, percent, points

__all__ = ["agreement_section"]

_PANELS = ("benchmark", "model", "variant")


def agreement_section(results: Results) -> Section:
    """How alike the answers to the same question are."""
    title = "Agreement over epochs"
    frame = results["agreement"]
    frame = frame[(frame["n_items"] > 0) & frame["estimate"].notna()] if len(frame) else frame
    alike = frame[frame["metric"] == "agreement"] if len(frame) else frame
    if alike.empty:
        why = "No item was asked twice in the same way, so nothing is known of it (see --epochs)."
        return Section("agreement", title, findings=(why,))
    spread = frame[frame["metric"] == "accuracy_sd_over_epochs"].set_index(_names())["estimate"]
    bits = frame[frame["metric"] == "entropy"].set_index(_names())["estimate"]
    table = frame_table(
        "Agreement, entropy, and how much accuracy moves between epochs",
        alike,
        {
            "agreement [95%]": interval,
            "entropy, bits": lambda row: number(bits.get(_key(row))),
            "s.d. of accuracy, points": lambda row: points(spread.get(_key(row))).lstrip("+"),
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
    )
    drawn, series = series_of(as_percent(on_ladder(alike[alike["level"].notna()])))
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
    figures = panels_of(
        "agreement-figure",
        "Agreement by level",
        "Marks are the share of pairs of epochs with the same choice, bars its 95% interval over "
        "items. An answer that could not be read is a choice of its own.",
        drawn,
        _PANELS,
        draw,
        table,
        series=series,
    )
    return Section(
        "agreement", title, findings=(finding,), figures=figures, tables=() if figures else (table,)
    )


def _names() -> list[str]:
    return ["model", "benchmark", "level", "thinking", "condition", "variant"]


def _key(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in _names())
