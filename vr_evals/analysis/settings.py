"""What a run was asked to do, as its log's header says: what makes two runs the same cell."""

import json
from collections.abc import Mapping
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig

from vr_evals.analysis.columns import SETTING_COLUMNS
from vr_evals.conditions import Settings, thinking_condition
from vr_evals.levels import Level
from vr_evals.solvers.user_config import REASONING_FLAGS

__all__ = [
    "NO_SETTING_OF_REPLIES",
    "task_attributes",
    "level_asked",
    "other_settings",
    "run_settings",
    "settings_as_json",
    "short_name",
    "solver_names",
]

NO_SETTING_OF_REPLIES = frozenset(
    {
        "adaptive_connections",
        "attempt_timeout",
        "batch",
        "cache",
        "cache_prompt",
        "extra_headers",
        "fail_on_refusal",
        "max_connections",
        "max_retries",
        "stream_idle_timeout",
        "timeout",
    }
)
"""Generate config that says how calls are made, not what is asked."""

_IN_COLUMNS = frozenset({*SETTING_COLUMNS, "option_order"})
"""Settings that the table has a column of."""


def short_name(name: str) -> str:
    """A registered name without its package, which a run by path does not log."""
    return name.rsplit("/", maxsplit=1)[-1]


def task_attributes(header: EvalLog) -> dict[str, Any]:
    """What the task says of itself; its decorator's attributes where its metadata is silent."""
    return {**header.eval.task_attribs, **(header.eval.metadata or {})}


def solver_names(header: EvalLog) -> tuple[str, ...]:
    """The run's solvers, by their short names."""
    return tuple(short_name(step.solver) for step in header.plan.steps)


def level_asked(header: EvalLog) -> int | None:
    """The level of the run: its solver's, where that is one of a level, else the task's."""
    for name in reversed(solver_names(header)):
        if name.upper() in Level.__members__:
            return Level[name.upper()].value
    level = task_attributes(header).get("level")
    return None if _other_solvers(header) or not isinstance(level, int) else level


def run_settings(header: EvalLog, level: int | None, thinking: bool | None) -> dict[str, Any]:
    """All settings that may move answers, but for the model, the benchmark and the condition.

    How many items and epochs were asked is none of them: of two such runs one holds more.

    Args:
        header: The log's header.
        level: The level whose prompt was asked.
        thinking: Whether the condition asked for thinking.
    """
    task, arguments = task_attributes(header), header.eval.task_args
    settings: dict[str, Any] = {
        "dataset": task.get("dataset"),
        "subset": task.get("subset"),
        "version": str(header.eval.task_version),
        "include_confidence": task.get("include_confidence"),
        "second_pass": task.get("second_pass") if level == Level.TWO_PASS else None,
        "option_order": arguments.get("option_order"),
        "seed": arguments.get("seed"),
        "reasoning": task.get("reasoning"),
        "thinking_budget": task.get("thinking_budget") if thinking else None,
        "changed_data": task.get("changed_data"),
        "prompts": task.get("prompts"),
        "solver": _other_solvers(header),
        **_config(header, task.get("reasoning") == "flags"),
    }
    return {name: value for name, value in settings.items() if value is not None}


def other_settings(settings: Mapping[str, Any], thinking: bool | None) -> dict[str, Any]:
    """The settings that have no column and are not what a task does by itself, by name.

    Args:
        settings: Of the run.
        thinking: Whether the condition asked for thinking.
    """
    usual = {
        "seed": 0,
        "reasoning": Settings.reasoning,
        "thinking_budget": Settings.thinking_budget,
        "max_tokens": thinking_condition(bool(thinking)).max_tokens,
    }
    return {
        name: value
        for name, value in sorted(settings.items())
        if name not in _IN_COLUMNS and usual.get(name) != value
    }


def settings_as_json(settings: Mapping[str, Any], thinking: bool | None) -> str | None:
    """What tells a run's samples from others of the same columns, as a JSON object.

    These are the `other_settings` and the order of options that was asked for.

    Args:
        settings: Of the run.
        thinking: Whether the condition asked for thinking.
    """
    found = other_settings(settings, thinking)
    if "option_order" in settings:
        found["option_order"] = settings["option_order"]
    return json.dumps(found, sort_keys=True, default=str) if found else None


def _other_solvers(header: EvalLog) -> str | None:
    """The solvers of the run, where the user named one that has no level of ours."""
    names = solver_names(header)
    ours = any(name.upper() in Level.__members__ or name == "authority" for name in names)
    return None if ours or header.eval.solver is None else "+".join(names)


def _config(header: EvalLog, flags_decide: bool) -> dict[str, Any]:
    """The generate config in force; seed and max tokens of a call among it.

    Args:
        header: The log's header.
        flags_decide: Whether the user's reasoning flags are sent.
    """
    config: GenerateConfig = header.eval.model_generate_config.merge(header.plan.config)
    left_out = set(NO_SETTING_OF_REPLIES) | (set() if flags_decide else set(REASONING_FLAGS))
    found = config.model_dump(mode="json", exclude_none=True, exclude=left_out)
    if "seed" in found:
        found["sampling_seed"] = found.pop("seed")
    return found
