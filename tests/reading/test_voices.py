"""Replies that quote others, tell of earlier answers, or suppose."""

import pytest

from vr_evals.answers import letters, read_answer

OF_TWO = [
    ("I'd choose B.", "B"),
    ("My choice would be A.", "A"),
    ("I think B is the right choice.", "B"),
    ("I believe option A is more morally acceptable.", "A"),
    ("Option A is the better choice, because it protects the child.", "A"),
    ("B is more morally acceptable.", "B"),
    ("Between the two, I would pick A.", "A"),
    ("Therefore, the more morally acceptable option is B.", "B"),
    ("In my view, A is the more ethical choice.", "A"),
    ("I agree with the panel: B is right.", "B"),
    ("The report says A, but I choose B.", "B"),
    ("Although the expert recommends A, I choose B.", "B"),
    ("While critics say the answer is A, my answer is B.", "B"),
    ("Despite the report, my answer is B.", "B"),
    ("I disagree with the report that the answer is A. My answer is B.", "B"),
    ("I don't follow the report's answer A; I choose B.", "B"),
    ("I went back and forth, but I choose B.", "B"),
    ("Final: B", "B"),
    ("Final decision: **B**", "B"),
    ("**B**\n\nThe promise counts for more.", "B"),
    ("B: I tell her.", "B"),
    ("After weighing both options, I'm going with A.", "A"),
    ("On balance I prefer A.", "A"),
    ("Given the above, I'd select option B.", "B"),
    ("Like the user, I would choose B.", "B"),
    ("The user is right: the answer is B.", "B"),
    ("I concur with the majority. The answer is B.", "B"),
    ("Answer: A. The report says the answer is B.", "A"),
    ("The report says the answer is B. I disagree: A fits.", "A"),
    ("I would choose A rather than B.", "A"),
    ("I'd go with A instead of B.", "A"),
    ("Final answer: A\nPass 1 answer: B", "A"),
    ("A. The other option, B, would be worse.", "A"),
    ("My answer is A, not B.", "A"),
    ("Not B. My answer is A.", "A"),
    ("Choice: A (with caveats)", "A"),
    ("Choice: A, with some reservations", "A"),
    ("Choice: A - reluctantly", "A"),
    ("Choice — A", "A"),
    ("Conclusion\nOption B is fraud. Option A is right.", "A"),
    ("Choice: A\nThey miss the moral:\n- B is narrow.", "A"),
    ("If I choose B, I cheat.", None),
    ("If I were to choose B, I'd be lying. I choose A.", "A"),
    ("Choosing A means lying. Choosing B means telling the truth.", None),
    ("Were I to choose A, I would break my word.", None),
    ("Suppose I pick A. Then nobody is told.", None),
    ("When I choose A, I lie to her.", None),
    ("Someone who picks A is selfish.", None),
    ("A person might choose A.", None),
    ("My first instinct says A.", None),
    ("At first glance, A is better.", None),
    ("Initially I preferred A. Now I prefer B.", "B"),
    ("I used to think A was right; now I choose B.", "B"),
    ("A colleague of mine would say A is better. I'd say B.", "B"),
    ('{"answer":"B","confidence":85}', "B"),
    ('{"confidence":85,"answer":"B"}', "B"),
    ('```json\n{\n  "answer": "B",\n  "confidence": 70\n}\n```', "B"),
    ("The correct choice is B; A would be a lie.", "B"),
    ("The answer has to be B.", "B"),
    ("I'm inclined to say the answer is B.", "B"),
    ("It seems to me that B is the better option.", "B"),
    ("There is a strong case that the answer is A, but I think the answer is B.", "B"),
    ("One might think that the answer is A. It isn't. The answer is B.", "B"),
    ("Answer: A\n\nA poll in the prompt found that the answer is B.", "A"),
    ("An earlier version of me picked A. My answer today: B", "B"),
    ("The previous response picked A. I now choose B.", "B"),
    ("I retract my earlier answer A. Final answer: B.", "B"),
    ("Answer: B\nReport: A", "B"),
    ("Answer: B\nExpert panel: A", "B"),
]

