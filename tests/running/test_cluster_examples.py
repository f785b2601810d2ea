"""The examples for clusters: their syntax, and runs of what they start."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from tests.commands.running import ran
from tests.processes import completed
from tests.running.rows import rows

EXAMPLES = Path(__file__).parents[2] / "examples"
SLURM = EXAMPLES / "slurm.sh"
MAIN = "from vr_evals.cli import main; main()"
SMALL = ("--levels", "0,5", "--limit", "1", "--display", "none")

FIRST, LAST = yaml.safe_load_all((EXAMPLES / "kubernetes.yaml").read_text(encoding="utf-8"))


def container(job: dict[str, Any]) -> dict[str, Any]:
    [found] = job["spec"]["template"]["spec"]["containers"]
    assert isinstance(found, dict)
    return found


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A search path with a ``vr-evals`` that prints its words, or runs a small grid with them."""
    command = tmp_path / "bin" / "vr-evals"
    command.parent.mkdir()
    command.write_text(
        '#!/bin/sh\nif [ -n "$SMALL" ]; then\n'
        f'exec {shlex.quote(sys.executable)} -c {shlex.quote(MAIN)} "$@" $SMALL\nfi\n'
        "printf '%s\\n' \"$@\"\n"
    )
    command.chmod(0o755)
    return f"{command.parent}{os.pathsep}{os.environ['PATH']}"


def words_of(command: list[str], path: str, **variables: str) -> list[str]:
    """The words after ``vr-evals`` that a command starts."""
    done = completed(command, env={**os.environ, "PATH": path, "SMALL": "", **variables})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def slurm(index: str, path: str, **variables: str) -> list[str]:
    return words_of(["bash", str(SLURM)], path, SLURM_ARRAY_TASK_ID=index, **variables)


def kubernetes(job: dict[str, Any], index: str, path: str) -> list[str]:
    [grid] = container(job)["env"]
    command = [*container(job)["command"], *container(job)["args"]]
    return words_of(command, path, JOB_COMPLETION_INDEX=index, GRID=grid["value"])


def test_the_array_has_all_shares(path: str) -> None:
    assert subprocess.run(["bash", "-n", str(SLURM)], check=False).returncode == 0
    text = SLURM.read_text(encoding="utf-8")
    assert "#SBATCH --array=1-8\n" in text
    each = [slurm(str(index), path) for index in range(1, 9)]
    assert [words[-2:] for words in each] == [["--shard", f"{i}/8"] for i in range(1, 9)]
    finish = words_of(["bash", str(SLURM), "finish"], path)
    assert finish == [*each[0][:-2], "--finish"]


def test_the_job_has_all_shares(path: str) -> None:
    assert FIRST["spec"]["completionMode"] == "Indexed"
    count = FIRST["spec"]["completions"]
    each = [kubernetes(FIRST, str(index), path) for index in range(count)]
    shards = [["--shard", f"{i}/{count}"] for i in range(1, count + 1)]
    assert [words[-2:] for words in each] == shards
    assert kubernetes(LAST, "0", path) == [*each[0][:-2], "--finish"]
    assert LAST["spec"]["suspend"] is True
    assert each[0][1:-4] == slurm("1", path)[1:-4], "but for the log folder, the same grid"


def test_what_they_start_is_a_command(path: str, tmp_path: Path) -> None:
    for words in (slurm("3", path), kubernetes(FIRST, "2", path)):
        assert words[0] == "run"
        words[words.index("--log-dir") + 1] = str(tmp_path / "logs")
        assert "shard 3 of 8: 9 logs" in ran(*words[1:], "--dry-run")


@pytest.mark.slow
def test_an_array_ends_as_one_process(path: str, tmp_path: Path) -> None:
    many, one = tmp_path / "many", tmp_path / "one"
    small = {"SMALL": " ".join(SMALL), "LOG_DIR": str(many)}
    for index in range(1, 9):
        slurm(str(index), path, **small)
    environment = {**os.environ, "PATH": path, **small}
    done = completed(["bash", str(SLURM), "finish"], env=environment)
    assert done.returncode == 0, done.stderr
    words = words_of(["bash", str(SLURM), "finish"], path)
    words[words.index("--log-dir") + 1] = str(one)
    ran(*words[1:-1], *SMALL)
    pd.testing.assert_frame_equal(rows(one), rows(many))
