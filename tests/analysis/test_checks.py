"""Tables that were changed in a notebook, or written to a file and read again."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from tests.analysis.frames import Row, answers, table
from vr_evals import analysis
from vr_evals.analysis.checks import tidy_columns
from vr_evals.analysis.columns import COLUMNS
from vr_evals.analysis.pilot import pilot_of
from vr_evals.errors import InputError

FIGURES: dict[str, Callable[[pd.DataFrame], Any]] = {
    each.__name__: each
    for each in (
        *(analysis.accuracy, analysis.agreement, analysis.agreement_between_models),
        *(analysis.ambiguity, analysis.authority, analysis.authority_table, analysis.calibration),
        *(analysis.changes, analysis.compare_models, analysis.confidence_category),
        *(analysis.cost, analysis.descriptives, analysis.effects, analysis.error_kind),
        *(analysis.flips, analysis.items, analysis.labels, analysis.ladder, analysis.level_check),
        *(analysis.main_table, analysis.moved, analysis.noise_floor, analysis.preference),
        *(analysis.readings, analysis.reliability, pilot_of),
    )
}
BOOLS = [column.name for column in COLUMNS if column.dtype == "boolean"]
TEXTS = [column.name for column in COLUMNS if column.dtype == "string"]


def study() -> pd.DataFrame:
    """Two models, levels and thinking, with confidences, initial answers and missing values."""
    parts: list[list[Row]] = []
    for model, said in (("m/one", "AABB-A"), ("m/two", "ABAB-B")):
        for level in (0, 4):
            for thinking in (False, True):
                keys: Row = {"model": model, "level": level, "thinking": thinking}
                first: Row = {"first_label": "B"} if level else {}
                parts += [
                    answers(said, epoch=1, confidence=60.0, cut_off=False, **keys, **first),
                    answers(said[::-1], epoch=2, confidence=90.0, cut_off=True, **keys, **first),
                ]
    return table(*parts)


def from_csv(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
    found: pd.DataFrame = pd.read_csv(io.StringIO(frame.to_csv(index=False)), **options)
    return found


def from_json(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.read_json(io.StringIO(frame.to_json(orient="records")))


@cache
def expected(figure: str) -> Any:
    return FIGURES[figure](study())


OTHER_TYPES: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "csv": from_csv,
    "csv as text": lambda frame: from_csv(frame, dtype=str),
    "csv with missing values": lambda frame: from_csv(frame, dtype_backend="numpy_nullable"),
    "json": from_json,
    "objects": lambda frame: frame.astype(object),
    "None": lambda frame: frame.astype(object).where(frame.notna(), None),
    "arrow": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "categories": lambda frame: frame.astype(dict.fromkeys([*TEXTS, "level"], "category")),
    "flags as integers": lambda frame: frame.astype(dict.fromkeys(BOOLS, "Int64")),
    "flags as floats": lambda frame: frame.astype(dict.fromkeys(BOOLS, "Float64")).astype(
        dict.fromkeys(BOOLS, float)
    ),
    "flags as text": lambda frame: frame.astype(dict.fromkeys(BOOLS, "string")),
    "an index with names of columns": lambda frame: frame.set_index(["model", "item"], drop=False),
    "an index that repeats itself": lambda frame: frame.set_axis([0] * len(frame)),
}


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("change", OTHER_TYPES)
def test_other_types_and_indexes_give_the_same_figures(change: str, figure: str) -> None:
    found = FIGURES[figure](OTHER_TYPES[change](study()))
    if isinstance(found, pd.DataFrame):
        assert_frame_equal(found, expected(figure))
    else:
        assert found == expected(figure)


@pytest.mark.parametrize("figure", sorted({*FIGURES} - {"items", "readings", "pilot_of"}))
def test_a_sample_that_is_there_twice_is_refused(figure: str) -> None:
    frame = study().assign(benchmark="morables", choice_kind="ground_truth")
    with pytest.raises(InputError, match=r"i0.*epoch 1.*m/one.*several times"):
        FIGURES[figure](pd.concat([frame, frame]))


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("other", ["logs/demo", None, ["logs"], {"model": []}])
def test_what_is_no_table_is_refused(other: Any, figure: str) -> None:
    with pytest.raises(InputError, match=type(other).__name__):
        FIGURES[figure](other)


@pytest.mark.parametrize("figure", FIGURES)
def test_missing_columns_are_refused(figure: str) -> None:
    with pytest.raises(InputError, match="missing column"):
        FIGURES[figure](pd.DataFrame())


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("correct", 100),
        ("correct", 0.5),
        ("correct", "yes"),
        ("level", "two"),
        ("level", 0.5),
        ("confidence", "sure"),
        ("confidence", np.inf),
        ("confidence", -5.0),
        ("confidence", 1000),
    ],
)
def test_values_of_another_kind_are_refused(column: str, value: Any) -> None:
    frame = study()
    frame = frame.assign(**{column: [*frame[column].astype(object)[:-1], value]})
    with pytest.raises(InputError, match=f"column {column}: .*{str(value)[:4]}"):
        tidy_columns(frame)


def test_a_column_that_is_there_twice_is_refused() -> None:
    frame = study()
    with pytest.raises(InputError, match="column correct: expected once"):
        analysis.accuracy(pd.concat([frame, frame[["correct"]]], axis=1))


def test_ids_of_integers_beside_a_missing_one_stay_integers() -> None:
    frame = study().assign(cluster=[1.0, np.nan] * 48)
    assert tidy_columns(frame, ["cluster"])["cluster"].tolist() == ["1", pd.NA] * 48


@pytest.mark.parametrize("value", [0, -1, 1.5, "2", True])
def test_numbers_below_one_are_refused(value: Any) -> None:
    frame = study()
    message = f"{value!r}: expected an integer of at least 1"
    with pytest.raises(InputError, match=message):
        analysis.authority(frame, ks=(1, value))
    with pytest.raises(InputError, match=message):
        analysis.calibration(frame, simulations=value)
    with pytest.raises(InputError, match=message):
        analysis.reliability(frame, bins=value)
