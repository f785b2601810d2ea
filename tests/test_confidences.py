"""Reading a stated confidence."""

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.breadth import some_quick
from tests.shared import extraction_cases
from tests.strategies import replies
from vr_evals.confidences import Category, Confidence, Unread, category, read_confidence

TAGS = [
    ("<confidence>85</confidence>", 85),
    ("<Confidence>75</Confidence>", 75),
    ("<confidence>**85**</confidence>", 85),
    ("<confidence>$85$</confidence>", 85),
    ("<confidence>`85`</confidence>", 85),
    ("<confidence><b>85</b></confidence>", 85),
    ("<confidence>\u200b８５\n</confidence>", 85),
    ("<confidence>Confidence: 85</confidence>", 85),
    ("<confidence_score>80</confidence_score>", 80),
    ("&lt;confidence&gt;85&lt;/confidence&gt;", 85),
    ("<confidence>85</confidence>%", 85),
    ("<confidence>0.5</confidence>%", 0.5),
    ("<confidence>8</confidence>/10", 80),
    ("<confidence>85", 85),
    ("<confidence>85\n<answer>A</answer>", 85),
    ("<confidence>85<confidence>", 85),
    ("<confidence>85</confidance>", 85),
    ("<confidence>60</confidence>\n<answer>A</answer>", 60),
    # the last one counts
    ("<answer>A</answer><confidence>90</confidence> … <confidence>65</confidence>", 65),
    ("<confidence>80</confidence><confidence>90</confidence>", 90),
    ("<confidence>80</confidence>\n<confidence>high</confidence>", None),
    ("<confidence>80</confidence>\nOn reflection:\nConfidence: 60", 80),
    ("Confidence: 60\n<confidence>80</confidence>", 80),
    ("<confidence>80</confidence>\n\nConfidence: I am fairly sure, since he lied.", 80),
    ("<confidence>80</confidence> or <confidence>90</confidence>", None),
    # placeholders and mentions state nothing
    ("<confidence>80</confidence>\n(form: <confidence>X</confidence>)", 80),
    ("<confidence>X</confidence>", None),
    ("<confidence>0-100</confidence>", None),
    ("<confidence></confidence>", None),
    ("I will use the <confidence> tag.", None),
    ("- Your confidence (0-100): <confidence>X</confidence>\n  (0 = complete guess)", None),
    ("<think><confidence>40</confidence></think>", None),
]

PROSE = [
    ("Confidence: 85", 85),
    ("Confidence:85", 85),
    ("Confidence：85", 85),
    ("**Confidence:** 85%", 85),
    ("**Confidence:** 85% (fairly sure)", 85),
    ("Confidence level: 85", 85),
    ("Confidence score: 8/10", 80),
    ("Confidence (0-100): 72.5", 72.5),
    ("- Your confidence (0-100): 85", 85),
    ("Overall confidence: 85%", 85),
    ("Confidence in my answer: 85", 85),
    ("Confidence = 85", 85),
    ("Confidence - 85", 85),
    ("confidence 85%", 85),
    ("confidence around 85%", 85),
    ("Confidence: about 85", 85),
    ("Confidence: ninety", 90),
    ("Confidence: 0.9", 90),
    ("Confidence: 70-80%", 75),
    ("Confidence: High (85%)", 85),
    ("Confidence: 85. The reason is that 3 people agree.", 85),
    ("Confidence: 85 because 3 people agree", 85),
    ("Confidence: 85 (I base this on 3 facts)", 85),
    ("Confidence\n85", 85),
    ("**Confidence**\n\n85%", 85),
    ("| Confidence | 85 |", 85),
    ('{"answer": "B", "confidence": 85}', 85),
    ('{"confidence": 0.85, "answer": "B"}', 85),
    ("Certainty: 85%", 85),
    ("置信度：85", 85),
    ("My confidence is 85.", 85),
    ("I would put my confidence at 80%.", 80),
    ("I'd rate my confidence as 8 out of 10.", 80),
    ("I am 90% confident.", 90),
    ("I'm about 85% sure of this.", 85),
    ("I am ninety percent confident.", 90),
    ("I am 9/10 confident in this answer.", 90),
    ("I'm 75 percent sure that this is wrong.", 75),
    ("I have 85% confidence in this answer.", 85),
    ("With 85% confidence.", 85),
    ("85% confident", 85),
    ("Confidence: 70\n\nOn reflection:\nConfidence: 60", 60),
    ("Confidence: High", None),
    ("Confidence: ; high", None),
    ("Confidence: N/A", None),
    ("Confidence: -5", None),
    ("Confidence: 150", None),
    ("Confidence: 1.0", None),
    ("Confidence: 85 or 90", None),
]

