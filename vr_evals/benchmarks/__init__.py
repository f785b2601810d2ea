"""The benchmarks: where their items come from, what is asked, and what the labels are."""

from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.catalogue import find, register
from vr_evals.benchmarks.samples import authority_samples, level_samples
from vr_evals.benchmarks.sources import Items, load_items

__all__ = [
    "Benchmark",
    "Item",
    "Items",
    "authority_samples",
    "find",
    "level_samples",
    "load_items",
    "register",
]
