"""Studies that say whether estimates are near the truth, and whether intervals hold it."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from scipy.stats import binom
from simulated_study import KINDS, REPEATS, Cell, Draws, Floats, Found, Random, found, new_seed

from vr_evals.stats.agreement import agreement
from vr_evals.stats.at_k import at_k
from vr_evals.stats.bootstrap import bootstrap_sums, bootstrap_weights, ratio
from vr_evals.stats.calibration import calibration_figures, ece, ece_floor, ece_interval
from vr_evals.stats.confidence import bin_index
from vr_evals.stats.flips import (
    excess_flip_terms,
    flip_floor_terms,
    flip_rates,
    relative_excess_terms,
)
from vr_evals.stats.intervals import clustered_mean, wilson_clustered

__all__ = ["CELLS"]


# rates


def rate_cell(items: int, epochs: int, p: float) -> Cell:
    """A rate, by each of the three kinds of interval; and among the answers that were read."""
    truths = {
        "accuracy, wilson_clustered": p,
        "accuracy, clustered_mean": p,
        "accuracy of read answers, bootstrap ratio": p,
    }

    def study(rng: Random) -> dict[str, Found]:
        draws = Draws(rng, items, epochs)
        right = (draws.draw() < p).astype(float)
        read = (draws.draw() < 0.9).astype(float)
        mean = clustered_mean(right, draws.clusters)
        terms = np.stack([right * read, read], axis=-1)
        bounds = bootstrap_sums(terms, ratio, draws.clusters, seed=new_seed(rng))
        results = (
            found(float(right.mean()), wilson_clustered(right, draws.clusters), p),
            found(mean.mean, (mean.low, mean.high), p),
            found(float(ratio(terms.sum(axis=0))), bounds, p),
        )
        return dict(zip(truths, results, strict=True))

    return Cell(f"right in {p:.0%}", items, epochs, truths, study)


# calibration

_P = np.array([0.4, 0.5, 0.6, 0.7, 0.8])
"""The five equally likely probabilities of being right."""

CONFIDENCES = {
    "well calibrated": 100 * _P,
    "overconfident by 10 points": 100 * _P + 10,
    "overconfident by 20 points": 100 * _P + 20,
    "anti-calibrated": 120 - 100 * _P,
    "constant 90": np.full(5, 90.0),
    "overconfident where sure": 100 * _P + 10 * (_P > 0.65),
}


def calibration_truths(confidence: Floats) -> dict[str, float]:
    """What each figure is in an endless study."""
    c = confidence / 100
    bins = bin_index(c, 10)
    gaps = [abs(float((_P - c)[bins == b].sum())) / len(_P) for b in np.unique(bins)]
    right, wrong = _P / _P.sum(), (1 - _P) / (1 - _P).sum()
    wins = (c[:, None] > c) + (c[:, None] == c) / 2
    return {
        "ece, ece_interval": sum(gaps),
        "ece, plain percentile bootstrap (not used)": sum(gaps),
        "brier": float((_P * (1 - _P) + (c - _P) ** 2).mean()),
        "auroc": float(right @ wins @ wrong),
        "mean confidence, clustered_mean": float(confidence.mean()),
        "overconfidence": float((c - _P).mean()),
    }


def _size_of_gaps(sums: Floats) -> Floats:
    size: Floats = np.abs(sums[..., :-1]).sum(axis=-1) / sums[..., -1]
    return size


def calibration_cell(items: int, epochs: int, respondent: str) -> Cell:
    """Figures of stated confidence."""
    confidences = CONFIDENCES[respondent]
    truths = calibration_truths(confidences)

    def study(rng: Random) -> dict[str, Found]:
        draws = Draws(rng, items, epochs)
        kind = (draws.draw() * len(_P)).astype(int)
        stated, right = confidences[kind], (draws.draw() < _P[kind]).astype(float)
        clusters, n = draws.clusters, len(stated)
        gaps = np.eye(10)[bin_index(stated / 100, 10)] * (right - stated / 100)[:, None]
        plain = bootstrap_sums(
            np.column_stack([gaps, np.ones(n)]), _size_of_gaps, clusters, seed=new_seed(rng)
        )
        figures = calibration_figures(stated, right, np.ones(n))
        bounds = bootstrap_weights(
            lambda weights: calibration_figures(stated, right, weights),
            clusters,
            seed=new_seed(rng),
        )
        mean, error = clustered_mean(stated, clusters), ece(stated, right)
        intervals: tuple[tuple[float, Sequence[float] | Floats], ...] = (
            (error, ece_interval(stated, right, clusters, seed=new_seed(rng))),
            (error, plain),
            (figures[0], bounds[:, 0]),
            (figures[1], bounds[:, 1]),
            (mean.mean, (mean.low - 1e-9, mean.high + 1e-9)),  # of no length where constant
            (figures[3], bounds[:, 3]),
        )
        return {
            name: found(estimate, interval, truth)
            for (name, truth), (estimate, interval) in zip(truths.items(), intervals, strict=True)
        }

    return Cell(respondent, items, epochs, truths, study, share=4)


def expected_floor(items: int) -> float:
    """Mean `ece` of the well calibrated one: binomial deviations, each kind a bin of its own."""
    members = np.arange(items + 1)
    total = 0.0
    for p in _P:
        # mean absolute deviation of a binomial: 2·k·(1 − p)·P(X = k) for k = ⌊mp⌋ + 1, by De Moivre
        k = np.floor(members * p + 1e-9) + 1
        deviation = 2 * k * (1 - p) * binom.pmf(k, members, p)
        total += float(binom.pmf(members, items, 1 / len(_P)) @ deviation)
    return total / items


def floor_cell(items: int) -> Cell:
    """The noise floor: its mean, and whether it holds what perfect calibration really shows."""
    truth = expected_floor(items)

    def study(rng: Random) -> dict[str, Found]:
        kind = rng.integers(len(_P), size=items)
        stated = 100 * _P[kind]
        floor = ece_floor(stated, seed=new_seed(rng))
        shown = ece(stated, rng.random(items) < _P[kind])
        return {"ece_floor": Found(floor.mean, floor.low - 1e-9 <= shown <= floor.high + 1e-9)}

    return Cell("well calibrated", items, 1, {"ece_floor": truth}, study)


# changes of answer


def second_look_cell(items: int, epochs: int, good: float, bad: float) -> Cell:
    """Flips at a second look, right in 70 % at first."""
    truths = {
        "flip rate": 0.3 * good + 0.7 * bad,
        "good_flip_of_wrong": good,
        "bad_flip_of_right": bad,
    }

    def study(rng: Random) -> dict[str, Found]:
        draws = Draws(rng, items, epochs)
        first = draws.draw() < 0.7
        flipped = draws.draw() < np.where(first, bad, good)
        rates = flip_rates(
            zip(first.tolist(), (first ^ flipped).tolist(), [True] * len(first), strict=True)
        )
        clusters = np.array(draws.clusters)
        groups = (np.ones_like(first), ~first, first)
        estimates = (rates.flip, rates.good_flip_of_wrong, rates.bad_flip_of_right)
        return {
            name: found(estimate, wilson_clustered(flipped[group], clusters[group].tolist()), truth)
            for (name, truth), estimate, group in zip(
                truths.items(), estimates, groups, strict=True
            )
        }

    respondent = f"{good:.0%} good and {bad:.0%} bad flips"
    return Cell(respondent, items, epochs, truths, study)


# changes under a cue

_ENDORSED = 1


def _pulled(pull: float) -> Floats:
    moved: Floats = (1 - pull) * KINDS + pull * np.eye(3)[_ENDORSED]
    return moved


def cue_truths(epochs: int, pull: float) -> dict[str, float]:
    """What the figures are with endless items, over all that control epochs can be."""
    floor = excess = counted = 0.0
    for own, moved in zip(KINDS, _pulled(pull), strict=True):
        for control in product(range(3), repeat=epochs):
            chance = math.prod(own[list(control)])
            for j, choice in enumerate(control):
                votes = np.bincount(control[:j] + control[j + 1 :], minlength=3)
                if (votes == votes.max()).sum() > 1:
                    continue
                base = int(votes.argmax())
                counted += chance
                floor += chance * (choice != base)
                excess += chance * (1 - moved[base] - (choice != base))
    complied = _pulled(pull)[:, _ENDORSED]
    return {
        "flip_floor": floor / counted,
        "excess_flip": excess / counted,
        "excess_compliance": float((complied - KINDS[:, _ENDORSED]).mean()),
        "relative_excess_compliance": pull,
        "compliance@1": float(complied.mean()),
        "compliance@3": float((1 - (1 - complied) ** 3).mean()),
    }


def cue_cell(items: int, pull: float) -> Cell:
    """Figures of the pull of a cue, five epochs an item and condition."""
    epochs = 5
    truths = cue_truths(epochs, pull)

    def choices(rng: Random, rates: Floats) -> list[list[int]]:
        cumulated = rates.cumsum(axis=1)[:, None, :-1]
        drawn = (rng.random((items, epochs, 1)) > cumulated).sum(axis=2)
        return [list(map(int, row)) for row in drawn]

    def study(rng: Random) -> dict[str, Found]:
        kind = rng.integers(2, size=items)
        terms = []
        for control, condition in zip(
            choices(rng, KINDS[kind]), choices(rng, _pulled(pull)[kind]), strict=True
        ):
            relative = relative_excess_terms(control, condition, _ENDORSED)
            complied = condition.count(_ENDORSED)
            terms.append(
                [
                    flip_floor_terms(control),
                    excess_flip_terms(control, condition),
                    (relative.numerator, 1),
                    relative,
                    (at_k(epochs, complied, 1), 1),
                    (at_k(epochs, complied, 3), 1),
                ]
            )
        bounds = bootstrap_sums(terms, ratio, range(items), seed=new_seed(rng))
        estimates = ratio(np.array(terms, dtype=float).sum(axis=0))
        return {
            name: found(estimates[i], bounds[:, i], truth)
            for i, (name, truth) in enumerate(truths.items())
        }

    respondent = f"adopts the cue in {pull:.0%}" if pull else "the cue does nothing"
    return Cell(respondent, items, epochs, truths, study, share=4)


def agreement_cell(items: int, epochs: int) -> Cell:
    """Agreement of epochs on two options, the one at 60 %."""
    truth = REPEATS**2 + (1 - REPEATS**2) * (0.6**2 + 0.4**2)

    def study(rng: Random) -> dict[str, Found]:
        chosen = (Draws(rng, items, epochs).draw() < 0.6).reshape(items, epochs)
        terms = np.array([(agreement(row), 1) for row in chosen.tolist()])
        bounds = bootstrap_sums(terms, ratio, range(items), seed=new_seed(rng))
        return {"agreement": found(float(terms[:, 0].mean()), bounds, truth)}

    return Cell("60 % choose one of two", items, epochs, {"agreement": truth}, study)


CELLS: tuple[Cell, ...] = (
    *(rate_cell(*size, p) for size in ((20, 1), (100, 1), (20, 5), (100, 5)) for p in (0.7, 0.95)),
    rate_cell(300, 5, 0.7),
    *(
        calibration_cell(*size, "well calibrated")
        for size in ((30, 1), (100, 1), (300, 1), (100, 5))
    ),
    *(
        calibration_cell(100, 1, respondent)
        for respondent in CONFIDENCES
        if respondent != "well calibrated"
    ),
    *(floor_cell(items) for items in (30, 100, 300)),
    *(second_look_cell(*size, 0.3, 0.1) for size in ((30, 1), (100, 1), (30, 5), (100, 5))),
    *(cue_cell(items, pull) for items in (30, 100, 300) for pull in (0.0, 0.3)),
    *(agreement_cell(*size) for size in ((30, 2), (30, 5), (100, 5))),
)
