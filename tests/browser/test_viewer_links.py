"""The links of a report, opened in the viewer that they are for."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser

from tests.analysis.running import run
from tests.processes import PATIENCE, started
from tests.report.test_samples import IDS
from vr_evals.analysis import read_logs
from vr_evals.report.samples import VIEWER, common_folder, sample_block


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders of logs, of which one has a name to be quoted and ids that are hard to quote."""
    folder = tmp_path_factory.mktemp("logs")
    items = folder.with_suffix(".jsonl")
    lines = [
        {"id": name, "scenario": f"I took item {place} of my neighbour.", "label": place % 2}
        for place, name in enumerate(IDS)
    ]
    items.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    run(folder / "ids ü+1", "ethics_level0", dataset=str(items), items=None)
    run(folder / "others", "morables_level0")
    return folder


@pytest.fixture(scope="module")
def viewer(logs: Path) -> Iterator[str]:
    """The address of `inspect view` on these logs."""
    for _ in range(5):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "inspect_ai", "view", "--log-dir", str(logs)]
        command += ["--port", str(port)]
        with started(command, patience=10 * PATIENCE, stdout=subprocess.DEVNULL) as process:
            address = f"http://127.0.0.1:{port}"
            if answers(address, process):
                yield address
                return
    pytest.fail("another process took each port")


@pytest.fixture(scope="module")
def links(logs: Path) -> dict[str, dict[str, str]]:
    """The link to each sample: by its uuid, and by its id where the uuid is not known.

    Made before there is a browser, in whose thread Inspect can't read.
    """
    rows = read_logs(logs)
    folder = common_folder(rows["log"].unique().tolist())
    rows = rows[rows["benchmark"] == "ethics"]
    return {
        name: {
            row["sample_id"]: str(sample_block(row, folder, "", "").link)
            for _, row in table.iterrows()
        }
        for name, table in (("uuid", rows), ("id", rows.assign(uuid=None)))
    }


@pytest.mark.parametrize(
    ("named", "asked"),
    [
        pytest.param("id", ["p%2Fq", "ünï 你+x"], id="hard ids"),
        pytest.param("id", IDS, id="ids", marks=pytest.mark.slow),
        # a uuid looks the same whatever the id is
        pytest.param("uuid", IDS[:3], id="uuids", marks=pytest.mark.slow),
    ],
)
def test_each_link_opens_its_sample(
    links: dict[str, dict[str, str]],
    viewer: str,
    browser: Browser,
    named: str,
    asked: Sequence[str],
) -> None:
    assert set(links[named]) == set(IDS)
    context = browser.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    for sample in asked:
        link = links[named][sample]
        page = context.new_page()
        page.goto(link.replace(VIEWER, viewer))
        shown = page.get_by_text(re.compile(r"I took item \d+ of my neighbour")).first
        shown.wait_for()
        assert f"I took item {IDS.index(sample)} of" in shown.inner_text(), link
        page.close()


def answers(address: str, process: subprocess.Popen[str]) -> bool:
    """Wait until a server answers; whether it does before its process ends."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None:
        try:
            with urlopen(address, timeout=PATIENCE):
                return process.poll() is None
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
    return False
