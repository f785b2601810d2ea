import math
from dataclasses import replace

import pytest

from vr_evals.errors import InputError
from vr_evals.stats.trials import Item, Trial, count, gather


def test_answers_are_collected_by_item_and_order() -> None:
    trials = [
        Trial("q1", "control", "A", "A", order="original", cluster="c"),
        Trial("q1", "control", "B", "A", order="reversed", cluster="c"),
        Trial("q1", "high_harm", None, "A", "B", order="original", cluster="c"),
        Trial("q1", "control", "C", "A", order="original", cluster="c"),
    ]
    first, second = items = gather(trials)
    assert count(items) == 1
    assert first.choices == {"control": ["A", "C"], "high_harm": [None]}
    assert (first.right, first.endorsed, first.cluster) == ("A", {"high_harm": "B"}, "c")
    assert second.choices == {"control": ["B"]}


@pytest.mark.parametrize(
    ("trials", "message"),
    [
        (
            [Trial("q", "medium_help", "A", "A", "A")],
            "item 'q': invalid condition 'medium_help': expected",
        ),
        (
            [Trial("q", "control", "A", None)],
            "item 'q': the right option: expected one, found none",
        ),
        (
            [Trial("q", "control", "A", "A"), Trial("q", "low_help", "A", "B", "B")],
            "item 'q': the right option: expected one, found 'A' and 'B'",
        ),
        (
            [Trial("q", "low_harm", "A", "A")],
            "item 'q': the option endorsed in low_harm: expected one, found none",
        ),
        (
            [Trial("q", "low_harm", "A", "A", "B"), Trial("q", "low_harm", "A", "A", "C")],
            "item 'q': the option endorsed in low_harm: expected one, found 'B' and 'C'",
        ),
        (
            [
                Trial("q", "control", "A", "A", cluster=1),
                Trial("q", "control", "A", "A", cluster=2),
            ],
            "item 'q': the cluster: expected one, found 1 and 2",
        ),
    ],
)
def test_what_is_missing_or_contradicts_itself_is_named(trials: list[Trial], message: str) -> None:
    with pytest.raises(InputError, match=message):
        gather(trials)


def test_a_message_stays_one_short_line() -> None:
    with pytest.raises(InputError) as caught:
        gather([Trial("x\n" * 40_000, "control", "A", None)])
    assert len(caught.value.message) < 200
    assert "\n" not in caught.value.message


def test_accuracy_is_not_known_where_no_option_is_right() -> None:
    item = Item("q1", None, {"control": ["A", "A", "B"]}, {})
    assert math.isnan(item.accuracy("control"))
    assert replace(item, right="A").accuracy("control") == pytest.approx(2 / 3)
