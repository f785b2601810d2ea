"""The fuzzer behind docs/robustness.md runs, counts, and finds what it is there to find."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "fuzz_readers.py"
FAULTY = """
import sys
from random import Random

sys.path.insert(0, {folder!r})
from fuzz_readers import Tally, by_mutation
from fuzz_targets import Reader


def check(text: str, pick: int) -> bool:
    assert "<answer>" not in text
    return bool(text)


tally = Tally(Reader("faulty", check, "reply", 1))
by_mutation(tally, ["ab" * 9], 500, 0)
print(tally.line("mutation", 0, timing=False))
"""


def lines(*arguments: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True, timeout=300
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("engine", ["mutation", "hypothesis"])
def test_every_reader_is_given_its_share_and_stands(engine: str) -> None:
    found = lines(str(SCRIPT), "--inputs", "2000", "--engine", engine, "--no-timing")
    assert len(found) == 8
    assert {line["reader"]: line["faults"] for line in found} == dict.fromkeys(
        (line["reader"] for line in found), {}
    )
    assert sum(line["inputs"] for line in found) == pytest.approx(2000, abs=100)
    read = {line["reader"] for line in found if line["read"]}
    assert read >= {"read_answer", "visible"}


def test_a_fault_is_found_counted_and_shown() -> None:
    [line] = lines("-c", FAULTY.format(folder=str(SCRIPT.parent)))
    [(fault, count)] = line["faults"].items()
    assert fault.startswith("AssertionError in check")
    assert 0 < count < 500
    assert "<answer>" in line["examples"][fault]
