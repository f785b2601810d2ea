"""One run, as the header of its log tells it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from urllib.parse import urlsplit

from inspect_ai.log import EvalLog

from vr_evals.analysis.cell import variant_of
from vr_evals.analysis.files import LogFile
from vr_evals.analysis.settings import (
    level_asked,
    other_settings,
    run_settings,
    settings_as_json,
    short_name,
    task_attributes,
)
from vr_evals.conditions import CONDITION_NAMES, CONDITIONS

__all__ = ["SCORERS", "Run", "Usage", "dollars", "read_run", "skip_reason", "tokens"]

SCORERS = frozenset(
    {
        "answer",
        "answer_format",
        "preference",
        "confidence",
        "reflection",
        "compliance",
        "acknowledgement",
    }
)
"""The scorers that the table is made of."""

_NEWEST_FORMAT: int = EvalLog.model_fields["version"].default
_PLUGIN = frozenset({"inspect_ai", "vr-evals"})
_AUTHORITY = re.compile(r"_authority(?:_(\w+))?$")
_SECRET = re.compile(r"(?:^|_)(?:key|token|secret|password)$", re.IGNORECASE)
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "0.0.0.0", "::1"})


@dataclass(frozen=True)
class Run:
    """One run of a task on a model.

    Attributes:
        log: The log's path or URL.
        changed: When the file was last written, in milliseconds since 1970.
        eval_id: Inspect's id of the run; a copy of its log has the same.
        task_id: Inspect's id that a retried run shares with its retry.
        task: The task's name without a package prefix.
        model: The model as Inspect names it.
        model_args: ``-M`` arguments, which may make another model of the same name.
        host: The host that serves the model, if the user named one other than their own machine.
        benchmark: The benchmark.
        level: The level whose prompt was asked; None outside the ladder.
        thinking: Whether the condition asked for thinking.
        conditions: The authority conditions in the log; None alone outside that paradigm.
        settings: All else that may move answers, by name.
        status: Inspect's word for how the run ended.
        error: What ended it, in one line.
        created: When it was started, in ISO 8601, UTC.
        completed: When it ended, likewise; empty if it did not.
        samples: How many samples ended without an error.
        expected: How many there should be: samples of the data set, times epochs.
        scorers: How many of our scorers ran.
        facts: What a report says of the run besides: plain values by name.
        format: The version of the log's format.
        counted: Whether the header says how many samples ended without an error; a killed run's
            does not, and `samples` is 0.
    """

    log: str
    changed: float
    eval_id: str
    task_id: str
    task: str
    model: str
    model_args: Mapping[str, Any]
    host: str | None
    benchmark: str
    level: int | None
    thinking: bool | None
    conditions: tuple[str | None, ...]
    settings: Mapping[str, Any]
    status: str
    error: str | None
    created: str
    completed: str
    samples: int
    expected: int
    scorers: int
    facts: Mapping[str, Any]
    format: int = 0
    counted: bool = True

    @property
    def finished(self) -> bool:
        """Whether the run came to its end."""
        return self.status == "success"

    @property
    def age(self) -> tuple[str, str, float, str]:
        """Orders runs, the newest last."""
        return (self.created, self.completed, self.changed, self.log)

    @property
    def model_key(self) -> str:
        """Tells models apart, also those of one name."""
        return json.dumps([self.model, self.host, self.model_args], sort_keys=True, default=str)

    @property
    def asked(self) -> str:
        """Tells cells of one model apart: two runs of one cell asked it the same."""
        return json.dumps(
            [self.benchmark, self.level, self.thinking, self.settings], sort_keys=True, default=str
        )

    @property
    def variant(self) -> str | None:
        """The settings that have no column and are not the task's own, in words."""
        return variant_of(self.other_settings)

    @property
    def other_settings(self) -> dict[str, Any]:
        """The settings that have no column and are not the task's own, by name."""
        return other_settings(self.settings, self.thinking)

    @property
    def settings_as_json(self) -> str | None:
        """The same as data, with the order of options asked for: what keeps cells apart."""
        return settings_as_json(self.settings, self.thinking)


def skip_reason(header: EvalLog) -> str | None:
    """Why the table has no use for a log, or None.

    Args:
        header: The log's header.
    """
    if header.version > _NEWEST_FORMAT:
        return (
            f"its format is {header.version}, newer than the {_NEWEST_FORMAT} that the installed "
            "inspect-ai reads"
        )
    if not _is_ours(header):
        return "no vr_evals scores"
    if header.invalidated:
        return "samples of it were invalidated; inspect eval-retry runs them again"
    if header.eval.config.log_samples is False:
        return "it holds no samples (--no-log-samples)"
    if header.status == "success" and not _ran(header) & SCORERS:
        return (
            "it is not scored; inspect score LOG --scorer vr_evals/answer scores it, and then "
            "--action append --scorer vr_evals/answer_format"
        )
    return None


def _ran(header: EvalLog) -> set[str]:
    """Short names of the scorers that ran."""
    return {short_name(score.scorer) for score in (header.results.scores if header.results else [])}


def _is_ours(header: EvalLog) -> bool:
    """Whether a task of ours wrote the log, by name or by path, or another with our scorers."""
    if (
        header.eval.task.startswith("vr_evals/")
        or {"benchmark", "thinking"} <= task_attributes(header).keys()
    ):
        return True
    # `answer` is also a scorer of Inspect's own: whose it is, its metrics say
    return any(
        short_name(scorer.name) in SCORERS and '"vr_evals/' in scorer.model_dump_json()
        for scorer in header.eval.scorers or []
    )


