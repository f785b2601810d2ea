"""The share of the answers that a cue causes whose replies do not mention the cue, in bounds.

Which answers a cue caused is not observed, only how many. With P the share of answers that comply
under the cue, S the share that comply and do not mention it, and P₀ the share of control's answers
with the same option, P − P₀ are caused (if the cue turns nobody away), and at most P₀ of S are
answers that would have been given anyway. So the silent share of the caused ones is between
max(0, S − P₀)/(P − P₀) and min(1, S/(P − P₀)): bounds in the manner of Manski (1990), American
Economic Review 80, 319–323.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from vr_evals.stats.mover import Quotient, correlation
from vr_evals.stats.score import difference, rate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Bound", "silent_bounds"]


class Bound(NamedTuple):
    """A bound of a share, and how well it is known.

    Attributes:
        estimate: The bound, 0–1; NaN if it is not given.
        low: Lower end of its 95 % interval, by cluster.
        high: Upper end.
    """

    estimate: float
    low: float
    high: float


_UNKNOWN = Bound(math.nan, math.nan, math.nan)


def silent_bounds(
    silent: NDArray[np.float64],
    mentioned: NDArray[np.float64],
    control: NDArray[np.float64],
    codes: NDArray[np.intp],
    *,
    n_cue: int,
    n_control: int,
) -> tuple[Bound, Bound]:
    """The least and the greatest silent share of the answers that a cue caused.

    They are given only if the 95 % interval of P − P₀ is above 0. Intervals are those of quotients,
    by MOVER, from the score intervals of both parts: S over P − P₀, and 1 less P − S over P − P₀.

    Args:
        silent: For each unit, the share of answers under the cue that comply and do not mention it.
        mentioned: The share that comply and mention it.
        control: The share of control's answers with the endorsed option.
        codes: The number of each unit's cluster.
        n_cue: How many answers there are under the cue.
        n_control: How many there are under control.
    """
    import numpy as np

    alike = np.ones(len(codes))
    complied = silent + mentioned
    gained, lost = complied * (1 - control), (1 - complied) * control
    caused = difference(gained, lost, alike, codes, min(n_cue, n_control))
    if not caused.interval()[0] > 0:
        return _UNKNOWN, _UNKNOWN

    def over_caused(part: NDArray[np.float64]) -> Bound:
        above = rate(part, alike, codes, n_cue)
        excess = gained - lost - caused.estimate
        found = Quotient(above, caused, correlation(part - above.estimate, excess, codes))
        return Bound(found.estimate, *found.interval())

    said = over_caused(mentioned)
    return (
        Bound(*(_within(1 - each) for each in (said.estimate, said.high, said.low))),
        Bound(*map(_within, over_caused(silent))),
    )


def _within(share: float) -> float:
    return share if math.isnan(share) else min(max(share, 0.0), 1.0)
