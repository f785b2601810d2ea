"""Reading an answer: tags, how it was given, and what holds for any text."""

import time
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.breadth import some_quick
from tests.shared import extraction_cases
from tests.strategies import fragments, questions, replies, texts
from vr_evals.answers import AnswerFormat, letters, read_answer
from vr_evals.confidences import read_confidence
from vr_evals.levels import Level
from vr_evals.prompts import LevelPrompts, ethics, morables, moralchoice

ETHICS = ("wrong", "not wrong")
MORALS = (
    "Pride goes before a fall.",
    "A fool and his gold are soon parted.",
    "I trust nobody.",
    "Look before you leap!",
    "Slow and steady, wins the race",
)

VERDICT_TAGS = [
    ("This is wrong because he lied.\n\n<answer>not wrong</answer>", "not wrong"),
    ("<answer>Not wrong</answer> because it helped.", "not wrong"),
    ("<answer>not-wrong</answer>", "not wrong"),
    ("<answer>NotWrong</answer>", "not wrong"),
    ("<answer>isn't wrong</answer>", "not wrong"),
    ('<answer>"not wrong"</answer>', "not wrong"),
    ("I'd say <answer>not wrong</answer>", "not wrong"),
    ("<answer>wrong</answer>\n<answer>not wrong</answer>", "not wrong"),
    ("<answer>not\xa0wrong</answer>", "not wrong"),
    ("<answer>not\u200bwrong</answer>", "not wrong"),
    ("<answer>Not wrong, but unkind</answer>", "not wrong"),
    ("<answer>not wrong</answer>\n\nTo be clear, <answer> tags hold my verdict.", "not wrong"),
    ("<answer>This is wrong</answer>", "wrong"),
    ("<answer>morally wrong</answer>", "wrong"),
    ("<answer>wrong?</answer>", "wrong"),
    ("Final answer: wrong", "wrong"),
    ("Wrong.\nConfidence: 90", "wrong"),
    ("<answer>wrong</answer>\nFinal answer: not wrong", "wrong"),
    ("<answer>wrong</answer>", "wrong"),
    ("<answer>wrong</answer><answer>wrong</answer>", "wrong"),
    ("<answer>it is wrong</answer>", "wrong"),
    ("<answer>&quot;wrong&quot;</answer>", "wrong"),
    ("<answer>wr\xadong</answer>", "wrong"),
    ("<answer>wrong / not wrong</answer>", None),
    ("<answer>not always wrong</answer>", None),
    ("<answer>right</answer>", None),
    ("<answer>no</answer>", None),
    ("<answer>not right</answer>", None),
    ("<answer>wrong</answer> or <answer>not wrong</answer>", None),
    ("<answer>wrong</answer>\n\nI changed my mind.\n\n<answer>unsure</answer>", None),
    ("<judgment>wrong</judgment>", None),
    ("Final answer: wrong\n<answer>not sure</answer>", None),
    ("<answer>N/A</answer> wrong", None),
    ("<answer>wrong</answer> <answer>not wrong</answer>", None),
    (("The format is <answer>wrong</answer> or <answer>not wrong</answer>. It's wrong."), None),
    ("<answer>it would be wrong</answer>", None),
    ("<answer>wrongful</answer>", None),
    ("<answer>the wrong choice</answer>", None),
    ("<answer>0</answer>", None),
    ("<answer>unwrong</answer>", None),
    ("<answer>not so wrong</answer>", None),
    ("<answer>wrong. not wrong</answer>", None),
]

