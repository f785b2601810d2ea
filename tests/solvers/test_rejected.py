"""A provider's rejection of a setting, in whatever form its client has the error."""

from typing import Any

import pytest

from vr_evals.solvers.rejected import rejection


class RefusedError(Exception):
    def __init__(self, said: str = "", **attributes: Any) -> None:
        super().__init__(said)
        vars(self).update(attributes)


SAID = "`temperature` must be at most 1"


@pytest.mark.parametrize(
    "error",
    [
        RefusedError(status_code=400, body={"error": {"message": SAID}}),
        RefusedError(status_code=400, body={"message": SAID}),
        RefusedError(
            response={"ResponseMetadata": {"HTTPStatusCode": 400}, "Error": {"Message": SAID}}
        ),
        # a body that is a text, or whose error is one
        RefusedError(code=422, body=SAID, provider_message=SAID),
        RefusedError(code=422, body={"error": "Bad Request"}, message=SAID),
        RefusedError(code=422, body={"error": "Bad"}, response={"error": "Bad"}, message=SAID),
        RefusedError(SAID, code=422),
    ],
)
def test_a_rejection_is_found_in_each_form(error: Exception) -> None:
    message = rejection(error, "x/y", {"temperature": "temperature=2"})
    assert message == (
        f"x/y: the provider rejected temperature=2 ({SAID}); try another --temperature, e.g. 1"
    )


@pytest.mark.parametrize(
    "error",
    [
        RefusedError(status_code=500, body={"message": SAID}),
        RefusedError(status_code=400, body={"message": "messages.1.content is empty"}),
        RefusedError(SAID),
    ],
)
def test_another_error_is_no_rejection(error: Exception) -> None:
    assert rejection(error, "x/y", {"temperature": "temperature=2"}) is None
