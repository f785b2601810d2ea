"""Labels of pictures, whatever their names are."""

import pandas as pd
import pytest

from vr_evals.report.drawing import by_row

LONG = "a-provider/" + "m" * 40


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["short", "x\n− y"], ["short", "x\n− y"]),
        ([LONG + "-1", LONG + "-2"], ["a-provider/m…mmmmmmmmmm-1", "a-provider/m…mmmmmmmmmm-2"]),
        (
            [f"a{LONG[1:]}{n}{LONG}" for n in range(2)],
            ["a-provider/m…mmmmmmmmmmmm", "a-provider…mmmmmmmmmm (2)"],
        ),
        (["猫" * 30], ["猫猫猫猫猫猫…猫猫猫猫猫猫"]),
    ],
)
def test_labels_fit_and_stay_different(names: list[str], shown: list[str]) -> None:
    frame = pd.DataFrame(
        {"row": names, "series": "", "estimate": 0.0, "low": -1.0, "high": 1.0, "significant": True}
    )
    picture = by_row(frame, [""], x_title="points", band=frame.head(1))
    assert [each["row"] for each in picture["data"]["values"]] == shown
    assert [each["row"] for each in picture["layer"][0]["data"]["values"]] == shown[:1]
