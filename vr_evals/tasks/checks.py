"""The declared parameters of tasks, and checks of their values."""

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, wraps
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from inspect_ai import Task
from pydantic import TypeAdapter, ValidationError

from vr_evals.errors import InputError

__all__ = ["Declared", "Parameter", "checked", "describe_type", "parameters_of"]

_P = ParamSpec("_P")

_WORDS = {bool: "true or false", int: "an integer", str: "text"}


@dataclass(frozen=True)
class Declared:
    """The default and meaning of a parameter, e.g. in ``Annotated[int, Declared(0, "seed")]``.

    Attributes:
        default: The default; None is unset.
        meaning: What the parameter does, in a line.
        values: The valid values in words; empty to derive them from the type.
    """

    default: Any
    meaning: str
    values: str = ""


@dataclass(frozen=True)
class Parameter:
    """One ``-T`` parameter of a task.

    Attributes:
        name: Its name.
        type: The type of its values.
        default: Its default; None is unset.
        meaning: What it does, in a line.
        values: The valid values, in words.
    """

    name: str
    type: Any
    default: Any
    meaning: str
    values: str

    def check(self, task: str, value: object) -> None:
        """Check a value.

        Raises:
            InputError: The value is invalid.
        """
        try:
            found = TypeAdapter(self.type).validate_python(value, strict=True)
            if isinstance(value, bool | float) and type(found) is not type(value):
                raise TypeError  # true is no level 1, though a Literal takes it for one
        except (TypeError, ValidationError):
            raise InputError(
                f"{task}: invalid -T {self.name} '{_as_typed(value)}': expected {self.values}"
            ) from None


def parameters_of(task: Callable[..., Task]) -> Mapping[str, Parameter]:
    """Return the parameters of a task by name, in order."""
    signature = inspect.signature(task)
    return {
        each.name: replace(each, default=signature.parameters[each.name].default)
        for each in _declarations(inspect.unwrap(task))
    }


def _declarations(function: Callable[..., Task]) -> Iterator[Parameter]:
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            [group] = get_args(hints[name])
            generic = get_origin(group) or group
            chosen = dict(zip(getattr(generic, "__parameters__", ()), get_args(group), strict=True))
            for member, hint in get_type_hints(generic, include_extras=True).items():
                yield _parameter(member, chosen.get(hint, hint))
        else:
            hint = Annotated[hints[name], Declared(parameter.default, "")]
            yield replace(_parameter(name, hint), default=parameter.default)


def _parameter(name: str, hint: Any) -> Parameter:
    type_, *extras = get_args(hint) if get_origin(hint) is Annotated else [hint]
    declared = next((each for each in extras if isinstance(each, Declared)), None)
    if declared is None:
        raise TypeError(f"parameter {name}: missing Declared(default, meaning)")
    for extra in extras:
        if not isinstance(extra, Declared):
            type_ = Annotated[type_, extra]
    values = declared.values or describe_type(type_)
    return Parameter(name, type_, declared.default, declared.meaning, values)


def describe_type(hint: Any) -> str:
    """Return the values of a type in words, without None, which is an omitted parameter."""
    if get_origin(hint) is Annotated:
        return f"an integer of at least {get_args(hint)[1].ge}"
    if get_origin(hint) is Literal:
        *others, last = map(str, get_args(hint))
        return f"{', '.join(others)} or {last}" if others else last
    if hint in _WORDS:
        return _WORDS[hint]
    return " or ".join(describe_type(part) for part in get_args(hint) if part is not NoneType)


def _as_typed(value: object) -> str:
    """Return a value as typed after ``-T``."""
    if isinstance(value, list):
        return ",".join(map(_as_typed, value))
    return value if isinstance(value, str) else json.dumps(value, default=str)


@overload
def checked(function: Callable[_P, Task], /) -> Callable[_P, Task]: ...


@overload
def checked(**defaults: object) -> Callable[[Callable[_P, Task]], Callable[_P, Task]]: ...


def checked(function: Callable[..., Task] | None = None, /, **defaults: object) -> Any:
    """Decorate a task: give it the parameters that it declares, and check each value.

    A task declares them as ``**given: Unpack[...]`` of a ``TypedDict`` whose types are annotated
    with `Declared`, or one by one in its signature. It is called with all of them, including
    defaults. Inspect itself does not check ``-T`` values and drops unknown names with a warning, so
    the wrong condition would be run and paid for.

    Args:
        function: The task.
        defaults: Defaults of this task that differ from the declared ones.

    Raises:
        InputError: Raised by the task: the parameter, the value and the valid values.
    """
    return partial(_checked, defaults=defaults) if function is None else _checked(function, {})


def _checked(function: Callable[..., Task], defaults: Mapping[str, object]) -> Callable[..., Task]:
    task = function.__name__
    declared = {each.name: each for each in _declarations(function)}
    for name, value in defaults.items():
        declared[name].check(task, value)
        declared[name] = replace(declared[name], default=value)

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Task:
        for name in kwargs:
            if name not in declared:
                raise InputError(
                    f"-T {name}: not a parameter of {task} (valid: {', '.join(declared)})"
                )
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            declared[name].check(task, value)
        bound.apply_defaults()
        return function(**{name: bound.arguments[name] for name in declared})

    # Inspect passes only what the signature has: **unknown lets an unknown name reach the check
    signature = inspect.Signature(
        [
            *(
                inspect.Parameter(
                    each.name,
                    inspect.Parameter.POSITIONAL_OR_KEYWORD,
                    default=each.default,
                    annotation=each.type,
                )
                for each in declared.values()
            ),
            inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD),
        ],
        return_annotation=Task,
    )
    wrapper.__signature__ = signature  # type: ignore[attr-defined]  # read by inspect
    wrapper.__annotations__ = {each.name: each.type for each in declared.values()}
    wrapper.__doc__ = _documented(function, declared.values())
    return wrapper


def _documented(function: Callable[..., Task], parameters: Iterable[Parameter]) -> str:
    """Return the docstring of a task, with its parameters for ``help()`` and editors."""
    lines = [f"    {each.name}: {each.meaning}" for each in parameters if each.meaning]
    return "\n".join([inspect.getdoc(function) or "", *(["", "Args:", *lines] if lines else [])])
