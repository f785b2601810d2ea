"""Every code block of every page is run or held, commands exist, links lead somewhere."""

import argparse
import inspect
import re
import runpy
import shlex
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from inspect_ai._cli.main import inspect as inspect_command  # its options have no public name

from tests.processes import completed
from vr_evals import _registry
from vr_evals.cli import main as our_command

ROOT = Path(__file__).parents[1]
PAGES = [
    page
    for pattern in ("*.md", "docs/*.md", "logs/*.md", "vr_evals/data/*.md")
    for page in sorted(ROOT.glob(pattern))
]
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", flags=re.M | re.S)
INLINE = re.compile(r"`([^`]+)`")

RUN_ELSEWHERE = {
    ("README.md", "sh"): "tests/test_readme.py",
    ("README.md", "python"): "tests/test_readme.py",
    ("README.md", "bibtex"): "tests/test_readme.py",
    ("docs/adding.md", "sh"): "tests/package/test_third_party.py",
    ("docs/adding.md", "python"): "tests/package/test_third_party.py",
    ("docs/adding.md", "toml"): "tests/package/test_third_party.py",
    ("docs/adding.md", "json"): "tests/package/test_third_party.py",
    ("docs/adding.md", "text"): "tests/package/test_third_party.py",
    ("docs/adding.md", "diff"): "tests/package/test_third_party.py",
    ("docs/comparing-any-logs.md", "python"): "tests/commands/test_compare.py",
    ("docs/comparing-any-logs.md", "sh"): "tests/commands/test_compare.py",
    ("docs/comparing-any-logs.md", "text"): "tests/commands/test_compare.py",
    ("docs/importing.md", "sh"): "tests/importing/test_import.py",
    ("docs/planning-a-study.md", "sh"): "tests/commands/test_planning_page.py",
    ("docs/planning-a-study.md", "text"): "tests/commands/test_planning_page.py",
    ("docs/planning-a-study.md", "yaml"): "tests/commands/test_planning_page.py",
    ("docs/many-machines.md", "sh"): "tests/running/test_shards.py",
    ("docs/running-a-grid.md", "sh"): "tests/running/test_eval_grid.py",
    ("docs/running-a-grid.md", "text"): "tests/running/test_eval_grid.py",
    ("docs/thinking.md", "sh"): "tests/test_thinking_doc.py",
}
"""Blocks that a test of their own runs or holds, by page and language."""

RUN_HERE = [
    ("docs/running-a-grid.md", "python"),
    ("docs/reading-a-report.md", "python"),
    ("docs/reading-a-report.md", "sh"),
    ("docs/for-a-paper.md", "sh"),
]
"""Blocks that are run here, in this order: the first makes the logs of the others."""