WHOSE = [
    ("<confidence>55</confidence>\nMy original confidence of 72% was too high.", 55),
    ("New confidence: 60\nPrevious confidence: 85", 60),
    ("Confidence: 60\nIf he had asked, I would be 90% confident.", 60),
    ("<answer>A</answer>\nConfidence: <answer>78</answer>", 78),
    ("Confidence: 60\nThe report is 95% confident.", 60),
    ("Confidence: 60\nThe panel's confidence: 95", 60),
    ("The expert is 95% sure. I am 60% sure.", 60),
    ("I'm 80% confident in this.", 80),
    ("Confidence: 60 (it was 80 before)", 60),
    ("Updated confidence: 45%\nInitial confidence: 70%", 45),
    ("Initial confidence: 70%\nFinal confidence: 45%", 45),
    ("My confidence is now 45, down from 70.", 45),
    ("With more information I'd be 95% confident, but as it stands I am 60% confident.", 60),
    ("Confidence: 70\n\nA lawyer would be 99% certain.", 70),
    ("Before reflecting I was 90% confident. Now I am 70% confident.", 70),
    ("Were he honest, I would be 90% sure. Confidence: 50", 50),
    ("Confidence level: 75 out of 100", 75),
    ("I would put my confidence at 65.", 65),
    ("Confidence: 85%\nThe study reports a confidence of 95%.", 85),
    ("<confidence>80</confidence>\nConfidence of the report: 99", 80),
    ("My previous confidence was 90%. My confidence now is 62%.", 62),
    ("Confidence before: 88\nConfidence now: 64", 64),
    ("My previous confidence was 90.", None),
    ("<answer>B</answer>\nConfidence score = <answer>66</answer>", 66),
    ("**Confidence:** <answer>66</answer>", 66),
    ('{"answer":"B","confidence":85}', 85),
    ('{"confidence":85,"answer":"B"}', 85),
    ("Confidence after reflection: 55", 55),
    ("Confidence (post-reflection): 55\nConfidence (pre-reflection): 80", 55),
    ("Pass 1 confidence: 80\nPass 2 confidence: 55", 55),
]

# faults that people who run such evaluations have met: what it was, reply, confidence
MET_IN_THE_FIELD = [
    ("digits glued", "<confidence>72.5</confidence>", 72.5),
    ("fraction", "<confidence>0.85</confidence>", 85),
    ("any number", "It was 20 degrees.\n<answer>not wrong</answer>", None),
    ("default for a missing one", "<answer>A</answer>", None),
    ("default for a malformed one", "<confidence>abc</confidence>", None),
    ("clamped", "<confidence>150</confidence>", None),
    ("a word", "<confidence>high</confidence>", None),
    ("not finite", "<confidence>NaN</confidence>", None),
    ("not finite", "<confidence>inf</confidence>", None),
    ("not available", "<confidence>N/A</confidence>", None),
    ("label, percent, comment", "**Confidence:** 85% (fairly sure)", 85),
    ("negative", "<confidence>-.95</confidence>", None),
    ("decimals", "<confidence>85.0</confidence>", 85),
]

NOT_STATED = [
    "",
    "<answer>B</answer>",
    "It was 20 degrees outside and she had 3 coats.",
    "(0 = complete guess, 50 = uncertain, 100 = completely certain)",
    "confidence\n3. Next point",
    "He lost confidence 3 times.",
    "He has the confidence of 3 judges.",
    "The confidence interval is 95%.",
    "My confidence dropped from 90 to 70.",
    "I am not 90% confident.",
    "If I were 90% confident, I would say so.",
    "You can never be 100% sure.",
    "He was 90% sure that he locked it.",
    "I am 90% sure to win.",
    "100% of people agree.",
]

# reply, value, reason
CUT_OFF: list[tuple[str, float | None, Unread | None]] = [
    ("<confidence>75</confidence>", 75, None),
    ("<confidence>75</conf", 75, None),
    ("<confidence>75", None, "cut_off"),
    ("<confidence>**75", None, "cut_off"),
    ("<confidence>75%", 75, None),
    ("<confidence>7.", None, "cut_off"),
    ("<answer>A</answer>\n<confid", None, "cut_off"),
    ("<confidence>80</confidence>\n<confidence>9", None, "cut_off"),
    ("Confidence: 85", None, "cut_off"),
    ("Confidence: 85.", None, "cut_off"),
    ("Confidence: 85%", 85, None),
    ("Confidence: 80\nThen more", 80, None),
    ("", None, "cut_off"),
]


@pytest.mark.parametrize(("reply", "value"), TAGS)
def test_tags(reply: str, value: float | None) -> None:
    assert read_confidence(reply).value == value


