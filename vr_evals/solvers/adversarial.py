"""Level 4: consider the other side."""

from inspect_ai.solver import Solver, solver

from vr_evals.levels import Level
from vr_evals.solvers.asking import single_pass

__all__ = ["adversarial"]


@solver
def adversarial() -> Solver:
    """Ask with the level-4 prompt of the sample's benchmark: weigh the strongest counterargument.

    Works on the samples of any vr_evals task, whatever its own level.
    """
    return single_pass(Level.ADVERSARIAL)
