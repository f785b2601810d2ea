"""Simulated studies of a known truth, many at once, as tidy tables.

A *design* says how large a study is and who answers it; a *respondent* is many studies of one
design, drawn together; each study is a model (or a benchmark, where models are compared) of one
tidy table, so that one call of a public function handles them all.

Two structures make epochs of an item alike:

- ``mixture``: an item has a uniform number of its own. An epoch repeats it in 80 %, else draws
  afresh, and is right where its number is below the rate: two epochs correlate by 0.64.
- ``logit-normal``: an item has a rate of its own, logit(rate) = μ − 1.5·z with z standard normal
  and μ such that the mean is the accuracy; epochs are independent given it.

With unequal clusters (1 to 10 items, each size as likely) the items' z correlate by 0.5 within a
cluster. An answer is unread in a share of cases: at random, or on hard items (z > 0) alone, twice
as often there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, ndtr

from vr_evals.analysis.columns import COLUMNS

__all__ = [
    "SECOND_OPTION",
    "Design",
    "Floats",
    "Integers",
    "Random",
    "Respondent",
    "item_rates",
    "names",
    "taken",
    "tidy",
]

REPEATS = 0.8
SPREAD = 1.5
SECOND_OPTION = 0.6
"""Share of wrong answers that are the first of the wrong options."""

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
Random = np.random.Generator


@dataclass(frozen=True)
class Design:
    """Size and respondent of a study.

    Attributes:
        items: How many items.
        epochs: How often each is asked.
        accuracy: Rate of right answers among all, were all read.
        structure: What makes epochs of an item alike: ``mixture`` or ``logit-normal``.
        unequal: Whether clusters have 1 to 10 items, rather than one each.
        unread: Share of answers that cannot be read.
        on_hard: Whether these are on hard items alone.
    """

    items: int = 100
    epochs: int = 5
    accuracy: float = 0.7
    structure: str = "mixture"
    unequal: bool = False
    unread: float = 0.0
    on_hard: bool = False

    def __str__(self) -> str:
        """The design in a cell of a table."""
        unread = f"{self.unread:.0%} unread" + (" on hard items" if self.on_hard else "")
        return ", ".join(
            [
                f"{self.items} × {self.epochs}",
                f"{self.accuracy:g}",
                self.structure,
                *(["clusters of 1–10"] if self.unequal else []),
                *([unread] if self.unread else []),
            ]
        )


@lru_cache
def _center(rate: float) -> float:
    """The μ at which the mean of expit(μ − SPREAD·z) is the rate, by Gauss–Hermite quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    found: float = brentq(lambda mu: float(weights @ expit(mu - SPREAD * nodes)) - rate, -30, 30)
    return found


