"""``vr-evals run --ray``: what needs no cluster, quickly, and a cluster whose parts are killed."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import read_eval_log

from tests.commands.running import SMALL, contents, finished, logs, ran, run
from tests.processes import completed, started
from tests.running.rows import rows
from vr_evals.errors import InputError
from vr_evals.running.locks import exclusive_lock
from vr_evals.running.ray_cells import CellJob, FolderToken, NodeVersions, check_node, run_cell
from vr_evals.running.ray_cluster import RayOptions
from vr_evals.running.ray_engine import _Driver

VR_EVALS = (sys.executable, "-c", "from vr_evals.cli import main; main()", "run")
GRID = (
    "--benchmark", "ethics", "--levels", "0-3", "--thinking", "both", "--dataset", "sample",
    "--limit", "4", "--model", "vr_sim/careful", "--model", "vr_sim/overconfident",
    "-M", "latency=0.3",
)  # fmt: skip
CELLS = 16


def test_without_the_extra_one_line_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = run(*SMALL, "--log-dir", tmp_path / "logs", "--ray", "auto")
    assert result.exit_code == 2
    assert "pip install '.[ray]' in a clone" in result.output.splitlines()[-1]
    assert not (tmp_path / "logs").exists()


@pytest.mark.slow
def test_nothing_of_ray_is_imported_without_it(tmp_path: Path) -> None:
    code = (
        "import sys, vr_evals.running.ray_engine\n"
        "from vr_evals.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "sys.exit('ray' in sys.modules)"
    )
    words = ["run", *SMALL, "--limit", "1", "--display", "none", "--log-dir", str(tmp_path)]
    done = completed([sys.executable, "-c", code, *words])
    assert done.returncode == 0, done.stderr


class _NotRay(BaseHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.mark.parametrize("is_served", [False, True])
def test_an_address_without_a_cluster_is_found_in_seconds(is_served: bool, tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _NotRay)
    threading.Thread(target=server.serve_forever).start()
    address = f"127.0.0.1:{server.server_port}"
    try:
        if not is_served:
            server.server_close()
        start = time.monotonic()
        result = run(*SMALL, "--log-dir", tmp_path / "logs", "--ray", address)
        assert time.monotonic() - start < 60, "Ray itself takes two minutes"
    finally:
        server.shutdown()
        server.server_close()
    assert result.exit_code == 2
    assert result.output.splitlines()[-1].startswith(f"Error: --ray {address}: no Ray cluster")
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--workers 2", "need --ray"),
        ("--ray-env HOME", "need --ray"),
        ("--ray auto --workers 0", "0 is not in the range"),
        ("--ray auto --gpus-per-task -1", "-1.0 is not in the range"),
        ("--ray auto --resource vr_sim", "invalid value 'vr_sim': expected name=value"),
        ("--ray auto --resource vr_sim=0", "invalid amount '0' of vr_sim"),
        ("--ray auto --resource vr_sim=nan", "invalid amount 'nan' of vr_sim"),
        ("--ray auto --resource openai=1", "not a provider of this grid's models (vr_sim)"),
        ("--ray auto --ray-option num_gpus=1", "not supported; use --gpus-per-task"),
        ("--ray auto --ray-env NOT_SET_ANYWHERE", "NOT_SET_ANYWHERE is not set"),
        ("--ray auto --shard 1/2", "--ray with --shard or --finish: not supported"),
        ("--ray auto --finish", "--ray with --shard or --finish: not supported"),
    ],
)
def test_invalid_options_are_one_line(words: str, message: str, tmp_path: Path) -> None:
    result = run(*SMALL, "--log-dir", tmp_path / "logs", *words.split())
    assert result.exit_code == 2, (result.output, result.exception)
    assert message in result.output.splitlines()[-1]
    assert not (tmp_path / "logs").exists()


def test_what_a_cell_takes_of_the_cluster() -> None:
    options = RayOptions(
        "auto",
        gpus=0.5,
        resources={"anthropic": 8},
        task_options={"num_cpus": 2, "resources": {"big": 1}, "runtime_env": {"pip": ["x"]}},
        environment={"KEY": "secret"},
    )
    common = {"num_cpus": 2, "num_gpus": 0.5, "max_retries": 0}
    assert options.of_cell("anthropic/claude-sonnet-4-5") == common | {
        "resources": {"big": 1, "anthropic": 8}
    }
    assert options.of_cell("openai/gpt-4o") == common | {"resources": {"big": 1}}
    assert "secret" not in repr(options)


def _job(log_dir: Path, **changes: Any) -> CellJob:
    token = FolderToken(str(log_dir), ".token", "abc")
    values: dict[str, Any] = {
        "task": "ethics_level0",
        "arguments": {"dataset": "sample"},
        "model": "vr_sim/careful",
        "thinking": False,
        "options": {"limit": 2, "epochs": None, "model_args": {}, "display": "none"},
        "eval_set_id": "study",
        "resume": None,
        "token": token,
        "folder": "/not/here",
        "environment": {},
    }
    return CellJob(**{**values, **changes})


def test_a_cell_is_run_and_resumed_without_metadata(tmp_path: Path) -> None:
    job = _job(tmp_path)
    job.token.write()
    first = run_cell(job)
    assert first.header, first.error
    assert first.header.eval.eval_set_id == "study"
    again = run_cell(_job(tmp_path, resume=first.header.location))
    assert again.header, again.error
    uuids = [
        [sample.uuid for sample in read_eval_log(header.location).samples or []]
        for header in (first.header, again.header)
    ]
    assert uuids[0] == uuids[1]
    assert len(uuids[0]) == 2
    job.token.remove()
    assert {path.suffix for path in tmp_path.iterdir()} == {".eval"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "vr_sim/nobody"}, "invalid model 'vr_sim/nobody'"),
        ({"model": "openai/gpt-4o"}, "OPENAI_API_KEY"),
        ({"arguments": {"dataset": "nowhere.csv"}}, "file not found"),
        ({"token": FolderToken("memory://elsewhere", ".token", "abc")}, "is another folder here"),
    ],
)
def test_what_stops_a_cell_before_a_call_is_certain(
    changes: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    job = _job(tmp_path, **changes)
    FolderToken(str(tmp_path), ".token", "abc").write()
    outcome = run_cell(job)
    assert outcome.is_certain
    assert outcome.header is None
    assert outcome.error
    assert message in outcome.error
    assert "\n" not in outcome.error
    assert "[bold]" not in outcome.error


def test_a_folder_is_recognised_by_what_the_driver_wrote(tmp_path: Path) -> None:
    token = FolderToken(str(tmp_path / "logs"), ".token", "abc")
    _, problem = check_node(token, ".node")
    assert problem
    token.write()
    assert check_node(token, ".node") == (NodeVersions.here(), None)
    other = FolderToken(token.log_dir, ".token", "other")
    assert "another folder" in (check_node(other, ".node")[1] or "")
    assert [path.name for path in (tmp_path / "logs").iterdir()] == [".token"]
    token.remove()
    token.remove()


class Nodes:
    """A cluster of three nodes with a CPU each, on this machine."""

    def __init__(self, folder: str) -> None:
        from ray.cluster_utils import Cluster

        self._folder = folder
        self.logs = Path(folder) / "session_latest" / "logs"
        self._common: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 2**20}
        self._cluster: Any = Cluster()
        self._add(temp_dir=folder, include_dashboard=False, include_log_monitor=False)
        self._nodes: list[Any] = []
        self.address = str(self._cluster.address)
        self.fill()

    def _add(self, **options: Any) -> Any:
        """Add a node: on a busy machine, some do not start within Ray's 30 seconds."""
        for _ in range(5):
            with suppress(Exception):
                return self._cluster.add_node(**self._common, **options)
        return self._cluster.add_node(**self._common, **options)

    def fill(self) -> None:
        """Start what is missing."""
        while len(self._nodes) < 2:
            share = {"vr_sim": 2} if not self._nodes else {}
            self._nodes.append(self._add(resources=share))

    def kill(self) -> None:
        """Kill a node at once."""
        self._cluster.remove_node(self._nodes.pop(), allow_graceful=False)

    def end(self) -> None:
        """End all nodes, and what is left of those that did not start in time."""
        self._cluster.shutdown()
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if self._folder.encode() in path.read_bytes():
                    os.kill(int(path.parent.name), signal.SIGKILL)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    # its workers are nice to others by default, and would wait for other tests
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
    # a short path: sockets are in it
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        found = Nodes(folder)
        try:
            yield found
        finally:
            found.end()


