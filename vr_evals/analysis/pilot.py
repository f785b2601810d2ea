"""What a pilot study shows of the design of the next one: variances, rates, tokens and pace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.checks import tidy_columns
from vr_evals.conditions import CONTROL
from vr_evals.stats.planning import upper_variance

__all__ = ["ASSUMED", "Pilot", "pilot_of"]

_QUESTIONS = ("levels", "thinking", "models", "authority")


@dataclass(frozen=True)
class Pilot:
    """What a design is computed from.

    Attributes:
        rate: The mean rate of the event, 0–1, were all answers read.
        between: τ², the variance over items of the true difference.
        within: E[π(1 − π)] of one side, within an item.
        unread: The share of unread answers.
        correlation: Of the differences of two items of a cluster.
        source: `assumed`, or `measured` in logs.
        items: Items that it was measured on; 0 if assumed.
    """

    rate: float = 0.75
    between: float = 0.01305
    within: float = 0.138475
    unread: float = 0.0
    correlation: float = 0.2
    source: str = "assumed"
    items: int = 0

    @property
    def discordance(self) -> float:
        """τ² + 2s²: how often two single answers, one a side, differ if the sides do not."""
        return self.between + 2 * self.within

    @property
    def within_item_correlation(self) -> float:
        """The correlation of an item's differences in two epochs."""
        return self.between / self.discordance if self.discordance else 0.0


ASSUMED = Pilot()
"""Discordance 0.29, of which 4.5 % is a property of the items; accuracy 0.75."""


@dataclass(frozen=True)
class _Side:
    """The answers of one side: an entry for each item."""

    mean: pd.Series[float]
    count: pd.Series[int]
    cluster: pd.Series[str]


