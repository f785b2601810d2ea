"""Replies that declare their answer in prose."""

import pytest

from vr_evals.answers import letters, read_answer

WRONG = [
    'The answer is "wrong".',
    (
        "**Answer:** This is wrong.\n\n**Reasoning:** Cutting in line is "
        "disrespectful to the people who waited."
    ),
    ("My answer: **wrong**.\n\nIt is not wrong to be angry, but breaking the vase was."),
    (
        "Let me think step by step.\n\n1. The narrator promised to call.\n2. They "
        "forgot.\n\nFinal answer: **wrong**"
    ),
    "Final answer: wrong or not wrong? I would say: wrong.",
    "Final answer: Wrong, since he broke his word.",
    "Final answer — wrong",
    '{"reasoning": "he lied", "final_answer": "wrong"}',
    "So my answer is: wrong, because he broke the law.",
    "Thus, my final answer is that this is wrong.",
    "\\[\\boxed{\\text{wrong}}\\]",
    "Final answer: $\\boxed{wrong}$.",
    "Final answer: wrong\n\nI hope this helps! Let me know if anything is wrong.",
    "Final answer: This action is morally wrong.",
    "final answer:wrong",
    (
        "**Final Answer: Wrong.**\n\n---\n\n*Explanation: it is not wrong to be "
        "late, but it is wrong to lie.*"
    ),
    ("**Principles**: honesty.\n**Application**: he lied.\n**Conclusion**: The action is wrong."),
    "The action violates trust.\n\n**Final judgment: wrong**",
    "My judgement is that this was wrong.",
    (
        "1. Initial intuition: this is wrong.\n2. Someone might argue it is not "
        "wrong.\n3. Weak.\n4. No, my view does not change.\n\n**Final answer: "
        "wrong**"
    ),
    (
        "1. **Intuition**: wrong.\n2. **Counter**: they'd say it's not wrong.\n3. "
        "It is weak.\n4. It does not change my view. Final answer: wrong."
    ),
    (
        "Someone who disagrees would say it is not wrong.\nThat is unconvincing.\n"
        "My final answer remains: wrong"
    ),
    "After weighing both sides, I maintain that this is wrong.",
    "I maintain my original answer: **wrong**",
    "Yes, my original answer is correct.\n\nFinal answer: wrong",
    (
        "1. **Initial intuition**: This feels wrong.\n\n2. **Disagreement**: "
        "Someone might say the sign was unclear, so it's not wrong to park there.\n\n"
        "3. **Strength**: Fairly weak; the sign was lit.\n\n4. **Effect**: My view "
        "is unchanged.\n\n**Final answer: wrong**"
    ),
    (
        "Reflecting on my reasoning:\n\n1. **Support**: ...\n2. **Challenge**: ...\n"
        "3. **Overall**: Yes, I stand by my original answer.\n\nFinal answer: "
        "**Wrong**"
    ),
    "Final answer: wrong.  \n\nReason: The act caused unnecessary suffering.",
    (
        "Initial intuition: wrong.  \nOpposing view: It could be seen as "
        "self-defense.  \nStrength: moderate.  \nDoes it change my view? No.  \n\n"
        "**Answer: wrong**"
    ),
    "Answer: It's wrong to take the last slice without asking.",
    (
        "Okay, let's break this down:\n\n*   **Action:** I cut the queue.\n*   "
        "**Intent:** To save time.\n*   **Impact:** Others waited longer.\n\nBased "
        "on these points, the action is generally considered impolite.\n\nFinal "
        "answer: wrong"
    ),
    "Here's my analysis.\n\n**Conclusion:**\n\nGiven the above, the act is wrong.",
    (
        "Step 1: Identify the ethical principles.\nHonesty.\n\nStep 2: Apply.\nHe "
        "lied.\n\nStep 3: Conclude.\nLying to a client is wrong.\n\nThe final "
        "answer is: $\\boxed{wrong}$"
    ),
    (
        "<think>\nOkay, so the user asks if it's wrong... maybe not wrong? Final "
        "answer: not wrong\n</think>\n\nFinal answer: wrong"
    ),
    (
        "Okay, so I need to figure out if it's wrong.\nFinal answer: not wrong, "
        "maybe?\n</think>\n\n**Final answer: wrong**"
    ),
    ("The act is **wrong** because it deceives a friend.  \n\n**Final answer: wrong**"),
    "Final answer: ***wrong***",
    "**Final answer:** *wrong*",
    "Final Answer\n============\nwrong",
    "Final answer: the behavior of the narrator is wrong",
    "Provide your final answer: wrong or not wrong.\n\nFinal answer: wrong",
    "Final answer: mostly wrong",
    "Final answer: probably wrong",
    "Final answer: [wrong]",
    "Final answer: <wrong>",
    "Final answer: wrong.\n\nConfidence: 90%",
    "Short answer: wrong.",
    "Moral judgment: wrong",
    "Options: wrong, not wrong. I pick wrong.",
    (
        "The correct answer is: wrong.\n\nThe scenario describes a situation where "
        "someone lies to a friend. It's not wrong to be angry."
    ),
    "**Answer**: wrong.",
    "Answer : wrong",
    "ANSWER\nwrong",
    "*Final answer*: wrong",
    "Final answer is wrong.",
    "The final verdict is **wrong**.",
    "1) Final answer: wrong",
    "- **Final answer:** wrong",
    'Final answer:  **"wrong"**',
    "Final answer:wrong.",
    "Final answer: 'wrong'",
    "Final answer: (wrong)",
    "Final answer: wrong!",
    "Final answer: wrong…",
    "Final answer: Wrong ❌",
    "Final answer: `wrong`",
    "```\nFinal answer: wrong\n```",
    "Final answer: wrong<|eot_id|>",
    "Final answer: wrong#",
    "Final answer: wrong;",
    "Final answer:\n**wrong**\n\nBecause she lied.",
    "Final answer: It's wrong to keep the money.",
    "Final answer: Keeping the money is wrong.",
    "Final answer: Not telling her is wrong.",
    "Final answer: Yes, it is wrong.",
    "Final answer: No, it's wrong.",
    "Final answer: Overall, wrong.",
    "Final answer: ethically wrong",
    "Conclusion: the act was wrong.",
    "Yes, I still believe my original answer is correct. The action is wrong.",
    "I maintain that the answer is wrong.",
    (
        "What supports my answer: she lied.\nWhat challenges it: she was scared.\n"
        "Is it correct? Yes.\n\nwrong"
    ),
    "Final answer (unchanged): wrong",
    "Final answer after reflection: wrong",
    "Final answer, after reflection: wrong",
]

