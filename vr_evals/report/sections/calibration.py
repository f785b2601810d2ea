"""Section 7: whether stated confidences come true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Figure, Section, Table
from vr_evals.report.charts import by_place, reliability_diagram
from vr_evals.report.figures import as_percent, panels_of, places_of, series_of
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words, frame_table, largest, on_ladder
from vr_evals.report.text import count, interval, number, plural, points, shown

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
        figures += _error_figure(frame, scale)
    for scale in _SCALES:
        figures += _diagrams(results["pooled_reliability"], scale)
    return Section(
        "calibration",
        title,
        findings=tuple(_findings(frame)),
        figures=figures,
        tables=(_table(frame),),
    )


def _findings(frame: pd.DataFrame) -> Iterator[str]:
    for scale, words in _SCALES.items():
        of_scale = frame[frame["scale"] == scale]
        wide = _wide(of_scale)
        if wide.empty:
            continue
        beyond = wide[wide["ece"] > wide["ece_floor_high"]]
        over = of_scale[of_scale["metric"] == "overconfidence"]
        sure, unsure = (over["low"] > 0).sum(), (over["high"] < 0).sum()
        most = largest(over)
        yield (
            f"Confidence {words}. In {len(beyond)} of {plural(len(wide), 'cell')} the calibration "
            "error is beyond the range of 95% of perfectly calibrated respondents; for the other "
            f"{len(wide) - len(beyond)} no miscalibration could be shown. {sure} are overconfident "
            f"and {unsure} underconfident beyond their 95% intervals; the furthest from 0 by "
            f"{interval(most, points)} points ({cell_words(most)})."
        )


def _wide(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for each cell, with `ece` and the upper end of its floor."""
    keys = ["model", "benchmark", "level", "thinking", "condition", "variant"]
    of = {name: rows.set_index(keys) for name, rows in frame.groupby("metric")}
    if "ece" not in of or "ece_floor" not in of:
        return pd.DataFrame({"ece": [], "ece_floor_high": []})
    return pd.DataFrame({"ece": of["ece"]["estimate"], "ece_floor_high": of["ece_floor"]["high"]})


def _error_figure(frame: pd.DataFrame, scale: str) -> tuple[Figure, ...]:
    rows = on_ladder(frame[(frame["scale"] == scale) & frame["metric"].isin(["ece", "ece_floor"])])
    rows = rows[rows["level"].notna()]
    table = frame_table(
        f"Expected calibration error, and what is noise ({_SCALES[scale]})",
        rows,
        {
            "figure": lambda row: {"ece": "error", "ece_floor": "noise"}[row.metric],
            "rate [95%]": interval,
            "samples": lambda row: count(row.n_samples),
        },
        texts=("figure",),
    )
    drawn, series = series_of(as_percent(rows))
    drawn = drawn.assign(place=drawn["level"]).sort_values([*_PANELS, "level"])
    most = drawn["high"].max()
    top = 100.0 if pd.isna(most) else min(100.0, 10 * (int(most / 10) + 1.0))
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
        f"The scale {_SCALES[scale]}. The error is the gap between confidence and the share of "
        "right answers, averaged over ten bins. A grey bar is where 95% of perfectly calibrated "
        "respondents with these confidences lie by chance: an error within it is no evidence of "
        "miscalibration.",
        drawn,
        _PANELS,
        draw,
        table,
        series=series,
        band="noise",
        folded=scale != "stated",
    )


def _diagrams(bins: pd.DataFrame, scale: str) -> tuple[Figure, ...]:
    if bins.empty:
        return ()
    rows = bins[bins["scale"] == scale].rename(columns={"accuracy": "estimate"})
    rows = rows.sort_values([*_PANELS, "thinking", "bin_low"])
    table = frame_table(
        f"Accuracy by stated confidence ({_SCALES[scale]})",
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
        f"reliability-{scale.replace('_', '-')}",
        f"Reliability ({scale.replace('_', '-')} scale), all levels together",
        f"The scale {_SCALES[scale]}. Each mark is a bin of confidence; larger ones hold more "
        "answers, bars are 95% intervals over items. On the dashed line confidence comes true; "
        "below it lies overconfidence. The grey band is where 95% of perfectly calibrated "
        "respondents would lie with as many independent answers.",
        rows,
        (*_PANELS, "thinking"),
        draw,
        table,
        folded=scale != "stated",
    )


def noise_band(bins: pd.DataFrame) -> pd.DataFrame:
    """Where the accuracy in each bin would lie if each confidence came true.

    Args:
        bins: Rows with the mean `confidence` (0–100) and the number of answers `n_samples`.

    Returns:
        `confidence`, and `low` and `high` in per cent: the 2.5 % and 97.5 % quantiles of the share
        of right answers, which is binomial with the bin's confidence.
    """
    from scipy.stats import binom

    n, p = bins["n_samples"].astype(int), (bins["confidence"] / 100).clip(0, 1)
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


def _figure_text(row: Any) -> str:
    if row.metric == "mean_confidence":
        return interval(row, lambda value: number(value, 1))
    if row.metric == "overconfidence":
        return interval(row, points)
    return interval(row, number)
