"""A row of docs/validity.md, what is wrong with it, and the reasons that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from simulated_study import Design

__all__ = ["ALPHA", "HIGH", "LOW", "REASONS", "Reason", "Row", "reason"]

LOW, HIGH, ALPHA = 0.93, 0.97, 0.05
LEAST = 0.88
"""Coverage that few items or clusters can explain; below it something is wrong."""

POWER_WITHIN = 0.03
"""How far a planned power may be from that of the studies."""

RARE = 0.8
"""Coverage that a rare event can explain."""


@dataclass(frozen=True)
class Row:
    """What the studies of one design found, for one figure.

    Attributes:
        function: The public function, or the scorer of a log.
        metric: The figure.
        of: What tells it from others of the same metric.
        design: Size and respondent.
        effect: What differs; `none` is the null.
        truth: The true value.
        is_known: Whether that follows from the design; else it is from a very large study.
        mean: Mean estimate.
        error: Monte Carlo error of the bias, that of the true value included.
        covered: Share of studies whose interval has the truth; NaN if there is none.
        refused: Share of studies in which the figure has no interval.
        rejected: Share of studies with p < 0.05; NaN if not tested.
        contradicted: Studies whose interval and test say different things.
        studies: Studies in which the figure is defined.
        intervals: Those of them in which it has an interval.
    """

    function: str
    metric: str
    of: str
    design: Design
    effect: str
    truth: float
    is_known: bool
    mean: float
    error: float
    covered: float
    refused: float
    rejected: float
    contradicted: int
    studies: int
    intervals: int

    @classmethod
    def of_studies(
        cls,
        function: str,
        metric: str,
        of: str,
        design: Design,
        effect: str,
        truth: float,
        is_known: bool,
        rows: pd.DataFrame,
        large: int,
    ) -> Row:
        """Summarise the rows of a frame, one a study."""
        estimate, low, high, p = (
            rows[name].to_numpy() for name in ("estimate", "low", "high", "p")
        )
        n, has = len(rows), ~np.isnan(low) & ~np.isnan(high)
        tested = ~np.isnan(p)
        holds = (low - 1e-9 <= truth) & (truth <= high + 1e-9)
        away = (low > 0) | (high < 0)
        sd = float(estimate.std()) if n else np.nan
        variance = sd**2 / max(n, 1) + (0 if is_known else sd**2 * design.items / large)
        return cls(
            function,
            metric,
            of,
            design,
            effect,
            float(truth),
            is_known,
            float(estimate.mean()) if n else np.nan,
            float(np.sqrt(variance)),
            float(holds[has].mean()) if has.any() and truth == truth else np.nan,
            float(1 - has.mean()) if n else np.nan,
            float((p[tested] < ALPHA).mean()) if tested.any() else np.nan,
            int((away != (p < ALPHA))[has & tested].sum()),
            n,
            int(has.sum()),
        )

    @property
    def bias(self) -> float:
        """Mean estimate less the true value."""
        return self.mean - self.truth

    @property
    def is_null(self) -> bool:
        """Whether a test should find nothing."""
        return self.effect == "none" and self.is_known and self.truth == 0

    def error_of(self, rate: float) -> float:
        """Monte Carlo error of a rate that is over this row's intervals."""
        return float(np.sqrt(rate * (1 - rate) / max(self.intervals, self.studies, 1)))

    @property
    def faults(self) -> tuple[str, ...]:
        """What is not as it should be."""
        found = []
        if self.of.endswith("bounds"):
            return () if self.covered == 1 else (f"bounds miss in {1 - self.covered:.1%}",)
        if self.covered < LOW or self.covered > HIGH:
            found.append(f"coverage {self.covered:.1%}")
        if self.is_null and self.rejected > ALPHA + 3 * self.error_of(ALPHA):
            found.append(f"rejected {self.rejected:.1%} of true null hypotheses")
        if self.contradicted:
            found.append(f"interval and test contradict in {self.contradicted}")
        if self.metric == "power" and abs(self.bias) > POWER_WITHIN + 2 * self.error:
            found.append(f"power {self.bias:+.3f} off its plan")
        if self.is_known and abs(self.bias) > 5 * self.error + 0.02 * abs(self.truth) + 0.002:
            found.append(f"bias {self.bias:+.3f}")
        return tuple(found)

    def __str__(self) -> str:
        """A row of a table in Markdown, without the reason."""
        name = self.metric + (f" {self.of}" if self.of else "")
        cells = (
            f"`{name}`",
            self.effect,
            str(self.design),
            _number(self.truth) + ("" if self.is_known else "*"),
            f"{_number(self.bias, sign=True)} ({_number(self.error)})",
            "" if np.isnan(self.covered) else f"{self.covered:.1%}",
            "" if np.isnan(self.rejected) else f"{self.rejected:.1%}",
            f"{self.studies:,}",
        )
        return f"| {' | '.join(cells)} |"


