"""The generate config set by the user and the task, without the condition's own settings.

Inspect merges the configs of model, task, user's flags and solver, and a later one cannot unset a
value: a solver that sends ``reasoning_tokens`` cannot remove ``--reasoning-effort high``, which
some providers then prefer. So ``vr_evals.hooks`` removes the flags that a condition does not send
just before a call.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from inspect_ai.model import CachePolicy, GenerateConfig, GenerateConfigArgs, get_model

__all__ = [
    "REASONING_FLAGS",
    "condition_config",
    "run_config",
    "send_only",
    "task_config",
    "with_cache_scope",
    "with_extra_body",
]

REASONING_FLAGS = ("reasoning_effort", "reasoning_tokens", "reasoning_mode")
"""Inspect's settings that ask a model to think."""

task_config: ContextVar[GenerateConfig | None] = ContextVar("task_config", default=None)
"""The merged config of task and user's flags for the current sample, set by ``vr_evals.hooks``."""

condition_config: ContextVar[GenerateConfigArgs | None] = ContextVar(
    "condition_config", default=None
)
"""The condition's settings for the current sample; None changes nothing."""


def run_config() -> GenerateConfig:
    """Return the config in force in a solver or a task, without the condition's settings."""
    config = get_model().config
    task = task_config.get()
    return config if task is None else config.merge(task)


def send_only(config: GenerateConfigArgs) -> None:
    """Remove the reasoning flags that a config does not have from the solver's further calls."""
    condition_config.set(config)


def with_extra_body(
    config: GenerateConfigArgs, extra_body: Mapping[str, Any] | None
) -> GenerateConfigArgs:
    """Add the user's extra request fields to a condition's config."""
    own = config.get("extra_body")
    return {**config, "extra_body": {**(extra_body or {}), **own}} if own else config


def with_cache_scope(
    config: GenerateConfigArgs, cache: bool | CachePolicy | None, call: str
) -> GenerateConfigArgs:
    """Add the user's cache to a config, with a key of its own for each call of a sample.

    Inspect's key is the prompt. Two samples with the same prompt would share one reply, e.g. items
    whose first responses are the same and whose second prompt only quotes it, or two levels with
    one prompt; then what seems to be two replies is one.

    Args:
        config: The condition's config.
        cache: The user's cache.
        call: What tells the call from those of other samples.
    """
    if not cache:
        return config
    policy = cache if isinstance(cache, CachePolicy) else CachePolicy()
    scopes = {**policy.scopes, "vr_evals": call}
    return {**config, "cache": policy.model_copy(update={"scopes": scopes})}
