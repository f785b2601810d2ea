"""Section 6: flips between levels, with thinking, and on reflection within a sample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.analysis.added_flips import ADDED_FLIPS
from vr_evals.formatting import (
    count,
    interval,
    p_value,
    percent,
    plural,
    points,
    shown,
    some_of,
    thinking_word,
)
from vr_evals.report.blocks import Chart, Section, Table
from vr_evals.report.charts import (
    PANELS,
    as_percent,
    axis_end,
    chart_by_level,
    chart_of_panels,
    symmetric_domain,
)
from vr_evals.report.claims import (
    claimed,
    detectable,
    largest_of,
    range_of,
    tests_of_levels,
    tests_of_reask,
    tests_of_reflection,
    tests_of_thinking,
)
from vr_evals.report.drawing import by_row
from vr_evals.report.results import Results
from vr_evals.report.tables import frame_table, in_words, on_ladder, under_condition

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
    "initial": "from the initial to the final answer of level 4",
    "reask": "from the first to the second call of the control, which only repeats the question",
    "reflection": "of reflection minus those of asking again",
}
_WITHIN = ("initial", "first_pass", "reask")
"""Comparisons of two answers within a sample, shown beside each other."""

_FAMILIES = {
    "level0": tests_of_levels,
    "thinking_off": tests_of_thinking,
    "first_pass": tests_of_levels,
    "initial": tests_of_levels,
    "reask": tests_of_reask,
}
"""All tests of the question that a comparison belongs to."""

_DIFFERENCES = frozenset(
    {
        *("excess_flip", "net_flip", "excess_good_flip_of_wrong", "excess_bad_flip_of_right"),
        *ADDED_FLIPS,
    }
)
_OF_ANSWERS = "of all answers, %"
_HOW_TO_READ = (
    "Marks are shares of all answers, bars the 95% intervals over items. If every item has a right "
    "answer, net flips (good minus bad) are the change in accuracy among the answers read on both "
    "sides. Two runs of the same process flip too: see excess flips in the table."
)
_HOW_TO_READ_ADDED = (
    "Marks are differences of shares, bars the 95% intervals over the items of both. In the "
    "control, the second call of level 5 repeats the question without a word of reflection. Flips "
    "that it has too are due to being asked twice, not to reflection."
)


def flips_section(results: Results) -> Section:
    """Show which answers change, and whether for the better."""
    title = "Flips between levels, and on reflection"
    frame = results["flips"]
    if len(frame):
        frame = frame[(frame["n_items"] > 0) | frame["note"].notna()]
    if frame.empty:
        why = "No two levels, thinking conditions or passes have answers to the same items."
        return Section("flips", title, findings=(why,))
    return Section(
        "flips",
        title,
        findings=(
            *_findings(on_ladder(frame), results, ""),
            *_findings(under_condition(frame), results, "Under a condition, "),
        ),
        charts=(
            *(chart for name in ("level0", "thinking_off") for chart in _chart(name, frame)),
            *_chart_within(frame),
            *_chart_added(frame),
        ),
    )


def _findings(frame: pd.DataFrame, results: Results, where: str) -> Iterator[str]:
    for comparison, words in _COMPARISONS.items():
        rows = frame[frame["comparison"] == comparison]
        flips = rows[rows["metric"] == "flip"]
        if flips.empty:
            continue
        begin = where + words
        yield (
            f"{begin[0].upper()}{begin[1:]}, the share of answers that change is "
            f"{range_of(flips)}. {_beyond_noise(rows, results, comparison)}"
        )
        both_read = rows[rows["metric"] == "both_read"]
        if len(both_read):
            yield (
                f"{where}The share of level-4 replies in which both answers could be read is "
                f"{range_of(both_read)}. Most initial answers in free prose are not read, and "
                "replies that state both answers may differ from the rest."
            )
    if added := _added(frame, results, where):
        yield added


def _added(frame: pd.DataFrame, results: Results, where: str) -> str:
    """What reflection adds to being asked twice; all tests of it are in one family."""
    family = tests_of_reflection(results)
    sentences = []
    for metric, words in (("added_flip", "flips"), ("added_net_flip", "net flips")):
        rows = family[metric].loc[family[metric].index.isin(frame.index)]
        if rows.empty:
            continue
        others = [tests for name, tests in family.items() if name != metric]
        significant = claimed(family[metric], *others)[rows.index]
        found = int(significant.sum())
        sentences.append(
            f"the difference in {words} is significant in {found or 'none'} of "
            f"{plural(len(rows), 'cell')} after Holm's correction ("
            + (f"largest: {largest_of(rows)}" if found else detectable(rows))
            + ")"
        )
    if not sentences:
        return ""
    begin = f"{where}reflection is compared with asking again, paired by item: "
    return f"{begin[0].upper()}{begin[1:]}{'; '.join(sentences)}."


def _beyond_noise(rows: pd.DataFrame, results: Results, comparison: str) -> str:
    """Whether answers flip more than between epochs, and more for the better than for the worse.

    All tests of the question are in one family, including those of accuracy and of other flips.
    """
    family = _FAMILIES[comparison](results)
    excess, net = (rows[rows["metric"] == name] for name in ("excess_flip", "net_flip"))
    asked_once = excess[excess["note"].notna()]
    excess, net = excess[excess["p"].notna()], net[net["p"].notna()]
    sentences = []
    if len(asked_once):
        which = "" if excess.empty else f" in {plural(len(asked_once), 'cell')}"
        sentences.append(f"There is no noise floor{which}: items were asked once.")
    for metric, tested, words in (
        ("excess_flip", excess, "Excess flips (beyond those between epochs of the baseline)"),
        ("net_flip", net, "Net flips (good minus bad)"),
    ):
        if tested.empty:
            continue
        others = [frame for name, frame in family.items() if name != metric]
        found = int(claimed(family[metric], *others)[tested.index].sum())
        sentences.append(
            f"{words} are significant in {some_of(found, len(tested), 'cell')} after "
            f"Holm's correction; largest: {largest_of(tested)}."
        )
    return " ".join(sentences)


def _chart(comparison: str, frame: pd.DataFrame) -> tuple[Chart, ...]:
    of_comparison = frame[frame["comparison"] == comparison]
    title = f"Flips {_COMPARISONS[comparison]}"
    drawn = _drawn(of_comparison)
    return chart_by_level(
        f"flips-{comparison.replace('_', '-')}",
        title,
        _HOW_TO_READ,
        drawn,
        _table(title, of_comparison),
        y_title=_OF_ANSWERS,
        domain=(0, axis_end(on_ladder(drawn)["high"])),
        by=(*PANELS, "thinking") if comparison == "level0" else PANELS,
        series=tuple(_KINDS.values()),
    )


def _chart_within(frame: pd.DataFrame) -> tuple[Chart, ...]:
    """Chart flips within a sample: of level 4's reply beside level 5's passes and its control."""
    within = frame[frame["comparison"].isin(_WITHIN)]
    again = ", or asked again" * bool((within["comparison"] == "reask").any())
    title = (
        "Flips on reflection: initial to final answer (level 4), first to second pass (level 5"
        f"{again})"
    )
    drawn = _by_cell(_drawn(within))
    domain = (0.0, axis_end(drawn["high"]))
    how_to_read = (
        f"{_HOW_TO_READ} Level 4 counts only replies of which both answers could be read."
        + " Asked again is the control, whose second call only repeats the question." * bool(again)
    )
    return _chart_of_cells("flips-first-pass", title, how_to_read, drawn, within, domain)


def _chart_added(frame: pd.DataFrame) -> tuple[Chart, ...]:
    """Chart what reflection adds to being asked again."""
    rows = frame[frame["comparison"] == "reflection"]
    drawn = rows.assign(metric=rows["metric"].str.removeprefix("added_"))
    drawn = _by_cell(_drawn(drawn))
    return _chart_of_cells(
        "flips-reflection",
        f"Flips {_COMPARISONS['reflection']}",
        _HOW_TO_READ_ADDED,
        drawn,
        rows,
        symmetric_domain(drawn),
        x_title="reflection minus asking again, points",
        reference=0,
    )


def _by_cell(drawn: pd.DataFrame) -> pd.DataFrame:
    """What a chart with a row per level and thinking condition draws."""
    drawn = on_ladder(drawn).sort_values([*PANELS, "level", "thinking", "comparison"])
    return drawn.assign(
        row=[
            f"{'asked again' if name == 'reask' else f'level {level}'}, "
            f"thinking {thinking_word(thinking)}"
            for name, level, thinking in zip(
                drawn["comparison"], drawn["level"], drawn["thinking"], strict=True
            )
        ]
    )


def _chart_of_cells(
    anchor: str,
    title: str,
    how_to_read: str,
    drawn: pd.DataFrame,
    rows: pd.DataFrame,
    domain: tuple[float, float],
    *,
    x_title: str = _OF_ANSWERS,
    reference: float | None = None,
) -> tuple[Chart, ...]:
    series = tuple(_KINDS.values())

    def draw(panel: pd.DataFrame) -> Any:
        return by_row(panel, series, x_title=x_title, domain=domain, reference=reference)

    table = _table(title, rows)
    return chart_of_panels(anchor, title, how_to_read, drawn, PANELS, draw, table, series=series)


def _drawn(frame: pd.DataFrame) -> pd.DataFrame:
    drawn = frame[frame["metric"].isin(_KINDS)]
    return as_percent(drawn).assign(
        series=in_words(drawn["metric"], lambda metric: _KINDS[metric]), significant=True
    )


def _table(title: str, frame: pd.DataFrame) -> Table:
    return frame_table(
        title,
        frame,
        {
            "metric": lambda row: row.metric.replace("_", " "),
            "estimate [95%]": lambda row: interval(
                row, points if row.metric in _DIFFERENCES else percent
            ),
            "p": lambda row: p_value(row.p),
            "p (Holm)": lambda row: p_value(row.p_adjusted),
            "items": lambda row: count(row.n_items),
            "answers": lambda row: count(row.n_samples),
            "left out": lambda row: count(row.n_left_out),
            "note": lambda row: "" if pd.isna(row.note) else shown(row.note),
        },
        texts=("metric", "note"),
    )
