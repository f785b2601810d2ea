"""Sentences and facts of sections that only some designs have, as for the rest in test_findings."""

from typing import Any

import pandas as pd
import pytest

from tests.analysis.frames import answer, answers, table
from tests.analysis.scored import log, sample
from tests.report.studies import (
    authority_study,
    dilemmas,
    ladder_study,
    leave_undrawn,
    results_of,
)
from vr_evals.analysis.compare_logs import scored_tasks
from vr_evals.analysis.scored_logs import ScoredLogs
from vr_evals.conditions import CONDITIONS
from vr_evals.report.blocks import Section
from vr_evals.report.comparison import render_comparison
from vr_evals.report.sections.answers import answers_section
from vr_evals.report.sections.authority import authority_section
from vr_evals.report.sections.calibration import calibration_section
from vr_evals.report.sections.flips import flips_section
from vr_evals.report.sections.overview import overview


def plain(text: str) -> str:
    """A text without the marks that isolate names."""
    return text.replace("\u2068", "").replace("\u2069", "")


def said(section: Section) -> str:
    return plain("\n".join(section.findings))


def answered(rows: pd.DataFrame) -> str:
    """The sentences of the first answers."""
    return plain("\n".join(answers_section(results_of(rows)).answers[0].sentences))


@pytest.mark.parametrize(("models", "more"), [(1, ""), (8, "The first table has 2 more by level.")])
def test_a_cue_at_several_levels_is_said_by_level(models: int, more: str) -> None:
    study = authority_study()
    study = study[study["condition"].isin(["control", "high_harm"])]
    rows = [
        study.assign(level=pd.Series(level, index=study.index, dtype="Int64"), model=f"m/{number}")
        for number in range(models)
        for level in (None, 2)
    ]
    text = said(authority_section(results_of(pd.concat(rows, ignore_index=True))))
    assert (
        "Excess compliance under high harm by level, in points (m/0, moralchoice, thinking off): "
        "without a level +100.0 [+51.5, +100.0] (n = 12 items); level 2 +100.0 [+51.5, +100.0] "
        "(n = 12 items)."
    ) in text
    assert text.count("by level, in points") == min(models, 6)
    assert more in text
    assert ("more by level" in text) == bool(more)


def test_what_the_extended_design_separates_is_said() -> None:
    endorsed = {"help": "A", "harm": "B", None: None}
    cues = {n: endorsed[c.valence] for n, c in CONDITIONS.items() if c.valence != "random"}
    study = authority_study(cues, items=30)
    study["acknowledged"] = pd.Series(index=study.index, dtype="string")
    section = authority_section(results_of(study))
    text = said(section)
    for sentence in (
        "The source (experts against a non-expert) changes how often the endorsed option is chosen "
        "significantly in 1 of 2 cases after Holm's correction (largest: +50.0 [",
        "Naming an option without a source changes how often the endorsed option is chosen "
        "significantly in none of 2 cases after Holm's correction (effects under about ",
    ):
        assert sentence in text
    [chart] = [chart for chart in section.charts if chart.anchor == "authority-effects"]
    assert len(chart.panels) == 1
    mentions = "Replies that mention the authority"
    assert not any(mentions in each.caption for each in section.tables)
    of_plain = authority_section(results_of(authority_study())).tables
    assert any(mentions in each.caption for each in of_plain)


@pytest.mark.parametrize(
    ("control", "flips"),
    [("ABBB", "in 1 of 1 cell after Holm's correction (largest: +25.0 ["), ("BBBB", "in none of")],
    ids=["less", "as much"],
)
def test_what_reflection_adds_to_asking_again_is_said(control: str, flips: str) -> None:
    rows = [
        *answers("AAAA" * 10, level=5, log="reflection", first_label="B"),
        *answers(control * 10, level=5, second_pass="reask", log="reask", first_label="A"),
    ]
    text = said(flips_section(results_of(table(rows))))
    assert (
        "Reflection is compared with asking again, paired by item: the difference in flips is "
        f"significant {flips}"
    ) in text
    assert "the difference in net flips is significant in 1 of 1 cell" in text
    assert "of the control, which only repeats the question, the share of answers that ch" in text


