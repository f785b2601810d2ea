"""The built wheel, in an environment without this checkout."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from tests.processes import completed

ROOT = Path(__file__).parents[2]


RUN = """
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def output(*args):
    said = ModelOutput.from_content("mockllm/model", "<answer>A</answer>")
    said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return said

model = get_model("mockllm/model", custom_outputs=output)
[log] = eval(
    "vr_evals/morables_level5_thinking", model=model, limit=2, task_args={"dataset": "sample"}
)
assert log.status == "success", log.error
"""


def command(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command outside the checkout; its output is shown where it fails."""
    variables = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = completed(words, cwd=cwd, env=variables | environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    # a build writes beside the sources, which may be somebody else's
    source = folder / "source"
    metadata = ("pyproject.toml", "README.md", "LICENSE", "NOTICE", ".metadata")
    kept = (*metadata, "vr_evals", "tests", "benchmarks", "tasks")
    for path in map(ROOT.joinpath, kept):
        if path.is_dir() and not path.is_symlink():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(path, source / path.name, ignore=ignored, copy_function=shutil.copyfile)
        else:
            source.mkdir(exist_ok=True)
            shutil.copyfile(path, source / path.name, follow_symlinks=False)
    # with the build backend of this environment: nothing is asked of the network
    command(
        *(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source), cwd=folder
    )
    return folder


def test_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"vr_evals"}
    for wanted in (
        "py.typed",
        "eval.yaml",
        "_registry.py",
        "data/ethics.jsonl",
        "solvers/levels.py",
    ):
        assert f"vr_evals/{wanted}" in names
    assert any(name.endswith("licenses/NOTICE") for name in names)


def test_task_runs_by_name_from_an_empty_folder(built: Path, tmp_path: Path) -> None:
    [wheel] = built.glob("*.whl")
    environment = tmp_path / "environment"
    # what the wheel depends on is taken from this environment, the package itself is not
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    target = Path(command(python, "-c", code, cwd=tmp_path).stdout.strip())
    command(
        sys.executable, "-m", "pip", "install", "--no-deps", "--target", target, wheel, cwd=tmp_path
    )
    ours = command(sys.executable, "-c", code, cwd=tmp_path).stdout.strip()
    (target / "dependencies.pth").write_text(ours + "\n", encoding="utf-8")
    empty = tmp_path / "empty"
    empty.mkdir()
    found = command(python, "-c", "import vr_evals; print(vr_evals.__file__)", cwd=empty)
    assert str(environment) in found.stdout
    command(python, "-c", RUN, cwd=empty, INSPECT_LOG_DIR=str(tmp_path / "logs"))
    [info] = list_eval_logs(str(tmp_path / "logs"))
    log = read_eval_log(info)
    assert log.eval.task == "vr_evals/morables_level5_thinking"
    assert log.eval.packages["vr-evals"]
