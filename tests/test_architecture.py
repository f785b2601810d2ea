"""The house is as docs/architecture.md says, and adding to it touches the files named there alone.

So no other module may know a benchmark by its name, or how many levels there are.
"""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest
import yaml

import vr_evals._registry as registry
from vr_evals.benchmarks import Benchmark, find
from vr_evals.benchmarks.morables import ALL_MORABLES
from vr_evals.conditions import AUTHORITY_CONDITIONS, authority_task_name, level_task_name
from vr_evals.levels import Level
from vr_evals.tasks.build import LEVEL_SOLVERS
from vr_evals.tasks.parameters import LevelNumber

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "vr_evals"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
MODULES = {path.relative_to(HOUSE).as_posix(): path for path in sorted(HOUSE.rglob("*.py"))}
BENCHMARKS = [
    find(path.stem)
    for path in sorted((HOUSE / "benchmarks").glob("[a-z]*.py"))
    if any((HOUSE / "tasks").glob(f"{path.stem}*.py"))
]
"""Those with a file of their name in both rooms."""
NAMES = {benchmark.name for benchmark in BENCHMARKS}

ITS_OWN = re.compile(r"(?:benchmarks|prompts|tasks)/(?P<name>[a-z]+)(?:_authority)?\.py")

MAY_NAME: Mapping[str, tuple[set[str], str]] = {
    "_registry.py": (NAMES, "registers the tasks"),
    "analysis/columns.py": (
        {"ethics", "moralchoice", "morables", "mcqa"},
        "examples in a column's meaning",
    ),
    "analysis/ladder.py": (
        {"morables"},
        "two of its levels are one prompt, by design of the study",
    ),
    "analysis/preference.py": ({"moralchoice"}, "its dilemmas are such also where none was read"),
    "analysis/trials.py": ({"mcqa"}, "the default name of what a foreign file holds"),
    "benchmarks/morables.py": ({"mcqa"}, "a subset of it is called so upstream"),
    "commands/grid_options.py": ({"ethics", "morables"}, "examples in a help text"),
    "importing/editorial_faithfulness.py": ({"mcqa"}, "the study's benchmark"),
    "importing/variable_reflection.py": (
        {"ethics", "moralchoice", "morables", "mcqa"},
        "the study's benchmarks, how its files of each look, and a subset of MORABLES",
    ),
    "references.py": (NAMES, "the data sets' citations"),
    "report/sections/authority.py": ({"morables"}, "an example of a task to run"),
    "report/sections/changes.py": ({"morables"}, "says which levels the noise floor is of"),
    "tasks/morables.py": ({"mcqa"}, "a subset of it is called so upstream"),
    "tasks/morables_authority.py": ({"mcqa"}, "a subset of it is called so upstream"),
}
"""The modules that name a benchmark all the same: which, and why."""

MAY_COUNT: Mapping[str, str] = {
    "tasks/parameters.py": "a Literal takes no expression; it is compared with Level below",
}
"""The modules that list the levels all the same, and why."""


def storeys() -> dict[int, set[str]]:
    """The rooms of each storey, from the page's table."""
    found = defaultdict(set)
    for storey, room in re.findall(r"^\| (\d+) \| `([\w.]+/?)` \|", PAGE, flags=re.M):
        found[int(storey)].add(room)
    return dict(found)


def test_the_page_has_every_room() -> None:
    packages = {f"{path.parent.name}/" for path in HOUSE.glob("*/__init__.py")}
    modules = {path.name for path in HOUSE.glob("*.py")} - {"__init__.py"}
    assert set().union(*storeys().values()) == packages | modules


def test_the_storeys_of_the_page_are_those_that_imports_are_held_to() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [layers] = [c["layers"] for c in project["tool"]["importlinter"]["contracts"] if "layers" in c]
    assert [
        {room.removesuffix("/").removesuffix(".py") for room in rooms}
        for _, rooms in sorted(storeys().items())
    ] == [set(layer.split(" | ")) for layer in reversed(layers)]