def test_a_chart_says_that_its_marks_and_the_sentences_adjust_over_different_tests() -> None:
    chart = authority_section(results_of(authority_study())).charts[0]
    assert "the tests of the model; sentences correct for the tests of all models" in (
        chart.how_to_read
    )


def test_how_many_replies_of_level_4_state_both_answers_is_said() -> None:
    rows = [
        answer(
            f"i{n}",
            "AB"[n % 2],
            level=4,
            first_format="headed" if n % 3 else "missing",
            first_label="A" if n % 3 else None,
        )
        for n in range(30)
    ]
    text = said(flips_section(results_of(table(rows))))
    assert "From the initial to the final answer of level 4, the share of answers that" in text
    assert "level-4 replies in which both answers could be read is 66.7% [" in text


def test_of_many_significant_effects_some_are_named() -> None:
    rows = [a for level in range(6) for a in answers(("A" if level else "B") * 30, level=level)]
    text = answered(table(rows))
    assert text.count("100.0 points higher at") == 4
    assert "and 1 more in the table; 30 items in 1 pair of cells." in text


def test_effects_over_unlike_items_and_cells_have_ranges() -> None:
    rows = [
        *answers("B" * 30, level=0),
        *answers("A" * 30, level=1),
        *answers("A" * 20, level=2),
        *answers("B" * 30, level=0, model="m/two"),
        *answers("A" * 30, level=1, model="m/two"),
    ]
    assert answered(table(rows)).endswith("20 to 30 items in 1 to 2 pairs of cells.")


def test_effects_on_one_cluster_could_not_be_tested() -> None:
    of_one_cluster = [answer(f"c{n}", "A", level=0, cluster="c") for n in range(3)]
    rows = [
        *answers("B" * 30, level=0),
        *of_one_cluster,
        *answers("A" * 30, level=1),
        *(row | {"level": 2, "task": "moralchoice_level2"} for row in of_one_cluster),
    ]
    assert answered(table(rows)).endswith("1 effect could not be tested.")


def test_packages_of_tasks_and_unknown_epochs_are_facts() -> None:
    rows = ladder_study()
    rows.attrs["logs"] = [{"log": "a", "packages": {"inspect_evals": "0.26.0"}}]
    facts = dict(overview(results_of(rows)).facts)
    assert (facts["Task packages"], facts["Epochs"]) == ("inspect_evals 0.26.0", "up to 2")
    rows["epoch"] = pd.Series(pd.NA, index=rows.index, dtype=rows["epoch"].dtype)
    results = results_of(ladder_study())
    results.rows["epoch"] = pd.NA
    assert dict(overview(results).facts)["Epochs"] == "–"


def test_without_confidences_calibration_has_nothing_to_say() -> None:
    for rows in (dilemmas(), table(answers("AB"))):
        assert "ECE" not in said(calibration_section(results_of(rows)))


def scores(values: dict[str, Any]) -> ScoredLogs:
    return ScoredLogs(
        tuple(
            log(model, *(sample(f"i{n}", value) for n, value in enumerate(found)))
            for model, found in values.items()
        ),
        (),
    )


def test_means_are_compared_on_a_page_as_rates_are(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_undrawn(monkeypatch)
    tasks = scored_tasks(scores({"one": [2.5, 3.5, 3.0] * 8, "other": [1.0, 1.5, 1.25] * 8}))
    text = plain(render_comparison(tasks))
    assert "one minus other is +1.750 [" in text
    assert "+1.750 points" not in text


def test_a_page_has_sentences_on_the_largest_differences_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leave_undrawn(monkeypatch)
    tasks = scored_tasks(
        scores(
            {f"m{level}": [level + n % (2 + level) / 10 for n in range(12)] for level in range(8)}
        )
    )
    text = plain(render_comparison(tasks))
    assert "8 more significant differences: section 3." in text
