from __future__ import annotations

import importlib.util
from itertools import product

import numpy as np
import pytest
import statsmodels.formula.api as smf

from tests.analysis.frames import Row, answer, answers, only, table
from vr_evals.analysis import grid_model as module
from vr_evals.analysis.effects import effects
from vr_evals.analysis.grid_model import grid_model
from vr_evals.errors import InputError


def study(n: int = 120) -> list[Row]:
    """Answers whose log-odds are a sum of an item's, a level's, a model's and that of thinking."""
    rng = np.random.default_rng(5)
    own = rng.standard_normal(n)
    rows = []
    for model, level, thinking in product(("m/one", "m/two"), (0, 1), (False, True)):
        odds = own + 0.5 * level + 0.8 * thinking - 1.0 * (model == "m/two")
        for item in range(n):
            label = "A" if rng.random() < 1 / (1 + np.exp(-odds[item])) else "B"
            rows.append(answer(f"i{item}", label, model=model, level=level, thinking=thinking))
    return rows


ROWS = study()


def test_coefficients_are_those_of_a_formula_with_clusters() -> None:
    found = grid_model(table(ROWS), interactions=[("level", "thinking")]).terms
    frame = table(ROWS).assign(
        y=lambda t: t["correct"].astype(float),
        level=lambda t: t["level"].astype(int),
        one=lambda t: (t["model"] == "m/one").astype(float),
        on=lambda t: t["thinking"].astype(float),
        code=lambda t: t["cluster"].astype("category").cat.codes,
    )
    fit = smf.logit("y ~ one + level * on", frame).fit(
        cov_type="cluster", cov_kwds={"groups": frame["code"]}, disp=False
    )
    for contrast, name in (
        ("m/one-m/two", "one"),
        ("level1-level0", "level"),
        ("thinking_on-off", "on"),
        ("level1-level0 * thinking_on-off", "level:on"),
    ):
        row = only(found, contrast=contrast)
        assert row.estimate == pytest.approx(fit.params[name], abs=1e-5)
        half = (row.high - row.low) / 2 / 1.9801  # t of 119
        assert half == pytest.approx(fit.bse[name], rel=0.01)
        assert row.odds_ratio == pytest.approx(np.exp(row.estimate))
        assert (row.p < 0.05) == (row.low > 0 or row.high < 0)


def test_it_agrees_with_pooled_effects() -> None:
    found, pooled = grid_model(table(ROWS)).terms, effects(table(ROWS), outcome="accuracy")
    for row in found.itertuples():
        beside = only(pooled, contrast=row.contrast)
        assert row.average_effect == pytest.approx(beside.estimate, abs=0.02)


def test_shares_of_variance_add_up() -> None:
    shares = grid_model(table(ROWS)).shares.set_index("component")["share"]
    assert shares.index.tolist() == ["items", "model", "level", "thinking", "within item"]
    assert shares.sum() == pytest.approx(1)
    assert shares["model"] > shares["level"]
    assert 0.05 < shares["items"] < 0.25


def test_what_explains_nothing_has_a_share_of_0() -> None:
    rows = [*answers("ABABABAB"), *answers("ABABABAB", level=1)]
    shares = grid_model(table(rows)).shares.set_index("component")["share"]
    assert shares["level"] == 0
    assert shares["items"] == pytest.approx(1)


def test_compliance_is_modelled_under_cues() -> None:
    rows = [
        row | {"complied": row["label"] == "B", "level": None, "endorsed_choice": "1"}
        for condition, said in (("low_harm", "ABABABAA"), ("high_harm", "BBBBABAA"))
        for row in answers(said, benchmark="morables", condition=condition)
    ]
    found = only(grid_model(table(rows), event="complied").terms)
    assert found.contrast == "low_harm-high_harm"
    assert found.average_effect == pytest.approx(3 / 8 - 5 / 8)


def test_separated_answers_have_no_coefficient() -> None:
    found = only(grid_model(table(answers("AAAA"), answers("BBBB", level=1))).terms)
    assert np.isnan(found.estimate)
    assert np.isnan(found.p)


def test_invalid_input() -> None:
    with pytest.raises(InputError, match="invalid interaction"):
        grid_model(table(ROWS), interactions=[("level", "item")])
    with pytest.raises(InputError, match="no answer has a value of 'complied'"):
        grid_model(table(ROWS), event="complied")


def test_a_missing_extra_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        module, "find_spec", lambda name: None if name == "statsmodels" else found(name)
    )
    with pytest.raises(InputError, match=r"pip install '\.\[models\]'"):
        grid_model(table(ROWS))


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(InputError, match="invalid event 'flipped': expected correct or complied"):
        grid_model(table(ROWS), event="flipped")  # type: ignore[arg-type]  # as users may


def test_answers_that_determine_nothing_have_no_coefficient_and_no_share() -> None:
    """All right; one cluster; and levels that are models, too."""
    one_cluster = table(answers("ABAB", cluster="c"), answers("AABB", level=1, cluster="c"))
    confounded = table(answers("ABAB" * 3), answers("AABB" * 3, level=1, model="m/two"))
    for rows in (table(answers("AAAA"), answers("AAAA", level=1)), one_cluster, confounded):
        found = grid_model(rows)
        assert found.terms["estimate"].isna().all()
    assert grid_model(table(answers("AAAA"), answers("AAAA", level=1))).shares.empty


def test_a_fit_that_fails_has_no_coefficient(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object, **named: object) -> None:
        raise np.linalg.LinAlgError("Singular matrix")

    monkeypatch.setattr("statsmodels.api.GLM.fit", refuse)
    assert grid_model(table(ROWS)).terms["estimate"].isna().all()


def test_settings_that_differ_are_noted() -> None:
    rows = table(
        answers("ABAB" * 3),
        answers("ABAA" * 3, temperature=1.0, log="warm"),
        answers("AABB" * 3, level=1),
    )
    [note] = [each for each in grid_model(rows).terms.attrs["notes"] if "Settings" in each]
    assert note == "Settings that differ between cells are not in the model: temperature"
