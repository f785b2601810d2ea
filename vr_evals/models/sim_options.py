"""The model arguments (``-M name=value``) of ``vr_sim``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.models.personas import PERSONAS, PULL_SCALES, PULLS, Persona
from vr_evals.option_kinds import ERROR_KINDS

__all__ = ["read_persona"]


@dataclass(frozen=True)
class _Kind:
    """The valid values of an argument, in words, and a parser that returns None for others."""

    expected: str
    read: Callable[[Any], object]


def _number(given: object, low: float, high: float) -> float | None:
    """Parse a number in a range; Inspect passes numbers in lists, and 1e-3, as text."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        number = float(given)
    except ValueError:
        return None
    return number if low <= number <= high else None


def _numbers(low: float, high: float) -> _Kind:
    return _Kind(f"a number from {low:g} to {high:g}", lambda given: _number(given, low, high))


def _accuracy(given: object) -> tuple[float, ...] | None:
    """Parse one rate for all levels, or one rate per level."""
    return _rates(given if isinstance(given, list | tuple) else [given] * len(Level), len(Level))


def _rates(given: object, n: int) -> tuple[float, ...] | None:
    """Parse a list of n rates."""
    if not isinstance(given, list | tuple):
        return None
    rates = [rate for part in given if (rate := _number(part, 0, 1)) is not None]
    return tuple(rates) if len(rates) == len(given) == n else None


def _confidence(given: object) -> object:
    words = ("calibrated", "anti_calibrated", "none")
    return given if given in words else _number(given, 0, 100)


_RATE = _numbers(0, 1)
_KINDS: Mapping[str, _Kind] = {field.name: _RATE for field in fields(Persona)} | {
    "accuracy": _Kind(
        f"{_RATE.expected}, or {len(Level)} such numbers, comma-separated, for levels "
        f"0 to {max(Level):d}",
        _accuracy,
    ),
    "error_kinds": _Kind(
        f"{len(ERROR_KINDS)} numbers from 0 to 1, comma-separated: the shares of "
        f"{', '.join(ERROR_KINDS)}",
        lambda given: _rates(given, len(ERROR_KINDS)),
    ),
    "thinking_gain": _numbers(-1, 1),
    "spread": _numbers(0, 50),
    "confidence": _Kind("calibrated, anti_calibrated, none or a number from 0 to 100", _confidence),
    **{f"pull_{name}": _numbers(0, 10) for name in PULLS},
    "pull_scale": _Kind(
        " or ".join(PULL_SCALES), lambda given: given if given in PULL_SCALES else None
    ),
    "overconfidence": _numbers(-100, 100),
    "ambiguous_confidence": _numbers(0, 100),
    "ignores_thinking": _Kind(
        "true or false", lambda given: given if isinstance(given, bool) else None
    ),
    "latency": _numbers(0, 60),
    "seed": _Kind(
        "an integer",
        lambda given: given if isinstance(given, int) and not isinstance(given, bool) else None,
    ),
}


def read_persona(name: str, model_args: Mapping[str, object]) -> Persona:
    """Return a persona, with model arguments applied.

    Args:
        name: The persona's name, after ``vr_sim/``.
        model_args: Arguments by name, from ``-M`` or ``get_model()``; see ``Persona``.

    Raises:
        InputError: The persona, a parameter or a value is invalid, or two values contradict each
            other.
    """
    model = f"vr_sim/{name}"
    if name not in PERSONAS:
        raise InputError(f"invalid model {model!r}: expected one of {', '.join(PERSONAS)}")
    changes: dict[str, Any] = {}
    for argument, given in model_args.items():
        if argument not in _KINDS:
            raise InputError(f"{model}: unknown -M {argument} (valid: {', '.join(sorted(_KINDS))})")
        kind = _KINDS[argument]
        changes[argument] = kind.read(given)
        if changes[argument] is None:
            raise InputError(
                f"{model}: invalid -M {argument} '{_typed(given)}': expected {kind.expected}"
            )
    try:
        return replace(PERSONAS[name], **changes)
    except InputError as error:
        raise InputError(f"{model}: {error.message}") from None


def _typed(given: object) -> str:
    """Return a value as the user typed it."""
    if isinstance(given, list | tuple):
        return ",".join(map(_typed, given))
    return str(given).lower() if isinstance(given, bool) else str(given)