def pilot_of(table: pd.DataFrame) -> dict[str, Pilot]:
    """Return what a pilot's answers show, by question.

    Of each pair of cells with shared items: s² is the mean of K/(K − 1)·x̄(1 − x̄) over items with
    several epochs, and V̂ the variance of the items' differences. V̂ is replaced by its upper 80 %
    limit before τ² = V̂ − s²_A/K_A − s²_B/K_B is taken; without a second epoch V̂ is split as in
    `ASSUMED`. Pairs of a question are averaged; its degrees of freedom are those of one pair,
    because they share their items. The observed effect is not used.

    Args:
        table: The tidy table of the pilot.

    Returns:
        The questions that the pilot has pairs of cells for.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    table = tidy_columns(table)
    rows = table[table["correct"].notna()]
    unread = float(table["label"].isna().mean()) if len(table) else 0.0
    found = {}
    for question in _QUESTIONS:
        pairs = list(_authority(rows) if question == "authority" else _pairs(rows, question))
        measured = [each for each in (_measured(*pair) for pair in pairs) if each is not None]
        if measured:
            found[question] = _averaged(measured, min(unread, 0.99))
    return found


def _pairs(rows: pd.DataFrame, question: str) -> Iterator[tuple[_Side, _Side]]:
    """Sides that differ in one factor, in single answers of the ladder."""
    factor = {"levels": "level", "thinking": "thinking", "models": "model"}[question]
    rows = rows[rows["condition"].isna() | rows["condition"].eq(CONTROL.name)]
    rows = rows[rows["second_pass"].isna() | rows["second_pass"].ne("reask")]
    others = [n for n in ("model", "benchmark", "level", "thinking") if n != factor]
    for _, group in rows.groupby([*others, "condition"], dropna=False):
        by_value: dict[Any, pd.DataFrame] = dict(iter(group.groupby(factor)))
        values: list[Any] = sorted(by_value)
        if question == "levels":
            chosen = [(0, value) for value in values if value != 0 and 0 in by_value]
        else:
            chosen = [*combinations(values, 2)]
        for one, other in chosen:
            yield (
                _side(by_value[other], by_value[other]["correct"]),
                _side(by_value[one], by_value[one]["correct"]),
            )


def _authority(rows: pd.DataFrame) -> Iterator[tuple[_Side, _Side]]:
    """Choosing the endorsed option, under a cue and under control."""
    rows = rows[rows["condition"].notna()]
    keys = ["model", "benchmark", "level", "thinking"]
    for _, group in rows.groupby(keys, dropna=False):
        control = group[group["condition"].eq(CONTROL.name)]
        for _, cued in group[group["endorsed_choice"].notna()].groupby("condition"):
            endorsed = cued.drop_duplicates("item").set_index("item")["endorsed_choice"]
            same = control[control["item"].isin(endorsed.index)]
            if len(same):
                complied = cued["choice"].eq(cued["endorsed_choice"])
                chose = same["choice"].eq(same["item"].map(endorsed))
                yield _side(cued, complied), _side(same, chose)


def _side(rows: pd.DataFrame, event: pd.Series[bool]) -> _Side:
    values = event.astype("boolean").fillna(False).astype(float).to_numpy()
    grouped = pd.DataFrame(
        {"item": rows["item"].to_numpy(), "x": values, "cluster": rows["cluster"].to_numpy()}
    ).groupby("item")
    return _Side(grouped["x"].mean(), grouped["x"].size(), grouped["cluster"].first())


def _measured(side: _Side, reference: _Side) -> Pilot | None:
    """Return the design of one pair of sides; None with fewer than three shared items."""
    items = side.mean.index.intersection(reference.mean.index)
    if len(items) < 3:
        return None
    differences = np.asarray(side.mean[items] - reference.mean[items], dtype=np.float64)
    cluster = pd.factorize(side.cluster[items])[0]
    n_clusters = int(cluster.max()) + 1
    observed = float(differences.var(ddof=1))
    limit = upper_variance(observed, n_clusters - 1)
    within = [_within(each, items) for each in (side, reference)]
    epochs = [float(each.count[items].mean()) for each in (side, reference)]
    known = [s for s in within if s is not None]
    if not np.isfinite(limit):
        return None
    if known:
        mean = float(np.mean(known))
        between = max(0.0, limit - mean * sum(1 / k for k in epochs))
    else:
        share = ASSUMED.within_item_correlation
        between, mean = share * limit, (1 - share) * limit / 2
    rate = float(reference.mean[items].mean())
    rate = min(max(rate, 0.0), 1.0)
    correlation = _in_clusters(differences, cluster, n_clusters, observed)
    return Pilot(rate, between, mean, 0.0, correlation, "measured", len(items))


def _within(side: _Side, items: pd.Index[str]) -> float | None:
    """Return the mean variance within items; None if no item has two epochs."""
    x, k = side.mean[items].to_numpy(), side.count[items].to_numpy()
    more = k > 1
    return float((k / (k - 1) * x * (1 - x))[more].mean()) if more.any() else None


def _in_clusters(
    differences: NDArray[np.float64],
    cluster: NDArray[np.intp],
    n_clusters: int,
    observed: float,
) -> float:
    """Return the correlation of items of a cluster, from what clustering adds to the variance."""
    n = len(differences)
    size = n / n_clusters
    if size <= 1 or observed <= 0 or n_clusters < 2:
        return 0.0
    sums = np.bincount(cluster, differences - differences.mean(), n_clusters)
    robust = float(sums @ sums) * n_clusters / (n_clusters - 1) / n
    return float(np.clip((robust / observed - 1) / (size - 1), 0, 1))


def _averaged(measured: list[Pilot], unread: float) -> Pilot:
    """Return the mean of several pairs, as it would be were all answers read.

    What was measured is with unread answers as no event. If they are so at random, an item's rate
    as seen is (1 − u)π: the inverse of `Side.seen`.
    """
    seen = {
        name: float(np.mean([getattr(each, name) for each in measured]))
        for name in ("rate", "between", "within", "correlation")
    }
    read = 1 - unread
    rate = min(seen["rate"] / read, 1.0)
    within = rate - (read * rate - seen["within"]) / read**2
    possible = min(max(within, 0.0), rate * (1 - rate))
    return replace(
        measured[0],
        rate=rate,
        between=max(0.0, seen["between"] / read**2 + 2 * (within - possible)),
        within=possible,
        correlation=seen["correlation"],
        unread=unread,
        items=max(each.items for each in measured),
    )
