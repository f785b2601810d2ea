"""The generate config that the user and the task set, beside what a condition sends.

Inspect merges a model's config, the task's, the user's flags and a solver's settings, and no later
one can unset an earlier one: a solver that sends ``reasoning_tokens`` cannot take back
``--reasoning-effort high``, which some providers then prefer. So the flags that a condition does
not send are held back, by ``vr_evals.hooks``, just before a call.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from inspect_ai.model import GenerateConfig, GenerateConfigArgs, get_model

__all__ = [
    "REASONING_FLAGS",
    "condition_config",
    "run_config",
    "send_only",
    "task_config",
    "with_extra_body",
]

REASONING_FLAGS = ("reasoning_effort", "reasoning_tokens", "reasoning_mode")
"""The settings by which Inspect's users ask a model to think."""

task_config: ContextVar[GenerateConfig | None] = ContextVar("task_config", default=None)
"""Task and user flags merged, kept by ``vr_evals.hooks`` for the sample that runs."""

condition_config: ContextVar[GenerateConfigArgs | None] = ContextVar(
    "condition_config", default=None
)
"""What the condition sends in the sample that runs; None leaves everything as it is."""


def run_config() -> GenerateConfig:
    """The config in force without the condition's own settings, in a solver or a task."""
    config = get_model().config
    task = task_config.get()
    return config if task is None else config.merge(task)


def send_only(config: GenerateConfigArgs) -> None:
    """Hold back the reasoning flags that a config does not have, in the rest of this solver."""
    condition_config.set(config)


def with_extra_body(
    config: GenerateConfigArgs, extra_body: Mapping[str, Any] | None
) -> GenerateConfigArgs:
    """A condition's config that keeps the user's other extra fields of the request."""
    own = config.get("extra_body")
    return {**config, "extra_body": {**(extra_body or {}), **own}} if own else config