def _number(value: float, sign: bool = False) -> str:
    if np.isnan(value):
        return "–"
    digits = 3 if abs(value) < 10 else 1
    return f"{round(value, digits) + 0.0:{'+' if sign else ''}.{digits}f}"


@dataclass(frozen=True)
class Reason:
    """Why a row may be off, and which rows that is true of."""

    text: str
    applies: Callable[[Row], bool]


def _rarer(row: Row) -> float:
    """Expected items whose answer is the rarer one: wrong, or right."""
    return row.design.items * min(row.design.accuracy, 1 - row.design.accuracy)


def _events(row: Row) -> float:
    """Expected clusters with the event of a rate, or without it if that is rarer."""
    return _clusters(row) * min(row.truth, 1 - row.truth)


def _of_a_kind(row: Row) -> float:
    """Expected items with an answer of a kind, by the share of answers."""
    return row.design.items * row.truth if row.metric == "share" else np.inf


def _clusters(row: Row) -> float:
    return row.design.items / (5.5 if row.design.unequal else 1)


REASONS = (
    Reason(
        "By construction at least 95 %: the bound allows for the errors of all bins adding up.",
        lambda row: row.metric in ("ece", "brier") and row.covered > HIGH,
    ),
    Reason(
        "A rate that is 0 or 1 in every study: its interval ends there and always contains it.",
        lambda row: row.error < 1e-9 and row.covered == 1,
    ),
    Reason(
        "A rare label has a row only in studies that gave it: more often than on average.",
        lambda row: row.function == "labels" and row.truth * row.design.items < 5,
    ),
    Reason(
        "The best level less the worst is above 0 by chance alone; it has a test and no interval.",
        lambda row: row.metric == "level_effect" and row.covered != row.covered,
    ),
    Reason(
        "The spread of a few epochs is on average a little short of the population's.",
        lambda row: row.metric == "accuracy_sd_over_epochs",
    ),
    Reason(
        "Calibration error of a calibrated respondent is above 0 by chance alone.",
        lambda row: row.metric == "ece" and row.covered >= LOW,
    ),
    Reason(
        "Few items whose answer is the rarer one (under 10 expected): counts are whole numbers.",
        lambda row: _rarer(row) < 10 and row.covered > (LEAST if _rarer(row) > 2 else RARE),
    ),
    Reason(
        "A rare event (under five clusters with it expected): one more or less decides.",
        lambda row: 0 < _events(row) < 5 and row.covered > RARE,
    ),
    Reason(
        "Both orders, or epochs, of an item agree: the score method allows for less of that.",
        lambda row: row.metric == "position_bias" and row.covered > HIGH,
    ),
    Reason(
        "Half of the dilemmas are ambiguous, by design: the halves' difference is no error.",
        lambda row: row.metric in ("in_band", "mean_confidence") and row.covered > HIGH,
    ),
    Reason(
        "Read answers are not calibrated if hard items are unread: their error is above the floor.",
        lambda row: row.metric == "ece_floor" and row.design.on_hard,
    ),
    Reason(
        "Less than one answer of the kind expected: intervals have the true value only if there "
        "is none, and a count of one excludes it.",
        lambda row: (
            _of_a_kind(row) < 1
            and row.covered > np.exp(-_of_a_kind(row)) - 3 * row.error_of(row.covered)
        ),
    ),
    Reason(
        "One epoch: net flips of two calls are sums of two shares, and the score interval allows "
        "for more variance than they have.",
        lambda row: (
            row.metric == "added_net_flip" and row.design.epochs == 1 and row.covered > HIGH
        ),
    ),
    Reason("Few clusters (under 30).", lambda row: _clusters(row) < 30 and row.covered > LEAST),
    Reason(
        "Not told from 93–97 % by this many studies.",
        lambda row: LOW - 2 * row.error_of(LOW) <= row.covered <= HIGH + 2 * row.error_of(HIGH),
    ),
)
"""The first that applies stands beside a row. None excuses a contradiction or a test's size."""


def reason(row: Row) -> str | None:
    """Why a row is off, if that is known."""
    if row.contradicted or any("rejected" in fault for fault in row.faults):
        return None
    return next((each.text for each in REASONS if each.applies(row)), None)
