import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.benchmarks import Item
from vr_evals.benchmarks.ordering import OptionOrder, option_orders, refer_to_others, seeded_items


def item(id: str, options: int = 5, fixed: bool = False) -> Item:
    return Item(
        id=id,
        text="text",
        options=tuple(f"option {i}" for i in range(options)),
        target=0,
        choices=tuple(range(options)),
        cluster=id,
        order_fixed=fixed,
    )


@given(st.lists(st.text(max_size=5), unique=True, max_size=30), st.integers(), st.randoms())
def test_item_order_depends_on_seed_and_ids_alone(
    ids: list[str], seed: int, random: object
) -> None:
    items = [item(id) for id in ids]
    ordered = seeded_items(items, seed)
    assert sorted(i.id for i in ordered) == sorted(ids)
    assert seeded_items(items[::-1], seed) == ordered
    # nested: dropping an item leaves the order of the others as it was
    assert seeded_items(items[1:], seed) == [i for i in ordered if i.id != ids[0]]


@given(st.text(), st.integers(2, 10), st.integers())
def test_seeded_option_order_is_a_permutation_of_its_own_for_each_item(
    id: str, options: int, seed: int
) -> None:
    [(suffix, order)] = option_orders(item(id, options), "seeded", seed).items()
    assert suffix == ""
    assert sorted(order) == list(range(options))
    assert option_orders(item(id, options), "seeded", seed) == {"": order}


@pytest.mark.parametrize("options", [2, 5])
def test_targets_are_close_to_uniform_under_seeded(options: int) -> None:
    places = [0] * options
    for number in range(2000):
        [order] = option_orders(item(f"item-{number}", options), "seeded", 0).values()
        places[order.index(0)] += 1
    expected = 2000 / options
    # 4 standard deviations of a binomial count
    assert all(abs(n - expected) < 4 * (expected * (1 - 1 / options)) ** 0.5 for n in places)


def test_seed_zero_is_a_seed() -> None:
    items = [item(f"item-{n}") for n in range(20)]
    assert seeded_items(items, 0) != seeded_items(items, 1)
    assert [option_orders(i, "seeded", 0) for i in items] != [
        option_orders(i, "seeded", 1) for i in items
    ]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("original", {"": (0, 1, 2)}),
        ("reversed", {"": (2, 1, 0)}),
        ("both", {"@ab": (0, 1, 2), "@ba": (2, 1, 0)}),
    ],
)
def test_orders_by_name(order: OptionOrder, expected: dict[str, tuple[int, ...]]) -> None:
    assert option_orders(item("x", 3), order, 0) == expected


@pytest.mark.parametrize("order", ["seeded", "original", "reversed"])
def test_options_that_refer_to_others_keep_their_place(order: OptionOrder) -> None:
    assert option_orders(item("x", 3, fixed=True), order, 0) == {"": (0, 1, 2)}


def test_fixed_item_is_asked_once_under_both() -> None:
    assert option_orders(item("x", 3, fixed=True), "both", 0) == {"@ab": (0, 1, 2)}


@pytest.mark.parametrize(
    "option",
    [
        "both of the above",
        "None of the above.",
        "All of these",
        "A and C",
        "Both B and D",
        "Neither A nor B",
        "Option A is right, but for other reasons",
        "A",
        "(B)",
        "A, B and C",
        "all the above",
        "a and b",
        "(a) and (b)",
        "options a and b",
        "Same as A",
        "both",
        "None of the other answers",
        "both of the others",
        "None of these morals",
        "the first two options",
    ],
)
def test_options_that_refer(option: str) -> None:
    assert refer_to_others(["something", option])


@pytest.mark.parametrize(
    "option",
    [
        "A fool and his gold are soon parted.",
        "None of the men would help him.",
        "I pretend that the answer I gave was wrong.",
        "Rise above the others.",
        "All of us need help.",
        "Both brothers were right.",
        "Plan B often works.",
        "Only a fool would answer a king so.",
        "Both a friend and a foe can teach.",
        "The other man's choice was his own.",
        "None of us is alone.",
    ],
)
def test_options_that_do_not_refer(option: str) -> None:
    assert not refer_to_others(["something", option])
