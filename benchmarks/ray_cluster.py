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
import tempfile
import time
from pathlib import Path

import pandas as pd
from many_machines import TASKS, command, rows, start
from moto.server import ThreadedMotoServer

S3 = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}
RAY = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}


def done(log: Path) -> int:
    """Return how many cells a driver has reported as finished."""
    return log.read_text().count(": finished, ") if log.exists() else 0


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
