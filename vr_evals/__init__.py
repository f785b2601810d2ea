"""Reflection, thinking, confidence and authority in the moral judgements of language models.

An Inspect AI plugin: ``inspect eval vr_evals/ethics_level5 --model ...``. Importing this package is
cheap; Inspect loads tasks, solvers, scorers and model providers through its entry point.
"""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("vr-evals")
