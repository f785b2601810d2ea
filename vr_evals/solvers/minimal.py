"""Level 1: a plain question."""

from inspect_ai.solver import Solver, solver

from vr_evals.levels import Level
from vr_evals.solvers.asking import single_pass

__all__ = ["minimal"]


@solver
def minimal() -> Solver:
    """Ask with the level-1 prompt: reasoning is neither asked for nor barred.

    Works on the samples of any vr_evals task, whatever its own level.
    """
    return single_pass(Level.MINIMAL)
