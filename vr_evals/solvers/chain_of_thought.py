"""Level 2: think step by step."""

from inspect_ai.solver import Solver, solver

from vr_evals.levels import Level
from vr_evals.solvers.asking import single_pass

__all__ = ["chain_of_thought"]


@solver
def chain_of_thought() -> Solver:
    """Ask with the level-2 prompt of the sample's benchmark: steps first, then the answer.

    Works on the samples of any vr_evals task, whatever its own level.
    """
    return single_pass(Level.CHAIN_OF_THOUGHT)