def read_run(file: LogFile, header: EvalLog) -> Run:
    """What a header says of a run.

    Args:
        file: The log file.
        header: Its header, of a log of ours.
    """
    task, spec, results = task_attributes(header), header.eval, header.results
    level = level_asked(header)
    thinking = task["thinking"] if isinstance(task.get("thinking"), bool) else None
    name = short_name(spec.task)
    expected = (spec.dataset.samples or 0) * (spec.config.epochs or 1)
    return Run(
        log=file.name,
        changed=file.changed,
        eval_id=spec.eval_id,
        task_id=spec.task_id,
        task=name,
        model=_model(spec.model, task),
        model_args=_model_args(spec.model_args),
        host=_host(spec.model_base_url),
        benchmark=str(task.get("benchmark") or name),
        level=level,
        thinking=thinking,
        conditions=_conditions(name, task),
        settings=run_settings(header, level, thinking),
        status=header.status,
        error=None if header.error is None else " ".join(header.error.message.split())[:300],
        created=spec.created,
        completed=header.stats.completed_at,
        samples=results.completed_samples if results else 0,
        expected=results.total_samples if results else expected,
        scorers=len(_ran(header) & SCORERS),
        facts={
            "run_id": spec.run_id,
            "epochs": spec.config.epochs or 1,
            "limit": spec.config.limit,
            "inspect_ai": spec.packages.get("inspect_ai"),
            "vr_evals": spec.packages.get("vr-evals") or task.get("vr_evals"),
            "packages": {k: v for k, v in spec.packages.items() if k not in _PLUGIN},
            "commit": spec.revision.commit if spec.revision else None,
            "revision": task.get("revision"),
            "imported": _imported(task.get("imported")),
            "skipped_rows": _count(task.get("skipped_rows")),
            "sample_data": bool(task.get("sample_data", task.get("dataset") == "sample")),
            "seconds": _seconds(header.stats.started_at, header.stats.completed_at),
            **tokens(header.stats.model_usage),
        },
        format=header.version,
        counted=results is not None,
    )


def _model(name: str, task: Mapping[str, Any]) -> str:
    """The model; of an imported log as its file names it."""
    imported = task.get("imported")
    found = imported.get("model") if isinstance(imported, dict) else None
    return found if isinstance(found, str) and found else name


def _imported(found: object) -> dict[str, Any] | None:
    """From what an imported log was made: the format, and the names of the files."""
    if not isinstance(found, dict):
        return None
    files = found.get("files")
    files = files if isinstance(files, list) else []
    names = [file.get("name") for file in files if isinstance(file, dict)]
    return {"format": str(found.get("format")), "files": [str(name) for name in names]}


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _model_args(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that may make another model; keys to its door do not, and are shown nowhere."""
    return {
        name: value
        for name, value in given.items()
        if value is not None and not _SECRET.search(name)
    }


def _conditions(name: str, task: Mapping[str, Any]) -> tuple[str | None, ...]:
    named, stated = _AUTHORITY.search(name), task.get("condition")
    if named is None:
        return (stated if isinstance(stated, str) else None,)
    if named[1] in CONDITION_NAMES:
        return (named[1],)
    listed = task.get("conditions")  # missing in logs before 0.2
    known = isinstance(listed, list) and listed and all(each in CONDITIONS for each in listed)
    return tuple(listed) if known and isinstance(listed, list) else CONDITION_NAMES


def _host(url: str | None) -> str | None:
    """The host of a model's URL; ports of one's own machines change from run to run."""
    try:
        host = urlsplit(url).hostname if url else None
    except ValueError:
        return url
    return None if host in _LOOPBACK else host


def _seconds(started: str, completed: str) -> float | None:
    try:
        passed = datetime.fromisoformat(completed) - datetime.fromisoformat(started)
    except ValueError:
        return None
    return passed.total_seconds()


class Usage(Protocol):
    """Tokens of calls to one model, as Inspect counts them."""

    @property
    def input_tokens(self) -> int:
        """Those sent, without cached ones."""

    @property
    def output_tokens(self) -> int:
        """Those generated."""

    @property
    def input_tokens_cache_read(self) -> int | None:
        """Those sent that were read from a cache."""

    @property
    def input_tokens_cache_write(self) -> int | None:
        """Those sent that were written to a cache."""

    @property
    def reasoning_tokens(self) -> int | None:
        """Those of reasoning, if the provider says."""

    @property
    def total_cost(self) -> float | None:
        """Their price in dollars, if Inspect has the model's."""


def tokens(usage: Mapping[str, Usage]) -> dict[str, int | None]:
    """Tokens of all calls, of all models; missing if no call was counted.

    Args:
        usage: Of a run or a sample, by model.
    """
    if not usage:
        return dict.fromkeys(("input_tokens", "output_tokens", "reasoning_tokens"))
    counted = usage.values()
    reasoning = [one.reasoning_tokens for one in counted if one.reasoning_tokens is not None]
    return {
        # what is cached, Inspect counts beside the rest
        "input_tokens": sum(
            one.input_tokens
            + (one.input_tokens_cache_read or 0)
            + (one.input_tokens_cache_write or 0)
            for one in counted
        ),
        "output_tokens": sum(one.output_tokens for one in counted),
        "reasoning_tokens": sum(reasoning) if reasoning else None,
    }


def dollars(usage: Mapping[str, Usage]) -> float | None:
    """The price of all calls, of all models; missing if that of one is.

    Args:
        usage: Of a run or a sample, by model.
    """
    prices = [one.total_cost for one in usage.values()]
    known = [price for price in prices if price is not None]
    return sum(known) if known and len(known) == len(prices) else None
