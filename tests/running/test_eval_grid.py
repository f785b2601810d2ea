"""What ``docs/running-a-grid.md`` and its example say is so."""

import itertools
import re
import runpy
import shlex
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import ran
from vr_evals.levels import Level
from vr_evals.running.grid import level_grid

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "running-a-grid.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^vr-evals (run .*)$", PAGE, flags=re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_page_can_be_run(command: str, tmp_path: Path) -> None:
    words = shlex.split(command)[1:]
    words[words.index("--log-dir") + 1] = str(tmp_path)
    ran(*words, "--dataset", "sample", "--dry-run")


def test_plan_of_the_page_is_the_one_that_is_printed(tmp_path: Path) -> None:
    words = shlex.split(COMMANDS[0])[1:]
    words[words.index("--log-dir") + 1] = str(tmp_path)
    shown = re.findall(r"```text\n(.*?)```", PAGE, flags=re.S)[0]
    output = ran(*words, "--dry-run")
    *printed, _ = output[output.index("benchmark ") :].splitlines()
    *of_page, logs = shown.splitlines()
    assert logs.startswith("logs: 72 in ")
    assert [line.rstrip() for line in printed] == of_page


def test_flow_example_is_the_first_grid_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its functions are those of inspect-flow, which is not installed, as its README has them."""
    specs: list[dict[str, Any]] = []
    flow = types.ModuleType("inspect_flow")
    monkeypatch.setattr(flow, "FlowSpec", lambda **spec: specs.append(spec), raising=False)
    monkeypatch.setattr(
        flow,
        "tasks_matrix",
        lambda task, model, args: list(itertools.product(task, model, args)),
        raising=False,
    )
    monkeypatch.setitem(sys.modules, "inspect_flow", flow)
    runpy.run_path(str(ROOT / "examples" / "flow.py"))
    [spec] = specs
    grid = level_grid(
        ["ethics", "moralchoice", "morables"], list(Level), [False, True], {"dataset": "sample"}
    )
    models = ["vr_sim/careful", "vr_sim/overconfident"]
    assert all(f"--model {model}" in COMMANDS[0] for model in models)
    asked = [(task, model, args) for task, model, args in spec["tasks"]]
    wanted = [(f"vr_evals/{c.entry.name}", m, c.arguments) for c in grid for m in models]
    assert len(asked) == 72
    assert sorted(asked, key=str) == sorted(wanted, key=str)
