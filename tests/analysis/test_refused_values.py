"""Values of logs, files and plans that cannot be used, or only in part."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.analysis.frames import answers, table
from vr_evals.analysis.cells import cells
from vr_evals.analysis.contrasts import Contrast
from vr_evals.analysis.effects import effects
from vr_evals.analysis.model_names import aliased
from vr_evals.analysis.pairing import _other_value
from vr_evals.analysis.prices import read_prices
from vr_evals.analysis.read_rates import read_rate_changes
from vr_evals.analysis.rows import _confidence, _number
from vr_evals.analysis.run import _host
from vr_evals.errors import InputError


@pytest.mark.parametrize(
    ("value", "found"),
    [(3, 3.0), (0.5, 0.5), (10**400, None), (float("inf"), None), (True, None), ("3", None)],
)
def test_a_number_is_finite_and_no_truth_value(value: object, found: float | None) -> None:
    assert _number(value) == found


@pytest.mark.parametrize(
    ("value", "found"), [(0, 0.0), (100, 100.0), (-5, None), (100.5, None), ("80", None)]
)
def test_a_confidence_is_within_its_scale(value: object, found: float | None) -> None:
    assert _confidence(value) == found


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://api.example.com:8000/v1", "api.example.com"),
        ("http://localhost:8080", None),
        ("http://[::1", "http://[::1"),
        (None, None),
    ],
)
def test_the_host_of_a_url(url: str | None, host: str | None) -> None:
    assert _host(url) == host


def test_prices_of_a_model_are_named(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text("openai/gpt-4o: 3")
    with pytest.raises(InputError, match="openai/gpt-4o: expected prices, e.g. "):
        read_prices(str(path))


def test_in_which_key_two_cells_differ() -> None:
    [cell] = cells(table(answers("AB")), ()).cells
    for change, words in (
        ({"model": "m/two"}, "m/two"),
        ({"level": 2}, "level 2"),
        ({"thinking": True}, "thinking on"),
        ({"condition": "control"}, "control"),
    ):
        changed: dict[str, Any] = dict(change)
        assert _other_value(cell, replace(cell, **changed)) == words


def test_cells_without_a_common_item_have_no_rate_of_reading() -> None:
    level0, level1 = answers("AB"), answers("AB", level=1)
    assert len(read_rate_changes(table(level0, level1))) == 1
    others = [row | {"item": f"j{n}", "cluster": f"j{n}"} for n, row in enumerate(level1)]
    assert read_rate_changes(table(level0, others)).empty


def test_models_have_no_baseline() -> None:
    weights: dict[Any, float] = {("m/one",): 1.0, ("m/two",): -1.0}
    found = Contrast("m/one-m/two", "models", ("model",), weights, "m/one", "m/two")
    assert found.baseline is None
    assert not found.compares_baseline


def test_effects_are_the_same_in_however_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table(
        *(
            answers(said * 3, level=level, model=model, thinking=thinking)
            for model in ("m/one", "m/two", "m/three")
            for thinking in (False, True)
            for level, said in ((0, "ABBA"), (1, "AABA"), (2, "AAAB"))
        )
    )
    whole = effects(rows)
    monkeypatch.setattr("vr_evals.analysis.pool._HELD", 1)
    in_parts = effects(rows)
    numbers = whole.select_dtypes("number").columns
    np.testing.assert_allclose(
        in_parts[numbers].astype(float), whole[numbers].astype(float), rtol=1e-9, atol=1e-12
    )
    pd.testing.assert_frame_equal(in_parts.drop(columns=numbers), whole.drop(columns=numbers))


@pytest.mark.parametrize("name", ["", "  ", None])
def test_an_alias_is_a_name(name: Any) -> None:
    with pytest.raises(InputError, match="alias 'm': expected a new name"):
        aliased(["m"], {"m": name})
