"""A plan of counted tasks: tokens, dollars, and what the study could see."""

from dataclasses import replace
from itertools import product
from typing import Any

import pandas as pd
import pytest
from scipy.stats import chi2

from tests.analysis.frames import answers, in_cell, only, table
from vr_evals.analysis import changes, compare_models
from vr_evals.analysis.pilot import ASSUMED, pilot_of
from vr_evals.analysis.plan import CountedTask, plan
from vr_evals.analysis.prices import Price
from vr_evals.analysis.tokens import OUTPUT_TOKENS, THINKING_TOKENS, TOKENS_PER_CALL
from vr_evals.errors import InputError

TASK = CountedTask(
    model="m/one", task="ethics_level0", benchmark="ethics", level=0, thinking=False,
    conditions=0, items=100, targets=100, clusters=100, epochs=2, samples=200, calls=200,
    prompt_tokens=20_000.0,
)  # fmt: skip
LEVEL5 = replace(TASK, task="ethics_level5", level=5, calls=400, quoted_replies=400)


def test_tokens_are_those_of_the_prompts_and_of_quoted_replies() -> None:
    found = plan([TASK, LEVEL5, replace(TASK, thinking=True)]).tasks
    assert found["input_tokens"].tolist() == [
        20_000 + 200 * TOKENS_PER_CALL,
        20_000 + 400 * (TOKENS_PER_CALL + OUTPUT_TOKENS[5]),
        20_000 + 200 * TOKENS_PER_CALL,
    ]
    assert found["output_tokens"].tolist() == [
        200 * OUTPUT_TOKENS[0],
        400 * OUTPUT_TOKENS[5],
        200 * (OUTPUT_TOKENS[0] + THINKING_TOKENS),
    ]


def test_long_prompts_that_repeat_are_read_from_the_cache() -> None:
    price = Price(input=2, output=0, input_cache_read=0.5)
    long = replace(TASK, repeated_tokens=10_000)
    [row] = plan([long], prices={"m/one": price}).tasks.to_dict("records")
    assert row["cost"] - row["cost_cached"] == pytest.approx(10_000 * 1.5 / 1e6)
    [row] = plan([long], prices={"m/one": Price(2, 0)}).tasks.to_dict("records")
    assert row["cost_cached"] == row["cost"], "unknown: no discount"


def test_each_question_has_its_family() -> None:
    grid = [
        replace(TASK, model=model, level=level, thinking=on, benchmark=benchmark)
        for model in ("m/one", "m/two", "m/three")
        for level in (0, 1, 2)
        for on in (False, True)
        for benchmark in ("ethics", "morables")
    ]
    found = plan(grid).questions
    tests = {
        (row["question"], None if pd.isna(row["benchmark"]) else row["benchmark"]): row["tests"]
        for row in found.to_dict("records")
    }
    assert tests == {
        ("accuracy", "ethics"): 1,
        ("level against 0", "ethics"): 2 * 2 * 2,
        ("thinking on/off", "ethics"): 3 * 2,
        ("two models", "ethics"): 3 * 3 * 2 * 2,
        ("accuracy", "morables"): 1,
        ("level against 0", "morables"): 2 * 2 * 2,
        ("thinking on/off", "morables"): 3 * 2,
        ("two models", "morables"): 3 * 3 * 2 * 2,
        ("level against 0", None): 2,
        ("thinking on/off", None): 1,
        ("two models", None): 3,
    }
    averages = found[found["benchmark"].isna()]
    assert averages["items"].tolist() == [200, 200, 200]
    assert averages["detectable"].max() < found["detectable"].min() or (
        averages["detectable"].max() < found[found["benchmark"].notna()]["detectable"].min()
    )


def test_the_tests_of_a_family_are_those_of_the_analysis() -> None:
    """As many as the frames have rows for a small study."""
    cells = list(product(("m/one", "m/two"), (0, 1, 2), (False, True), ("moralchoice", "morables")))
    frame = table(
        *(
            answers("ABA", model=model, level=level, thinking=on, benchmark=benchmark)
            for model, level, on, benchmark in cells
        )
    )
    grid = [
        replace(TASK, model=model, level=level, thinking=on, benchmark=benchmark)
        for model, level, on, benchmark in cells
    ]
    rows = plan(grid).questions.dropna(subset="benchmark").to_dict("records")
    planned = {row["question"]: row["tests"] for row in rows}
    found = changes(frame)
    for metric, question in (
        ("change_from_level0", "level against 0"),
        ("change_from_thinking_off", "thinking on/off"),
    ):
        for model in ("m/one", "m/two"):
            assert len(in_cell(found, metric=metric, model=model)) == planned[question]
    assert len(compare_models(frame)) == planned["two models"]


