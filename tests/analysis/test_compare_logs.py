"""`compare_logs`: figures by plain loops and by statsmodels, refusals, and what is left out."""

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from inspect_ai import Epochs, Task
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.scorer import match
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from tests.breadth import some_quick
from tests.foreign_logs import answering, counted, ran, wrong_at
from vr_evals.analysis import compare_logs, read_logs, read_scores
from vr_evals.analysis.compare_logs import check_comparable, compare_items, scored_tasks
from vr_evals.analysis.scored_logs import read_scored_logs
from vr_evals.errors import InputError

FEW, MANY = (1, 2), (1, 3, 4, 5, 6, 7)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two")
    ran(counted(), answering("few", wrong_at(*FEW)), folder)
    ran(counted(), answering("many", wrong_at(*MANY)), folder)
    return folder


def row(frame: pd.DataFrame, score: str, *, pair: bool = True, **where: object) -> Any:
    found = frame[(frame["score"] == score) & (frame["versus"].notna() == pair)]
    for column, value in where.items():
        found = found[found[column] == value]
    [only] = found.itertuples()
    return only


def test_a_rate_is_compared_by_sample(two: Path) -> None:
    frame = compare_logs(two)
    found = row(frame, "right")
    assert (found.model, found.versus) == ("mockllm/few", "mockllm/many")
    assert found.estimate == pytest.approx((6 - 2) / 12)
    assert (found.n_better, found.n_worse, found.n_equal) == (5, 1, 6)
    assert (found.n_items, found.n_samples, found.n_clusters) == (12, 24, 12)
    oracle = mcnemar([[0, 5], [1, 0]], exact=False, correction=False)
    assert found.p == pytest.approx(oracle.pvalue)
    for model, n_wrong in (("mockllm/few", 2), ("mockllm/many", 6)):
        own = row(frame, "right", pair=False, model=model)
        bounds = proportion_confint(12 - n_wrong, 12, method="wilson")
        assert (own.low, own.high) == pytest.approx(bounds)


