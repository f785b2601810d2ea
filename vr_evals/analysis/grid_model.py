"""A model of the whole grid, as a second opinion on pooled effects; and shares of variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cell import KEYS
from vr_evals.analysis.cells import cells, tidy_frame
from vr_evals.analysis.contrasts import BASELINES
from vr_evals.errors import InputError, not_installed
from vr_evals.stats.clusters import cluster_codes
from vr_evals.stats.score import critical, two_sided

__all__ = ["GridModel", "grid_model"]

Event = Literal["correct", "complied"]

_TERMS = (
    "metric",
    "contrast",
    "key",
    "side",
    "versus",
    "estimate",
    "low",
    "high",
    "p",
    "odds_ratio",
    "odds_low",
    "odds_high",
    "average_effect",
    "n_items",
    "n_samples",
)
_SHARES = ("component", "share", "n_values")
_WITHIN = "within item"
_FURTHEST = 15.0
"""A log-odds further from 0 than any that was estimated: the model separates the answers."""


@dataclass(frozen=True)
class GridModel:
    """A logistic regression of all answers, and what they vary by.

    Attributes:
        terms: A row for each coefficient: `metric` is `log_odds_ratio`, and `odds_ratio` has it as
            a ratio with its interval; `contrast` names the pooled effect that it stands beside;
            `average_effect` is the mean change of the probability.
        shares: A row for each component of the variance, with its `share`.
    """

    terms: pd.DataFrame
    shares: pd.DataFrame


def grid_model(
    table: pd.DataFrame,
    *,
    event: Event = "correct",
    interactions: Sequence[tuple[str, str]] = (),
) -> GridModel:
    """Fit a logistic regression of right (or complying) answers on all factors of a study.

    Factors are the keys that vary: model, benchmark, level, thinking and condition; each value has
    a coefficient against the factor's baseline (level 0, thinking off, control, else the first).
    Standard errors are cluster-robust with items as clusters, and t with C − 1 degrees of freedom.
    It is a second opinion: unlike `effects` it assumes that log-odds add up. Answers of the ladder
    are used, or, without any, those of the authority paradigm; for `complied` those under a cue.

    `shares` are ω² of a linear model of the same factors and the items: what each explains of the
    variance in addition to the others, less what chance would; `within item` is the rest.

    Source: Liang & Zeger (1986), Biometrika 73, 13–22; Hays (1963), Statistics for psychologists,
    for ω².

    Args:
        table: The tidy table.
        event: What is modelled: a column of the table.
        interactions: Pairs of factors whose product terms are added.

    Returns:
        The model. A coefficient that the answers do not determine is NaN.

    Raises:
        InputError: statsmodels is not installed, a name is invalid, or no answer can be used.
    """
    if find_spec("statsmodels") is None:
        raise not_installed("grid_model", "statsmodels", "models")
    if event not in get_args(Event):
        raise InputError(f"invalid event '{event}': expected {' or '.join(get_args(Event))}")
    rows, notes = _rows(table, event)
    factors = {name: _values(rows[name]) for name in KEYS}
    factors = {name: values for name, values in factors.items() if len(values) > 1}
    for pair in interactions:
        if len(pair) != 2 or not set(pair) <= set(factors):
            raise InputError(f"invalid interaction {pair!r}: expected two of {', '.join(factors)}")
    codes, n_clusters = cluster_codes(rows["cluster"].tolist())
    terms = _design(rows, factors, interactions)
    x = np.column_stack([np.ones(len(rows)), *(column for _, column in terms)])
    y = rows[event].to_numpy(dtype=float)
    fitted = _fit(y, x, codes)
    records = []
    for place, (name, _) in enumerate(terms, start=1):
        estimate, stderr = (float(each[place]) for each in fitted)
        records.append(
            name
            | _inference(estimate, stderr, n_clusters - 1)
            | {
                "average_effect": _average_effect(rows, factors, interactions, name, fitted[0]),
                "n_items": int(rows["item"].nunique()),
                "n_samples": len(rows),
            }
        )
    return GridModel(
        tidy_frame(records, _TERMS, notes), tidy_frame(_shares(y, rows, factors), _SHARES)
    )


def _rows(table: pd.DataFrame, event: str) -> tuple[pd.DataFrame, list[str]]:
    """The answers that are modelled, with their keys, item and cluster."""
    grouped = cells(table, (event,))
    cell = grouped.units.cell[grouped.unit]
    rows = grouped.rows[[event]].copy()
    for name in KEYS:
        values = np.array([getattr(each, name) for each in grouped.cells], dtype=object)
        rows[name] = values[cell]
    benchmark = rows["benchmark"].astype(str) + "\n"
    rows["item"] = benchmark + pd.Series(grouped.units.item[grouped.unit]).astype(str)
    rows["cluster"] = benchmark + pd.Series(grouped.units.cluster[grouped.unit]).astype(str)
    rows = rows[rows[event].notna()]
    ladder = rows["condition"].isna()
    rows = rows[ladder] if event == "correct" and ladder.any() else rows
    if rows.empty:
        raise InputError(f"no answer has a value of '{event}'")
    mixed = sorted({name for each in grouped.cells for name in each.mixed})
    notes = [*grouped.notes]
    if mixed:
        notes.append(f"Settings that differ between cells are not in the model: {', '.join(mixed)}")
    return rows.assign(item=pd.factorize(rows["item"])[0]).reset_index(drop=True), notes


def _values(column: pd.Series[Any]) -> list[Any]:
    """The values of a factor, its baseline first: of models the last, as in pairs of models."""
    found = sorted(set(column.dropna()), reverse=column.name == "model")
    baseline = BASELINES.get(str(column.name))
    return sorted(found, key=lambda value: value != baseline)


def _design(
    rows: pd.DataFrame, factors: dict[str, list[Any]], interactions: Sequence[tuple[str, str]]
) -> list[tuple[dict[str, Any], NDArray[np.float64]]]:
    """The terms of the model, but for the constant: their names, and a column each."""
    main = {
        (name, value): (rows[name] == value).to_numpy(dtype=float)
        for name, values in factors.items()
        for value in values[1:]
    }
    terms = []
    for (name, value), column in main.items():
        first = factors[name][0]
        words = {"side": _word(name, value), "versus": _word(name, first)}
        keys = {"key": name, "contrast": _contrast(name, value, first), **words}
        terms.append((keys, column))
    for a, b in interactions:
        for x in factors[a][1:]:
            for y in factors[b][1:]:
                one, other = (
                    _contrast(name, value, factors[name][0]) for name, value in ((a, x), (b, y))
                )
                keys = {
                    "key": f"{a} * {b}",
                    "contrast": f"{one} * {other}",
                    "side": f"{_word(a, x)}, {_word(b, y)}",
                    "versus": "no interaction",
                }
                terms.append((keys, main[a, x] * main[b, y]))
    return terms


def _word(name: str, value: Any) -> str:
    if name == "thinking":
        return f"thinking {'on' if value else 'off'}"
    return f"level {value}" if name == "level" else str(value)


def _contrast(name: str, value: Any, first: Any) -> str:
    """The name of the pooled effect of the same sides, as `contrasts` has it."""
    if name == "thinking":
        return "thinking_on-off"
    return f"level{value}-level{first}" if name == "level" else f"{value}-{first}"


def _fit(
    y: NDArray[np.float64], x: NDArray[np.float64], codes: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coefficients and cluster-robust standard errors; NaN if they cannot be estimated."""
    import warnings

    import statsmodels.api as sm

    nothing = np.full(x.shape[1], np.nan)
    if y.min() == y.max() or len(np.unique(codes)) < 2 or np.linalg.matrix_rank(x) < x.shape[1]:
        return nothing, nothing
    model = sm.GLM(y, x, family=sm.families.Binomial())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # separation and overflow show in the numbers
            fit = model.fit(cov_type="cluster", cov_kwds={"groups": codes})
    except np.linalg.LinAlgError:
        return nothing, nothing
    return np.asarray(fit.params, dtype=float), np.asarray(fit.bse, dtype=float)


