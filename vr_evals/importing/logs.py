"""Replies → Inspect logs, as a run of our tasks writes them: one writer for all formats."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import import_module
from types import ModuleType
from typing import Any

from inspect_ai import Task, score
from inspect_ai import __version__ as inspect_version
from inspect_ai.dataset import Sample
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalPlan,
    EvalPlanStep,
    EvalSample,
    EvalSpec,
    EvalStats,
    recompute_metrics,
    write_eval_log,
)
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score, Scorer, Target
from inspect_ai.solver import TaskState

from vr_evals import __version__, scorers
from vr_evals.answers import letters
from vr_evals.benchmarks import Items, find
from vr_evals.conditions import (
    CONDITION_NAMES,
    CONDITIONS,
    AuthorityCondition,
    authority_task_name,
    level_task_name,
    thinking_condition,
)
from vr_evals.errors import InputError
from vr_evals.importing.replies import Asked, Reply
from vr_evals.importing.sources import Source
from vr_evals.levels import Level
from vr_evals.prompts.authority import preamble
from vr_evals.sample_metadata import RUN_RECORD
from vr_evals.solvers.prompting import level_prompt, multiple_choice_prompt, second_prompt
from vr_evals.solvers.run_record import FIRST_PASS
from vr_evals.solvers.thinking import thought
from vr_evals.tasks.build import level_task
from vr_evals.tasks.build_authority import authority_task
from vr_evals.tasks.checks import parameters_of

__all__ = ["Origin", "write_logs"]

PREFIX = "none/"
"""Inspect's provider of no model: it needs no package and no key, and cannot be called."""

_UNKNOWN_PROMPT = (
    "[The file does not have the prompt, which was not the one below: this is how vr_evals asks.]"
)


@dataclass(frozen=True)
class Origin:
    """Where replies come from.

    Attributes:
        format: The format of the files.
        sources: The files.
        dataset: The name of the items' data set in logs, and what else is known of it.
    """

    format: str
    sources: Sequence[Source]
    dataset: Mapping[str, Any]


@dataclass(frozen=True)
class _Group:
    """The replies of one log.

    Attributes:
        asked: How they were asked for.
        condition: The authority condition of all; None outside the paradigm, or for several.
        replies: The replies.
    """

    asked: Asked
    condition: AuthorityCondition | None
    replies: Sequence[Reply]


def write_logs(replies: Iterable[Reply], origin: Origin, folder: str) -> Iterator[EvalLog]:
    """Write the logs of replies, and yield each without its samples.

    Args:
        replies: The replies, in any order.
        origin: Where they come from.
        folder: The folder or URL to write to.

    Raises:
        InputError: Two replies are of one item and epoch; or a log cannot be written.
    """
    for group in _groups(replies):
        log = _log(group, origin)
        created = log.eval.created.replace(":", "-").replace("+", "-")
        task = log.eval.task.partition("/")[2].replace("_", "-")
        name = f"{created}_{task}_{log.eval.task_id}.eval"
        log.location = f"{folder.rstrip('/')}/{name}"
        try:
            write_eval_log(log, log.location)
        except OSError as error:
            raise InputError(f"{folder}: failed to write: {error.strerror or error}") from None
        log.samples, log.reductions = None, None
        yield log


def _groups(replies: Iterable[Reply]) -> Iterator[_Group]:
    """Yield the replies of each log; authority conditions are together if all five are there."""
    found: defaultdict[Asked, dict[tuple[str, int, str | None], Reply]] = defaultdict(dict)
    for reply in replies:
        key = (reply.item.id, reply.epoch, reply.condition)
        before = found[reply.asked].setdefault(key, reply)
        if before is not reply:
            raise InputError(
                f"{before.place} and {reply.place}: both are item {reply.item.id}, epoch "
                f"{reply.epoch} of {_in_words(reply)}: expected one row each; number repetitions "
                "in a column epoch"
            )
    for group in found.values():
        _check_endorsed(group.values())
    while found:  # the replies of a log that is written are given up
        asked, group = found.popitem()
        conditions = {reply.condition for reply in group.values()}
        if (
            asked.authority
            and not conditions >= set(CONDITION_NAMES)
            and conditions <= set(CONDITION_NAMES)
        ):
            for name in filter(None, sorted(map(str, conditions))):
                own = [reply for reply in group.values() if reply.condition == name]
                yield _Group(asked, CONDITIONS[name], own)
        else:
            yield _Group(asked, None, list(group.values()))


