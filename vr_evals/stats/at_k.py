"""At least one in k: the estimator behind pass@k, compliance@k and flip@k."""

from __future__ import annotations

import math

__all__ = ["at_k"]


def at_k(n: int, c: int, k: int) -> float:
    """Probability that at least one of k epochs shows an event that c of n epochs showed.

    ``1 − C(n − c, k) / C(n, k)``: the share of the sets of k epochs, out of n, that hold an event.
    Unbiased for 1 − (1 − p)ᵏ, which ``1 − (1 − c/n)ᵏ`` is not. Averages are over items.

    Source: Chen et al. (2021), Evaluating large language models trained on code, arXiv:2107.03374.

    Args:
        n: Epochs of the item.
        c: Those that show the event.
        k: How many one would look at.

    Returns:
        A rate, 0–1; NaN for k > n: it is never extrapolated.

    Raises:
        ValueError: c is not within 0 … n, or k is below 1.
    """
    if not 0 <= c <= n:
        raise ValueError(f"events must be within 0 and n = {n}, got {c}")
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    if k > n:
        return math.nan
    sets = math.comb(n, k)
    return (sets - math.comb(n - c, k)) / sets