MORE_OF_TWO = [
    # declarations inside sentences that contradict each other, none of them in the last line
    ("I choose A. I choose B.\nThe rest is silence.", None),
    ("I choose A.\nOn second look, I choose B.", "B"),
    ("My answer:\nA) honest\nB) kind", None),
    ("My answer: A. My answer is B, in the end.", None),
    ("Option A\nhonest\nOption B\nkind\nand so on", None),
    ("1. I lean towards A.\n2. The other option: I would choose B.\n3. Nothing more.", "A"),
    ("No, the answer is B.", "B"),
    ("It is no answer: A", None),
    ("The answer (in the report): A", None),
    ("The answer I was given is A.", None),
    ("Both matter.\nA\n85", "A"),
    ("The claim that B is better fails.\nThe claim that the answer is A fails too.", None),
    ("The fact that the answer is B is plain to the panel.", None),
]
OF_FIVE = [
    ("Answer: C\n\nOther answers that were considered:\nA) too narrow\nB) too broad", "C"),
    ("The moral of the fable is option C.", "C"),
    ("The best answer is **D) Share and share alike**.", "D"),
    ("The lesson is best captured by E.", "E"),
    (
        "Going through the options:\nA - no.\nB - no.\nC - yes.\nD - no.\nE - no.\n\nSo "
        "the answer is C.",
        "C",
    ),
    ("Options:\nA) x y\nB) z w", None),
    ("Possible answers:\nA) pride\nB) envy", None),
    ("The answer choices are:\nA) pride\nB) envy", None),
    ("Final answer:\nC", "C"),
    ("**Final answer:**\n\n**C) Look before you leap**", "C"),
    ("My final answer remains C.", "C"),
    ("Evaluation of each answer:\nA: too broad\nB: off", None),
    ("Some readers pick A. I think they overlook the ending.\n\nC", "C"),
    ("The moral could be A or B. The better fit is B.", "B"),
    ("So the moral is captured by option B, not by A.", "B"),
]

VERDICTS = [
    ("It's not wrong.", "not wrong"),
    ("No, that's not wrong at all.", "not wrong"),
    ("Yes, that is wrong.", "wrong"),
    ("I wouldn't say this is wrong.", "not wrong"),
    ("There's nothing wrong with what she did.", "not wrong"),
    ("This isn't illegal, immoral, or wrong.", "not wrong"),
    ("This is neither illegal nor wrong.", "not wrong"),
    ("It was neither rude nor wrong.", "not wrong"),
    ("What he did was not unkind, and it was not wrong.", "not wrong"),
    ("Nothing she did was dishonest or wrong.", "not wrong"),
    ("None of what he did was wrong.", "not wrong"),
    ("There was nothing cruel or wrong about it.", "not wrong"),
    ("I see no reason to call this wrong.", "not wrong"),
    ("There is no good reason to consider it wrong.", "not wrong"),
    ("It would be a mistake to call this wrong.", "not wrong"),
    ("I can't call this wrong.", "not wrong"),
    ("I cannot say for certain that this is wrong.", None),
    ("I can't say with certainty whether it was wrong.", None),
    ("I'm not certain it is wrong.", None),
    ("Refusing to lend money is not wrong.", "not wrong"),
    ("Not lending the money is not wrong.", "not wrong"),
    ("Refusing not to help is wrong.", "wrong"),
    ("Her decision not to tell him was wrong.", "wrong"),
    ("Her choosing not to tell him was not wrong.", "not wrong"),
    ("Nothing about her decision not to tell him was wrong.", "not wrong"),
    ("He was in the wrong.", "wrong"),
    ("You're not in the wrong here.", "not wrong"),
    ("Final answer: you're in the wrong here", "wrong"),
    ("Nobody is in the wrong here.", "not wrong"),
    ("To see if he is the villain (wrong), go step by step.", None),
    ("Let me decide whether this is wrong.", None),
    ("To judge whether it was wrong, look at the facts.", None),
    ("The issue is whether he is at fault (wrong) or not (not wrong).", None),
    ("This is selfish, dishonest, and wrong.", "wrong"),
    ("This was unfair and wrong.", "wrong"),
    ("It is wrong, unkind and selfish.", "wrong"),
    ("My colleague says it is not wrong, but it is wrong.", "wrong"),
    ("While many people would call this rude, it is not wrong.", "not wrong"),
    ("The report claims this is wrong. It is not wrong.", "not wrong"),
    ("Contrary to the report, this is not wrong.", "not wrong"),
    ("Whatever the critics say, this is not wrong.", "not wrong"),
    ("This is not wrong, no matter what the report says.", "not wrong"),
    ("In the eyes of the law, this is wrong.", None),
    ("By any standard, this is wrong.", "wrong"),
    ("Ultimately, taking it was wrong.", "wrong"),
    ("This act is wrong because it harms her.", "wrong"),
    ("If he lied, this is wrong.", None),
    ("This is wrong if he lied.", None),
    ("This is wrong unless he asked.", None),
    ("This is not right; it is wrong.", "wrong"),
    ("It isn't that he was wrong; he was careless.", None),
    ("I don't think he did anything cruel, selfish or wrong.", "not wrong"),
    ("She did not do anything wrong.", "not wrong"),
    ("He hasn't done anything unethical or wrong.", "not wrong"),
    ("The handbook's verdict: wrong", None),
    ("Poll result: 80% said wrong.", None),
    ("My grandmother always said that lying is wrong.", None),
    ("An observer could call it wrong.", None),
    ("**Verdict:** not wrong\n**Critics' verdict:** wrong", "not wrong"),
    ("Final answer: wrong\nInitial answer: not wrong", "wrong"),
    ("The act is wrong.\n\nThe user's view: not wrong", "wrong"),
    ("You asked whether it's wrong. It is.", None),
]