class Respondent:
    """Answers of one respondent in many studies; arrays are studies × items × epochs.

    Attributes:
        design: The design.
        rng: What all is drawn from.
        studies: How many studies.
        kind: One of five kinds that each item is of, for confidence; studies × items.
        z: How hard each item is, standard normal; studies × items.
        cluster: The number of each item's cluster within its study.
    """

    def __init__(self, design: Design, rng: Random, studies: int) -> None:
        self.design, self.rng, self.studies = design, rng, studies
        shape = (studies, design.items)
        self.z = rng.standard_normal(shape)
        self.kind = rng.integers(5, size=shape)
        self.cluster = np.broadcast_to(np.arange(design.items), shape)
        if design.unequal:
            ends = rng.integers(1, 11, size=shape).cumsum(axis=1)
            places = np.arange(design.items)
            self.cluster = np.stack([np.searchsorted(end, places, side="right") for end in ends])
            shared = np.take_along_axis(rng.standard_normal(shape), self.cluster, axis=1)
            self.z = np.sqrt(0.5) * (self.z + shared)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Studies × items × epochs."""
        return self.studies, self.design.items, self.design.epochs

    def repeats(self) -> NDArray[np.bool_]:
        """Whether each epoch repeats the item's own."""
        if self.design.structure == "mixture":
            return self.rng.random(self.shape) < REPEATS
        return np.zeros(self.shape, dtype=bool)

    def rates(self, accuracy: float, shift: float = 0.0) -> Floats:
        """Each item's rate of right answers; studies × items.

        Args:
            accuracy: Its mean.
            shift: Added to its log-odds.
        """
        if self.design.structure == "mixture":
            rate = np.full(self.z.shape, accuracy)
        else:
            rate = expit(_center(accuracy) - SPREAD * self.z)
        with np.errstate(divide="ignore"):
            moved: Floats = expit(np.log(rate / (1 - rate)) + shift) if shift else rate
        return moved

    def uniform(self, repeats: NDArray[np.bool_] | None = None) -> Floats:
        """Uniform numbers, those of epochs that repeat being the item's own."""
        repeats = self.repeats() if repeats is None else repeats
        return np.where(repeats, ndtr(self.z)[..., None], self.rng.random(self.shape))

    def choices(self, accuracy: float, options: int = 3) -> Integers:
        """Numbers of the options chosen: 0 is right, the others are wrong."""
        number, rate = self.uniform(), self.rates(accuracy)[..., None]
        with np.errstate(divide="ignore", invalid="ignore"):
            beyond = (number - rate) / (1 - rate)
        wrong = 1 if options == 2 else 1 + (beyond >= SECOND_OPTION)
        return np.where(number < rate, 0, wrong)

    def read(self, choices: Integers) -> Integers:
        """The choices, -1 where an answer is unread."""
        rate = np.full(self.z.shape, self.design.unread)
        if self.design.on_hard:
            rate = 2 * rate * (self.z > 0)
        return np.where(self.rng.random(self.shape) < rate[..., None], -1, choices)


def item_rates(design: Design, accuracy: float, z: Floats) -> Floats:
    """Each item's own rate of right answers, given which its epochs are independent.

    Args:
        design: Its structure.
        accuracy: The mean rate.
        z: How hard each item is.
    """
    if design.structure == "mixture":
        return REPEATS * (ndtr(z) < accuracy) + (1 - REPEATS) * accuracy
    rate: Floats = expit(_center(accuracy) - SPREAD * z)
    return rate


def names(prefix: str, n: int) -> pd.api.extensions.ExtensionArray:
    """Texts such as ``i0000``."""
    return pd.array([f"{prefix}{number:04d}" for number in range(n)], dtype="string")


def taken(texts: Sequence[str] | pd.api.extensions.ExtensionArray, codes: Integers) -> Any:
    """Texts by number, missing for -1."""
    return pd.array(texts, dtype="string").take(codes.ravel(), allow_fill=True)


def tidy(who: Respondent, choices: Integers, **columns: Any) -> pd.DataFrame:
    """The tidy table of one cell of each study, the study being the model.

    Args:
        who: The respondent.
        choices: Numbers of the options chosen, 0 being right and -1 unread.
        columns: Other columns, or these in another way: a value, or an array of one each.
    """
    studies, items, epochs = who.shape
    n = choices.size
    study, item, epoch = np.indices(who.shape)
    cluster = np.broadcast_to(who.cluster[..., None], who.shape)
    values: dict[str, Any] = {
        "model": taken(names("s", studies), study),
        "task": "simulated",
        "benchmark": "morables",
        "level": 0,
        "thinking": False,
        "item": taken(names("i", items), item),
        "sample_id": taken(names("i", items), item),
        "epoch": 1 + epoch.ravel(),
        "cluster": taken(names("c", items), cluster),
        "option_order": "original",
        "n_options": 3,
        "label": taken(["A", "B", "C"], choices),
        "choice": taken(["0", "1", "2"], choices),
        "target": "A",
        "right_choice": "0",
        "correct": choices.ravel() == 0,
        "answer_format": taken(["tag", "missing"], (choices < 0).astype(int)),
        "dataset": "simulated",
        "subset": "all",
        "version": "1",
        "temperature": 1.0,
        "complete": True,
        "log": "simulated",
    } | columns
    made = {}
    for column in COLUMNS:
        value = values.get(column.name, pd.NA)
        if isinstance(value, np.ndarray):
            value = value.ravel()
        made[column.name] = pd.Series(value, index=range(n), dtype=column.dtype)
    return pd.DataFrame(made)
