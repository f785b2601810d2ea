"""Level 5: an answer, then a second look at it."""

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

from vr_evals.characters import whole
from vr_evals.conditions import Settings
from vr_evals.levels import Level
from vr_evals.solvers.as_run import FIRST_PASS, note
from vr_evals.solvers.asked import telling
from vr_evals.solvers.asking import (
    ask_level,
    count_call,
    in_one_line,
    second_prompt,
    thinking_config,
)
from vr_evals.solvers.endings import stop_reason
from vr_evals.visible import readable, visible_text

__all__ = ["two_pass"]


@solver
def two_pass() -> Solver:
    """Ask with the level-5 prompt, then ask the model to reflect on what it said.

    The second call continues the first (``second_pass=conversation``) or holds nothing but the
    second prompt, which quotes the first response (``standalone``); the sample's own setting
    decides. The final answer is the second pass's. Works on the samples of any vr_evals task.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await ask_level(state, generate, Level.TWO_PASS)
        _make_whole(state.output)
        completion = state.output.completion
        first: dict[str, Any] = {
            "completion": completion,
            "stop_reason": stop_reason(state.output),
            "second_pass": False,
        }
        note(state, **{FIRST_PASS: first})
        if not readable(completion):
            return state
        prompt = ChatMessageUser(content=second_prompt(state, visible_text(completion)))
        with telling(state, second_pass=True):
            if Settings.from_metadata(state.metadata).second_pass == "standalone":
                state = await _ask_alone(state, prompt)
            else:
                state.messages.append(prompt)
                config = thinking_config(state)
                with in_one_line():
                    state = count_call(await generate(state, tool_calls="none", **config))
        # a limit or an error may end the sample before this: then there was no second pass
        note(state, **{FIRST_PASS: {**first, "second_pass": True}})
        return state

    return solve


def _make_whole(output: ModelOutput) -> None:
    """Mend a reply with half a surrogate pair: no second request, and no log, could hold it."""
    output.completion = whole(output.completion)
    for choice in output.choices:
        message = choice.message
        if isinstance(message.content, str):
            message.content = whole(message.content)
            continue
        for part in message.content:
            if isinstance(part, ContentText):
                part.text = whole(part.text)
            elif isinstance(part, ContentReasoning):
                part.reasoning = whole(part.reasoning)
                part.summary = part.summary and whole(part.summary)


async def _ask_alone(state: TaskState, prompt: ChatMessageUser) -> TaskState:
    """Ask in a conversation of its own; both passes stand in the sample's messages."""
    config = GenerateConfig(**thinking_config(state))
    with in_one_line():
        state.output = await get_model().generate([prompt], config=config)
    state.messages += [prompt, state.output.message]
    return count_call(state)
