"""Task parameters: each declared once, with its type, default and meaning, and checked."""

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from types import NoneType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    ParamSpec,
    TypedDict,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from annotated_types import Ge
from inspect_ai import Task
from pydantic import TypeAdapter, ValidationError

from vr_evals.benchmarks.ordering import OptionOrder
from vr_evals.conditions import Reasoning, SecondPass
from vr_evals.errors import InputError

__all__ = [
    "Authority",
    "Budget",
    "CrossedAuthority",
    "Declared",
    "ItemCount",
    "LetteredOnePass",
    "LetteredOnePassThinking",
    "LetteredTwoPass",
    "LetteredTwoPassThinking",
    "LevelNumber",
    "OnePass",
    "OnePassThinking",
    "OptionOrder",
    "Parameter",
    "Reasoning",
    "SecondPass",
    "TwoPass",
    "TwoPassThinking",
    "checked",
    "describe_type",
    "parameters_of",
]

ItemCount = Annotated[int, Ge(1)] | None
"""How many items of the seeded order are kept; None keeps all."""

LevelNumber = Literal[0, 1, 2, 3, 4, 5] | None
"""The level that another paradigm is crossed with; None crosses it with none."""

Budget = Annotated[int, Ge(1024)]
"""Tokens of reasoning; providers take no fewer than 1,024."""


@dataclass(frozen=True)
class Declared:
    """What the type of a parameter does not say, as in ``Annotated[int, Declared(0, "seed")]``.

    Attributes:
        default: The default; None is unset.
        meaning: What the parameter does, in a line.
        values: What it takes, in words; empty if the type says it.
    """

    default: Any
    meaning: str
    values: str = ""


S = TypeVar("S", bound=str)
"""The subsets of a benchmark, annotated with `Declared`."""


class _Data(TypedDict, Generic[S], total=False):
    include_confidence: Annotated[
        bool | None,
        Declared(
            None,
            "unset: the level's own words; set: the benchmark's instruction block, with or without "
            "a confidence (0–100)",
        ),
    ]
    dataset: Annotated[
        str,
        Declared(
            "hub",
            "where the items come from",
            "hub, sample, or a path or URL of a .csv, .json, .jsonl or .parquet file",
        ),
    ]
    subset: S


class _OptionOrder(TypedDict, total=False):
    option_order: Annotated[
        OptionOrder,
        Declared(
            "seeded",
            "order of lettered options; both asks each item twice, and --limit counts both",
        ),
    ]


class _Level(TypedDict, total=False):
    level: Annotated[
        LevelNumber, Declared(None, "authority: ask with the prompt of that level", "0 to 5")
    ]


class _SecondPass(TypedDict, total=False):
    second_pass: Annotated[
        SecondPass,
        Declared(
            "conversation",
            "level 5: whether the second call continues the first, or sees only the quoted "
            "response",
        ),
    ]


class _Thinking(TypedDict, total=False):
    thinking: Annotated[bool, Declared(False, "authority: ask with extended thinking")]


class _Budget(TypedDict, total=False):
    thinking_budget: Annotated[Budget, Declared(2000, "tokens of reasoning, with thinking on")]


class _Common(TypedDict, total=False):
    reasoning: Annotated[
        Reasoning, Declared("condition", "flags: your own --reasoning-* flags decide")
    ]
    items: Annotated[ItemCount, Declared(None, "keep the first n items of the seeded order")]
    allow_unhonoured: Annotated[
        bool, Declared(False, "run although the model cannot honour the thinking condition")
    ]
    accept_changed_data: Annotated[
        bool,
        Declared(
            False,
            "take hub data whose content differs from the pinned hash, and say so in the log",
        ),
    ]
    seed: Annotated[int, Declared(0, "order of items and options")]


class OnePass(_Data[S], _Common, Generic[S]):
    """Parameters of levels 0 to 4, with thinking off."""


class OnePassThinking(_Data[S], _Budget, _Common, Generic[S]):
    """Parameters of levels 0 to 4, with thinking on."""


class TwoPass(_Data[S], _SecondPass, _Common, Generic[S]):
    """Parameters of level 5, with thinking off."""


class TwoPassThinking(_Data[S], _SecondPass, _Budget, _Common, Generic[S]):
    """Parameters of level 5, with thinking on."""


class LetteredOnePass(_Data[S], _OptionOrder, _Common, Generic[S]):
    """Parameters of levels 0 to 4, with thinking off, if options have letters."""


class LetteredOnePassThinking(_Data[S], _OptionOrder, _Budget, _Common, Generic[S]):
    """Parameters of levels 0 to 4, with thinking on, if options have letters."""


class LetteredTwoPass(_Data[S], _OptionOrder, _SecondPass, _Common, Generic[S]):
    """Parameters of level 5, with thinking off, if options have letters."""


