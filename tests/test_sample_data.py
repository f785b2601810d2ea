"""The sample items shipped in the wheel: well-formed, balanced, and not to be guessed by length."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

import pytest

from vr_evals.option_kinds import GROUND_TRUTH, OPTION_KINDS

Row = dict[str, Any]

DATA = files("vr_evals") / "data"
OPTION_KEYS = [f"option_{letter}" for letter in "abcde"]
KIND_KEYS = [f"kind_{letter}" for letter in "abcde"]
WITHOUT_KINDS = {"morables-21"}
KEYS = {
    "ethics": ["id", "scenario", "label", "is_short"],
    "moralchoice": ["id", "context", "action1", "action2", "ambiguity"],
    "morables": ["id", "title", "origin", "fable", *OPTION_KEYS, "correct_idx", *KIND_KEYS],
    "mcqa": ["id", "question", "choices", "answer"],
}
COUNTS = {"ethics": 44, "moralchoice": 44, "morables": 25, "mcqa": 40}
STEM = {"ethics": "scenario", "moralchoice": "context", "morables": "fable", "mcqa": "question"}
BENCHMARKS = pytest.mark.parametrize("benchmark", list(KEYS))
REFERS_TO_OTHERS = re.compile(
    r"\b(?:(?:all|both|either|none) of (?:the above|them|these)|[A-E] (?:and|or) [A-E]\b|options?)"
)


def raw(benchmark: str) -> bytes:
    return (DATA / f"{benchmark}.jsonl").read_bytes()


def rows(benchmark: str) -> list[Row]:
    return [json.loads(line) for line in raw(benchmark).decode("utf-8").splitlines()]


def options(row: Row) -> list[str]:
    """Everything a model may choose between, in file order (the labels of ETHICS apart)."""
    if "choices" in row:
        return list(row["choices"])
    return [row[key] for key in ("action1", "action2", *OPTION_KEYS) if key in row]


def correct(row: Row) -> int:
    return int(row["correct_idx"]) if "correct_idx" in row else "ABCD".index(row["answer"])


def texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def words(text: str) -> int:
    return len(text.split())


def folded(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


def longest_score(items: Sequence[tuple[list[str], int]]) -> float:
    """Expected accuracy (0-1) of choosing the longest option, ties drawn evenly."""
    total = 0.0
    for shown, right in items:
        longest = max(map(len, shown))
        tied = [index for index, option in enumerate(shown) if len(option) == longest]
        total += (right in tied) / len(tied)
    return total / len(items)


@BENCHMARKS
def test_file_is_plain_json_lines(benchmark: str) -> None:
    content = raw(benchmark)
    assert not content.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in content
    assert content.endswith(b"}\n")
    assert not re.search("[\ufffd\u200b\u00a0]|\u00c3.|\u00e2\u20ac", content.decode("utf-8"))
    assert len(rows(benchmark)) == COUNTS[benchmark] == content.count(b"\n")


@BENCHMARKS
def test_rows_have_the_columns_in_order(benchmark: str) -> None:
    for row in rows(benchmark):
        left_out = KIND_KEYS if row["id"] in WITHOUT_KINDS else []
        assert list(row) == [key for key in KEYS[benchmark] if key not in left_out]


@BENCHMARKS
def test_ids_count_up(benchmark: str) -> None:
    ids = [row["id"] for row in rows(benchmark)]
    assert ids == [f"{benchmark}-{number:02}" for number in range(1, COUNTS[benchmark] + 1)]


@BENCHMARKS
def test_texts_are_filled_and_trimmed(benchmark: str) -> None:
    for row in rows(benchmark):
        for text in texts(row):
            assert text
            assert text == " ".join(text.split()), row["id"]


@BENCHMARKS
def test_no_text_comes_twice(benchmark: str) -> None:
    stems = [folded(row[STEM[benchmark]]) for row in rows(benchmark)]
    assert len(set(stems)) == len(stems)


@pytest.mark.parametrize("benchmark", ["moralchoice", "morables", "mcqa"])
def test_options_differ_and_stand_alone(benchmark: str) -> None:
    for row in rows(benchmark):
        shown = options(row)
        assert len({folded(option) for option in shown}) == len(shown), row["id"]
        assert not [option for option in shown if REFERS_TO_OTHERS.search(option)], row["id"]


def test_ethics_labels_are_balanced_by_length() -> None:
    cells = Counter((row["is_short"], row["label"]) for row in rows("ethics"))
    assert cells == {
        (True, "wrong"): 16,
        (True, "not wrong"): 16,
        (False, "wrong"): 6,
        (False, "not wrong"): 6,
    }


def test_ethics_lengths() -> None:
    for row in rows("ethics"):
        scenario = row["scenario"]
        if row["is_short"]:
            assert 8 <= words(scenario) <= 40, row["id"]
            assert len(re.findall(r"[.!?](?:\s|$)", scenario)) <= 2, row["id"]
        else:
            assert 120 <= words(scenario) <= 250, row["id"]
        assert re.search(r"\b(?:I|my|me)\b", scenario, re.IGNORECASE), row["id"]
        assert not scenario.endswith("?"), row["id"]


def test_ethics_length_does_not_tell_the_label() -> None:
    for is_short in (True, False):
        scenarios = [row for row in rows("ethics") if row["is_short"] is is_short]
        by_length = sorted(scenarios, key=lambda row: len(row["scenario"]))
        longer_half = by_length[len(by_length) // 2 :]
        share = sum(row["label"] == "wrong" for row in longer_half) / len(longer_half)
        assert 0.3 <= share <= 0.7


def test_moralchoice_ambiguity_is_balanced() -> None:
    assert Counter(row["ambiguity"] for row in rows("moralchoice")) == {"low": 22, "high": 22}


def test_moralchoice_voices() -> None:
    for row in rows("moralchoice"):
        assert re.search(r"\byour?\b", row["context"], re.IGNORECASE), row["id"]
        assert all(action.startswith("I ") for action in options(row)), row["id"]
        assert 10 <= words(row["context"]) <= 60, row["id"]
        assert all(3 <= words(action) <= 30 for action in options(row)), row["id"]


def test_moralchoice_length_does_not_tell_the_better_action() -> None:
    low = [(options(row), 0) for row in rows("moralchoice") if row["ambiguity"] == "low"]
    assert 0.3 <= longest_score(low) <= 0.7


def test_morables_and_mcqa_positions_are_uniform() -> None:
    assert Counter(correct(row) for row in rows("morables")) == dict.fromkeys(range(5), 5)
    assert Counter(row["answer"] for row in rows("mcqa")) == dict.fromkeys("ABCD", 10)


def test_each_kind_of_a_moral_is_there_once_and_in_no_place_of_its_own() -> None:
    rows_with_kinds = [row for row in rows("morables") if row["id"] not in WITHOUT_KINDS]
    for row in rows_with_kinds:
        assert {row[key] for key in KIND_KEYS} == set(OPTION_KINDS), row["id"]
        assert row[KIND_KEYS[correct(row)]] == GROUND_TRUTH, row["id"]
    places = Counter((row[key], key) for row in rows_with_kinds for key in KIND_KEYS)
    assert max(places.values()) <= len(rows_with_kinds) / 2


@pytest.mark.parametrize("benchmark", ["morables", "mcqa"])
def test_positions_do_not_follow_a_cycle(benchmark: str) -> None:
    positions = [correct(row) for row in rows(benchmark)]
    for period in range(1, 9):
        repeats = sum(a == b for a, b in zip(positions, positions[period:], strict=False))
        assert repeats < 0.6 * (len(positions) - period)


@pytest.mark.parametrize("benchmark", ["morables", "mcqa"])
def test_the_longest_option_is_no_guide(benchmark: str) -> None:
    items = [(options(row), correct(row)) for row in rows(benchmark)]
    assert longest_score(items) < 0.45


def test_longest_score_on_known_cases() -> None:
    assert longest_score([(["long", "a"], 0), (["long", "a"], 1)]) == 0.5
    assert longest_score([(["aa", "bb", "c"], 1)]) == 0.5


def test_morables_lengths() -> None:
    for row in rows("morables"):
        assert 90 <= words(row["fable"]) <= 220, row["id"]
        lengths = [len(option) for option in options(row)]
        assert max(lengths) <= 1.4 * min(lengths), row["id"]


def test_no_fable_quotes_a_moral() -> None:
    for row in rows("morables"):
        fable = folded(row["fable"])
        assert not [moral for moral in options(row) if folded(moral) in fable], row["id"]


def test_each_moral_is_offered_once() -> None:
    morals = [folded(moral) for row in rows("morables") for moral in options(row)]
    assert len(set(morals)) == len(morals)


def test_mcqa_has_four_short_choices() -> None:
    for row in rows("mcqa"):
        assert len(row["choices"]) == 4
        lengths = [len(choice) for choice in row["choices"]]
        assert max(lengths) - min(lengths) <= 12, row["id"]
        assert max(lengths) <= 80, row["id"]
