"""What the README says is so: its commands run, its tables are the registry's."""

import inspect
import re
import shlex
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.scorer import Scorer

from tests.e2e.test_commands import MOCK, START, environment, logs
from vr_evals import _registry, scorers
from vr_evals.tasks import ethics, ethics_authority, mcqa_authority, morables, moralchoice

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```$", README, flags=re.M | re.S)
    for line in block.splitlines()
]
READERS = ("vr-evals table ", "vr-evals report ", "vr-evals export ")
RUNS = [command for command in COMMANDS if command.startswith("inspect eval ")]


def test_every_command_is_of_a_kind_that_is_tested() -> None:
    known = ("make ", "pip install ", "inspect eval ", "inspect view", "export ", "vr-evals run ")
    assert RUNS
    assert not [command for command in COMMANDS if not command.startswith((*known, *READERS))]


@pytest.mark.parametrize("target", ["try", "test"])
def test_make_targets_do_what_they_say(target: str) -> None:
    assert f"make {target}" in COMMANDS
    done = subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wanted = "vr_evals/ethics_level5" if target == "try" else "pytest"
    assert wanted in done.stdout


@pytest.mark.parametrize("command", RUNS)
def test_inspect_commands_run(command: str, tmp_path: Path) -> None:
    """As they stand, but for the model, which is a scripted one, and data from the sample."""
    (tmp_path / "vr_test_model.py").write_text(MOCK, encoding="utf-8")
    words = shlex.split(command)[1:]
    words[words.index("--model") + 1] = "vr_test/m"
    if "dataset=sample" not in words:
        words += ["-T", "dataset=sample"]
    done = subprocess.run(
        [sys.executable, "-c", START, *words],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [log] = logs(tmp_path)
    assert log.status == "success", log.error
    assert log.samples


def test_grid_is_run_and_its_logs_are_read(tmp_path: Path) -> None:
    """As they stand, but for two levels of one benchmark, and the Python block after them."""
    [grid] = [command for command in COMMANDS if command.startswith("vr-evals run ")]
    readers = [command for command in COMMANDS if command.startswith(READERS)]
    assert "--benchmark all --levels 0-5" in grid
    smaller = grid.replace("all --levels 0-5", "ethics --levels 0,1") + " --limit 3"
    [python] = re.findall(r"^```python\n(.*?)^```$", README, flags=re.M | re.S)
    for command in (smaller, *readers):
        words = [str(Path(sys.executable).with_name("vr-evals")), *shlex.split(command)[1:]]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "vr_sim/overconfident" in (tmp_path / "demo.html").read_text(encoding="utf-8")
    subprocess.run([sys.executable, "-c", python], cwd=tmp_path, check=True, capture_output=True)


def test_task_table_is_the_registry() -> None:
    listed = set(re.findall(r"`vr_evals/(\w+_level\d)`", README))
    tasks = {name for name in _registry.__all__ if re.search(r"_level\d$", name)}
    assert listed == tasks


def test_authority_table_is_the_registry() -> None:
    tasks = {name for name in _registry.__all__ if "_authority" in name and name != "authority"}
    whole = {name for name in tasks if name.endswith("_authority")}
    assert len(tasks) == 6 * len(whole) == 24
    assert whole == set(re.findall(r"^\| .* \| `vr_evals/(\w+_authority)` \|", README, flags=re.M))
    named = set(re.findall(r"`vr_evals/(\w+_authority\w*)`", README))
    assert named <= tasks


def parameters() -> dict[str, Any]:
    return {
        name: parameter.default
        for module in (ethics, moralchoice, morables, ethics_authority, mcqa_authority)
        for function in vars(module).values()
        if inspect.isfunction(function) and function.__module__ == module.__name__
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in {"unknown", "subset"}
    }


def test_parameter_table_is_the_tasks() -> None:
    section = README.split("### Parameters")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| .*? \| (.*?) \|", section, flags=re.M))
    assert set(rows) == {*parameters(), "subset"}
    for name, default in parameters().items():
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        assert rows[name] in (
            {"unset", "all", "none"} if default is None else {shown, f"`{shown}`"}
        ), name


def test_citation_is_that_of_the_citation_file() -> None:
    [entry] = re.findall(r"^```bibtex\n(.*?)^```$", README, flags=re.M | re.S)
    cited = dict(re.findall(r"^  (\w+) = \{+(.*?)\}+,?$", entry, flags=re.M))
    file = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    stated = dict(re.findall(r'^([\w-]+): "?(.*?)"?$', file, flags=re.M))
    assert all(cited[name] == stated[name] for name in ("title", "version", "license"))
    assert cited["year"] == stated["date-released"][:4]
    assert f"name: {cited['author']}" in file
    assert metadata("vr-evals")["Version"] == cited["version"]


def test_scorer_table_is_the_registry() -> None:
    section = README.split("## Scores")[1].split("\n## ")[0]
    listed = set(re.findall(r"^\| `(\w+)` \|", section, flags=re.M))
    made = {name: inspect.signature(getattr(scorers, name)) for name in scorers.__all__}
    assert listed == {
        name for name, signature in made.items() if signature.return_annotation is Scorer
    }
