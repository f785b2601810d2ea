import itertools
import math
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chi2, multinomial, nct, norm, t

from tests.breadth import some_quick
from vr_evals.stats.intervals import wilson
from vr_evals.stats.planning import (
    McNemarTest,
    PairedDesign,
    Side,
    items_for_difference,
    items_for_half_width,
    mcnemar_power,
    rate_half_width,
    upper_variance,
)
from vr_evals.stats.score import rate


def half_width(n: int, rate: float, level: float) -> float:
    low, high = wilson(rate * n, n, level=level)
    return (high - low) / 2


@given(
    target=st.floats(0.01, 0.3),
    rate=st.floats(0, 1),
    level=st.sampled_from([0.8, 0.9, 0.95, 0.99]),
)
def test_enough_items_and_not_one_more(target: float, rate: float, level: float) -> None:
    n = items_for_half_width(target, rate=rate, level=level)
    assert half_width(n, rate, level) <= target + 1e-9
    if n > 1:
        assert half_width(n - 1, rate, level) > target - 1e-9


@pytest.mark.parametrize(("target", "items"), [(0.05, 381), (0.1, 93), (0.03, 1064)])
def test_known_sizes(target: float, items: int) -> None:
    """A little below the textbook's 385, 97 and 1068: z²/4h² less z²."""
    assert items_for_half_width(target) == items
    assert items == math.ceil(1.959964**2 / (4 * target**2) - 1.959964**2)


