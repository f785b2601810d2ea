"""Section 10: how much an authority's endorsement changes answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

import pandas as pd

from vr_evals.analysis.authority import EFFECTS
from vr_evals.conditions import (
    AUTHORITY_CONDITIONS,
    CONDITIONS,
    CONTROL,
    HIGH_HARM,
    RANDOM_CONDITIONS,
    Valence,
)
from vr_evals.formatting import (
    count,
    interval,
    isolated,
    listed,
    p_value,
    percent,
    plural,
    points,
    shown,
    signed,
    some_of,
)
from vr_evals.report.blocks import Chart, Section, Table
from vr_evals.report.charts import as_percent, chart_of_panels, places, symmetric_domain
from vr_evals.report.claims import (
    ALPHA,
    FILLED_MARKS,
    claimed,
    detectable,
    largest_of,
    overturned,
    unread_columns,
)
from vr_evals.report.drawing import by_place, by_row
from vr_evals.report.results import Results
from vr_evals.report.sections.moved import moved_charts, moved_findings
from vr_evals.report.tables import cell_words, frame_table, in_words

__all__ = ["authority_section"]

_NAMED = ("model", "benchmark", "level", "thinking")
_RUN = (*_NAMED, "variant")
"""Columns of cells that differ only in the condition."""

_PANELS = ("benchmark", "model", "level", "thinking", "variant")
_CROSSED = 6
"""Crossings of an authority with levels that have a sentence."""

_PRIMARY = frozenset({"excess_compliance", "excess_flip"})
"""Metrics that tell whether a cue has any effect: one question, one family of tests."""

_STRENGTH = {name: condition.strength for name, condition in CONDITIONS.items()}
_PLACE = {name: place for place, name in enumerate(CONDITIONS)}
_EFFECTS = {
    "source_effect": "The source (experts against a non-expert)",
    "certainty_effect": "Certainty (“the correct answer is” against “might be”)",
    "option_effect": "Naming an option without a source",
    "mention_effect": "Mentioning a report without an option",
}
_AT_K = ("pass@k", "compliance@k", "flip@k")
_RATES = frozenset({"good_flip", "bad_flip", "other_flip", "flip_floor", "vulnerability"})


def authority_section(results: Results) -> Section:
    """Show excess compliance and flips, vulnerability, asymmetry, metrics at k, by level."""
    title = "Authority"
    frame = results["authority"]
    if frame.empty:
        why = results.refused.get("authority")
        return Section(
            "authority",
            title,
            findings=(
                f"Could not be computed: {shown(why, 300)}."
                if why
                else "No authority task was run (e.g. vr_evals/morables_authority).",
            ),
        )
    known = frame[frame["estimate"].notna()]
    return Section(
        "authority",
        title,
        findings=(*_not_run(frame), *_findings(known), *moved_findings(results)),
        charts=(*_excess(known), *_effects_chart(known), *_at_k(known), *moved_charts(results)),
        tables=(*_other_table(frame), *_acknowledged(results.rows)),
        notes=tuple(dict.fromkeys(shown(note, 300) for note in frame["note"].dropna())),
    )


def _not_run(frame: pd.DataFrame) -> Iterator[str]:
    """Conditions that were not run, and what cannot be computed without them."""
    without: dict[tuple[str, ...], list[str]] = {}
    for _, rows in frame.groupby(list(_RUN), dropna=False, sort=False):
        run = set(rows["condition"])
        random = any(condition.name in run for condition in RANDOM_CONDITIONS[1:])
        design = RANDOM_CONDITIONS if random else AUTHORITY_CONDITIONS
        missing = tuple(each.name for each in design if each.name not in run)
        row = rows.iloc[0]
        settings = "" if pd.isna(row["variant"]) or not row["variant"] else row["variant"]
        where = cell_words(row, *_NAMED) + (f", {isolated(settings, 120)}" if settings else "")
        without.setdefault(missing, []).append(where)
    for missing, cells in without.items():
        if missing:
            names = listed(name.replace("_", " ") for name in missing)
            yield f"Not run: {names} ({'; '.join(cells)}). {_consequence(missing)}"


def _consequence(missing: tuple[str, ...]) -> str:
    if CONTROL.name not in missing and len(missing) == len(AUTHORITY_CONDITIONS) - 1:
        return "With control alone, no effect of a cue can be measured."
    if CONTROL.name in missing:
        return (
            "Without control there is no baseline: excess compliance, flips, vulnerability, pull "
            "and asymmetry cannot be computed. Compliance and pass@k are plain shares; they do not "
            "separate following a cue from answers that the model would have given anyway."
        )
    return "Estimates for these conditions, and comparisons with them, cannot be computed."


def _findings(frame: pd.DataFrame) -> Iterator[str]:
    """Excess compliance first: vulnerability and asymmetry are claimed only if it is."""
    significant: dict[str, pd.DataFrame] = {}
    for metric, words in (
        (
            "excess_compliance",
            "The endorsed option is chosen significantly {} often than under control in {} "
            "(one cue in one cell each)",
        ),
        (
            "excess_flip",
            "Answers differ from their baseline significantly {} often than under control in {}",
        ),
    ):
        rows = frame[(frame["metric"] == metric) & frame["p"].notna()]
        if rows.empty:
            continue
        beside = frame[frame["metric"].isin(_PRIMARY - {metric})]
        found = significant[metric] = rows[claimed(rows, beside)]
        more, less = (int((sign * found["estimate"] > 0).sum()) for sign in (1, -1))
        sentence = words.format("more", some_of(more, len(rows), "case"))
        sentence += f", and less often in {less}" * bool(less)
        yield (
            f"{sentence}, after Holm's correction. Largest: {largest_of(rows)}." + overturned(found)
        )
    yield from _effects(frame)
    yield from _by_level(frame)
    pulled = significant.get("excess_compliance")
    if pulled is not None:
        yield from _vulnerable(frame, pulled)
        yield from _asymmetric(frame, pulled)


def _vulnerable(frame: pd.DataFrame, pulled: pd.DataFrame) -> Iterator[str]:
    """How often harm is followed on items that are answered right otherwise, beyond slips."""
    rows = frame[frame["metric"] == "excess_vulnerability"]
    if rows.empty:
        return
    significant = rows[(rows["low_simultaneous"] > 0) & _same_cell(rows, pulled)]
    begin = (
        "On items that control's other epochs answer right, the wrong option is chosen "
        "significantly more often under a harmful cue than under control in "
        f"{some_of(len(significant), len(rows), 'case')} (95% intervals for all cases at once)."
    )
    if significant.empty:
        yield begin
        return
    largest = largest_of(rows, among=significant)
    yield f"{begin} Largest: {largest}.{overturned(significant)}"


def _asymmetric(frame: pd.DataFrame, pulled: pd.DataFrame) -> Iterator[str]:
    """Whether harm has a larger effect than help, on two scales."""
    for metric, words in (
        ("asymmetry", "Relative to the answers that could still change"),
        ("log_odds_asymmetry", "In log-odds"),
    ):
        rows = frame[(frame["metric"] == metric) & frame["p"].notna()]
        if rows.empty:
            continue
        reliable = rows[rows["note"].isna()]
        significant = reliable[claimed(reliable) & _same_cell(reliable, pulled)]
        unreliable = len(rows) - len(reliable)
        more, less = (int((sign * significant["estimate"] > 0).sum()) for sign in (1, -1))
        doubtful = f"; {unreliable} are unreliable because control is nearly always right"
        yield (
            f"{words}, harm has a significantly larger effect than help in "
            f"{some_of(more, len(rows), 'case')}, and a smaller one in {less or 'none'} (p < 0.05 "
            "after Holm's correction; only cases with significant excess compliance count)"
            f"{doubtful * bool(unreliable)}.{overturned(significant)}"
        )
    if (frame["metric"] == "log_odds_asymmetry").any():
        yield (
            "The sign of an asymmetry depends on the scale. On the first scale, a cue is symmetric "
            "if it is followed at the same rate under help and harm; on the second, if it shifts "
            "log-odds equally."
        )


def _same_cell(rows: pd.DataFrame, pulled: pd.DataFrame) -> pd.Series[Any]:
    """Rows of a cell, and of a condition or strength, in which excess compliance is significant."""
    known = {
        (*map(str, key), condition)
        for *key, cue in pulled[[*_RUN, "condition"]].itertuples(index=False)
        for condition in (cue, _STRENGTH[cue])
    }
    found = [
        (*map(str, key), condition) in known
        for *key, condition in rows[[*_RUN, "condition"]].itertuples(index=False)
    ]
    return pd.Series(found, index=rows.index, dtype=bool)


def _by_level(frame: pd.DataFrame) -> Iterator[str]:
    """How the effect of the strongest harmful cue changes with the level, if both were varied."""
    harm = frame["condition"] == HIGH_HARM.name
    pulled = frame[(frame["metric"] == "excess_compliance") & harm]
    groups = pulled.groupby(["model", "benchmark", "thinking", "variant"], dropna=False)
    crossed = [rows for _, rows in groups if rows["level"].nunique(dropna=False) > 1]
    for rows in crossed[:_CROSSED]:
        found = (
            f"{_level(row)} {interval(row, points)} (n = {plural(int(row['n_items']), 'item')})"
            for _, row in rows.iterrows()
        )
        yield (
            "Excess compliance under high harm by level, in points "
            f"({cell_words(rows.iloc[0], 'model', 'benchmark', 'thinking')}): {'; '.join(found)}."
        )
    if len(crossed) > _CROSSED:
        yield f"The first table has {len(crossed) - _CROSSED} more by level."


def _level(row: Any) -> str:
    return "without a level" if pd.isna(row.level) else f"level {row.level}"


def _excess(frame: pd.DataFrame) -> tuple[Chart, ...]:
    series = {"excess_compliance": "excess compliance", "excess_flip": "excess flips"}
    rows = frame[frame["metric"].isin(series)]
    table = frame_table(
        "Excess compliance and excess flips",
        rows,
        {
            "metric": lambda row: series[row.metric],
            "points [95%]": lambda row: interval(row, points),
            "p": lambda row: p_value(row.p),
            "p (Holm)": lambda row: p_value(row.p_adjusted),
            "items": lambda row: count(row.n_items),
            **unread_columns(),
        },
        texts=("metric",),
    )
    names = tuple(series.values())
    drawn = as_percent(rows).assign(
        series=in_words(rows["metric"], lambda metric: series[metric]),
        row=in_words(rows["condition"], lambda cue: cue.replace("_", " ")),
        significant=(rows["p_adjusted"] < ALPHA).fillna(False).astype(bool),
        cue=[_PLACE[cue] for cue in rows["condition"]],
    )
    drawn = drawn.sort_values([*_PANELS, "cue"])
    domain = symmetric_domain(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return by_row(panel, names, x_title="points over control", domain=domain, reference=0)

    return chart_of_panels(
        "authority-excess",
        "Effect of each cue",
        "Excess compliance: how much more often the endorsed option is chosen than under control. "
        "Excess flips: how much more often answers differ from their baseline than under control. "
        f"Both are 0 if the cue has no effect. {FILLED_MARKS} High and low: credibility of the "
        "authority. Help: it endorses the right option; harm: a wrong one.",
        drawn,
        _PANELS,
        draw,
        table,
        series=names,
    )


def _effects(frame: pd.DataFrame) -> Iterator[str]:
    """What the extended design separates: one question, one family of tests."""
    family = frame[frame["metric"].isin(EFFECTS) & frame["p"].notna()]
    for metric, words in _EFFECTS.items():
        rows = family[family["metric"] == metric]
        if rows.empty:
            continue
        significant = rows[claimed(rows, family[family["metric"] != metric])]
        yield (
            f"{words} changes how often the endorsed option is chosen significantly in "
            f"{len(significant) or 'none'} of {plural(len(rows), 'case')} after Holm's correction "
            f"({'largest: ' + largest_of(rows) if len(significant) else detectable(rows)})."
            + overturned(significant)
        )


def _effects_chart(frame: pd.DataFrame) -> tuple[Chart, ...]:
    rows = frame[frame["metric"].isin(EFFECTS)]
    title = "Effects of source, certainty, naming an option and mention"
    table = frame_table(
        title,
        rows,
        {
            "effect": lambda row: _EFFECTS[row.metric],
            "points [95%]": lambda row: interval(row, points),
            "p": lambda row: p_value(row.p),
            "p (Holm)": lambda row: p_value(row.p_adjusted),
            "items": lambda row: count(row.n_items),
            **unread_columns(),
        },
        texts=("effect",),
    )
    names = tuple(valence for valence in get_args(Valence) if (rows["condition"] == valence).any())
    drawn = as_percent(rows).assign(
        series=rows["condition"],
        row=in_words(rows["metric"], lambda metric: metric.removesuffix("_effect")),
        significant=(rows["p_adjusted"] < ALPHA).fillna(False).astype(bool),
        effect=[EFFECTS.index(metric) for metric in rows["metric"]],
    )
    drawn = drawn.sort_values([*_PANELS, "effect"])
    domain = symmetric_domain(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return by_row(panel, names, x_title="points", domain=domain, reference=0)

    return chart_of_panels(
        "authority-effects",
        title,
        "How much more often the endorsed option is chosen. Source: experts against a non-expert, "
        "averaged over certainty. Certainty: “the correct answer is” against “might be”, averaged "
        "over source. Option: an option is named without a source, against control. Mention: a "
        "report is mentioned without an option, against control; for help that is a change in "
        f"accuracy. All are paired by item. {FILLED_MARKS}",
        drawn,
        _PANELS,
        draw,
        table,
        series=names,
    )


def _at_k(frame: pd.DataFrame) -> tuple[Chart, ...]:
    rows = frame[frame["metric"].isin(_AT_K)]
    table = frame_table(
        "pass@k, compliance@k and flip@k",
        rows,
        {
            "metric": lambda row: shown(row.metric),
            "k": lambda row: count(row.k),
            "share [95%]": interval,
            "items": lambda row: count(row.n_items),
            "without baseline": lambda row: count(row.n_without_baseline),
            **unread_columns(lambda row: percent),
        },
        texts=("metric",),
    )
    drawn = rows[rows["metric"] == "compliance@k"]
    rows_of_five = drawn["condition"].isin([each.name for each in AUTHORITY_CONDITIONS])
    drawn = drawn[rows_of_five] if rows_of_five.any() else drawn
    cues = sorted(set(drawn["condition"]), key=_PLACE.__getitem__)
    names = tuple(cue.replace("_", " ") for cue in cues)
    drawn = as_percent(drawn).assign(
        series=in_words(drawn["condition"], lambda cue: cue.replace("_", " ")), place=drawn["k"]
    )
    drawn = drawn.sort_values([*_PANELS, "k"])
    ks = places(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return by_place(
            panel,
            names,
            x_title="k, answers per item",
            y_title="complied, %",
            domain=(0, 100),
            places=ks,
        )

    return chart_of_panels(
        "authority-at-k",
        "Compliance at k",
        "The probability that at least one of k answers to an item is the endorsed option. It is "
        "above 0 even without an effect: under help, the endorsed option is the right one.",
        drawn,
        _PANELS,
        draw,
        table,
        series=names,
    )


def _other_table(frame: pd.DataFrame) -> Iterator[Table]:
    rows = frame[~frame["metric"].isin([*_AT_K, *_PRIMARY, *EFFECTS])]
    if len(rows):
        yield frame_table(
            "Flips by kind, vulnerability, pull, asymmetry (both also in log-odds), differentials",
            rows,
            {
                "metric": lambda row: row.metric.replace("_", " "),
                "estimate [95%]": lambda row: interval(row, _form(row)),
                "p": lambda row: p_value(row.p),
                "p (Holm)": lambda row: p_value(row.p_adjusted),
                "items": lambda row: count(row.n_items),
                **unread_columns(_form),
                "note": lambda row: "" if pd.isna(row.note) else shown(row.note),
            },
            texts=("metric", "note"),
        )


def _form(row: Any) -> Callable[[Any], str]:
    """How an estimate is written: as a rate, in points, or in log-odds."""
    if row.metric.startswith("log_odds"):
        return lambda value: signed(value, 2)
    return percent if row.metric in _RATES else points


def _acknowledged(rows: pd.DataFrame) -> Iterator[Table]:
    """How often replies mention the cue, by model and condition."""
    by = ["model", "benchmark", "condition"]
    rows = rows[[*by, "item", "acknowledged", "acknowledged_in_reasoning"]]
    scored = rows[rows["condition"].notna() & rows["acknowledged"].notna()]
    if scored.empty:
        return
    mentioned = scored.assign(
        visible=scored["acknowledged"] != "none",
        reasoning=(scored["acknowledged_in_reasoning"] != "none")
        .where(scored["acknowledged_in_reasoning"].notna())
        .astype("Float64"),
    )
    frame = (
        mentioned.groupby(by)
        .agg(visible=("visible", "mean"), reasoning=("reasoning", "mean"), n=("item", "size"))
        .reset_index()
    )
    yield frame_table(
        "Replies that mention the authority or its suggestion (under control: false positives)",
        frame,
        {
            "in the reply": lambda row: percent(row.visible),
            "in reasoning": lambda row: percent(row.reasoning),
            "samples": lambda row: count(row.n),
        },
    )
