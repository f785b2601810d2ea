"""The benchmarks by name, so that a solver finds the prompts for a sample."""

from typing import Any

from vr_evals.benchmarks.benchmark import Benchmark
from vr_evals.errors import InputError

__all__ = ["find", "register"]

_BENCHMARKS: dict[str, Benchmark] = {}


def register(benchmark: Benchmark) -> Benchmark:
    """Register a benchmark by its name.

    The same benchmark may be registered again, e.g. if Inspect reloads a file or a notebook cell is
    rerun; the last one counts.

    Raises:
        InputError: Another benchmark has that name.
    """
    known = _BENCHMARKS.get(benchmark.name, benchmark)
    if not _is_rerun(known, benchmark):
        raise InputError(
            f"duplicate benchmark {benchmark.name!r}: registered by {_module(known)} and "
            f"{_module(benchmark)}"
        )
    _BENCHMARKS[benchmark.name] = benchmark
    return benchmark


def _is_rerun(known: Benchmark, benchmark: Benchmark) -> bool:
    """Return whether both come from the same lines of a file, or both from a notebook."""
    if known == benchmark or _module(known) == _module(benchmark) == "__main__":
        return True
    return all(
        _location(before) == _location(now) if callable(now) else before == now
        for before, now in zip(vars(known).values(), vars(benchmark).values(), strict=True)
    )


def _location(value: Any) -> Any:
    """Return the file and line of a function."""
    code = getattr(value, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else value


def _module(benchmark: Benchmark) -> str:
    return str(getattr(benchmark.read_item, "__module__", "another module"))


def find(name: object) -> Benchmark:
    """Return the benchmark of a sample.

    Raises:
        InputError: No benchmark has that name; the sample is not from a vr_evals task.
    """
    if not isinstance(name, str) or name not in _BENCHMARKS:
        raise InputError(
            f"invalid benchmark {name!r} in sample metadata: expected one of "
            f"{', '.join(_BENCHMARKS)}; vr_evals solvers need samples of vr_evals tasks"
        )
    return _BENCHMARKS[name]
