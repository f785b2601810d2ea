"""Section 6: preference between the actions of a dilemma, and position bias."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Figure, Section, Table
from vr_evals.report.by_condition import CUES
from vr_evals.report.charts import by_place
from vr_evals.report.claims import CLEAR
from vr_evals.report.figures import as_percent, panels_of, places_of
from vr_evals.report.results import Results
from vr_evals.report.tables import (
    cell_words,
    frame_table,
    in_words,
    largest,
    not_drawn,
    on_ladder,
)
from vr_evals.report.text import count, interval, p_is, p_value, percent, plural, points, shown

__all__ = ["preference_section"]

_PANELS = ("benchmark", "model", "variant")
_UNDER_CUES = (
    "Position bias leaves out answers under an authority's cue, which go where it points: letters "
    "say nothing of position there."
)


def preference_section(results: Results) -> Section:
    """Preference by ambiguity, and whether answers depend on where an option stands."""
    title = "Preference between actions, and position bias"
    frame = results["preference"]
    frame = frame[frame["n_items"] > 0] if len(frame) else frame
    if frame.empty:
        why = (
            "There are no dilemmas, and no lettered options in an order that was drawn or reversed."
        )
        return Section("preference", title, findings=(why,))
    actions = frame[frame["metric"] == "p_action1"]
    cued = frame["condition"].isin(CUES).fillna(False)
    positions = frame[(frame["metric"] != "p_action1") & ~cued]
    return Section(
        "preference",
        title,
        findings=(
            *_of_actions(actions),
            *_of_positions(positions),
            *((_UNDER_CUES,) if (cued & (frame["metric"] != "p_action1")).any() else ()),
        ),
        figures=_figure(actions),
        tables=tuple(_tables(positions)),
    )


def _of_actions(actions: pd.DataFrame) -> Iterator[str]:
    for ambiguity, rows in actions.groupby("ambiguity", dropna=False):
        rows = rows.sort_values("estimate")
        kind = "" if pd.isna(ambiguity) else f" of {shown(ambiguity)} ambiguity"
        reading = {
            "low": "There action 1 is the right one.",
            "high": "There no action is the right one; 50% would be no preference.",
        }
        low, high = rows.iloc[0], rows.iloc[-1]
        names = ("model", "level", "thinking", "condition")
        share = (
            f"between {percent(low['estimate'])} ({cell_words(low, *names)}) and "
            f"{percent(high['estimate'])} ({cell_words(high, *names)})"
            if len(rows) > 1
            else f"{interval(low)} ({cell_words(low, *names)})"
        )
        yield (
            f"On dilemmas{kind}, the share of answers with action 1 is {share}. "
            f"{reading.get(str(ambiguity), '')}"
        ).strip()
    if actions.empty:
        yield "There are no dilemmas, so nothing is said of preference."


def _of_positions(frame: pd.DataFrame) -> Iterator[str]:
    bias = frame[frame["metric"] == "position_bias"]
    if bias.empty:
        yield (
            "No answers without a cue were given to options in a drawn or reversed order, so "
            "position bias can't be told."
        )
        return
    both = bias[bias["letter"].isna()]
    if len(both):
        found = both[both["p_adjusted"] < CLEAR]
        most = largest(both)
        yield (
            f"Where items were asked in both orders, a bias towards a position is shown in "
            f"{len(found)} of {plural(len(both), 'cell')} after Holm's correction; the largest is "
            f"{interval(most, points)} points towards the option shown first ({cell_words(most)}; "
            f"{p_is(most.p_adjusted)})."
        )
    letters = bias[bias["letter"].notna()]
    if len(letters):
        most = largest(letters)
        away = letters[(letters["low"] > 0) | (letters["high"] < 0)]
        yield (
            f"Where orders were drawn, {len(away)} of {len(letters)} letters (each in its cell) "
            "have an interval clear of 0 (5 in 100 would by chance alone); the largest bias is "
            f"{interval(most, points)} points to {shown(most['letter'])} ({cell_words(most)})."
        )


def _figure(actions: pd.DataFrame) -> tuple[Figure, ...]:
    table = frame_table(
        "Share of answers with action 1",
        actions,
        {
            "ambiguity": lambda row: shown(row.ambiguity),
            "action 1 [95%]": interval,
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
        texts=("ambiguity",),
    )
    drawn = on_ladder(actions)
    drawn = as_percent(drawn[drawn["level"].notna()]) if len(drawn) else drawn
    words = {"low": "low ambiguity", "high": "high ambiguity"}
    unknown = "ambiguity not known"
    drawn = drawn.assign(
        series=in_words(drawn["ambiguity"], lambda value: words.get(str(value), unknown)),
        place=drawn["level"],
    ).sort_values([*_PANELS, "thinking", "level"])
    series = tuple(each for each in (*words.values(), unknown) if each in set(drawn["series"]))
    places = places_of(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return by_place(
            panel,
            series,
            x_title="level",
            y_title="action 1, in %",
            domain=(0, 100),
            places=places,
            reference=50,
        )

    return panels_of(
        "preference-figure",
        "Share of answers with action 1",
        "Marks are shares of the answers that were read, bars 95% intervals over dilemmas. The "
        f"dashed line is no preference.{not_drawn(actions)}",
        drawn,
        (*_PANELS, "thinking"),
        draw,
        table,
        series=series,
    )


def _tables(frame: pd.DataFrame) -> Iterator[Table]:
    rows = frame[frame["metric"].isin(["position_bias", "order_consistency"])]
    if len(rows):
        yield frame_table(
            "Position bias (points) and the same choice in both orders (%)",
            rows,
            {
                "figure": lambda row: row.metric.replace("_", " "),
                "towards": _towards,
                "estimate [95%]": lambda row: interval(
                    row, points if row.metric == "position_bias" else percent
                ),
                "p (Holm)": lambda row: p_value(row.p_adjusted),
                "items": lambda row: count(row.n_items),
            },
            texts=("figure", "towards"),
        )


def _towards(row: Any) -> str:
    if row.metric != "position_bias":
        return ""
    return "shown first" if pd.isna(row.letter) else shown(row.letter)
