"""A row of each benchmark, under the published names and under a user's."""

from typing import Any

import pytest

from vr_evals.benchmarks import Benchmark, Item
from vr_evals.benchmarks.cells import RowError, content_id
from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.benchmarks.morables import ALL_MORABLES, MORABLES
from vr_evals.benchmarks.moralchoice import MORALCHOICE
from vr_evals.option_kinds import OPTION_KINDS

MORALS = ["one", "two", "three", "four", "five"]
FIVE = {f"option_{letter}": moral for letter, moral in zip("abcde", MORALS, strict=True)}


def read(benchmark: Benchmark, row: dict[str, Any], name: str = "file") -> Item:
    return benchmark.read_item(row, name)


@pytest.mark.parametrize(
    ("label", "target"),
    [
        ("wrong", 0),
        ("not wrong", 1),
        ("Not_Wrong", 1),
        (" WRONG ", 0),
        ("1", 0),
        (1, 0),
        (1.0, 0),
        ("0", 1),
        (0, 1),
    ],
)
def test_ethics_labels(label: object, target: int) -> None:
    item = read(ETHICS, {"scenario": "I lied.", "label": label})
    assert item.target == target
    assert item.options == item.choices == ("wrong", "not wrong")


def test_ethics_published_row() -> None:
    row = {"label": "1", "input": "I  lied.\r\n", "is_short": "True", "edited": "False"}
    item = read(ETHICS, row, "test")
    assert item.id == f"test-{content_id('I lied.')}"
    assert item.text == "I  lied."
    assert item.metadata == {"is_short": True, "edited": "False"}
    assert item.cluster == item.id


@pytest.mark.parametrize(
    ("benchmark", "row", "prefix"),
    [
        (ETHICS, {"input": "I lied.", "label": 1}, "file-"),
        (ETHICS, {"scenario": "I lied.", "label": 1}, ""),
        (MCQA, {"question": "Q?", "choices": ["a", "b"], "answer": 0, "subject": "law"}, "law-"),
        (MCQA, {"question": "Q?", "choices": ["a", "b"], "answer": 0, "subject": None}, ""),
    ],
)
def test_an_id_of_its_own_wins_also_0(
    benchmark: Benchmark, row: dict[str, Any], prefix: str
) -> None:
    assert read(benchmark, row).id.startswith(prefix)
    assert len(read(benchmark, row).id) == len(prefix) + 12
    assert read(benchmark, {**row, "id": 0}).id == "0"
    assert read(benchmark, {**row, "id": " "}).id == read(benchmark, row).id


def test_moralchoice_published_row() -> None:
    row = {
        "scenario_id": "C_001",
        "ambiguity": "low",
        "context": "You are here.",
        "action1": " I stay.",
        "action2": "I go.",
        "a1_death": "No",
        "a2_death": "Yes",
        "generation_rule": "Do not kill",
    }
    item = read(MORALCHOICE, row)
    assert (item.id, item.target, item.options) == ("C_001", 0, ("I stay.", "I go."))
    assert item.choices == ("action1", "action2")
    assert item.metadata["ambiguity"] == "low"
    assert item.metadata["generation_rule"] == "Do not kill"
    assert "weak_target" not in item.metadata
    assert read(MORALCHOICE, {**row, "a2_death": "No"}).metadata["weak_target"] is True
    assert read(MORALCHOICE, {**row, "ambiguity": "high"}).target is None


def test_moralchoice_without_ambiguity_has_no_target() -> None:
    item = read(MORALCHOICE, {"context": "c", "option_a": "a", "option_b": "b"})
    assert item.target is None
    assert item.metadata["ambiguity"] is None


@pytest.mark.parametrize(("index", "target"), [(0, 0), ("4", 4), (3.0, 3), ("B", 1), ("e", 4)])
def test_morables_index(index: object, target: int) -> None:
    item = read(MORABLES, {"fable": "Once.", "correct_idx": index, **FIVE})
    assert item.target == target
    assert item.options == tuple(MORALS)


