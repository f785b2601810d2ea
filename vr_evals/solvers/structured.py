"""Level 3: principles first."""

from inspect_ai.solver import Solver, solver

from vr_evals.levels import Level
from vr_evals.solvers.asking import single_pass

__all__ = ["structured"]


@solver
def structured() -> Solver:
    """Ask with the level-3 prompt of the sample's benchmark: name principles, apply, conclude.

    Works on the samples of any vr_evals task, whatever its own level.
    """
    return single_pass(Level.STRUCTURED)
