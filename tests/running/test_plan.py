"""What a grid comes to, before anything is run."""

from pathlib import Path

import pytest

from tests.commands.running import plan, ran, run
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.running.catalogue import catalogue
from vr_evals.running.grid import authority_grid, level_grid


def test_plan_of_the_whole_grid(tmp_path: Path) -> None:
    output = ran(
        "--benchmark", "all", "--levels", "0-5", "--thinking", "both", "--model", "vr_sim/careful",
        "--model", "vr_sim/overconfident", "--dataset", "sample", "--log-dir", str(tmp_path / "d"),
        "--dry-run",
    )  # fmt: skip
    assert plan(output) == {
        "ethics": ["12", "32", "1", "2", "768", "896"],
        "morables": ["12", "25", "1", "2", "600", "700"],
        "moralchoice": ["12", "44", "1", "2", "1,056", "1,232"],
        "total": ["36", "2", "2,424", "2,828"],
    }
    assert "dataset=sample: on 36 of 36 tasks" in output
    assert "logs: 72 in" in output
    assert not (tmp_path / "d").exists()


def test_plan_counts_what_options_make_of_samples(tmp_path: Path) -> None:
    output = ran(
        "--benchmark", "moralchoice,ethics", "--levels", "5,0-1", "--dataset", "sample",
        "--model", "vr_sim/careful,mockllm/m", "-T", "option_order=both",
        "-T", "second_pass=standalone", "--items", "10", "--epochs", "3", "--limit", "11-18",
        "--log-dir", str(tmp_path), "--dry-run",
    )  # fmt: skip
    # 10 dilemmas in two orders are 20 samples, of which 8 lie in the limit; no scenario does
    assert plan(output) == {
        "moralchoice": ["3", "8", "3", "2", "144", "192"],
        "ethics": ["3", "0", "3", "2", "0", "0"],
        "total": ["6", "2", "144", "192"],
    }
    assert "option_order=both: on 3 of 6 tasks" in output
    assert "second_pass=standalone: on 2 of 6 tasks" in output


def test_plan_names_its_benchmarks_on_a_narrow_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    output = ran(
        "--benchmark", "all", "--levels", "0", "--model", "vr_sim/careful", "--dataset", "sample",
        "--log-dir", str(tmp_path), "--dry-run",
    )  # fmt: skip
    assert "\nmoralchoice " in output
    assert "…" not in output
    sentences = output[output.index("consistency:") : output.index("\nabout ")]
    assert max(map(len, sentences.splitlines())) <= 60


