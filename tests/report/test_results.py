"""Frames by name."""

import pandas as pd
import pytest

from tests.analysis.frames import answers, table
from vr_evals.report.results import Results

RESULTS = Results(
    pd.DataFrame(),
    logs=[],
    skipped=[],
    notes=[],
    frames={"accuracy": pd.DataFrame({"estimate": [0.5]}), "main": pd.DataFrame()},
    refused={"authority": "an item has several right options"},
)


def test_a_frame_has_its_name() -> None:
    assert RESULTS["accuracy"]["estimate"].tolist() == [0.5]


def test_a_frame_that_could_not_be_computed_is_empty() -> None:
    assert RESULTS["authority"].empty


def test_an_unknown_name_is_an_error_that_lists_the_frames() -> None:
    with pytest.raises(KeyError, match="'typo'.*accuracy, main"):
        RESULTS["typo"]


def test_effects_are_those_of_the_rows() -> None:
    rows = table(answers("ABAB"), answers("AAAA", level=1))
    found = Results(rows, [], [], [], {}, {}).effects
    assert found.loc[found["outcome"] == "accuracy", "estimate"].tolist() == [0.5]
