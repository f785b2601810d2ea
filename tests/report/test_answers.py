"""Section 1: an answer to each question, and what it leaves out."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.analysis.frames import answer, answers, table
from tests.report.studies import authority_study, ladder_study, leave_undrawn, results_of
from vr_evals.report.blocks import EVERY_ANSWER, PageWarning, Section
from vr_evals.report.charts import by_model, effects_drawn
from vr_evals.report.page import SECTIONS
from vr_evals.report.results import Results
from vr_evals.report.sections.answers import answers_section, differing
from vr_evals.report.sections.overview import page_warnings


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_undrawn(monkeypatch)


def made(rows: pd.DataFrame, margin: float | None = None) -> Section:
    return answers_section(results_of(rows, margin=margin))


def said(section: Section, question: str) -> str:
    """The answer to a question, without marks of direction."""
    [found] = [each for each in section.answers if each.question.startswith(question)]
    return " ".join(found.sentences).translate({0x2068: None, 0x2069: None})


def two_levels(right: str, reflective: str) -> pd.DataFrame:
    """Items at level 0 and level 2, an answer A being right."""
    return table(answers(right * 10, level=0), answers(reflective * 10, level=2))


def test_each_question_has_an_answer() -> None:
    section = made(pd.concat([ladder_study(), authority_study()], ignore_index=True))
    assert not section.folded
    for question in ("Reflection levels", "Extended thinking", "Models", "Appeals to authority"):
        assert said(section, question)
    one = made(table(answers("AB", level=None)))
    for question in ("Reflection levels", "Extended thinking", "Models", "Appeals to authority"):
        assert said(one, question).startswith("Not in this study: it needs ")


def test_a_clear_effect_has_direction_size_interval_items_and_p() -> None:
    text = said(made(two_levels("BBBA", "AAAA")), "Reflection levels")
    assert text.startswith(
        "The share of right answers is 75.0 points higher at level 2 than at level 0 "
        "(95% interval +"
    )
    assert "adjusted p < 0.001" in text
    assert text.endswith("; 40 items in 1 pair of cells.")
    lower = said(made(two_levels("AAAA", "BBBA")), "Reflection levels")
    assert "75.0 points lower at level 2 than at level 0" in lower


def test_settings_are_named_as_they_are_typed() -> None:
    cut = {"variant": "max_tokens=300", "settings": '{"max_tokens": 300}', "log": "cut"}
    rows = table(answers("BBBA" * 10, level=0, **cut), answers("AAAA" * 10, level=2, **cut))
    both = pd.concat([two_levels("BBBA", "AAAA"), rows], ignore_index=True)
    text = said(made(both), "Reflection levels")
    assert "(settings max_tokens=300)" in text


def test_no_effect_has_what_would_have_been_detected() -> None:
    rows = two_levels("ABAB", "ABBA")
    text = said(made(rows), "Reflection levels")
    assert "between level 2 and level 0 is not significant (0.0 points; 95% interval −" in text
    [detectable] = results_of(rows).effects.query("is_primary")["detectable"]
    assert f"an effect over about {100 * detectable:.1f} points would have been detected" in text


def test_with_a_margin_no_difference_can_be_small() -> None:
    same = two_levels("AAAB" * 30, "AAAB" * 30)
    assert "is smaller than 5.0 points (0.0 points" in said(
        made(same, margin=5), "Reflection levels"
    )
    assert "is not significant" in said(made(same, margin=0.01), "Reflection levels")


@pytest.mark.parametrize(
    ("noise", "found"),
    [("", "−100.0 to +100.0 points)"), ("AB", "−95.2 to +95.2 points, adjusted p < 0.001)")],
)
def test_opposite_effects_are_not_hidden_in_their_average(noise: str, found: str) -> None:
    rows = table(
        *(
            answers(labels * 40 + noise, level=level, model=model)
            for model, first, second in (("m/one", "A", "B"), ("m/two", "B", "A"))
            for level, labels in ((0, first), (2, second))
        )
    )
    text = said(made(rows), "Reflection levels")
    assert (
        f"The effect differs between cells (lowest to highest cell; level 2 minus level 0: {found}"
        in text
    )


def test_that_cells_differ_is_adjusted_over_the_effects_of_a_question() -> None:
    rows = pd.DataFrame(
        {
            "p_heterogeneity": [0.02, 0.04, 0.9, np.nan],
            "lowest": -0.1,
            "highest": [0.1, 0.1, 0.1, 0.0],
        }
    )
    assert differing(rows).empty
    assert differing(rows.head(1))["p_heterogeneity"].tolist() == [0.02]
    assert differing(rows.assign(p_heterogeneity=[0.01, 0.04, 0.9, np.nan])).index.tolist() == [0]


def test_sides_against_the_same_one_are_one_sentence() -> None:
    rows = table(
        answer(f"i{n}", "A" if level else "B", "A", level=level)
        for n, level in product(range(30), (0, 1, 2))
    )
    [sentence] = made(rows).answers[0].sentences
    assert sentence.startswith("Compared with ")
    assert sentence.count("100.0 points higher at") == 2


def test_what_is_left_out_is_in_the_notes() -> None:
    rows = table(answers("ABAB", level=0), answers("AB", level=2))
    section = made(rows)
    assert any("left out: 2 items that not all compared cells have" in n for n in section.notes)


def test_all_effects_are_in_the_tables_of_the_charts() -> None:
    results = results_of(ladder_study())
    primary, other = answers_section(results).charts
    effects = results.effects
    assert len(primary.table.rows) == effects["is_primary"].sum()
    shown = len(other.table.rows) + other.table.left_out
    assert shown == (~effects["is_primary"]).sum()
    assert other.folded
    assert [key.label for key in primary.legend] == ["average over models", "m/one", "m/two"]


def test_models_are_drawn_beside_their_average_if_they_can_be_told_apart() -> None:
    for n_models, n_series in ((1, 1), (2, 3), (4, 5), (5, 1)):
        models = tuple(f"p/m{n}" for n in range(n_models))
        results: Results = results_of(ladder_study(models, (0, 2), (False,), items=4, epochs=1))
        primary = results.effects[results.effects["is_primary"]]
        drawn, series = effects_drawn(primary, results.effects_of_models)
        assert len(series) == n_series
        assert set(drawn["series"]) == set(series)
        # effects of levels are labelled with both sides, models without their provider
        assert "level 2 − level 0" in set(drawn["row"])
        assert not any("p/m" in row for row in drawn["row"])


def test_a_panel_has_five_models_at_most() -> None:
    frame = pd.DataFrame({"model": [f"m{n:02d}" for n in range(12)]})
    drawn, series = by_model(frame)
    assert len(series) == 12
    assert drawn.groupby("group").size().tolist() == [5, 5, 2]
    assert set(by_model(frame.head(5))[0]["group"]) == {""}


def test_warnings_are_in_order_of_weight_and_say_what_they_touch() -> None:
    found = page_warnings(results_of(ladder_study(simulated=True)))
    ranks = [
        (
            ("serious", "caution", "note").index(warning.severity),
            -(99 if warning.touches == EVERY_ANSWER else len(warning.touches)),
        )
        for warning in found
    ]
    assert ranks == sorted(ranks)
    assert all(isinstance(each, PageWarning) and each.touches for each in found)
    assert found[0].touches == EVERY_ANSWER


def test_only_answers_and_warnings_are_open() -> None:
    results = results_of(ladder_study(("m/one",), (0, 2), (False,), items=4, epochs=1))
    open_sections = [part.anchor for make in SECTIONS if not (part := make(results)).folded]
    assert open_sections == ["answers", "distrust"]


def test_an_answer_that_unread_answers_could_overturn_says_so() -> None:
    """If the unread ones were right at level 0, there were no effect."""
    unread = said(made(two_levels("A---", "AAAA")), "Reflection levels")
    assert "75.0 points higher at level 2" in unread
    assert unread.endswith(
        "Unread answers could overturn this: if each of them could be any option, the worst-case "
        "bounds include 0."
    )
    wrong = said(made(two_levels("ABBB", "AAAA")), "Reflection levels")
    assert "75.0 points higher at level 2" in wrong
    assert "Unread" not in wrong


def test_a_small_effect_that_unread_answers_could_make_large_says_so() -> None:
    for right, is_unread in (("AAAB" * 20, False), ("AAA-" * 20, True)):
        text = said(made(two_levels(right, "AAAB" * 20), margin=10), "Reflection levels")
        assert "smaller than 10.0 points" in text
        assert ("worst-case bounds are not within it" in text) == is_unread


def test_reflection_and_its_control_have_an_answer() -> None:
    rows = [
        *answers("ABAB" * 10, level=0),
        *answers("AAAA" * 10, level=5, log="reflection"),
        *answers("ABBB" * 10, level=5, second_pass="reask", log="reask"),
    ]
    section = made(table(rows))
    text = said(section, "Reflection levels")
    assert (
        "The share of right answers is 75.0 points higher at level 5 (reflection) than at level 5 "
        "(re-asking) (95% interval +" in text
    )
    assert "reask" not in text  # the control is not an effect of level 5


def test_outcomes_of_primary_effects_are_no_other_outcomes() -> None:
    rows = [
        *answers("ABAB" * 10, level=0),
        *answers("AAAA" * 10, level=5, log="reflection"),
        *answers("ABBB" * 10, level=5, second_pass="reask", log="reask"),
    ]
    assert "share of right answers" not in said(made(table(rows)), "Other outcomes")


@pytest.mark.parametrize(
    ("setting", "other", "words"),
    [
        ("temperature", 0.7, "temperature (0.7 and 0)"),
        ("dataset", "hub", "dataset (hub and sample)"),
    ],
)
def test_a_question_that_was_asked_with_other_settings_names_both_sides(
    setting: str, other: Any, words: str
) -> None:
    rows = [
        *answers("ABAB", level=0),
        *answers("AABA", level=2, **{setting: other}),
        *answers("AABA", level=3, **{setting: other}),
    ]
    text = said(made(table(rows)), "Reflection levels")
    assert text == (
        "No answer, because settings differ: m/one, moralchoice, level 2, thinking off cannot be "
        "compared with m/one, moralchoice, level 0, thinking off, which differs in "
        f"{words}; likewise 1 other comparison."
    )