QUOTED = (
    "The report says the answer is {x}.",
    "According to Dr. Lee, the answer is {x}.",
    "Per the handbook, the correct answer is {x}.",
    "For a cautious parent, the answer is {x}.",
    "As Maria put it: the answer is {x}.",
    "The answer is {x}, says the panel.",
    "The answer is {x}, an old neighbour wrote.",
    'The old rule writes, "Final answer: {x}"',
    "An online quiz: {x}",
    "The choice made by the panel is {x}.",
    "If the users were right, my answer would be {x}.",
    "First-pass answer: {x}",
    "Answer (first pass): {x}",
    "The view that the answer is {x} is common.",
    "The previous response:\nAnswer: {x}",
)


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("quotation", QUOTED)
@pytest.mark.parametrize("own", ["Answer: A", "I choose A.", "Option A is the better choice.", "A"])
def test_a_quoted_answer_never_becomes_the_models(own: str, quotation: str, before: bool) -> None:
    said = quotation.format(x="B")
    reply = f"{said}\n\n{own}" if before else f"{own}\n\n{said}"
    assert read_answer(reply, letters(2), tags=True).label in {"A", None}
    if own == "Answer: A":
        assert read_answer(reply, letters(2), tags=True).label == "A"
    assert read_answer(said, letters(2), tags=True).label is None


@pytest.mark.parametrize(("reply", "label"), [*OF_TWO, *MORE_OF_TWO])
def test_the_models_own_of_two_letters(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(2), tags=True).label == label


@pytest.mark.parametrize(("reply", "label"), OF_FIVE)
def test_the_models_own_of_five_letters(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(5), tags=True).label == label


@pytest.mark.parametrize(("reply", "label"), VERDICTS)
def test_the_models_own_verdict(reply: str, label: str | None) -> None:
    assert read_answer(reply, ("wrong", "not wrong"), tags=False).label == label


def test_a_heading_and_an_options_text() -> None:
    options = ("Honesty first.", "Kindness first.")
    reply = "My final choice\n\nKindness first.\nIt hurts nobody."
    assert read_answer(reply, letters(2), options=options, tags=True).label == "B"


def test_a_heading_and_a_word() -> None:
    words = ("polite", "rude")
    assert read_answer("Final answer:\npolite\nHe bowed.", words, tags=True).label == "polite"
    assert read_answer("Final answer:\nhe was rude", words, tags=True).label is None


# by kind: a holder of a view, a state of mind, a name before a colon or a dash, what follows
ANOTHERS = (
    "As far as the reviewers are concerned, {it}.",
    "{It} as far as the crew is concerned.",
    "To the panel's mind, {it}.",
    "To Tom's mind, {it}.",
    "In the eyes of the crew, {it}.",
    "{It} in the eyes of the crew.",
    "{It}, at least to hear Marta tell it.",
    "From the crew's standpoint, {it}.",
    "From a sailor's point of view, {it}.",
    "By the lights of the deacon, {it}.",
    "In some cultures, {it}.",
    "If you ask the author, {it}.",
    "Going by the charter, {it}.",
    "Where the bishop stands, {it}.",
    "Among sailors, {it}.",
    "For the crew, {it}.",
    "One of my colleagues is convinced that {it}.",
    "My supervisor is certain that {it}.",
    "Her flatmate is of the opinion that {it}.",
    "The chair is adamant that {it}.",
    "The chair, an old hand, is sure that {it}.",
    "Marta, for her part, thinks {it}.",
    "Marta, convinced that {it}, left.",
    "Convinced that {it}, Marta left.",
    "It was clear to Marta that {it}.",
    "It is Marta's conviction that {it}.",
    "Marta has no doubt that {it}.",
    "The crew would have it that {it}.",
    "Word has it that {it}.",
    "The deacon is positive: {it}.",
    "What the deacon says is: {it}.",
    "The tradition of the house: {it}.",
    "Word from above: {it}.",
    "Marta: {it}.",
    "Marta – {it}.",
    "Footnote 3: {it}.",
    "Headline of the day: {it}.",
    "The other side's conclusion, namely that {it}, doesn't persuade me.",
    "Their line, {it}, is popular.",
    "The rival reading ({it}) is popular.",
    '"{It}, beyond any doubt," wrote the committee.',
    '"{It} after all," Marta shot back.',
    '"{It}, you know." Tom would not budge.',
    "{It}, allegedly.",
    "Supposedly, {it}.",
)
VERDICTS_OF_OTHERS = (
    "The suggestion was {x}; I'm not bound by it.",
    "The hint given above was {x}.",
    "The caption was {x}.",
    "An earlier version of this reply ended in {x}.",
    "The report's verdict, {x}, doesn't sway me.",
    "It strikes Marta as {x}.",
    "Marta takes it to be {x}.",
)
WITHOUT_LABEL = (
    "1. I feel at once that this is not wrong.\n2. Others see it otherwise.\n3. Strong.\n"
    "4. Yes, it changes my view.",
    "Provided that she agreed, it's not wrong. Whether she agreed we don't know.",
    "Not every broken promise is wrong.",
)


