"""Stated confidences (0–100): their two readings, their means, and overconfidence.

Throughout these modules `confidence` is 0–100 and read as the probability, in per cent, that the
answer given is right; `correct` is 1 (or True) where it was, also with five options. Leave out what
could not be read, and count it: a missing value is an error here. Without data a figure is NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "EXPECTED_BANDS",
    "bin_index",
    "chance_adjusted",
    "probabilities",
]


EXPECTED_BANDS = {"low": (70.0, 100.0), "high": (20.0, 60.0)}
"""Confidence (0–100) of a well-calibrated respondent, by a dilemma's ambiguity.

Source: "Expected Calibration" in ``docs/spec/prompts.md``."""


def chance_adjusted(confidence: ArrayLike, options: ArrayLike) -> NDArray[np.float64]:
    """Read 0 as a complete guess among m options rather than as certainly wrong.

    ``100·(1/m + (1 − 1/m)·c/100)``: 0 becomes chance (50 for two options), 100 stays 100. The
    result is a confidence again, which every function takes in place of the stated one.

    Args:
        confidence: Stated confidences, 0–100.
        options: The number of options, one for all or one for each confidence.

    Returns:
        Adjusted confidences, 100/m to 100.

    Raises:
        ValueError: A number of options is below 1.
    """
    import numpy as np

    m = np.asarray(options, dtype=float)
    if not (m >= 1).all():
        raise ValueError("there must be at least one option")
    adjusted = 100 / m + (1 - 1 / m) * np.asarray(confidence, dtype=float)
    rounded: NDArray[np.float64] = np.round(adjusted, 9)  # keeps equal values equal
    return rounded


def probabilities(
    confidence: ArrayLike, correct: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Check confidences and outcomes, and scale confidences to 0–1.

    Returns:
        Confidences as probabilities, and outcomes as 0.0 / 1.0.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    import numpy as np

    c, y = np.asarray(confidence, dtype=float), np.asarray(correct, dtype=float)
    if c.ndim != 1 or c.shape != y.shape:
        raise ValueError(f"{c.size} confidences but {y.size} outcomes")
    if not ((c >= 0) & (c <= 100)).all():
        raise ValueError("confidences must be within 0 and 100, and none may be missing")
    if not ((y == 0) | (y == 1)).all():
        raise ValueError("outcomes must be 0 or 1, and none may be missing")
    return c / 100, y


def bin_index(p: NDArray[np.float64], bins: int) -> NDArray[np.intp]:
    """Bin of each probability, 0 … bins − 1: of equal width, right-closed, 0 in the first."""
    import numpy as np

    # rounded first: 0.07 * 100 is 7.000000000000001, which is no reason for the next bin
    bin_: NDArray[np.float64] = np.ceil(np.round(p * bins, 9)) - 1
    return np.maximum(bin_, 0).astype(np.intp)
