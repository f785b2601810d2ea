"""What a pilot shows where its items come in clusters, or lack a control."""

import pytest

from tests.analysis.frames import Row, answer, table
from vr_evals.analysis.pilot import ASSUMED, pilot_of


def levels(clusters: int, alike: bool) -> list[Row]:
    """24 items, half of which change, by whole clusters or one item of each pair."""
    return [
        answer(
            f"i{n}",
            "A" if level and (n * clusters // 24 if alike else n) % 2 else "B",
            level=level,
            cluster=f"c{n * clusters // 24}",
        )
        for n in range(24)
        for level in (0, 1)
    ]


@pytest.mark.parametrize(("alike", "correlation"), [(True, 1.0), (False, 0.0)])
def test_items_of_a_cluster_that_change_together_are_correlated(
    alike: bool, correlation: float
) -> None:
    found = pilot_of(table(levels(12, alike)))["levels"]
    assert found.correlation == pytest.approx(correlation, abs=0.05)
    assert found.source == "measured"


def test_a_pilot_of_one_cluster_is_none() -> None:
    assert pilot_of(table(levels(1, alike=False))) == {}


def test_a_pilot_without_clusters_has_no_correlation() -> None:
    found = pilot_of(table(levels(24, alike=False)))["levels"]
    assert found.correlation in (0.0, ASSUMED.correlation)


def cue(item: str, condition: str, label: str) -> Row:
    endorsed = "action2" if condition == "high_harm" else None
    return answer(item, label, level=None, condition=condition, endorsed_choice=endorsed)


def test_a_cue_without_a_control_of_its_items_is_no_pair() -> None:
    cued = [cue(f"i{n}", "high_harm", "B") for n in range(6)]
    control = [cue(f"i{n}", "control", "A") for n in range(6)]
    elsewhere = [cue(f"j{n}", "control", "A") for n in range(6)]
    assert set(pilot_of(table(cued, control))) == {"authority"}
    assert pilot_of(table(cued, elsewhere)) == {}
