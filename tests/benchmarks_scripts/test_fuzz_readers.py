"""The fuzzer behind docs/robustness.md runs, counts, and finds what it is there to find."""

import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "fuzz_readers.py"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    return import_module("fuzz_readers")


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.parametrize(
    ("engine", "inputs"),
    [
        ("mutation", 400),
        ("hypothesis", 200),
        pytest.param("mutation", 2000, marks=pytest.mark.slow),
        pytest.param("hypothesis", 2000, marks=pytest.mark.slow),
    ],
)
def test_every_reader_is_given_its_share_and_stands(
    engine: str,
    inputs: int,
    script: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--inputs", str(inputs), "--engine", engine, "--no-timing"]
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *words])
    script.main()
    found = lines(capsys.readouterr().out)
    assert len(found) == 10
    assert {line["reader"]: line["faults"] for line in found} == dict.fromkeys(
        (line["reader"] for line in found), {}
    )
    assert sum(line["inputs"] for line in found) == pytest.approx(inputs, rel=0.05)
    read = {line["reader"] for line in found if line["read"]}
    assert read >= {"read_answer", "visible"}


def test_a_fault_is_found_counted_and_shown(script: ModuleType) -> None:
    def check(text: str, pick: int) -> bool:
        assert "<answer>" not in text
        return bool(text)

    tally = script.Tally(script.Reader("faulty", check, "reply", 1))
    script.by_mutation(tally, ["ab" * 9], 500, 0)
    [line] = lines(tally.line("mutation", 0, timing=False))
    [(fault, count)] = line["faults"].items()
    assert fault.startswith("AssertionError in check")
    assert 0 < count < 500
    assert "<answer>" in line["examples"][fault]
