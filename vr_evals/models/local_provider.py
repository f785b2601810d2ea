"""The provider of the key-free local model, registered without loading any of it."""

from inspect_ai.model import ModelAPI, modelapi

__all__ = ["vr_local"]


@modelapi(name="vr_local")
def vr_local() -> type[ModelAPI]:
    """A small real model on this machine's CPU: ``vr_local/smollm2``."""
    from vr_evals.models.local import LocalModel

    return LocalModel
