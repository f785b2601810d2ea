"""The benchmarks that are known by name, so that a solver finds the words for a sample."""

from typing import Any

from vr_evals.benchmarks.benchmark import Benchmark
from vr_evals.errors import InputError

__all__ = ["find", "register"]

_BENCHMARKS: dict[str, Benchmark] = {}


def register(benchmark: Benchmark) -> Benchmark:
    """Make a benchmark known by its name.

    The same one may be made again, as when Inspect loads a file anew or a cell of a notebook is run
    again: the last counts.

    Raises:
        InputError: Another benchmark has that name.
    """
    known = _BENCHMARKS.get(benchmark.name, benchmark)
    if not _is_made_again(known, benchmark):
        raise InputError(
            f"benchmark {benchmark.name!r} is registered twice, by {_module(known)} and "
            f"{_module(benchmark)}"
        )
    _BENCHMARKS[benchmark.name] = benchmark
    return benchmark


def _is_made_again(known: Benchmark, benchmark: Benchmark) -> bool:
    """Whether both are of the same lines of a file, or of a notebook, whose cells may be edited."""
    if known == benchmark or _module(known) == _module(benchmark) == "__main__":
        return True
    return all(
        _place(before) == _place(now) if callable(now) else before == now
        for before, now in zip(vars(known).values(), vars(benchmark).values(), strict=True)
    )


def _place(value: Any) -> Any:
    """Where a function is written."""
    code = getattr(value, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else value


def _module(benchmark: Benchmark) -> str:
    return str(getattr(benchmark.read_item, "__module__", "another module"))


def find(name: object) -> Benchmark:
    """The benchmark of a sample.

    Raises:
        InputError: No benchmark has that name; the sample is not of a vr_evals task.
    """
    if not isinstance(name, str) or name not in _BENCHMARKS:
        raise InputError(
            f"sample metadata has benchmark={name!r}; wanted one of {', '.join(_BENCHMARKS)}: "
            "vr_evals solvers work on the samples of vr_evals tasks"
        )
    return _BENCHMARKS[name]
