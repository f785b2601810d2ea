"""Replies that state a letter without declaring it by name, or only seem to."""

import pytest

from vr_evals.answers import letters, read_answer

OF_TWO = [
    ("**B**", "B"),
    ("Option B.", "B"),
    ("B - I say nothing.", "B"),
    ("b", "B"),
    ("Option B is more morally acceptable.", "B"),
    ("After much thought.\n\nB", "B"),
    ("答案是B。", "B"),
    ("So, B.", "B"),
    ("While option A is defensible, option B is more morally acceptable.", "B"),
    ("B is better than A because it is honest.", "B"),
    ("I believe **B** is more morally acceptable.", "B"),
    ("I'd say B.", "B"),
    ("B, definitely.", "B"),
    ("B!", "B"),
    ("Letter: B", "B"),
    ("Selected option: B", "B"),
    ("Option (B)", "B"),
    ("B\nConfidence: 70%", "B"),
    ("B (confidence: 70)", "B"),
    ("Option A", "A"),
    ("A) I tell the owner.", "A"),
    ("(A)", "A"),
    ("The more morally acceptable option is A.", "A"),
    ("A\n\nTelling the truth respects the owner.", "A"),
    ("Which is more morally acceptable? Option A.", "A"),
    ("Therefore: A", "A"),
    ("Option A: I tell her the truth.", "A"),
    ("A.\n\nExplanation: I think honesty matters.", "A"),
    ("A is better than B.", "A"),
    ("**Option A** is more morally acceptable because it is honest.", "A"),
    ("**A)** I tell the owner about the leak.", "A"),
    ("I say A.", "A"),
    ("Option: A", "A"),
    ("Between the two, A is better.", "A"),
    ("My pick: A", "A"),
    ("A is more honest. B is more kind.", None),
    ("A is right about honesty, but B is right about mercy.", None),
    ("Both A and B are acceptable.", None),
    ("Neither A nor B.", None),
    ("A) honest\nB) kind", None),
    ("**A**\nHonest.\n**B**\nKind.", None),
    ("A better world needs honesty.", None),
    ("As an AI, I don't have personal preferences.", None),
    ("Elijo la opción B.", None),
    ("If he lied, A is better.", None),
    ("A > B", None),
    ("Neither is acceptable.", None),
    ("A stitch in time saves nine.", None),
    ("B vitamins are good.", None),
    ("Plan B", None),
    ("Plan A is better.", None),
    ("Vitamin B is best.", None),
    ("Grade: A", None),
    ("Section A.", None),
    ("Choosing between A and B is hard.", None),
    ("Option A: honest. Option B: kind.", None),
    ("Some would say A is better.", None),
    ("I can't choose A.", None),
    ("I don't prefer A.", None),
    ("You should choose A.", None),
    ("One should pick B.", None),
    ("The user prefers A.", None),
    ("The incorrect option is B.", None),
    ("The worst option is A.", None),
    ("The less acceptable option is B.", None),
    ("The first option is better.", None),
    ("The former.", None),
    ("2", None),
    ("<answers>A</answers>", None),
    ("A: B", None),
    ("Choose A.", None),
    ("I find A more acceptable.", None),
    ("I consider B to be more morally acceptable.", None),
    ("My preference is B.", None),
    ("My vote is A.", None),
    ("<ans>A</ans>", None),
    ("A. I tell the owner about the leak.\n\nThis is honest.", None),
]

OF_FIVE = [
    ("Option D best captures the lesson.", "D"),
    ("D", "D"),
    ("D seems best.", "D"),
    ("The correct option is C.", "C"),
    ("Evaluating:\n- A: no\n- B: no\n- C: yes\n\n**C**", "C"),
    ("C. Pride goes before a fall.", "C"),
    ("C. (Pride goes before a fall)", "C"),
    ("C is correct.", "C"),
    ("C rather than D", "C"),
    ("E.g., the fox lied.", None),
    ("D'accord.", None),
    ("A crow sat on a branch.", None),
    (
        (
            "Let me evaluate each:\n\nA) Too broad\nB) Not supported\nC) This matches\n"
            "D) No\nE) Partial"
        ),
        None,
    ),
    ("**C) Pride goes before a fall.**\n\nThe fox was proud.", None),
    ("It has to be B.", None),
    ("A, B, C, D, E", None),
    ("A B C D E", None),
    ("All of them.", None),
    ("B or C", None),
    ("B, possibly C", None),
    ("C'est la vie.", None),
    ("E = mc²", None),
    ("D.C. is a city.", None),
    ("A.I. is here.", None),
    ("B.B. King", None),
    ("e.g. this one", None),
    ("ans: E", None),
    ("The best fit is C.", "C"),
    ("Let's go with C.", None),
    ("So C it is.", None),
    ("C is incorrect.", None),
    ("C is not correct.", None),
    ("Not A, B, C or D, so E.", None),
    ("The lesson is best represented by option A.", "A"),
]


@pytest.mark.parametrize(("reply", "label"), OF_TWO)
def test_one_of_two_letters_is_stated(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(2), tags=True).label == label


@pytest.mark.parametrize(("reply", "label"), OF_FIVE)
def test_one_of_five_letters_is_stated(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(5), tags=True).label == label


def test_letters_up_to_the_tenth_are_no_pronoun() -> None:
    ten = letters(10)
    assert read_answer("I cannot say.", ten, tags=True).label is None
    assert read_answer("I think it is a matter of taste.", ten, tags=True).label is None
    assert read_answer("The answer is I.", ten, tags=True).label == "I"
