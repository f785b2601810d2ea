"""Task parameters: their types, and the check that a wrong ``-T`` stops the run."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from annotated_types import Ge
from inspect_ai import Task
from pydantic import TypeAdapter, ValidationError

from vr_evals.benchmarks.ordering import OptionOrder
from vr_evals.conditions import Reasoning, SecondPass
from vr_evals.errors import InputError

__all__ = [
    "Budget",
    "ItemCount",
    "LevelNumber",
    "OptionOrder",
    "Reasoning",
    "SecondPass",
    "checked",
    "wanted",
]

ItemCount = Annotated[int, Ge(1)] | None
"""How many items of the seeded order are kept; None keeps all."""

LevelNumber = Literal[0, 1, 2, 3, 4, 5] | None
"""The level that another paradigm is crossed with; None crosses it with none."""

Budget = Annotated[int, Ge(1024)]
"""Tokens of reasoning; providers take no fewer than 1,024."""


def checked(function: Callable[..., Task]) -> Callable[..., Task]:
    """Check the parameters of a task by its type hints; an unknown name is an error too.

    Inspect hands on ``-T`` values unchecked and drops names that a task does not have, with a
    warning: a run of the wrong condition would be paid for.

    Raises:
        InputError: By the task, in one line: the parameter, the value and what is allowed.
    """
    signature = inspect.signature(function)
    hints = get_type_hints(function, include_extras=True)
    unknown = inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD)

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Task:
        for name in kwargs:
            if name not in signature.parameters:
                known = ", ".join(signature.parameters)
                raise InputError(
                    f"-T {name}: {function.__name__} has no such parameter; it has {known}"
                )
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            _check(function.__name__, name, value, hints[name])
        return function(*bound.args, **bound.kwargs)

    # Inspect passes on only what the signature has: **unknown lets a wrong name reach the check
    wrapper.__signature__ = signature.replace(  # type: ignore[attr-defined]  # read by inspect
        parameters=[*signature.parameters.values(), unknown]
    )
    return wrapper


def _check(task: str, name: str, value: object, hint: Any) -> None:
    try:
        TypeAdapter(hint).validate_python(value, strict=True)
    except ValidationError:
        shown = str(value).lower() if isinstance(value, bool) else value
        raise InputError(f"-T {name}={shown}: {task} takes {wanted(hint)}") from None


def wanted(hint: Any) -> str:
    """What a type hint allows, in words."""
    if hint is bool:
        return "true or false"
    if hint is int:
        return "an integer"
    if hint is str:
        return "text"
    if hint is type(None):
        return "nothing (leave it out)"
    if get_origin(hint) is Literal:
        return ", ".join(map(str, get_args(hint)))
    if get_origin(hint) is Annotated:
        return f"an integer of at least {get_args(hint)[1].ge}"
    return " or ".join(wanted(part) for part in get_args(hint))
