"""What differs between logs of one task and is said, and what cannot be compared then."""

from typing import Any

import pandas as pd
import pytest

from tests.analysis.scored import log, sample
from vr_evals.analysis.compare_logs import compare_tasks, scored_tasks
from vr_evals.analysis.scored_logs import ScoredLog, ScoredLogs


def compared(*logs: ScoredLog) -> pd.DataFrame:
    return compare_tasks(scored_tasks(ScoredLogs(logs, ())))


BOTH = (sample("a", 1), sample("b", 0))
TWICE = (*BOTH, sample("a", 1, 2), sample("b", 1, 2))


@pytest.mark.parametrize(
    ("one", "other", "note"),
    [
        ({"epochs": 2}, {}, "t: compared although epochs differ (one: 2, other: 1)"),
        (
            {},
            {"samples": (sample("a", 1, target="B"), sample("b", 0))},
            "t: targets of 1 sample differ between models (e.g. a)",
        ),
        (
            {"epochs": 2, "reducers": ("mean", "own")},
            {"epochs": 2, "reducers": ("mean", "own")},
            "t: epochs are averaged, not reduced by own",
        ),
        (
            {"epochs": 2, "reducers": ("mean", "max")},
            {"epochs": 2, "reducers": ("mean",)},
            "t: no rows of max: not all logs reduce epochs by it",
        ),
    ],
    ids=["epochs", "targets", "reducer", "reducers"],
)
def test_what_differs_between_compared_logs_is_said(
    one: dict[str, Any], other: dict[str, Any], note: str
) -> None:
    frame = compared(log("one", *BOTH, **one), log("other", **({"samples": BOTH} | other)))
    assert note in frame.attrs["notes"]
    assert set(frame["reducer"]) == {"mean"}


def test_only_items_with_all_epochs_are_reduced() -> None:
    given = {"epochs": 2, "reducers": ("mean", "max")}
    frame = compared(log("one", *TWICE, **given), log("other", *TWICE[:3], **given))
    of_other = frame[(frame["model"] == "other") & (frame["reducer"] == "max")]
    assert list(of_other["n_items"]) == [1]
    [pair] = frame[(frame["versus"] == "other") & (frame["reducer"] == "max")]["n_items"]
    assert pair == 1


def test_tasks_that_differ_in_their_inputs_alone_are_numbered() -> None:
    asked = [sample(item, 1, asked="How?") for item in "ab"]
    [one, other] = scored_tasks(ScoredLogs((log("one", *BOTH), log("other", *asked)), ()))
    assert [one.variant, other.variant] == ["data 1", "data 2"]
    assert one.refusals == (
        "t: not compared: one and other: different inputs (of 2 sample ids (e.g. a, b))",
    )


def test_models_without_an_item_in_common_have_no_difference() -> None:
    frame = compared(
        log("one", sample("a", 0.5), sample("b", None)),
        log("other", sample("b", 0.7), sample("a", None)),
        log("none", sample("a", None), sample("b", None)),
    )
    own = frame[frame["versus"].isna()].set_index("model")
    assert own["estimate"].to_dict() == pytest.approx(
        {"one": 0.5, "other": 0.7, "none": float("nan")}, nan_ok=True
    )
    assert bool(own["low"].isna().all())
    pairs = frame[frame["versus"].notna()]
    assert len(pairs) == 3
    assert bool(pairs[["estimate", "low", "high", "p"]].isna().all(axis=None))
    assert set(pairs["n_items"]) == {0}
