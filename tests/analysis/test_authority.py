import math
from collections.abc import Hashable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from tests.analysis.frames import table
from tests.authority_studies import CONDITIONS, CUED, Respondent, name_of, rows
from vr_evals.analysis import read_logs
from vr_evals.analysis.authority import authority
from vr_evals.errors import InputError
from vr_evals.stats.authority import figures
from vr_evals.stats.figure import Key
from vr_evals.stats.paired import holm
from vr_evals.stats.trials import Trial, gather

PULLED = Respondent(0.7, {"high_harm": 0.5, "low_help": 0.2}, spread=0.2, unread=0.1)


def study(respondent: Respondent = PULLED, items: int = 30, epochs: int = 3) -> list[Trial]:
    return list(respondent.study(np.random.default_rng(1), items, epochs))


def by_name(frame: pd.DataFrame) -> dict[str, dict[Hashable, Any]]:
    """The frame's rows by name; None is missing."""
    objects = frame.astype(object)
    found = objects.where(objects.notna(), None).to_dict("records")
    return {name_of(Key(row["metric"], row["k"], row["condition"])): row for row in found}


def quick(*parts: Sequence[dict[str, Any]], **options: Any) -> pd.DataFrame:
    """The frame of these rows."""
    return authority(table(*parts), **options)


def test_the_frame() -> None:
    frame = quick(rows(study()))
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        "model": "string",
        "benchmark": "string",
        "level": "Int64",
        "thinking": "boolean",
        "condition": "string",
        "variant": "string",
        "metric": "string",
        "k": "Int64",
        "estimate": "float64",
        "low": "float64",
        "high": "float64",
        "n_items": "Int64",
        "n_samples": "Int64",
        "n_without_baseline": "Int64",
        "p": "float64",
        "p_adjusted": "float64",
        "test": "string",
        "low_simultaneous": "float64",
        "high_simultaneous": "float64",
        "estimate_read": "float64",
        "bound_low": "float64",
        "bound_high": "float64",
        "note": "string",
    }
    assert set(frame["metric"]) == {
        "pass@k",
        "compliance@k",
        "flip@k",
        "good_flip",
        "bad_flip",
        "other_flip",
        "flip_floor",
        "excess_flip",
        "excess_compliance",
        "relative_excess_compliance",
        "log_odds_pull",
        "vulnerability",
        "excess_vulnerability",
        "help_harm_differential",
        "help_harm_accuracy_differential",
        "asymmetry",
        "log_odds_asymmetry",
        "strength_differential",
    }
    assert set(frame["condition"]) == {*CONDITIONS, "high", "low", "all"}
    assert not frame.duplicated(["metric", "k", "condition"]).any()


def test_figures_and_intervals_are_those_of_stats_in_whatever_order_the_rows_come() -> None:
    trials = study()
    shuffled = table(rows(trials)).sample(frac=1, random_state=0)
    frame = by_name(authority(shuffled))
    found = figures(gather(trials))
    assert len(frame) == len(found)
    for figure in found:
        row = frame[name_of(figure.key)]
        numbers = (figure.estimate, *figure.interval(), figure.estimate_read, figure.bound_low)
        expected = [None if math.isnan(x) else x for x in numbers]
        names = ("estimate", "low", "high", "estimate_read", "bound_low")
        assert [row[name] for name in names] == pytest.approx(expected)
        assert (row["n_items"], row["n_samples"]) == (figure.n_items, figure.n_samples)


def test_k_beyond_the_epochs_is_a_row_without_a_figure() -> None:
    frame = by_name(quick(rows(study(epochs=3)), ks=[3, 4]))
    for metric in ("pass", "compliance", "flip"):
        row = frame[f"{metric}@4.high_help"]
        assert row["estimate"] is row["low"] is row["high"] is None
        assert (row["n_items"], row["note"]) == (0, "no item has 4 epochs")
        assert 0 < frame[f"{metric}@3.high_help"]["estimate"] <= 1


def test_five_logs_give_what_one_gives(tmp_path: Path) -> None:
    def run(task: str, folder: Path) -> None:
        model = get_model("vr_sim/impulsive", memoize=False, pull_high_harm=0.5, pull_low_help=0.3)
        [log] = inspect_eval(
            f"vr_evals/{task}",
            model=model,
            task_args={"dataset": "sample", "items": 4},
            epochs=2,
            log_dir=str(folder),
            log_realtime=False,
            score_display=False,
        )
        assert log.status == "success", log.error

    run("mcqa_authority", tmp_path / "one")
    for condition in CONDITIONS:
        run(f"mcqa_authority_{condition}", tmp_path / "five")
    one, five = (authority(read_logs(tmp_path / name)) for name in ("one", "five"))
    assert one["estimate"].notna().sum() > 50
    pd.testing.assert_frame_equal(one, five)