@pytest.mark.parametrize("choices", [MORALS, '["one", "two", "three", "four", "five"]'])
def test_morables_published_row(choices: object) -> None:
    kinds = ["ground_truth", "similar_characters", "x", "y", "partial_story"]
    row = {
        "alias": "aesop_1",
        "story_title": "A title",
        "story": "Once.",
        "correct_moral_label": 0,
        "classes": kinds,
        "choices": choices,
    }
    item = read(MORABLES, row)
    assert (item.id, item.target, item.options) == ("aesop_1", 0, tuple(MORALS))
    assert item.option_kinds == tuple(kinds)
    assert item.metadata == {"story_title": "A title"}


@pytest.mark.parametrize(
    ("answer", "target"), [(1, 1), (1.0, 1), ("1", 1), ("B", 1), ("b", 1), ("No", 1), ("yes", 0)]
)
def test_mcqa_answers(answer: object, target: int) -> None:
    item = read(MCQA, {"question": "q", "choices": ["yes", "no"], "answer": answer})
    assert item.target == target


def test_own_id_and_cluster_and_other_columns() -> None:
    row = {"id": 7, "cluster": "family", "scenario": "s", "label": "wrong", "source": "me"}
    item = read(ETHICS, row)
    assert (item.id, item.cluster, item.metadata) == ("7", "family", {"source": "me"})


def test_id_of_a_row_without_one_is_its_content() -> None:
    first = read(ETHICS, {"scenario": "I  lied.", "label": "wrong"})
    assert first.id == read(ETHICS, {"scenario": "I lied.\n", "label": "wrong"}, "other").id
    assert first.id != read(ETHICS, {"scenario": "I told.", "label": "wrong"}).id


@pytest.mark.parametrize(("id", "expected"), [(7.0, "7"), (1.5, "1.5"), (0, "0"), (True, "True")])
def test_an_integer_id_that_a_gap_made_a_float(id: object, expected: str) -> None:
    assert read(ETHICS, {"id": id, "scenario": "s", "label": "wrong"}).id == expected


@pytest.mark.parametrize("classes", [3, "abcde", ["a"], [1, None, {}, [], "x"]])
def test_classes_of_any_type_stop_nothing(classes: object) -> None:
    row = {"fable": "f", "choices": list("vwxyz"), "correct_idx": 0, "classes": classes}
    assert len(read(MORABLES, row).option_kinds) in {0, 5}


KINDS = dict(zip((f"kind_{letter}" for letter in "abcde"), OPTION_KINDS, strict=True))
FABLE = {"fable": "Once.", "correct_idx": 0, **FIVE}


@pytest.mark.parametrize(
    "given",
    [
        KINDS,
        {name: f" {kind.upper()} " for name, kind in KINDS.items()},
        {name: kind.replace("_", " ") for name, kind in KINDS.items()},
        {**KINDS, "classes": ["x"] * 5},
    ],
)
def test_morables_kinds_of_a_user(given: dict[str, Any]) -> None:
    item = read(MORABLES, {**FABLE, **given})
    assert item.option_kinds == OPTION_KINDS
    assert item.metadata == {}


@pytest.mark.parametrize("nothing", [None, "", " ", "NA", float("nan")])
def test_a_row_without_kinds_has_none(nothing: object) -> None:
    assert read(MORABLES, {**FABLE, **dict.fromkeys(KINDS, nothing)}).option_kinds == ()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kind_b": "surface"}, "invalid kind_b 'surface': expected one of ground_truth, similar"),
        ({"kind_b": 7}, "invalid kind_b '7': expected one of"),
        ({"kind_b": ["x"]}, "invalid kind_b"),
        ({"kind_b": ""}, "missing kind_b"),
        ({"kind_b": "partial_story"}, "expected each kind once, found ground_truth, partial_story"),
        ({"correct_idx": 1}, "invalid kind_b 'similar_characters': expected ground_truth"),
    ],
)
def test_invalid_kinds_are_one_clear_line(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(RowError) as raised:
        read(MORABLES, {**FABLE, **KINDS, **changes})
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)


def test_kinds_are_for_five_options() -> None:
    row = {"fable": "f", "choices": list("xyz"), "correct_idx": 0, **KINDS}
    with pytest.raises(RowError, match="for 3 options"):
        read(ALL_MORABLES, row)