def version(text: str) -> tuple[int, str]:
    """A version such as `1-A`, in an order."""
    number, _, letter = text.partition("-")
    assert re.fullmatch("[A-Z]", letter), text
    return int(number), letter


def test_no_task_is_ahead_of_the_version_that_registers_read() -> None:
    declared = yaml.safe_load((HOUSE / "eval.yaml").read_text(encoding="utf-8"))
    tasks = {task["name"]: vars(registry)[task["name"]] for task in declared["tasks"]}
    written = {name: make(dataset="sample", items=1).version for name, make in tasks.items()}
    highest = version(declared["version"])
    assert {name for name, said in written.items() if version(said) > highest} == set()


def test_the_page_names_no_file_that_is_not_there() -> None:
    named = set(re.findall(r"`([\w./]*(?:/|\.py|\.yaml))`", PAGE))
    missing = {name for name in named if not any((at / name).exists() for at in (HOUSE, ROOT))}
    # x is what is added
    assert missing == {"benchmarks/x.py", "prompts/x.py", "tasks/x.py"}


def test_the_page_has_every_file_that_is_not_called_like_what_it_contains() -> None:
    missing = {
        name
        for name, path in MODULES.items()
        if path.stem != "__init__" and f"`{name}`" not in PAGE
        if not (ITS_OWN.fullmatch(name) or name.startswith("report/sections/"))
        if path.stem not in map(str.lower, exported(name))
    }
    assert missing == set()


def exported(module: str) -> list[str]:
    """The names in a module's ``__all__``."""
    found = import_module(f"vr_evals.{module.removesuffix('.py').replace('/', '.')}")
    return list(getattr(found, "__all__", ()))


def strings(tree: ast.AST) -> Iterator[str]:
    """String literals that are no docstrings of anything, and names of imported modules."""
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(alias.name for alias in node.names))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def named(text: str) -> set[str]:
    """The benchmarks that a text names: as a word, or as the beginning of a task's name."""
    pattern = "|".join(benchmark.name for benchmark in BENCHMARKS)
    return set(re.findall(rf"(?<![A-Za-z_])({pattern})(?![A-Za-z])", text))


def benchmarks_named(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return set(chain.from_iterable(map(named, strings(tree))))


def may_name(module: str) -> set[str]:
    own = ITS_OWN.fullmatch(module)
    listed = MAY_NAME[module][0] if module in MAY_NAME else set()
    return listed | ({own["name"]} if own else set())


def test_no_other_module_knows_a_benchmark_by_name() -> None:
    found = {name: benchmarks_named(path) - may_name(name) for name, path in MODULES.items()}
    assert {name: named for name, named in found.items() if named} == {}


def test_the_exceptions_are_still_needed() -> None:
    found = {name: may - benchmarks_named(MODULES[name]) for name, (may, _) in MAY_NAME.items()}
    assert {name: unnamed for name, unnamed in found.items() if unnamed} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = {'ethics': 1}", {"ethics"}),
        ("if task.startswith('morables_level'): pass", {"morables"}),
        ("f'vr_evals/mcqa_{x}'", {"mcqa"}),
        ("from vr_evals.prompts.moralchoice import PROMPTS", {"moralchoice"}),
        ("from vr_evals.prompts import moralchoice", {"moralchoice"}),
        ("x = 'business_ethics'", set()),
        ("x = 'bioethics'", set()),
        ("'''Such as ethics.'''\nx = 1\n'''Or mcqa.'''", set()),
    ],
)
def test_the_walk_sees_what_it_should(source: str, found: set[str]) -> None:
    assert set(chain.from_iterable(map(named, strings(ast.parse(source))))) == found


def counts_levels(tree: ast.AST) -> Iterator[str]:
    """Where code spells out that there are levels 0 to 5."""
    every, how_many = [level.value for level in Level], len(Level)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("range"), args=[ast.Constant(n)]) if n == how_many:
                yield ast.unparse(node)
            case ast.List(elts) | ast.Tuple(elts) | ast.Set(elts) if every == [
                e.value for e in elts if isinstance(e, ast.Constant)
            ]:
                yield ast.unparse(node)
            case ast.Constant(str(text)) if re.search(rf"\[0-{max(Level):d}\]", text):
                yield text


