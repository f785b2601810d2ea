"""Studies that say how often tests reject, where nothing differs and where something does."""

from collections.abc import Callable, Iterator

from simulated_study import KINDS, Cell, Floats, Found, Random, new_seed

from vr_evals.stats.paired import cochran_q, holm, mcnemar, sign_flip, trend
from vr_evals.stats.planning import mcnemar_power

__all__ = ["CELLS"]

ALPHA = 0.05


def _test_cell(
    name: str,
    respondent: str,
    items: int,
    epochs: int,
    expected: float,
    p_value: Callable[[Random], float],
) -> Cell:
    def study(rng: Random) -> dict[str, Found]:
        rejects = p_value(rng) <= ALPHA
        return {name: Found(float(rejects), rejects)}

    return Cell(respondent, items, epochs, {name: expected}, study, is_test=True)


def _gained_and_lost(rng: Random, items: int, gain: float, loss: float) -> tuple[int, int]:
    gained, lost, _ = rng.multinomial(items, [gain, loss, 1 - gain - loss])
    return int(gained), int(lost)


def paired_cells(items: int, gain: float, loss: float) -> Iterator[Cell]:
    """McNemar's and the sign-flip test, which are one here, against the planned power."""
    expected = mcnemar_power(items, gain, loss, alpha=ALPHA)
    respondent = f"{gain:.0%} gained, {loss:.0%} lost"

    def by_mcnemar(rng: Random) -> float:
        return mcnemar(*_gained_and_lost(rng, items, gain, loss))

    def by_sign_flip(rng: Random) -> float:
        gained, lost = _gained_and_lost(rng, items, gain, loss)
        changes = [1] * gained + [-1] * lost + [0] * (items - gained - lost)
        return sign_flip(changes, resamples=999, seed=new_seed(rng))

    yield _test_cell("mcnemar", respondent, items, 1, expected, by_mcnemar)
    yield _test_cell("sign_flip", respondent, items, 1, expected, by_sign_flip)


def _equal_conditions(rng: Random, items: int, epochs: int, conditions: int) -> Floats:
    """Items' means under conditions that do not matter."""
    p = KINDS[rng.integers(2, size=items), 0]
    return rng.binomial(epochs, p[:, None], size=(items, conditions)) / epochs


def null_cells(items: int) -> Iterator[Cell]:
    """Tests where nothing differs."""

    def clusters_of_epochs(rng: Random) -> float:
        before, after = _equal_conditions(rng, items, 5, 2).T
        return sign_flip(after - before, resamples=999, seed=new_seed(rng))

    def cochran(rng: Random) -> float:
        return cochran_q(_equal_conditions(rng, items, 1, 6)).p

    def over_levels(rng: Random) -> float:
        return trend(_equal_conditions(rng, items, 5, 6), resamples=999, seed=new_seed(rng)).p

    def family(rng: Random) -> float:
        tables = (_equal_conditions(rng, items, 5, 2) for _ in range(5))
        p_values = [
            sign_flip(table[:, 1] - table[:, 0], resamples=999, seed=new_seed(rng))
            for table in tables
        ]
        return float(holm(p_values).min())

    same = "no difference"
    yield _test_cell("sign_flip", f"{same}, 2 conditions", items, 5, ALPHA, clusters_of_epochs)
    yield _test_cell("cochran_q", f"{same}, 6 levels", items, 1, ALPHA, cochran)
    yield _test_cell("trend", f"{same}, 6 levels", items, 5, ALPHA, over_levels)
    yield _test_cell("holm", f"{same}, any of 5 tests", items, 5, ALPHA, family)


CELLS: tuple[Cell, ...] = (
    *(
        cell
        for items, gain, loss in ((50, 0.1, 0.1), (200, 0.1, 0.1), (200, 0.15, 0.05))
        for cell in paired_cells(items, gain, loss)
    ),
    *(cell for items in (20, 100) for cell in null_cells(items)),
)
