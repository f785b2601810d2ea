"""Fuzz the parsers of replies, files and model names with generated inputs.

    python benchmarks/fuzz_readers.py [--engine mutation|hypothesis|atheris] [--inputs 10000000]
        [--seconds 120] [--seed 0] [--replies extraction.jsonl] [--reader read_answer] [--no-timing]

No input may raise other than the documented errors, give an invalid label or a confidence outside
0-100, or take more than linear time. There are three engines: random changes of real inputs
(``mutation``), hypothesis, and coverage-guided changes (``atheris``, which is not a dependency:
``pip install atheris``, and choose one ``--reader``).

Prints a JSON line per parser: the number of inputs, failures with an example, and for the slowest
inputs for their length, repeated to 50,000 and to 200,000 characters, the largest exponent of time
by length (1 is linear).
"""

import argparse
import heapq
import json
import math
import os
import sys
import time
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from fuzz_inputs import DICTIONARIES, mutated, seeds
from fuzz_targets import READERS, Reader

_SLOWEST = 30
_LENGTHS = (50_000, 200_000)
_MEASURABLE = 0.002


@dataclass
class Tally:
    """What became of a reader's inputs.

    Attributes:
        reader: The reader.
        inputs: How many it was given.
        read: In how many of them there was something to read, such as an answer.
        faults: How often each fault occurred.
        examples: One input for each fault.
        slowest: The inputs that took longest by their length, as (seconds a character, text, pick).
    """

    reader: Reader
    inputs: int = 0
    read: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    slowest: list[tuple[float, str, int]] = field(default_factory=list)

    def give(self, text: str, pick: int) -> None:
        """Give the reader an input, and note what it does."""
        self.inputs += 1
        started = time.perf_counter()
        try:
            self.read += self.reader.check(text, pick)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            name = f"{type(error).__name__} in {where.name}, line {where.lineno}"
            self.faults[name] += 1
            self.examples.setdefault(name, f"{text[:2000]!r} (pick {pick})")
        cost = (time.perf_counter() - started) / (len(text) + 50)
        if len(self.slowest) < _SLOWEST:
            heapq.heappush(self.slowest, (cost, text, pick))
        elif cost > self.slowest[0][0]:
            heapq.heappushpop(self.slowest, (cost, text, pick))

    def growth(self) -> tuple[float, str] | None:
        """How time grows with length at the worst: log(ratio of times) / log(ratio of lengths).

        With the input that shows it; None where no repeated input takes long enough to be measured.
        """
        found = []
        for _, text, pick in self.slowest:
            short, long = (self._seconds(text, pick, length) for length in _LENGTHS)
            if short > _MEASURABLE:
                exponent = math.log(long / short) / math.log(_LENGTHS[1] / _LENGTHS[0])
                found.append((round(exponent, 2), f"{text!r} (pick {pick})"))
        return max(found, default=None)

    def _seconds(self, text: str, pick: int, length: int) -> float:
        """The least of three measurements of a text repeated to about a length."""
        text += "\n" * (self.reader.kind == ".jsonl" or not text)
        repeated = text * (length // len(text))
        found = []
        for _ in range(3):
            started = time.process_time()
            # a fault has been counted
            with suppress(Exception):
                self.reader.check(repeated, pick)
            found.append(time.process_time() - started)
        return min(found)

    def line(self, engine: str, seconds: float, timing: bool = True) -> str:
        """The result as JSON."""
        return json.dumps(
            {
                "engine": engine,
                "reader": self.reader.name,
                "inputs": self.inputs,
                "read": self.read,
                "seconds": round(seconds, 1),
                "faults": dict(self.faults),
                "examples": self.examples,
                "growth": self.growth() if timing else None,
            }
        )


def by_mutation(tally: Tally, corpus: list[str], inputs: int, seed: int) -> None:
    """Give random changes of real inputs, the same for the same seed."""
    rng = Random(f"{seed} {tally.reader.name}")
    words = DICTIONARIES[tally.reader.kind]
    for _ in range(inputs):
        tally.give(mutated(rng, corpus, words), rng.randrange(1 << 16))


def by_hypothesis(tally: Tally, corpus: list[str], inputs: int, seed: int) -> None:
    """Give what hypothesis draws of any text, words that readers know, and real inputs."""
    import hypothesis
    from hypothesis import strategies as st

    part = st.sampled_from(DICTIONARIES[tally.reader.kind]) | st.sampled_from(corpus)
    part |= st.text(st.characters(exclude_categories=()), max_size=20)

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=inputs,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(st.lists(part, max_size=12).map("".join), st.integers(0, (1 << 16) - 1))
    def give(text: str, pick: int) -> None:
        tally.give(text, pick)

    give()


def by_atheris(tally: Tally, corpus: list[str], seconds: int, seed: int) -> None:
    """Give what libFuzzer makes of real inputs where it finds code not reached before."""
    import gc
    import tempfile
    from types import FunctionType

    import atheris

    # the package's own functions: all of a process's would take minutes
    for known in gc.get_objects():
        if isinstance(known, FunctionType) and (known.__module__ or "").startswith("vr_evals."):
            atheris.instrument_func(known)
    words = DICTIONARIES[tally.reader.kind]
    started = time.monotonic()

    def give(data: bytes) -> None:
        # the last two bytes pick the settings
        tally.give(data[:-2].decode("utf-8", "surrogateescape"), int.from_bytes(data[-2:]))
        if time.monotonic() - started > seconds:
            print(tally.line("atheris", time.monotonic() - started), flush=True)
            os._exit(0)  # libFuzzer takes any other end for a fault, and keeps the input

    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    (folder / "corpus").mkdir()
    for number, text in enumerate(corpus):
        content = text.encode("utf-8", "surrogatepass") + bytes([number % 256, number % 7])
        (folder / "corpus" / str(number)).write_bytes(content)
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    dictionary = ['"' + "".join(f"\\x{byte:02x}" for byte in word) + '"' for word in encoded]
    (folder / "words").write_text("\n".join(dictionary), encoding="ascii")
    flags = [f"-seed={seed + 1}", "-max_len=4096", f"-dict={folder / 'words'}", "-rss_limit_mb=0"]
    atheris.Setup([sys.argv[0], *flags, str(folder / "corpus")], give)
    atheris.Fuzz()


def main() -> None:
    """Fuzz as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--engine", choices=["mutation", "hypothesis", "atheris"])
    parser.add_argument("--inputs", type=int, default=10_000_000, help="total over all parsers")
    parser.add_argument("--seconds", type=int, default=120, help="time limit of atheris")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--replies", type=Path, help="a .jsonl file with replies as `completion`")
    parser.add_argument("--reader", choices=list(READERS), help="only this parser")
    parser.add_argument("--no-timing", action="store_true", help="skip the growth of time")
    parser.set_defaults(engine="mutation")
    given = parser.parse_args()
    readers = [READERS[given.reader]] if given.reader else list(READERS.values())
    total = sum(reader.share for reader in readers)
    for reader in readers:
        corpus = seeds(reader.kind, given.replies)
        tally, started = Tally(reader), time.monotonic()
        if given.engine == "atheris":
            by_atheris(tally, corpus, given.seconds, given.seed)
        give = by_hypothesis if given.engine == "hypothesis" else by_mutation
        give(tally, corpus, round(given.inputs * reader.share / total), given.seed)
        print(tally.line(given.engine, time.monotonic() - started, not given.no_timing), flush=True)


if __name__ == "__main__":
    main()
