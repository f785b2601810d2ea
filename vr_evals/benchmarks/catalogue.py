"""The benchmarks that are known by name, so that a solver finds the words for a sample."""

from vr_evals.benchmarks.benchmark import Benchmark
from vr_evals.errors import InputError

__all__ = ["find", "register"]

_BENCHMARKS: dict[str, Benchmark] = {}


def register(benchmark: Benchmark) -> Benchmark:
    """Make a benchmark known by its name.

    Raises:
        InputError: Another benchmark has that name.
    """
    if _BENCHMARKS.setdefault(benchmark.name, benchmark) != benchmark:
        raise InputError(f"benchmark {benchmark.name!r} is registered twice")
    return benchmark


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