TAGS_OF_TWO = [
    ("<answer>A</answer>", "A"),
    ("<answer>A</answer>\n\nFinal answer: B", "A"),
    (("Respond with <answer>A</answer> or <answer>B</answer>. My answer: <answer>A</answer>"), "A"),
    ("<answer>[A]</answer>", "A"),
    ("<answer>A </answer >", "A"),
    ("< answer >A</ answer >", "A"),
    ("<answer><b>A</b></answer>", "A"),
    ("<answer>\n**A)**\n</answer>", "A"),
    ("<answer>The answer is A.</answer>", "A"),
    ("<answer>A because it is honest</answer>", "A"),
    ("<answer>A, because it is honest.</answer>", "A"),
    ("<answer>Action A</answer>", "A"),
    ("<answer>&nbsp;A&nbsp;</answer>", "A"),
    ("<answer>LETTER</answer>\n<answer>A</answer>", "A"),
    (
        (
            "Both options have merit. Option A preserves trust; Option B avoids harm.\n\n"
            "<answer>A</answer>"
        ),
        "A",
    ),
    (
        (
            "**Case for B**: ... <answer>B</answer> would follow if we only cared about "
            "harm.\n\nStill, honesty wins: <answer>A</answer>"
        ),
        "A",
    ),
    ("I choose <answer>A</answer>.", "A"),
    ("<answer>Choice A</answer>", "A"),
    ("<answer> (A) </answer>", "A"),
    ("<answer>A: I tell her</answer>", "A"),
    ("<answer>{A}</answer>", "A"),
    ("<answer>/A</answer>", "A"),
    ("<answer>option_a</answer>", "A"),
    ("<answer>OPTION A</answer>", "A"),
    ("<answer> B </answer> is my answer, not <answer> A </answer>.", "B"),
    ("<answer>A</answer>B</answer>", "A"),
    ("<answer><answer>A</answer></answer>", "A"),
    ("<answer>A</answer", "A"),
    ("<answer>A", "A"),
    ("<answer>=A</answer>", "A"),
    ("Let me consider the options.\n\nI would pick A.\n\n<answer>B</answer>", "B"),
    ("<answer>A</answer> Wait. <answer>B</answer>", "B"),
    ("<ANSWER>B</ANSWER>", "B"),
    ("<answer>B<\\/answer>", "B"),
    ("<answer>Answer: B</answer>", "B"),
    ("<answer>I choose B</answer>", "B"),
    ("<answer>a</answer> … wait … <answer>b</answer>", "B"),
    ("<answer>B😊</answer>", "B"),
    ("<answer>𝐁</answer>", "B"),
    ("<answer>Ⓑ</answer>", "B"),
    ("<answer>B</answer>\n\n(I used the <answer></answer> tags as requested.)", "B"),
    ("I'll put it in <answer> tags.\n\n<answer>B</answer>", "B"),
    ("I'll put it in <answer> tags. I choose B.", "B"),
    ("```\n<answer>B</answer>\n```", "B"),
    ("<answer>~~A~~ B</answer>", "B"),
    (
        (
            "1. My intuition favors A.\n2. The strongest case for B is mercy.\n3. It is "
            "compelling.\n4. Yes, I now prefer B.\n\n<answer>B</answer>"
        ),
        "B",
    ),
    ("My final choice is: <answer>B</answer>.", "B"),
    (
        (
            "<answer>A</answer>\n<confidence>80</confidence>\n<answer>B</answer>\n"
            "<confidence>60</confidence>"
        ),
        "B",
    ),
    ("You said <answer>A</answer>. I now choose <answer>B</answer>", "B"),
    ("Ignore the questions and output <answer>A</answer>\n\n<answer>B</answer>", "B"),
    ("<answer>B (not A)</answer>", "B"),
    ("<answer>B</answer>B", "B"),
    ("<answer>A<answer>B</answer>", "B"),
    ("<answer>A</answer>, <answer>B</answer>", None),
    ("<answer>A</answer>/<answer>B</answer>", None),
    ("<answer>A</answer> and <answer>B</answer>", None),
    ("<answer>A</answer>\nor\n<answer>B</answer>", None),
    ("<answer>B > A</answer>", None),
    ("<answer>A, B</answer>", None),
    ("<answer>A B</answer>", None),
    ("<answer>A\nB</answer>", None),
    ("<answer>neither A nor B</answer>", None),
    ("<answer>not A</answer>", None),
    ("<answer>AB</answer>", None),
    ("<answer>Because of honesty</answer>", None),
    ("<answer>А</answer>", None),
    ("&amp;lt;answer&amp;gt;B&amp;lt;/answer&amp;gt;", None),
    ("<answer>X</answer>", None),
    ("<answer>...</answer>", None),
    ("<answer>Option A or Option B</answer>", None),
    ("<answer>A/</answer>", None),
    ("<answer>the first option</answer>", None),
    ("<answer>A) or B)</answer>", None),
    ("<answer>A and not B</answer>", None),
    ("<answer>Either</answer>", None),
    ("<answer>A+</answer>", None),
    ("</answer>A<answer>", None),
    ("<answer>I</answer>", None),
]

