"""The provider of simulated respondents, registered without loading any of it."""

from inspect_ai.model import ModelAPI, modelapi

__all__ = ["vr_sim"]


@modelapi(name="vr_sim")
def vr_sim() -> type[ModelAPI]:
    """A simulated respondent with a known truth: ``vr_sim/careful``."""
    from vr_evals.models.sim import SimulatedRespondent

    return SimulatedRespondent