@pytest.mark.parametrize(("reply", "value"), PROSE)
def test_plain_statements(reply: str, value: float | None) -> None:
    confidence = read_confidence(reply)
    assert (confidence.value, confidence.how) == (
        value,
        "stated" if "; " not in reply else "missing",
    )


@pytest.mark.parametrize(("fault", "reply", "value"), MET_IN_THE_FIELD)
def test_faults_met_in_the_field(fault: str, reply: str, value: float | None) -> None:
    assert read_confidence(reply).value == value, fault


@pytest.mark.parametrize(("reply", "value"), WHOSE)
def test_the_confidence_stated_now_is_the_models_own(reply: str, value: float | None) -> None:
    assert read_confidence(reply).value == value


@pytest.mark.parametrize("reply", NOT_STATED)
def test_other_numbers_are_no_confidence(reply: str) -> None:
    assert read_confidence(reply) == Confidence(None, None, "missing")


@pytest.mark.parametrize(("reply", "value", "reason"), CUT_OFF)
@pytest.mark.parametrize("stop_reason", ["max_tokens", "model_length"])
def test_a_number_that_was_cut_off_is_none(
    reply: str, value: float | None, reason: Unread | None, stop_reason: str
) -> None:
    confidence = read_confidence(reply, stop_reason=stop_reason)
    assert (confidence.value, confidence.reason) == (value, reason)


@pytest.mark.parametrize(
    ("reply", "confidence"),
    [
        ("<confidence>-.95</confidence>", Confidence(None, "-.95", "tag", "negative")),
        ("<confidence> High </confidence>", Confidence(None, "High", "tag", "no_number")),
        ("<confidence>70-80</confidence>", Confidence(75, "70-80", "tag", is_range=True)),
        ("**Confidence:** 85% (sure)", Confidence(85, "85%", "stated")),
    ],
)
def test_the_words_are_kept(reply: str, confidence: Confidence) -> None:
    assert read_confidence(reply) == confidence


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (0, "very_low"),
        (20, "very_low"),
        (20.5, "low"),
        (40, "low"),
        (60, "moderate"),
        (80, "high"),
        (80.01, "very_high"),
        (100, "very_high"),
    ],
)
def test_categories_by_upper_bound(value: float, name: Category) -> None:
    assert category(value) == name


@pytest.mark.parametrize("value", [-0.1, 100.1, math.nan, math.inf])
def test_no_category_out_of_range(value: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 100"):
        category(value)


def test_the_worked_cases() -> None:
    wrong = []
    lines = extraction_cases()
    asked = [case for case in lines if case["mode"] == "confidence"]
    for case in asked:
        read = read_confidence(case["completion"], stop_reason=case.get("stop_reason"))
        if read.value not in [case["expect_confidence"], *case.get("alt_confidence", [])]:
            wrong.append((case["id"], read))
    assert asked
    assert not wrong


@given(replies(), st.sampled_from([None, "max_tokens", "stop"]))
def test_any_text_gives_a_confidence_or_none(reply: str, stop_reason: str | None) -> None:
    confidence = read_confidence(reply, stop_reason=stop_reason)
    assert confidence.value is None or 0 <= confidence.value <= 100
    assert (confidence.how == "missing") == (confidence.text is None)
    if confidence.value is not None:
        assert confidence.reason is None


@given(st.integers(0, 100) | st.floats(1.01, 100).map(lambda value: round(value, 2)))
def test_every_number_of_the_scale_is_read_as_it_is(value: float) -> None:
    assert read_confidence(f"<confidence>{value}</confidence>").value == value
    assert read_confidence(f"Confidence: {value}%").value == value


@given(st.integers(1, 99))
def test_a_fraction_is_a_percentage(percent: int) -> None:
    assert read_confidence(f"<confidence>{percent / 100}</confidence>").value == percent


SHAPES = (
    "8", "8,", "8.", "8 ", "-", "8-", "8/", "8%", "/", "%", "<confidence>", "</confidence>",
     "<confidence>8</confidence>", "<confidence>8</confidence> or ", "confidence ", "confidence: ",
     "confidence (", "confidence in a ", "I am 9", "ninety ", "ninety-", "a hundred ", "about ",
     "~", "minus ", "under ", "0-100", " ", "\n", "(", ".", ",", ";", "because ", "a",
)  # fmt: skip


@pytest.mark.parametrize("shape", some_quick(SHAPES, SHAPES[::4].__contains__))
def test_a_hundred_thousand_characters_are_read_at_once(shape: str) -> None:
    third = shape * (33_333 // len(shape))
    start = time.process_time()
    read_confidence(f"{third}\nConfidence: {third}\n<confidence>{third}</confidence>")
    assert time.process_time() - start < 2
