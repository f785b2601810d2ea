"""What the user and the task set, beside what a condition sends."""

from typing import Any

import pytest
from inspect_ai.model import GenerateConfigArgs

from vr_evals.solvers.user_config import with_extra_body

TEMPLATE: GenerateConfigArgs = {"extra_body": {"chat_template_kwargs": {"enable_thinking": False}}}


@pytest.mark.parametrize(
    ("condition", "users", "expected"),
    [
        ({}, {"top_k": 3}, {}),
        ({"reasoning_effort": "none"}, {"top_k": 3}, {"reasoning_effort": "none"}),
        (TEMPLATE, None, TEMPLATE),
        (TEMPLATE, {"top_k": 3}, {"extra_body": {"top_k": 3, **(TEMPLATE["extra_body"] or {})}}),
        (TEMPLATE, {"chat_template_kwargs": {"enable_thinking": True}}, TEMPLATE),
    ],
    ids=["nothing", "another setting", "alone", "beside", "over"],
)
def test_the_condition_keeps_the_users_other_fields(
    condition: GenerateConfigArgs, users: dict[str, Any] | None, expected: GenerateConfigArgs
) -> None:
    assert with_extra_body(condition, users) == expected