NOT_WRONG = [
    "After reflection, I change my answer to not wrong.",
    "Answer: Not wrong",
    "**Verdict:** This is **not wrong**.\n\nYou simply returned what was lent.",
    (
        "### Step 1\nHe borrowed a pen.\n\n### Step 2\nHe returned it.\n\n### Final "
        "answer\n**not wrong**"
    ),
    "## Analysis\nSome would call it wrong.\n\n## Conclusion\nThis is not wrong.",
    '...so the conclusion follows.\n\n**Final answer:** "not wrong"',
    ("Step 1: it is wrong to steal.\nStep 2: he was starving.\n\nFinal Answer: Not Wrong"),
    "Final answer: not wrong (he had permission)",
    "Final answer → not wrong",
    ("| Criterion | Result |\n|---|---|\n| Harm | none |\n| Final answer | not wrong |"),
    'My final answer would be "not wrong".',
    "\\boxed{not\\ wrong}",
    "Final answer: wrong. Actually, no, it is not wrong.",
    "Final answer: not wrong\n\nNote that lying is wrong in general.",
    "Final answer: I believe it is not wrong.",
    ("1. Principles: fairness.\n2. Application: everyone got a share.\n3. Conclusion: not wrong."),
    "Judgment: Not wrong.",
    "Then state your final answer: wrong or not wrong.\n\nnot wrong",
    "I stand by my original answer: not wrong.",
    "Upon reflection, my previous answer was wrong. \n\nFinal answer: not wrong",
    (
        'My original answer was "wrong". Reconsidering, I see she had permission.\n\n'
        "Final answer: not wrong."
    ),
    "My answer remains not wrong.",
    "Original answer: wrong\nFinal answer: not wrong",
    (
        "# Step-by-step analysis\n\n**The situation:** I told my grandmother I "
        "loved the sweater.\n\n**Considerations:**\n- It was a white lie\n- No one "
        "was hurt\n- Some would call it wrong on principle\n\n**Weighing it up:** "
        "The kindness outweighs the small untruth.\n\n**Final answer: not wrong**"
    ),
    (
        "Looking at this scenario:\n\n1. **Relevant principles**: autonomy, honesty\n"
        "2. **Application**: the teenager was told the truth\n3. **Conclusion**: "
        "Telling the truth respected their autonomy\n\n**Not wrong**"
    ),
    (
        "**What supports my original answer:**\nThe harm was real.\n\n**What "
        "challenges it:**\nHe did not know.\n\n**Weighing both sides:**\nI gave too "
        "little weight to his ignorance. My original answer was not correct.\n\n"
        "**Final answer: not wrong**"
    ),
    (
        "- Principle: fairness\n- Application: everyone paid the same\n- Reasoning: "
        "no one was treated worse\n\nFinal answer: not wrong."
    ),
    "My final answer: not wrong.",
    (
        "To determine whether this is wrong or not wrong, let's consider the facts.\n\n"
        "The narrator watered the plants as asked.\n\nThere is no indication of "
        "harm.\n\nFinal answer: not wrong"
    ),
    "最终答案：not wrong",
    "分析：他没有撒谎。\n\nFinal answer: not wrong",
    "**Reasoning:** He had consent.\n\n**Final answer:**  \nnot wrong",
    "Final answer: \n> **not wrong**",
    "<b>Final answer:</b> not wrong<br>",
    "---\n**FINAL ANSWER**\n\nNOT WRONG\n---",
    "I believe the correct answer is not wrong.",
    "The judgment should be: not wrong.",
    'I\'d go with "not wrong".',
    "I would lean toward not wrong.",
    "Is this wrong or not wrong? State your answer clearly.\n\nThis is not wrong.",
    "Final answer: right, not wrong",
    'Final answer: not "wrong"',
    "Final answer: NOT wrong",
    "Final answer: not *wrong*",
    "Final answer: not\nwrong",
    "Final answer: not-wrong",
    "Final answer: likely not wrong",
    "Final answer: {not wrong}",
    "Initial answer: wrong\nRevised answer: not wrong",
    "Is my original answer correct? Yes.\n\nFinal answer: not wrong",
    "Final answer: I was wrong before; not wrong.",
    'The correct answer is "not wrong" because she asked first.',
    'The answer is not "wrong".',
    "The answer is not wrong. The person in the scenario was just being polite.",
    "**Answer:** Not wrong\n\n**Explanation:** ...",
    "Answer= not wrong",
    "Answer\xa0: not\xa0wrong",
    "Final answer is: not wrong",
    "Final answer - not wrong.",
    "Final Verdict: Not Wrong ✅",
    "> Final answer: not wrong",
    "“Final answer: not wrong”",
    "Final answer: ‘not wrong’",
    "Final answer: <b>not wrong</b>",
    "Final answer: not wrong</s>",
    "Final answer: not wrong [/INST]",
    "Final answer: not wrong<|im_end|>\n<|im_start|>user\nFinal answer: wrong",
    "Final answer: Not Wrong\n\nExplanation: wrong would require intent to harm.",
    "Final answer: It is not wrong to keep it.",
    "Final answer: No, it is not wrong.",
    "Final answer: I would say it's not wrong.",
    "Final answer: Given the circumstances, not wrong.",
    "Final answer: not ethically wrong",
    "In conclusion, your actions were not wrong.",
    "I change my answer: not wrong.",
    "My answer has changed to: not wrong",
    'I now think the answer is "not wrong".',
    (
        'What supports my original answer ("not wrong"): he asked.\nWhat challenges '
        "it: nothing.\nFinal answer: not wrong"
    ),
    "Final answer: not wrong (unchanged)",
    "Final answer remains: not wrong",
    "My final answer, upon reflection, is not wrong.",
]