@pytest.mark.parametrize(
    ("words", "once", "at_0"),
    [
        (
            "",
            "consistency: not measured.*--epochs 3: 36 samples, 54 calls (now 12 and 18)",
            "2 of 2",
        ),
        ("--thinking both", "--epochs 3: 72 samples", "2 of 4"),
        ("--epochs 1", "consistency: not measured", "2 of 2"),
        ("--epochs 2", None, "2 of 2"),
        ("--temperature 1", "--epochs 3: 36 samples", None),
        ("--thinking on --temperature 0", "--epochs 3: 36 samples", "2 of 2"),
        ("--thinking on --epochs 3", None, None),
    ],
)
def test_plan_says_what_repetition_would_show(
    words: str,
    once: str | None,
    at_0: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    output = ran(
        "--benchmark", "ethics", "--levels", "0,5", "--items", "3",
        "--model", "vr_sim/careful,vr_sim/open", "--dataset", "sample",
        "--log-dir", str(tmp_path), "--dry-run", *words.split(),
    )  # fmt: skip
    lines = {line.split()[0]: line for line in output.splitlines() if line.strip()}
    for start, expected in (("consistency:", once), ("temperature", at_0)):
        assert (start in lines) == (expected is not None)
        for part in (expected or "").split(".*"):
            assert part in lines.get(start, "")


def test_plan_of_authority(tmp_path: Path) -> None:
    output = ran(
        "--paradigm", "authority", "--benchmark", "all", "--thinking", "both", "--items", "3",
        "--model", "vr_sim/careful", "--dataset", "sample", "-T", "thinking_budget=3000",
        "--log-dir", str(tmp_path), "--dry-run",
    )  # fmt: skip
    rows = plan(output)
    # three items in five conditions, five epochs each, as the task has it
    assert rows["mcqa"] == ["2", "15", "5", "1", "150", "150"]
    assert rows["total"] == ["8", "1", "600", "600"]
    assert "thinking_budget=3000: on 4 of 8 tasks" in output


def test_a_list_of_forms_of_the_second_call_is_a_task_each(tmp_path: Path) -> None:
    output = ran(
        "--benchmark", "ethics", "--levels", "0,5", "--dataset", "sample", "--items", "4",
        "--model", "vr_sim/careful", "-T", "second_pass=conversation,reask,reask",
        "--log-dir", str(tmp_path), "--dry-run",
    )  # fmt: skip
    assert plan(output)["ethics"] == ["3", "4", "1", "1", "12", "20"]
    assert "second_pass=conversation,reask,reask: on 2 of 3 tasks" in output
    grid = authority_grid(
        ["ethics"], [Level.DIRECT, Level.TWO_PASS], [False], {"second_pass": "conversation,reask"}
    )
    assert [cell.arguments for cell in grid] == [
        {"level": 0}, {"level": 5}, {"level": 5, "second_pass": "reask"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("levels", "given", "match"),
    [
        ("0-4", "reask", "-T second_pass: not a parameter of any task in this grid"),
        ("5", "conversation,again", "invalid -T second_pass 'again': expected conversation, "),
        ("5", "reask,", "invalid -T second_pass '': expected conversation, "),
    ],
)
def test_forms_that_no_task_has(tmp_path: Path, levels: str, given: str, match: str) -> None:
    result = run(
        "--benchmark", "ethics", "--levels", levels, "--dataset", "sample",
        "--model", "vr_sim/careful", "-T", f"second_pass={given}",
        "--log-dir", str(tmp_path), "--dry-run",
    )  # fmt: skip
    assert result.exit_code == 2
    assert match in result.output


def test_a_level_that_a_benchmark_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {name: each for name, each in catalogue().items() if name != "ethics_level5"}
    monkeypatch.setattr("vr_evals.running.grid.catalogue", lambda: entries)
    names = ["ethics", "morables"]
    found = [cell.entry.name for cell in level_grid(names, None, [False], {})]
    assert len(found) == 2 * len(Level) - 1
    with pytest.raises(InputError, match="--levels: level 5 is not supported by ethics"):
        level_grid(names, [Level.DIRECT, Level.TWO_PASS], [False], {})


def test_parameters_go_to_the_tasks_that_have_them_and_defaults_to_none() -> None:
    grid = level_grid(
        ["ethics", "morables"],
        [Level.MINIMAL, Level.TWO_PASS],
        [False, True],
        {
            "dataset": "sample",
            "thinking_budget": "3000",
            "second_pass": "standalone",
            "option_order": "reversed",
            "seed": "0",
            "include_confidence": "true",
        },
    )
    every = {"dataset": "sample", "include_confidence": True}
    reverse, budget = {"option_order": "reversed"}, {"thinking_budget": 3000}
    alone = {"second_pass": "standalone"}
    assert {cell.entry.name: cell.arguments for cell in grid} == {
        "ethics_level1": every,
        "ethics_level1_thinking": every | budget,
        "ethics_level5": every | alone,
        "ethics_level5_thinking": every | alone | budget,
        "morables_level1": every | reverse,
        "morables_level1_thinking": every | reverse | budget,
        "morables_level5": every | reverse | alone,
        "morables_level5_thinking": every | reverse | alone | budget,
    }


@pytest.mark.parametrize(
    ("words", "suggested"),
    [
        ("--thinking both", True),
        ("--thinking both --temperature 1", False),
        ("--thinking off", False),
        ("--thinking both --paradigm authority", False),
    ],
)
def test_the_plan_suggests_a_matched_baseline_of_thinking(
    tmp_path: Path, words: str, suggested: bool
) -> None:
    levels = () if "authority" in words else ("--levels", "0")
    output = ran(
        "--benchmark", "ethics", *levels, "--dataset", "sample", "--items", "2",
        "--model", "vr_sim/careful", *words.split(), "--log-dir", str(tmp_path), "--dry-run",
    )  # fmt: skip
    assert ("--thinking off --temperature 1" in output) == suggested
