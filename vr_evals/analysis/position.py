"""Does an answer depend on where an option stands?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cells import Cells, Flags, Integers
from vr_evals.analysis.estimates import estimate_row
from vr_evals.answers import letters
from vr_evals.stats.intervals import score_mean
from vr_evals.stats.score import difference

__all__ = ["position_rows"]

_LETTERS = letters(26)


def position_rows(grouped: Cells, number: int) -> Iterator[dict[str, Any]]:
    """The figures of `preference` on positions, of one cell; it says what they are.

    Args:
        grouped: The table in cells, with `label`, `choice`, `target`, `option_order`, `n_options`.
        number: The cell's number.
    """
    asked = grouped.cells[number].settings["option_order"]
    if asked not in ("both", "seeded"):
        return
    answers = _Answers(grouped, number)
    if asked == "both":
        yield from answers.bias_in_both_orders()
        yield from answers.consistency()
    else:
        yield from answers.bias_by_letter()


class _Answers:
    """The answers of one cell that were read, each epoch by itself."""

    def __init__(self, grouped: Cells, number: int) -> None:
        in_cell = grouped.row_slices[number]
        rows = grouped.rows.iloc[in_cell]
        read = rows["label"].notna().to_numpy()
        rows = rows[read]
        self.grouped = grouped
        self.unit = grouped.unit[in_cell][read]
        self.item = grouped.units.item[self.unit]
        self.order = rows["option_order"].to_numpy(dtype=object)
        self.label = rows["label"].to_numpy(dtype=object)
        self.choice = rows["choice"].to_numpy(dtype=object)
        self.target = rows["target"].fillna("").to_numpy(dtype=object)
        self.n_options = rows["n_options"].to_numpy(dtype=float, na_value=np.nan)
        self.lettered = rows["label"].isin(_LETTERS).to_numpy(dtype=bool)

    def bias_in_both_orders(self) -> Iterator[dict[str, Any]]:
        """The share that chose the option shown first, less a half."""
        used, item, backward = self._in_both_orders(self.lettered & (self.n_options == 2))
        if not len(used):
            return
        first = self.label[used] == _LETTERS[0]
        share = (_means(first, item, ~backward) + _means(first, item, backward)) / 2
        units = self.unit[used[np.unique(item, return_index=True)[1]]]
        # first less second is twice the share less a half
        yield self._difference(share, 1 - share, units, len(share), len(used), scale=0.5)

    def consistency(self) -> Iterator[dict[str, Any]]:
        """How often both orders lead to the same choice."""
        used, item, backward = self._in_both_orders(np.ones(len(self.item), dtype=bool))
        codes, choices = pd.factorize(self.choice[used], use_na_sentinel=False)
        shape = int(item.max(initial=-1)) + 1, len(choices)
        kind = item * len(choices) + codes
        counts = [
            np.bincount(kind[side], minlength=math.prod(shape)).reshape(shape)
            for side in (~backward, backward)
        ]
        # `agreement_between` of each item's answers in one order and in the other
        alike = (counts[0] * counts[1]).sum(axis=1)
        values = alike / (counts[0].sum(axis=1) * counts[1].sum(axis=1))
        found = score_mean(values, self._clusters(used, item))
        yield estimate_row(
            "order_consistency",
            found.mean,
            found.low,
            found.high,
            n_items=len(values),
            n_samples=len(used),
        )

    def bias_by_letter(self) -> Iterator[dict[str, Any]]:
        """The share of answers with each letter minus that of targets."""
        used = np.flatnonzero(self.lettered & (self.order == "seeded") & (self.n_options > 0))
        units, place = np.unique(self.unit[used], return_inverse=True)
        target, n_options = self.target[used], self.n_options[used]
        for position in range(int(n_options.max(initial=0))):
            letter = _LETTERS[position]
            by_chance = np.where(position < n_options, 1 / n_options, 0)
            expected = np.where(target == "", by_chance, target == letter)
            chosen = self.label[used] == letter
            gained = _means(chosen * (1 - expected), place)
            lost = _means(~chosen * expected, place)
            n_items = self.grouped.units.n_items(units)
            found = self._difference(gained, lost, units, n_items, len(used))
            del found["p"]  # the letters of a cell are not tested one by one
            yield found | {"letter": letter}

    def _difference(
        self,
        gained: NDArray[np.float64],
        lost: NDArray[np.float64],
        units: Integers,
        n_items: int,
        n_samples: int,
        scale: float = 1,
    ) -> dict[str, Any]:
        """The bias, with interval and test of one method."""
        codes = self.grouped.cluster_codes[units]
        found = difference(gained, lost, np.ones(len(units)), codes, n_samples, scale=scale)
        counts = {"n_items": n_items, "n_samples": n_samples}
        row = estimate_row("position_bias", found.estimate, *found.interval(), **counts)
        return row | {"p": found.p}

    def _in_both_orders(self, counts: Flags) -> tuple[Integers, Integers, Flags]:
        """Answers to items that have some in either order, among those that count.

        Returns:
            Their places, their items' numbers (0, 1, …), and whether each is in reverse order.
        """
        original = counts & (self.order == "original")
        backward = counts & (self.order == "reversed")
        items = np.intersect1d(self.item[original], self.item[backward])
        used = np.flatnonzero((original | backward) & np.isin(self.item, items))
        return used, np.searchsorted(items, self.item[used]), backward[used]

    def _clusters(self, used: Integers, item: Integers) -> list[str]:
        """The cluster of each item."""
        _, first = np.unique(item, return_index=True)
        clusters: list[str] = self.grouped.units.cluster[self.unit[used[first]]].tolist()
        return clusters


def _means(values: NDArray[Any], group: Integers, used: Flags | None = None) -> NDArray[np.float64]:
    """The mean of each group, 0, 1, …; each has a value that is used."""
    if used is not None:
        values, group = values[used], group[used]
    return np.bincount(group, values.astype(float)) / np.bincount(group)
