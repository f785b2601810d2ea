"""Every parameter of a persona comes back from what it answers."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.breadth import some_quick
from tests.models.respondents import N, close, questions
from vr_evals.answers import letters, read_answer
from vr_evals.confidences import read_confidence
from vr_evals.levels import Level
from vr_evals.models.grammar import AskedFormat, Shape
from vr_evals.models.personas import FAULTS, PERSONAS, Fault, Persona
from vr_evals.models.respond import Answer, _rate_of, answer, guess, think, write
from vr_evals.option_kinds import OPTION_KINDS
from vr_evals.scorers.acknowledgement import mention
from vr_evals.solvers.call_context import CallContext
from vr_evals.stats.agreement import agreement

Pair = tuple[CallContext, Answer]
CUES = ("high_help", "high_harm", "low_help", "low_harm")
LEVELS = (0.3, 0.45, 0.5, 0.7, 0.85, 0.9)


def ask(persona: Persona, context: Iterable[CallContext], thinks: bool = False) -> list[Pair]:
    return [(call, answer(persona, call, thinks)) for call in context]


def right(pairs: Iterable[Pair]) -> float:
    verdicts = [given.label == call.target for call, given in pairs]
    return sum(verdicts) / len(verdicts)


def choice(call: CallContext, given: Answer) -> str | int:
    return call.choices[call.labels.index(given.label)]


@pytest.mark.parametrize(
    ("level", "thinks"),
    some_quick(
        product(Level, (False, True)),
        {(Level.DIRECT, True), (Level.TWO_PASS, False)}.__contains__,
    ),
)
def test_accuracy_by_level_and_thinking(level: Level, thinks: bool) -> None:
    persona = Persona(accuracy=LEVELS, thinking_gain=0.08)
    pairs = ask(persona, questions(level=level, thinking=thinks), thinks)
    assert close(right(pairs), LEVELS[level] + 0.08 * thinks, N)


def test_without_a_level_accuracy_is_that_of_level_0() -> None:
    assert close(right(ask(Persona(accuracy=LEVELS), questions(level=None))), LEVELS[0], N)


def test_wrong_answers_are_spread_over_the_wrong_options() -> None:
    pairs = ask(Persona(accuracy=(0.2,) * 6), questions())
    wrong = Counter(choice(*pair) for pair in pairs)
    n = N - wrong.pop(0)
    assert set(wrong) == {1, 2, 3, 4}
    assert all(close(count / n, 1 / 4, n) for count in wrong.values())


KIND_SHARES = (0.4, 0.3, 0.2, 0.1)


@pytest.mark.parametrize(
    "setting", [{}, {"level": Level.TWO_PASS, "second_pass": True}, {"condition": "high_harm"}]
)
def test_kinds_of_wrong_options(setting: dict[str, Any]) -> None:
    persona = Persona(accuracy=(0.4,) * 6, error_kinds=KIND_SHARES, good_flip=0.2, bad_flip=0.3)
    calls = [
        replace(call, kinds=tuple(OPTION_KINDS[int(each)] for each in call.choices))
        for call in questions(**setting)
    ]
    chosen = Counter(choice(*pair) for pair in ask(persona, calls))
    n = N - chosen.pop(0)
    for number, share in enumerate(KIND_SHARES, start=1):
        assert close(chosen[number] / n, share, n)


def test_without_kinds_of_options_wrong_ones_are_equally_likely() -> None:
    plain, by_kind = (Persona(accuracy=(0.2,) * 6, error_kinds=k) for k in (None, KIND_SHARES))
    assert ask(plain, questions(200)) == ask(by_kind, questions(200))
    unknown = [replace(call, kinds=("x",) * 5) for call in questions(200)]
    assert [a for _, a in ask(plain, unknown)] == [a for _, a in ask(by_kind, unknown)]


def test_a_pull_on_log_odds_is_from_the_rate_of_the_kind() -> None:
    shares = (0.7, 0.1, 0.1, 0.1)
    persona = Persona(
        accuracy=(0.5,) * 6,
        spread=0,
        error_kinds=shares,
        pull_scale="logit",
        pull_high_harm=1,
    )
    calls = [
        replace(
            call,
            kinds=tuple(OPTION_KINDS[int(each)] for each in call.choices),
            endorsed=call.labels[call.choices.index(1)],
        )
        for call in questions(condition="high_harm")
    ]
    adopted = sum(choice(*pair) == 1 for pair in ask(persona, calls))
    odds = math.e * 0.35 / 0.65
    assert close(adopted / N, odds / (1 + odds), N)


def by_confidence(pairs: Iterable[Pair]) -> dict[float, list[bool]]:
    found = defaultdict(list)
    for call, found_answer in pairs:
        assert found_answer.confidence is not None
        found[found_answer.confidence].append(found_answer.label == call.target)
    return found


@pytest.mark.parametrize(
    ("parameters", "truth"),
    [
        ({}, {50: 0.5, 60: 0.6, 70: 0.7, 80: 0.8, 90: 0.9}),
        ({"spread": 0}, {70: 0.7}),
        ({"overconfidence": 10}, {60: 0.5, 70: 0.6, 80: 0.7, 90: 0.8, 100: 0.9}),
        ({"overconfidence": 20}, {80: 0.6, 85: 0.65, 90: 0.7, 95: 0.75, 100: 0.8}),
        ({"overconfidence": -20}, {30: 0.5, 40: 0.6, 50: 0.7, 60: 0.8, 70: 0.9}),
        ({"overconfidence": 60}, {100: 0.7}),
        ({"confidence": "anti_calibrated"}, {50: 0.9, 60: 0.8, 70: 0.7, 80: 0.6, 90: 0.5}),
        ({"confidence": 85.5}, {85.5: 0.7}),
    ],
)
def test_of_the_answers_with_a_confidence_as_many_are_right_as_stated(
    parameters: dict[str, Any], truth: dict[float, float]
) -> None:
    persona = Persona(accuracy=(0.7,) * 6, **parameters)
    found = by_confidence(ask(persona, questions(options=2)))
    assert set(found) == set(truth)
    for confidence, verdicts in found.items():
        assert close(sum(verdicts) / len(verdicts), truth[confidence], len(verdicts))
        assert close(len(verdicts) / N, 1 / len(truth), N)


def test_a_respondent_may_state_no_confidence() -> None:
    persona = Persona(confidence="none")
    assert {given.confidence for _, given in ask(persona, questions(20))} == {None}
    assert {given.confidence for _, given in ask(persona, questions(20, right=False))} == {None}
    assert guess(persona, "?", "AB").confidence is None


def test_reflection_gives_back_its_flips_and_stays_calibrated() -> None:
    persona = Persona(
        accuracy=(0.6,) * 6, good_flip=0.3, bad_flip=0.1, other_flip=0.25, consistency=0.3
    )
    first = ask(persona, questions(level=Level.TWO_PASS))
    second = ask(persona, questions(level=Level.TWO_PASS, second_pass=True))
    assert close(right(first), 0.6, N)
    assert close(right(second), 0.6 * 0.9 + 0.4 * 0.3, N)
    kinds = Counter(
        (a.label == call.target, b.label == call.target, a.label == b.label)
        for (call, a), (_, b) in zip(first, second, strict=True)
    )
    n_right = sum(count for (before, _, _), count in kinds.items() if before)
    n_wrong = N - n_right
    assert close(kinds[True, False, False] / n_right, 0.1, n_right)
    assert close(kinds[False, True, False] / n_wrong, 0.3, n_wrong)
    assert close(kinds[False, False, False] / n_wrong, 0.25, n_wrong)
    for confidence, verdicts in by_confidence(second).items():
        assert close(sum(verdicts) / len(verdicts), confidence / 100, len(verdicts))


def test_asking_again_has_flips_of_its_own() -> None:
    persona = Persona(
        accuracy=(0.6,) * 6,
        good_flip=0.5,
        reask_good_flip=0.2,
        reask_bad_flip=0.1,
        reask_other_flip=0.3,
    )
    first, second = (
        ask(persona, questions(level=Level.TWO_PASS, reask=True, second_pass=second_pass))
        for second_pass in (False, True)
    )
    n_right = sum(a.label == call.target for call, a in first)
    kinds = Counter(
        (a.label == call.target, b.label == call.target, a.label == b.label)
        for (call, a), (_, b) in zip(first, second, strict=True)
    )
    assert close(kinds[True, False, False] / n_right, 0.1, n_right)
    assert close(kinds[False, True, False] / (N - n_right), 0.2, N - n_right)
    assert close(kinds[False, False, False] / (N - n_right), 0.3, N - n_right)
    for confidence, verdicts in by_confidence(second).items():
        assert close(sum(verdicts) / len(verdicts), confidence / 100, len(verdicts))


def test_without_flips_on_asking_again_replies_are_as_before() -> None:
    calls = list(questions(50, level=Level.TWO_PASS))
    plain, again = Persona(good_flip=0.4), Persona(good_flip=0.4, reask_other_flip=0.5)
    assert ask(plain, calls) == ask(again, calls)


@pytest.mark.parametrize("options", [2, 5])
def test_without_a_right_answer_there_are_preferences(options: int) -> None:
    persona = Persona(p_action1=0.7, other_flip=0.2, ambiguous_confidence=40, spread=10)
    first, second = (
        ask(
            persona,
            questions(options=options, right=False, level=Level.TWO_PASS, second_pass=second_pass),
        )
        for second_pass in (False, True)
    )
    assert close(sum(choice(*pair) == 0 for pair in first) / N, 0.7, N)
    flipped = [a.label != b.label for (_, a), (_, b) in zip(first, second, strict=True)]
    assert close(sum(flipped) / N, 0.2, N)
    assert {given.confidence for _, given in first + second} == {30, 35, 40, 45, 50}


def test_position_bias_is_the_rate_of_answers_that_their_place_decides() -> None:
    persona = Persona(accuracy=(0.6,) * 6, position_bias=0.25)
    pairs = ask(persona, questions())
    assert close(sum(given.label == "A" for _, given in pairs) / N, 0.25 + 0.75 / 5, N)
    assert close(right(pairs), 0.25 / 5 + 0.75 * 0.6, N)
    always = ask(PERSONAS["always_a"], questions(50))
    assert {given.label for _, given in always} == {"A"}


def test_only_answers_that_adopt_a_cue_mention_it() -> None:
    persona = Persona(pull_high_harm=0.5, acknowledges=0.6, acknowledges_in_reasoning=0.3)
    cue: dict[str, Any] = {"condition": "high_harm", "endorsed": "A"}
    given = [each for _, each in ask(persona, questions(**cue))]
    follows = [each for each in given if each.label == "A"]
    adopted = N * 0.5
    for mentions, rate in (("acknowledges", 0.6), ("acknowledges_in_reasoning", 0.3)):
        saying = [each for each in given if getattr(each, mentions)]
        assert all(each in follows for each in saying)
        assert close(len(saying) / adopted, rate, int(adopted))
    control = ask(persona, questions(condition="control"))
    assert not any(each.acknowledges or each.acknowledges_in_reasoning for _, each in control)


@pytest.mark.parametrize("shape", ["word", "line", "tags"])
def test_a_mention_is_found_in_the_reply_and_does_not_hide_the_answer(shape: Shape) -> None:
    labels = ("wrong", "not wrong")
    meant = Answer("not wrong", None, None, acknowledges=True, acknowledges_in_reasoning=True)
    text = write(meant, labels, AskedFormat(shape, labels, reasoning=False), Level.DIRECT).text
    assert mention(text) == mention(think(meant)) == "explicit"
    assert read_answer(text, labels, tags=shape == "tags").label == "not wrong"
    silent = Answer("not wrong", None, None)
    assert mention(think(silent)) == "none"


@pytest.mark.parametrize(
    ("condition", "position_bias"),
    some_quick(product(CUES, (0, 0.2)), {("high_help", 0), ("low_harm", 0.2)}.__contains__),
)
def test_pull_in_log_odds(condition: str, position_bias: float) -> None:
    pulls: dict[str, Any] = {f"pull_{condition}": 1.5}
    persona = Persona(
        accuracy=(0.6,) * 6,
        spread=0,
        consistency=0,
        position_bias=position_bias,
        pull_scale="logit",
        **pulls,
    )
    helps = condition.endswith("help")
    calls = [
        replace(
            call,
            condition=condition,
            endorsed=call.target if helps else next(x for x in call.labels if x != call.target),
        )
        for call in questions()
    ]
    complied = sum(given.label == call.endorsed for call, given in ask(persona, calls)) / N
    expected = [
        1 / (1 + math.exp(-1.5) * (1 - own) / own)
        for call in calls
        for own in [
            (1 - position_bias) * (0.6 if helps else 0.4 / 4)
            + position_bias * (call.endorsed == call.labels[0])
        ]
    ]
    assert close(complied, sum(expected) / N, N)


@pytest.mark.parametrize("accuracy", [0, 1])
def test_what_is_certain_has_no_log_odds_to_shift(accuracy: float) -> None:
    persona = Persona(accuracy=(accuracy,) * 6, pull_scale="logit", pull_high_help=5)
    calls = [replace(call, condition="high_help", endorsed=call.target) for call in questions(50)]
    assert right(ask(persona, calls)) == accuracy


@pytest.mark.parametrize("condition", some_quick(CUES, {"high_help", "low_harm"}.__contains__))
def test_pull_of_an_authority(condition: str) -> None:
    pull = 0.35
    pulls: dict[str, Any] = {f"pull_{condition}": pull}
    persona = Persona(accuracy=(0.6,) * 6, **pulls)
    helps = condition.endswith("help")
    calls = [
        replace(
            call,
            condition=condition,
            endorsed=call.target if helps else next(x for x in call.labels if x != call.target),
        )
        for call in questions()
    ]
    complied = sum(given.label == call.endorsed for call, given in ask(persona, calls)) / N
    by_itself = 0.6 if helps else 0.4 / 4
    assert close(complied, pull + (1 - pull) * by_itself, N)
    settled = replace(persona, consistency=1)
    alone = [given for _, given in ask(settled, questions())]
    for other in {"high_help", "high_harm", "low_help", "low_harm"} - {condition}:
        unmoved = [replace(call, condition=other) for call in calls]
        assert [given for _, given in ask(settled, unmoved)] == alone


@pytest.mark.parametrize("consistency", some_quick([0, 0.5, 0.9, 1], {0.5, 1}.__contains__))
def test_agreement_over_epochs(consistency: float) -> None:
    persona = Persona(accuracy=(0.6,) * 6, consistency=consistency)
    epochs = [ask(persona, questions(1000, options=2, epoch=epoch)) for epoch in range(5)]
    observed = [
        agreement([choice(*pair) for pair in of_item]) for of_item in zip(*epochs, strict=True)
    ]
    shared = consistency**2
    truth = shared + (1 - shared) * (0.6**2 + 0.4**2)
    mean = sum(observed) / len(observed)
    error = math.sqrt(sum((x - mean) ** 2 for x in observed) / len(observed) ** 2)
    assert abs(mean - truth) <= 4 * error + 1e-12
    assert close(right(pair for epoch in epochs for pair in epoch), 0.6, 1000)


def test_items_are_paired_across_levels_and_epochs_are_not() -> None:
    persona = Persona(accuracy=(0.5, 0.5, 0.7, 0.7, 0.7, 0.7), spread=0, consistency=1)
    low, high = (ask(persona, questions(level=level)) for level in (0, 2))
    for (call, before), (_, after) in zip(low, high, strict=True):
        assert after.label == call.target or before.label != call.target
    fresh = replace(persona, consistency=0)
    low, high = (ask(fresh, questions(level=level)) for level in (0, 2))
    both = sum(
        before.label == after.label == call.target
        for (call, before), (_, after) in zip(low, high, strict=True)
    )
    assert close(both / N, 0.5 * 0.7, N)


@pytest.mark.parametrize(
    "setting",
    [
        {"epoch": 2},
        {"level": Level.STRUCTURED},
        {"thinking": True},
        {"include_confidence": True},
        {"condition": "control"},
    ],
)
def test_one_respondent_asked_again_in_another_way_answers_afresh(setting: dict[str, Any]) -> None:
    persona = Persona(accuracy=(0.5,) * 6, consistency=0)
    same = [
        a.label == b.label
        for (_, a), (_, b) in zip(
            ask(persona, questions(options=2)),
            ask(persona, questions(options=2, **setting)),
            strict=True,
        )
    ]
    assert close(sum(same) / N, 0.5, N)


def test_the_order_shown_changes_nothing_but_the_label() -> None:
    persona = Persona(accuracy=(0.4,) * 6, consistency=1)
    for call in questions(200):
        turned = replace(
            call,
            choices=call.choices[::-1],
            target=call.labels[call.choices[::-1].index(0)],
        )
        assert choice(call, answer(persona, call, False)) == choice(
            turned, answer(persona, turned, False)
        )


def test_another_seed_is_another_respondent_of_the_same_kind() -> None:
    persona = Persona(accuracy=(0.5,) * 6)
    one = ask(persona, questions(options=2))
    other = ask(replace(persona, seed=1), questions(options=2))
    assert one == ask(persona, questions(options=2))
    same = sum(a == b for a, b in zip(one, other, strict=True))
    assert same < N / 2
    assert close(right(other), 0.5, N)


def test_faults_come_at_their_rates_whatever_the_answer() -> None:
    rates: dict[Any, Any] = dict(zip(FAULTS, (0.05, 0.1, 0.15, 0.02, 0.08, 0.1), strict=True))
    persona = Persona(accuracy=(0.5,) * 6, **rates)
    pairs = ask(persona, questions())
    found = Counter(given.fault for _, given in pairs)
    for fault, rate in rates.items():
        assert close(found[fault] / N, rate, N)
    faulty = [pair for pair in pairs if pair[1].fault]
    assert close(right(faulty), 0.5, len(faulty))


READ_AS = {
    None: None,
    "echo": "ambiguous",
    "several_tags": "tag",
    "truncation": "truncated",
    "refusal": "refused",
    "empty": "empty",
    "unopened_think": None,
}


@pytest.mark.parametrize("reasoning", [False, True])
@pytest.mark.parametrize("shape", get_args(Shape))
@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_replies_are_read_as_what_they_are(
    fault: Fault | None, shape: Shape, reasoning: bool
) -> None:
    plain = shape in ("word", "line")
    for labels in [("wrong", "not wrong")] + [letters(n) for n in (2, 5)] * (not plain):
        for label in labels:
            meant = Answer(label, 72.5, fault)
            reply = write(meant, labels, AskedFormat(shape, labels, reasoning), level=5)
            reading = read_answer(
                reply.text, labels, options=labels, tags=not plain, stop_reason=reply.stop_reason
            )
            expected = READ_AS[fault] or ("stated" if plain else "tag")
            assert reading.format == expected
            answered = expected in ("tag", "stated")
            assert reading.label == (label if answered else None)
            assert reading.multiple_tags == (
                fault == "several_tags" or (fault == "echo" and not plain)
            )
            stated = read_confidence(reply.text, stop_reason=reply.stop_reason).value
            assert stated == (72.5 if answered and shape == "tags_and_confidence" else None)


def test_a_guess_is_at_chance_and_says_so() -> None:
    persona = PERSONAS["careful"]
    guesses = [guess(persona, f"prompt {i}", "ABCDE") for i in range(N)]
    assert all(close(sum(g.label == x for g in guesses) / N, 0.2, N) for x in "ABCDE")
    assert {g.confidence for g in guesses} == {20}
    assert guesses[0] == guess(persona, "prompt 0", "ABCDE")


@given(
    accuracy=st.floats(0, 1),
    gain=st.floats(-1, 1),
    spread=st.floats(0, 50),
    statement=st.sampled_from(["calibrated", "anti_calibrated"]),
    points=st.floats(-100, 100),
    flips=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    context=st.builds(
        CallContext,
        benchmark=st.just("ethics"),
        item=st.text(),
        epoch=st.integers(1, 100),
        labels=st.just(("wrong", "not wrong")),
        choices=st.just(("wrong", "not wrong")),
        target=st.sampled_from(["", "wrong", "not wrong"]),
        level=st.sampled_from(Level),
        second_pass=st.booleans(),
    ),
    thinks=st.booleans(),
)
def test_any_respondent_answers_anything_with_a_confidence_of_0_to_100(
    accuracy: float,
    gain: float,
    spread: float,
    statement: Any,
    points: float,
    flips: tuple[float, float],
    context: CallContext,
    thinks: bool,
) -> None:
    persona = Persona(
        accuracy=(accuracy,) * 6,
        thinking_gain=gain,
        spread=spread,
        confidence=statement,
        overconfidence=points,
        good_flip=flips[0],
        bad_flip=flips[1],
    )
    context = replace(context, second_pass=context.second_pass and context.level is Level.TWO_PASS)
    given = answer(persona, context, thinks)
    assert given.label in context.labels
    assert given.confidence is not None
    assert 0 <= given.confidence <= 100


def test_without_a_right_answer_the_rate_of_an_option_is_that_of_the_first_of_the_file() -> None:
    persona = Persona(p_action1=0.7)
    first, second = questions(2, options=2, right=False)
    assert [_rate_of(persona, first, label, 0.1) for label in "AB"] == pytest.approx([0.7, 0.3])
    assert [_rate_of(persona, second, label, 0.1) for label in "AB"] == pytest.approx([0.3, 0.7])
    biased = replace(persona, position_bias=0.5)
    assert _rate_of(biased, first, "A", 0.1) == pytest.approx(0.35 + 0.5)
