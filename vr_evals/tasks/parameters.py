"""The parameters of tasks, each with its type, default, meaning and valid values."""

from typing import Annotated, Generic, Literal, TypedDict, TypeVar

from annotated_types import Ge

from vr_evals.benchmarks.ordering import OptionOrder
from vr_evals.conditions import Design, Reasoning, SecondPass
from vr_evals.tasks.checks import Declared, checked

__all__ = [
    "AllAuthority",
    "AllCrossedAuthority",
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
    "Reasoning",
    "SecondPass",
    "TwoPass",
    "TwoPassThinking",
    "checked",
]

ItemCount = Annotated[int, Ge(1)] | None
"""The number of items kept from the seeded order; None keeps all."""

LevelNumber = Literal[0, 1, 2, 3, 4, 5] | None
"""The level that another paradigm is crossed with, or None."""

Budget = Annotated[int, Ge(1024)]
"""Reasoning tokens; the minimum of providers is 1,024."""

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
    level: Annotated[LevelNumber, Declared(None, "authority: ask with the prompt of that level")]


class _SecondPass(TypedDict, total=False):
    second_pass: Annotated[
        SecondPass,
        Declared(
            "conversation",
            "level 5: whether the second call continues the first, sees only the quoted response, "
            "or (reask, a control) repeats the question without a word of reflection",
        ),
    ]


class _Design(TypedDict, total=False):
    design: Annotated[
        Design,
        Declared(
            "standard",
            "authority, all conditions: the document's five, or also those that "
            "separate source, certainty and naming an option",
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


class AllAuthority(Authority[S], _Design, Generic[S]):
    """Parameters of authority in all conditions, for a benchmark without prompts by level."""


class CrossedAuthority(
    _Data[S], _OptionOrder, _Level, _SecondPass, _Thinking, _Budget, _Common, Generic[S]
):
    """Parameters of authority, for a benchmark whose levels can be crossed with it."""


class AllCrossedAuthority(CrossedAuthority[S], _Design, Generic[S]):
    """Parameters of authority in all conditions, for a benchmark whose levels can be crossed."""
