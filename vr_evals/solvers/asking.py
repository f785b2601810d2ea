"""What all solvers share: the prompt of a level, and one call under the sample's conditions."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from inspect_ai.log import transcript
from inspect_ai.model import GenerateConfigArgs, get_model
from inspect_ai.solver import Generate, Solver, TaskState

from vr_evals.benchmarks import find
from vr_evals.characters import whole
from vr_evals.conditions import Settings
from vr_evals.errors import InputError, stop
from vr_evals.levels import Level
from vr_evals.prompts import fill
from vr_evals.prompts.authority import base_instruction, lettered
from vr_evals.solvers.as_run import as_run, note
from vr_evals.solvers.asked import telling
from vr_evals.solvers.rejected import rejection, settings_sent
from vr_evals.solvers.thinking import check_budget, describe, resolve, thought, untouched
from vr_evals.solvers.user_config import condition_config, run_config, send_only, with_extra_body

__all__ = [
    "ask_level",
    "ask_multiple_choice",
    "count_call",
    "in_one_line",
    "level_prompt",
    "multiple_choice_prompt",
    "second_prompt",
    "single_pass",
    "thinking_config",
]


def level_prompt(state: TaskState, level: Level) -> str:
    """The prompt of a level for a sample, behind its condition's preamble, as it is sent."""
    benchmark = find(state.metadata.get("benchmark"))
    settings = Settings.from_metadata(state.metadata)
    template = benchmark.level_prompts().template(level, settings.include_confidence)
    variables = {f"option_{label.lower()}": text for label, text in _options(state.metadata)}
    prompt = fill(template, {benchmark.variable: state.input_text, **variables})
    return _behind_preamble(state, prompt)


def multiple_choice_prompt(state: TaskState) -> str:
    """The authority paradigm's own prompt for a sample, as it reaches the model."""
    benchmark = find(state.metadata.get("benchmark"))
    settings = Settings.from_metadata(state.metadata)
    labels, options = zip(*_options(state.metadata), strict=True)
    problem = fill(
        benchmark.problem,
        {benchmark.variable: state.input_text, "options": lettered(labels, options)},
    )
    instruction = base_instruction(labels, settings.include_confidence)
    return _behind_preamble(state, f"{instruction}\n{problem}")


def second_prompt(state: TaskState, previous_response: str) -> str:
    """The prompt of level 5's second pass.

    Args:
        state: The sample.
        previous_response: The visible completion of the first pass, never its reasoning.
    """
    benchmark = find(state.metadata.get("benchmark"))
    settings = Settings.from_metadata(state.metadata)
    template = benchmark.level_prompts().template(
        Level.TWO_PASS, settings.include_confidence, second_pass=True
    )
    return fill(template, {"previous_response": previous_response})


def thinking_config(state: TaskState) -> GenerateConfigArgs:
    """What to send for the sample's thinking condition to the model that is active now.

    The asked-for condition and the status of each setting are noted with the sample.

    Raises:
        InputError: The model is known not to honour the condition, and that was not allowed; or the
            budget leaves no room for an answer.
    """
    settings = Settings.from_metadata(state.metadata)
    model = str(get_model())
    given = run_config()
    if settings.reasoning == "flags":
        resolution = untouched(model, settings.thinking, given)
        note(state, **describe(resolution))
        return resolution.config
    resolution = resolve(
        model,
        thinking=settings.thinking,
        budget=settings.thinking_budget,
        temperature=given.temperature,
        max_tokens=given.max_tokens,
    )
    note(state, **describe(resolution))
    if settings.thinking:
        check_budget(settings.thinking_budget, given.max_tokens)
    if resolution.stops_run and not settings.allow_unhonoured:
        condition = "on" if settings.thinking else "off"
        stop(
            f"thinking {condition} is impossible on {model}: {resolution.reasoning.note}; "
            "-T allow_unhonoured=true runs it all the same and flags it"
        )
    send_only(resolution.config)
    return with_extra_body(resolution.config, given.extra_body)


async def ask_level(state: TaskState, generate: Generate, level: Level) -> TaskState:
    """Ask a sample at a level, in one call."""
    note(state, level=level.value)
    benchmark = find(state.metadata.get("benchmark"))
    if not benchmark.lettered and _is_lettered(state):
        stop(
            f"{benchmark.name}: a level's prompt has no letters; cross it by -T level={level.value}"
        )
    return await _ask(state, generate, level_prompt(state, level))


async def ask_multiple_choice(state: TaskState, generate: Generate) -> TaskState:
    """Ask a sample as a multiple-choice question, in one call."""
    if not _is_lettered(state):
        benchmark = state.metadata.get("benchmark")
        stop(f"{benchmark}: its level tasks show no letters; use {benchmark}_authority")
    return await _ask(state, generate, multiple_choice_prompt(state))


async def _ask(state: TaskState, generate: Generate, prompt: str) -> TaskState:
    if str(get_model()).startswith("vr_sim/"):
        note(state, simulated=True)
    config = thinking_config(state)
    state.user_prompt.text = prompt
    with telling(state), in_one_line():
        return count_call(await generate(state, tool_calls="none", **config))


@contextmanager
def in_one_line() -> Iterator[None]:
    """Run a call, and say in one line if the provider refuses a setting of it.

    Raises:
        InputError: The provider refuses a setting that was sent.
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
    """Count the call that gave the sample's output, whether the model thought, and which it was.

    A call that did not think as asked leaves a line in the sample's transcript.
    """
    did_think = thought(state.output)
    facts = as_run(state.metadata)
    if did_think != facts["thinking_asked"]:
        words = "off, but this call thought" if did_think else "on, but this call did not think"
        transcript().info(f"Thinking was {words}.", source="vr_evals")
    note(
        state,
        calls=facts.get("calls", 0) + 1,
        calls_that_thought=facts.get("calls_that_thought", 0) + did_think,
        served_model=_with_name(facts.get("served_model", ""), state.output.model),
    )
    return state


def _with_name(names: str, name: str) -> str:
    """Names of models joined by commas, and a further one if it is not among them."""
    known = names.split(", ") if names else []
    return names if name in known else ", ".join([*known, whole(name)])


def _behind_preamble(state: TaskState, prompt: str) -> str:
    """A prompt behind the preamble of the sample's condition, if it has one."""
    preamble = state.metadata.get("preamble")
    return f"{preamble}\n{prompt}" if preamble else prompt


def _is_lettered(state: TaskState) -> bool:
    """Whether a sample's answer labels are letters; the labels of others are their options."""
    return state.metadata.get("labels") != state.metadata.get("options")


def _options(metadata: Mapping[str, object]) -> list[tuple[str, str]]:
    """The options under the letters of the order shown."""
    from vr_evals.answers import letters  # not before: every Inspect command imports this module

    options = metadata.get("options")
    if not isinstance(options, list):
        raise InputError(f"sample metadata has options={options!r}; wanted a list of texts")
    return list(zip(letters(len(options)), map(str, options), strict=True))


def single_pass(level: Level) -> Solver:
    """A solver that asks a sample once, with the prompt of a level."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await ask_level(state, generate, level)

    return solve
