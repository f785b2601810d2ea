"""Section 9: calibration of stated confidences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from vr_evals.analysis.main_table import sort_by_condition
from vr_evals.formatting import (
    count,
    interval,
    number,
    p_is,
    percent,
    plural,
    points,
    shown,
    some_of,
)
from vr_evals.report.blocks import Chart, Section, Table
from vr_evals.report.charts import (
    CONDITION_PANELS,
    PANELS,
    as_percent,
    axis_end,
    chart_by_condition,
    chart_by_level,
    chart_of_panels,
)
from vr_evals.report.claims import ALPHA
from vr_evals.report.drawing import reliability_diagram
from vr_evals.report.results import Results
from vr_evals.report.sections.confidence_category import category_charts, in_band_charts
from vr_evals.report.tables import cell_words, frame_table, largest, on_ladder, under_condition
from vr_evals.stats.discrimination import FEWEST

__all__ = ["calibration_section", "noise_band"]

_SCALES = {
    "stated": "stated scale (80 means right in 80 of 100)",
    "chance_adjusted": "chance-adjusted scale (0 means a guess among the options)",
}
_ERROR_NAMES = {"ece": "error", "ece_floor": "noise"}
_BAND = ("ece_floor", "noise")


def calibration_section(results: Results) -> Section:
    """Show calibration on both scales, with reliability diagrams."""
    title = "Calibration"
    frame = results["calibration"]
    frame = frame[frame["n_samples"] > 0] if len(frame) else frame
    if frame.empty:
        why = (
            "Calibration is unknown: no confidence was stated for an answer that can be right or "
            "wrong (use -T include_confidence=true)."
        )
        return Section("calibration", title, findings=(why,), charts=category_charts(results))
    charts: tuple[Chart, ...] = ()
    for scale in _SCALES:
        charts += _errors(frame, scale)
    for scale in _SCALES:
        charts += _reliability(
            results["pooled_reliability"],
            scale,
            "reliability",
            ", all levels",
            (*PANELS, "thinking"),
        )
        charts += _reliability(
            under_condition(results["reliability"]),
            scale,
            "reliability-conditions",
            " by condition",
            ("benchmark", "model", "condition", "level", "thinking", "variant"),
        )
    return Section(
        "calibration",
        title,
        findings=tuple(_findings(frame)),
        charts=(*charts, *category_charts(results), *in_band_charts(results)),
        tables=(_table(frame), *_ambiguity(results["ambiguity"])),
    )


def _findings(frame: pd.DataFrame) -> Iterator[str]:
    for scale, words in _SCALES.items():
        of_scale = frame[frame["scale"] == scale]
        errors = of_scale[of_scale["metric"] == "ece"]
        if errors.empty:
            continue
        beyond = int((errors["p_adjusted"] < ALPHA).sum())
        over = of_scale[of_scale["metric"] == "overconfidence"]
        significant = over.loc[over["p_adjusted"] < ALPHA, "estimate"]
        most = largest(over)
        yield (
            f"On the {words}, the calibration error is significantly larger than that of a "
            f"calibrated respondent in {some_of(beyond, len(errors), 'cell')}. "
            "Mean confidence is significantly higher than the share of right answers in "
            f"{plural(int((significant > 0).sum()), 'cell')} (overconfident) and lower in "
            f"{int((significant < 0).sum())} (underconfident). The largest difference, confidence "
            f"minus the share of right answers, is {interval(most, points)} points "
            f"({cell_words(most)}; {p_is(most.p_adjusted)}, "
            f"n = {plural(int(most.n_samples), 'sample')}). Holm's correction is over all tests of "
            "calibration on this page."
        )


def _errors(frame: pd.DataFrame, scale: str) -> tuple[Chart, ...]:
    """The expected calibration error by level, and by condition."""
    rows = frame[(frame["scale"] == scale) & frame["metric"].isin(_ERROR_NAMES)]
    ladder = on_ladder(rows)
    conditions = sort_by_condition(under_condition(rows), *CONDITION_PANELS)
    hyphened = scale.replace("_", "-")
    how_to_read = (
        f"Error on the {_SCALES[scale]}: the gap between confidence and the share of right "
        "answers, averaged over ten bins. Grey bars show where 95% of perfectly calibrated "
        "respondents would be by chance, with the same confidences and equally similar epochs. The "
        "interval of an error includes 0 if chance can explain it."
    )
    return (
        *chart_by_level(
            f"ece-{hyphened}",
            f"Expected calibration error ({hyphened} scale)",
            how_to_read,
            as_percent(ladder),
            _error_table(ladder, scale, ""),
            y_title="error, points",
            domain=(0, axis_end(100 * ladder["high"])),
            band=_BAND,
            folded=scale != "stated",
        ),
        *chart_by_condition(
            f"ece-conditions-{hyphened}",
            f"Expected calibration error by condition ({hyphened} scale)",
            how_to_read,
            as_percent(conditions),
            _error_table(conditions, scale, " by condition"),
            x_title="error, points",
            domain=(0, axis_end(100 * conditions["high"])),
            band=_BAND,
            folded=scale != "stated",
        ),
    )


def _error_table(rows: pd.DataFrame, scale: str, which: str) -> Table:
    return frame_table(
        f"Expected calibration error and noise{which}, {_SCALES[scale]}",
        rows,
        {
            "metric": lambda row: _ERROR_NAMES[row.metric],
            "estimate [95%]": interval,
            "samples": lambda row: count(row.n_samples),
        },
        texts=("metric",),
    )


def _reliability(
    bins: pd.DataFrame, scale: str, anchor: str, which: str, by: tuple[str, ...]
) -> tuple[Chart, ...]:
    """Reliability diagrams; folded unless they are of all levels on the stated scale."""
    if bins.empty:
        return ()
    hyphened = scale.replace("_", "-")
    title = f"Reliability{which} ({hyphened} scale)"
    rows = bins[bins["scale"] == scale].rename(columns={"accuracy": "estimate"})
    rows = rows.sort_values([*by, "bin_low"])
    table = frame_table(
        f"{title}: accuracy by stated confidence",
        rows,
        {
            "bin": lambda row: f"{row.bin_low:.0f}–{row.bin_high:.0f}",
            "mean confidence": lambda row: number(row.confidence, 1),
            "right answers [95%]": interval,
            "answers": lambda row: count(row.n_samples),
        },
    )

    def draw(panel: pd.DataFrame) -> Any:
        return reliability_diagram(as_percent(panel), noise_band(panel))

    return chart_of_panels(
        f"{anchor}-{hyphened}",
        title,
        f"Each mark is a bin of confidence on the {_SCALES[scale]}, larger for more answers; bars "
        "are the 95% intervals over items. Marks on the dashed line are calibrated, marks below it "
        "overconfident. The grey band shows where 95% of perfectly calibrated respondents would be "
        "with the same effective number of independent answers: epochs and levels of the same item "
        "are not independent.",
        rows,
        by,
        draw,
        table,
        folded=scale != "stated" or "condition" in by,
    )


def noise_band(bins: pd.DataFrame) -> pd.DataFrame:
    """Return where the accuracy of each bin would be under perfect calibration.

    Args:
        bins: Rows with the mean `confidence` (0–100) and `effective`, the number of independent
            answers that the bin is worth.

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
    rows = frame[~frame["metric"].isin(_ERROR_NAMES)]
    return frame_table(
        "Brier score, AUROC, mean confidence and overconfidence",
        rows,
        {
            "scale": lambda row: shown(row.scale).replace("_", "-"),
            "metric": lambda row: row.metric.replace("_", " "),
            "estimate [95%]": _estimate,
            "samples": lambda row: count(row.n_samples),
            "left out": lambda row: count(row.n_left_out),
        },
        texts=("scale", "metric"),
    )


def _ambiguity(frame: pd.DataFrame) -> tuple[Table, ...]:
    if frame.empty:
        return ()
    table = frame_table(
        "Confidence by ambiguity: means, AUROC of low ambiguity, and shares in the expected band",
        frame[frame["n_samples"] > 0],
        {
            "metric": lambda row: row.metric.replace("_", " "),
            "estimate [95%]": lambda row: interval(row, _form_of_ambiguity(row.metric)),
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
        texts=("metric",),
    )
    return (table,)


def _form_of_ambiguity(metric: str) -> Callable[[Any], str]:
    if metric.startswith("confidence"):
        return _one_digit
    return percent if metric.startswith("in_band") else number


def _one_digit(value: Any) -> str:
    return number(value, 1)


def _estimate(row: Any) -> str:
    if row.metric == "mean_confidence":
        return interval(row, _one_digit)
    if row.metric == "overconfidence":
        return interval(row, points)
    if row.metric == "auroc" and not pd.isna(row.estimate) and pd.isna(row.low):
        return f"{number(row.estimate)} (no interval: fewer than {FEWEST} items right, or wrong)"
    return interval(row, number)
