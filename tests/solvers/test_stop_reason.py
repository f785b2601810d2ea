"""Why a reply ended."""

import pytest
from inspect_ai.model import ChatMessageAssistant, ContentReasoning, ContentText, ModelOutput

from vr_evals.solvers.stop_reason import stop_reason

SAID = ContentText(text="A")
REFUSED = ContentText(text="No.", refusal=True)


def output(*content: ContentText | ContentReasoning) -> ModelOutput:
    return ModelOutput.from_message(ChatMessageAssistant(content=list(content)))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (ModelOutput(), None),
        (ModelOutput.from_content("m", "A"), "stop"),
        (ModelOutput.from_content("m", "A", "max_tokens"), "max_tokens"),
        (ModelOutput.from_content("m", "No.", "content_filter"), "content_filter"),
        (output(SAID), "stop"),
        (output(REFUSED), "content_filter"),
        (output(ContentReasoning(reasoning="Hm."), SAID, REFUSED), "content_filter"),
    ],
)
def test_stop_reason(given: ModelOutput, expected: str | None) -> None:
    assert stop_reason(given) == expected
