"""Shared by all solvers: the prompt of a sample, and one call in its conditions."""

from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai.log import transcript
from inspect_ai.model import GenerateConfigArgs, get_model
from inspect_ai.solver import Generate, Solver, TaskState

from vr_evals.benchmarks import find
from vr_evals.characters import replace_lone_surrogates
from vr_evals.conditions import Settings
from vr_evals.errors import stop
from vr_evals.levels import Level
from vr_evals.prompts import fill
from vr_evals.prompts.authority import base_instruction, lettered
from vr_evals.sample_metadata import SampleMetadata
from vr_evals.solvers.call_context import publish_call_context
from vr_evals.solvers.rejected import rejection, settings_sent
from vr_evals.solvers.run_record import add_to_record, run_record
from vr_evals.solvers.thinking import check_budget, describe, resolve, resolve_from_flags, thought
from vr_evals.solvers.user_config import (
    condition_config,
    run_config,
    send_only,
    with_cache_scope,
    with_extra_body,
)

__all__ = [
    "ask_level",
    "ask_multiple_choice",
    "count_call",
    "explain_rejection",
    "level_prompt",
    "multiple_choice_prompt",
    "second_prompt",
    "single_pass",
    "thinking_config",
]


def level_prompt(state: TaskState, level: Level) -> str:
    """Return the prompt of a level for a sample, after its condition's preamble."""
    asked = SampleMetadata.from_metadata(state.metadata)
    prompts = find(asked.benchmark).level_prompts(level)
    template = prompts.template(level, asked.settings.include_confidence)
    return _behind_preamble(asked, fill(template, _variables(state, asked)))


def multiple_choice_prompt(state: TaskState) -> str:
    """Return the authority paradigm's own prompt for a sample."""
    asked = SampleMetadata.from_metadata(state.metadata)
    benchmark = find(asked.benchmark)
    labels, options = zip(*_options(asked), strict=True)
    problem = fill(
        benchmark.problem,
        {benchmark.variable: state.input_text, "options": lettered(labels, options)},
    )
    instruction = base_instruction(labels, asked.settings.include_confidence)
    return _behind_preamble(asked, f"{instruction}\n{problem}")


def second_prompt(state: TaskState, previous_response: str) -> str:
    """Return the prompt of level 5's second pass.

    Args:
        state: The sample.
        previous_response: The visible completion of the first pass, without reasoning.
    """
    asked = SampleMetadata.from_metadata(state.metadata)
    template = (
        find(asked.benchmark)
        .level_prompts()
        .template(
            Level.TWO_PASS,
            asked.settings.include_confidence,
            second_pass=True,
            reask=asked.settings.second_pass == "reask",
        )
    )
    return fill(template, {"previous_response": previous_response, **_variables(state, asked)})


def _variables(state: TaskState, asked: SampleMetadata) -> dict[str, str]:
    """Return the variables of an item's prompts."""
    options = {f"option_{label.lower()}": text for label, text in _options(asked)}
    return {find(asked.benchmark).variable: state.input_text, **options}


def thinking_config(state: TaskState, second_pass: bool = False) -> GenerateConfigArgs:
    """Return the settings of a call: the sample's thinking condition, and the user's cache.

    The condition and the status of each setting are added to the sample's record.

    Args:
        state: The sample.
        second_pass: Whether the call is the second one of level 5.

    Raises:
        InputError: The model cannot honour the condition, without ``allow_unhonoured``; or the
            budget leaves no room for an answer.
    """
    asked = SampleMetadata.from_metadata(state.metadata)
    call = (
        asked.benchmark,
        str(run_record(state.metadata).get("level")),
        asked.settings.second_pass,
        str(state.sample_id),
        "second" if second_pass else "first",
    )
    return with_cache_scope(_condition(state), run_config().cache, " ".join(call))