def test_a_difference_that_does_not_vary_has_no_test(two: Path) -> None:
    found = row(compare_logs(two, cluster="pair"), "length")
    assert len("wrong") == len("right")
    assert found.estimate == 0
    assert math.isnan(found.p)
    assert math.isnan(found.low)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Replies whose length depends on the sample, two epochs, for two models."""
    folder = tmp_path_factory.mktemp("graded")
    generator = np.random.default_rng(1)
    for name, most in (("long", 9), ("short", 6)):

        def reply(_: str, most: int = most) -> str:
            return "x" * int(generator.integers(1, most))

        model = answering(name, reply)
        ran(counted(n=20), model, folder, epochs=2)
    return folder


@pytest.mark.parametrize("cluster", some_quick([None, "pair"], "pair".__eq__))
def test_means_over_epochs_are_those_of_statsmodels(graded: Path, cluster: str | None) -> None:
    lengths: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for path in graded.iterdir():
        log = read_eval_log(str(path))
        for sample in log.samples or ():
            assert sample.scores is not None
            value: Any = sample.scores["marked"].value
            lengths[log.eval.model][str(sample.id)].append(value["length"])
    long, short = lengths["mockllm/long"], lengths["mockllm/short"]
    gaps = np.array([np.mean(long[item]) - np.mean(short[item]) for item in long])
    groups = [int(item) // 2 if cluster else int(item) for item in long]
    model = sm.OLS(gaps, np.ones(len(gaps))).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.array(groups), "use_correction": True},
        use_t=True,
    )
    found = row(compare_logs(graded, cluster=cluster), "length")
    assert found.estimate == pytest.approx(model.params[0])
    assert found.p == pytest.approx(model.pvalues[0])
    assert (found.low, found.high) == pytest.approx(tuple(model.conf_int()[0]))
    assert found.n_clusters == len(set(groups))
    assert found.scale == "mean"


def test_items_say_who_was_better(two: Path) -> None:
    items = compare_items(scored_tasks(read_scored_logs([two])))
    right = items[(items["score"] == "right") & items["better"].notna()]
    better = dict(zip(right["item"], right["better"], strict=True))
    assert better == dict.fromkeys("34567", "mockllm/few") | {"2": "mockllm/many"}
    assert len(items[items["score"] == "right"]) == 12


def test_a_text_score_is_named_not_compared(two: Path) -> None:
    frame = compare_logs(two)
    assert set(frame["scorer"]) == {"marked"}
    [note] = [note for note in frame.attrs["notes"] if "said" in note]
    assert "'right', 'wrong'" in note


def test_reducers_of_the_log_have_rows_of_their_own(tmp_path: Path) -> None:
    epochs = Epochs(2, ["mean", "at_least_1", "max"])
    for name, places in (("a", FEW), ("b", MANY)):
        calls: dict[str, int] = defaultdict(int)

        def reply(text: str, places: tuple[int, ...] = places, calls: Any = calls) -> str:
            calls[text] += 1
            return "right" if calls[text] > 1 else wrong_at(*places)(text)

        ran(counted(), answering(name, reply), tmp_path, epochs=epochs, max_samples=1)
    frame = compare_logs(tmp_path)
    means = {each: row(frame, "right", reducer=each) for each in ("mean", "at_least_1", "max")}
    assert means["mean"].estimate == pytest.approx((6 - 2) / 24)
    assert means["at_least_1"].estimate == means["max"].estimate == 0
    assert means["max"].n_samples == 24


def test_errors_unscored_and_missing_samples_are_counted_on_both_sides(tmp_path: Path) -> None:
    def failing(text: str) -> str:
        if text.endswith(" 0"):
            raise RuntimeError("broken")
        return "unscored" if text.endswith(" 1") else "right"

    a = ran(counted(), answering("a", failing), tmp_path, fail_on_error=False)
    b = ran(counted(), answering("b", wrong_at(5)), tmp_path)
    assert a.samples
    assert b.samples
    b.samples = [sample for sample in b.samples if int(sample.id) < 6]
    write_eval_log(b, b.location)
    frame = compare_logs(tmp_path)
    of_a, of_b = (row(frame, "right", pair=False, model=f"mockllm/{name}") for name in "ab")
    assert (of_a.n_items, of_a.n_errors, of_a.n_unscored, of_a.n_missing) == (10, 1, 1, 0)
    assert (of_b.n_items, of_b.n_errors, of_b.n_unscored, of_b.n_missing) == (6, 0, 0, 6)
    pair = row(frame, "right")
    assert (pair.n_items, pair.n_unpaired, pair.n_unpaired_versus) == (4, 6, 2)
    notes = " | ".join(frame.attrs["notes"])
    for part in ("12 samples left out: 1 ended in an error", "12 samples left out: 6 missing"):
        assert part in notes
    status = read_scores(tmp_path).query("scorer == 'marked' and score == 'right'")["status"]
    counts = {"scored": 16, "missing": 6, "error": 1, "unscored": 1}
    assert status.value_counts().to_dict() == counts


REFUSED: dict[str, tuple[Callable[[], Task], str]] = {
    "version": (lambda: counted(version=2), r"task version \(1 / 2\)"),
    "argument": (lambda: counted(tone="rude"), r"argument tone \(plain / rude\)"),
    "ids": (lambda: counted(ids="x"), r"sample ids \(12 only here"),
    "fewer": (lambda: counted(n=6), r"sample ids \(6 only here"),
    "inputs": (lambda: counted(asks="riddle"), r"inputs \(of 12 sample ids"),
}


@pytest.mark.parametrize("name", some_quick(REFUSED, {"argument", "inputs"}.__contains__))
def test_what_differs_is_named_and_not_compared(name: str, two: Path, tmp_path: Path) -> None:
    make, message = REFUSED[name]
    ran(make(), answering("other", wrong_at()), tmp_path)
    frame = compare_logs(two, tmp_path)
    refused = " | ".join(frame.attrs["refusals"])
    assert "mockllm/few and mockllm/other, mockllm/many and mockllm/other" in refused
    assert pd.Series([refused]).str.contains(message).all(), refused
    assert frame["versus"].dropna().unique().tolist() == ["mockllm/many"]
    assert (frame["model"] == "mockllm/other").any()


def test_one_model_run_in_two_ways_is_compared_with_itself(tmp_path: Path) -> None:
    ran(counted(), answering("a", wrong_at(*FEW)), tmp_path, temperature=0.0)
    ran(counted(), answering("a", wrong_at(*MANY)), tmp_path, temperature=1.0)
    found = row(compare_logs(tmp_path), "right")
    assert (found.model, found.versus) == (
        "mockllm/a (temperature 0.0)",
        "mockllm/a (temperature 1.0)",
    )


def test_a_repeat_is_skipped_by_name(two: Path, tmp_path: Path) -> None:
    repeat = ran(counted(), answering("few", wrong_at()), tmp_path)
    frame = compare_logs(two, tmp_path)
    assert len(frame[frame["versus"].notna() & (frame["score"] == "right")]) == 1
    [note] = [note for note in frame.attrs["notes"] if "repeats" in note]
    assert Path(repeat.location).name in note or "_counted_" in note


def test_a_model_may_get_another_name(two: Path) -> None:
    frame = compare_logs(two, alias={"mockllm/few": "mine"})
    assert set(frame["model"]) == {"mine", "mockllm/many"}


@pytest.mark.parametrize(
    ("alias", "message"),
    [
        ({"nobody": "x"}, r"'nobody': no log .*mockllm/few, mockllm/many"),
        ({"nobody": "mockllm/many"}, r"'nobody': no log .*mockllm/few, mockllm/many"),
        ({"mockllm/few": "mockllm/many"}, r"'mockllm/many': mockllm/few and mockllm/many"),
    ],
    ids=["absent", "absent, the name of another", "the name of another"],
)
def test_an_alias_is_of_a_model_and_new(alias: dict[str, str], message: str, two: Path) -> None:
    with pytest.raises(InputError, match=message):
        compare_logs(two, alias=alias)


def test_a_cluster_that_samples_do_not_have_is_an_error(two: Path) -> None:
    with pytest.raises(InputError, match=r"invalid cluster 'passage'.*it has pair"):
        compare_logs(two, cluster="passage")


def test_p_is_adjusted_over_all_differences(two: Path) -> None:
    frame = compare_logs(two)
    tested = frame[frame["p"].notna()]
    assert tested["p_adjusted"].tolist() == tested["p"].tolist()  # one test
    assert frame.loc[frame["p"].isna(), "p_adjusted"].isna().all()


@pytest.fixture(scope="module")
def two_tasks(two: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The logs of two tasks with different scorers."""
    folder = tmp_path_factory.mktemp("other")
    other = Task(counted().dataset, name="other", scorer=match())
    for model in ("few", "many"):
        ran(other, answering(model, wrong_at(*(FEW if model == "few" else MANY))), folder)
    return [two, folder]