def _inference(estimate: float, stderr: float, df: int) -> dict[str, Any]:
    """Estimate, interval and test of a coefficient; NaN if the answers do not determine it."""
    known = abs(estimate) < _FURTHEST and stderr > 0
    if not known:
        return {"metric": "log_odds_ratio", "estimate": math.nan}
    half = critical(0.95, df) * stderr
    low, high = estimate - half, estimate + half
    return {
        "metric": "log_odds_ratio",
        "estimate": estimate,
        "low": low,
        "high": high,
        "p": two_sided(estimate / stderr, df),
        "odds_ratio": math.exp(estimate),
        "odds_low": math.exp(low),
        "odds_high": math.exp(high),
    }


def _average_effect(
    rows: pd.DataFrame,
    factors: dict[str, list[Any]],
    interactions: Sequence[tuple[str, str]],
    term: dict[str, Any],
    coefficients: NDArray[np.float64],
) -> float:
    """Mean change of the probability from the baseline to a value; NaN for interactions."""
    name = term["key"]
    if name not in factors:
        return math.nan

    def probability(value: Any) -> float:
        terms = _design(rows.assign(**{name: value}), factors, interactions)
        x = np.column_stack([np.ones(len(rows)), *(column for _, column in terms)])
        return float((1 / (1 + np.exp(-(x @ coefficients)))).mean())

    value = next(v for v in factors[name] if _word(name, v) == term["side"])
    return probability(value) - probability(factors[name][0])


def _shares(
    y: NDArray[np.float64], rows: pd.DataFrame, factors: dict[str, list[Any]]
) -> list[dict[str, Any]]:
    """ω² of items and of each factor within items, and the rest."""
    item = rows["item"].to_numpy()
    within = {name: values for name, values in factors.items() if name != "benchmark"}
    columns = {
        name: np.stack([(rows[name] == v).to_numpy(dtype=float) for v in values[1:]], axis=1)
        for name, values in within.items()
    }
    total = float(((y - y.mean()) ** 2).sum())
    n_items = len(np.unique(item))
    df = len(y) - n_items - sum(each.shape[1] for each in columns.values())
    if not total or df < 1:
        return []

    def error(names: Sequence[str], items: bool) -> float:
        """The sum of squares that is left."""

        def centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
            if not items:
                return np.asarray(values - values.mean(), dtype=float)
            means = np.bincount(item, values) / np.bincount(item)
            return np.asarray(values - means[item], dtype=float)

        target = centred(y)
        if not names:
            return float(target @ target)
        x = np.column_stack([centred(c) for name in names for c in columns[name].T])
        left = target - x @ np.linalg.lstsq(x, target, rcond=None)[0]
        return float(left @ left)

    every = list(columns)
    full = error(every, True)
    noise = full / df
    parts = [("items", error(every, False) - full, n_items)]
    parts += [
        (name, error([x for x in every if x != name], True) - full, len(within[name]))
        for name in every
    ]
    found = [
        {"component": name, "share": max(0.0, squares - (k - 1) * noise) / total, "n_values": k}
        for name, squares, k in parts
    ]
    rest = 1 - sum(each["share"] for each in found)
    return [*found, {"component": _WITHIN, "share": max(0.0, rest), "n_values": len(y)}]
