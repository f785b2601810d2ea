"""Section 7: whether stated confidences come true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Figure, Section, Table
from vr_evals.report.by_condition import figure_by_condition, in_order
from vr_evals.report.charts import by_place, reliability_diagram
from vr_evals.report.claims import CLEAR
from vr_evals.report.figures import as_percent, axis_end, panels_of, places_of, series_of
from vr_evals.report.results import Results
from vr_evals.report.tables import (
    cell_words,
    frame_table,
    largest,
    not_drawn,
    on_ladder,
    under_condition,
)
from vr_evals.report.text import count, interval, number, p_is, percent, plural, points, shown
from vr_evals.stats.discrimination import FEWEST

__all__ = ["calibration_section", "noise_band"]

_PANELS = ("benchmark", "model", "variant")
_SCALES = {
    "stated": "as stated: 80 means right in 80 of 100",
    "chance_adjusted": "chance-adjusted: 0 means a guess among the options",
}


def calibration_section(results: Results) -> Section:
    """Calibration in both readings of the scale, with reliability diagrams."""
    title = "Calibration"
    frame = results["calibration"]
    frame = frame[frame["n_samples"] > 0] if len(frame) else frame
    if frame.empty:
        why = (
            "No confidence was stated for an answer that can be right or wrong "
            "(-T include_confidence=true asks for it)."
        )
        return Section("calibration", title, findings=(why,))
    figures: tuple[Figure, ...] = ()
    for scale in _SCALES:
        figures += _error_by_level(frame, scale) + _error_by_condition(frame, scale)
    for scale in _SCALES:
        figures += _diagrams(results["pooled_reliability"], scale)
        figures += _diagrams_by_condition(results["reliability"], scale)
    return Section(
        "calibration",
        title,
        findings=tuple(_findings(frame)),
        figures=figures,
        tables=(_table(frame), *_ambiguity(results["ambiguity"])),
    )


def _findings(frame: pd.DataFrame) -> Iterator[str]:
    for scale, words in _SCALES.items():
        of_scale = frame[frame["scale"] == scale]
        errors = of_scale[of_scale["metric"] == "ece"]
        if errors.empty:
            continue
        beyond = int((errors["p_adjusted"] < CLEAR).sum())
        over = of_scale[of_scale["metric"] == "overconfidence"]
        clear = over[over["p_adjusted"] < CLEAR]
        sure, unsure = int((clear["estimate"] > 0).sum()), int((clear["estimate"] < 0).sum())
        most = largest(over)
        others = len(errors) - beyond
        yield (
            f"Confidence {words}. In {beyond} of {plural(len(errors), 'cell')} the calibration "
            "error is larger than chance makes that of a calibrated respondent (Holm's correction "
            "over all tests of calibration on this page)"
            + (f"; in the other {others} it is not significant. " if others else ". ")
            + "Mean confidence is higher than the share of right answers in "
            f"{plural(sure, 'cell')} (overconfident) and lower in {unsure} (underconfident), "
            f"likewise. The largest difference of {len(over)}, confidence minus the share of right "
            f"answers, is {interval(most, points)} points ({cell_words(most)}; "
            f"{p_is(most.p_adjusted)})."
        )


def _error_by_level(frame: pd.DataFrame, scale: str) -> tuple[Figure, ...]:
    rows = on_ladder(_errors(frame, scale))
    drawn, series = series_of(as_percent(rows[rows["level"].notna()]))
    drawn = drawn.assign(place=drawn["level"]).sort_values([*_PANELS, "level"])
    top = axis_end(100 * rows["high"])
    places = places_of(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return by_place(
            panel[panel["metric"] == "ece"],
            series,
            x_title="level",
            y_title="error, in points",
            domain=(0, top),
            places=places,
            band=panel[panel["metric"] == "ece_floor"],
        )

    return panels_of(
        f"ece-{scale.replace('_', '-')}",
        f"Expected calibration error ({scale.replace('_', '-')} scale)",
        _error_reading(scale) + not_drawn(rows),
        drawn,
        _PANELS,
        draw,
        _error_table(rows, scale),
        series=series,
        band="noise",
        folded=scale != "stated",
    )


def _error_by_condition(frame: pd.DataFrame, scale: str) -> tuple[Figure, ...]:
    rows = in_order(under_condition(_errors(frame, scale)))
    return figure_by_condition(
        f"ece-conditions-{scale.replace('_', '-')}",
        f"Expected calibration error by condition ({scale.replace('_', '-')} scale)",
        _error_reading(scale),
        rows,
        _error_table(rows, scale, ", by condition"),
        x_title="error, in points",
        domain=(0, axis_end(100 * rows["high"])),
        band=("ece_floor", "noise"),
        folded=scale != "stated",
    )


def _errors(frame: pd.DataFrame, scale: str) -> pd.DataFrame:
    return frame[(frame["scale"] == scale) & frame["metric"].isin(["ece", "ece_floor"])]


def _error_reading(scale: str) -> str:
    return (
        f"The scale {_SCALES[scale]}. The error is the gap between confidence and the share of "
        "right answers, averaged over ten bins. A grey bar is where 95% of perfectly calibrated "
        "respondents with these confidences, whose epochs are as alike, lie by chance. An interval "
        "ends at 0 where chance explains the error."
    )


def _error_table(rows: pd.DataFrame, scale: str, which: str = "") -> Table:
    return frame_table(
        f"Expected calibration error, and what is noise ({_SCALES[scale]}){which}",
        rows,
        {
            "figure": lambda row: {"ece": "error", "ece_floor": "noise"}[row.metric],
            "rate [95%]": interval,
            "samples": lambda row: count(row.n_samples),
        },
        texts=("figure",),
    )


def _diagrams(bins: pd.DataFrame, scale: str) -> tuple[Figure, ...]:
    return _reliability(
        bins,
        scale,
        f"reliability-{scale.replace('_', '-')}",
        f"Reliability ({scale.replace('_', '-')} scale), all levels together",
        (*_PANELS, "thinking"),
        folded=scale != "stated",
    )


def _diagrams_by_condition(bins: pd.DataFrame, scale: str) -> tuple[Figure, ...]:
    return _reliability(
        under_condition(bins),
        scale,
        f"reliability-conditions-{scale.replace('_', '-')}",
        f"Reliability by condition ({scale.replace('_', '-')} scale)",
        ("benchmark", "model", "condition", "level", "thinking", "variant"),
        folded=True,
    )


def _reliability(
    bins: pd.DataFrame, scale: str, anchor: str, title: str, by: tuple[str, ...], *, folded: bool
) -> tuple[Figure, ...]:
    if bins.empty:
        return ()
    rows = bins[bins["scale"] == scale].rename(columns={"accuracy": "estimate"})
    rows = rows.sort_values([*by, "bin_low"])
    table = frame_table(
        f"{title}: accuracy by stated confidence",
        rows,
        {
            "bin": lambda row: f"{row.bin_low:.0f}–{row.bin_high:.0f}",
            "mean confidence": lambda row: number(row.confidence, 1),
            "right [95%]": interval,
            "answers": lambda row: count(row.n_samples),
        },
    )

    def draw(panel: pd.DataFrame) -> Any:
        return reliability_diagram(as_percent(panel), noise_band(panel))

    return panels_of(
        anchor,
        title,
        f"The scale {_SCALES[scale]}. Each mark is a bin of confidence; larger ones hold more "
        "answers, bars are 95% intervals over items. On the dashed line confidence comes true; "
        "below it lies overconfidence. The grey band is where 95% of perfectly calibrated "
        "respondents would lie with as many independent answers as these are worth: epochs and "
        "levels of an item that are alike count for less.",
        rows,
        by,
        draw,
        table,
        folded=folded,
    )


def noise_band(bins: pd.DataFrame) -> pd.DataFrame:
    """Where the accuracy in each bin would lie if each confidence came true.

    Args:
        bins: Rows with the mean `confidence` (0–100) and the independent answers that the bin is
            worth, `effective`.

    Returns:
        `confidence`, and `low` and `high` in per cent: the 2.5 % and 97.5 % quantiles of the share
        of right answers, which is binomial with the bin's confidence.
    """
    from scipy.stats import binom

    n = bins["effective"].round().clip(lower=1).astype(int)
    p = (bins["confidence"] / 100).clip(0, 1)
    return pd.DataFrame(
        {
            "confidence": bins["confidence"],
            "low": 100 * binom.ppf(0.025, n, p) / n,
            "high": 100 * binom.ppf(0.975, n, p) / n,
        }
    )


def _table(frame: pd.DataFrame) -> Table:
    rows = frame[~frame["metric"].isin(["ece", "ece_floor"])]
    return frame_table(
        "Brier score, AUROC, mean confidence and overconfidence",
        rows,
        {
            "scale": lambda row: shown(row.scale).replace("_", "-"),
            "figure": lambda row: row.metric.replace("_", " "),
            "estimate [95%]": _figure_text,
            "samples": lambda row: count(row.n_samples),
            "left out": lambda row: count(row.n_left_out),
        },
        texts=("scale", "figure"),
    )


def _ambiguity(frame: pd.DataFrame) -> tuple[Table, ...]:
    if frame.empty:
        return ()
    table = frame_table(
        "Confidence by ambiguity: means, AUROC of low ambiguity, and shares in the expected band",
        frame[frame["n_samples"] > 0],
        {
            "figure": lambda row: row.metric.replace("_", " "),
            "estimate [95%]": lambda row: interval(row, _form_of_ambiguity(row.metric)),
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
        texts=("figure",),
    )
    return (table,)


def _form_of_ambiguity(metric: str) -> Callable[[Any], str]:
    if metric.startswith("confidence"):
        return lambda value: number(value, 1)
    return percent if metric.startswith("in_band") else number


def _figure_text(row: Any) -> str:
    if row.metric == "mean_confidence":
        return interval(row, lambda value: number(value, 1))
    if row.metric == "overconfidence":
        return interval(row, points)
    if row.metric == "auroc" and not pd.isna(row.estimate) and pd.isna(row.low):
        return f"{number(row.estimate)} (no interval: under {FEWEST} items right, or wrong)"
    return interval(row, number)
