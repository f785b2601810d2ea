"""Level 0: the answer and nothing else."""

from inspect_ai.solver import Solver, solver

from vr_evals.levels import Level
from vr_evals.solvers.asking import single_pass

__all__ = ["direct"]


@solver
def direct() -> Solver:
    """Ask with the level-0 prompt of the sample's benchmark: no room for reasoning.

    Works on the samples of any vr_evals task, whatever its own level.
    """
    return single_pass(Level.DIRECT)
