"""Parse words as a number from 0 to 100."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

__all__ = ["SCALE", "Amount", "Unread", "amount"]

Unread = Literal[
    "bound", "cut_off", "negative", "no_number", "out_of_range", "scale_unclear", "several_numbers"
]
"""Why words state no confidence."""

_NUMBER = re.compile(
    r"(?P<sign>(?<![\w.,%)])[-−–])?(?<![\w.,])(?<![A-Za-z][-–])"
    r"(?P<digits>\d[\d.,]*\d|\.?\d+)(?!\w|[.,]\d)"
)
_PERCENT = re.compile(r" ?(?:percent|per cent|pct)\b", re.IGNORECASE)
_PERCENT_SIGN = re.compile(r"\s?%")
# the ends of a scale are not numbers of their own: "85 (0-100)"
SCALE = re.compile(
    r"(?:\bon a scale )?(?:\b(?:of|from) )?(?<![\d.,])[01] ?(?:-|–|to) ?100\b", re.IGNORECASE
)
_MINUS = re.compile(r"\b(?:minus|negative) $", re.IGNORECASE)
_BOUND = re.compile(
    r"[<>≤≥]|\b(?:(?:less|more|greater|lower|higher) than|under|over|below|above"
    r"|at (?:least|most)|up to)\b",
    re.IGNORECASE,
)
_FRACTION = frozenset({"/", "of", "out of", "out of a", "on a scale of"})
_RANGE = frozenset({"-", "–", "—", "to"})
_MARGIN = frozenset({"±", "+/-", "plus or minus"})

# fmt: off
_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on
_IN_WORDS = {word: n for n, word in enumerate(_UNITS)}
_IN_WORDS |= {word: 10 * n for n, word in enumerate(_TENS, start=2)}
_IN_WORDS["hundred"] = 100
_NUMBER_WORD = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<unit>{'|'.join(_UNITS[1:10])}))?"
    rf"|(?:(?:a|one) )?(?P<other>hundred|{'|'.join(_UNITS)}))\b"
)
_BESIDE_WORDS = re.compile(
    r"(?:about|around|roughly|approximately|nearly|almost|maybe|between|and|to|out of|a"
    r"|minus|negative|[\s\d%~.,/–-])*"
)


@dataclass(frozen=True)
class Amount:
    """A parsed number.

    Attributes:
        value: 0 to 100, or None if it is invalid.
        reason: Why there is no value.
        fraction: Whether it is on a scale from 0 to 1.
        is_range: Whether the value is the midpoint of a range.
    """

    value: float | None
    reason: Unread | None = None
    fraction: bool = False
    is_range: bool = False


def amount(words: str) -> Amount:
    """Parse the confidence that words state.

    Args:
        words: The confidence of a reply, as plain text.
    """
    text = _PERCENT.sub("%", SCALE.sub(" ", words))
    text = text if re.search(r"\d", text) else _digits(text)
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return Amount(None, "no_number")
    if _BOUND.search(text[: numbers[0].end()]):
        return Amount(None, "bound")
    if len(numbers) > 2:
        return Amount(None, "several_numbers")
    first, last = numbers[0], numbers[-1]
    percent = any(_PERCENT_SIGN.match(text, number.end()) for number in (first, last))
    if first is last:
        return _point(first, text, percent)
    between = text[first.end() : last.start()].strip(" %()").lower()
    if between in _FRACTION:
        return _share(first, last)
    if between in _MARGIN:
        middle = _point(first, text, percent)
        return Amount(middle.value, middle.reason, is_range=middle.value is not None)
    if between in _RANGE or (between == "and" and "between" in text[: first.start()].lower()):
        return _midpoint(_point(first, text, percent), _point(last, text, percent))
    return Amount(None, "several_numbers")


def _digits(text: str) -> str:
    """Replace number words with digits, unless there are other words ("one of the best")."""

    def digits(match: re.Match[str]) -> str:
        return str(
            _IN_WORDS[match["tens"] or match["other"]] + _IN_WORDS.get(match["unit"] or "", 0)
        )

    text_with_digits = _NUMBER_WORD.sub(digits, text.lower())
    return text_with_digits if _BESIDE_WORDS.fullmatch(text_with_digits) else text


def _decimal(digits: str) -> Decimal | None:
    """Return the value of digits with a decimal point or comma, or with commas between thousands.

    None if they are not a number, e.g. ``8.5.5``, or a hundred digits long.
    """
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+", digits):
        digits = digits.replace(",", "")
    digits = digits.replace(",", ".")
    return Decimal(digits) if digits.count(".") <= 1 and len(digits) < 100 else None


def _point(number: re.Match[str], text: str, percent: bool) -> Amount:
    """Parse a single number: without a percent sign 0.85 is 85, and 1.0 may be 1 or 100."""
    value = _decimal(number["digits"])
    if value is None:
        return Amount(None, "no_number")
    if number["sign"] or _MINUS.search(text[: number.start()]):
        return Amount(None, "negative")
    if value > 100:
        return Amount(None, "out_of_range")
    fraction = not percent and value <= 1 and not number["digits"].isdecimal()
    if fraction and value == 1:
        return Amount(None, "scale_unclear")
    return Amount(float(value * 100 if fraction else value), fraction=fraction)


def _share(part: re.Match[str], whole: re.Match[str]) -> Amount:
    """Parse a number out of another; but 60/40 and 50/50 are odds, not a share."""
    n, m = _decimal(part["digits"]), _decimal(whole["digits"])
    if n is None or m is None or part["sign"] or whole["sign"]:
        return Amount(None, "negative" if part["sign"] else "several_numbers")
    if m != 100 and n + m == 100:
        return Amount(None, "several_numbers")
    if n > m or m == 0:
        return Amount(None, "out_of_range")
    return Amount(float(100 * n / m))


def _midpoint(low: Amount, high: Amount) -> Amount:
    if low.value is None or high.value is None:
        return Amount(None, low.reason or high.reason)
    if low.value >= high.value or low.fraction != high.fraction:
        return Amount(None, "several_numbers")
    return Amount((low.value + high.value) / 2, is_range=True)
