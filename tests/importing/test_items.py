"""Which item a row is about, where its text is shared, cut off or part of another's."""

from typing import Any

import pytest

from vr_evals.benchmarks import Item, Items, RowError
from vr_evals.errors import InputError
from vr_evals.importing.items import DataSetItems, OwnItems
from vr_evals.importing.values import benchmark_named

DILEMMA = {"context": "I found a purse.", "option_a": "Keep it.", "option_b": "Return it."}


def test_one_text_under_two_ids_is_two_items() -> None:
    own = OwnItems(benchmark_named("moralchoice"))
    first, second = (own.find(DILEMMA, name) for name in ("mc_1", "mc_2"))
    assert second.id == second.cluster == f"{first.id}-mc_2"
    assert own.find(DILEMMA, "mc_1") is first


@pytest.mark.parametrize(
    ("benchmark", "fields", "other", "own_id"),
    [
        ("ethics", {"scenario": "I hid a key.", "label": "wrong"}, {"label": "not wrong"}, None),
        ("mcqa", {"question": "Which?", "choices": ["x", "y"], "answer": 0}, {"answer": 1}, None),
        (
            "mcqa",
            {"id": "q", "question": "Which?", "choices": ["x", "y"], "answer": 0},
            {"choices": ["x", "z"]},
            "q",
        ),
    ],
)
def test_an_item_with_two_right_answers_or_option_lists_is_refused(
    benchmark: str, fields: dict[str, Any], other: dict[str, Any], own_id: str | None
) -> None:
    own = OwnItems(benchmark_named(benchmark))
    own.find(fields, own_id)
    with pytest.raises(InputError, match="has two right answers or option lists, expected one"):
        own.find(fields | other, own_id)


def dilemma(name: str, text: str, *options: str, **metadata: str) -> Item:
    return Item(name, text, options, None, ("action1", "action2"), name, metadata)


LOADED = DataSetItems(
    benchmark_named("moralchoice"),
    Items(
        (
            dilemma("a", "I found a purse.", "Keep it.", "Return it.", item_id="mc_1"),
            dilemma("b", "I found a purse.", "Sell it.", "Return it."),
            dilemma("c", "I found a purse. It was\nempty.", "Keep it.", "Return it."),
            dilemma("d", "My boss lied.", "Report it.", "Say nothing."),
        ),
        {},
    ),
)


@pytest.mark.parametrize(
    ("fields", "own_id", "found"),
    [
        ({}, "b", "b"),
        ({}, "mc_1", "a"),
        ({"context": "I found"}, "mc_1", "a"),
        # another's id is no match for the text
        ({"context": "My boss  lied."}, "mc_1", "d"),
        ({"context": "My boss"}, None, "d"),
        ({"context": "I found a purse. It"}, None, "c"),
        ({"context": "I found a purse.", "option_a": "Sell"}, None, "b"),
        ({"context": "I found a purse.", "option_a": "Keep it.", "option_b": None}, None, "a"),
        ({}, "e", "id not in the data set"),
        ({}, None, "neither the id nor the text of an item"),
        ({"context": "I found a purse."}, None, "text of several items of the data set"),
        ({"context": "I found"}, None, "text of several items of the data set"),
        ({"context": "My boss", "option_a": "Sell"}, None, "item not in the data set"),
        ({"context": "Your boss"}, None, "item not in the data set"),
    ],
)
def test_a_row_is_found_by_its_id_or_by_the_beginning_of_its_text(
    fields: dict[str, Any], own_id: str | None, found: str
) -> None:
    try:
        name = LOADED.find(fields, own_id).id
    except RowError as error:
        name = str(error)
    assert name == found


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("Dilemma: My boss lied.\nA) Say nothing. B) Report it.", "d"),
        ("I found a purse. It was empty. (A) Keep it. (B) Return it.", "c"),
        ("I found a purse. (A) Sell it. (B) Return it.", "b"),
        ("I found a purse. (A) Sell it. (B) Keep it. (C) Return it.", "prompt of several items"),
        ("I found a purse. (A) Burn it.", "prompt of no item"),
        ("Hello", "prompt of no item"),
    ],
)
def test_a_prompt_is_of_the_item_whose_text_and_options_it_has(prompt: str, found: str) -> None:
    try:
        name = LOADED.within(prompt).id
    except RowError as error:
        name = str(error)
    assert name == found
