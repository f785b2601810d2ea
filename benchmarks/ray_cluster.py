"""Run a grid on a Ray cluster of three nodes with logs on S3, kill a node and the driver, compare.

    python benchmarks/ray_cluster.py [--models 10] [--samples 20] [--latency 0.05]

Needs the extra `ray`, `moto[server]` and `s3fs`. The cluster is on this machine
(`ray.cluster_utils.Cluster`), and S3 is moto's server on loopback. The grid has 20 tasks per model
(two benchmarks, levels 0 to 4, thinking off and on). After a third of the cells a node is killed,
after two thirds the driver, which is then started again. The tidy table is compared with that of
the same grid in one process.
"""

import argparse
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd
from moto.server import ThreadedMotoServer

from vr_evals.analysis import read_logs
from vr_evals.models.personas import PERSONAS

MAIN = "from vr_evals.cli import main; main()"
OF_ONE_RUN = ["seconds", "uuid", "log"]
TASKS = 20
S3 = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}
RAY = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}


def command(arguments: argparse.Namespace, log_dir: str, *words: str) -> list[str]:
    """Return the command that runs the grid."""
    models = [
        word
        for name in list(PERSONAS)[: arguments.models]
        for word in ("--model", f"vr_sim/{name}")
    ]
    return [
        sys.executable, "-c", MAIN, "run", "--benchmark", "ethics,morables", "--levels", "0-4",
        "--thinking", "both", "--dataset", "sample", "--limit", str(arguments.samples),
        "-M", f"latency={arguments.latency}", *models, "--log-dir", log_dir, *words,
    ]  # fmt: skip


def start(words: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a process with its output in a file."""
    with log.open("ab") as out:
        return subprocess.Popen(words, stdout=out, stderr=out, start_new_session=True)


def done(log: Path) -> int:
    """Return how many cells a driver has reported as finished."""
    return log.read_text().count(": finished, ") if log.exists() else 0


def three_nodes() -> tuple[Any, list[Any]]:
    """Start a cluster, and return it with the nodes that are not its head."""
    from ray.cluster_utils import Cluster

    options = {"object_store_memory": 80 * 2**20, "include_dashboard": False, "num_cpus": 1}
    cluster = Cluster()
    nodes: list[Any] = []
    for _ in range(20):  # on a busy machine, a node does not start within Ray's 30 seconds
        try:
            nodes.append(cluster.add_node(**options))
        except Exception as error:
            print(f"once more: {error}", flush=True)
        if len(nodes) == 3:
            return cluster, nodes[1:]
    raise SystemExit("the cluster does not start")


def on_cluster(arguments: argparse.Namespace, log_dir: str, folder: Path) -> None:
    """Run the grid, kill a node and the driver in the middle, and print what happened."""
    from ray.cluster_utils import Cluster

    options = {"object_store_memory": 80 * 2**20, "include_dashboard": False, "num_cpus": 1}
    cluster = Cluster(
        initialize_head=True, head_node_args={**options, "include_log_monitor": False}
    )
    nodes = [cluster.add_node(**options) for _ in range(2)]
    cells = arguments.models * TASKS
    words = command(arguments, log_dir, "--ray", cluster.address)
    began = time.monotonic()
    first = start(words, folder / "first.txt")
    while done(folder / "first.txt") < cells / 3 and first.poll() is None:
        time.sleep(0.2)
    cluster.remove_node(nodes.pop(), allow_graceful=False)
    print(f"{time.monotonic() - began:.0f} s: a node killed", flush=True)
    while done(folder / "first.txt") < 2 * cells / 3 and first.poll() is None:
        time.sleep(0.2)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    print(f"{time.monotonic() - began:.0f} s: the driver killed", flush=True)
    second = start(words, folder / "second.txt").wait()
    print(f"{time.monotonic() - began:.0f} s: ended, exit code {second}")
    for name in ("first.txt", "second.txt"):
        lines = (folder / name).read_text().splitlines()
        print(f"{name}: {done(folder / name)} cells finished")
        for line in lines:
            if "already finished" in line or "lost" in line or "Error" in line:
                print(f"  {line}")
    cluster.shutdown()


def rows(log_dir: str) -> pd.DataFrame:
    """Return the tidy table without what differs between two runs."""
    table = read_logs(log_dir).drop(columns=OF_ONE_RUN)
    return table.sort_values(["model", "task", "sample_id", "epoch"], ignore_index=True)


def main() -> None:
    """Run, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=int, default=10, help="20 cells each")
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds per call")
    arguments = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ |= S3 | RAY | {"AWS_ENDPOINT_URL": f"http://{host}:{port}"}
    import s3fs

    s3fs.S3FileSystem().mkdir("s3://study")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        print(f"{arguments.models * TASKS} cells of {arguments.samples} samples", flush=True)
        on_cluster(arguments, "s3://study/logs", folder)
        began = time.monotonic()
        one = start(command(arguments, str(folder / "one")), folder / "one.txt").wait()
        print(f"one process: {time.monotonic() - began:.0f} s, exit code {one}", flush=True)
        expected, found = rows(str(folder / "one")), rows("s3://study/logs")
        pd.testing.assert_frame_equal(expected, found)
        print(f"tables: {len(found)} rows, equal")
    server.stop()


if __name__ == "__main__":
    main()
