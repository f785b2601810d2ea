"""Which observations belong together: epochs, orders and conditions of one item."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, TypeAlias, Union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Clusters", "cluster_codes", "cluster_sums"]

Clusters: TypeAlias = Union[Sequence[Hashable], "NDArray[np.intp]"]
"""The cluster of each observation: names, or an array of whole numbers, which is quicker."""


_DENSE = 10
"""Numbers up to so many times the observations are counted, not sorted."""


def cluster_codes(clusters: Clusters) -> tuple[NDArray[np.intp], int]:
    """Number the clusters 0 … C − 1 in the order of their names, whatever the order of the rows.

    Args:
        clusters: The cluster of each observation.

    Returns:
        The number of each observation's cluster, and C.

    Raises:
        ValueError: A cluster is missing (``None`` or NaN): all missing ones would count as one.
    """
    import numpy as np

    if isinstance(clusters, np.ndarray) and np.issubdtype(clusters.dtype, np.integer):
        if len(clusters) and clusters.min() >= 0 and clusters.max() < _DENSE * len(clusters):
            used = np.bincount(clusters) > 0  # quicker than to sort
            rank = np.cumsum(used) - 1
            return rank[clusters], int(used.sum())
        numbers, codes = np.unique(clusters, return_inverse=True)
        return codes.astype(np.intp), len(numbers)
    names = list(dict.fromkeys(clusters))
    if any(name is None or name != name for name in names):
        raise ValueError("every observation needs a cluster, but at least one is missing")
    code = {name: i for i, name in enumerate(sorted(names, key=str))}
    return np.array([code[name] for name in clusters], dtype=np.intp), len(names)


def cluster_sums(
    values: ArrayLike, codes: NDArray[np.intp], n_clusters: int
) -> NDArray[np.float64]:
    """Sum observations within clusters.

    Args:
        values: One row for each observation, of any trailing shape.
        codes: Each observation's cluster, from `cluster_codes`.
        n_clusters: How many clusters there are.

    Returns:
        One row for each cluster, of the same trailing shape.
    """
    import numpy as np

    rows = np.asarray(values, dtype=float)
    sums = np.zeros((n_clusters, *rows.shape[1:]))
    np.add.at(sums, codes, rows)
    return sums
