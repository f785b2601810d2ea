"""Layouts of scores, against the columns that other tools document."""

import pandas as pd
import pytest
import statsmodels.formula.api as smf

from tests.foreign_logs import answering, counted, ran, wrong_at
from vr_evals.analysis import read_scores
from vr_evals.analysis.layouts import lay_out
from vr_evals.errors import InputError


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    folder = tmp_path_factory.mktemp("layouts")
    few = wrong_at(1, 2)
    ran(
        counted(),
        answering("few", lambda text: "unscored" if text.endswith(" 0") else few(text)),
        folder,
        epochs=2,
    )
    ran(counted(), answering("many", wrong_at(1, 3, 4, 5, 6)), folder, epochs=2)
    return read_scores(folder)


def test_hibayes_has_its_columns_and_numbers_only(scores: pd.DataFrame) -> None:
    laid = lay_out(scores, "hibayes", "marked/right")
    assert list(laid) == ["model", "task", "item", "epoch", "score"]
    assert laid["score"].dtype == "float64"
    assert laid["score"].notna().all()
    assert len(laid) == 2 * 12 * 2 - 2
    assert not laid.duplicated(["model", "task", "item", "epoch"]).any()
    assert any("2 unscored" in note for note in laid.attrs["notes"])


def test_hibayes_has_one_score_for_each_task(scores: pd.DataFrame) -> None:
    with pytest.raises(InputError, match=r"counted has several scores.*marked/right"):
        lay_out(scores, "hibayes")


def test_a_mixed_model_reads_the_layout(scores: pd.DataFrame) -> None:
    laid = lay_out(scores, "hibayes", "marked/right")
    fit = smf.mixedlm("score ~ model", laid, groups=laid["item"]).fit()
    many = laid[laid["model"] == "mockllm/many"]["score"].mean()
    assert fit.predict({"model": ["mockllm/many"]})[0] == pytest.approx(many, abs=0.02)


def test_wide_has_a_column_for_each_model(scores: pd.DataFrame) -> None:
    laid = lay_out(scores, "wide", "marked/right")
    assert list(laid)[-2:] == ["mockllm/few", "mockllm/many"]
    assert len(laid) == 12 * 2
    assert laid["mockllm/few"].isna().sum() == 2
    assert laid["mockllm/many"].sum() == 2 * (12 - 5)


def test_long_has_every_score(scores: pd.DataFrame) -> None:
    laid = lay_out(scores, "long")
    assert laid["status"].value_counts().to_dict() == {"scored": 92, "text": 48, "unscored": 4}


@pytest.mark.parametrize(
    ("layout", "scorer", "message"),
    [
        ("tall", None, "invalid layout 'tall'.*hibayes, long, wide"),
        ("long", "judge", "invalid scorer 'judge'.*marked/right"),
        ("hibayes", "said", "no scores to write"),
    ],
)
def test_errors(scores: pd.DataFrame, layout: str, scorer: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        lay_out(scores, layout, scorer)
