"""What can be said of models before they are called, without a key or a network."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from typing import Any

from inspect_ai.model import get_model

from vr_evals.commands.exit_codes import is_prerequisite, one_line
from vr_evals.errors import InputError
from vr_evals.terminal import printable

__all__ = ["check_models"]

_IN_PROCESS = frozenset({"vr_sim", "vr_local", "mockllm", "none"})
"""Providers of models that are there as soon as they are made."""

_LOADING = frozenset({"hf", "vllm", "vllm-completions", "sglang", "transformer_lens", "nnterp"})
"""Providers that load weights or start a server where a model is made."""


def check_models(
    models: Sequence[str], model_args: Mapping[str, Any], base_url: str | None = None
) -> Iterator[str]:
    """Make each model as Inspect would, and call none; one that would be loaded is not made.

    Args:
        models: Their names, as typed after ``--model``.
        model_args: Their arguments.
        base_url: Where they are served, if not where their provider has them.

    Yields:
        A line for each model of which something could not be checked.

    Raises:
        InputError: A model can be made nowhere (its provider is unknown, say, or has not this
            model), or not with what is installed.
    """
    for model in models:
        provider = model.partition("/")[0]
        if provider in _LOADING:
            yield f"{printable(model)}, since making it would load it or start its server"
            continue
        try:
            with redirect_stdout(sys.stderr):  # Inspect names its hooks there
                get_model(model, base_url=base_url, memoize=False, **model_args)
        except InputError:
            raise
        except Exception as error:  # whatever its provider makes of what it finds
            if _is_wrong(error):
                raise InputError(_named(model, one_line(error))) from None
            yield (
                f"{printable(model)}, which cannot be made as it stands: {one_line(error)} "
                "(a .env file is read by a run alone)"
            )
        else:
            if provider not in _IN_PROCESS:
                yield f"whether {printable(model)} answers, since no call is made"


def _is_wrong(error: Exception) -> bool:
    """Whether an error is not for the lack of a key, an address or a network."""
    kinds = (ValueError, TypeError, ImportError)
    return (isinstance(error, kinds) or is_prerequisite(error)) and not any(
        word in one_line(error).lower() for word in ("environment", "api_key", "api key")
    )


def _named(model: str, said: str) -> str:
    return said if model in said else f"{model}: {said}"
