"""What docs/adding.md says is so: its code makes a package that runs, its patch a level."""

import json
import os
import re
import shlex
import shutil
import statistics
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from tests.logs import samples
from tests.processes import completed
from vr_evals.analysis import COLUMNS, calibration, read_logs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")

PACKAGE = "etiquette_evals"
ITEMS = ("gift", "late", "name", "queue", "spill")
CONDITIONS = ("no_anchor", "low_anchor", "high_anchor")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, and the file that the line before it names."""

    language: str
    file: str | None
    text: str


def blocks() -> Iterator[Block]:
    for file, language, text in re.findall(
        r"(?:^`([\w./]+)`\n\n)?^```(\w+)\n(.*?)^```$", PAGE, flags=re.M | re.S
    ):
        yield Block(language, file or None, text)


FILES = [(block.file, block.text) for block in blocks() if block.file]
COMMANDS = [
    line for block in blocks() if block.language == "sh" for line in block.text.splitlines()
]
[PATCH] = [block.text for block in blocks() if block.language == "diff"]
SENT = [block.text for block in blocks() if block.language == "text"][1:]


@dataclass(frozen=True)
class Installed:
    """Packages in a folder that goes before the environment's own, and a folder to work in."""

    packages: Path
    work: Path

    def run(self, *words: str) -> str:
        """Run a command; its output is shown where it fails."""
        variables = {k: v for k, v in os.environ.items() if k != "INSPECT_LOG_DIR"}
        done = completed(
            [Path(sys.executable).with_name(words[0]), *words[1:]],
            cwd=self.work,
            env=variables | {"PYTHONPATH": str(self.packages)},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def logs(self) -> dict[str, EvalLog]:
        """Its logs, by task."""
        found = map(read_eval_log, list_eval_logs(str(self.work / "logs")))
        return {log.eval.task: log for log in found}


def write(folder: Path, files: list[tuple[str, str]]) -> None:
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def prompt(sample: EvalSample) -> str:
    return next(message.text for message in sample.messages if message.role == "user")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The package of the page, installed as it stands there, and every command of it run."""
    folder = tmp_path_factory.mktemp("third-party")
    source = folder / "etiquette-evals"
    write(source, [*FILES, (f"{PACKAGE}/__init__.py", "")])
    # Inspect gives registered names a package's prefix in folders of this name
    installed = Installed(packages=folder / "site-packages", work=source)
    for command in COMMANDS:
        if command == "pip install -e .":
            # what pip has the build backend do, without an isolated environment from the network
            installed.packages.mkdir()
            target = str(installed.packages)
            installed.run(
                *("python", "-c", "import setuptools; setuptools.setup()", "--quiet"),
                *("egg_info", "--egg-base", target, "build_py", "--build-lib", target),
            )
            shutil.rmtree(source / PACKAGE)
        elif command != "inspect view":
            installed.run(*shlex.split(command))
    return installed


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 2])
def test_a_level_of_the_benchmark_runs_and_is_scored(run: Installed, level: int) -> None:
    log = run.logs()[f"{PACKAGE}/etiquette_level{level}"]
    found = samples(log)
    assert tuple(sorted(str(sample.id) for sample in found)) == ITEMS
    for sample in found:
        assert sample.scores
        assert sample.scores["answer"].value == ("C" if _is_right(sample) else "I")
        assert sample.scores["answer_format"].answer == "tag"
        assert sample.metadata["as_run"]["level"] == level
    assert log.eval.metadata
    assert log.eval.metadata["benchmark"] == "etiquette"
    assert log.eval.task_attribs == {"benchmark": "etiquette", "level": level, "thinking": False}


def _is_right(sample: EvalSample) -> bool:
    return sample.output.completion.endswith(f"<answer>{sample.target}</answer>")


@pytest.mark.slow
def test_the_prompt_on_the_page_is_what_is_sent(run: Installed) -> None:
    log = run.logs()[f"{PACKAGE}/etiquette_level2"]
    by_id = {sample.id: sample for sample in samples(log)}
    assert prompt(by_id["spill"]) == SENT[0].removesuffix("\n")


@pytest.mark.slow
def test_the_paradigm_asks_each_item_in_each_condition(run: Installed) -> None:
    log = run.logs()[f"{PACKAGE}/etiquette_anchoring"]
    found = samples(log)
    assert len(found) == len(ITEMS) * len(CONDITIONS) * 5
    asked = {str(sample.id): prompt(sample) for sample in found}
    assert set(asked) == {f"{item}@{condition}" for item in ITEMS for condition in CONDITIONS}
    for item in ITEMS:
        plain = asked[f"{item}@no_anchor"]
        for condition, number in (("low_anchor", 10), ("high_anchor", 90)):
            wheel = f"A wheel of fortune was spun. It stopped at {number}.\n\n"
            assert asked[f"{item}@{condition}"] == wheel + plain
    assert asked["spill@high_anchor"].startswith(SENT[1])


@pytest.mark.slow
def test_the_metric_is_the_one_of_its_source(run: Installed) -> None:
    log = run.logs()[f"{PACKAGE}/etiquette_anchoring"]
    stated: dict[str, list[float]] = {condition: [] for condition in CONDITIONS}
    for sample in samples(log):
        [number] = re.findall(r"<confidence>([\d.]+)</confidence>", sample.output.completion)
        stated[sample.metadata["condition"]].append(float(number))
    moved = statistics.median(stated["high_anchor"]) - statistics.median(stated["low_anchor"])
    assert log.results
    [metrics] = [s.metrics for s in log.results.scores if s.scorer.endswith("anchored_confidence")]
    [(name, figure)] = metrics.items()
    assert name.rpartition("/")[2] == "anchoring_index"
    assert figure.value == pytest.approx(moved / 80)


@pytest.mark.slow
def test_analysis_reads_its_logs_as_ours(run: Installed) -> None:
    every = read_logs(run.work / "logs")
    assert every.attrs["skipped"] == []
    table = every[every["benchmark"] != "manners"]
    assert [column.name for column in COLUMNS] == list(table.columns)
    assert set(table["benchmark"]) == {"etiquette"}
    assert set(table["task"]) == {f"etiquette_{n}" for n in ("level0", "level2", "anchoring")}
    anchored = table[table["task"] == "etiquette_anchoring"]
    assert anchored.groupby("condition").size().to_dict() == dict.fromkeys(CONDITIONS, 25)
    assert set(table[table["task"] != "etiquette_anchoring"]["level"]) == {0, 2}
    assert table[["label", "correct", "choice"]].notna().all(axis=None)
    means = calibration(anchored).query("metric == 'mean_confidence' and scale == 'stated'")
    for condition, rows in anchored.groupby("condition"):
        by_item = rows.groupby("item")["confidence"].mean()
        [estimate] = means[means["condition"] == condition]["estimate"]
        assert estimate == pytest.approx(by_item.mean())


@pytest.mark.slow
def test_verdicts_without_letters_are_read(run: Installed) -> None:
    log = run.logs()[f"{PACKAGE}/manners_level0"]
    found = {str(sample.id): sample for sample in samples(log)}
    assert set(found) == {"phone", "door", "song"}
    assert "polite</answer> or <answer>rude" in prompt(found["door"])
    for sample in found.values():
        assert sample.scores
        assert sample.scores["answer"].value == ("C" if _is_right(sample) else "I")
        assert sample.scores["answer"].answer in ("polite", "rude")


@pytest.mark.slow
def test_the_report_shows_it(run: Installed) -> None:
    page = (run.work / "report.html").read_text(encoding="utf-8")
    assert re.search(r"<dt>vr_evals</dt><dd><bdi>\W*0\.\d", page)
    assert re.search(r"<dt>Task packages</dt><dd><bdi>\W*etiquette-evals 0\.1\.0", page)
    assert all(shown in page for shown in ("etiquette", "no anchor", "low anchor", "high anchor"))
    assert all(model in run.run("vr-evals", "table", "logs") for model in ("etiquette", "careful"))


@pytest.mark.slow
def test_scores_can_be_made_again(run: Installed) -> None:
    [path] = (run.work / "logs").glob("*anchoring*.eval")
    before = read_eval_log(str(path))
    again = run.work / "again.eval"
    run.run(
        *("inspect", "score", str(path), "--scorer", f"{PACKAGE}/anchored_confidence"),
        *("--action", "append", "--output-file", str(again)),
    )
    for first, second in zip(samples(before), samples(read_eval_log(str(again))), strict=True):
        assert first.scores
        assert second.scores
        assert {s.value for s in second.scores.values()} >= {
            first.scores["anchored_confidence"].value
        }


def moved() -> Iterator[tuple[str, str]]:
    """The files of the package at their places in the repository, as the page's table says."""
    places: Mapping[str, str] = dict(
        re.findall(rf"^\| `({PACKAGE}/[\w/.]+)` \| `(vr_evals/[\w/.]+)`", PAGE, flags=re.M)
    )
    names = {source: place[:-3].replace("/", ".") for source, place in places.items()}
    for source, text in dict(FILES).items():
        if source not in places or source.endswith("_registry.py"):
            continue
        for old, new in names.items():
            module, package, name = old[:-3].replace("/", "."), *new.rsplit(".", 1)
            text = text.replace(f"from {module} import", f"from {new} import")
            text = text.replace(
                f"from {PACKAGE} import {module.rpartition('.')[2]}\n",
                f"from {package} import {name} as {module.rpartition('.')[2]}\n",
            )
        siblings = (
            "from vr_evals.benchmarks import cells\n"
            "from vr_evals.benchmarks.benchmark import Benchmark, Item\n"
            "from vr_evals.benchmarks.catalogue import register\n"
            "from vr_evals.benchmarks.cells import RowError\n"
            "from vr_evals.benchmarks.files import Row\n"
            "from vr_evals.benchmarks.ordering import refer_to_others\n"
        )
        text = re.sub(r"from vr_evals\.benchmarks import Benchmark.*\n", siblings, text)
        yield places[source], text.replace(f'        data_package="{PACKAGE}",\n', "")


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A copy of vr_evals to which the page's benchmark and level were added."""
    folder = tmp_path_factory.mktemp("grown")
    installed = Installed(packages=folder / "site-packages", work=folder)
    shutil.copytree(
        ROOT / "vr_evals",
        installed.packages / "vr_evals",
        ignore=shutil.ignore_patterns("__pycache__"),
        copy_function=shutil.copyfile,  # the copy can be written, whatever the sources allow
    )
    applied = completed(
        ["git", "apply", "-"],
        cwd=installed.packages,
        env=os.environ | {"GIT_CEILING_DIRECTORIES": str(folder.parent)},
        input=PATCH,
    )
    assert applied.returncode == 0, applied.stderr
    write(installed.packages, list(moved()))
    registry = installed.packages / "vr_evals" / "_registry.py"
    names = "etiquette_level0, etiquette_level2"
    with registry.open("a", encoding="utf-8") as file:
        file.write(f"from vr_evals.tasks.etiquette import {names}\n")
    return installed


def evaluated(grown: Installed, tasks: list[str], *words: str) -> list[EvalLog]:
    folder = grown.work / "logs" / "-".join(tasks)
    grown.run(
        *("inspect", "eval", *(f"vr_evals/{task}" for task in tasks), *words),
        *("--model", "vr_sim/careful", "--limit", "2", "-T", "dataset=sample"),
        *("--log-dir", str(folder), "--display", "none"),
    )
    logs = [read_eval_log(info) for info in list_eval_logs(str(folder))]
    assert {log.eval.task for log in logs} == {f"vr_evals/{task}" for task in tasks}
    return logs


@pytest.mark.slow
def test_a_benchmark_is_added_to_this_repository(grown: Installed) -> None:
    [log] = evaluated(grown, ["etiquette_level2"])
    assert all("Which reply is the most considerate?" in prompt(s) for s in samples(log))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        (["ethics_level6", "ethics_level6_thinking"], ()),
        (["moralchoice_level0", "morables_level0"], ("--solver", "vr_evals/perspectives")),
    ],
)
def test_a_level_is_added_to_this_repository(
    grown: Installed, tasks: list[str], words: tuple[str, ...]
) -> None:
    for sample in [s for log in evaluated(grown, tasks, *words) for s in samples(log)]:
        assert re.search(r"How does each .* see this\?", prompt(sample))
        assert sample.metadata["as_run"]["level"] == 6


@pytest.mark.slow
def test_the_commands_know_what_was_added(grown: Installed) -> None:
    listed = {task["name"] for task in json.loads(grown.run("vr-evals", "tasks", "--json"))}
    assert {"vr_evals/etiquette_level2", "vr_evals/ethics_level6_thinking"} <= listed
    shown = grown.run("vr-evals", "prompts", "ethics_level6", "-T", "dataset=sample")
    assert "How does each person affected see this?" in shown


def public() -> Iterator[tuple[str, str]]:
    """The modules and names of the page's last table."""
    table = PAGE.partition("## What is public")[2]
    for modules, names in re.findall(r"^\| (`vr_evals.*?) \| (.*) \|$", table, flags=re.M):
        written: list[str] = re.findall(r"`([\w.]+)`", modules)
        for name in re.findall(r"`(\w+)`", names):
            parent = written[0].rpartition(".")[0]
            full = [parent + module if module[0] == "." else module for module in written]
            yield " ".join(full), name


def test_what_is_said_to_be_public_is() -> None:
    said = sorted(public())
    assert said
    homes = {
        (modules, name): [m for m in modules.split() if name in import_module(m).__all__]
        for modules, name in said
    }
    assert not {place: found for place, found in homes.items() if len(found) != 1}
