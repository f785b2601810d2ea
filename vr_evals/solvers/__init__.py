"""The solvers: one per level of reflection, one for authority."""

from vr_evals.solvers.authority import authority
from vr_evals.solvers.levels import adversarial, chain_of_thought, direct, minimal, structured
from vr_evals.solvers.two_pass import two_pass

__all__ = [
    "adversarial",
    "authority",
    "chain_of_thought",
    "direct",
    "minimal",
    "structured",
    "two_pass",
]