def test_items_needed_find_the_difference() -> None:
    two = [TASK, replace(TASK, level=1, task="ethics_level1")]
    needed = only(plan(two, detect=5).questions, question="level against 0").items_needed
    enough = [replace(each, items=needed, targets=needed, clusters=needed) for each in two]
    again = only(plan(enough).questions, question="level against 0")
    assert again.detectable == pytest.approx(0.05, rel=0.01)


def test_items_without_a_target_have_no_question() -> None:
    found = plan([replace(TASK, targets=0, clusters=0)])
    assert found.questions.empty
    assert found.epochs.empty
    assert len(found.tasks) == 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rate": 0}, "invalid rate 0"),
        ({"detect": 0}, "invalid detect 0"),
        ({"detect": 101}, "invalid detect 101"),
        ({"connections": 0}, "invalid connections 0"),
    ],
)
def test_arguments_out_of_range_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        plan([TASK], **values)


def test_no_tasks_are_refused() -> None:
    with pytest.raises(InputError, match="no tasks"):
        plan([])


def test_a_pilot_gives_variances_and_not_effects() -> None:
    """All answers change from wrong to right: the difference does not vary between items."""
    found = pilot_of(
        table(
            *(
                answers(12 * said, level=level, epoch=epoch)
                for level, said in ((0, "B"), (1, "A"))
                for epoch in (1, 2)
            )
        )
    )
    assert set(found) == {"levels"}
    assert (found["levels"].between, found["levels"].within) == (0.0, 0.0)


def test_a_pilot_of_one_epoch_is_split_as_assumed() -> None:
    found = pilot_of(table(answers("AAAABBBB" * 5, level=0), answers("AAABBBBA" * 5, level=1)))[
        "levels"
    ]
    assert found.within_item_correlation == pytest.approx(ASSUMED.within_item_correlation)
    assert (found.source, found.items) == ("measured", 40)
    # 10 of 40 items change, half of them each way: V is 10/39, its limit 10/39 * 39/chi2(0.2; 39)
    limit = 10 / chi2.ppf(0.2, 39)
    assert found.discordance == pytest.approx(limit)


def test_no_variance_of_a_pilot_is_lost() -> None:
    """More than answers within items can have is a difference between items."""
    found = pilot_of(table(answers("AABB" * 10, level=0), answers("ABAB" * 10, level=1)))["levels"]
    assert found.within == pytest.approx(0.25)
    assert found.discordance == pytest.approx(20 / chi2.ppf(0.2, 39))


def test_a_pilot_of_epochs_has_the_variance_within_items() -> None:
    rows = (
        answers("AABB" * 10, level=level, epoch=epoch) if epoch == 1
        else answers("ABAB" * 10, level=level, epoch=epoch)
        for level in (0, 1) for epoch in (1, 2)
    )  # fmt: skip
    found = pilot_of(table(*rows))["levels"]
    # half of the items have one of two right: s² = 2/(2 - 1) * 1/4 in these
    assert found.within == pytest.approx(0.25)
    assert found.between == 0.0


def test_unread_answers_of_a_pilot_are_no_further_variance() -> None:
    """The design is that of read answers; with the unread share it is what was seen."""
    read, half = 40 * "AABB", 40 * "A-BB"
    found = pilot_of(table(answers(read, level=0), answers(half, level=1)))["levels"]
    assert found.unread == pytest.approx(1 / 8)
    assert 0 < found.rate <= 1


def test_a_pilot_of_two_items_is_none() -> None:
    assert pilot_of(table(answers("AB", level=0), answers("AB", level=1))) == {}


def test_what_earlier_logs_do_not_have_is_assumed() -> None:
    """Logs with tokens and without seconds; and none of the model."""
    rows = table(answers("AB", input_tokens=100, output_tokens=10))
    own = replace(TASK, benchmark="moralchoice")
    found = plan([own, replace(own, model="m/two")], pilot=rows).tasks
    assert list(found["tokens_from"]) == ["measured", "assumed"]
    assert found["input_tokens"][0] == 100 * TASK.samples
    assert found["input_tokens"][1] == 20_000 + 200 * TOKENS_PER_CALL
    assert found["hours"].isna().all()