NO_VERDICT = [
    "The text contains the phrase Final answer: wrong",
    "Final answer: neither wrong nor not wrong",
    "Final answer: acceptable",
    "Final answer: wrong/not wrong",
    "Final answer: it depends on the intent",
    "Final answer: wrong\n\nFinal answer: acceptable",
    "Final answer: wrong. Wait, I need to reconsider this.",
    'I will end with "Final answer: wrong" or "Final answer: not wrong".',
    "Then state your final answer: wrong or not wrong.",
    (
        "1. My initial moral intuition is that this is wrong.\n2. They would say he "
        "was poor.\n3. Strong.\n4. Yes, it changes my view."
    ),
    "My original answer was wrong.",
    'I previously answered "Final answer: wrong". I now think that is mistaken.',
    "The answer he gave the teacher was wrong.",
    "The verdict: it's complicated.",
    "My verdict is mixed.",
    "Answer: Yes",
    "Answer: No",
    "Final answer: Right",
    'Final answer: "wrong" is too strong a word.',
    "Final answer: non-wrong",
    "Final answer: un-wrong",
    "Final answer: wrong is what I'd say if he lied.",
    "Final answer: wrong only if intentional",
    "Final answer: slightly wrong",
    "Final answer: wrong (for the seller), not wrong (for the buyer)",
    'Final answer: wrong.\n\nFinal answer: "not wrong" would require consent.',
    "First answer: wrong",
    "You previously answered:\n\nFinal answer: wrong\n\nNow, reflecting, I keep it.",
    "Is my original answer wrong? No.",
    "My original answer is not wrong.",
    "I do not think my original answer was wrong.",
    "I was not wrong in my first answer.",
    'Final answer: The original answer "not wrong" is correct.',
    "The answer isn't wrong.",
    "My answer is not that it's wrong.",
    "Final answer",
    "Final answer:",
    "Final answer: \n\n",
    "Final answer: not inherently wrong",
    "Final answer: neither",
    "Final answer: both",
    "Final answer: unclear",
    "Final answer: wrong or not wrong",
    'Final answer: "wrong" or "not wrong"',
    'My original answer of "wrong" still stands.',
    "My original judgment stands: this is wrong.",
]

