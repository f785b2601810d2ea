"""What is found gives a warning, and nothing else does."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest

from tests.analysis.frames import answer, answers, table
from tests.breadth import some_quick
from vr_evals.report import results, warnings_on_samples
from vr_evals.report.blocks import Severity
from vr_evals.report.results import compute
from vr_evals.report.sections.overview import page_warnings
from vr_evals.report.warnings_on_design import FEW_ITEMS

REAL: dict[str, Any] = {
    "simulated": False,
    "sample_data": False,
    "imported": False,
    "dataset": "hub",
    "thought": False,
    "thinking_status": "honoured",
}


OF_SAMPLES = ("accuracy", "labels", "changes", "read_rates", "level_check", "quality")
OF_DESIGN = ("flips", "ladder", "models", "authority")
"""The frames that warnings are made of; one that asks for another is a KeyError."""


def only(names: Iterable[str]) -> pytest.MonkeyPatch:
    """Leave the other frames out, which are most of what a report takes."""
    patch = pytest.MonkeyPatch()
    patch.setattr(results, "FRAMES", {name: results.FRAMES[name] for name in names})
    return patch


@pytest.fixture(autouse=True)
def _no_other_frames() -> Iterator[None]:
    patch = only((*OF_SAMPLES, *OF_DESIGN))
    yield
    patch.undo()


def said(rows: pd.DataFrame) -> dict[str, str]:
    """The text of each warning, with its severity."""
    return {warning.text: warning.severity for warning in page_warnings(compute(rows))}


def plain(n: int = 120, **columns: Any) -> pd.DataFrame:
    """Runs that there is nothing to say against, but that each item was asked once."""
    return table(
        answer(f"i{number}", "AB"[(number + (number % 3 == 0)) % 2], target, **(REAL | columns))
        for number, target in enumerate(["A", "B"] * (n // 2) + ["A"] * (n % 2))
    )


@cache
def said_of_plain_runs() -> dict[str, str]:
    return said(plain())


def test_nothing_is_held_against_plain_runs() -> None:
    assert list(said_of_plain_runs().values()) == ["note"]
    assert "asked once" in next(iter(said_of_plain_runs()))


@pytest.mark.parametrize(
    ("columns", "severity", "words"),
    [
        ({"simulated": True}, "serious", "simulated respondents"),
        ({"sample_data": True}, "serious", "sample of items shipped"),
        ({"imported": True}, "caution", "imported from result files"),
        ({"complete": False}, "serious", "unfinished runs"),
        ({"thought": True}, "serious", "thinking condition: calls thought"),
        ({"thinking_status": "impossible"}, "serious", "not supported"),
        (
            {"thinking_status": "approximated"},
            "note",
            "thinking setting was sent only approximately",
        ),
        ({"temperature_status": "impossible"}, "note", "temperature was sent only approximately"),
        ({"cut_off": True}, "caution", "cut off at the token limit"),
        ({"include_confidence": True}, "caution", "No confidence could be read in 100.0%"),
    ],
)
def test_each_reason_is_said(columns: dict[str, Any], severity: str, words: str) -> None:
    found = said(plain(**columns))
    [text] = [text for text in found if words in text]
    assert found[text] == severity
    assert not [text for text in said_of_plain_runs() if words in text]


@pytest.mark.parametrize(("thought", "observed"), [(False, True), (True, False), (None, False)])
def test_a_setting_sent_in_another_way_may_have_worked(
    thought: bool | None, observed: bool
) -> None:
    found = said(plain(thinking_status="approximated", thought=thought))
    [text] = [text for text in found if "sent only approximately" in text]
    assert ("used thinking, or did not, as requested" in text) == observed


@pytest.mark.parametrize(
    ("asked", "served", "differs"),
    [
        ("openai/gpt-5.1", "gpt-5.1-2025-11-13", False),
        ("openai/gpt-5.1", "gpt-4o-mini", True),
        ("openai/gpt-5.1", None, False),
        ("mockllm/model", "anything", False),
        ("vr_sim/careful", "anything", False),
        ("vllm/Qwen/Qwen3-8B", "house", False),
    ],
)
def test_another_model_that_answered_is_counted_by_cell(
    asked: str, served: str | None, differs: bool
) -> None:
    rows = pd.concat([plain(model=asked), plain(model="m/two", served_model="two")])
    rows = rows.reset_index(drop=True)
    rows.loc[:2, "served_model"] = served
    found = [warning for warning in page_warnings(compute(rows)) if "another model" in warning.text]
    assert len(found) == differs
    for warning in found:
        assert warning.severity == "caution"
        assert warning.text.startswith("3 of 240 samples")
        [line] = warning.details
        assert served is not None
        assert served in line
        assert "3 of 120" in line


def test_an_alias_is_not_what_was_asked_for() -> None:
    rows = plain(model="GPT", log="a.eval", served_model="gpt-5.1-2025-11-13")
    rows.attrs["logs"] = [{"log": "a.eval", "model": "GPT", "model_name": "openai/gpt-5.1"}]
    assert not [text for text in said(rows) if "another model" in text]


@pytest.mark.parametrize(
    ("unread", "severity"), [(0, None), (2, None), (3, "caution"), (13, "serious")]
)
def test_answers_that_could_not_be_read(unread: int, severity: str | None) -> None:
    rows = plain()
    rows.loc[: unread - 1, ["label", "choice"]] = pd.NA
    rows.loc[: unread - 1, "answer_format"] = "refused"
    found = [(text, how) for text, how in said(rows).items() if "could not be read" in text]
    assert [how for _, how in found] == ([severity] if severity else [])
    if severity:
        assert f"refused {unread}" in found[0][0]


@pytest.mark.parametrize(
    ("n", "severity"), [(29, "serious"), (30, "caution"), (99, "caution"), (100, None)]
)
def test_few_items(n: int, severity: Severity | None) -> None:
    found = {text: how for text, how in said(plain(n)).items() if "fewer than" in text}
    assert list(found.values()) == ([severity] if severity else [])
    if severity:
        assert f"1 cell of 1 has fewer than {FEW_ITEMS[severity]} items (it has {n})" in str(found)


def test_cells_with_few_and_with_very_few_items_are_told_apart() -> None:
    rows = table(
        answer(f"i{number}", "A", level=level, **REAL)
        for level, n in ((0, 10), (1, 60), (2, 120))
        for number in range(n)
    )
    found = [text for text in said(rows) if "fewer than" in text]
    assert "1 cell of 3 has fewer than 30 items (it has 10)" in found[0]
    assert "1 other cell of 3 has fewer than 100 items (it has 60)" in found[1]


def test_items_of_a_cluster_count_as_one() -> None:
    rows = plain(120)
    rows["cluster"] = [f"c{number % 12}" for number in range(len(rows))]
    [(text, severity)] = [each for each in said(rows).items() if "fewer than" in each[0]]
    assert severity == "serious"
    assert "fewer than 30 independent items (it has 12; items of the same cluster" in text
    assert "With 12 independent items" in text


def test_the_documentation_has_the_same_thresholds() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reading-a-report.md").read_text(encoding="utf-8")
    for severity, wanted in FEW_ITEMS.items():
        [row] = [line for line in text.splitlines() if line.startswith(f"| {severity} |")]
        assert re.findall(r"fewer than (\d+) items", row) == [str(wanted)]


def test_items_that_one_side_lacks() -> None:
    rows = table(answers("AB", level=0, **REAL), answers("ABAB", level=1, **REAL))
    [text] = [text for text in said(rows) if "only one side answered" in text]
    assert "up to 2" in text
    [details] = [d.details for d in page_warnings(compute(rows)) if d.text == text]
    assert "2 left out, 2 compared" in details[0]


def test_rows_of_a_file_that_were_never_asked() -> None:
    for dataset, told in (("mine.csv", True), ("hub", False)):
        rows = plain()
        rows.attrs["logs"] = [{"dataset": dataset, "benchmark": "ethics", "skipped_rows": 3}]
        found = {warning.text: warning.details for warning in page_warnings(compute(rows))}
        details = [details for text, details in found.items() if "never asked" in text]
        assert details == [("mine.csv (ethics): 3 rows",)] * told


def test_settings_that_differ_are_named() -> None:
    rows = table(
        answers("AB", level=0, version="1-A", **REAL),
        answers("AB", level=0, version="2-A", **REAL),
        answers("AB", level=1, version="3-A", **REAL),
    )
    found = {warning.text: warning.details for warning in page_warnings(compute(rows))}
    [mixed] = [details for text, details in found.items() if "column “settings”" in text]
    assert [detail.strip("\u2068\u2069") for detail in mixed] == ["version=1-A", "version=2-A"]
    [refused] = [
        details for text, details in found.items() if "comparison" in text and "skipped" in text
    ]
    assert "version: 3-A vs 1-A" in refused[0]


def cues(read: dict[str, float], items: int = 60, epochs: int = 1, seed: int = 0) -> pd.DataFrame:
    """Control and cues, of whose answers a share is read; a read answer always complies."""
    random = Random(seed)
    return table(
        answer(
            f"i{number}",
            ("A" if condition == "control" else "B") if random.random() < share else None,
            level=None,
            condition=condition,
            epoch=epoch,
            endorsed=None if condition == "control" else "B",
            endorsed_choice=None if condition == "control" else "action2",
            help_choice="action1",
            harm_choice="action2",
            temperature=1.0,
        )
        for condition, share in read.items()
        for number in range(items)
        for epoch in range(1, epochs + 1)
    )


def uneven(rows: pd.DataFrame) -> list[tuple[str, tuple[str, ...]]]:
    patch = only(OF_SAMPLES)
    computed = compute(rows)
    patch.undo()
    return [
        (warning.severity, warning.details)
        for check in warnings_on_samples.CHECKS
        for warning in check(computed)
        if "due to format" in warning.text
    ]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ({"level": 0}, {"level": 1}, "level 1, thinking off: 50.0% read, level 0 100.0%"),
        ({"thinking": False}, {"thinking": True}, "thinking on: 50.0% read, thinking off 100.0%"),
        ({"thinking": True}, {"thinking": False}, "thinking on: 100.0% read, thinking off 50.0%"),
    ],
)
def test_reading_that_differs_between_two_sides(
    one: dict[str, Any], other: dict[str, Any], words: str
) -> None:
    rows = table(answers("A" * 20, **one), answers("A-" * 10, **other))
    [(severity, [detail])] = uneven(rows)
    assert severity == "serious"
    assert words in detail
    assert not uneven(table(answers("A" * 20, **one), answers("A" * 20, **other)))


def test_a_cue_that_is_read_less_often_than_its_control() -> None:
    [(severity, details)] = uneven(cues({"control": 0.95, "high_harm": 0.5, "low_harm": 0.95}))
    assert severity == "serious"
    assert len(details) == 1
    assert "high harm" in details[0]


@pytest.mark.parametrize("share", some_quick([0.6, 0.9, 0.98], (0.9).__eq__))
def test_reading_that_differs_by_chance_is_not_said(share: float) -> None:
    conditions = dict.fromkeys(["control", "high_help", "high_harm", "low_help", "low_harm"], share)
    said_of = [uneven(cues(conditions, items, seed=n)) for n in range(5) for items in (8, 40)]
    assert sum(map(bool, said_of)) <= 1


def test_repetitions_at_temperature_zero() -> None:
    rows = table(answers("AB", epoch=1), answers("AB", epoch=2))
    assert [text for text in said(rows) if "epochs at temperature 0" in text]
    rows = table(answers("AB", epoch=1, temperature=1.0), answers("AB", epoch=2, temperature=1.0))
    assert not [text for text in said(rows) if "epochs at temperature 0" in text]


@pytest.mark.parametrize(("temperatures", "differ"), [((0.0,), 1), ((0.0, 1.0), 0), ((1.0,), 0)])
def test_thinking_compared_at_another_temperature(
    temperatures: tuple[float, ...], differ: int
) -> None:
    off = [answers("ABAB", temperature=each) for each in temperatures]
    rows = table(*off, answers("ABBB", thinking=True, temperature=None))
    texts = [text for text in said(rows) if "of thinking on with thinking off" in text]
    assert len(texts) == differ
    assert all(text.startswith("In the only comparison of thinking on") for text in texts)


@pytest.mark.parametrize(
    ("forms", "alone"),
    [
        ({"a": ["reask"]}, ["a"]),
        ({"a": ["reask", "conversation"]}, []),
        ({"a": ["reask", "standalone"]}, []),
        ({"a": ["conversation"]}, []),
        ({"a": ["reask"], "b": ["conversation", "reask"]}, ["a"]),
    ],
)
def test_level_5_without_a_call_that_reflects(
    forms: dict[str, list[str]], alone: list[str]
) -> None:
    rows = [
        answers("AB", model=model, level=5, second_pass=form)
        for model, used in forms.items()
        for form in used
    ]
    both = compute(table(answers("AB", model="a", level=0), *rows))
    found = [warning for warning in page_warnings(both) if "second_pass=reask" in warning.text]
    assert [warning.severity for warning in found] == ["serious"] * bool(alone)
    where = [line for warning in found for line in warning.details]
    assert len(where) == len(alone)
    assert all(name in line for name, line in zip(alone, where, strict=True))


def test_repetitions_of_one_seed_are_copies() -> None:
    for epochs, told in ((1, False), (2, True)):
        rows = table(
            *(
                answers("AB" * 60, epoch=n, settings='{"sampling_seed": 7}')
                for n in range(1, epochs + 1)
            )
        )
        found = [said(rows)[text] for text in said(rows) if "the same --seed" in text]
        assert found == ["caution"] * told


def test_logs_that_were_skipped_or_lack_samples() -> None:
    rows = plain()
    rows.attrs["skipped"] = [
        {"log": "/x/a.eval", "reason": "no vr_evals scores", "repeated": False},
        {"log": "/x/b.eval", "reason": "retried in c.eval", "repeated": True},
    ]
    log = {"task": "t", "model": "m", "dataset": "hub", "changed_data": ["x.csv"]}
    counts = {"expected_samples": 10, "finished_samples": 7, "errors": 2}
    rows.attrs["logs"] = [log | counts]
    found = {warning.text: warning for warning in page_warnings(compute(rows))}
    assert found["1 log skipped."].details == ("a.eval: no vr_evals scores",)
    [repeated] = [text for text in found if "another log" in text]
    assert found[repeated].severity == "note"
    [missing] = [text for text in found if "3 samples missing in 1 log" in text]
    assert "2 of them because of an error" in missing
    assert [text for text in found if "differs from what the benchmark published" in text]