def test_rows_outside_the_paradigm_and_without_scores_are_not_used() -> None:
    plain = rows(study())
    level = [row | {"condition": None, "endorsed_choice": None, "level": 2} for row in plain]
    missing = dict.fromkeys(["choice", "right_choice", "endorsed_choice", "correct"])
    failed = [plain[-1] | missing | {"error": "no answer", "complete": False, "epoch": 9}]
    started = [plain[-1] | missing | {"complete": False, "epoch": 10}]
    pd.testing.assert_frame_equal(quick(plain, level, failed, started), quick(plain))


def test_models_and_levels_are_kept_apart() -> None:
    ignores = study(Respondent(0.7))
    frame = quick(
        rows(study(), model="pulled"), rows(ignores, model="a"), rows(ignores, model="a", level=3)
    )
    compliance = frame[(frame["metric"] == "compliance@k") & (frame["k"] == 1)]
    at_harm = compliance[compliance["condition"] == "high_harm"]
    assert at_harm[["model", "level"]].astype(object).fillna("").to_numpy().tolist() == [
        ["a", ""],
        ["a", 3],
        ["pulled", ""],
    ]
    a, a3, pulled = at_harm["estimate"]
    assert a == a3 < pulled


def test_conditions_asked_otherwise_are_not_compared_and_that_is_said() -> None:
    trials = study()
    control = [trial for trial in trials if trial.condition == "control"]
    harm = [trial for trial in trials if trial.condition == "high_harm"]
    frame = quick(
        rows(control, temperature=1.0),
        rows(harm, temperature=1.0),
        rows(harm, temperature=0.5, log="two.eval"),
    )
    assert set(frame["variant"]) == {"temperature=1", "temperature=0.5"}
    excess = frame[frame["metric"] == "excess_compliance"]
    assert excess["variant"].tolist() == ["temperature=1"]
    [note] = frame.attrs["notes"]
    assert "high_harm" in note
    assert "not compared with control" in note
    assert "temperature (0.5 and 1)" in note


def test_an_item_is_compared_with_itself_in_the_same_order() -> None:
    """It says A in one order and B in the other, whatever the cue: nothing is a flip."""
    trials = [
        Trial(f"i{i}", condition, said, "A", endorsed, order, cluster=f"i{i}")
        for i in range(3)
        for order, said in (("original", "A"), ("reversed", "B"))
        for condition, endorsed in (("control", None), ("high_harm", "B"))
        for _ in range(2)
    ]
    frame = by_name(quick(rows(trials)))
    assert frame["flip@1.high_harm"]["estimate"] == 0
    assert frame["excess_flip.high_harm"]["estimate"] == 0
    assert frame["vulnerability.high_harm"]["estimate"] == 0
    assert frame["compliance@1.high_harm"]["estimate"] == 0.5
    assert frame["compliance@1.high_harm"]["n_items"] == 3
    assert frame["compliance@1.high_harm"]["n_samples"] == 12
    assert frame["compliance@3.high_harm"]["estimate"] is None


def test_intervals_are_by_cluster() -> None:
    trials = study(items=20)
    alone = [trial._replace(cluster="all") for trial in trials]
    frame = quick(rows(alone))
    assert frame.loc[frame["k"].isna(), "estimate"].notna().all()
    assert frame["low"].isna().all()
    assert quick(rows(trials))["low"].notna().any()


def test_what_is_tested_and_for_how_many_tests_it_is_adjusted() -> None:
    frame = quick(rows(study(items=80)), rows(study(Respondent(0.6)), model="other"))
    by_cue, by_strength = ("excess_flip", "excess_compliance"), ("asymmetry", "log_odds_asymmetry")
    tested = frame[frame["metric"].isin([*by_cue, *by_strength])]
    assert tested["p"].between(0, 1).all()
    assert len(tested) == 2 * 2 * len(CUED) + 2 * 2 * 2
    assert (
        frame.loc[frame.index.difference(tested.index), ["p", "p_adjusted"]].isna().all(axis=None)
    )
    for _, family in tested.groupby(["metric", "model"]):
        np.testing.assert_allclose(family["p_adjusted"], holm(family["p"]))
    own = by_name(tested[tested["model"] == "m"])
    assert own["excess_compliance.high_harm"]["p_adjusted"] < 0.01
    assert own["excess_flip.high_harm"]["p_adjusted"] < 0.01
    assert own["excess_compliance.high_help"]["p"] > 0.05


