"""The solvers of levels 0 to 4: one call with the level's prompt, for any vr_evals task."""

from inspect_ai.solver import Solver, solver

from vr_evals.levels import Level
from vr_evals.solvers.prompting import single_pass

__all__ = ["adversarial", "chain_of_thought", "direct", "minimal", "structured"]


@solver
def direct() -> Solver:
    """Ask with the level-0 prompt: the answer and nothing else."""
    return single_pass(Level.DIRECT)


@solver
def minimal() -> Solver:
    """Ask with the level-1 prompt: reasoning is neither requested nor ruled out."""
    return single_pass(Level.MINIMAL)


@solver
def chain_of_thought() -> Solver:
    """Ask with the level-2 prompt: steps first, then the answer."""
    return single_pass(Level.CHAIN_OF_THOUGHT)


@solver
def structured() -> Solver:
    """Ask with the level-3 prompt: name principles, apply them, conclude."""
    return single_pass(Level.STRUCTURED)


@solver
def adversarial() -> Solver:
    """Ask with the level-4 prompt: weigh the strongest counterargument, then answer."""
    return single_pass(Level.ADVERSARIAL)