ONLY_CHECKED = {
    "export ": "sets a key",
    "flow run ": "needs inspect-flow, whose place tests/running/test_eval_grid.py takes",
    "inspect view": "serves until it is stopped",
    "make ": "runs these tests; tests/test_readme.py looks at its steps",
    "pip install ": "needs the network; tests/package installs without",
    "pytest ": "its tests are run by the suite itself",
    "python ": "takes minutes",
}
"""Commands that no test runs, by how they begin, and why: what they name must exist."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    language: str
    text: str


def blocks() -> Iterator[Block]:
    for page in PAGES:
        for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            yield Block(page.relative_to(ROOT).as_posix(), language, text)


def inline() -> Iterator[tuple[str, str]]:
    """What stands in backticks outside blocks, by page."""
    for page in PAGES:
        for text in INLINE.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
            yield page.relative_to(ROOT).as_posix(), " ".join(text.split())


BLOCKS = list(blocks())
COMMANDS = sorted(
    {
        (block.page, re.sub(r"\s+#.*", "", line))
        for block in BLOCKS
        if block.language == "sh"
        for line in block.text.replace("\\\n", " ").splitlines()
        if line.strip() and not line.startswith("#")
    }
)
PROGRAMS = ("inspect", "vr-evals", "python", "pytest", "make", "pip", "uv")
INLINE_COMMANDS = sorted(
    {(page, text) for page, text in inline() if text.split(" ")[0] in PROGRAMS and " " in text}
)
FOLDERS = "benchmarks|docs|examples|tests|vr_evals"
NAMES = sorted(
    {
        (page, text)
        for page, text in inline()
        if re.fullmatch(rf"({FOLDERS})/[\w./-]+", text)
        # tests/test_architecture.py looks at that page, whose names are those of rooms
        if page != "docs/architecture.md" and "etiquette" not in text
    }
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_block_is_overlooked(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "~~~" not in text
    assert "```" not in BLOCK.sub("", text)


def test_every_block_is_run_or_held() -> None:
    held = {*RUN_ELSEWHERE, *RUN_HERE}
    assert {(block.page, block.language) for block in BLOCKS if block.language != "sh"} == {
        (page, language) for page, language in held if language != "sh"
    }
    neither = [
        (page, command)
        for page, command in COMMANDS
        if (page, "sh") not in held and not command.startswith(tuple(ONLY_CHECKED))
    ]
    assert not neither
    assert not [
        start for start in ONLY_CHECKED if not any(c.startswith(start) for _, c in COMMANDS)
    ]
    for (page, _), test in RUN_ELSEWHERE.items():
        assert Path(page).name in (ROOT / test).read_text(encoding="utf-8")


@pytest.mark.parametrize(("page", "command"), COMMANDS + INLINE_COMMANDS)
def test_a_command_names_only_what_exists(
    page: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(command)
    match words:
        case ["inspect", *rest]:
            check_options(inspect_command, rest)
            check_registered(page, rest)
        case ["vr-evals", *rest]:
            check_options(our_command, rest)
        case ["python", "-m", module, *rest]:
            check_script(ROOT / (module.replace(".", "/") + ".py"), rest, monkeypatch)
        case ["python", script, *rest]:
            check_script(ROOT / script, rest, monkeypatch)
        case ["pytest", *rest]:
            options = argparse.ArgumentParser(exit_on_error=False)
            options.add_argument("-m")
            options.add_argument("paths", nargs="+")
            paths = options.parse_args(rest).paths
            assert all((ROOT / path).exists() for path in paths)
        case ["make", target, *variables]:
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(VENV)", ".venv")
            for start in (f"{target}:", *(f"{v.split('=')[0]} ?= " for v in variables)):
                assert f"\n{start}" in makefile
        case ["uv", "pip", "install", *rest] | ["pip", "install", *rest]:
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
            named = re.findall(r"\.\[(\w+)\]", " ".join(rest))
            assert set(named) <= set(extras["project"]["optional-dependencies"])
        case ["flow", "run", spec, *_]:
            assert (ROOT / spec).is_file()
        case _:
            assert command.startswith("export ")


def test_a_file_or_task_that_is_named_exists() -> None:
    known = vars(_registry)
    assert NAMES
    assert not [
        (page, name)
        for page, name in NAMES
        if not (ROOT / name).exists() and name.removeprefix("vr_evals/") not in known
    ]


def check_options(command: click.Command, words: list[str]) -> None:
    """Every flag is one of the command's, or, where it passes flags on, of `inspect eval-set`."""
    words = list(words)
    while isinstance(command, click.Group) and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    if isinstance(command, click.Group) and words:
        assert words[0].startswith("-"), words
    known = options(command)
    if command.context_settings.get("ignore_unknown_options"):
        known |= options(inspect_command.commands["eval-set"])
    flags = {word.split("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)}
    assert flags <= known, flags - known


def options(command: click.Command) -> set[str]:
    return {
        name
        for parameter in command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def check_registered(page: str, words: list[str]) -> None:
    """What is named of ours is in the registry, and the task has the parameters that are given."""
    given = {words[n + 1].split("=")[0] for n, word in enumerate(words) if word == "-T"}
    names = re.findall(r"(?:vr_evals/|\.py@)(\w+)", " ".join(words))
    assert set(names) <= set(vars(_registry))
    if words[0] == "eval" and len(words) > 1 and page != "docs/adding.md":
        assert given <= set(inspect.signature(getattr(_registry, names[0])).parameters)


class ParsedError(Exception):
    """A script has taken its arguments, and is stopped."""


def check_script(script: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The script exists, and takes these arguments."""
    assert script.is_file()
    if not words:
        return
    parse = argparse.ArgumentParser.parse_args

    def parse_and_stop(parser: argparse.ArgumentParser) -> argparse.Namespace:
        parse(parser)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_and_stop)
    monkeypatch.setattr(sys, "argv", [str(script), *words])
    monkeypatch.syspath_prepend(str(script.parent))
    with pytest.raises(ParsedError):
        runpy.run_path(str(script), run_name="__main__")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the pages' Python was run."""
    folder = tmp_path_factory.mktemp("pages")
    for page, language in RUN_HERE[:2]:
        code = [b.text for b in BLOCKS if (b.page, b.language) == (page, language)]
        assert code
        done = completed([sys.executable, "-c", "\n".join(code)], cwd=folder)
        assert done.returncode == 0, done.stderr
        if not (folder / "logs" / "demo").exists():
            (folder / "logs" / "python").rename(folder / "logs" / "demo")
    return folder


@pytest.mark.slow
def test_python_of_the_pages_makes_what_it_says(folder: Path) -> None:
    assert len(list((folder / "logs" / "demo").glob("*.eval"))) == 4
    assert "Two respondents" in (folder / "demo.html").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        command
        for page, command in COMMANDS
        if (page, "sh") in RUN_HERE and command.startswith("vr-evals")
    ],
)
def test_readers_of_the_page_run(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(our_command, shlex.split(command)[1:])
    assert done.exit_code == 0, done.output


def heading_anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        linked = page.parent / file if file else page
        assert linked.exists(), target
        if anchor:
            assert anchor in heading_anchors(linked), target


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in ROOT.glob("docs/*.md")} - {"index.md"}
    assert pages == set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    assert "(docs/index.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
