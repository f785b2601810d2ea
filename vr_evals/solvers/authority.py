"""The authority paradigm's own question, under whatever the authority says."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from vr_evals.solvers.asking import ask_multiple_choice

__all__ = ["authority"]


@solver
def authority() -> Solver:
    """Ask as a multiple-choice question, behind the preamble of the sample's authority condition.

    Works on the samples of any vr_evals task: one that has no condition is asked as under control.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await ask_multiple_choice(state, generate)

    return solve