def _check_endorsed(replies: Iterable[Reply]) -> None:
    """Check that repetitions of an item have one endorsed option, as our figures need it."""
    first: dict[tuple[str, str | None], Reply] = {}
    for reply in replies:
        before = first.setdefault((reply.item.id, reply.condition), reply)
        if before.endorsed != reply.endorsed:
            raise InputError(
                f"{before.place} and {reply.place}: {before.endorsed} and {reply.endorsed} are "
                f"endorsed for item {reply.item.id} in {reply.condition}: expected one option in "
                "all repetitions"
            )


def _in_words(reply: Reply) -> str:
    asked = reply.asked
    level = "" if asked.level is None else f"level {asked.level}"
    thinking = f"thinking {'on' if asked.thinking else 'off'}"
    parts = (asked.model, asked.benchmark, level, thinking, reply.condition)
    return ", ".join(part for part in parts if part)


def _log(group: _Group, origin: Origin) -> EvalLog:
    items = {reply.item.id: reply.item for reply in group.replies}
    arguments = _arguments(group, origin)
    task = _task(
        group,
        Items(
            tuple(items.values()),
            {**origin.dataset, "subset": group.asked.subset, "skipped_rows": 0},
        ),
    )
    header = _header(group, origin, task, arguments)
    by_id = {_key(sample): sample for sample in task.dataset}
    targets = _harmful_targets(group.replies)
    samples = [
        _sample(reply, by_id[reply.item.id, reply.condition], header, targets)
        for reply in sorted(group.replies, key=lambda each: (each.epoch, each.item.id))
    ]
    _score(header, samples, task)
    usages = [usage for sample in samples for usage in sample.model_usage.values()]
    if usages:
        header.stats.model_usage = {header.eval.model: sum(usages[1:], start=usages[0])}
    return header


def _key(sample: Sample) -> tuple[str, str | None]:
    metadata = sample.metadata or {}
    return str(metadata["item"]), metadata.get("condition")


def _module(asked: Asked) -> ModuleType:
    return import_module(f"vr_evals.tasks.{asked.benchmark}{'_authority' * asked.authority}")


def _task_name(group: _Group) -> str:
    asked = group.asked
    if asked.authority:
        return authority_task_name(asked.benchmark, group.condition)
    return level_task_name(asked.benchmark, Level(asked.level or 0), asked.thinking)


def _is_extended(group: _Group) -> bool:
    return any(reply.condition not in (None, *CONDITION_NAMES) for reply in group.replies)


def _arguments(group: _Group, origin: Origin) -> dict[str, Any]:
    """Return the arguments of a task that asks like this."""
    asked = group.asked
    known = {
        "include_confidence": asked.include_confidence,
        "dataset": origin.dataset["dataset"],
        "subset": asked.subset,
        "option_order": asked.option_order,
        "level": asked.level,
        "second_pass": asked.second_pass,
        "thinking": asked.thinking,
        "thinking_budget": asked.budget or thinking_condition(True).budget,
        # an effort is a flag of the user's, of which the condition knows nothing
        "reasoning": "flags" if asked.effort else "condition",
        "design": "extended" if _is_extended(group) else "standard",
    }
    declared = parameters_of(getattr(_module(asked), _task_name(group)))
    return {name: known.get(name, each.default) for name, each in declared.items()}


def _task(group: _Group, items: Items) -> Task:
    """Return the task of ours that asks like this."""
    asked, benchmark = group.asked, find(group.asked.benchmark)
    shared: dict[str, Any] = {
        "version": _module(asked).VERSION,
        "subset": asked.subset,
        "include_confidence": asked.include_confidence,
        "dataset": items,
        "items": None,
        "reasoning": "flags" if asked.effort else "condition",
        "allow_unhonoured": False,
        "accept_changed_data": False,
        "seed": 0,
        # prompts by level without letters have no order
        "option_order": asked.option_order
        if benchmark.lettered or asked.level is None
        else "seeded",
        "second_pass": asked.second_pass,
    }
    budget = asked.budget or thinking_condition(True).budget
    if asked.authority:
        return authority_task(
            benchmark,
            group.condition,
            level=asked.level,
            thinking=asked.thinking,
            thinking_budget=budget or 0,
            design="extended" if _is_extended(group) else "standard",
            **shared,
        )
    if asked.level is None:
        raise InputError(f"{group.replies[0].place}: no level and no authority condition")
    return level_task(
        benchmark,
        Level(asked.level),
        thinking_budget=budget if asked.thinking else None,
        **shared,
    )


