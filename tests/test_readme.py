"""What the README says is so: its commands run, its tables are the registry's."""

import inspect
import re
import shlex
import sys
from collections.abc import Iterator
from importlib.metadata import metadata
from pathlib import Path
from typing import get_args

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Scorer

from tests.commands.running import printed
from tests.e2e.test_commands import MOCK, each, logs
from tests.e2e.test_commands import inspect as start_inspect
from tests.processes import completed
from tests.report.studies import leave_undrawn
from vr_evals import _registry, scorers
from vr_evals.conditions import AUTHORITY_CONDITIONS
from vr_evals.tasks.checks import Parameter, parameters_of

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```$", README, flags=re.M | re.S)
    for line in block.splitlines()
]
READERS = tuple(f"vr-evals {name} " for name in ("table", "report", "figure", "methods", "export"))
RUNS = [command for command in COMMANDS if command.startswith("inspect eval ")]
AGAIN = [command for command in COMMANDS if command.startswith("inspect score ")]


def test_every_command_is_of_a_kind_that_is_tested() -> None:
    known = ("make ", "pip install ", "inspect view", "export ", "vr-evals run ", *READERS)
    assert RUNS
    assert AGAIN
    assert not [c for c in COMMANDS if c not in RUNS + AGAIN and not c.startswith(known)]


@pytest.mark.parametrize("target", ["try", "test"])
def test_make_targets_do_what_they_say(target: str) -> None:
    assert f"make {target}" in COMMANDS
    done = completed(["make", "--dry-run", target], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    wanted = "vr_evals/ethics_level5" if target == "try" else "pytest"
    assert wanted in done.stdout


@pytest.mark.slow
def test_inspect_commands_run(tmp_path: Path) -> None:
    """As they stand, but for the model, which is a scripted one, and two items of the sample."""
    (tmp_path / "vr_test_model.py").write_text(MOCK, encoding="utf-8")
    commands = [shlex.split(command)[1:] for command in RUNS]
    for words in commands:
        words[words.index("--model") + 1] = "vr_test/m"
        words += ["-T", "dataset=sample"] * ("dataset=sample" not in words)
        words += ["--limit", "2"] * ("--limit" not in words)
    each(tmp_path, *commands, cwd=ROOT)
    found = logs(tmp_path)
    assert len(found) == len(RUNS)
    for log in found:
        assert log.status == "success", log.error
        assert log.samples


@pytest.mark.slow
def test_grid_is_run_and_its_logs_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they stand, but for fewer benchmarks and levels, and the Python block after them."""
    grid, authority = [c for c in COMMANDS if c.startswith("vr-evals run ")]
    readers = [command for command in COMMANDS if command.startswith(READERS)]
    assert "--benchmark all --levels 0-5" in grid
    smaller = grid.replace("all --levels 0-5", "ethics --levels 0,1") + " --limit 2"
    [python] = re.findall(r"^```python\n(.*?)^```$", README, flags=re.M | re.S)
    assert "--benchmark all --paradigm authority" in authority
    fewer = authority.replace("--benchmark all", "--benchmark mcqa") + " --limit 2"
    monkeypatch.chdir(tmp_path)
    leave_undrawn(monkeypatch)
    for command in (smaller, fewer, *readers):
        printed(*shlex.split(command)[1:])
    assert "vr_sim/overconfident" in (tmp_path / "demo.html").read_text(encoding="utf-8")
    done = completed([sys.executable, "-c", python], cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def metrics(log: EvalLog) -> dict[tuple[str, str], float]:
    assert log.results
    return {
        (score.name, name): metric.value
        for score in log.results.scores
        for name, metric in score.metrics.items()
    }


@pytest.mark.slow
def test_scores_are_made_again(tmp_path: Path) -> None:
    [first] = inspect_eval(
        "vr_evals/ethics_level0",
        model="vr_sim/sloppy",
        task_args={"dataset": "sample", "items": 8},
        epochs=2,
        log_dir=str(tmp_path / "logs"),
    )
    (tmp_path / "vr_test_model.py").write_text(MOCK, encoding="utf-8")
    for command in AGAIN:
        path = first.location.removeprefix("file://")
        words = [path if word == "LOG" else word for word in shlex.split(command)[1:]]
        done = start_inspect(tmp_path, *words)
        assert done.returncode == 0, done.stdout + done.stderr
    again = metrics(read_eval_log(str(tmp_path / "again.eval")))
    assert {name for name, _ in again} == {"answer", "answer_format"}
    assert again == pytest.approx(metrics(first), nan_ok=True)


def test_task_table_is_the_registry() -> None:
    listed = set(re.findall(r"`vr_evals/(\w+_level\d)`", README))
    tasks = {name for name in vars(_registry) if re.search(r"_level\d$", name)}
    assert listed == tasks


def test_authority_table_is_the_registry() -> None:
    tasks = {name for name in vars(_registry) if "_authority" in name}
    whole = {name for name in tasks if name.endswith("_authority")}
    assert len(tasks) == (1 + len(AUTHORITY_CONDITIONS)) * len(whole)
    assert whole == set(re.findall(r"^\| .* \| `vr_evals/(\w+_authority)` \|", README, flags=re.M))
    named = set(re.findall(r"`vr_evals/(\w+_authority\w*)`", README))
    assert named <= tasks


def parameters() -> Iterator[tuple[str, Parameter]]:
    """Of every task: its name, and each of its parameters."""
    for name, task in vars(_registry).items():
        if re.search(r"_(level\d|authority)", name):
            yield from ((name, parameter) for parameter in parameters_of(task).values())


def parameter_table() -> dict[str, tuple[str, str, str]]:
    """Values, default and meaning of each parameter."""
    section = README.split("### Parameters")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \|$", section, flags=re.M)
    return {name: (values, default, meaning) for name, values, default, meaning in rows}


def test_parameter_table_is_the_tasks() -> None:
    table = parameter_table()
    assert set(table) == {parameter.name for _, parameter in parameters()}
    for task, parameter in parameters():
        if parameter.name == "subset":
            continue
        values, shown, meaning = table[parameter.name]
        if parameter.default is None:
            assert shown in {"unset", "all", "none"}, parameter.name
        else:
            assert shown.strip("`") == str(parameter.default).lower(), (task, parameter.name)
        assert values.replace("`", "") == parameter.values, (task, parameter.name)
        meaning = re.sub(r" \(not [^)]*\)|`", "", meaning)
        assert meaning == parameter.meaning, (task, parameter.name)


def test_subsets_are_the_tasks() -> None:
    values, shown, _ = parameter_table()["subset"]
    assert shown.startswith("the first; MoralChoice under authority `low`")
    listed = {
        part.split()[0].lower(): re.findall(r"`(\w+)`", part.split(" (")[0])
        for part in values.split("; ")
    }
    for task, parameter in parameters():
        if parameter.name != "subset" or task.startswith("mcqa"):
            continue
        benchmark = task.split("_")[0]
        taken = get_args(parameter.type)
        if "_level" in task:
            assert list(taken) == listed[benchmark], task
        elif taken:
            assert set(taken) == set(listed[benchmark]), task
        low = task.startswith("moralchoice_authority")
        assert parameter.default == ("low" if low else listed[benchmark][0]), task


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
