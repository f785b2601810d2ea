"""MORABLES: which of five morals does a fable teach?

Marcuzzo et al. 2025, "MORABLES: A Benchmark for Assessing Abstract Moral Reasoning in LLMs with
Fables", https://arxiv.org/abs/2509.12371.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from vr_evals.benchmarks import cells
from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.catalogue import register
from vr_evals.benchmarks.files import Row
from vr_evals.benchmarks.hub import HubFile
from vr_evals.benchmarks.ordering import refer_to_others
from vr_evals.errors import InputError
from vr_evals.option_kinds import GROUND_TRUTH, OPTION_KINDS
from vr_evals.prompts import morables

__all__ = ["ALL_MORABLES", "MORABLES"]

_OPTIONS = tuple(f"option_{letter}" for letter in "abcde")
_KINDS = tuple(f"kind_{letter}" for letter in "abcde")
_ID = ["id", "alias"]
_INDEX = ["correct_idx", "correct_moral_label"]


def _content(rows: Sequence[Row]) -> list[list[object]]:
    return [
        [
            row["alias"],
            row["story"],
            row["moral"],
            sorted(
                [kind, choice] for kind, choice in zip(row["classes"], row["choices"], strict=True)
            ),
        ]
        for row in sorted(rows, key=lambda row: row["alias"])
    ]


def _hub(subset: str) -> list[HubFile]:
    if not re.fullmatch(r"[a-z]+(?:_[a-z]+)*", subset):
        raise InputError(
            f"invalid -T subset '{subset}': expected the name of a split, e.g. char_swap"
        )
    plain = subset == "mcqa"
    folder = "MCQA" if plain else f"MCQA/{subset}"
    return [
        HubFile(
            repo="cardiffnlp/Morables",
            revision="5876383614b4c7d3eae8969d5e83b4beda6ee5f6",
            path=f"{folder}/MCQAMoralFables.json",
            content=_content if plain else None,
            sha256="7e914a9f2d9791fee4d5eb1adbffd41b10a7374e6ca2256fc260ed1d2cd5cef6"
            if plain
            else None,
            config=("mcqa" if plain else "adversarial", f"{subset}_not_shuffled"),
        )
    ]


def _check_file(rows: Sequence[Row], name: str) -> None:
    """Check that indices count from 0."""
    numbers = []
    for row in rows:
        number = str(cells.value(row, _INDEX)).strip().removesuffix(".0")
        if re.fullmatch(r"[0-9]{1,3}", number):
            numbers.append((int(number), _n_options(row)))
    start = cells.counted_from(numbers)
    if start == 1:
        found = [number for number, _ in numbers]
        raise InputError(
            f"{name}: invalid {_INDEX[0]} {min(found)} to {max(found)}: "
            f"expected 0 to {len(_OPTIONS) - 1} (counted from 0) or a letter"
        )
    if start is None:
        raise InputError(f"{name}: {cells.ambiguous_index(_INDEX[0], numbers)}")


def _n_options(row: Row) -> int:
    """Return the number of a row's options, in a list or else in columns of their own."""
    try:
        return len(cells.texts(row, "choices"))
    except cells.RowError:
        return len(_OPTIONS)


def _read_five(row: Row, name: str) -> Item:
    """Read an item with five options, as the level prompts have."""
    item = _read_item(row, name)
    if len(item.options) != len(_OPTIONS):
        raise cells.RowError(f"{len(item.options)} options, expected {len(_OPTIONS)}")
    return item


def _read_item(row: Row, name: str) -> Item:
    fable = cells.text(row, "fable", "story")
    listed = cells.value(row, ["choices"]) is not None
    morals = cells.texts(row, "choices") if listed else [cells.text(row, o) for o in _OPTIONS]
    options = cells.distinct(morals)
    id = cells.item_id(row, _ID, fable, *options)
    target = cells.index(row, len(options), *_INDEX)
    used = [*_ID, *_INDEX, *_OPTIONS, *_KINDS, "fable", "story", "choices", "classes", "cluster"]
    return Item(
        id=id,
        text=fable,
        options=options,
        target=target,
        choices=tuple(range(len(options))),
        cluster=cells.cluster(row, id),
        metadata=cells.other_columns(row, used),
        option_kinds=_option_kinds(row, len(options), target),
        order_fixed=refer_to_others(options),
    )


def _option_kinds(row: Row, n: int, target: int) -> tuple[str, ...]:
    """Return the kinds of the options, in the columns of a user or a published list; may be empty.

    Raises:
        RowError: The user's columns do not have each kind once, the right option's among them.
    """
    if all(cells.is_missing(row.get(column)) for column in _KINDS):
        classes = row.get("classes")
        kinds = tuple(map(str, classes)) if isinstance(classes, list) else ()
        return kinds if len(kinds) == n else ()
    kinds = tuple(cells.word(row, column).replace(" ", "_") for column in _KINDS)
    for column, kind in zip(_KINDS, kinds, strict=True):
        if kind not in OPTION_KINDS:
            raise cells.RowError(
                f"invalid {column} {kind!r}: expected one of {', '.join(OPTION_KINDS)}"
            )
    if n != len(_KINDS) or len(set(kinds)) < n:
        raise cells.RowError(
            f"invalid {_KINDS[0]} to {_KINDS[-1]}: expected each kind once, found "
            f"{', '.join(kinds)} for {n} options"
        )
    if kinds[target] != GROUND_TRUTH:
        raise cells.RowError(
            f"invalid {_KINDS[target]} {kinds[target]!r}: expected {GROUND_TRUTH}, because this "
            "option is right"
        )
    return kinds


MORABLES = register(
    Benchmark(
        name="morables",
        title="MORABLES",
        variable="fable",
        problem=morables.PROBLEM,
        prompts=morables.PROMPTS,
        subsets=("mcqa", "char_swap"),
        hub=_hub,
        columns=(("fable", "story"), *((option, "choices") for option in _OPTIONS), tuple(_INDEX)),
        read_item=_read_five,
        check_file=_check_file,
        hub_subsets=("char_swap",),
    )
)

ALL_MORABLES = replace(
    MORABLES,
    subsets=(*MORABLES.subsets, "pre_inj"),
    hub_subsets=(*MORABLES.hub_subsets, "pre_inj"),
    read_item=_read_item,
)
"""MORABLES with adversarial variants of any number of options, for authority tasks only.

``pre_inj`` is one; the name of any other split, without ``_not_shuffled``, is a subset too.
"""