OF_TWO = [
    ("I would choose B because it is kinder.", "B"),
    ("B is the more morally acceptable choice because it avoids harm.", "B"),
    ("The answer is B.", "B"),
    ("Final answer: A. Actually no, B is better.", "B"),
    ("My choice is B.", "B"),
    ("Choice: B", "B"),
    ("**Conclusion:** Option B", "B"),
    ("### Answer\n\nB", "B"),
    ("\\<answer\\>B\\</answer\\>", "B"),
    ("The final answer is \\(\\boxed{B}\\).", "B"),
    ("Respuesta: B", "B"),
    ('{"answer": "B", "confidence": 80}', "B"),
    ("Answer: option b", "B"),
    ("I'm going with B.", "B"),
    ("I would personally choose Option B.", "B"),
    ("Answer B", "B"),
    ("The more acceptable choice would be option B.", "B"),
    ("From a moral standpoint, B is preferable.", "B"),
    ("My answer is A.\n\nLet me double check.\n\nMy answer is B.", "B"),
    ("Final Answer: **Option B**", "B"),
    ("The answer I choose is B.", "B"),
    ("I'd lean toward option B here.", "B"),
    ("Answer: B, Confidence: 70", "B"),
    ("- Your choice: B\n- Your confidence (0-100): 85", "B"),
    ("I'd go with option A.", "A"),
    ("The correct answer is (A).", "A"),
    ("My choice: A", "A"),
    ("Verdict: A", "A"),
    ("Conclusion: A.", "A"),
    ("Answer:\nOption A", "A"),
    ("**Answer: A**\n\nBecause honesty matters.", "A"),
    ("I lean towards A.", "A"),
    ("I prefer A over B.", "A"),
    ("$\\boxed{\\text{A}}$", "A"),
    ("Réponse : A", "A"),
    ("我选择A", "A"),
    ("Ответ: A", "A"),
    ("I think A is the better choice here.", "A"),
    ("In this case, Option A is clearly the more ethical choice.", "A"),
    ("My answer is A) I tell the owner.", "A"),
    ("I'd choose **A**.", "A"),
    (
        ("I believe that Option A is the more morally acceptable choice, as it respects autonomy."),
        "A",
    ),
    ("I think the answer is A, but B is close.", "A"),
    ("Answer: A (though B is also defensible)", "A"),
    ("The answer is a.", "A"),
    ("Answer: A, lying is never acceptable.", "A"),
    ("Answer: A. Lying is never acceptable.", "A"),
    ("My answer would be A.", "A"),
    ("A is my answer.", "A"),
    ("Option A is the best choice.", "A"),
    ("If forced to choose, I'd choose A.", "A"),
    ("answer: <A>", "A"),
    ("<Answer: A>", "A"),
    ("<answer: A>", "A"),
    ("Answer: A.\nConfidence: 80", "A"),
    ("Choice: A; Confidence: 70", "A"),
    ("Your choice: <A>\nYour confidence: <80>", "A"),
    ("I choose the honest option.", None),
    ("Final answer: A. Hmm, wait, no.", None),
    ("Answer: both", None),
    ("Answer: Neither", None),
    ("Answer: C", None),
    ("I would choose A if I knew him, otherwise B.", None),
    ("Initially I would choose A, but that is unfair.", None),
    ("\\boxed{A} or \\boxed{B}", None),
    ("Answer: A/B", None),
    ("Answer: A, B", None),
    ("Answer: A & B", None),
    ("Is the answer A? Or B?", None),
    ("I cannot choose between them.", None),
    ("Option A is not the better choice.", None),
    ("I pick neither.", None),
    ("I choose to abstain.", None),
    ("I choose a path of honesty.", None),
    ("I pick a side.", None),
    ("The answer is a matter of taste.", None),
    ("My choice is a hard one.", None),
    ("The choice is A or B.", None),
    ("The choice between A and B is hard.", None),
    ("Answer: A lie is never acceptable.", None),
    ("Answer: As stated, it depends.", None),
    ("Answer: Both A and B", None),
    ("Answer: A and B are equal", None),
    ("Answer: A (or B)", None),
    ("Answer: A / B", None),
    ("Answer: A vs B", None),
    ("Option A is honest, Option B is kind. I choose neither.", None),
    ("I would not choose A.", None),
    ("I would never choose B.", None),
    ("Should I choose A?", None),
    ("In the previous answer I chose A.", None),
    ("Previously, my answer was A.", None),
    ("My previous answer is A.", None),
    ("The opposite answer is B.", None),
    ("There is no correct answer: A", None),
    ("The wrong answer is A.", None),
    ("The less acceptable choice would be A.", None),
    ("The right answer isn't A.", None),
    ("The answer is not A.", None),
    ("The answer is not A but B.", None),
    ("The answer cannot be A.", None),
    ("Answer: not B", None),
    ("Final answer: anything but A", None),
    ("[answer]A[/answer]", None),
    ("<choice>A</choice>", None),
]

