"""How many items does a study need?"""

from __future__ import annotations

import math

from vr_evals.stats.intervals import z_value

__all__ = ["items_for_half_width", "mcnemar_power"]


def items_for_half_width(half_width: float, *, rate: float = 0.5, level: float = 0.95) -> int:
    """Items needed so that Wilson's interval reaches no further than `half_width` to each side.

    The half-width ``h = z·√(r(1 − r)/n + z²/4n²) / (1 + z²/n)`` solved for n, rounded up: the
    larger root of ``h²n² + z²(2h² − r(1 − r))·n + z⁴(h² − ¼) = 0``. To each side means from the
    interval's own centre. Epochs of an item count as one item here, which is the safe side.

    Source: Wilson (1927), JASA 22, 209–212.

    Args:
        half_width: Half the interval's length that one can accept, as a rate between 0 and 0.5.
        rate: The rate expected; 0.5 is the worst case.
        level: Coverage of the interval.

    Returns:
        The number of items, at least 1.

    Raises:
        ValueError: An argument is out of range.
    """
    if not 0 < half_width < 0.5:
        raise ValueError(f"half_width must be between 0 and 0.5, got {half_width}")
    if not 0 <= rate <= 1:
        raise ValueError(f"rate must be within 0 and 1, got {rate}")
    h2, z2 = half_width**2, z_value(level) ** 2
    b, c = z2 * (2 * h2 - rate * (1 - rate)), z2**2 * (h2 - 0.25)
    n = (-b + math.sqrt(b**2 - 4 * h2 * c)) / (2 * h2)
    return max(1, math.ceil(round(n, 9)))


def mcnemar_power(n: int, gain: float, loss: float, *, alpha: float = 0.05) -> float:
    """Power of McNemar's exact test: how often it would find a change of this size.

    ``Σ_d binomial(d; n, gain + loss) · P(p ≤ α | d)``: d items differ, the gains among them are
    binomial(d, gain / (gain + loss)), and the test rejects where the smaller count is at most the
    largest m with 2·P(binomial(d, ½) ≤ m) ≤ α. Exact, so it does not grow smoothly with n.

    Source: Duffy (1984), Biometrics 40, 1005–1015.

    Args:
        n: Items, each answered once on both sides.
        gain: Share of items expected to go from wrong to right.
        loss: Share expected to go from right to wrong.
        alpha: Level of the test.

    Returns:
        A probability, 0–1; with gain = loss, the test's true level, which is at most `alpha`.

    Raises:
        ValueError: An argument is out of range.
    """
    import numpy as np
    from scipy.stats import binom

    if n < 0 or min(gain, loss) < 0 or gain + loss > 1 or not 0 < alpha < 1:
        raise ValueError(
            "need n >= 0, gain and loss >= 0 with a sum of at most 1, and alpha between 0 and 1; "
            f"got n = {n}, gain = {gain}, loss = {loss}, alpha = {alpha}"
        )
    if gain + loss == 0:
        return 0.0
    differing = np.arange(n + 1)
    reached = np.asarray(binom.ppf(alpha / 2, differing, 0.5))  # smallest m with P >= alpha / 2
    limit = reached - (np.asarray(binom.cdf(reached, differing, 0.5)) > alpha / 2)
    to_gain = gain / (gain + loss)
    rejects = binom.cdf(limit, differing, to_gain) + binom.cdf(limit, differing, 1 - to_gain)
    return float(binom.pmf(differing, n, gain + loss) @ rejects)
