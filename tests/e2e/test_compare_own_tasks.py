"""`compare_logs` on logs of our own tasks: figures by plain loops over the raw logs."""

from collections import defaultdict
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalLog

from tests.analysis.running import run
from tests.logs import samples
from vr_evals.analysis import compare_logs

Values = dict[tuple[str, str], dict[str, float]]
"""Means over epochs, by score and item."""

LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[EvalLog]:
    folder = tmp_path_factory.mktemp("own")
    return [
        run(
            folder,
            "ethics_level2",
            f"vr_sim/{model}",
            items=8,
            include_confidence=True,
            flags={"epochs": 2},
        )
        for model in ("careful", "overconfident")
    ]


@pytest.fixture(scope="module")
def frame(logs: list[EvalLog]) -> pd.DataFrame:
    return compare_logs(*(log.location for log in logs))


def means(log: EvalLog) -> Values:
    found: Any = defaultdict(lambda: defaultdict(list))
    for sample in samples(log):
        for scorer, score in (sample.scores or {}).items():
            parts = score.value if isinstance(score.value, dict) else {"": score.value}
            for key, value in parts.items():
                number: Any = LETTERS.get(value, value) if isinstance(value, str) else value
                if isinstance(number, int | float) and number == number:
                    found[scorer, key][str(sample.id)].append(float(number))
    return {
        score: {item: sum(each) / len(each) for item, each in items.items()}
        for score, items in found.items()
    }


def test_estimates_are_means_of_the_raw_scores(logs: list[EvalLog], frame: pd.DataFrame) -> None:
    models = frame[frame["versus"].isna()]
    for log in logs:
        expected = {
            score: (sum(items.values()) / len(items), len(items))
            for score, items in means(log).items()
        }
        own = models[models["model"] == log.eval.model]
        found = {
            (str(row.scorer), str(row.score)): (row.estimate, row.n_items)
            for row in own.itertuples()
            if row.n_items
        }
        assert found.keys() == expected.keys()
        for score, (estimate, n) in found.items():
            assert estimate == pytest.approx(expected[score][0]), score
            assert n == expected[score][1], score


def test_differences_are_of_the_same_items(logs: list[EvalLog], frame: pd.DataFrame) -> None:
    careful, other = map(means, logs)
    pairs = frame[frame["versus"].notna() & (frame["n_items"] > 0)]
    assert ("answer", "") in set(zip(pairs["scorer"], pairs["score"], strict=True))
    for row in pairs.itertuples():
        score = str(row.scorer), str(row.score)
        both = careful[score].keys() & other[score].keys()
        gaps = [careful[score][item] - other[score][item] for item in both]
        assert (row.model, row.versus) == tuple(log.eval.model for log in logs)
        assert row.estimate == pytest.approx(sum(gaps) / len(gaps)), score
        counts = (sum(g > 0 for g in gaps), sum(g < 0 for g in gaps), sum(g == 0 for g in gaps))
        assert (row.n_better, row.n_worse, row.n_equal) == counts, score
