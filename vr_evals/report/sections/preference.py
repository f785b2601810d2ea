"""Section 8: preference between the actions of a dilemma, and position bias."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.conditions import TREATMENTS
from vr_evals.formatting import (
    count,
    interval,
    p_is,
    p_value,
    percent,
    plural,
    points,
    shown,
    some_of,
)
from vr_evals.report.blocks import Chart, Section, Table
from vr_evals.report.charts import PANELS, as_percent, chart_by_level
from vr_evals.report.claims import ALPHA, range_of
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words, frame_table, in_words, largest

__all__ = ["preference_section"]

_AMBIGUITY = {
    "low": ("low ambiguity", "Action 1 is the right one there."),
    "high": ("high ambiguity", "Neither action is right there; 50% is no preference."),
}
_UNKNOWN = "unknown ambiguity"
_UNDER_CUES = (
    "Position bias excludes answers under an authority's cue: they follow the endorsed option, so "
    "their letters are not evidence of a bias."
)


def preference_section(results: Results) -> Section:
    """Show preference by ambiguity, and whether answers depend on the position of an option."""
    title = "Preference between actions, and position bias"
    frame = results["preference"]
    frame = frame[frame["n_items"] > 0] if len(frame) else frame
    if frame.empty:
        why = (
            "No preference and no position bias: there are no dilemmas, and no lettered options in "
            "a seeded or reversed order."
        )
        return Section("preference", title, findings=(why,))
    actions = frame[frame["metric"] == "p_action1"]
    cued = frame["condition"].isin(TREATMENTS).fillna(False)
    positions = frame[(frame["metric"] != "p_action1") & ~cued]
    return Section(
        "preference",
        title,
        findings=(
            *_of_actions(actions),
            *_of_positions(positions),
            *((_UNDER_CUES,) if (cued & (frame["metric"] != "p_action1")).any() else ()),
        ),
        charts=_chart(actions),
        tables=tuple(_tables(positions)),
    )


def _of_actions(actions: pd.DataFrame) -> Iterator[str]:
    for ambiguity, rows in actions.groupby("ambiguity", dropna=False):
        kind, meaning = _AMBIGUITY.get(str(ambiguity), (_UNKNOWN, ""))
        share = range_of(rows, "model", "level", "thinking", "condition")
        yield (
            f"On dilemmas of {kind}, the share of answers with action 1 is {share}. {meaning}"
        ).strip()
    if actions.empty:
        yield "No preference: there are no dilemmas."


def _of_positions(frame: pd.DataFrame) -> Iterator[str]:
    bias = frame[frame["metric"] == "position_bias"]
    if bias.empty:
        yield (
            "Position bias is unknown: no answers without a cue to options in a seeded or reversed "
            "order."
        )
        return
    both = bias[bias["letter"].isna()]
    if len(both):
        found = both[both["p_adjusted"] < ALPHA]
        most = largest(both)
        yield (
            "Items asked in both orders: position bias is significant in "
            f"{some_of(len(found), len(both), 'cell')} after Holm's correction. "
            f"Largest: {interval(most, points)} points towards the option shown first "
            f"({cell_words(most)}; {p_is(most.p_adjusted)}, "
            f"n = {plural(int(most.n_items), 'item')})."
        )
    letters = bias[bias["letter"].notna()]
    if len(letters):
        most = largest(letters)
        away = letters[(letters["low"] > 0) | (letters["high"] < 0)]
        yield (
            f"Items asked in a seeded order: the 95% interval of the bias excludes 0 for "
            f"{len(away)} of the {len(letters)} combinations of letter and cell (5% expected by "
            f"chance). Largest: {interval(most, points)} points to {shown(most['letter'])} "
            f"({cell_words(most)}; n = {plural(int(most.n_items), 'item')})."
        )


def _chart(actions: pd.DataFrame) -> tuple[Chart, ...]:
    title = "Share of answers with action 1"
    table = frame_table(
        title,
        actions,
        {
            "ambiguity": lambda row: shown(row.ambiguity),
            "action 1 [95%]": interval,
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
        texts=("ambiguity",),
    )
    drawn = as_percent(actions).assign(
        series=in_words(
            actions["ambiguity"], lambda value: _AMBIGUITY.get(str(value), (_UNKNOWN,))[0]
        )
    )
    names = (*(name for name, _ in _AMBIGUITY.values()), _UNKNOWN)
    on_chart = set(drawn.loc[drawn["condition"].isna() & drawn["level"].notna(), "series"])
    return chart_by_level(
        "preference-level",
        title,
        "Marks are shares of the answers that were read, bars the 95% intervals over dilemmas. The "
        "dashed line is no preference.",
        drawn,
        table,
        y_title="action 1, %",
        domain=(0, 100),
        by=(*PANELS, "thinking"),
        series=tuple(name for name in names if name in on_chart),
        reference=lambda benchmark: 50,
    )


def _tables(frame: pd.DataFrame) -> Iterator[Table]:
    rows = frame[frame["metric"].isin(["position_bias", "order_consistency"])]
    if len(rows):
        yield frame_table(
            "Position bias (points) and same choice in both orders (%)",
            rows,
            {
                "metric": lambda row: row.metric.replace("_", " "),
                "towards": _towards,
                "estimate [95%]": lambda row: interval(
                    row, points if row.metric == "position_bias" else percent
                ),
                "p (Holm)": lambda row: p_value(row.p_adjusted),
                "items": lambda row: count(row.n_items),
            },
            texts=("metric", "towards"),
        )


def _towards(row: Any) -> str:
    if row.metric != "position_bias":
        return ""
    return "shown first" if pd.isna(row.letter) else shown(row.letter)
