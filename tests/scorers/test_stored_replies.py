"""What a log keeps of a reply that is read in another form than it was given in."""

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import Content, ContentReasoning, ContentText

from tests.logs import samples
from tests.models_for_tests import reply
from tests.scorers.running import run
from vr_evals.tasks.ethics import ethics_level2
from vr_evals.tasks.moralchoice import moralchoice_level0


@pytest.mark.parametrize(
    "said",
    [
        "&lt;answer&gt;B&lt;/answer&gt;",
        "<answer>\uff22</answer>",
        "**<ANSWER>$b$</ANSWER>**",
        "<think>Or <answer>A</answer>?</think><answer>B</answer>",
    ],
)
def test_the_reply_is_kept_as_it_was_given(said: str) -> None:
    log = run(moralchoice_level0(dataset="sample", items=1), lambda call: said)
    [sample] = samples(read_eval_log(log.location))
    assert sample.output.completion == said
    assert (sample.scores or {})["answer"].answer == "B"


@pytest.mark.parametrize(
    ("texts", "label"),
    [
        (["Final ", "answer: wrong"], "wrong"),
        (["Final answer: not ", "wrong"], "not wrong"),
        (["He kept it. ", "Final answer: not wrong", "."], "not wrong"),
    ],
)
def test_an_answer_that_stands_in_several_text_blocks(texts: list[str], label: str) -> None:
    blocks: list[Content] = [ContentReasoning(reasoning="Final answer: cannot be told")]
    blocks += [ContentText(text=text) for text in texts]
    log = run(ethics_level2(dataset="sample", items=1), lambda call: reply(blocks))
    [sample] = samples(log)
    assert (sample.scores or {})["answer"].answer == label
