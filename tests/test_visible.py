"""What of a reply is read at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import fragments, replies, texts
from vr_evals.answers import letters, read_answer
from vr_evals.confidences import read_confidence
from vr_evals.visible import plain, readable, visible_text

REASONING = [
    ("no mark of reasoning\n ", "no mark of reasoning\n "),
    ("", ""),
    ("<think>a</think>B", "B"),
    ("<think>\n\n</think>\n\nwrong", "wrong"),
    ("<thinking>a</thinking>B", "B"),
    ("<reasoning>a</reasoning>B", "B"),
    ("<THINK>a</Think >B", "B"),
    ("[THINK]a[/THINK]B", "B"),
    ("◁think▷a◁/think▷B", "B"),
    ("<|START_THINKING|>a<|END_THINKING|>B", "B"),
    ("<seed:think>a</seed:think>B", "B"),
    ("A<think>b</think>C<think>d</think>E", "A\nC\nE"),
    # a template opened it
    ("maybe A\n</think>\nC", "C"),
    ("a</think>b</think>C", "C"),
    # cut inside it
    ("A <think>b", "A"),
    ("<think>a <answer>A</answer> b. c\nd", ""),
    # ended inside it with an answer
    ("<think>a <answer>A</answer>", "<answer>A</answer>"),
    (
        "A <think>b <answer>B</answer>\n<confidence>70</confidence>\nDone.<|im_end|>",
        "A\n<answer>B</answer>\n<confidence>70</confidence>\nDone.<|im_end|>",
    ),
    # opened twice, closed once
    ("<think>\n<think>a</think>B", "B"),
    # nested
    ("A<think>b<think>c</think>d</think>E", "A\nE"),
    ("<think>a<think>b<think>c</think>d</think>e</think>F", "F"),
    ("A<think>b<thinking>c</thinking>d</think>E</think>F", "F"),
    # channels
    (
        "<|channel|>analysis<|message|>a<|end|><|start|>assistant"
        "<|channel|>final<|message|>B<|return|>",
        "B<|return|>",
    ),
    ("<|channel|>analysis<|message|>cut off", ""),
    ("<|channel|>commentary<|message|>a<|channel|>final <|message|>B", "B"),
    ("<|channel>thought\na<channel|>B", "B"),
    ("analysisThe user asks.assistantfinalB", "B"),
    # neither of these is a mark
    ("I think <b>so</b>", "I think <b>so</b>"),
    ("<thinker>a</thinker>", "<thinker>a</thinker>"),
    ("<thi<think>a</think>nk>B", "<thi\nnk>B"),
]

READABLE = [
    ("&lt;answer&gt;B&lt;/answer&gt;", "<answer>B</answer>"),
    ("&amp;lt;B&amp;gt;", "&lt;B&gt;"),
    ("&#66; &#x42; &notanentity; &not B &#99999999999;", "B B &notanentity; &not B &#99999999999;"),
    ("Ｂ：８５％　Ⓑ𝐁", "B:85% BB"),
    # none of these is the letter or number that full normalisation makes of it
    ("8² ① ½ ℃ Ⅰ", "8² ① ½ ℃ Ⅰ"),
    ("\ufeffn\u200bo\u00adt\u00a0\u200fwrong\x00", "not wrong"),
    ("a \t b\r\n\n c\u2028d", "a b\nc\nd"),
    ("B<|im_end|>\n<|im_start|>user\nA?", "B"),
    ("<|im_start|>assistant\nB<|im_end|>", "B"),
    ("<start_of_turn>model\nB<end_of_turn>", "B"),
    ("<s>B</s>", "B"),
    ("<b>B</b><br/>C<p class='x'>D</p>", "B\nC\nD"),
    ("~~A~~ <del>A</del> B", "B"),
    ("\\<answer\\>B\\</answer\\>", "<answer>B</answer>"),
    ("&lt;think&gt;a&lt;/think&gt;B", "B"),
    ("<th\u200bink>a</think>B", "B"),
]

PLAIN = [
    ("**Final answer:** *wrong*", "Final answer: wrong"),
    ("# Answer\n> - `B`", "Answer\nB"),
    ("$\\boxed{\\text{not wrong}}$", "answer: not wrong"),
    ("“it’s” 'not_wrong'", "it's not wrong"),
    ("-5 - 6", "-5 - 6"),
]


@pytest.mark.parametrize(("completion", "visible"), REASONING)
def test_reasoning_is_not_visible(completion: str, visible: str) -> None:
    assert visible_text(completion) == visible


@pytest.mark.parametrize(("completion", "text"), READABLE)
def test_the_form_that_is_read(completion: str, text: str) -> None:
    assert readable(completion) == text


@pytest.mark.parametrize(("text", "words"), PLAIN)
def test_markup_is_no_part_of_the_words(text: str, words: str) -> None:
    assert plain(text) == words


@given(replies())
def test_what_is_visible_stays_visible(completion: str) -> None:
    visible = visible_text(completion)
    assert visible_text(visible) == visible


@given(
    texts() | fragments().filter(lambda text: "think" not in text.lower() and "<|" not in text),
    st.sampled_from(["<think>{}</think>", "[THINK]{}[/THINK]", "{}</think>"]),
    st.sampled_from(["<answer>B</answer>", "Final answer: B", "", "<confidence>70</confidence>"]),
)
def test_reasoning_never_counts(thought: str, block: str, reply: str) -> None:
    completion = block.replace("{}", thought) + reply
    assert read_answer(completion, letters(2), tags=True) == read_answer(
        reply, letters(2), tags=True
    )
    assert read_confidence(completion) == read_confidence(reply)
