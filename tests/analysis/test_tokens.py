"""The estimate of tokens, and prices of models."""

import pytest
from inspect_ai.model import ModelCost, ModelInfo, set_model_info

from vr_evals.analysis.prices import Price, known_price
from vr_evals.analysis.tokens import (
    OUTPUT_TOKENS,
    estimated_tokens,
    output_tokens,
    tokenizer_ratio,
)
from vr_evals.levels import Level


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("Is it wrong", 3),
        ("Is it wrong?", 4),
        ("uncharacteristically", 3),
        ("1234567", 3),
        ("<answer>A</answer>", 7),
        ("one\n\ntwo", 3),
        ("one.\n\ntwo", 3),
        ("snake_case", 3),
        ("\ud800\x00", 1),
    ],
)
def test_tokens_by_the_rule(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


def test_ratios_are_by_provider() -> None:
    assert tokenizer_ratio("openai/gpt-4o") == 1.0
    assert tokenizer_ratio("anthropic/claude-haiku-5-5") > 1.0


def test_prices_are_those_that_inspect_has() -> None:
    cost = ModelCost(input=1, output=2, input_cache_write=3, input_cache_read=0.5)
    set_model_info("vr_plan_test/priced", ModelInfo(model="priced", cost=cost))
    assert known_price("vr_plan_test/priced") == Price(1, 2, 0.5, 3)
    assert known_price("vr_plan_test/other") is None


def test_a_level_without_an_assumption_has_the_most_tokens() -> None:
    assert {level: output_tokens(level) for level in OUTPUT_TOKENS} == OUTPUT_TOKENS
    assert output_tokens(len(Level)) == max(OUTPUT_TOKENS.values())
