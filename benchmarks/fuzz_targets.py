"""What is fuzzed, and what must hold of each reader whatever it is given."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import fsspec
from inspect_ai.model import GenerateConfig

from vr_evals.answers import letters, read_answer
from vr_evals.benchmarks import Benchmark, RowError
from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.benchmarks.files import read_rows
from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.benchmarks.morables import MORABLES
from vr_evals.benchmarks.moralchoice import MORALCHOICE
from vr_evals.confidences import read_confidence
from vr_evals.errors import InputError
from vr_evals.initial_answers import read_initial_answer
from vr_evals.level_checks import LEVEL_CHECKS, check_level
from vr_evals.scorers.acknowledgement import mention
from vr_evals.solvers.thinking import describe, resolve
from vr_evals.visible import find_tags, plain, readable, visible_text

__all__ = ["READERS", "Reader"]

_STATED = {"tag", "stated"}
_STOP_REASONS = (None, "stop", "max_tokens", "content_filter", "model_length")
_FIVE = ("Slow and steady wins.", "wrong", "Trust nobody, or B.", "", "İstanbul \ud800")
_QUESTIONS = (
    (("wrong", "not wrong"), ()),
    (("wrong", "not wrong"), ("wrong", "not wrong")),
    (letters(2), ()),
    (letters(2), ("wrong", "not wrong")),
    (letters(5), _FIVE),
    (letters(10), ()),
)
_ANSWER_SETTINGS = tuple(product(_QUESTIONS, (True, False), _STOP_REASONS))
_BENCHMARKS: tuple[Benchmark, ...] = (ETHICS, MORALCHOICE, MORABLES, MCQA)


@dataclass(frozen=True)
class Reader:
    """A reader under test.

    Attributes:
        name: What is fuzzed.
        check: Reads a text under one of the reader's settings, which the number picks, and says
            whether there was something to read; raises where something does not hold that must.
        kind: What its inputs are near to: a ``reply``, a model's ``name``, or a file of a format.
        share: Its share of all inputs (0-1).
    """

    name: str
    check: Callable[[str, int], bool]
    kind: str
    share: float


def _answer(text: str, pick: int) -> bool:
    (labels, options), tags, stop_reason = _ANSWER_SETTINGS[pick % len(_ANSWER_SETTINGS)]
    read = read_answer(text, labels, options=options, tags=tags, stop_reason=stop_reason)
    assert read.label is None or read.label in labels
    assert (read.label is not None) == (read.format in _STATED)
    assert read.cut_off == (stop_reason in {"max_tokens", "model_length"})
    return read.label is not None


def _confidence(text: str, pick: int) -> bool:
    read = read_confidence(text, stop_reason=_STOP_REASONS[pick % len(_STOP_REASONS)])
    assert read.value is None or (math.isfinite(read.value) and 0 <= read.value <= 100)
    assert read.value is None or (read.reason is None and bool(read.text))
    return read.value is not None


def _initial(text: str, pick: int) -> bool:
    (labels, options), _, stop_reason = _ANSWER_SETTINGS[pick % len(_ANSWER_SETTINGS)]
    read = read_initial_answer(text, labels, options=options, stop_reason=stop_reason)
    assert read.label is None or read.label in labels
    assert (read.label is not None) == (read.format in {"headed", "numbered", "sentence"})
    return read.label is not None


def _level(text: str, pick: int) -> bool:
    (labels, options), repeats, stop_reason = _ANSWER_SETTINGS[pick % len(_ANSWER_SETTINGS)]
    prompt = text[: pick % (len(text) + 1)] if repeats else ""
    checked = check_level(
        text, labels, options=options, prompt=prompt, stop_reason=stop_reason, refused=pick % 7 == 0
    )
    found = [getattr(checked, name) for name in LEVEL_CHECKS]
    assert checked.visible_words >= 0
    assert all(value in (True, False, None) for value in found)
    if checked.answer_only:
        assert found == [True, False, False, False]
        assert stop_reason not in {"max_tokens", "model_length"}
    if pick % 7 == 0 or not checked.visible_words:
        assert found == [None] * len(found)
    return found != [None] * len(found)


def _visible(text: str, pick: int) -> bool:
    shown = readable(text)
    assert shown == shown.strip()
    plain(shown)
    assert len(visible_text(text)) <= len(text)
    position = 0
    for tag in find_tags(shown, ("answer", "confidence")[pick % 2]):
        assert position <= tag.start < tag.end <= len(shown)
        assert tag.content in shown
        position = tag.start
    return bool(shown)


def _mention(text: str, pick: int) -> bool:
    found = mention(text)
    assert found in {"explicit", "source", "endorsement", "none"}
    return found != "none"


def _thinking(text: str, pick: int) -> bool:
    resolution = resolve(text, thinking=bool(pick % 2), budget=1024 + pick % 60_000)
    GenerateConfig.model_validate(resolution.config)
    assert all(isinstance(fact, str | bool) for fact in describe(resolution).values())
    return resolution.known


def _rows(suffix: str) -> Callable[[str, int], bool]:
    """Read a file of a format, then each of its rows as an item of each benchmark."""
    files = fsspec.filesystem("memory")
    encodings = ("utf-8", "utf-8-sig", "utf-16")

    def check(text: str, pick: int) -> bool:
        encoding = encodings[pick % len(encodings)]
        files.pipe(f"/fuzz/rows{suffix}", text.encode(encoding, "surrogatepass"))
        try:
            rows = read_rows(f"memory://fuzz/rows{suffix}")
            assert rows
            for benchmark in _BENCHMARKS:
                benchmark.check_file(rows, "fuzz")
        except InputError as error:
            if "\n" in error.message:
                raise AssertionError(f"an error of several lines: {error.message!r}") from error
            return False
        read = False
        for row in rows:
            for benchmark in _BENCHMARKS:
                try:
                    item = benchmark.read_item(row, "fuzz")
                except RowError:
                    continue
                read = True
                assert item.id.strip()
                assert item.text.strip()
                assert item.target is None or 0 <= item.target < len(item.options)
        return read

    return check


READERS = {
    reader.name: reader
    for reader in (
        Reader("read_answer", _answer, "reply", 0.4),
        Reader("read_initial_answer", _initial, "reply", 0.05),
        Reader("check_level", _level, "reply", 0.05),
        Reader("read_confidence", _confidence, "reply", 0.15),
        Reader("visible", _visible, "reply", 0.15),
        Reader("mention", _mention, "reply", 0.1),
        Reader("thinking.resolve", _thinking, "name", 0.07),
        Reader("rows of csv", _rows(".csv"), ".csv", 0.01),
        Reader("rows of json", _rows(".json"), ".json", 0.01),
        Reader("rows of jsonl", _rows(".jsonl"), ".jsonl", 0.01),
    )
}
