"""What reflection adds to being asked twice: level 5's flips minus those of its control."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vr_evals.analysis.cell import Cell, Refusal, settings_that_differ
from vr_evals.analysis.cells import Cells, Flags
from vr_evals.analysis.pairing import Comparison, joint_variant, matched_units
from vr_evals.stats.score import difference

__all__ = ["ADDED_FLIPS", "added_flips", "is_reask", "reflection_pairs"]

_SETTING = "second_pass"

ADDED_FLIPS = (
    "added_flip",
    "added_good_flip",
    "added_bad_flip",
    "added_other_flip",
    "added_good_flip_of_wrong",
    "added_bad_flip_of_right",
    "added_net_flip",
)
"""What reflection adds, by metric."""

_TESTED = ("added_flip", "added_net_flip")


def is_reask(cell: Cell) -> bool:
    """Whether level 5's second call only repeated the question: the control of reflection."""
    return cell.setting(_SETTING) == "reask"


def reflection_pairs(cells: tuple[Cell, ...]) -> tuple[list[Comparison], list[Refusal]]:
    """Pair each cell that reflected in a conversation with its control, and refuse the others.

    Both continue the first call, and differ in no other setting.
    """
    found, refused = [], []
    for number, control in enumerate(cells):
        if not is_reask(control):
            continue
        sides = [
            i
            for i, cell in enumerate(cells)
            if cell.setting(_SETTING) == "conversation" and _keys(cell) == _keys(control)
        ]
        differing = {
            i: [
                name
                for name in settings_that_differ([cells[i].settings, control.settings])
                if name != _SETTING
            ]
            for i in sides
        }
        pairs = [i for i in sides if not differing[i]]
        found += [Comparison(i, number, joint_variant((control, cells[i]))) for i in pairs]
        if sides and not pairs:
            side = min(sides, key=lambda i: len(differing[i]))
            refused.append(Refusal.of(control, cells[side], "reflection", differing[side]))
    return found, refused


def _keys(cell: Cell) -> tuple[Any, ...]:
    return cell.model, cell.benchmark, cell.level, cell.thinking, cell.condition


def added_flips(grouped: Cells, pair: Comparison) -> Iterator[dict[str, Any]]:
    """Yield reflection's shares of flips less re-asking's: the mean over the items of both.

    Only samples with both passes read count. `added_good_flip_of_wrong` is over the items that some
    samples of both sides began wrong, `added_bad_flip_of_right` likewise; `added_net_flip` is good
    less bad flips of items with a right choice.

    Args:
        grouped: The table in cells, with `reflection`, `first_correct` and `right_choice`.
        pair: Reflection and its control.
    """
    rows = grouped.rows
    kind = rows["reflection"].fillna("").to_numpy(dtype=object)
    read, has_right = kind != "", rows["right_choice"].notna().to_numpy()
    first = rows["first_correct"]
    wrong = read & has_right & ~first.fillna(True).to_numpy(dtype=bool)
    right = read & has_right & first.fillna(False).to_numpy(dtype=bool)
    good, bad = kind == "good_flip", kind == "bad_flip"
    yield _row(grouped, pair, "added_flip", [kind != "kept"], [], read)
    yield _row(grouped, pair, "added_good_flip", [good], [], read)
    yield _row(grouped, pair, "added_bad_flip", [bad], [], read)
    yield _row(grouped, pair, "added_other_flip", [kind == "other_flip"], [], read)
    yield _row(grouped, pair, "added_good_flip_of_wrong", [good], [], wrong)
    yield _row(grouped, pair, "added_bad_flip_of_right", [bad], [], right)
    yield _row(grouped, pair, "added_net_flip", [good], [bad], read & has_right)


def _row(
    grouped: Cells,
    pair: Comparison,
    metric: str,
    plus: list[Flags],
    minus: list[Flags],
    counts: Flags,
) -> dict[str, Any]:
    """A row: the sum of some shares, minus others, on the side minus the same on the reference."""
    rates = [(grouped.mean(event, counts), 1) for event in plus]
    rates += [(grouped.mean(event, counts), -1) for event in minus]
    n_read = rates[0][0].count
    matched = matched_units(grouped, (pair.side, pair.reference), n_read > 0)
    side, reference = matched.units
    gained = lost = np.zeros(len(side))
    for rate, sign in rates:
        x, y = _in_order(rate.mean[side], rate.mean[reference], sign)
        gained, lost = gained + x * (1 - y), lost + (1 - x) * y
    return {
        "metric": metric,
        "value": difference(
            gained / len(rates),
            lost / len(rates),
            np.ones(len(side)),
            grouped.cluster_codes[side],
            int(np.minimum(n_read[side], n_read[reference]).sum()),
            scale=len(rates),
        ),
        "tested": metric in _TESTED,
        "n_items": matched.n_items,
        "n_samples": int(n_read[matched.units].sum()),
        "n_unpaired": matched.n_unpaired,
        "n_left_out": 0,
    }


def _in_order(
    side: NDArray[np.float64], reference: NDArray[np.float64], sign: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return (side, reference) if sign > 0 else (reference, side)