def _header(group: _Group, origin: Origin, task: Task, arguments: Mapping[str, Any]) -> EvalLog:
    asked, name = group.asked, _task_name(group)
    module = _module(asked)
    files = [origin.sources[n] for n in sorted({reply.source for reply in group.replies})]
    imported = {
        "format": origin.format,
        "model": asked.model,
        "files": [{"name": file.name, "sha256": file.sha256} for file in files],
        "vr_evals": __version__,
    }
    # the same files give the same ids, so that a second import is seen to be a copy
    identity = _identity(imported, asdict(asked), name, dict(arguments))
    epochs = max(reply.epoch for reply in group.replies)
    prompts = {} if asked.prompts is None else {"prompts": asked.prompts}
    samples = list(task.dataset)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    attributes: dict[str, Any] = {"benchmark": asked.benchmark}
    if asked.authority:
        condition = group.condition.name if group.condition else "all"
        attributes |= {"paradigm": "authority", "condition": condition}
    else:
        attributes |= {"level": asked.level, "thinking": asked.thinking}
    defaults = parameters_of(getattr(module, name))
    solver = "authority" if asked.level is None else Level(asked.level).name.lower()
    return EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=identity[:22],
            run_id=_identity(imported)[:22],
            task_id=identity[22:44],
            created=now,
            task=f"vr_evals/{name}",
            task_version=task.version,
            task_display_name=task.display_name,
            task_registry_name=f"vr_evals/{name}",
            task_attribs=attributes,
            task_args=dict(arguments),
            task_args_passed={
                key: value for key, value in arguments.items() if value != defaults[key].default
            },
            dataset=EvalDataset(
                name=task.dataset.name,
                samples=len(samples),
                sample_ids=[str(sample.id) for sample in samples],
                shuffled=False,
            ),
            model=PREFIX + asked.model,
            config=EvalConfig(epochs=epochs, fail_on_error=False, log_samples=True),
            packages={"inspect_ai": inspect_version, "vr-evals": __version__},
            metadata={**(task.metadata or {}), **prompts, "imported": imported},
            viewer=task.viewer,
            headline_metric=task.headline_metric,
            tags=["imported"],
        ),
        plan=EvalPlan(
            steps=[EvalPlanStep(solver=f"vr_evals/{solver}", params={}, params_passed={})],
            config=GenerateConfig(
                temperature=asked.temperature,
                max_tokens=asked.max_tokens,
                reasoning_effort=asked.effort,  # type: ignore[arg-type]  # checked when read
            ),
        ),
        stats=EvalStats(started_at=now, completed_at=now),
    )


