"""Tokens of a text by a rule, without a tokenizer, and what is assumed of replies."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = [
    "OUTPUT_TOKENS",
    "THINKING_TOKENS",
    "TOKENS_PER_CALL",
    "estimated_tokens",
    "output_tokens",
    "tokenizer_ratio",
    "tokens_per_call",
]

_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d{1,3}")
_MARKS = re.compile(r"(?:[^\w\s]|_)+")
_BREAKS = re.compile(r"(?<=\w)\s*\n\s*")
_LONG = 12
_PART = 6

TOKENS_PER_CALL = 9
"""Tokens that a chat format adds to one message and its reply, about."""

OUTPUT_TOKENS: Mapping[int | None, int] = {
    0: 10,
    1: 120,
    2: 350,
    3: 450,
    4: 500,
    5: 350,
    None: 15,
}
"""Assumed tokens of a visible reply to one call, by level; None is the authority question."""


def output_tokens(level: int | None) -> int:
    """Return the assumed tokens of a visible reply to one call; the most known at other levels."""
    return OUTPUT_TOKENS.get(level, max(OUTPUT_TOKENS.values()))


THINKING_TOKENS = 800
"""Assumed tokens of thinking in one call."""

_RATIOS = {"anthropic": 1.08, "vr_local": 1.08}
"""Tokens of a tokenizer for one of the rule, where they differ by over 5 %.

Measured by ``benchmarks/token_estimate.py``: the published tokenizer of Claude (that of its newer
models is not public), and that of SmolLM2.
"""


_FORMATS = {"vr_local": 28}
"""The same of a provider whose format has a system prompt."""


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text is.

    One for each word, and one more for each 6 letters beyond 12; one for each run of punctuation,
    for each run of line breaks that does not follow punctuation, and for each three digits. For
    English text: in scripts without spaces there are more tokens than words.

    Args:
        text: The text.
    """
    words = sum(1 + max(0, -(-(len(word) - _LONG) // _PART)) for word in _WORD.findall(text))
    return words + sum(len(kind.findall(text)) for kind in (_DIGITS, _MARKS, _BREAKS))


def tokens_per_call(model: str) -> int:
    """Return how many tokens the format of a call adds to its prompt, about.

    Args:
        model: The model's name.
    """
    return _FORMATS.get(model.partition("/")[0], TOKENS_PER_CALL)


def tokenizer_ratio(model: str) -> float:
    """Return how many tokens a model's provider counts for one of `estimated_tokens`.

    Args:
        model: The model's name, e.g. ``anthropic/claude-haiku-5-5``.
    """
    return _RATIOS.get(model.partition("/")[0], 1.0)
