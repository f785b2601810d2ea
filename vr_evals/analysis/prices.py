"""Prices of models: those that Inspect has, and those of the user's file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from vr_evals.errors import InputError

__all__ = ["BATCH_SHARE", "Price", "known_price", "read_prices"]

BATCH_SHARE: Mapping[str, float] = {"anthropic": 0.5, "google": 0.5, "openai": 0.5}
"""What a provider charges for batches, as a share of its price, where it publishes one for all."""

_EXAMPLE = "anthropic/claude-haiku-5-5: {input: 1, output: 5}"


_MOST = 1e6
"""Dollars per million tokens above which a price is a mistake."""


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens of a model.

    Attributes:
        input: Input tokens.
        output: Output tokens, reasoning included.
        input_cache_read: Input tokens that the provider has in its cache; None if unknown.
        input_cache_write: Input tokens that it writes to its cache; None if unknown.
        batch: What a batch costs, as a share of these, 0–1; None for the provider's usual share.
    """

    input: float
    output: float
    input_cache_read: float | None = None
    input_cache_write: float | None = None
    batch: float | None = None


def read_prices(path: str | Path) -> dict[str, Price]:
    """Read prices from a YAML or JSON file, by model.

    The format is that of Inspect's ``--model-cost-config``, of which `input` and `output` are
    required here, with `batch` beside them: ``{input: 1, output: 5, batch: 0.5}``.

    Args:
        path: The file.

    Raises:
        InputError: The file cannot be read, or a price is missing or invalid.
    """
    import yaml

    try:
        text = Path(path).read_text(encoding="utf-8")
        found = yaml.safe_load(text)
    except OSError as error:
        raise InputError(f"prices '{path}': {error.strerror or error}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"invalid prices '{path}': not YAML or JSON") from error
    if not isinstance(found, dict) or not found:
        raise InputError(f"invalid prices '{path}': expected models with prices, e.g. {_EXAMPLE}")
    return {
        str(model): _price(f"prices '{path}', {model}", given) for model, given in found.items()
    }


def _price(where: str, given: Any) -> Price:
    if not isinstance(given, dict):
        raise InputError(f"invalid {where}: expected prices, e.g. {_EXAMPLE}")
    names = [field.name for field in fields(Price)]
    for name in given:
        if name not in names:
            raise InputError(f"invalid {where}: unknown '{name}' (valid: {', '.join(names)})")
    for name in names[:2]:
        if name not in given:
            raise InputError(f"invalid {where}: missing '{name}', e.g. {_EXAMPLE}")
    for name, value in given.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        most = 1.0 if name == "batch" else _MOST
        if not (number and 0 <= value <= most):  # NaN is neither
            expected = "a share from 0 to 1" if name == "batch" else "dollars per million tokens"
            raise InputError(f"invalid {where}: {name} '{value}': expected {expected}")
    return Price(**given)


def known_price(model: str) -> Price | None:
    """Return the price that Inspect has for a model, or None.

    Args:
        model: The model's name.
    """
    from inspect_ai.model import get_model_info

    with redirect_stdout(sys.stderr):  # Inspect prints its hooks
        info = get_model_info(model)
    if info is None or info.cost is None:
        return None
    cost = info.cost
    return Price(cost.input, cost.output, cost.input_cache_read, cost.input_cache_write)