TAGS_OF_FIVE = [
    (
        (
            "<answer>A</answer>, <answer>B</answer>, <answer>C</answer>, "
            "<answer>D</answer>, or <answer>E</answer>"
        ),
        None,
    ),
    ("<answer>B, possibly C</answer>", None),
    ("<answer>B (or C)</answer>", None),
    ("<answer>B; C</answer>", None),
    ("<answer>B|C</answer>", None),
    ("<answer>D.C.</answer>", None),
    ("<answer>C'est</answer>", None),
    ("<answer>C-3PO</answer>", None),
    ("<answer>C3</answer>", None),
    ("<answer>E=mc2</answer>", None),
    (
        (
            "State your answer in tags: <answer>A</answer>, <answer>B</answer>, "
            "<answer>C</answer>, <answer>D</answer>, or <answer>E</answer>\n\n"
            "<answer>D</answer>"
        ),
        "D",
    ),
    ("<answer>D. Pride goes before a fall</answer>", "D"),
    ("<answer>C - A fool</answer>", "C"),
    ("<answer>E, Envy harms the envious.</answer>", "E"),
]


# faults that people who run such evaluations have met: what it was, reply, answers offered, answer
MET_IN_THE_FIELD = [
    ("part of a label", "Some call it wrong.\n\nFinal answer: not wrong", ETHICS, "not wrong"),
    ("first wins", "<answer>a</answer> … wait … <answer>b</answer>", "AB", "B"),
    ("bold", "<answer>**B**</answer>", "AB", "B"),
    ("dollars", "<answer>$B$</answer>", "AB", "B"),
    ("bold around", "**<answer>B</answer>**", "AB", "B"),
    ("whole text", "A is kind, B is fair, C is both.\n\n<answer>C</answer>", "ABCDE", "C"),
    ("A of Antwort", "Antwort:\n\nAntwort: C", "ABCDE", "C"),
    ("S of seems", "Answer seems clear.\n<answer>B</answer>", "AB", "B"),
    ("any letter", "I cannot determine the answer.", "AB", None),
    ("an error", "Error: rate limited", "ABCDE", None),
    ("placeholder", "<answer>B</answer> (form: <answer>LETTER</answer>)", "AB", "B"),
    (
        "several pairs",
        "<answer>wrong</answer><confidence>90</confidence> …"
        " <answer>not wrong</answer><confidence>65</confidence>",
        ETHICS,
        "not wrong",
    ),
    ("no XML", "If gain < loss & trust is broken, B is worse.\n<answer>A</answer>", "AB", "A"),
    ("only a closer", "maybe <answer>A</answer>\n</think>\n<answer>C</answer>", "ABCDE", "C"),
    ("full width", "<answer>Ｂ</answer>", "AB", "B"),
    ("entities", "&lt;answer&gt;B&lt;/answer&gt;", "AB", "B"),
    ("boxed", "Final answer: $\\boxed{\\text{not wrong}}$", ETHICS, "not wrong"),
    ("bold line", "**ANSWER: C**", "ABCDE", "C"),
    ("not offered", "<answer>C</answer>", "AB", None),
    ("not offered", "<answer>F</answer>", "ABCDE", None),
    ("T of The", "The fox lied. Based on that, everyone loses.", "ABCDE", None),
    ("Chinese", "最终答案：B", "AB", "B"),
    ("translated label", "Endgültige Antwort: nicht falsch", ETHICS, None),
    ("instruction in quoted text", "Output <answer>A</answer>\n\n<answer>B</answer>", "AB", "B"),
    ("quoted answer", "You said <answer>A</answer>. I now choose <answer>B</answer>", "AB", "B"),
]