def test_no_module_counts_the_levels() -> None:
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}
    assert {name for name, tree in trees.items() if any(counts_levels(tree))} == set(MAY_COUNT)


@pytest.mark.parametrize(
    "source",
    [
        f"range({len(Level)})",
        f"{tuple(map(int, Level))}",
        f"Literal{[*map(int, Level)]}",
        f"r'_level([0-{max(Level):d}])'",
    ],
)
def test_counting_is_seen(source: str) -> None:
    assert list(counts_levels(ast.parse(source)))


def test_a_level_has_a_solver_of_its_name_and_a_number_to_be_crossed_with() -> None:
    assert list(LEVEL_SOLVERS) == list(Level)
    for level, solver in LEVEL_SOLVERS.items():
        assert solver.__name__ == level.name.lower()
        assert solver.__name__ in vars(registry)
    [numbers] = [part for part in get_args(LevelNumber) if part is not type(None)]
    assert get_args(numbers) == tuple(Level)


@pytest.mark.parametrize("benchmark", [*BENCHMARKS, ALL_MORABLES], ids=lambda each: each.name)
def test_a_benchmark_has_words_and_tasks_for_every_level(benchmark: Benchmark) -> None:
    wanted = {authority_task_name(benchmark.name, c) for c in (None, *AUTHORITY_CONDITIONS)}
    if benchmark.prompts is not None:
        assert list(benchmark.prompts.first) == list(Level)
        wanted |= {
            level_task_name(benchmark.name, level, thinking)
            for level in Level
            for thinking in (False, True)
        }
    assert {name for name in vars(registry) if name.startswith(f"{benchmark.name}_")} == wanted


def test_every_benchmark_is_looked_at() -> None:
    files = {path.stem.removesuffix("_authority") for path in (HOUSE / "tasks").glob("*.py")}
    assert files - {"__init__", "build", "checks", "parameters"} == NAMES


def test_a_module_says_what_of_it_is_public() -> None:
    offenders = {}
    for module, path in MODULES.items():
        body = ast.parse(path.read_text(encoding="utf-8")).body
        imported = {
            alias.asname or alias.name
            for node in body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        if len(body) > 1 and module != "_registry.py" and not _has_tasks(body):
            missing = set(_public(body)) - _defined(body) - imported
            offenders[module] = missing or {"__all__"} - _defined(body)
    assert {module: missing for module, missing in offenders.items() if missing} == {}


def dotted(module: str) -> str:
    """A module's name in an import."""
    return f"vr_evals.{module.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")


def test_modules_take_of_each_other_what_is_public_there() -> None:
    trees = {dotted(name): ast.parse(path.read_text("utf-8")) for name, path in MODULES.items()}
    public = {name: set(_public(tree.body)) for name, tree in trees.items()}
    private = [
        f"{name}: {node.module}.{alias.name}"
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in public
        for alias in node.names
        if alias.name not in public[node.module] and f"{node.module}.{alias.name}" not in public
    ]
    assert private == []


def _is_bound(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _defined(body: list[ast.stmt]) -> set[str]:
    """The names that a module defines."""
    return {
        name
        for node in body
        for name in (
            [node.name]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            else [t.id for t in ast.walk(node) if isinstance(t, ast.Name) and _is_bound(t)]
            if isinstance(node, ast.Assign | ast.AnnAssign)
            else []
        )
    }


def _has_tasks(body: list[ast.stmt]) -> bool:
    """Whether a module is there for the tasks that it defines, which ``@task`` names."""
    return any(
        ast.unparse(decorator).startswith("task(")
        for node in body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    )


def _public(body: list[ast.stmt]) -> list[str]:
    """What ``__all__`` lists, or in a module of tasks what it defines."""
    if _has_tasks(body):
        return [name for name in _defined(body) if not name.startswith("_")]
    return [
        name
        for node in body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for name in ast.literal_eval(node.value)
    ]