def _condition(state: TaskState) -> GenerateConfigArgs:
    """Return the settings of the sample's thinking condition for the active model."""
    settings = Settings.from_metadata(state.metadata)
    model = str(get_model())
    given = run_config()
    if settings.reasoning == "flags":
        resolution = resolve_from_flags(model, settings.thinking, given)
        add_to_record(state, **describe(resolution))
        return resolution.config
    resolution = resolve(
        model,
        thinking=settings.thinking,
        budget=settings.thinking_budget,
        temperature=given.temperature,
        max_tokens=given.max_tokens,
    )
    add_to_record(state, **describe(resolution))
    if settings.thinking:
        check_budget(settings.thinking_budget, given.max_tokens)
    if resolution.stops_run and not settings.allow_unhonoured:
        condition = "on" if settings.thinking else "off"
        stop(
            f"thinking {condition} is not supported by {model}: {resolution.reasoning.note}; "
            "use -T allow_unhonoured=true to run it anyway and flag it in the log"
        )
    send_only(resolution.config)
    return with_extra_body(resolution.config, given.extra_body)


async def ask_level(state: TaskState, generate: Generate, level: Level) -> TaskState:
    """Ask a sample at a level, in one call."""
    add_to_record(state, level=level.value)
    asked = SampleMetadata.from_metadata(state.metadata)
    if asked.lettered and not find(asked.benchmark).lettered:
        stop(
            f"{asked.benchmark}: level solvers are not supported for authority samples, which have "
            f"letters; use -T level={level.value} instead"
        )
    return await _ask(state, generate, level_prompt(state, level))


async def ask_multiple_choice(state: TaskState, generate: Generate) -> TaskState:
    """Ask a sample as a multiple-choice question, in one call."""
    asked = SampleMetadata.from_metadata(state.metadata)
    if asked.labels != tuple(letter for letter, _ in _options(asked)):
        stop(
            f"{asked.benchmark}: the authority solver is not supported for level samples without "
            f"letters; use {asked.benchmark}_authority instead"
        )
    return await _ask(state, generate, multiple_choice_prompt(state))


async def _ask(state: TaskState, generate: Generate, prompt: str) -> TaskState:
    if str(get_model()).startswith("vr_sim/"):
        add_to_record(state, simulated=True)
    config = thinking_config(state)
    state.user_prompt.text = prompt
    with publish_call_context(state), explain_rejection():
        return count_call(await generate(state, tool_calls="none", **config))


@contextmanager
def explain_rejection() -> Iterator[None]:
    """Turn a provider's rejection of a setting during a call into one line.

    Raises:
        InputError: The provider rejected a setting.
    """
    try:
        yield
    except Exception as error:
        message = rejection(
            error, str(get_model()), settings_sent(run_config(), condition_config.get())
        )
        if message is None:
            raise
        stop(message)


def count_call(state: TaskState) -> TaskState:
    """Add the last call to the sample's record: calls, calls that thought, the model's name.

    If the call thought although thinking was off, or the reverse, the transcript gets a line.
    """
    did_think = thought(state.output)
    record = run_record(state.metadata)
    if did_think != record["thinking_asked"]:
        mismatch = "off, but this call thought" if did_think else "on, but this call did not think"
        transcript().info(f"Thinking was {mismatch}.", source="vr_evals")
    add_to_record(
        state,
        calls=record.get("calls", 0) + 1,
        calls_that_thought=record.get("calls_that_thought", 0) + did_think,
        served_model=_with_name(record.get("served_model", ""), state.output.model),
    )
    return state


def _with_name(names: str, name: str) -> str:
    """Add a model's name to a comma-separated list, unless it is in it."""
    known = names.split(", ") if names else []
    return names if name in known else ", ".join([*known, replace_lone_surrogates(name)])


def _behind_preamble(asked: SampleMetadata, prompt: str) -> str:
    """Return a prompt after the preamble of the sample's condition, if it has one."""
    return f"{asked.preamble}\n{prompt}" if asked.preamble else prompt


def _options(asked: SampleMetadata) -> list[tuple[str, str]]:
    """Return pairs of letter and option, in the order shown."""
    from vr_evals.answers import letters  # late, because every Inspect command imports this module

    return list(zip(letters(len(asked.options)), map(str, asked.options), strict=True))


def single_pass(level: Level) -> Solver:
    """Return a solver that asks a sample once, with the prompt of a level."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await ask_level(state, generate, level)

    return solve