def test_half_a_surrogate_pair_is_replaced() -> None:
    assert read(ETHICS, {"scenario": "a\ud800b", "label": 1}).text == "a\ufffdb"


@pytest.mark.parametrize(
    ("benchmark", "row", "reason"),
    [
        (ETHICS, {"scenario": " ", "label": "wrong"}, "empty scenario"),
        (ETHICS, {"scenario": ["x"], "label": "wrong"}, "invalid scenario: expected text"),
        (ETHICS, {"scenario": "s", "label": ""}, "missing label"),
        (ETHICS, {"scenario": "s", "label": "NA"}, "missing label"),
        (ETHICS, {"scenario": "s", "label": None}, "missing label"),
        (MCQA, {"question": "q", "choices": ["x", "y"]}, "missing answer"),
        (MCQA, {"question": "q", "choices": ["x"], "answer": "A"}, "1 options, expected 2 to 10"),
        (MCQA, {"question": "q", "choices": ["b", "a"], "answer": "A"}, "ambiguous answer"),
        (
            MCQA,
            {"question": "q", "choices": "[" * 100_000, "answer": "A"},
            "invalid choices: expected a list",
        ),
        (MCQA, {"question": "q", "choices": ["x", None], "answer": "A"}, "empty choices"),
        (MCQA, {"question": "q", "choices": ["x", "y"], "answer": "9" * 5000}, "invalid answer"),
        (MORALCHOICE, {"context": "c", "action1": "Go.", "action2": " go. "}, "two identical"),
        (MORALCHOICE, {"context": "", "action1": "a", "action2": "b"}, "empty context"),
        (
            MORALCHOICE,
            {"context": "c", "action1": "a", "action2": "b", "ambiguity": "mid"},
            "expected low or high",
        ),
        (MORABLES, {"fable": "f", "correct_idx": 5, **FIVE}, "expected 0 to 4 or A to E"),
        (MORABLES, {"fable": "f", "correct_idx": "-1", **FIVE}, "expected 0 to 4 or A to E"),
        (MORABLES, {"fable": "f", "correct_idx": "first", **FIVE}, "expected 0 to 4 or A to E"),
        (MORABLES, {"fable": "f", "correct_idx": 0, **FIVE, "option_c": ""}, "empty option_c"),
        (
            MORABLES,
            {"fable": "f", "correct_idx": 0, "choices": MORALS[:4]},
            "4 options, expected 5",
        ),
        (
            MORABLES,
            {"fable": "f", "correct_idx": 0, "choices": "one"},
            "invalid choices: expected a list",
        ),
    ],
)
def test_unusable_rows_say_why(benchmark: Benchmark, row: dict[str, Any], reason: str) -> None:
    with pytest.raises(RowError, match=reason):
        read(benchmark, row)


@pytest.mark.parametrize(
    ("cell", "cluster"), [(0, "0"), (1.0, "1"), ("0", "0"), (None, "x"), ("", "x"), (" a ", "a")]
)
def test_cluster_of_any_type(cell: object, cluster: str) -> None:
    row = {"id": "x", "scenario": "s", "label": 1, "cluster": cell}
    assert read(ETHICS, row).cluster == cluster


def test_empty_id_is_the_hash_of_the_content() -> None:
    with_id = read(ETHICS, {"id": "", "scenario": "I lied.", "label": 1})
    assert with_id.id == read(ETHICS, {"scenario": "I lied.", "label": 1}).id


@pytest.mark.parametrize(
    ("cell", "is_short"), [("True", True), (False, False), (None, None), ("maybe", None)]
)
def test_is_short_that_does_not_say_is_neither(cell: object, is_short: bool | None) -> None:
    row = {"scenario": "s", "label": "1.0", "is_short": cell}
    item = read(ETHICS, row)
    assert item.metadata["is_short"] is is_short
    assert item.target == 0


def test_options_that_look_the_same_are_the_same() -> None:
    with pytest.raises(RowError, match="two identical"):
        read(MORALCHOICE, {"context": "c", "action1": "caf\u00e9", "action2": "cafe\u0301\u200b"})
