"""Inspect hooks: remove overridden reasoning flags from calls, and count the calls that thought.

They are installed when a task is created, not when the package is loaded, because Inspect prints
all loaded hooks at the start of each run, also of other packages.
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
from vr_evals.solvers.run_record import run_record
from vr_evals.solvers.thinking import overridden_flags, resolve, thought
from vr_evals.solvers.user_config import REASONING_FLAGS, condition_config, task_config

__all__ = ["install"]

logger = getLogger(__name__)


@dataclass
class _Calls:
    """The calls of a task so far.

    Attributes:
        asked: Whether thinking is on.
        thought: Calls in which the model thought.
        total: Calls with an output.
    """

    asked: bool = False
    thought: int = 0
    total: int = 0

    @property
    def warning(self) -> str | None:
        """The warning if calls thought with thinking off, or did not with thinking on."""
        if self.asked and self.thought < self.total:
            return f"thinking was on, but only {self.thought} of {self.total} calls thought"
        if not self.asked and self.thought:
            return f"thinking was off, but {self.thought} of {self.total} calls thought"
        return None


class ThinkingHooks(Hooks):
    """Stores the user's flags for solvers, removes overridden ones, counts calls that thought."""

    def __init__(self) -> None:
        self._configs: dict[str, GenerateConfig] = {}
        self._calls: defaultdict[str, _Calls] = defaultdict(_Calls)

    async def on_task_start(self, data: TaskStart) -> None:
        """Store the task's config, and warn of ignored flags and of epochs that cannot vary."""
        self._configs[data.eval_id] = data.plan.config
        given = data.spec.model_generate_config.merge(data.plan.config)
        for warning in [*_ignored_flags(data.spec, given), *_degenerate_epochs(data.spec, given)]:
            logger.warning("%s on %s: %s", data.spec.task, data.spec.model, warning)

    async def on_sample_attempt_start(self, data: SampleAttemptStart) -> None:
        """Set the task's config for the sample."""
        task_config.set(self._configs.get(data.eval_id))

    async def on_before_model_generate(self, data: BeforeModelGenerate) -> None:
        """Remove the reasoning flags that the sample's condition does not send."""
        condition = condition_config.get()
        if condition is not None:
            for flag in REASONING_FLAGS:
                if flag not in condition:
                    setattr(data.config, flag, None)

    async def on_sample_end(self, data: SampleEnd) -> None:
        """Count the calls of a sample, if it has a thinking condition."""
        asked = run_record(data.sample.metadata or {}).get("thinking_asked")
        if asked is None:
            return
        calls = self._calls[data.eval_id]
        calls.asked = bool(asked)
        for event in data.sample.events:
            if isinstance(event, ModelEvent) and event.output.choices:
                calls.total += 1
                calls.thought += thought(event.output)

    async def on_task_end(self, data: TaskEnd) -> None:
        """Warn if calls did not follow the thinking condition."""
        self._configs.pop(data.eval_id, None)
        warning = self._calls.pop(data.eval_id, _Calls()).warning
        if warning:
            logger.warning("%s on %s: %s", data.log.eval.task, data.log.eval.model, warning)


def _ignored_flags(spec: EvalSpec, given: GenerateConfig) -> list[str]:
    """Return warnings on the user's flags that a task ignores."""
    metadata = spec.metadata or {}
    settings = Settings.from_metadata(metadata)
    if "thinking_budget" not in metadata or settings.reasoning == "flags":
        return []
    resolution = resolve(spec.model, thinking=settings.thinking, budget=settings.thinking_budget)
    return [
        f"{flag}; use -T reasoning=flags to apply your own flags"
        for flag in overridden_flags(given, resolution)
    ]


def _degenerate_epochs(spec: EvalSpec, given: GenerateConfig) -> list[str]:
    """Return warnings on epochs of an authority task that cannot vary."""
    metadata = spec.metadata or {}
    if metadata.get("paradigm") != "authority":
        return []
    epochs = spec.config.epochs or 1
    if epochs == 1:
        return ["1 epoch: no noise floor of flips, and no @k beyond 1; use e.g. --epochs 5"]
    found = []
    settings = Settings.from_metadata(metadata)
    resolution = resolve(spec.model, thinking=settings.thinking, temperature=given.temperature)
    if given.temperature == 0:
        found.append(
            f"temperature 0: the {epochs} epochs of an item are nearly copies; use --temperature 1"
        )
    if given.seed is not None:
        found.append(
            f"seed {given.seed}: if the provider honours it, the {epochs} epochs of an item are "
            "copies; omit --seed (-T seed is for the order of items and options)"
        )
    if resolution.temperature.status == "impossible":
        found.append(
            f"temperature: {resolution.temperature.note}: the variation of {epochs} epochs is "
            "unknown"
        )
    if isinstance(given.cache, CachePolicy) and not given.cache.per_epoch:
        found.append(f"cache without per_epoch: the {epochs} epochs of an item are copies")
    return found


_installed = False


def install() -> None:
    """Install the hooks, once."""
    global _installed
    if not _installed:
        hooks("thinking", "vr_evals: checks whether models think as asked")(ThinkingHooks)
        _installed = True