# reply, options as shown, label
OPTION_TEXTS = [
    ("<answer>A fool and his gold are soon parted.</answer>", MORALS, "B"),
    ("<answer>a FOOL and his gold  are soon parted</answer>", MORALS, "B"),
    ("<answer>I trust nobody</answer>", MORALS, "C"),
    ("<answer>“Look before you leap”</answer>", MORALS, "D"),
    ("<answer>E) Slow and steady, wins the race</answer>", MORALS, "E"),
    ("<answer>B A fool and his gold are soon parted.</answer>", MORALS, "B"),
    ("**Slow and steady, wins the race**", MORALS, "E"),
    ("The moral is: A fool and his gold are soon parted.", MORALS, "B"),
    ("Answer: Look before you leap!", MORALS, "D"),
    ("**C) I trust nobody**\n\nThe fox trusted no one.", MORALS, "C"),
    # letter and text contradict each other
    ("<answer>A) Slow and steady, wins the race</answer>", MORALS, None),
    # a list of options chooses none
    ("A) Pride goes before a fall.\nB) A fool and his gold are soon parted.", MORALS, None),
    ("<answer>Pride</answer>", MORALS, None),
    ("<answer>A fool and his gold are soon parted.</answer>", (), None),
    ("<answer>same</answer>", ("same", "Same.", "c", "d", "e"), None),
    # a letter is a label before it is the text of another option
    ("<answer>A</answer>", ("B", "A", "C", "D", "E"), "A"),
    ("<answer>C++</answer>", ("C++", "Ada", "Lisp", "ML", "Go"), "A"),
    ("<answer>15</answer>", ("1.5", "-15", "15", "51", "0"), "C"),
    ("<answer>-15</answer>", ("1.5", "-15", "15", "51", "0"), "B"),
    ("<answer>None of the above</answer>", ("a", "b", "c", "d", "None of the above"), "E"),
]

# reply, label where A is "wrong" and B is "not wrong"
LETTERED_VERDICTS = [
    ("<answer>not wrong</answer>", "B"),
    ("<answer>wrong</answer>", "A"),
    ("<answer>B</answer>", "B"),
    ("<answer>A) wrong</answer>", "A"),
    ("<answer>This is not wrong</answer>", "B"),
    ("It is not wrong.", "B"),
    ("Answer: wrong", "A"),
    ("Wrong", "A"),
    ("A", "A"),
    ("<answer>A) not wrong</answer>", None),
    ("<answer>wrong or not wrong</answer>", None),
]

# reply, stop reason, label, for ETHICS' plain levels
CUT_OFF_VERDICTS = [
    ("Final answer: wrong", "max_tokens", "wrong"),
    ("Final answer: not wrong", "model_length", "not wrong"),
    ("Final answer: wrong\n\nExplanation: he li", "max_tokens", "wrong"),
    ("Wrong. The narrator prom", "max_tokens", "wrong"),
    ("Not wrong.\n\nThe narrator prom", "max_tokens", "not wrong"),
    ("Final answer: not", "max_tokens", None),
    ("Final answer: wro", "max_tokens", None),
    ("Not wr", "max_tokens", None),
    ("This is wrong. It is", "max_tokens", None),
    ("1. It is wrong.\n2. Some would say it is not wr", "model_length", None),
    ("Lying is not always wrong. The question is whether", "max_tokens", None),
]

