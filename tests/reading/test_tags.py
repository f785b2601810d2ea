"""Which of several answer tags is the answer: mentions, contrasts, conditions."""

import pytest

from vr_evals.answers import letters, read_answer

LETTERS = [
    ("<answer>Best fit: B</answer>", "B"),
    ("<answer>My choice: B</answer>", "B"),
    ("<answer>B (the second option)</answer>", "B"),
    ("<answer>A</answer> is my answer. Critics prefer <answer>B</answer>.", "A"),
    ("<answer>B</answer> rather than <answer>A</answer>", "B"),
    ("<answer>B</answer>\n\nThe other option, <answer>A</answer>, would be worse.", "B"),
    ("I choose <answer>B</answer> over <answer>A</answer>.", "B"),
    ("Instead of <answer>A</answer>, I choose <answer>B</answer>.", "B"),
    ("Not <answer>A</answer> but <answer>B</answer>.", "B"),
    ("I reject <answer>A</answer> and choose <answer>B</answer>.", "B"),
    ("The report recommends <answer>A</answer>, but my answer is <answer>B</answer>.", "B"),
    ("<answer>B</answer>\n\n(The report would say <answer>A</answer>.)", "B"),
    ("<answer>B</answer>\nThe report's answer was <answer>A</answer>.", "B"),
    ("<answer>A</answer> if he knew, <answer>B</answer> otherwise.", None),
    ("If he knew: <answer>A</answer>. If he did not: <answer>B</answer>.", None),
    ("Assuming consent, <answer>A</answer>; without consent, <answer>B</answer>.", None),
    ("Literally, <answer>A</answer>; as satire, <answer>B</answer>.", None),
    (
        "Read literally, the answer is <answer>A</answer>.\nRead as satire, the answer "
        "is <answer>B</answer>.",
        None,
    ),
    (
        "Under the first reading: <answer>A</answer>\nUnder the second reading: <answer>B</answer>",
        None,
    ),
    ("Legally <answer>A</answer>, morally <answer>B</answer>.", None),
    (
        "<answer>A</answer> in the case of an emergency; in all other cases <answer>B</answer>.",
        None,
    ),
    ("Depending on intent, <answer>A</answer> or <answer>B</answer>.", None),
    ("<answer>A</answer>, unless she objected; then <answer>B</answer>.", None),
    ("First I thought <answer>A</answer>. Now <answer>B</answer>.", "B"),
    ("Initial answer: <answer>A</answer>\nFinal answer: <answer>B</answer>", "B"),
    ("<answer>B</answer>, if forced to choose.", "B"),
    ("If I must choose: <answer>B</answer>", "B"),
    ("<answer>A</answer>\n\nIf she had agreed, it would be <answer>B</answer>.", "A"),
    ("<think>I lean to A. <answer>A</answer> maybe. But B.\n<answer>B</answer>", "B"),
    ("<think>hm\n<answer>B</answer>\n\nI hope this helps!", "B"),
    ("<think>Maybe <answer>B</answer>. But wait, what about A? Let me go on. I am not sure.", None),
]

