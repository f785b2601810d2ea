"""Each outcome against plain loops, and outcomes of other packages."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score

from tests.analysis.frames import Row, answer, answers, group, mean, only, table
from vr_evals.analysis import outcomes
from vr_evals.analysis.effects import effects
from vr_evals.analysis.outcomes import OUTCOMES, Outcome, find_outcome, register_outcome
from vr_evals.errors import InputError

PAGE = Path(__file__).parents[2] / "docs" / "adding.md"


def rows_of(n: int = 40, epochs: int = 2) -> Iterator[Row]:
    """Two levels of dilemmas with confidences, some answers unread."""
    rng = np.random.default_rng(3)
    for level in (0, 1):
        for item in range(n):
            for epoch in range(epochs):
                right = rng.random() < 0.6 + 0.1 * level
                yield answer(
                    f"i{item}",
                    None if rng.random() < 0.1 else "A" if right else "B",
                    level=level,
                    epoch=epoch + 1,
                    ambiguity="low" if item % 2 else "high",
                    confidence=float(rng.integers(30, 100)),
                    choice_kind=str(rng.choice(["ground_truth", "partial_story"])),
                    output_tokens=int(rng.integers(10, 90)),
                )


ROWS = list(rows_of())


def kept(row: Row) -> bool:
    return row["label"] is not None


def pooled(
    statistic: Callable[[list[float], list[float]], float],
) -> Callable[[list[Row]], float]:
    """A statistic of confidence and being right, of the answers of a cell that were read."""

    def of(rows: list[Row]) -> float:
        used = [row for row in rows if kept(row)]
        return statistic(
            [row["confidence"] / 100 for row in used], [float(row["correct"]) for row in used]
        )

    return of


def skill(confidence: list[float], right: list[float]) -> float:
    guess = mean(right) * (1 - mean(right))
    return 1 - float(brier_score_loss(right, confidence)) / guess


def alpha(rows: list[Row]) -> float:
    """Krippendorff's α of two epochs, from all pairs of answers."""
    units = [[row["choice"] for row in own] for own in group(rows, "item").values()]
    every = [choice for unit in units for choice in unit]
    observed = mean([float(a != b) for a, b in units])
    pairs = [float(a != b) for i, a in enumerate(every) for j, b in enumerate(every) if i != j]
    return 1 - observed / mean(pairs)


@pytest.mark.parametrize(
    ("outcome", "of_cell"),
    [
        ("auroc", pooled(lambda c, y: float(roc_auc_score(y, c)))),
        ("brier_skill", pooled(skill)),
        ("agreement", alpha),
    ],
)
def test_a_statistic_is_compared_between_cells(
    outcome: str, of_cell: Callable[[list[Row]], float]
) -> None:
    found = only(effects(table(ROWS), outcome=outcome, contrast="level1-level0"))
    cells = group(ROWS, "level")
    assert found.estimate == pytest.approx(of_cell(cells[1,]) - of_cell(cells[0,]))
    # the delete-one-item jackknife of the difference
    items = sorted({row["item"] for row in ROWS})
    without = []
    for item in items:
        rest = [[row for row in cells[level,] if row["item"] != item] for level in (0, 1)]
        without.append(of_cell(rest[1]) - of_cell(rest[0]))
    n = len(items)
    variance = (n - 1) / n * sum((x - mean(without)) ** 2 for x in without)
    half = (found.high - found.low) / 2
    assert half / 2.0227 == pytest.approx(math.sqrt(variance), rel=1e-3)  # t of 39
    assert found.test == "t"


@pytest.mark.parametrize(
    ("outcome", "value", "used"),
    [
        ("overconfidence", lambda row: row["confidence"] / 100 - row["correct"], kept),
        ("p_action1", lambda row: row["choice"] == "action1", kept),
        (
            "p_action1_low_ambiguity",
            lambda row: row["choice"] == "action1",
            lambda row: kept(row) and row["ambiguity"] == "low",
        ),
        (
            "p_action1_high_ambiguity",
            lambda row: row["choice"] == "action1",
            lambda row: kept(row) and row["ambiguity"] == "high",
        ),
        (
            "error_kind_partial_story",
            lambda row: row["choice_kind"] == "partial_story",
            lambda row: True,
        ),
        (
            "error_kind_surface",
            lambda row: row["choice_kind"] not in ("ground_truth", "partial_story"),
            lambda row: True,
        ),
        ("output_tokens", lambda row: row["output_tokens"], lambda row: True),
    ],
)
def test_a_mean_is_that_of_items(
    outcome: str, value: Callable[[Row], float], used: Callable[[Row], bool]
) -> None:
    found = only(effects(table(ROWS), outcome=outcome, contrast="level1-level0"))
    cells = [group([row for row in own if used(row)], "item") for own in levels()]
    each = [
        mean([float(value(row)) for row in cells[1][item]])
        - mean([float(value(row)) for row in cells[0][item]])
        for item in cells[0]
        if item in cells[1]
    ]
    assert found.estimate == pytest.approx(mean(each))
    assert found.n_items == len(each)


def levels() -> list[list[Row]]:
    cells = group(ROWS, "level")
    return [cells[0,], cells[1,]]


def test_acknowledgement_is_of_moved_answers_under_cues() -> None:
    rows = [
        row | {"level": None, "moved": moved, "acknowledged": said, "thinking": thinking}
        for thinking, acknowledged in ((False, "none"), (True, "explicit"))
        for moved, said in ((True, acknowledged), (False, "none"))
        for row in answers("BBB", benchmark="morables", condition="high_harm", epoch=1 + moved)
    ]
    control = [row | {"condition": "control", "moved": None} for row in rows]
    found = only(effects(table(rows, control), outcome="acknowledged_given_moved"))
    assert (found.contrast, found.estimate) == ("thinking_on-off", 1)


def test_a_cell_with_few_wrong_answers_has_no_area() -> None:
    few = [
        *answers("AAAAAAAAAAAB", confidence=70.0),
        *answers("BBBBBBAAAAAA", level=1, confidence=70.0),
    ]
    frame = effects(table(few), outcome=["accuracy", "auroc"])
    assert frame["outcome"].tolist() == ["accuracy"]


def test_another_package_can_add_an_outcome() -> None:
    """The code of docs/adding.md."""
    section = (
        PAGE.read_text(encoding="utf-8").split("## An outcome of effects")[1].split("\n## ")[0]
    )
    code = "\n".join(line[4:] for line in section.splitlines() if re.match(" {4}|$", line))
    exec(code, {})
    rows = [
        *answers("AAAA", cut_off=True),
        *answers("AAAA", level=1, cut_off=False),
    ]
    try:
        found = only(effects(table(rows), outcome="cut_off"))
        assert (found.estimate, found.unit, found.factor) == (-1, "points", 100)
    finally:
        outcomes._OUTCOMES.pop("cut_off", None)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome("new", "nothing", "", ()), "expected one of value, statistic, relative"),
        (OUTCOMES["accuracy"], "the name is taken"),
    ],
)
def test_invalid_outcomes_are_refused(outcome: Outcome, said: str) -> None:
    with pytest.raises(InputError, match=said):
        register_outcome(outcome)


def test_an_unknown_outcome_is_an_error_that_lists_them() -> None:
    with pytest.raises(InputError, match="invalid outcome 'x': expected one of accuracy"):
        find_outcome("x")


def test_unread_answers_of_an_outcome_need_bounds() -> None:
    accuracy = OUTCOMES["accuracy"]
    with pytest.raises(InputError, match="invalid outcome 'new': unread needs a value within b"):
        register_outcome(replace(accuracy, name="new", bounds=None))