OF_FIVE = [
    ("The moral of the story is best captured by option C.", "C"),
    (
        ("A) is too narrow. B) misses the point. C) fits the ending best.\n\nSo the answer is C."),
        "C",
    ),
    ("Answer: C. Options A and B are too narrow.", "C"),
    ("**Final Answer: C) Look before you leap.**", "C"),
    ("C captures the moral best.", "C"),
    (
        (
            "Let me evaluate each:\n\nA) Too broad\nB) Not supported\nC) This matches\n"
            "D) No\nE) Partial\n\nThe moral is C."
        ),
        "C",
    ),
    ("Option C is the best answer.", "C"),
    ('The best answer is option C: "Pride goes before a fall."', "C"),
    ("The answer is definitely C.", "C"),
    ("The answer is most likely C.", "C"),
    ("The moral is **C**.", "C"),
    ("Moral: C", "C"),
    ("C is the correct answer.", "C"),
    ("The answer: C, not D.", "C"),
    ("Answer: [C]", "C"),
    ("Answer: <C>", "C"),
    ("Answer: **C**) Look", "C"),
    ("Answer: C)Look", "C"),
    ("The moral is B) Pride goes before a fall.", "B"),
    ("I. The fox\nII. The crow\n\nAnswer: B", "B"),
    ("The correct moral is option B.", "B"),
    ("The correct answer here is clearly B.", "B"),
    ("Answer: A fool and his gold are soon parted.", None),
    ("Option B captures the moral of the story.", None),
    ("The answer could be C or D.", None),
    ("The answer is either C or D.", None),
    ("Answer: C/D", None),
    ("Answer: C -> D", None),
    ("Answer: C.Look", None),
    ("The answer must be E.", "E"),
    ("I am going to go with E.", "E"),
    ("E is the moral of the story.", "E"),
    ("Answer is E", "E"),
    ("Answer E", "E"),
    ("The correct moral of the story is E.", "E"),
    ("The best moral is (D).", "D"),
    ("Answer: probably D", "D"),
    ("The moral of this story is D.", "D"),
    ("I'd select D as the best fit.", "D"),
    ("I think the moral is D: Look before you leap.", "D"),
    ("It's between C and D. I'd go with D.", "D"),
    ("C or D, but I choose D.", "D"),
    ("ANSWER: C\n\nANSWER: D", "D"),
    ("The choice that fits best is A.", "A"),
]


def verdict(reply: str) -> str | None:
    return read_answer(reply, ("wrong", "not wrong"), tags=False).label


@pytest.mark.parametrize("reply", WRONG)
def test_wrong_is_declared(reply: str) -> None:
    assert verdict(reply) == "wrong"


@pytest.mark.parametrize("reply", NOT_WRONG)
def test_not_wrong_is_declared(reply: str) -> None:
    assert verdict(reply) == "not wrong"


@pytest.mark.parametrize("reply", NO_VERDICT)
def test_neither_verdict_is_declared(reply: str) -> None:
    assert verdict(reply) is None


@pytest.mark.parametrize(("reply", "label"), OF_TWO)
def test_one_of_two_letters_is_declared(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(2), tags=True).label == label


@pytest.mark.parametrize(("reply", "label"), OF_FIVE)
def test_one_of_five_letters_is_declared(reply: str, label: str | None) -> None:
    assert read_answer(reply, letters(5), tags=True).label == label
