"""Chunks hold every row once, and no more numbers at once than memory should have."""

import pytest

from vr_evals.stats.chunks import chunks


@pytest.mark.parametrize(
    ("total", "width", "sizes"),
    [
        (0, 5, []),
        (2000, 10, [2000]),
        (2000, 1000, [1000, 1000]),
        (5, 400_000, [2, 2, 1]),
        (3, 5_000_000, [1, 1, 1]),
    ],
)
def test_rows_are_split(total: int, width: int, sizes: list[int]) -> None:
    assert chunks(total, width) == sizes
