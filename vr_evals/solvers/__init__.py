"""Solvers: how a sample is asked: one for each level of reflection, one for authority."""

from vr_evals.solvers.adversarial import adversarial
from vr_evals.solvers.authority import authority
from vr_evals.solvers.chain_of_thought import chain_of_thought
from vr_evals.solvers.direct import direct
from vr_evals.solvers.minimal import minimal
from vr_evals.solvers.structured import structured
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
