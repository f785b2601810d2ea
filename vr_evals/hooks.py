"""Inspect hooks: what a solver cannot see or do about the user's flags, and what was measured.

They are installed when a task is made, not when the package is loaded: Inspect names every loaded
hook at the start of each run, those of other packages too.
"""

from collections import defaultdict
from dataclasses import dataclass
from logging import getLogger

from inspect_ai.event import ModelEvent
from inspect_ai.hooks import (
    BeforeModelGenerate,
    Hooks,
    SampleAttemptStart,
    SampleEnd,
    TaskEnd,
    TaskStart,
    hooks,
)
from inspect_ai.log import EvalSpec
from inspect_ai.model import CachePolicy, GenerateConfig

from vr_evals.conditions import Settings
from vr_evals.solvers.as_run import as_run
from vr_evals.solvers.thinking import overridden_flags, resolve, thought
from vr_evals.solvers.user_config import REASONING_FLAGS, condition_config, task_config

__all__ = ["install"]

logger = getLogger(__name__)


@dataclass
class _Calls:
    """The calls of a task so far.

    Attributes:
        asked: Whether the condition asked for thinking.
        thought: Calls that thought.
        total: Calls that gave an output.
    """

    asked: bool = False
    thought: int = 0
    total: int = 0

    @property
    def warning(self) -> str | None:
        """What a user should know, where the calls did not do as asked."""
        if self.asked and self.thought < self.total:
            return f"thinking was on, but only {self.thought} of {self.total} calls thought"
        if not self.asked and self.thought:
            return f"thinking was off, but {self.thought} of {self.total} calls thought"
        return None


class ThinkingHooks(Hooks):
    """Keeps the user's flags for the solver, holds them back, and counts the calls that thought."""

    def __init__(self) -> None:
        self._configs: dict[str, GenerateConfig] = {}
        self._calls: defaultdict[str, _Calls] = defaultdict(_Calls)

    async def on_task_start(self, data: TaskStart) -> None:
        """Keep the task's config, and tell of the flags that will not count."""
        self._configs[data.eval_id] = data.plan.config
        given = data.spec.model_generate_config.merge(data.plan.config)
        for warning in [
            *_flags_that_do_not_count(data.spec, given),
            *_degenerate_repetitions(data.spec, given),
        ]:
            logger.warning("%s on %s: %s", data.spec.task, data.spec.model, warning)

    async def on_sample_attempt_start(self, data: SampleAttemptStart) -> None:
        """Give the sample its task's config."""
        task_config.set(self._configs.get(data.eval_id))

    async def on_before_model_generate(self, data: BeforeModelGenerate) -> None:
        """Hold back the reasoning flags that the sample's condition does not send."""
        condition = condition_config.get()
        if condition is not None:
            for flag in REASONING_FLAGS:
                if flag not in condition:
                    setattr(data.config, flag, None)

    async def on_sample_end(self, data: SampleEnd) -> None:
        """Count the calls of a sample that a thinking condition was asked of."""
        asked = as_run(data.sample.metadata or {}).get("thinking_asked")
        if asked is None:
            return
        calls = self._calls[data.eval_id]
        calls.asked = bool(asked)
        for event in data.sample.events:
            if isinstance(event, ModelEvent) and event.output.choices:
                calls.total += 1
                calls.thought += thought(event.output)

    async def on_task_end(self, data: TaskEnd) -> None:
        """Warn where off thought or on did not."""
        self._configs.pop(data.eval_id, None)
        warning = self._calls.pop(data.eval_id, _Calls()).warning
        if warning:
            logger.warning("%s on %s: %s", data.log.eval.task, data.log.eval.model, warning)


def _flags_that_do_not_count(spec: EvalSpec, given: GenerateConfig) -> list[str]:
    """The user's flags that a task of ours does not follow, in words."""
    metadata = spec.metadata or {}
    settings = Settings.from_metadata(metadata)
    if "thinking_budget" not in metadata or settings.reasoning == "flags":
        return []
    resolution = resolve(spec.model, thinking=settings.thinking, budget=settings.thinking_budget)
    return [
        f"{flag}; -T reasoning=flags lets it decide" for flag in overridden_flags(given, resolution)
    ]


def _degenerate_repetitions(spec: EvalSpec, given: GenerateConfig) -> list[str]:
    """Why the epochs of an authority task cannot show what they are repeated for, in words."""
    metadata = spec.metadata or {}
    if metadata.get("paradigm") != "authority":
        return []
    epochs = spec.config.epochs or 1
    if epochs == 1:
        return ["1 epoch: flips have no noise floor, and there is no @k beyond 1; take --epochs 5"]
    found = []
    settings = Settings.from_metadata(metadata)
    resolution = resolve(spec.model, thinking=settings.thinking, temperature=given.temperature)
    if given.temperature == 0:
        found.append(
            f"temperature 0: the {epochs} epochs of an item are nearly copies; take --temperature 1"
        )
    if given.seed is not None:
        found.append(
            f"seed {given.seed}: a provider that honours it gives the {epochs} epochs of an item "
            "one answer; leave --seed out (-T seed orders items and options)"
        )
    if resolution.temperature.status == "impossible":
        found.append(
            f"temperature: {resolution.temperature.note}: how far {epochs} epochs vary is unknown"
        )
    if isinstance(given.cache, CachePolicy) and not given.cache.per_epoch:
        found.append(f"the cache does not tell epochs apart: the {epochs} of an item are copies")
    return found


_installed = False


def install() -> None:
    """Install the hooks, once."""
    global _installed
    if not _installed:
        hooks("thinking", "vr_evals: watches whether models think as asked")(ThinkingHooks)
        _installed = True