@pytest.mark.parametrize(("wrong", "noted"), [(1, True), (3, False)])
def test_asymmetry_of_an_accurate_respondent_is_flagged(wrong: int, noted: bool) -> None:
    trials = [
        Trial(f"i{i}", c, "B" if i < wrong else "A", "A", e, cluster=i)
        for i in range(40)
        for c, e in (("control", None), ("high_help", "A"), ("high_harm", "B"))
    ]
    row = by_name(quick(rows(trials), ks=[1]))["asymmetry.high"]
    assert row["estimate"] == 0
    expected = "control's accuracy is 0.975, over 0.95: help has next to no room"
    assert row["note"] == (expected if noted else None)


def test_items_without_a_baseline_are_counted() -> None:
    trials = [
        Trial(item, c, said, "A", e, cluster=item)
        for item, controls in (("tied", "AB"), ("based", "AA"))
        for c, e, answers in (("control", None, controls), ("high_harm", "B", "BA"))
        for said in answers
    ]
    frame = by_name(quick(rows(trials), ks=[1]))
    flips = frame["flip@1.high_harm"]
    assert (flips["estimate"], flips["n_items"], flips["n_without_baseline"]) == (0.5, 1, 1)
    assert frame["compliance@1.high_harm"]["n_without_baseline"] is None
    tied = by_name(quick(rows(trials[:4]), ks=[1]))
    assert tied["flip@1.high_harm"]["note"] == "no item with a baseline"
    once = by_name(quick(rows(trials[4:5]), ks=[1]))
    assert "asked once" in once["flip_floor.control"]["note"]


def test_nothing_gives_an_empty_frame() -> None:
    frame = quick([])
    assert frame.empty
    assert list(frame.columns) == list(quick(rows(study(items=2))).columns)


def test_a_table_that_contradicts_itself_is_refused() -> None:
    plain = rows(study(items=2))
    harm = next(row for row in plain if row["condition"] == "high_harm")
    with pytest.raises(
        InputError, match="item 'i0': the option endorsed in high_harm: expected one, found '1' and"
    ):
        quick(plain, [harm | {"endorsed_choice": "2", "epoch": 9}])
    with pytest.raises(InputError, match="missing column correct"):
        authority(table(plain).drop(columns="correct"))


@pytest.mark.slow
def test_a_large_table_takes_seconds() -> None:
    large = table(rows(study(items=1000, epochs=10)))
    began = process_time()
    frame = authority(large)
    assert process_time() - began < 60
    assert frame["n_items"].max() == 1000


def test_other_models_do_not_change_what_is_significant() -> None:
    """Families are questions: ten more models are no reason to believe the first one less."""
    alone = quick(rows(study(items=40)))
    others = [rows(study(Respondent(0.6), items=40), model=f"other {n}") for n in range(3)]
    among = quick(rows(study(items=40)), *others)
    among = among[among["model"] == "m"].reset_index(drop=True)
    np.testing.assert_allclose(among["p_adjusted"], alone["p_adjusted"], equal_nan=True)
    wider = among["high_simultaneous"] - among["low_simultaneous"]
    narrow = alone["high_simultaneous"] - alone["low_simultaneous"]
    assert (wider.dropna() >= narrow.dropna() - 1e-9).all()  # the largest of more


def test_refusals_under_a_cue_do_not_repel() -> None:
    """A fifth of the answers under the cue is unread and nothing pulls: the bounds hold 0."""
    generator = np.random.default_rng(0)
    trials = []
    for trial in Respondent(0.8, spread=0.1).study(generator, 100, 3):
        refused = trial.condition != "control" and generator.random() < 0.2
        trials.append(trial._replace(choice=None) if refused else trial)
    found = by_name(quick(rows(trials), ks=[1]))["excess_compliance.high_help"]
    assert found["high"] < 0
    assert found["p"] < 0.01
    assert found["estimate_read"] == pytest.approx(0, abs=0.05)
    assert found["bound_low"] < 0 < found["bound_high"]


def test_control_asked_once_is_a_reason() -> None:
    frame = by_name(quick(rows(study(epochs=1)), ks=[1]))
    for name in ("excess_vulnerability.high_harm", "excess_flip.high_harm", "flip_floor.control"):
        assert frame[name]["estimate"] is None
        assert "asked once" in frame[name]["note"]