def _identity(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _harmful_targets(replies: Iterable[Reply]) -> dict[str, str | None]:
    """Return the option that harm endorses by item; None if there are several."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for reply in replies:
        if reply.condition and CONDITIONS[reply.condition].valence == "harm" and reply.endorsed:
            found[reply.item.id].add(reply.endorsed)
    return {item: next(iter(each)) if len(each) == 1 else None for item, each in found.items()}


def _sample(
    reply: Reply, sample: Sample, header: EvalLog, targets: Mapping[str, str | None]
) -> EvalSample:
    """Return the sample of a reply, without its scores."""
    asked, model = reply.asked, header.eval.model
    metadata = {**(sample.metadata or {}), **_design(reply, sample, targets), **reply.imported}
    state = TaskState(
        model=model,  # type: ignore[arg-type]  # the prompts do not use it
        sample_id=sample.id or "",
        epoch=reply.epoch,
        input=sample.input,
        messages=[ChatMessageUser(content=sample.input)] if isinstance(sample.input, str) else [],
        target=Target(sample.target),
        metadata=metadata,
    )
    output = _output(reply, model)
    record: dict[str, Any] = {"thinking_asked": asked.thinking}
    if asked.level is not None:
        record["level"] = asked.level
    if thought(output) and reply.first is None:
        record |= {"calls": 1, "calls_that_thought": 1}
    if reply.first is not None:
        record[FIRST_PASS] = {
            "completion": reply.first,
            "stop_reason": "stop",
            "second_pass": reply.error is None,
        }
    metadata[RUN_RECORD] = record
    tokens = reply.tokens
    usage = ModelUsage(
        input_tokens=tokens.input or 0,
        output_tokens=tokens.output or 0,
        total_tokens=(tokens.input or 0) + (tokens.output or 0),
        reasoning_tokens=tokens.reasoning,
    )
    error = reply.error
    return EvalSample(
        id=sample.id or "",
        epoch=reply.epoch,
        input=sample.input,
        choices=sample.choices,
        target=sample.target,
        messages=list(_messages(reply, state, output)),
        output=output,
        metadata=metadata,
        model_usage={model: usage} if tokens.output is not None else {},
        total_time=reply.seconds,
        working_time=reply.seconds,
        uuid=_identity(header.eval.eval_id, sample.id, reply.epoch)[:22],
        error=None if error is None else EvalError(message=error, traceback="", traceback_ansi=""),
    )


def _design(
    reply: Reply, sample: Sample, targets: Mapping[str, str | None]
) -> dict[str, str | None]:
    """Return the options that the authority of the file named, instead of those of our seed."""
    if reply.condition is None:
        return {}
    condition, metadata = CONDITIONS[reply.condition], sample.metadata or {}
    endorsed = reply.endorsed
    if condition.valence == "help":
        endorsed = endorsed or metadata["help_target"]
    if condition.valence and endorsed not in metadata["labels"]:
        raise InputError(
            f"{reply.place}: invalid endorsed {endorsed!r}: expected one of "
            f"{', '.join(metadata['labels'])}, the label that the authority named"
        )
    lettered = tuple(metadata["labels"]) == letters(len(metadata["labels"]))
    named = (endorsed or "") if lettered else f'"{endorsed}"'
    harm = endorsed if condition.valence == "harm" else targets.get(reply.item.id)
    return {
        "endorsed": endorsed if condition.valence else None,
        "harm_target": harm,
        "preamble": preamble(condition, named),
    }


def _output(reply: Reply, model: str) -> ModelOutput:
    output = ModelOutput.from_content(model.removeprefix(PREFIX), reply.completion)
    if reply.reasoning:
        output.choices[0].message.content = [
            ContentReasoning(reasoning=reply.reasoning),
            ContentText(text=reply.completion),
        ]
    output.choices[0].stop_reason = reply.stop_reason or "stop"  # type: ignore[assignment]  # checked when read
    return output


def _messages(reply: Reply, state: TaskState, output: ModelOutput) -> Iterator[ChatMessage]:
    """Yield prompts and replies; a prompt that the file has not is that of our task."""
    level = reply.asked.level
    ours = multiple_choice_prompt(state) if level is None else level_prompt(state, Level(level))
    if reply.asked.prompts is not None:
        ours = f"{_UNKNOWN_PROMPT}\n\n{ours}"
    yield ChatMessageUser(content=reply.prompt or ours)
    if reply.first is not None:
        yield ChatMessageAssistant(content=reply.first)
        yield ChatMessageUser(content=reply.second_prompt or second_prompt(state, reply.first))
    yield output.message


def _score(log: EvalLog, samples: list[EvalSample], task: Task) -> None:
    """Score samples as our task does, but for those that ended in an error."""
    chosen = task.scorer if isinstance(task.scorer, list) else [task.scorer]
    # Inspect's own `score` writes into the header which scorers and metrics there are
    log.samples = [samples[0].model_copy(deep=True)]
    scored = score(log, chosen, action="overwrite", display="none")
    [example] = scored.samples or [samples[0]]
    log.eval.scorers = scored.eval.scorers
    names = list(example.scores or {})
    own = {name: getattr(scorers, name)() for name in names}
    for sample in samples:
        if sample.error is None:
            sample.scores = _scores(sample, own, log.eval.model)
    log.samples = samples
    log.results = None
    recompute_metrics(log)


def _scores(sample: EvalSample, own: Mapping[str, Scorer], model: str) -> dict[str, Score]:
    target = Target(sample.target)
    state = TaskState(
        model=model,  # type: ignore[arg-type]  # our scorers do not use it
        sample_id=sample.id,
        epoch=sample.epoch,
        input=sample.input,
        messages=sample.messages,
        target=target,
        choices=sample.choices,
        output=sample.output,
        completed=True,
        metadata=sample.metadata,
    )
    found = {name: _result(scorer(state, target)) for name, scorer in own.items()}
    return {name: each for name, each in found.items() if each is not None}


def _result(call: Coroutine[Any, Any, Score | None]) -> Score | None:
    """Return the result of a scorer of ours, which never waits: no event loop is needed."""
    try:
        call.send(None)
    except StopIteration as end:
        result: Score | None = end.value
        return result
    raise RuntimeError("a scorer waited for something")
