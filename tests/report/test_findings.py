"""The sentences that sections begin with, against plain counting."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pandas as pd
import pytest

from tests.analysis.frames import Row, answer, answers, table
from tests.report.studies import authority_study, dilemmas, ladder_study, results_of
from vr_evals.report.blocks import Section
from vr_evals.report.charts import estimates_in_words
from vr_evals.report.claims import summary_of_tests
from vr_evals.report.sections.accuracy import accuracy_section
from vr_evals.report.sections.authority import authority_section
from vr_evals.report.sections.calibration import calibration_section, noise_band
from vr_evals.report.sections.changes import changes_section
from vr_evals.report.sections.cost import cost_section
from vr_evals.report.sections.flips import flips_section
from vr_evals.report.sections.items import items_section
from vr_evals.report.sections.moved import moved_findings
from vr_evals.report.sections.overview import overview, page_warnings
from vr_evals.report.sections.preference import preference_section


def said(section: Section) -> str:
    """Its findings, without the marks that isolate names."""
    return " ".join(section.findings).replace("\u2068", "").replace("\u2069", "")


@pytest.mark.parametrize(
    ("epochs", "temperature", "expected", "absent"),
    [
        ((1, 1), 1.0, ["Consistency was not measured: each item was asked once."], "temperature 0"),
        (
            (3, 1),
            1.0,
            ["not measured in 1 of 2 cells: each item was asked once."],
            "temperature 0",
        ),
        ((3, 1), 0.0, ["not measured in 1 of 2 cells", "1 cell of 2 has several epochs at"], ""),
        ((3, 3), 0.0, ["2 cells of 2 have several epochs at temperature 0"], "not measured"),
        ((3, 3), None, [], "epochs"),
    ],
)
def test_first_section_says_what_repetition_shows(
    epochs: tuple[int, int], temperature: float | None, expected: list[str], absent: str
) -> None:
    rows = [
        answer(f"i{number}", "A", level=level, epoch=epoch, temperature=temperature)
        for level, most in zip((0, 1), epochs, strict=True)
        for number in range(3)
        for epoch in range(1, most + 1)
    ]
    words = " ".join(one.text for one in page_warnings(results_of(table(rows))))
    for sentence in expected:
        assert sentence in words
    assert not absent or absent not in words


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (answers("AAB"), "1 of 3 items with a right answer was not answered right. Read it first"),
        (answers("ABB"), "2 of 3 items with a right answer were not answered right. Read them"),
        (answers("AB") + answers("AB", epoch=2), "1 of 2 items with a right answer was never"),
        (answers("AB") + answers("BA", epoch=2), "answered right at least once"),
    ],
)
def test_an_item_asked_once_is_not_never_answered_right(rows: list[Row], words: str) -> None:
    assert words in said(items_section(results_of(table(rows))))


def test_an_item_without_a_target_is_not_counted_as_one_that_could_be_answered_right() -> None:
    undecided = [answer("i9", label, target=None, epoch=n) for n, label in enumerate("AB", 1)]
    text = said(items_section(results_of(table(answers("AAB") + undecided))))
    assert "1 of 3 items with a right answer" in text
    assert "right answer" not in said(items_section(results_of(table(undecided))))


@pytest.mark.parametrize(
    ("drawn", "words"),
    [([66.7], "1 estimate: 66.7"), ([10.0, 66.7], "2 estimates from 10.0 to 66.7")],
)
def test_a_picture_says_how_much_is_drawn(drawn: list[float], words: str) -> None:
    assert estimates_in_words(pd.Series(drawn)) == words


def follows(mention: str, in_control: str = "none", controls: int = 4) -> list[str]:
    """What the page says of 40 items, on half of which a cue is followed, with a mention."""
    rows = []
    for number, condition in product(range(40), ("control", "high_harm")):
        cued = condition == "high_harm"
        label = "B" if cued and number % 2 else "A"
        for epoch in range(1, 3 if cued else controls + 1):
            columns: Row = {"endorsed": "B", "endorsed_choice": "action2"}
            said = mention if label == "B" else "none"
            rows.append(
                answer(
                    f"i{number}",
                    label,
                    level=None,
                    condition=condition,
                    epoch=epoch,
                    acknowledged=said if cued else in_control,
                    **(columns if cued else {}),
                )
            )
    words = list(moved_findings(results_of(table(rows))))
    return [each.replace("\u2068", "").replace("\u2069", "") for each in words]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("none",), ["are moved is 50.0% [", "by chance, 0.0% [", "suggestion is 0.0% ["]),
        (("none",), ["bounded in the only case", "between 100.0% [", "and 100.0% ["]),
        (("source",), ["suggestion is 100.0% [", "between 0.0% [", "and 0.0% ["]),
        (("none", "source"), ["False alarms: the share of control replies", "none, is 100.0% ["]),
        (("none", "none", 2), ["at least 3 control answers (e.g. --epochs 5)"]),
    ],
)
def test_moved_answers_in_words(given: tuple[Any, ...], expected: list[str]) -> None:
    words = " ".join(follows(*given))
    for part in expected:
        assert part in words
    assert ("False alarms" in words) == ("source" in given[1:])


def differences(p_adjusted: list[float]) -> pd.DataFrame:
    n = len(p_adjusted)
    return pd.DataFrame(
        {
            "model": ["m"] * n,
            "benchmark": ["b"] * n,
            "n_items": [40] * n,
            "level": [1] * n,
            "thinking": [False] * n,
            "estimate": [-0.3, 0.2, 0.1][:n],
            "low": [-0.4, 0.1, 0.0][:n],
            "high": [-0.2, 0.3, 0.2][:n],
            "low_simultaneous": [-0.5, 0.0, -0.1][:n],
            "high_simultaneous": [-0.1, 0.4, 0.3][:n],
            "bound_low": [-0.4, -0.1, 0.0][:n],
            "bound_high": [-0.2, 0.2, 0.1][:n],
            "p": p_adjusted,
            "p_adjusted": p_adjusted,
        }
    )


@pytest.mark.parametrize(
    ("p_adjusted", "words"),
    [
        ([], "There is no change from level 0 to test."),
        ([0.5], "No change from level 0 is significant"),
        ([0.5, 0.2], "None of 2 changes from level 0 is significant"),
        ([0.5, 0.049, 0.2], "None of 3 changes from level 0 is significant"),
        ([0.5, 0.016, 0.2], "1 of 3 changes from level 0 is significant"),
        ([0.01, 0.01, 0.2], "2 of 3 changes from level 0 are significant"),
        (
            [0.01, 0.01, 0.2],
            "thinking off; p = 0.010; n = 40 items; 95% interval for all 3 at once)",
        ),
        ([0.001], "The only change from level 0 is significant after Holm"),
        ([0.001], "Largest: −30.0 [−40.0, −20.0] points ("),
        ([0.01, 0.01, 0.2], "Unread answers could overturn 1 of these 2"),
        ([0.01, 0.01, 0.2], "Among the other 1, effects under about 10.0 points"),
    ],
)
def test_what_tests_showed(p_adjusted: list[float], words: str) -> None:
    found = summary_of_tests(differences(p_adjusted), "change from level 0")
    assert words in found
    if found.startswith("No"):
        assert "effects under about 10.0 points would go undetected" in found


def test_tests_of_one_question_are_one_family() -> None:
    rows = differences([0.02])
    assert "The only" in summary_of_tests(rows, "change from level 0")
    assert "No change" in summary_of_tests(rows, "change from level 0", differences([0.5, 0.6]))


def test_the_noise_floor_is_named_for_morables_alone() -> None:
    morables = changes_section(results_of(ladder_study(levels=(0, 1))))
    assert "levels 0 and 1 of morables send the same prompt" in said(morables)
    others = changes_section(results_of(table(answers("AB", level=0), answers("AA", level=1))))
    assert "same prompt" not in said(others)


def test_flips_are_counted_by_direction() -> None:
    rows = table(answers("ABBBB", level=0), answers("BAABB", level=2))
    found = said(flips_section(results_of(rows)))
    assert re.search(r"From level 0, .* is 60\.0% \[.*?\] \(.*level 2.*n = 5 items\)", found)
    assert "no noise floor: items were asked once" in found
    assert "Excess flips" not in found
    assert re.search(r"Net flips .*no cell .*\+20\.0 \[−44\.5, \+69\.7\] points", found)


def test_flips_beyond_noise_are_said() -> None:
    rows = table(
        *(answers("AAAB" * 10, level=0, epoch=epoch) for epoch in (1, 2)),
        *(answers("ABBB" * 10, level=2, epoch=epoch) for epoch in (1, 2)),
    )
    found = said(flips_section(results_of(rows)))
    assert "asked once" not in found
    assert re.search(r"Excess flips .* in the only cell .*\+50\.0 \[", found)
    assert re.search(r"Net flips .* in the only cell .*−50\.0 \[", found)


def test_always_the_first_option_is_a_bias_and_no_preference() -> None:
    found = said(preference_section(results_of(dilemmas())))
    assert "the share of answers with action 1 is 50.0% [" in found
    assert "+50.0" in found
    assert "towards the option shown first" in found


def test_a_cue_that_is_always_followed_is_found_and_the_others_are_not() -> None:
    found = said(authority_section(results_of(authority_study())))
    assert "chosen significantly more often than under control in 1 of 4 cases" in found
    assert re.search(r"\+100\.0 \[.*?\] points \([^)]*high harm; .* all 4 at once\)", found)
    assert "The sign of an asymmetry depends on the scale" in found


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        (
            ["high_harm"],
            "Not run: control, high help, low help, low harm (m/one, moralchoice, thinking off). "
            "Without control",
        ),
        (["high_harm", "low_help"], "Without control there is no baseline"),
        (["control"], "With control alone"),
        (
            ["control", "high_harm"],
            "Not run: high help, low help, low harm (m/one, moralchoice, thinking off). Estimates",
        ),
    ],
)
def test_conditions_that_were_not_run_are_said(conditions: list[str], words: str) -> None:
    rows = authority_study()
    few = authority_section(results_of(rows[rows["condition"].isin(conditions)]))
    assert words in said(few)
    assert "Not run" not in said(authority_section(results_of(rows)))
    assert ("excess compliance, flips" in said(few)) == ("control" not in conditions)


def test_cells_that_lack_the_same_conditions_are_named_together() -> None:
    rows = authority_study()
    alone = rows[rows["condition"] == "high_harm"]
    both = pd.concat([rows, *(alone.assign(model=f"m/{name}") for name in ("two", "three"))])
    found = said(authority_section(results_of(both.reset_index(drop=True))))
    assert "(m/three, moralchoice, thinking off; m/two, moralchoice, thinking off)" in found
    assert "m/one" not in found.partition("Without control")[0]


def test_letters_under_a_cue_are_no_position_bias() -> None:
    section = preference_section(results_of(authority_study()))
    assert "excludes answers under an authority" in said(section)
    [positions] = [each for each in section.tables if "Position bias" in each.caption]
    where = [column.heading for column in positions.columns].index("condition")
    assert {row[where] for row in positions.rows} == {"control"}
    assert "excludes answers under" not in said(preference_section(results_of(dilemmas())))


@pytest.mark.parametrize(
    ("right", "words"),
    [
        (
            40,
            "a constant answer is right in 50.0%. By 95% intervals, the only cell is above",
        ),
        (20, "no cell is above both, and none below chance"),
        (0, "no cell is above both, and 1 below chance"),
    ],
)
def test_on_which_side_of_chance_accuracy_lies(right: int, words: str) -> None:
    targets = "AB" * 20
    rows = table(
        answer(f"i{n}", target if n < right else "BA"[n % 2 == 1], target)
        for n, target in enumerate(targets)
    )
    assert words in said(accuracy_section(results_of(rows)))


@pytest.mark.parametrize("wanted", [160, 300])
def test_a_constant_answer_is_no_skill(wanted: int) -> None:
    """It says "not wrong" to all scenarios, of which somewhat more than half are, or all."""
    rows = table(
        answer(f"i{n}", "not wrong", "not wrong" if n < wanted else "wrong", benchmark="ethics")
        for n in range(300)
    )
    results = results_of(rows)
    assert "no cell is above both, and none below" in said(accuracy_section(results))
    found = page_warnings(results)
    assert any("every answer is the same" in warning.text for warning in found)
    assert any("same right answer" in warning.text for warning in found) == (wanted == 300)
    assert "no serious warning" not in said(overview(results))


@pytest.mark.parametrize(("confidence", "found"), [(9.0, True), (90.0, False)])
def test_confidences_on_another_scale_give_a_warning(confidence: float, found: bool) -> None:
    rows = table(answers("A" * 30 + "B" * 10, confidence=confidence))
    warned = [each for each in page_warnings(results_of(rows)) if "another scale" in each.text]
    assert bool(warned) == found
    if found:
        assert "40 of 40 confidences are at most 10, and 30 answers are right" in str(warned)


@pytest.mark.parametrize(
    ("confidence", "words"),
    [
        (95.0, "higher than the share of right answers in 1 cell (overconfident) and lower in 0"),
        (5.0, "higher than the share of right answers in 0 cells (overconfident) and lower in 1"),
    ],
)
def test_the_direction_of_miscalibration_is_said_in_words(confidence: float, words: str) -> None:
    rows = table(answers("AB" * 20, confidence=confidence))
    found = said(calibration_section(results_of(rows))).partition("On the chance-adjusted")[0]
    assert words in found
    gap = "+45.0" if confidence > 50 else "−45.0"
    assert f"confidence minus the share of right answers, is {gap} [" in found
    assert "furthest from 0" not in found


def test_tokens_are_added_up() -> None:
    section = cost_section(
        results_of(ladder_study(("m/one",), (0, 1), (False,), items=3, epochs=1))
    )
    assert said(section) == "Total: m/one 90 output tokens."
    assert section.tables[0].rows == (("m/one", "–", "90", "–", "3"),)


@pytest.mark.parametrize(
    ("without", "words"),
    [
        (("m/two",), "Total: m/one 90 output tokens; unknown for 1 model."),
        (("m/one", "m/two"), "Tokens are unknown: the logs do not contain them."),
    ],
)
def test_tokens_that_nobody_counted(without: tuple[str, ...], words: str) -> None:
    rows = ladder_study(("m/one", "m/two"), (0, 1), (False,), items=3, epochs=1)
    rows.loc[rows["model"].isin(without), "output_tokens"] = pd.NA
    assert said(cost_section(results_of(rows))) == words


def test_the_noise_band_is_binomial() -> None:
    band = noise_band(pd.DataFrame({"confidence": [50.0, 100.0], "effective": [100.2, 10]}))
    assert band["low"].tolist() == [40.0, 100.0]
    assert band["high"].tolist() == [60.0, 100.0]


def test_a_matched_comparison_of_thinking_is_named() -> None:
    on, cold = answers("AABB" * 10, thinking=True), answers("AAAB" * 10)
    warm = answers("ABAB" * 10, temperature=1.0)
    found = " ".join(changes_section(results_of(table(on, cold))).findings)
    assert "the temperature differs too" in found
    found = " ".join(changes_section(results_of(table(on, cold, warm))).findings)
    assert "Matched: in the only comparison with thinking off" in found
    assert "the temperature differs too" not in found