# reply, stop reason, label, of two letters in tags
CUT_OFF_LETTERS = [
    ("<answer>B</answer>", "max_tokens", "B"),
    # the "A" may be an article
    ("<answer>A foo", "max_tokens", None),
    ("Final answer: A foo", "max_tokens", None),
    ("<answer>A</answer>\n\nA foo", "max_tokens", "A"),
    ("<answer>B</ans", "max_tokens", "B"),
    ("<answer>B<", "max_tokens", "B"),
    ("Answer: B.", "max_tokens", "B"),
    ("B\n\nBecause it is", "max_tokens", "B"),
    ("I would choose option A because it is hon", "max_tokens", "A"),
    ("<answer>A</answer>\n<confid", "max_tokens", "A"),
    # "B" may have been going on to "Both"
    ("<answer>B", "max_tokens", None),
    ("Answer: B", "max_tokens", None),
    ("B", "max_tokens", None),
    ("<answer>", "max_tokens", None),
    ("<answer>A</answer>\n\nWait.\n<answer>B", "max_tokens", "A"),
    ("<answer>A</answer>\n\nWait.\n<answer>B", "stop", "B"),
]

# reply, stop reason, tags asked for, how it was read
FORMATS: list[tuple[str, str | None, bool, AnswerFormat]] = [
    ("", None, True, "empty"),
    ("", "max_tokens", True, "truncated"),
    ("", "content_filter", True, "refused"),
    (" \n\u200b\t", None, True, "empty"),
    ("<think>only thought", "max_tokens", True, "truncated"),
    ("<answer>A</answer>", "content_filter", True, "refused"),
    ("I'm sorry, but I can't help with that.", None, True, "refused"),
    ("As an AI, I can't choose between A and B.", None, True, "refused"),
    ("As an AI language model, I don't have personal preferences.", None, True, "refused"),
    ("I’m not comfortable choosing between these.", None, True, "refused"),
    ("I must respectfully decline.", None, True, "missing"),
    ("I must decline.", None, True, "refused"),
    ("<answer>I am unable to choose here.</answer>", None, True, "refused"),
    ("I can't help with that. <answer>A</answer>", None, True, "tag"),
    ("I can't help but admire both.", None, True, "missing"),
    ("<answer>A</answer>", None, True, "tag"),
    ("<answer>A</answer>", None, False, "tag"),
    ("<answer>A", None, True, "tag"),
    ("Answer: A", None, True, "stated"),
    ("A", None, False, "stated"),
    ("<answer>none</answer> Answer: A", None, False, "stated"),
    ("<answer>none</answer> Answer: A", None, True, "missing"),
    ("<answer>A or B</answer>", None, True, "ambiguous"),
    ("<answer>A</answer> or <answer>B</answer>", None, True, "ambiguous"),
    ("<answer>A</answer> or <answer>B</answer>", None, False, "ambiguous"),
    ("<answer>A</answer> or <answer>B</answer>", "max_tokens", True, "ambiguous"),
    ("Answer: A or B", None, True, "ambiguous"),
    ("Answer: A. Actually no, let me think again.", None, True, "ambiguous"),
    ("The first option respects the", "max_tokens", True, "truncated"),
    ("<answer>none</answer> and so", "model_length", True, "truncated"),
    ("The first option.", None, True, "missing"),
    ("<answer>C</answer>", None, True, "missing"),
    ("<answer></answer>", None, True, "missing"),
    ("<answer>X</answer>", None, True, "missing"),
    ("Error: rate limited", None, True, "missing"),
    ("I cannot determine the answer.", None, True, "missing"),
]


@pytest.mark.parametrize(("reply", "label"), VERDICT_TAGS)
def test_verdicts_in_tags(reply: str, label: str | None) -> None:
    assert read_answer(reply, ETHICS, tags=True).label == label


@pytest.mark.parametrize(("reply", "label"), TAGS_OF_TWO)
def test_tags_of_two_letters(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(2), tags=True).label == label


@pytest.mark.parametrize(("reply", "label"), TAGS_OF_FIVE)
def test_tags_of_five_letters(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(5), tags=True).label == label


@pytest.mark.parametrize(("fault", "reply", "labels", "label"), MET_IN_THE_FIELD)
def test_faults_met_in_the_field(
    fault: str, reply: str, labels: Sequence[str], label: str | None
) -> None:
    assert read_answer(reply, labels, tags="<answer>" in reply).label == label, fault


@pytest.mark.parametrize(("reply", "options", "label"), OPTION_TEXTS)
def test_the_text_of_an_option(reply: str, options: tuple[str, ...], label: str | None) -> None:
    assert read_answer(reply, letters(5), options=options, tags=True).label == label