@pytest.mark.parametrize(
    ("target", "rate", "level"), [(0, 0.5, 0.95), (0.5, 0.5, 0.95), (0.1, 1.5, 0.95), (0.1, 0.5, 1)]
)
def test_planning_refuses_nonsense(target: float, rate: float, level: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        items_for_half_width(target, rate=rate, level=level)


def mcnemar(gained: int, lost: int) -> float:
    """McNemar's exact test, two-sided."""
    n = gained + lost
    tail: int = sum(math.comb(n, i) for i in range(min(gained, lost) + 1))
    return min(1.0, 2 * tail / 2.0**n)


def enumerated_power(n: int, gain: float, loss: float, alpha: float) -> float:
    """Over every table that n items can give."""
    return sum(
        float(multinomial.pmf([g, x, n - g - x], n, [gain, loss, 1 - gain - loss]))
        for g in range(n + 1)
        for x in range(n + 1 - g)
        if mcnemar(g, x) <= alpha
    )


@pytest.mark.parametrize(
    ("n", "gain", "loss", "alpha"),
    [
        (1, 0.5, 0.1, 0.05),
        (12, 0.6, 0.1, 0.05),
        (25, 0.3, 0.05, 0.05),
        (25, 0.3, 0.05, 0.03125),
        (30, 0.2, 0.2, 0.1),
        (20, 1, 0, 0.01),
    ],
)
def test_power_agrees_with_enumeration(n: int, gain: float, loss: float, alpha: float) -> None:
    expected = enumerated_power(n, gain, loss, alpha)
    assert mcnemar_power(n, gain, loss, alpha=alpha) == pytest.approx(expected, abs=1e-12)


def test_power_agrees_with_simulation() -> None:
    generator = np.random.default_rng(0)
    tables = generator.multinomial(300, [0.12, 0.05, 0.83], size=4000)
    found = np.mean([mcnemar(int(gained), int(lost)) <= 0.05 for gained, lost, _ in tables])
    assert mcnemar_power(300, 0.12, 0.05) == pytest.approx(found, abs=0.025)


@pytest.mark.parametrize("n", [0, 10, 100, 1000])
def test_without_a_change_the_power_is_at_most_the_level(n: int) -> None:
    assert 0 <= mcnemar_power(n, 0.1, 0.1) <= 0.05
    assert mcnemar_power(n, 0, 0) == 0


@pytest.mark.parametrize(
    ("n", "gain", "loss", "alpha"),
    [(-1, 0.1, 0.1, 0.05), (9, -0.1, 0.1, 0.05), (9, 0.6, 0.5, 0.05), (9, 0.1, 0.1, 0)],
)
def test_power_refuses_nonsense(n: int, gain: float, loss: float, alpha: float) -> None:
    with pytest.raises(ValueError, match="need n"):
        mcnemar_power(n, gain, loss, alpha=alpha)


def design(items: int, epochs: int, discordance: float = 0.29, item: float = 0.045) -> PairedDesign:
    """A design from the discordance, and the share of it that is a property of items."""
    side = Side(0.75, discordance * (1 - item) / 2, epochs)
    return PairedDesign(items, discordance * item, side, side)


@pytest.mark.parametrize(
    ("items", "epochs", "points"), [(500, 1, 6.8), (250, 2, 6.9), (50, 10, 8.2)]
)
def test_two_epochs_are_almost_free(items: int, epochs: int, points: float) -> None:
    """500 answers a side at a discordance of 29 %, 4.5 % of it a property of the items."""
    assert round(100 * design(items, epochs).detectable(), 1) == points


def test_variance_is_that_of_epoch_means() -> None:
    unequal = PairedDesign(100, 0.02, Side(0.7, 0.15, 2), Side(0.6, 0.2, 5))
    assert unequal.variance == pytest.approx(0.02 + 0.15 / 2 + 0.2 / 5)
    clustered = replace(unequal, cluster_size=4, correlation=0.3)
    assert clustered.variance == pytest.approx(unequal.variance * 1.9)
    assert clustered.df == 24
    uneven = replace(clustered, weighted_size=6.0)
    assert uneven.variance == pytest.approx(unequal.variance * 2.5)


def test_unread_answers_are_no_event() -> None:
    """Answers drawn one by one: the variance within items of what is seen."""
    rng = np.random.default_rng(0)
    rates = rng.beta(2, 1, 200_000)
    read = rng.random((2, len(rates))) >= 0.2
    seen = (rng.random((2, len(rates))) < rates) & read
    within = (seen[0].astype(float) - seen[1]).var() / 2
    side = Side(float(rates.mean()), float((rates * (1 - rates)).mean()))
    assert side.seen(0.2) == pytest.approx(within, abs=0.002)
    unread = PairedDesign(100, 0.0, side, side, unread=0.2)
    assert unread.bias_bound == 0.2
    assert unread.detectable() > replace(unread, unread=0).detectable()


@pytest.mark.parametrize("epochs", [1, 3])
def test_half_width_is_that_of_the_interval(epochs: int) -> None:
    one = design(200, epochs)
    quantile = t.ppf(0.975, 199) if epochs > 1 else norm.ppf(0.975)
    assert one.half_width() == pytest.approx(quantile * math.sqrt(one.variance / 200))


@pytest.mark.parametrize(("items", "epochs"), [(30, 2), (100, 1), (400, 5)])
def test_power_at_the_detectable_difference_is_80_percent(items: int, epochs: int) -> None:
    one = design(items, epochs)
    for alpha in (0.05, 0.05 / 20):
        found = one.detectable(alpha=alpha)
        assert one.power(found, alpha=alpha) == pytest.approx(0.8, abs=0.01)
    assert one.detectable(alpha=0.05) < one.detectable(alpha=0.01)
    assert one.power(0) == pytest.approx(0.05, abs=0.012)


def test_power_is_that_of_the_noncentral_t_far_from_bounds() -> None:
    one = design(100_000, 2)
    stderr = math.sqrt(one.variance / one.items)
    expected = norm.sf(1.959964 - 0.005 / stderr)
    assert one.power(0.005) == pytest.approx(expected, abs=0.002)
    # the sum of both tails, with few clusters
    few = replace(design(40, 4), cluster_size=4.0)
    n_t = nct.sf(t.ppf(0.975, 9), 9, 0.1 / math.sqrt(few.variance / 40))
    assert few.power(0.1) == pytest.approx(n_t, abs=0.08)
    assert few.power(0.1) < n_t


def test_items_for_a_difference_find_it_and_one_less_does_not() -> None:
    one = design(1, 3)
    n = items_for_difference(one, 0.05)
    assert n is not None
    assert replace(one, items=n).power(0.05) >= 0.8 > replace(one, items=n - 1).power(0.05)
    assert items_for_difference(one, 0.0001) is None
    for effect in (0, -0.1, 1.1):
        with pytest.raises(ValueError, match="effect"):
            items_for_difference(one, effect)


def test_too_few_items_find_nothing() -> None:
    assert math.isnan(design(1, 2).power(0.5))
    assert math.isnan(design(1, 2).detectable())
    assert math.isnan(design(1, 2).half_width())
    assert math.isnan(design(2, 1).detectable())
    assert design(4, 2).power(0.5, alpha=0.0001) == 0
    assert math.isnan(design(4, 2).detectable(alpha=0.0001))


@pytest.mark.parametrize(
    "change",
    [
        {"items": -1},
        {"between": -0.1},
        {"unread": 1.0},
        {"cluster_size": 0.5},
        {"correlation": 1.5},
        {"cluster_size": 4.0, "weighted_size": 2.0},
        {"side": Side(0.9, 0.25)},
        {"side": Side(0.5, 0.1, 0)},
    ],
)
def test_impossible_designs_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="need items"):
        replace(design(10, 2), **change)


