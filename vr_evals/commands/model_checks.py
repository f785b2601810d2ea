"""Checks of models before any call, without a key or a network."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from traceback import walk_tb
from typing import Any

from inspect_ai.model import get_model

from vr_evals.errors import InputError, one_line
from vr_evals.models.providers import LOADING_PROVIDERS
from vr_evals.terminal import printable

__all__ = ["check_models"]

_IN_PROCESS = frozenset({"vr_sim", "vr_local", "mockllm", "none"})
"""Providers whose models run in this process."""


def check_models(
    models: Sequence[str], model_args: Mapping[str, Any], base_url: str | None = None
) -> Iterator[str]:
    """Create each model as Inspect does, without a call; skip providers that would load weights.

    Args:
        models: Names, as after ``--model``.
        model_args: Arguments of the models.
        base_url: Base URL of the models; None for their provider's own.

    Yields:
        One line per model that could not be checked completely.

    Raises:
        InputError: No run can create a model with the installed packages, e.g. because its provider
            is unknown.
    """
    for model in models:
        provider = model.partition("/")[0]
        if provider in LOADING_PROVIDERS:
            yield f"{printable(model)} (creating it would load it or start its server)"
            continue
        try:
            with redirect_stdout(sys.stderr):  # Inspect prints its hooks
                get_model(model, base_url=base_url, memoize=False, **model_args)
        except InputError:
            raise
        except Exception as error:  # each provider has its own exceptions
            message = one_line(error)
            if _is_certain(error):
                raise InputError(f"{model}: {message}") from None
            yield f"{printable(model)} (not created: {message}; only a run reads .env)"
        else:
            if provider not in _IN_PROCESS:
                yield f"whether {printable(model)} answers (no call is made)"


def _is_certain(error: Exception) -> bool:
    """Return whether an error stops any run, whatever its keys and environment variables.

    True for a missing package, and for a name or an argument that Inspect rejects. An error from
    the provider's own client may be due to a variable that a run reads from .env.
    """
    if isinstance(error, ImportError) or isinstance(error.__context__, ImportError):
        return True
    *_, (frame, _) = walk_tb(error.__traceback__)
    raised_by, *_ = str(frame.f_globals["__name__"]).split(".")
    return isinstance(error, ValueError | TypeError) and raised_by == "inspect_ai"