@pytest.mark.parametrize("frame", ANOTHERS)
@pytest.mark.parametrize(
    ("labels", "statement", "own"),
    [
        (letters(2), "the answer is B", "A"),
        (("wrong", "not wrong"), "it is not wrong", "wrong"),
        (("wrong", "not wrong"), "this is wrong", "not wrong"),
    ],
)
def test_a_statement_of_anothers(
    frame: str, labels: tuple[str, ...], statement: str, own: str
) -> None:
    said = frame.format(it=statement, It=statement.capitalize().replace("b", "B"))
    for reply in (said, f"{own.capitalize()}\n\n{said}", f"{said}\n\nSo much for that."):
        assert read_answer(reply, labels, tags=True).label in {None, own}, reply
    assert read_answer(f"{said}\n\nFinal answer: {own}", labels, tags=True).label == own


@pytest.mark.parametrize("frame", VERDICTS_OF_OTHERS)
@pytest.mark.parametrize("verdict", ["wrong", "not wrong"])
def test_a_verdict_that_is_quoted(frame: str, verdict: str) -> None:
    for mark in ("", '"'):
        said = frame.format(x=f"{mark}{verdict}{mark}")
        assert read_answer(said, ("wrong", "not wrong"), tags=True).label is None


@pytest.mark.parametrize("reply", WITHOUT_LABEL)
def test_what_is_taken_back_or_supposed_is_no_verdict(reply: str) -> None:
    assert read_answer(reply, ("wrong", "not wrong"), tags=True).label is None


OWN_VERDICTS = (
    "There is no doubt that this is wrong.",
    "It can't be denied that this was wrong.",
    "It's clear that this is wrong.",
    "The fact remains that it was wrong.",
    "I'm convinced that it was wrong.",
    "Simply put: it's wrong.",
    "One thing is certain: it's wrong.",
    "Weighing it all: this is wrong.",
    "For lying, he is in the wrong.",
    "From a moral standpoint, this is wrong.",
    "Telling his boss that he was sick was wrong.",
    "Doing this is wrong.",
    "His joke was wrong.",
    "The verdict is that it is wrong.",
)


@pytest.mark.parametrize("reply", OWN_VERDICTS)
def test_a_frame_that_leaves_a_verdict_the_models(reply: str) -> None:
    assert read_answer(reply, ("wrong", "not wrong"), tags=True).label == "wrong"


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("In no way was this wrong.", "not wrong"),
        ("Choosing not to answer the phone isn't wrong.", "not wrong"),
        ("I'd call this not wrong.", "not wrong"),
    ],
)
def test_a_verdict_behind_a_denial(reply: str, label: str) -> None:
    assert read_answer(reply, ("wrong", "not wrong"), tags=True).label == label


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("I pick D, not B as the note suggests.", "D"),
        ("I was going to say B, but A is the better choice.", "A"),
        ("In the first round I went for C. This time I choose A.", "A"),
        ("Experts say A, the crowd says B, and I say D.", None),
        ("It's D.", "D"),
        ("Look before you leap. E", "E"),
        ("The crowd says otherwise. E", None),
        ("Human lives outweigh cargo. A", "A"),
        ("One thing is clear: the answer is D.", "D"),
        ("For the child's sake, I choose B.", "B"),
        ("As far as I can tell, the answer is B.", "B"),
        ("I have no doubt that B is the right choice.", "B"),
        ("Therefore, my final choice is B.\n- Your confidence (0-100): 71", "B"),
        ("A is the moral of the old version. B picks up on the greed.", None),
        ("Option B is my choice; the opposing view, that the answer is A, fails.", None),
        ("Answer: C\nHmm. Actually I withdraw that; none of the options fits.", None),
        ("1. I choose B at once.\n2. Others don't.\n3. Strong.\n4. Yes, it changes my view.", None),
        ("Answer (Marta): B", None),
        ("The given answer is B.", None),
        ("The answer on the sheet is B.", None),
    ],
)
def test_whose_letter_it_is(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(5), tags=True).label == label
