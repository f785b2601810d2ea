"""The solver of the authority paradigm."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from vr_evals.solvers.prompting import ask_multiple_choice

__all__ = ["authority"]


@solver
def authority() -> Solver:
    """Ask as a multiple-choice question, after the preamble of the sample's authority condition.

    Works on the samples of any vr_evals task; a sample without a condition is asked as in control.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await ask_multiple_choice(state, generate)

    return solve
