"""The script that alters replies with a known answer: it runs, and holds its shares."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "altered_replies.py"
WORKED = SCRIPT.with_name("worked_replies.jsonl")
LINE = re.compile(r"(?P<name>\w+) +n=(?P<n>\d+) read=(?P<read>\d+) other=(?P<other>\d+)")
MOST = {"answer_line_removed": 0.01, "cut": 0.02, "cut_untagged": 0.02}


def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def counts(output: str) -> list[tuple[str, int, int, int]]:
    return [
        (found["name"], int(found["n"]), int(found["read"]), int(found["other"]))
        for found in LINE.finditer(output)
    ]


def test_the_worked_and_the_simulated_replies_hold_their_shares() -> None:
    done = run("--seed", 1)
    assert done.returncode == 0, done.stderr
    found = counts(done.stdout)
    assert len(found) == 12
    for name, n, read, other in found:
        assert n >= read >= other
        assert other <= MOST.get(name, 0) * read, (name, done.stdout)
    worked = {name: read / n for name, n, read, _ in found[:6]}
    assert worked["tags_removed"] > 0.5
    assert worked["quoted"] > 0.95
    assert worked["quoted_untagged"] > 0.9


def test_the_worked_replies_are_many_and_of_every_level() -> None:
    rows = [json.loads(line) for line in WORKED.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 150
    cells = {(row["benchmark"], row["level"]) for row in rows}
    assert len(cells) == 18
    assert len({row["completion"] for row in rows}) > 140


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    rows = [
        {"completion": "A is kinder.\n\n<answer>A</answer>", "benchmark": "moralchoice"},
        {"completion": "<answer>not wrong</answer>", "label": "not wrong"},
        {"completion": "<answer>E</answer>", "label": "E", "options": ["a", "b", "c", "d", "e"]},
        {"completion": "<answer>rude</answer>", "labels": ["polite", "rude"]},
        {"completion": "no tag", "label": "A"},
        {"completion": "<answer>A</answer>", "label": "B", "stop_reason": "stop"},
        {"completion": "<answer>A</answer>", "label": "A", "stop_reason": "max_tokens"},
    ]
    file.write_text("\n\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = run(file, "--examples", 2)
    assert done.returncode == 0, done.stderr
    assert "4 replies\n" in done.stdout
    assert "3 replies skipped" in done.stdout
    assert all(other == 0 for *_, other in counts(done.stdout))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        (b"", "no reply with a tagged answer"),
        (b"\xff\xfe", "not UTF-8"),
        (b"not json", "line 1: invalid JSON"),
        (b"[" * 100_000, "line 1: invalid JSON"),
        (b"[1]", "expected an object"),
        (b'{"completion": 1}', "expected an object with a text 'completion'"),
        (b'{"completion": "<answer>A</answer>"}', "expected 'labels', 'label', or 'benchmark'"),
        (b'{"completion": "x", "label": "Z"}', "invalid 'label' 'Z'"),
        (b'{"completion": "x", "label": ["A"]}', "invalid 'label'"),
        (b'{"completion": "x", "labels": ["A"]}', "invalid 'labels'"),
        (b'{"completion": "x", "label": "A", "options": [1]}', "invalid 'options'"),
    ],
)
def test_bad_input_is_one_line(content: bytes | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    if content is not None:
        file.write_bytes(content)
    done = run(file)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_cuts_is_one_line() -> None:
    done = run("--cuts", 0)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
