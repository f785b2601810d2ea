"""What becomes of the ways in which a provider's answer can end."""

import pytest
from inspect_ai.model import ContentText, GenerateConfig, StopReason

from tests.breadth import some_quick
from tests.wire.server import DROPPED, THOUGHT, Answer, Failure, Reply, Wire
from vr_evals.solvers.thinking import resolve, thought

MODELS = [
    "anthropic/claude-sonnet-4-5",
    "anthropic/claude-opus-4-8",
    "openai/gpt-5.1",
    "vllm/Qwen/Qwen3-8B",
]
APIS = MODELS[0], MODELS[2], MODELS[3]


def condition(model: str, thinking: bool) -> GenerateConfig:
    own = GenerateConfig(max_tokens=4000 if thinking else 1000)
    return own.merge(resolve(model, thinking=thinking).config)


@pytest.mark.parametrize("model", some_quick(MODELS, APIS.__contains__))
@pytest.mark.parametrize("thinking", [False, True])
def test_reasoning_is_measured_and_stays_out_of_the_answer(
    wire: Wire, model: str, thinking: bool
) -> None:
    output = wire.ask(model, condition(model, thinking))
    assert output.completion == "<answer>A</answer>"
    assert thought(output) is thinking


@pytest.mark.parametrize("model", some_quick(MODELS, APIS.__contains__))
@pytest.mark.parametrize(
    ("reply", "completion", "stop_reason"),
    [
        (Reply("", "max_tokens", thinking=True), "", "max_tokens"),
        (Reply("<answer>A</answer>\n<confid", "max_tokens"), None, "max_tokens"),
        (Reply("", thinking=False), "", "stop"),
    ],
    ids=["cut inside thinking", "cut inside the answer", "empty"],
)
def test_endings(
    wire: Wire, model: str, reply: Reply, completion: str | None, stop_reason: StopReason
) -> None:
    wire.script([reply])
    output = wire.ask(model, condition(model, thinking=True))
    assert output.completion == (reply.text if completion is None else completion)
    assert output.stop_reason == stop_reason
    assert THOUGHT not in output.completion
    assert thought(output) is (reply.thinking is not False)


@pytest.mark.parametrize("model", some_quick(MODELS, APIS.__contains__))
def test_a_refusal_is_marked(wire: Wire, model: str) -> None:
    wire.script([Reply("I would rather not.", "refusal")])
    output = wire.ask(model, condition(model, thinking=False))
    assert output.completion == "I would rather not."
    content = output.message.content
    # the Responses API marks the text, and Inspect keeps stop_reason="stop"
    marked = any(isinstance(part, ContentText) and part.refusal for part in content)
    assert output.stop_reason == "content_filter" or marked


@pytest.mark.parametrize("model", some_quick(MODELS, MODELS[0].__eq__))
@pytest.mark.parametrize(
    "failures",
    [
        [Failure(429)],
        [Failure(429), Failure(429)],
        [Failure(529)],
        [Failure(500)],
        [Failure(429, sdk_retries=False)],
        [Failure(529, sdk_retries=False), Failure(503, sdk_retries=False)],
        [DROPPED],
    ],
    ids=["429", "429 twice", "529", "500", "429 by Inspect", "529 and 503 by Inspect", "dropped"],
)
@pytest.mark.usefixtures("_no_waiting")
def test_passing_faults_end_in_an_answer(wire: Wire, model: str, failures: list[Answer]) -> None:
    wire.script([*failures, Reply()])
    output = wire.ask(model, condition(model, thinking=False))
    assert output.completion == "<answer>A</answer>"
    bodies = [call.body for call in wire.calls]
    assert len(bodies) == len(failures) + 1
    assert all(body == bodies[0] for body in bodies)


@pytest.mark.parametrize("model", some_quick(MODELS, APIS.__contains__))
@pytest.mark.parametrize("status", [400, 401, 404])
def test_lasting_faults_are_errors_after_one_call(wire: Wire, model: str, status: int) -> None:
    wire.script([Failure(status, "no such setting", sdk_retries=False)] * 3)
    with pytest.raises(Exception, match="no such setting"):
        wire.ask(model, condition(model, thinking=False))
    assert len(wire.calls) == 1
