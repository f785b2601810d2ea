"""The benchmarks: their items, prompts and answer labels."""

from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.catalogue import find, register
from vr_evals.benchmarks.cells import RowError
from vr_evals.benchmarks.files import Row
from vr_evals.benchmarks.hub import HubFile
from vr_evals.benchmarks.ordering import refer_to_others
from vr_evals.benchmarks.samples import authority_samples, in_conditions, level_samples
from vr_evals.benchmarks.sources import Items, load_items

__all__ = [
    "Benchmark",
    "HubFile",
    "Item",
    "Items",
    "Row",
    "RowError",
    "authority_samples",
    "find",
    "in_conditions",
    "level_samples",
    "load_items",
    "refer_to_others",
    "register",
]
