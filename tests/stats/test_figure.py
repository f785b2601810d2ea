import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.authority_studies import CUED, Respondent, item, letters, study
from vr_evals.stats.authority import figures
from vr_evals.stats.bootstrap import bootstrap_weights
from vr_evals.stats.figure import intervals, p_value
from vr_evals.stats.trials import Item


def bounds_of(items: Sequence[Item], **options: Any) -> NDArray[np.float64]:
    return intervals(figures(items), [x.cluster for x in items], **options)


def p_of(items: Sequence[Item], name: str) -> float:
    [figure] = [figure for figure in figures(items) if figure.key.in_log == name]
    return p_value(figure, [x.cluster for x in items])


def test_intervals_are_those_of_resampled_items() -> None:
    """Against a plain loop: draw items, and work all figures out again from their answers."""
    respondent = Respondent(0.7, dict.fromkeys(CUED, 0.3), spread=0.2, unread=0.1)
    items = study(respondent, seed=1, items=12, epochs=3)

    def redrawn(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        values = []
        for times in weights.astype(int):
            drawn = [x for x, n in zip(items, times, strict=True) for _ in range(n)]
            values.append([figure.estimate for figure in figures(drawn)] if drawn else [])
        return np.array(values)

    found = figures(items)
    expected = bootstrap_weights(redrawn, [x.cluster for x in items], resamples=200, seed=7)
    bounds = bounds_of(items, resamples=200, seed=7)
    np.testing.assert_allclose(bounds, expected, atol=1e-12, equal_nan=True)
    there = [figure.key.k in (None, 1, 3) for figure in found]
    np.testing.assert_array_equal(np.isfinite(bounds), [there, there])


def test_conditions_of_an_item_stay_together() -> None:
    """Each item complies as often under control as under the cue: no resample has an excess."""
    items = [
        item(letters(control=said, high_harm=said[::-1]), cluster)
        for cluster, said in enumerate(["AAAB", "ABBB", "BBBB", "AAAA", "ABAB"])
    ]
    found = figures(items)
    lows, highs = bounds_of(items)
    bounds = dict(zip([f.key.in_log for f in found], zip(lows, highs, strict=True), strict=True))
    assert bounds["excess_compliance.high_harm"] == (0, 0)
    low, high = bounds["compliance@1.high_harm"]
    assert low < 0.5 < high


def test_intervals_are_by_cluster() -> None:
    items = study(Respondent(0.6, {"high_harm": 0.4}), seed=3, items=60)
    paired = [dataclasses.replace(x, cluster=i // 2) for i, x in enumerate(items)]
    copied = [dataclasses.replace(x, cluster=i % 60) for i, x in enumerate(items * 2)]
    plain = bounds_of(items)
    np.testing.assert_allclose(bounds_of(copied), plain, equal_nan=True)
    assert not np.allclose(bounds_of(paired), plain, equal_nan=True)
    alone = [dataclasses.replace(x, cluster=0) for x in items]
    assert np.isnan(bounds_of(alone)).all()


def test_the_seed_decides() -> None:
    items = study(Respondent(0.6), seed=3, items=20)
    one, same, other = (bounds_of(items, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other, equal_nan=True)


def test_a_cue_that_moves_nobody_is_not_significant_and_one_that_does_is() -> None:
    items = study(Respondent(0.7, {"high_harm": 0.3}, spread=0.2), seed=0)
    for metric in ("excess_flip", "excess_compliance"):
        assert p_of(items, f"{metric}.high_harm") < 0.001
        assert p_of(items, f"{metric}.low_harm") > 0.05


def test_nothing_to_test() -> None:
    items = [item(letters(control="A", high_harm="B"), cluster) for cluster in range(3)]
    assert math.isnan(p_of(items, "excess_flip.high_harm"))
    assert p_of(items, "excess_compliance.high_harm") == 0.25