class LetteredTwoPassThinking(_Data[S], _OptionOrder, _SecondPass, _Budget, _Common, Generic[S]):
    """Parameters of level 5, with thinking on, if options have letters."""


class Authority(_Data[S], _OptionOrder, _Thinking, _Budget, _Common, Generic[S]):
    """Parameters of authority, for a benchmark without prompts by level."""


class CrossedAuthority(
    _Data[S], _OptionOrder, _Level, _SecondPass, _Thinking, _Budget, _Common, Generic[S]
):
    """Parameters of authority, for a benchmark whose levels can be crossed with it."""


@dataclass(frozen=True)
class Parameter:
    """One ``-T`` parameter of a task.

    Attributes:
        name: Its name.
        type: The type of its values.
        default: Its default; None is unset.
        meaning: What it does, in a line.
        values: What it takes, in words.
    """

    name: str
    type: Any
    default: Any
    meaning: str
    values: str

    def check(self, task: str, value: object) -> None:
        """Check a value.

        Raises:
            InputError: The parameter does not take it.
        """
        try:
            TypeAdapter(self.type).validate_python(value, strict=True)
        except ValidationError:
            raise InputError(
                f"{task}: invalid -T {self.name} '{_typed(value)}': expected {self.values}"
            ) from None


P = ParamSpec("P")


def checked(function: Callable[P, Task]) -> Callable[P, Task]:
    """Give a task the parameters that it declares, and check what it is called with.

    The task declares them as ``**given: Unpack[...]`` of a ``TypedDict`` whose types are annotated
    with `Declared`, or one by one in its signature. It is called with all of them, defaults
    included. Inspect itself passes on ``-T`` values unchecked and drops unknown names with a
    warning: a run of the wrong condition would be paid for.

    Raises:
        InputError: By the task, in one line: the parameter, the value and what is allowed.
    """
    declared = parameters_of(function)
    task = function.__name__

    @wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Task:
        for name in kwargs:
            if name not in declared:
                raise InputError(
                    f"-T {name}: not a parameter of {task} (valid: {', '.join(declared)})"
                )
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            declared[name].check(task, value)
        bound.apply_defaults()
        return function(**{name: bound.arguments[name] for name in declared})  # type: ignore[call-arg]  # P is of the wrapper

    # Inspect passes on only what the signature has: **unknown lets a wrong name reach the check
    signature = inspect.Signature(
        [
            inspect.Parameter(
                each.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=each.default,
                annotation=each.type,
            )
            for each in declared.values()
        ]
        + [inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD)],
        return_annotation=Task,
    )
    wrapper.__signature__ = signature  # type: ignore[attr-defined]  # read by inspect
    wrapper.__annotations__ = {each.name: each.type for each in declared.values()}
    wrapper.__doc__ = _documented(function, declared)
    return wrapper


def parameters_of(task: Callable[..., Task]) -> Mapping[str, Parameter]:
    """The parameters of a task by name, in order."""
    return {each.name: each for each in _declarations(inspect.unwrap(task))}


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
            yield _parameter(name, Annotated[hints[name], Declared(parameter.default, "")])


def _parameter(name: str, hint: Any) -> Parameter:
    type_, *extras = get_args(hint) if get_origin(hint) is Annotated else [hint]
    declared = next((each for each in extras if isinstance(each, Declared)), None)
    if declared is None:
        raise TypeError(f"parameter {name}: missing Declared(default, meaning)")
    for extra in extras:
        if extra is not declared:
            type_ = Annotated[type_, extra]
    values = declared.values or describe_type(type_)
    return Parameter(name, type_, declared.default, declared.meaning, values)


def _documented(function: Callable[..., Task], declared: Mapping[str, Parameter]) -> str:
    """The docstring of a task, with its parameters for ``help()`` and editors."""
    lines = [f"    {each.name}: {each.meaning}" for each in declared.values() if each.meaning]
    return "\n".join([inspect.getdoc(function) or "", *(["", "Args:", *lines] if lines else [])])


def _typed(value: object) -> str:
    """A value as it is typed after ``-T``."""
    if isinstance(value, list):
        return ",".join(map(_typed, value))
    return value if isinstance(value, str) else json.dumps(value, default=str)


def describe_type(hint: Any) -> str:
    """What a type takes, in words; that a value can be left out is not said."""
    if get_origin(hint) is Annotated:
        return f"an integer of at least {get_args(hint)[1].ge}"
    if get_origin(hint) is Literal:
        *others, last = map(str, get_args(hint))
        return f"{', '.join(others)} or {last}" if others else last
    if hint in _WORDS:
        return _WORDS[hint]
    return " or ".join(describe_type(part) for part in get_args(hint) if part is not NoneType)


_WORDS = {bool: "true or false", int: "an integer", str: "text"}
