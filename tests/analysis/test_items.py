"""Which items are the worst, and which the most unstable."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.frames import answer, group, mean, study, table
from tests.strategies import examples
from vr_evals.analysis.items import example, items


@examples(20)
@given(st.integers(0, 2**32))
def test_accuracy_and_instability_are_what_plain_counting_gives(seed: int) -> None:
    rows = study(Random(seed), ("m/one", "m/two"), (0, 5), (False, True))
    found = items(table(rows)).set_index("item")
    by_item = group(rows, "item")
    assert set(found.index) == {item for (item,) in by_item}
    for (item,), answers in by_item.items():
        scored = [float(row["correct"]) for row in answers if row["correct"] is not None]
        assert found.loc[item, "accuracy"] == pytest.approx(mean(scored), nan_ok=True)
        differing = []
        for own in group(answers, "model").values():
            pairs = list(combinations([row["choice"] for row in own], 2))
            if pairs:
                differing.append(mean([float(a != b) for a, b in pairs]))
        assert found.loc[item, "instability"] == pytest.approx(mean(differing), nan_ok=True)
        assert found.loc[item, "n_samples"] == len(answers)
        assert found.loc[item, "n_models"] == len(group(answers, "model"))


def test_cues_of_an_authority_are_left_out() -> None:
    rows = table(
        answer("i", "A"),
        answer("i", "A", condition="control"),
        answer("i", "B", condition="high_harm"),
    )
    assert items(rows)["n_samples"].tolist() == [2]
    assert items(rows)["instability"].tolist() == [0.0]


def test_the_example_of_a_wrong_item_is_wrong_and_was_read() -> None:
    rows = table(answer("i", "A", epoch=1), answer("i", None, epoch=2), answer("i", "B", epoch=3))
    assert example(rows, "moralchoice", "i", wrong=True)["epoch"] == 3
    assert example(rows.iloc[:2], "moralchoice", "i", wrong=True)["epoch"] == 2


def test_the_example_of_an_unstable_item_is_the_rare_answer() -> None:
    labels = ["A", "A", "B", "A"]
    rows = table(answer("i", label, epoch=epoch) for epoch, label in enumerate(labels, 1))
    assert example(rows, "moralchoice", "i", wrong=False)["epoch"] == 3


def test_no_rows_give_no_items() -> None:
    assert items(table([])).empty