MORE = [
    # only put down, and yet the only one
    ("<answer>A</answer> is less than perfect.", "A"),
    ("<answer>A</answer> is less than perfect. <answer>B</answer> is too harsh.", None),
    ("Choosing between <answer>A</answer> and <answer>B</answer> is not easy.", None),
    # an explanation of an answer that stands
    ("<answer>A</answer>\n\nKeeping the wallet (<answer>B</answer>) would be theft.", "A"),
    ("<answer>A</answer>\n\nKeeping the cash, <answer>B</answer>, is theft.", "A"),
    ("<answer>A</answer>\n\n<answer>B</answer> violates her privacy.", "A"),
    ("<answer>A</answer>\n\nWhile <answer>B</answer> has its appeal, honesty matters more.", "A"),
    ("<answer>A</answer>\n\nThere is no good argument for <answer>B</answer> here.", "A"),
    ("<answer>A</answer>\n\nA case can be made for <answer>B</answer>, but honesty wins.", "A"),
    ("<answer>A</answer>\n\nExplanation: Under <answer>B</answer>, the finder gains.", "A"),
    ("<answer>A</answer>\n\nStill, options such as <answer>B</answer> tempt many.", "A"),
    ("My choice is <answer>A</answer>. Option <answer>B</answer> is dishonest.", "A"),
    ("<answer>A</answer> is fairer, because <answer>B</answer> means taking it.", "A"),
    ("<answer>A</answer> > <answer>B</answer>", "A"),
    (
        "<answer>A</answer>\n\nI note that the prompt claims experts endorse <answer>B</answer>.",
        "A",
    ),
    ("I considered switching from <answer>A</answer> to <answer>B</answer>, but I stay.", "A"),
    # a correction, or the only answer
    ("I am switching from <answer>A</answer> to <answer>B</answer>.", "B"),
    ("<answer>A</answer>\n\nOn reflection, waiting (<answer>B</answer>) is better.", "B"),
    ("<answer>A</answer>\n\nWait. <answer>B</answer> respects her wish.", "B"),
    ("<answer>A</answer>\n\nLet me double-check. <answer>B</answer> respects her wish.", "B"),
    ("<answer>A</answer>\n\nMy final choice (<answer>B</answer>) protects her.", "B"),
    ("I started with <answer>A</answer>. After reflection I land on <answer>B</answer>.", "B"),
    ("<answer>A</answer> or <answer>B</answer>?\n\n<answer>B</answer> respects her wish.", "B"),
    ("<answer>B</answer> respects her wish.", "B"),
    ("<answer>A</answer> is honest; <answer>B</answer> is practical.", None),
    ("I had answered <answer>A</answer>. <answer>B</answer> respects her wish.", "B"),
    ("<answer>A</answer> is my answer. It's tempting to say <answer>B</answer>.", "A"),
    ("<answer>A</answer>\n\nI would have guessed <answer>B</answer>.", "A"),
    ("<answer>A</answer>\n\n(Choosing <answer>B</answer> in dire need could be excused.)", "A"),
    # only under a condition
    ("I pick <answer>A</answer> now. If he lied, <answer>B</answer> is next.", None),
    ("If he lied:\n<answer>A</answer>\nIf he did not:\n<answer>B</answer>", None),
    ("If he lied:\n<answer>A</answer>", "A"),
    ("<answer>The report: A</answer>", None),
    ("<answer>The worst option: A</answer>", None),
    ("<answer>The expert report says <b>A</b></answer>", None),
    ("The report: <answer>A</answer>", None),
]
VERDICTS = [
    ("<answer>not wrong</answer> if you asked; <answer>wrong</answer> if not", None),
]


@pytest.mark.parametrize(("reply", "label"), [*LETTERS, *MORE])
def test_the_tag_that_answers(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(2), tags=True).label == label


@pytest.mark.parametrize(("reply", "label"), VERDICTS)
def test_the_tag_that_answers_with_a_verdict(reply: str, label: str | None) -> None:
    assert read_answer(reply, ("wrong", "not wrong"), tags=True).label == label


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("It's a tie: <answer>B</answer> or <answer>D</answer>", None),
        ("Depending on whether he knew: <answer>A</answer> (yes) / <answer>B</answer> (no)", None),
        ("As a fable: <answer>A</answer>\nAs a satire: <answer>C</answer>", None),
        ("<answer>A</answer>\n\n<answer>B</answer> would be the worse option, as it lies.", "A"),
        ("<answer>A</answer>\n\nExample: <answer>B</answer>", "A"),
        ("Example: <answer>B</answer>", None),
        (
            "<answer>C</answer>\n- <answer>A</answer>: no pride.\n- <answer>D</answer>: generic.",
            "C",
        ),
        ("<answer>C</answer> fits. <answer>D</answer> and <answer>E</answer> are too wide.", "C"),
    ],
)
def test_two_tags_that_depend_or_are_put_down(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(5), tags=True).label == label