@pytest.mark.parametrize("test", get_args(McNemarTest))
@pytest.mark.parametrize(
    ("n", "gain", "loss", "alpha"),
    some_quick([(25, 0.3, 0.1, 0.05), (60, 0.2, 0.05, 0.01)], (25, 0.3, 0.1, 0.05).__eq__),
)
def test_mcnemar_power_is_that_of_all_outcomes(
    test: McNemarTest, n: int, gain: float, loss: float, alpha: float
) -> None:
    """Each pair of counts with its probability, rejected or not by the p-value's definition."""
    total = 0.0
    for more, less in itertools.product(range(n + 1), repeat=2):
        if 0 < more + less <= n:
            d, m = more + less, min(more, less)
            exact = 2 * binom.cdf(m, d, 0.5)
            p = {
                "exact": min(1, exact),
                "mid-p": exact - binom.pmf(m, d, 0.5) if more != less else 1.0,
                "score": chi2.sf((more - less) ** 2 / d, 1),
            }[test]
            if p <= alpha:
                total += multinomial.pmf([more, less, n - d], n, [gain, loss, 1 - gain - loss])
    assert mcnemar_power(n, gain, loss, alpha=alpha, test=test) == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize(("epochs", "size"), [(1, 1.0), (4, 1.0), (3, 2.0)])
def test_half_width_of_a_rate_is_that_of_the_interval(epochs: int, size: float) -> None:
    """Many studies: the mean half width of `score.rate`."""
    rng = np.random.default_rng(1)
    n = 200
    found = []
    for _ in range(40):
        own = rng.beta(3, 1, n // int(size)).repeat(int(size))
        values = rng.binomial(epochs, own) / epochs
        codes = np.arange(n // int(size)).repeat(int(size))
        low, high = rate(values, np.ones(n), codes, n * epochs).interval()
        found.append((high - low) / 2)
    p, within = 0.75, 0.75 - 3 / 5
    between = p * (1 - p) - within
    alike = between / (between + within / epochs) if size > 1 else 0.0
    half = rate_half_width(n, Side(p, within, epochs), cluster_size=size, correlation=alike)
    assert half == pytest.approx(float(np.mean(found)), rel=0.05)
    assert math.isnan(rate_half_width(1, Side(p, within)))


def test_upper_variance_is_exceeded_in_20_percent() -> None:
    rng = np.random.default_rng(2)
    variances = rng.normal(size=(4000, 15)).var(axis=1, ddof=1)
    above = np.mean([upper_variance(float(v), 14) >= 1 for v in variances])
    assert above == pytest.approx(0.8, abs=0.02)
    assert upper_variance(1, 0) == math.inf


def test_without_variance_every_difference_is_found_and_no_other() -> None:
    never = Side(0.0, 0.0)
    design = PairedDesign(20, 0.0, never, never, cluster_size=2)
    assert [design.power(effect) for effect in (0.01, 0)] == [1, 0]