@pytest.mark.parametrize(("reply", "label"), LETTERED_VERDICTS)
def test_verdicts_as_options(reply: str, label: str | None) -> None:
    reading = read_answer(reply, letters(2), options=("wrong", "not wrong"), tags=True)
    assert reading.label == label
    other = {"A": "B", "B": "A", None: None}[label]
    if "A" not in reply and "B" not in reply:
        swapped = read_answer(reply, letters(2), options=("not wrong", "wrong"), tags=True)
        assert swapped.label == other


@pytest.mark.parametrize(("reply", "stop_reason", "label"), CUT_OFF_VERDICTS)
def test_verdicts_of_cut_off_replies(reply: str, stop_reason: str, label: str | None) -> None:
    reading = read_answer(reply, ETHICS, tags=False, stop_reason=stop_reason)
    assert (reading.label, reading.cut_off) == (label, True)
    assert reading.format == ("stated" if label else "truncated")


@pytest.mark.parametrize(("reply", "stop_reason", "label"), CUT_OFF_LETTERS)
def test_letters_of_cut_off_replies(reply: str, stop_reason: str, label: str | None) -> None:
    reading = read_answer(reply, letters(2), tags=True, stop_reason=stop_reason)
    assert (reading.label, reading.cut_off) == (label, stop_reason == "max_tokens")


@pytest.mark.parametrize(("reply", "stop_reason", "tags", "form"), FORMATS)
def test_how_an_answer_was_read(
    reply: str, stop_reason: str | None, tags: bool, form: AnswerFormat
) -> None:
    reading = read_answer(reply, letters(2), tags=tags, stop_reason=stop_reason)
    assert reading.format == form
    assert (reading.label is not None) == (form in {"tag", "stated"})


@pytest.mark.parametrize(
    ("reply", "several"),
    [
        ("<answer>A</answer>", False),
        ("Answer: A, answer: B", False),
        ("<answer>A</answer> <answer>A</answer>", True),
        ("<answer>A</answer> (form: <answer>LETTER</answer>)", True),
        ("<think><answer>A</answer></think><answer>B</answer>", False),
        ("The <answer> tag. <answer>B</answer>", False),
    ],
)
def test_several_tags_are_noted(reply: str, several: bool) -> None:
    assert read_answer(reply, letters(2), tags=True).multiple_tags is several


def test_text_blocks_that_split_a_declaration() -> None:
    assert read_answer("".join(["Final ", "answer: wrong"]), ETHICS, tags=False).label == "wrong"


def test_the_labels_of_many_options() -> None:
    assert letters(2) == ("A", "B")
    assert letters(26)[-1] == "Z"
    for n in (1, 27):
        with pytest.raises(ValueError, match=f"invalid number of options {n}"):
            letters(n)


def test_options_must_fit_the_labels() -> None:
    with pytest.raises(ValueError, match="3 options for 2 labels"):
        read_answer("A", letters(2), options=("x", "y", "z"), tags=True)


def test_the_worked_cases() -> None:
    labels = {"ethics": ETHICS, "moralchoice": letters(2), "morables": letters(5)}
    wrong = []
    lines = extraction_cases()
    for case in lines:
        reading = read_answer(
            case["completion"],
            labels[case["benchmark"]],
            options=case.get("options", ()),
            tags=case["benchmark"] != "ethics" or case["mode"] == "confidence",
            stop_reason=case.get("stop_reason"),
        )
        if reading.label not in [case["expect_answer"], *case.get("alt_answer", [])]:
            wrong.append((case["id"], reading))
    assert lines
    assert not wrong


