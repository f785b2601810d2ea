"""Section 4: flips between levels, with thinking, and between passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Figure, Section
from vr_evals.report.charts import by_place, by_row
from vr_evals.report.claims import (
    claimed,
    largest_of,
    tests_of_levels,
    tests_of_thinking,
)
from vr_evals.report.figures import as_percent, axis_end, panels_of, places_of
from vr_evals.report.results import Results
from vr_evals.report.tables import (
    cell_words,
    frame_table,
    in_words,
    not_drawn,
    on_ladder,
    under_condition,
)
from vr_evals.report.text import (
    count,
    interval,
    p_value,
    percent,
    plural,
    points,
    shown,
    thinking_word,
)

__all__ = ["flips_section"]

_KINDS = {
    "good_flip": "good: to the right answer",
    "bad_flip": "bad: away from the right answer",
    "other_flip": "other: wrong to wrong, or no right answer",
}
_COMPARISONS = {
    "level0": "from level 0",
    "thinking_off": "from thinking off to on",
    "first_pass": "from the first to the second pass",
}
_FAMILIES = {
    "level0": tests_of_levels,
    "thinking_off": tests_of_thinking,
    "first_pass": tests_of_levels,
}
"""All tests of the question that a comparison is part of."""

_DIFFERENCES = frozenset(
    {"excess_flip", "net_flip", "excess_good_flip_of_wrong", "excess_bad_flip_of_right"}
)
_PANELS = ("benchmark", "model", "variant")


def flips_section(results: Results) -> Section:
    """Which answers change, and whether to the better."""
    title = "Flips between levels, and between passes"
    frame = results["flips"]
    if len(frame):
        frame = frame[(frame["n_items"] > 0) | frame["note"].notna()]
    if frame.empty:
        why = "No two levels, thinking conditions or passes were answered on the same items."
        return Section("flips", title, findings=(why,))
    return Section(
        "flips",
        title,
        findings=(
            *_findings(on_ladder(frame), results, ""),
            *_findings(under_condition(frame), results, "Under a condition, "),
        ),
        figures=tuple(figure for name in _COMPARISONS for figure in _figure(name, frame)),
    )


def _findings(frame: pd.DataFrame, results: Results, where: str) -> Iterator[str]:
    for comparison, words in _COMPARISONS.items():
        rows = frame[frame["comparison"] == comparison]
        flips = rows[rows["metric"] == "flip"].sort_values("estimate")
        if flips.empty:
            continue
        most = flips.iloc[-1]
        begin = where + words
        share = (
            f"between {percent(flips['estimate'].iloc[0])} and {percent(most['estimate'])} of "
            f"answers change (most: {cell_words(most)})"
            if len(flips) > 1
            else f"{percent(most['estimate'])} of answers change ({cell_words(most)})"
        )
        yield f"{begin[0].upper()}{begin[1:]}, {share}. {_beyond_noise(rows, results, comparison)}"


def _beyond_noise(rows: pd.DataFrame, results: Results, comparison: str) -> str:
    """Whether answers flip more than by themselves, and more for the better than for the worse.

    All tests of the question are in one family, those of accuracy and of other flips too.
    """
    family = _FAMILIES[comparison](results)
    excess, net = (rows[rows["metric"] == name] for name in ("excess_flip", "net_flip"))
    asked_once = excess[excess["note"].notna()]
    excess, net = excess[excess["p"].notna()], net[net["p"].notna()]
    sentences = []
    if len(asked_once):
        which = "" if excess.empty else f" ({plural(len(asked_once), 'cell')})"
        sentences.append(f"There is no noise floor{which}: asked once.")
    for metric, tested, words in (
        (
            "excess_flip",
            excess,
            "Beyond the reference's own flips from one epoch to another, the excess is",
        ),
        ("net_flip", net, "Good flips less bad ones are"),
    ):
        if tested.empty:
            continue
        others = [frame for name, frame in family.items() if name != metric]
        found = int(claimed(family[metric], *others)[tested.index].sum())
        most, estimate = largest_of(tested)
        sentences.append(
            f"{words} {estimate} points ({cell_words(most)}), and significant in "
            f"{found or 'none'} of {plural(len(tested), 'cell')} after Holm's correction."
        )
    return " ".join(sentences)


def _figure(comparison: str, frame: pd.DataFrame) -> tuple[Figure, ...]:
    words = _COMPARISONS[comparison]
    of_comparison = frame[frame["comparison"] == comparison]
    table = frame_table(
        f"Flips {words}",
        of_comparison,
        {
            "kind": lambda row: row.metric.replace("_", " "),
            "share [95%]": lambda row: interval(
                row, points if row.metric in _DIFFERENCES else percent
            ),
            "p": lambda row: p_value(row.p),
            "p (Holm)": lambda row: p_value(row.p_adjusted),
            "items": lambda row: count(row.n_items),
            "answers": lambda row: count(row.n_samples),
            "left out": lambda row: count(row.n_left_out),
            "note": lambda row: "" if pd.isna(row.note) else shown(row.note),
        },
        texts=("kind", "note"),
    )
    drawn = on_ladder(of_comparison)
    drawn = drawn[drawn["metric"].isin(_KINDS) & drawn["level"].notna()]
    drawn = as_percent(drawn).sort_values([*_PANELS, "thinking", "level"])
    drawn = drawn.assign(
        series=in_words(drawn["metric"], lambda metric: _KINDS[metric]),
        place=drawn["level"],
        row=in_words(drawn["thinking"], lambda value: f"thinking {thinking_word(value)}"),
        clear=True,
    )
    series = tuple(_KINDS.values())
    top = axis_end(drawn["high"])
    places = places_of(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        words = "of all answers, in %"
        if comparison == "first_pass":
            return by_row(panel, series, x_title=words, domain=(0, top))
        return by_place(
            panel, series, x_title="level", y_title=words, domain=(0, top), places=places
        )

    return panels_of(
        f"flips-{comparison.replace('_', '-')}",
        f"Flips {words}",
        "Marks are shares of all answers, bars their 95% intervals over items. Where every item "
        "has a right answer, net flips (good less bad) are the change in accuracy among what was "
        "read on both sides; at 0 there is no net change. Two runs of the same process flip, too: "
        "see the excess."
        f"{not_drawn(of_comparison)}",
        drawn,
        (*_PANELS, "thinking") if comparison == "level0" else _PANELS,
        draw,
        table,
        series=series,
    )
