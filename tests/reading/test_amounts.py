"""What the words in a confidence tag say as a number."""

import pytest

from vr_evals.reading.amounts import Unread, amount

VALUES = [
    ("85", 85), ("85%", 85), ("85 %", 85), ("85 percent", 85), ("85percent", 85), ("85.", 85),
    ("85!", 85), ("[85]", 85), ("(85)", 85), ("85.0", 85), ("85.000", 85), ("72.5", 72.5),
    ("82,5", 82.5), ("085", 85), ("+85", 85), ("95+", 95), ("~85", 85), ("about 85", 85),
    ("85 (fairly sure)", 85), ("85 – fairly sure", 85), ("50 (uncertain)", 50), ("85 (0-100)", 85),
    ("85 on a scale of 0-100", 85), ("0", 0), ("1", 1), ("100", 100), ("100.0", 100), ("٨٥", 85),
    # a fraction, if it has a decimal point and no percent sign
    ("0.85", 85), (".85", 85), ("0,85", 85), ("0.29", 29), ("0.0", 0), ("0.5%", 0.5), ("1.0%", 1),
    # a share
    ("85/100", 85), ("85 / 100", 85), ("8/10", 80), ("3/5", 60), ("4.5/5", 90), ("0/100", 0),
    ("0.9/1", 90), ("1/1", 100), ("85 out of 100", 85), ("8 out of 10", 80),
    ("85 (out of 100)", 85),
    # in words
    ("ninety", 90), ("Eighty-five", 85), ("eighty five percent", 85), ("one hundred", 100),
    ("a hundred percent", 100), ("zero", 0), ("about ninety", 90), ("eight out of ten", 80),
]  # fmt: skip

MIDPOINTS = [
    ("70-80", 75), ("70–80", 75), ("70 - 80", 75), ("70 to 80", 75), ("70%-80%", 75),
    ("70-80%", 75), ("between 60 and 70", 65), ("0.7-0.8", 75), ("0-20", 10), ("85 ± 5", 85),
    ("85% +/- 5%", 85), ("ninety to ninety-five", 92.5),
]  # fmt: skip

UNREAD: list[tuple[str, Unread]] = [
    ("", "no_number"),
    ("high", "no_number"),
    ("very certain", "no_number"),
    ("one of the best", "no_number"),
    ("NaN", "no_number"),
    ("inf", "no_number"),
    ("N/A", "no_number"),
    ("None", "no_number"),
    ("1e2", "no_number"),
    ("5e-1", "no_number"),
    ("0x55", "no_number"),
    ("85th", "no_number"),
    ("mid-80s", "no_number"),
    ("8.5.5", "no_number"),
    ("8²", "no_number"),
    ("①", "no_number"),
    ("0-100", "no_number"),
    ("9" * 500, "no_number"),
    ("101", "out_of_range"),
    ("100.1", "out_of_range"),
    ("1000", "out_of_range"),
    ("1,000", "out_of_range"),
    ("11/10", "out_of_range"),
    ("0/0", "out_of_range"),
    ("90-110", "out_of_range"),
    ("-5", "negative"),
    ("-.95", "negative"),
    ("−5", "negative"),
    ("minus 5", "negative"),
    ("negative five", "negative"),
    ("-1/5", "negative"),
    ("-5 ± 1", "negative"),
    ("1.0", "scale_unclear"),
    ("1.00", "scale_unclear"),
    ("0.8-1.0", "scale_unclear"),
    (">95", "bound"),
    ("≥ 95", "bound"),
    ("at least 80", "bound"),
    ("less than 10", "bound"),
    ("85, maybe 90", "several_numbers"),
    ("85;90", "several_numbers"),
    ("60 and 70", "several_numbers"),
    ("60 or 70", "several_numbers"),
    ("80/90/100", "several_numbers"),
    ("80-70", "several_numbers"),
    ("0.5-90", "several_numbers"),
    ("fifty-fifty", "several_numbers"),
    ("85 because 3 people agree", "several_numbers"),
    ("1/8.5.5", "several_numbers"),
    # odds, not a share
    ("50/50", "several_numbers"),
    ("60/40", "several_numbers"),
]


@pytest.mark.parametrize(("words", "value"), VALUES)
def test_one_number(words: str, value: float) -> None:
    said = amount(words)
    assert (said.value, said.reason, said.is_range) == (value, None, False)


@pytest.mark.parametrize(("words", "value"), MIDPOINTS)
def test_a_range_is_read_by_its_midpoint(words: str, value: float) -> None:
    said = amount(words)
    assert (said.value, said.reason, said.is_range) == (value, None, True)


@pytest.mark.parametrize(("words", "reason"), UNREAD)
def test_what_is_no_confidence(words: str, reason: Unread) -> None:
    said = amount(words)
    assert (said.value, said.reason, said.is_range) == (None, reason, False)
