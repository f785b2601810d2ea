"""Every code block of every page is run, or names only what exists; every link leads somewhere."""

import inspect
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from inspect_ai._cli.main import inspect as inspect_command  # its own command line: no public name

from vr_evals import _registry
from vr_evals.cli import main as our_command

ROOT = Path(__file__).parents[1]
PAGES = [
    page
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("vr_evals/data/*.md"))
    if "spec" not in page.parts
]
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", flags=re.M | re.S)

RUN_ELSEWHERE = {
    ("docs/adding.md", "python"): "tests/package/test_third_party.py",
    ("docs/adding.md", "toml"): "tests/package/test_third_party.py",
    ("docs/adding.md", "json"): "tests/package/test_third_party.py",
    ("docs/adding.md", "text"): "tests/package/test_third_party.py",
    ("docs/adding.md", "diff"): "tests/package/test_third_party.py",
    ("docs/running-a-grid.md", "text"): "tests/commands/test_running_a_grid.py",
    ("README.md", "python"): "tests/test_readme.py",
    ("README.md", "bibtex"): "tests/test_readme.py",
}
"""Blocks that a test of their own runs or holds, by page and language."""

RUN_HERE = [("docs/running-a-grid.md", "python"), ("docs/reading-a-report.md", "python")]
"""Blocks of Python that are run here, in this order: the first makes the logs of the others."""

NOT_OURS = ("pip install ", "uv pip install ", "export ", "flow run ", "git ")
"""Commands of other programs, with nothing of ours in them but, perhaps, a file that must exist."""


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


BLOCKS = list(blocks())
COMMANDS = sorted(
    {
        (block.page, command)
        for block in BLOCKS
        if block.language == "sh"
        for line in block.text.replace("\\\n", " ").splitlines()
        for command in re.split(r"\s+&&\s+", re.sub(r"\s+#.*", "", line))
        if command.strip()
    }
)


def test_every_block_is_run_or_held() -> None:
    kinds = {(block.page, block.language) for block in BLOCKS if block.language != "sh"}
    assert kinds == {*RUN_ELSEWHERE, *RUN_HERE}
    for (page, _), test in RUN_ELSEWHERE.items():
        assert Path(page).name in (ROOT / test).read_text(encoding="utf-8")


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_a_command_names_only_what_exists(page: str, command: str) -> None:
    words = shlex.split(command)
    match words:
        case ["inspect", *rest]:
            check_options(inspect_command, rest)
            check_task(page, rest)
        case ["vr-evals", *rest]:
            check_options(our_command, rest)
        case ["python", "-m", module, *rest]:
            check_script(Path(module.replace(".", "/") + ".py"), rest)
        case ["python", script, *rest]:
            check_script(Path(script), rest)
        case ["pytest", *paths]:
            assert all((ROOT / path).exists() for path in paths), command
        case ["make", target]:
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            assert re.search(rf"^{target}:", makefile, flags=re.M), target
        case _:
            assert command.startswith(NOT_OURS), command
            named = [word for word in words if word.startswith("examples/")]
            assert all((ROOT / word).is_file() for word in named)


def check_options(command: click.Command, words: list[str]) -> None:
    """Every flag is one of the command's, or, where it passes flags on, of `inspect eval-set`."""
    words = list(words)
    while isinstance(command, click.Group) and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    assert not isinstance(command, click.Group) or not words, words
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


def check_task(page: str, words: list[str]) -> None:
    """A task of ours is in the registry, and has the parameters that are given."""
    given = [words[n + 1].split("=")[0] for n, word in enumerate(words) if word == "-T"]
    tasks = re.findall(r"(?:vr_evals/|tasks/\w+\.py@)(\w+_(?:level|authority)\w*)", " ".join(words))
    if words[0] == "eval" and page != "docs/adding.md":
        assert tasks
    for name in tasks:
        made = getattr(_registry, name)
        assert set(given) <= set(inspect.signature(made).parameters), (name, given)


def check_script(script: Path, words: list[str]) -> None:
    source = (ROOT / script).read_text(encoding="utf-8")
    for word in words:
        if word.startswith("--"):
            assert f'"{word}"' in source, (script, word)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the pages' Python was run."""
    folder = tmp_path_factory.mktemp("pages")
    for page, language in RUN_HERE:
        code = [b.text for b in BLOCKS if (b.page, b.language) == (page, language)]
        assert code
        subprocess.run(
            [sys.executable, "-c", "\n".join(code)], cwd=folder, check=True, capture_output=True
        )
        if not (folder / "logs" / "demo").exists():
            (folder / "logs" / "python").rename(folder / "logs" / "demo")
    return folder


def test_python_of_the_pages_makes_what_it_says(folder: Path) -> None:
    assert len(list((folder / "logs" / "demo").glob("*.eval"))) == 4
    assert "Two respondents" in (folder / "demo.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command",
    [
        command
        for page, command in COMMANDS
        if page == "docs/reading-a-report.md" and command.startswith("vr-evals")
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
