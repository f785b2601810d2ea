"""docs/metrics.md and the logs name the same figures."""

import re
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from tests.analysis.frames import answer, table
from vr_evals import analysis
from vr_evals.analysis import COLUMNS

DOCS = Path(__file__).parents[1] / "docs"
METRICS = (DOCS / "metrics.md").read_text(encoding="utf-8")
OF_LOGS = METRICS.split("\n# The tidy table")[0]

STUDIES: list[tuple[str, dict[str, Any]]] = [
    ("ethics_level5", {"include_confidence": True}),
    ("moralchoice_level5", {"include_confidence": True, "subset": "all"}),
    ("morables_level2_thinking", {}),
    ("mcqa_authority", {"thinking": True}),
]
EPOCHS = 2

COMPARISONS = [
    analysis.accuracy,
    analysis.changes,
    analysis.flips,
    analysis.agreement,
    analysis.preference,
    analysis.calibration,
    analysis.descriptives,
    analysis.compare_models,
    analysis.ladder,
    analysis.noise_floor,
]

CUES = ("high+", "high-", "low+", "low-")
STANDS_FOR = {
    "<condition>": ("control", *CUES),
    "<cue>": CUES,
    "<strength>": ("high", "low"),
}
"""What stands for several keys in the page, and for which."""


def keys(pattern: str) -> set[str]:
    for name, meant in STANDS_FOR.items():
        if name in pattern:
            return set().union(*(keys(pattern.replace(name, each)) for each in meant))
    return {pattern}


def documented() -> dict[str, set[str]]:
    """The keys of each scorer's tables."""
    sections = re.split(r"^## `(\w+)`$", OF_LOGS, flags=re.M)[1:]
    return {
        scorer: {
            key
            for cell in re.findall(r"^\| (`.*?`) \|", text, flags=re.M)
            for pattern in re.findall(r"`([\w.<>+-]+)`", cell)
            for key in keys(pattern)
        }
        for scorer, text in zip(sections[::2], sections[1::2], strict=True)
    }


@pytest.fixture(scope="module")
def logged() -> dict[str, set[str]]:
    """The keys of each scorer in the logs of tasks that have all scorers between them."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for task, parameters in STUDIES:
        [log] = inspect_eval(
            f"vr_evals/{task}",
            model=get_model("vr_sim/impulsive", memoize=False),
            task_args={"dataset": "sample", "items": 6, **parameters},
            epochs=EPOCHS,
            log_realtime=False,
            score_display=False,
        )
        assert log.results, log.error
        for score in log.results.scores:
            found[score.scorer] |= set(score.metrics)
    return found


def test_every_figure_of_the_logs_is_explained_and_no_other(logged: dict[str, set[str]]) -> None:
    assert documented() == logged


def test_every_row_has_all_its_cells() -> None:
    rows = [line for line in OF_LOGS.splitlines() if line.startswith("| `")]
    assert len(rows) > 15
    for row in rows:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        assert len(cells) == 5, row
        _, meaning, values, _, source = cells
        assert all((meaning, values, source)), row


def test_modules_that_are_given_as_sources_exist() -> None:
    modules = set(re.findall(r"`stats\.(\w+)`", METRICS))
    stats = Path(__file__).parents[1] / "vr_evals" / "stats"
    assert modules
    assert all((stats / f"{module}.py").is_file() for module in modules)


def test_functions_for_a_study_of_ones_own_exist() -> None:
    rows = METRICS.split("\n# For a study of one's own")[1].split("| --- | --- |")[1]
    named = re.findall(r"`(\w+)\.(\w+)`", rows)
    assert len(named) == 6
    for module, function in named:
        assert function in import_module(f"vr_evals.stats.{module}").__all__


def test_what_is_left_out_is_said() -> None:
    text = " ".join(METRICS.split())
    assert "table of expected confidence for MORABLES" in text
    assert "does not say which *fable*" in text


def test_every_column_of_the_tidy_table_is_documented() -> None:
    table = METRICS.split("\n# The tidy table")[1].split("\n# ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", table, flags=re.M)
    assert rows == [(column.name, column.dtype, column.meaning) for column in COLUMNS]


@pytest.mark.parametrize("compare", COMPARISONS, ids=lambda compare: str(compare.__name__))
def test_every_metric_of_a_comparison_is_documented(
    compare: Callable[[pd.DataFrame], pd.DataFrame],
) -> None:
    rows = [
        answer(
            item,
            label,
            "A",
            benchmark=benchmark,
            model=model,
            level=level,
            thinking=thinking,
            epoch=epoch,
            confidence=80.0,
            first_label="B",
        )
        for benchmark in ("moralchoice", "morables")
        for model in ("m/one", "m/two")
        for level in (0, 1, 5)
        for thinking in (False, True)
        for item, label in (("i1", "A"), ("i2", "B"), ("i3", "A"))
        for epoch in (1, 2)
    ]
    found = compare(table(rows))
    assert len(found)
    documented = METRICS.split("\n# Comparisons")[1]
    assert {compare.__name__, *found["metric"]} <= set(re.findall(r"`(\w+)`", documented))
