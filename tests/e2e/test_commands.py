"""Inspect's own commands on our tasks, as a user types them."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from tests.breadth import some_quick
from tests.processes import PATIENCE, completed, started

ROOT = Path(__file__).parents[2]

# a model that needs no network and no weights, for commands that name one
MOCK = """
import os
from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi

@modelapi(name="vr_test")
class Mock(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        with open(os.environ["VR_TEST_CALLS"], "a+", encoding="utf-8") as file:
            file.write("call\\n")
            file.seek(0)
            calls = len(file.readlines())
        if calls > int(os.environ.get("VR_TEST_ANSWERS", "1000000")):
            import anyio
            await anyio.sleep_forever()
        said = ModelOutput.from_content(self.model_name, "<answer>A</answer>\\nFinal answer: wrong")
        said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return said
"""
START = "import vr_test_model; from inspect_ai._cli.main import main; main()"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "vr_test_model.py").write_text(MOCK, encoding="utf-8")
    return tmp_path


def environment(folder: Path, **more: str) -> dict[str, str]:
    return os.environ | {
        "INSPECT_LOG_DIR": str(folder / "logs"),
        "PYTHONPATH": str(folder),
        "VR_TEST_CALLS": str(folder / "calls"),
        **more,
    }


def inspect(folder: Path, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", START, *words]
    return completed(command, cwd=cwd or folder, env=environment(folder))


# each command in a process of its own, of which the first alone imports everything
START_EACH = """
import json, os, sys
import vr_test_model
import vr_evals._registry
from inspect_ai._cli.main import main
folder, commands = sys.argv[1], json.loads(sys.argv[2])
for number, words in enumerate(commands):
    child = os.fork()
    if child == 0:
        file = os.open(f"{folder}/{number}.txt", os.O_WRONLY | os.O_CREAT)
        os.dup2(file, 1)
        os.dup2(file, 2)
        sys.argv = ["inspect", *words]
        main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def each(
    folder: Path, *commands: Sequence[str], cwd: Path | None = None, code: int = 0
) -> list[str]:
    """What Inspect's commands print, each of which has to end with this code."""
    done = completed(
        [sys.executable, "-c", START_EACH, str(folder), json.dumps(commands)],
        cwd=cwd or folder,
        env=environment(folder),
    )
    shown = [
        (folder / f"{number}.txt").read_text(encoding="utf-8") for number in range(len(commands))
    ]
    assert done.stdout.split() == [str(code)] * len(commands), (*shown, done.stdout, done.stderr)
    return shown


def logs(folder: Path) -> list[EvalLog]:
    return [read_eval_log(info) for info in list_eval_logs(str(folder / "logs"))]


@pytest.mark.slow
def test_list_tasks_lists_all_of_ours(folder: Path) -> None:
    done = inspect(folder, "list", "tasks", "tasks", "--json", cwd=ROOT)
    names = [task["name"] for task in json.loads(done.stdout)]
    expected = {
        f"{benchmark}_level{level}{suffix}"
        for benchmark in ("ethics", "moralchoice", "morables")
        for level in range(6)
        for suffix in ("", "_thinking")
    } | {
        f"{benchmark}_authority{condition}"
        for benchmark in ("ethics", "moralchoice", "morables", "mcqa")
        for condition in ("", "_control", "_high_help", "_high_harm", "_low_help", "_low_harm")
    }
    assert expected == set(names)
    assert max(Counter(names).values()) == 1
    declared = yaml.safe_load((ROOT / "vr_evals" / "eval.yaml").read_text(encoding="utf-8"))
    assert {task["name"] for task in declared["tasks"]} == expected
    filtered = inspect(folder, "list", "tasks", "tasks", "-F", "level=5", cwd=ROOT)
    assert len(filtered.stdout.split()) == 6


@pytest.mark.slow
def test_task_by_path_and_solver_by_path(folder: Path) -> None:
    done = inspect(
        folder, "eval", "tasks/morables.py@morables_level2", "--model", "vr_test/m",
        "-T", "dataset=sample", "--limit", "2",
        "--solver", "solvers/levels.py@adversarial", cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    [log] = logs(folder)
    assert log.status == "success", log.error
    assert log.eval.task == "morables_level2"
    assert log.samples
    assert log.samples[0].metadata["as_run"]["level"] == 4
    assert "surface-level interpretations" in log.samples[0].messages[0].text


# parameters, and what is said of the last of them
REFUSED: dict[tuple[str, ...], str] = {
    ("dataset=sample", "include_confidence=maybe"): (
        "invalid -T include_confidence 'maybe': expected true"
    ),
    ("dataset=sample", "thinkin=true"): "-T thinkin: not a parameter of ethics_level0 (valid: ",
    ("dataset=sample", "thinking_budget=2000"): (
        "-T thinking_budget: not a parameter of ethics_level0"
    ),
    ("dataset=sample", "subset=short,long"): (
        "invalid -T subset 'short,long': expected short, long, all"
    ),
    ("dataset=nowhere.csv",): "dataset 'nowhere.csv': file not found",
    ("dataset=nowhere",): "expected hub, sample",
}


@pytest.mark.parametrize(
    "given", some_quick([list(REFUSED)[:2], list(REFUSED)[2:]], lambda given: len(given) == 2)
)
def test_bad_parameter_is_one_line_and_no_call(folder: Path, given: list[tuple[str, ...]]) -> None:
    task = ("eval", "vr_evals/ethics_level0", "--model", "vr_test/m")
    commands = [
        [*task, *(word for pair in parameters for word in ("-T", pair))] for parameters in given
    ]
    for parameters, shown in zip(given, each(folder, *commands, code=1), strict=True):
        assert REFUSED[parameters] in " ".join(shown.split()), shown
        assert "Traceback" not in shown
    assert not (folder / "calls").exists()
    assert not logs(folder)


GRID = ("vr_evals/ethics_level0", "vr_evals/ethics_level5", "vr_evals/morables_level0")


def eval_set(folder: Path) -> list[str]:
    return [
        sys.executable, "-c", START, "eval-set", *GRID, "--model", "vr_test/m", "-T",
        "dataset=sample", "--limit", "6", "--log-dir", str(folder / "set"),
        "--max-connections", "2", "--log-buffer", "1",
    ]  # fmt: skip


def test_eval_set_killed_and_started_again_loses_and_repeats_nothing(folder: Path) -> None:
    command = eval_set(folder)
    calls = folder / "calls"
    variables = environment(folder, VR_TEST_ANSWERS="10", INSPECT_LOG_DIR=str(folder / "set"))
    nothing = subprocess.DEVNULL
    with started(command, cwd=folder, env=variables, stdout=nothing, stderr=nothing) as running:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and running.poll() is None:
            if calls.exists() and len(calls.read_text().split()) > 10:
                break
            time.sleep(0.05)
        assert running.poll() is None, "it was not stopped in the middle"
    assert 10 < len(calls.read_text().split()) < 6 * 4
    done = completed(command, cwd=folder, env=environment(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    finished = [
        read_eval_log(info)
        for info in list_eval_logs(str(folder / "set"))
        if read_eval_log(info, header_only=True).status == "success"
    ]
    assert {log.eval.task for log in finished} == set(GRID)
    for log in finished:
        assert log.samples
        assert len({sample.id for sample in log.samples}) == len(log.samples) == 6


@pytest.mark.slow
def test_eval_retry_finishes_what_failed(folder: Path) -> None:
    items = folder / "items.csv"
    items.write_text("scenario,label\nI lied.,wrong\nI slept.,not wrong\n", encoding="utf-8")
    command = (
        "eval", "vr_evals/ethics_level5", "--model", "vr_test/m",
        "-T", f"dataset={items}", "-T", "subset=all",
    )  # fmt: skip
    variables = environment(folder, VR_TEST_ANSWERS="nonsense")
    completed([sys.executable, "-c", START, *command], cwd=folder, env=variables)
    [failed] = logs(folder)
    assert failed.status == "error"
    done = inspect(folder, "eval-retry", failed.location)
    assert done.returncode == 0, done.stdout + done.stderr
    [log] = [log for log in logs(folder) if log.status == "success"]
    assert log.samples
    assert len(log.samples) == 2
    assert log.eval.task_id == failed.eval.task_id
