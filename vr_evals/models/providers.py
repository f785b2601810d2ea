"""The model providers ``vr_local`` and ``vr_sim``; each is imported when it is first used."""

from inspect_ai.model import ModelAPI, modelapi

__all__ = ["LOADING_PROVIDERS", "vr_local", "vr_sim"]

LOADING_PROVIDERS = frozenset(
    {"hf", "vllm", "vllm-completions", "sglang", "transformer_lens", "nnterp"}
)
"""Providers that load weights or start a server when a model is created."""


@modelapi(name="vr_local")
def vr_local() -> type[ModelAPI]:
    """Return a small real model on this machine's CPU: ``vr_local/smollm2``."""
    from vr_evals.models.local import LocalModel

    return LocalModel


@modelapi(name="vr_sim")
def vr_sim() -> type[ModelAPI]:
    """Return a simulated respondent with a known truth: ``vr_sim/careful``."""
    from vr_evals.models.sim import SimulatedRespondent

    return SimulatedRespondent