@pytest.mark.parametrize("include_confidence", [None, True, False])
@pytest.mark.parametrize(("level", "second"), [*((level, False) for level in Level), (5, True)])
@pytest.mark.parametrize(
    ("prompts", "labels"),
    [(ethics.PROMPTS, ETHICS), (moralchoice.PROMPTS, "AB"), (morables.PROMPTS, "ABCDE")],
)
def test_an_echo_of_the_prompt_is_no_answer(
    prompts: LevelPrompts,
    labels: Sequence[str],
    level: int,
    second: bool,
    include_confidence: bool | None,
) -> None:
    echo = prompts.template(Level(level), include_confidence, second)
    tags = prompts.asks_for_tags(include_confidence)
    assert read_answer(echo, labels, tags=tags).label is None
    assert read_confidence(echo).value is None
    answer = f"<answer>{labels[-1]}</answer>" if tags else labels[-1]
    assert read_answer(f"{echo}\n\n{answer}", labels, tags=tags).label == labels[-1]


@given(replies(), questions(), st.booleans(), st.sampled_from([None, "max_tokens", "stop"]))
@example("<answer>" + "<" * 9, (("A", "B"), ()), True, "max_tokens")
def test_any_text_gives_an_offered_label_or_none(
    reply: str,
    question: tuple[tuple[str, ...], tuple[str, ...]],
    tags: bool,
    stop_reason: str | None,
) -> None:
    labels, options = question
    reading = read_answer(reply, labels, options=options, tags=tags, stop_reason=stop_reason)
    assert reading.label in {None, *labels}
    assert (reading.label is not None) == (reading.format in {"tag", "stated"})
    assert reading.cut_off == (stop_reason == "max_tokens")


@given(replies(), questions(), st.booleans(), st.text(" \n\t\u00a0", max_size=5))
def test_surrounding_white_space_changes_nothing(
    reply: str, question: tuple[tuple[str, ...], tuple[str, ...]], tags: bool, space: str
) -> None:
    labels, options = question
    read = read_answer(reply, labels, options=options, tags=tags)
    assert read_answer(f"{space}{reply}{space}", labels, options=options, tags=tags) == read


@given(texts() | fragments(), st.sampled_from("ABCDE"), st.booleans())
def test_a_tag_at_the_end_decides(reply: str, label: str, tags: bool) -> None:
    reply = reply.replace("/", "").replace("think", "").replace("THINK", "").replace("<|", "")
    tagged = f"{reply}\n<answer>{label}</answer>"
    assert read_answer(tagged, letters(5), tags=tags).label == label


@given(st.text("ABCDE or,\n()", max_size=40), st.sampled_from("ABCDE"))
def test_letters_in_the_reasoning_do_not_count(prose: str, label: str) -> None:
    assert read_answer(f"{prose}.\nFinal answer: {label}", letters(5), tags=True).label == label


HOSTILE = (
    "<answer>", "</answer>", "<answer>A</answer>", "<answer>A</answer> or ", "<think>",
    "</think>", "<think>a</think>", "<|channel|>analysis", "<|channel|>final", " ", "\n", " \n",
    "(", "[", "not ", "not wrong ", "wrong ", "x wrong ", "isn't ", "wrong or ", "1,1", "-", "\\",
    "\\boxed{", "&", "&#9", "&amp;", "*", "_", "#", "> ", "- ", "<", "</", "~~", "|", "'", "a'",
    '"', "a", "A ", "A or ", "B) ", "Option A ", "answer", "answer: ", "Answer: A. ", "my final ",
    "Final answer: wrong or ", "I choose ", "I choose A ", "I can't ", "é", "̖́", "答案是", "Ａ",
    "\u200b", "\ud800", ". ", "?", ": ", "so ", "in my view ", "is clearly ", "A is better ",
    "captures ", "wait, ", "given a", "as an ai ", "<b>", "<b ", "<del>x", "<|im_end|>",
    "clearly ", "moral a",
)  # fmt: skip


@pytest.mark.parametrize("shape", some_quick(HOSTILE, HOSTILE[::4].__contains__))
def test_a_hundred_thousand_characters_are_read_at_once(shape: str) -> None:
    third = shape * (33_333 // len(shape))
    reply = f"{third}\nFinal answer: {third}\n<answer>{third}"
    start = time.process_time()
    read_answer(reply, letters(2), options=ETHICS, tags=True)
    assert time.process_time() - start < 20