@pytest.mark.parametrize(
    ("scorer", "expected"),
    [
        (None, {("marked", "right"), ("marked", "length"), ("match", "")}),
        ("marked", {("marked", "right"), ("marked", "length")}),
        ("marked/right", {("marked", "right")}),
        (["marked/right", "match"], {("marked", "right"), ("match", "")}),
    ],
    ids=["all", "scorer", "key", "several"],
)
def test_only_the_scores_that_are_chosen_are_compared_and_adjusted(
    scorer: str | list[str] | None, expected: set[tuple[str, str]], two_tasks: list[Path]
) -> None:
    frame = compare_logs(*two_tasks, scorer=scorer)
    assert set(zip(frame["scorer"], frame["score"], strict=True)) == expected
    pairs = frame[frame["versus"].notna() & frame["p"].notna()]
    smallest = float(pairs["p"].min())
    assert float(pairs["p_adjusted"].min()) == pytest.approx(min(1.0, smallest * len(pairs)))
    without_match = [note for note in frame.attrs["notes"] if "left out: other" in note]
    assert len(without_match) == (("match", "") not in expected)


def test_notes_on_logs_stay_if_their_task_is_not_chosen(two_tasks: list[Path]) -> None:
    read = replace(read_scored_logs(two_tasks), notes=("of all logs",))
    for scorer in ("marked", "match"):
        [task] = scored_tasks(read, scorer)
        assert task.notes[0] == "of all logs"


def test_a_scorer_that_no_log_has_is_one_line_with_those_there_are(two: Path) -> None:
    with pytest.raises(InputError, match="invalid scorer 'judge'.*marked/right, marked/length"):
        compare_logs(two, scorer=["marked", "judge"])


def test_a_scorer_of_texts_has_nothing_to_compare(two: Path) -> None:
    frame = compare_logs(two, scorer="said")
    assert frame.empty
    with pytest.raises(InputError, match="nothing to compare: .*said.*texts"):
        check_comparable(frame)


@pytest.mark.parametrize("function", [read_logs, compare_logs, read_scores])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["a", "b"], "{0} takes paths one by one: {0}\\(\\*paths\\)"),
        (("a",), "{0} takes paths one by one"),
        (iter(["a"]), "{0} takes paths one by one"),
        (None, "invalid path of type NoneType: {0} expects"),
        (b"a", "invalid path of type bytes: {0} expects"),
    ],
    ids=["list", "tuple", "iterator", "none", "bytes"],
)
def test_paths_are_given_one_by_one(
    function: Callable[..., object], given: object, message: str
) -> None:
    with pytest.raises(InputError, match=message.format(function.__name__)):
        function(given)
