"""The script that alters replies with a known answer: it runs, and holds its shares."""

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "altered_replies.py"
WORKED = SCRIPT.with_name("worked_replies.jsonl")
LINE = re.compile(r"(?P<name>\w+) +n=(?P<n>\d+) read=(?P<read>\d+) other=(?P<other>\d+)")
MOST = {"answer_line_removed": 0.01, "cut": 0.02, "cut_untagged": 0.02}


class Done(NamedTuple):
    """How the script ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


class Run(Protocol):
    """Runs the script with words as of a command line."""

    def __call__(self, *words: Any) -> Done: ...


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.syspath_prepend(str(SCRIPT.parent))

    def run(*words: Any) -> Done:
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), *map(str, words)])
        code = 0
        try:
            import_module("altered_replies").main()
        except SystemExit as end:
            code = int(end.code or 0)
        return Done(code, *capsys.readouterr())

    return run


def counts(output: str) -> list[tuple[str, int, int, int]]:
    return [
        (found["name"], int(found["n"]), int(found["read"]), int(found["other"]))
        for found in LINE.finditer(output)
    ]


def check_shares(output: str) -> list[tuple[str, int, int, int]]:
    """Nothing is read more often than it may be as another answer."""
    found = counts(output)
    for name, n, read, other in found:
        assert n >= read >= other
        assert other <= MOST.get(name, 0) * read, (name, output)
    worked = {name: read / n for name, n, read, _ in found[:6]}
    assert worked["tags_removed"] > 0.5
    assert worked["quoted"] > 0.95
    assert worked["quoted_untagged"] > 0.9
    return found


@pytest.mark.slow
def test_the_worked_and_the_simulated_replies_hold_their_shares(run: Run) -> None:
    done = run("--seed", 1)
    assert done.returncode == 0, done.stderr
    assert len(check_shares(done.stdout)) == 12


def test_every_sixth_worked_reply_holds_its_shares(run: Run, tmp_path: Path) -> None:
    lines = WORKED.read_text(encoding="utf-8").splitlines()
    (tmp_path / "some.jsonl").write_text("\n".join(lines[::6]), encoding="utf-8")
    done = run(tmp_path / "some.jsonl", "--seed", 1)
    assert done.returncode == 0, done.stderr
    assert len(check_shares(done.stdout)) == 6


def test_the_worked_replies_are_many_and_of_every_level() -> None:
    rows = [json.loads(line) for line in WORKED.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 150
    cells = {(row["benchmark"], row["level"]) for row in rows}
    assert len(cells) == 18
    assert len({row["completion"] for row in rows}) > 140


def test_a_file_of_ones_own(run: Run, tmp_path: Path) -> None:
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
def test_bad_input_is_one_line(
    content: bytes | None, message: str, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "replies.jsonl"
    if content is not None:
        file.write_bytes(content)
    done = run(file)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_cuts_is_one_line(run: Run) -> None:
    done = run("--cuts", 0)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
