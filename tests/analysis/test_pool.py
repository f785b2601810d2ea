from __future__ import annotations

import numpy as np
import pytest

from vr_evals.analysis.pool import _weighted


@pytest.mark.parametrize(
    "weights", [(1, -1), (-1, 1), (0, 1), (1, 0), (1, 1), (1, -1, -1, 1), (0.5, 0.5, -1)]
)
def test_sums_of_terms_are_those_of_plain_loops_whether_all_units_count_or_not(
    weights: tuple[float, ...],
) -> None:
    generator = np.random.default_rng(0)
    values = generator.random((3, len(weights), 41))
    there = np.ones((3, 41), dtype=bool)
    [whole] = _weighted([np.array(weights)], values, there)
    there[:, 40] = False
    [part] = _weighted([np.array(weights)], values, there)
    for stratum, terms in enumerate(values.tolist()):
        for unit in range(40):
            expected = sum(w * term[unit] for w, term in zip(weights, terms, strict=True))
            assert part[stratum, unit] == pytest.approx(expected, abs=1e-12)
            assert whole[stratum, unit] == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(part[:, :40], whole[:, :40])
