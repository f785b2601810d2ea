import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.stats.clusters import cluster_codes, cluster_sums


@given(st.lists(st.one_of(st.integers(), st.text(max_size=3))))
def test_codes_tell_clusters_apart(clusters: list[int | str]) -> None:
    codes, n_clusters = cluster_codes(clusters)
    assert n_clusters == len(set(clusters))
    assert set(codes.tolist()) == set(range(n_clusters))
    assert len({*zip(clusters, codes.tolist(), strict=True)}) == n_clusters


def test_codes_do_not_depend_on_the_order_of_rows() -> None:
    codes, _ = cluster_codes(["b", "a", "c", "a"])
    assert codes.tolist() == [1, 0, 2, 0]


@pytest.mark.parametrize("shape", [(), (2,), (2, 3)])
def test_sums(shape: tuple[int, ...]) -> None:
    values = np.arange(5 * int(np.prod(shape))).reshape(5, *shape)
    codes, n_clusters = cluster_codes("abcab")
    sums = cluster_sums(values, codes, n_clusters)
    expected = [values[[0, 3]].sum(axis=0), values[[1, 4]].sum(axis=0), values[2]]
    np.testing.assert_array_equal(sums, expected)