def _wait_for(count: int, output: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a driver has reported a number of finished cells."""
    while output.read_text().count(": finished, ") < count:
        assert process.poll() is None, output.read_text()
        time.sleep(0.1)


@pytest.mark.slow
def test_a_killed_node_and_a_killed_driver_change_no_row(nodes: Nodes, tmp_path: Path) -> None:
    nodes.fill()
    log_dir, output = tmp_path / "logs", tmp_path / "output.txt"
    words = [*VR_EVALS, *GRID, "--log-dir", str(log_dir), "--ray", nodes.address]
    with output.open("w") as out, started(words, stdout=out, stderr=out) as first:
        _wait_for(3, output, first)
        nodes.kill()
        _wait_for(7, output, first)
        first.send_signal(signal.SIGKILL)
    last = completed(words)
    assert last.returncode == 0, last.stdout + last.stderr
    assert f"[{CELLS}/{CELLS}]" in last.stdout
    assert last.stdout.count(": finished, 4 samples") <= CELLS - 7
    left = {path.name for path in log_dir.iterdir() if path.suffix != ".eval"}
    assert left == {".eval-set-id", ".vr-evals-run.lock", "eval-set.json", "logs.json"}
    assert len(finished(log_dir)) == CELLS
    ids = {log.eval.eval_set_id for log in logs(log_dir)}
    assert ids == {(log_dir / ".eval-set-id").read_text()}
    before = contents(log_dir)
    assert "16 already finished" in ran(*GRID, "--log-dir", log_dir)
    assert contents(log_dir) == before, "eval_set finds nothing to do"
    ran(*GRID, "--log-dir", tmp_path / "one")
    pd.testing.assert_frame_equal(rows(log_dir), rows(tmp_path / "one"))


@pytest.mark.slow
def test_a_node_that_was_just_killed_stops_no_grid(nodes: Nodes, tmp_path: Path) -> None:
    nodes.fill()
    nodes.kill()
    words = [*VR_EVALS, *SMALL, "--log-dir", str(tmp_path), "--ray", nodes.address]
    done = completed(words)
    # Ray lists a killed node for some seconds, so that it may be checked
    assert done.returncode == 0, done.stdout + done.stderr
    assert finished(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("error", ["TaskUnschedulableError", "NodeDiedError", "RaySystemError"])
def test_only_a_node_that_is_gone_may_leave_its_check_unanswered(error: str) -> None:
    import ray

    def get(_: object) -> None:
        raise getattr(ray.exceptions, error)("the reason")

    told: list[str] = []
    driver = _Driver.__new__(_Driver)
    driver._ray = SimpleNamespace(get=get, exceptions=ray.exceptions)  # type: ignore[assignment]  # a cluster in trouble
    driver._tell = told.append
    if error == "RaySystemError":
        with pytest.raises(InputError, match="node n1 cannot run vr_evals: .*the reason"):
            driver._judge_node("check", "n1")
    else:
        assert driver._judge_node("check", "n1") is False
        assert told == ["node n1 has left the cluster"]


@pytest.mark.slow
def test_a_failed_cell_is_named_and_keys_are_in_no_log(nodes: Nodes, tmp_path: Path) -> None:
    nodes.fill()
    secret = "sk-do-not-log-this"
    words = [
        *VR_EVALS, *SMALL, "--model", "openai/gpt-4o", "--limit", "2", "--retry-attempts", "2",
        "--max-retries", "0", "--log-dir", str(tmp_path / "logs"), "--ray", nodes.address,
        "--resource", "vr_sim=2", "--ray-env", "OPENAI_API_KEY", "--ray-env", "OPENAI_BASE_URL",
    ]  # fmt: skip
    keys = {"OPENAI_API_KEY": secret, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    done = completed(words, env=os.environ | keys)
    assert done.returncode == 1, done.stdout + done.stderr
    [line] = [line for line in done.stderr.splitlines() if line.startswith("ethics_level0 on")]
    assert line.startswith("ethics_level0 on openai/gpt-4o: 2 of 2 samples failed")
    assert "onnection" in line
    assert "ethics_level0 on vr_sim/careful: finished, 2 samples" in done.stdout
    assert done.stdout.count("resumed from its log") == 1, "two attempts"
    assert secret not in done.stdout + done.stderr
    assert not [
        path
        for path in nodes.logs.rglob("*")
        if path.is_file() and secret.encode() in path.read_bytes()
    ]


@pytest.mark.slow
def test_two_drivers_would_pay_twice(nodes: Nodes, tmp_path: Path) -> None:
    with exclusive_lock(str(tmp_path)):
        done = completed([*VR_EVALS, *SMALL, "--log-dir", str(tmp_path), "--ray", nodes.address])
    assert done.returncode == 2
    assert "log directory is locked by another vr-evals run" in done.stderr.splitlines()[-1]
    assert not contents(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--log-dir", "memory://logs"], "does not reach the log folder: memory://logs is"),
        (["--resource", "vr_sim=3"], "--resource vr_sim=3: no node of the cluster has that much"),
        (["--ray-option", "nonsense=1"], "nonsense"),
    ],
)
def test_what_a_cluster_cannot_run_is_one_line(
    words: list[str], message: str, nodes: Nodes, tmp_path: Path
) -> None:
    nodes.fill()
    common = [*VR_EVALS, *SMALL, "--log-dir", str(tmp_path), "--ray", nodes.address]
    done = completed([*common, *words])
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in done.stderr.splitlines()[-1]
    assert not contents(tmp_path)
