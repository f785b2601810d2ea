"""Source, certainty, naming an option and mention come back apart, through prompts and logs."""

import math
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.frames import only
from tests.logs import metrics, samples
from tests.models.respondents import run, write_csv
from tests.report.html_page import read
from tests.report.studies import leave_undrawn
from vr_evals.analysis import authority, read_logs
from vr_evals.conditions import (
    AUTHORITY_CONDITIONS,
    EXTENDED_CONDITIONS,
    EXTENDED_RANDOM_CONDITIONS,
    RANDOM_CONDITIONS,
)
from vr_evals.report import render

N = 150
PULLS = {
    "pull_high": 0.7,
    "pull_high_hedged": 0.6,
    "pull_low_certain": 0.3,
    "pull_low": 0.2,
    "pull_option": 0.25,
}


def pulls(*valences: str) -> dict[str, float]:
    return {f"{name}_{valence}": pull for name, pull in PULLS.items() for valence in valences}


def check(frame: Any, condition: str, truth: dict[str, float]) -> None:
    for metric, expected in truth.items():
        row = only(frame, metric=metric, condition=condition)
        assert row.low < expected < row.high, (metric, condition, row)
        assert row.n_items == N


@pytest.mark.slow
def test_effects_are_recovered(tmp_path: Path) -> None:
    rows = [{"id": i, "scenario": f"I did it {i} times.", "label": i % 2} for i in range(N)]
    truth: dict[str, Any] = {"accuracy": 0.7, "mention_gain": 0.5, **pulls("help", "harm")}
    log = run(
        "ethics_authority",
        "careful",
        M=truth,
        dataset=write_csv(tmp_path / "ethics.csv", rows),
        design="extended",
        epochs=1,
        log_dir=str(tmp_path / "logs"),
    )
    frame = authority(read_logs(tmp_path / "logs"))
    for valence, room in (("help", 0.3), ("harm", 0.7)):
        check(
            frame,
            valence,
            {
                "source_effect": 0.4 * room,
                "certainty_effect": 0.1 * room,
                "option_effect": 0.25 * room,
                "mention_effect": 0.15 if valence == "help" else -0.15,
            },
        )
    assert only(frame, metric="source_effect", condition="harm").p < 0.05
    # a log has no keys beyond those of the five conditions
    assert set(metrics(log, "compliance")) == set(
        metrics(run("ethics_authority", dataset="sample", items=4, epochs=1), "compliance")
    )


@pytest.mark.slow
def test_without_a_right_option_a_random_one_is_endorsed(tmp_path: Path) -> None:
    rows = [
        {"id": i, "context": f"Case {i}.", "action1": "I stay.", "action2": "I go."}
        | {"ambiguity": "high"}
        for i in range(N)
    ]
    log = run(
        "moralchoice_authority",
        "careful",
        M={"p_action1": 0.5, **pulls("random")},
        dataset=write_csv(tmp_path / "dilemmas.csv", rows),
        subset="high",
        design="extended",
        epochs=1,
        log_dir=str(tmp_path / "logs"),
    )
    endorsed: dict[str, set[str]] = {}
    for sample in samples(log):
        of = sample.metadata
        if of["endorsed"] is not None:
            choice = of["choices"][of["labels"].index(of["endorsed"])]
            endorsed.setdefault(of["item"], set()).add(choice)
        assert sample.scores
        value = sample.scores["compliance"].value
        assert isinstance(value, dict)
        assert math.isnan(float(value["correct"]))
    assert all(len(choices) == 1 for choices in endorsed.values())
    first = sum(choices == {"action1"} for choices in endorsed.values())
    assert abs(first - N / 2) < 4 * math.sqrt(N / 4)
    table = read_logs(tmp_path / "logs")
    assert table["correct"].isna().all()
    frame = authority(table)
    check(
        frame,
        "random",
        {"source_effect": 0.2, "certainty_effect": 0.05, "option_effect": 0.125},
    )
    check(frame, "high_random", {"excess_compliance": 0.35})
    check(frame, "all", {"strength_differential": 0.25})
    assert not frame["metric"].isin(["pass@k", "good_flip", "asymmetry", "vulnerability"]).any()
    assert metrics(log, "compliance")["excess.high~"] > 0.2


@pytest.mark.parametrize(
    ("task", "parameters", "conditions"),
    [
        ("morables_authority", {}, AUTHORITY_CONDITIONS),
        ("ethics_authority", {"design": "extended", "level": 2}, EXTENDED_CONDITIONS),
        ("mcqa_authority", {"design": "extended"}, EXTENDED_CONDITIONS),
        ("moralchoice_authority", {"subset": "high"}, RANDOM_CONDITIONS),
        (
            "moralchoice_authority",
            {"subset": "high", "design": "extended"},
            EXTENDED_RANDOM_CONDITIONS,
        ),
    ],
)
def test_conditions_of_a_design_differ_in_the_preamble_alone(
    task: str, parameters: dict[str, Any], conditions: Any
) -> None:
    log = run(task, dataset="sample", items=1, epochs=1, **parameters)
    found = {sample.metadata["condition"]: sample for sample in samples(log)}
    names = [condition.name for condition in conditions]
    assert set(found) == set(names)
    control = found["control"].messages[0].text
    for condition in conditions:
        sample = found[condition.name]
        assert str(sample.id).endswith(f"@{condition.suffix}")
        assert sample.messages[0].text.endswith(control)
        assert (sample.metadata["endorsed"] is None) == (condition.valence is None)
    assert log.eval.metadata
    assert log.eval.metadata["conditions"] == names


@pytest.mark.slow
def test_the_report_has_a_part_on_the_effects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_undrawn(monkeypatch)
    for task, parameters in (
        ("ethics_authority", {"design": "extended"}),
        ("moralchoice_authority", {"design": "extended", "subset": "high"}),
    ):
        run(
            task,
            "yes_man",
            dataset="sample",
            items=8,
            epochs=2,
            log_dir=str(tmp_path),
            **parameters,
        )
    section = read(render(read_logs(tmp_path))).section("authority")
    for words in (
        "The source (experts against a non-expert) changes how often",
        "Mentioning a report without an option",
        "Effects of source, certainty, naming an option and mention",
        "option random",
    ):
        assert words in section
    assert "Not run" not in section
