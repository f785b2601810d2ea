"""The solver of level 5: an answer, then reflection on it."""

from typing import Any

from inspect_ai.model import (
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from vr_evals.characters import replace_lone_surrogates
from vr_evals.conditions import Settings
from vr_evals.levels import Level
from vr_evals.solvers.call_context import publish_call_context
from vr_evals.solvers.prompting import (
    ask_level,
    count_call,
    explain_rejection,
    second_prompt,
    thinking_config,
)
from vr_evals.solvers.run_record import FIRST_PASS, add_to_record
from vr_evals.solvers.stop_reason import stop_reason
from vr_evals.visible import readable, visible_text

__all__ = ["two_pass"]


@solver
def two_pass() -> Solver:
    """Ask with the level-5 prompt, then ask the model to reflect on its response.

    As set in the sample, the second call continues the first (``second_pass=conversation``),
    contains only the second prompt, which quotes the first response (``standalone``), or continues
    the first with the question again and without a word of reflection (``reask``, a control). The
    final answer is that of the second pass. Works on the samples of any vr_evals task.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await ask_level(state, generate, Level.TWO_PASS)
        _replace_surrogates(state.output)
        completion = state.output.completion
        first: dict[str, Any] = {
            "completion": completion,
            "stop_reason": stop_reason(state.output),
            "second_pass": False,
        }
        add_to_record(state, **{FIRST_PASS: first})
        if not readable(completion):
            return state
        prompt = ChatMessageUser(content=second_prompt(state, visible_text(completion)))
        with publish_call_context(state, second_pass=True):
            if Settings.from_metadata(state.metadata).second_pass == "standalone":
                state = await _ask_alone(state, prompt)
            else:
                state.messages.append(prompt)
                config = thinking_config(state, second_pass=True)
                with explain_rejection():
                    state = count_call(await generate(state, tool_calls="none", **config))
        # not reached if a limit or an error ends the sample: then there was no second pass
        add_to_record(state, **{FIRST_PASS: {**first, "second_pass": True}})
        return state

    return solve


def _replace_surrogates(output: ModelOutput) -> None:
    """Replace lone surrogates in a reply, which neither a request nor a log can contain."""
    output.completion = replace_lone_surrogates(output.completion)
    for choice in output.choices:
        message = choice.message
        if isinstance(message.content, str):
            message.content = replace_lone_surrogates(message.content)
            continue
        for part in message.content:
            if isinstance(part, ContentText):
                part.text = replace_lone_surrogates(part.text)
            elif isinstance(part, ContentReasoning):
                part.reasoning = replace_lone_surrogates(part.reasoning)
                part.summary = part.summary and replace_lone_surrogates(part.summary)


async def _ask_alone(state: TaskState, prompt: ChatMessageUser) -> TaskState:
    """Ask in a separate conversation; the sample's messages contain both passes."""
    config = GenerateConfig(**thinking_config(state, second_pass=True))
    with explain_rejection():
        state.output = await get_model().generate([prompt], config=config)
    state.messages += [prompt, state.output.message]
    return count_call(state)
