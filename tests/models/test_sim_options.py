"""What ``-M`` may say to a simulated respondent, and what it answers to the rest."""

from dataclasses import fields
from typing import Any

import pytest
from inspect_ai.model import get_model

from vr_evals.errors import InputError
from vr_evals.models.personas import PERSONAS, Persona
from vr_evals.models.sim_options import read_persona


@pytest.mark.parametrize("name", PERSONAS)
def test_a_persona_without_arguments_is_the_named_one(name: str) -> None:
    assert read_persona(name, {}) == PERSONAS[name]


@pytest.mark.parametrize(
    ("argument", "given", "value"),
    [
        ("accuracy", 0.8, (0.8,) * 6),
        ("accuracy", 1, (1,) * 6),
        ("accuracy", "1e-1", (0.1,) * 6),
        ("accuracy", ["0.1", "0.2", "0.3", "0.4", "0.5", "1"], (0.1, 0.2, 0.3, 0.4, 0.5, 1)),
        ("accuracy", (0, 0.2, 0.3, 0.4, 0.5, 0.6), (0, 0.2, 0.3, 0.4, 0.5, 0.6)),
        ("overconfidence", -20, -20),
        ("confidence", "none", "none"),
        ("confidence", "anti_calibrated", "anti_calibrated"),
        ("confidence", 70, 70),
        ("ignores_thinking", True, True),
        ("seed", -3, -3),
        ("refusal", 0.05, 0.05),
        ("pull_scale", "logit", "logit"),
        ("error_kinds", ["0.4", "0.3", "0.2", 0.1], (0.4, 0.3, 0.2, 0.1)),
    ],
)
def test_an_argument_changes_one_parameter(argument: str, given: object, value: object) -> None:
    persona = read_persona("careful", {argument: given})
    changed = {f.name for f in fields(Persona)} - {argument}
    assert getattr(persona, argument) == value
    assert all(getattr(persona, name) == getattr(PERSONAS["careful"], name) for name in changed)


RATE = "expected a number from 0 to 1"


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        (
            "carful",
            {},
            "invalid model 'vr_sim/carful': expected one of "
            "careful, overconfident, impulsive, yes_man, always_a, sloppy, surface_reader, silent, "
            "open, concealing",
        ),
        ("careful", {"acuracy": 1}, "vr_sim/careful: unknown -M acuracy (valid: accuracy, "),
        (
            "sloppy",
            {"accuracy": 1.2},
            f"vr_sim/sloppy: invalid -M accuracy '1.2': {RATE}, or 6 such numbers",
        ),
        (
            "sloppy",
            {"accuracy": ["0.1", "0.2"]},
            f"-M accuracy '0.1,0.2': {RATE}, or 6 such numbers",
        ),
        ("sloppy", {"accuracy": [0.1] * 5 + ["x"]}, f"0.1,0.1,x': {RATE}, or 6 such numbers"),
        ("sloppy", {"accuracy": "high"}, f"-M accuracy 'high': {RATE}"),
        ("sloppy", {"empty": -0.1}, f"-M empty '-0.1': {RATE}"),
        ("sloppy", {"empty": True}, f"-M empty 'true': {RATE}"),
        ("sloppy", {"empty": "nan"}, f"-M empty 'nan': {RATE}"),
        ("sloppy", {"empty": None}, f"-M empty 'None': {RATE}"),
        ("sloppy", {"empty": [0.1]}, f"-M empty '0.1': {RATE}"),
        (
            "sloppy",
            {"thinking_gain": 2},
            "invalid -M thinking_gain '2': expected a number from -1 to 1",
        ),
        ("sloppy", {"overconfidence": 200}, "'200': expected a number from -100 to 100"),
        ("sloppy", {"spread": 60}, "invalid -M spread '60': expected a number from 0 to 50"),
        (
            "sloppy",
            {"confidence": "maybe"},
            "'maybe': expected calibrated, anti_calibrated, none or a number from 0 to 100",
        ),
        (
            "sloppy",
            {"ignores_thinking": 1},
            "invalid -M ignores_thinking '1': expected true or false",
        ),
        ("sloppy", {"seed": 1.5}, "invalid -M seed '1.5': expected an integer"),
        ("careful", {"error_kinds": 0.5}, "-M error_kinds '0.5': expected 4 numbers from 0 to 1"),
        ("careful", {"error_kinds": [1, 0]}, "-M error_kinds '1,0': expected 4 numbers"),
        (
            "careful",
            {"error_kinds": [0.5, 0.5, 0.5, 0]},
            "-M error_kinds '0.5,0.5,0.5,0': expected shares of similar_characters, based_on_",
        ),
        ("careful", {"error_kinds": [0, 0, 0, 0]}, "with a sum of 1"),
        ("careful", {"pull_scale": "log"}, "invalid -M pull_scale 'log': expected rate or logit"),
        ("careful", {"pull_scale": 1}, "invalid -M pull_scale '1': expected rate or logit"),
        (
            "careful",
            {"pull_high_harm": -1},
            "invalid -M pull_high_harm '-1': expected a number from 0 to 10",
        ),
        (
            "careful",
            {"pull_high_harm": 2},
            "invalid -M pull_high_harm '2': expected a number from 0 to 1 with pull_scale=rate",
        ),
        ("sloppy", {"seed": False}, "invalid -M seed 'false': expected an integer"),
        (
            "careful",
            {"empty": 0.6, "refusal": 0.6},
            "-M echo, several_tags, truncation, refusal, empty, unopened_think: "
            "expected a sum of at most 1, found 1.2",
        ),
        (
            "careful",
            {"good_flip": 0.6, "other_flip": 0.6},
            "-M good_flip, other_flip: expected a sum of at most 1, found 1.2",
        ),
        (
            "always_a",
            {"overconfidence": 5},
            "-M overconfidence=5: not supported with confidence=95",
        ),
    ],
)
def test_a_wrong_argument_is_one_line_that_says_what_is_wanted(
    name: str, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as raised:
        get_model(f"vr_sim/{name}", memoize=False, **arguments)
    assert message in raised.value.message
    assert f"vr_sim/{name}" in raised.value.message
    assert "\n" not in raised.value.message


def test_a_shift_of_log_odds_may_be_over_1() -> None:
    persona = read_persona("careful", {"pull_scale": "logit", "pull_high_harm": 2})
    assert persona.pull_high_harm == 2


def test_there_is_no_server() -> None:
    with pytest.raises(InputError, match="base URL http://localhost.* is not supported"):
        get_model("vr_sim/careful", base_url="http://localhost", memoize=False)


def test_faults_that_leave_nothing_else_may_add_up_to_1() -> None:
    rates = {"echo": 0.1, "several_tags": 0.2, "truncation": 0.3, "refusal": 0.3, "empty": 0.1}
    assert read_persona("careful", rates).echo == 0.1
