"""The metadata of a sample is written and read back, and what is not ours is refused."""

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.conditions import Settings
from vr_evals.errors import InputError
from vr_evals.sample_metadata import RESERVED, SampleMetadata

TEXT = st.text(max_size=9)
PLAIN = SampleMetadata(
    benchmark="mcqa",
    item="i1",
    cluster="c1",
    labels=("A", "B"),
    options=("yes", "no"),
    choices=(1, 0),
    option_order="shuffled",
    answer_tags=True,
)


@given(
    labels=st.lists(TEXT, unique=True, min_size=1, max_size=4).map(tuple),
    condition=st.none() | st.just("high_harm"),
    fixed=st.booleans(),
    settings=st.builds(Settings, thinking=st.booleans()),
)
def test_what_is_written_is_read(
    labels: tuple[str, ...], condition: str | None, fixed: bool, settings: Settings
) -> None:
    asked = SampleMetadata(
        benchmark="ethics",
        item="i",
        cluster="c",
        labels=labels,
        options=labels,
        choices=labels,
        option_order="original",
        answer_tags=False,
        settings=settings,
        order_fixed=fixed,
        condition=condition,
        preamble="A report." if condition else "",
        endorsed=labels[0] if condition else None,
    )
    assert SampleMetadata.from_metadata(asked.to_metadata()) == asked
    assert not asked.lettered


def test_what_a_sample_does_not_have_is_left_out() -> None:
    written = PLAIN.to_metadata()
    assert not written.keys() & {"condition", "preamble", "endorsed", "option_kinds", "order_fixed"}
    assert written.keys() <= RESERVED
    assert {f.name for f in fields(Settings)} <= written.keys()


@pytest.mark.parametrize(("label", "choice"), [("A", 1), ("B", 0), (None, None)])
def test_choice_of_a_label(label: str | None, choice: int | None) -> None:
    assert PLAIN.choice(label) == choice


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({}, "sample metadata has no 'benchmark': vr_evals scorers and vr_evals solvers"),
        ({"benchmark": "mcqa", "item": "i"}, "sample metadata has no 'cluster'"),
        (PLAIN.to_metadata() | {"options": None}, "invalid options None in sample metadata: ex"),
        (PLAIN.to_metadata() | {"labels": "AB"}, "invalid labels 'AB' in sample metadata: expect"),
    ],
)
def test_other_metadata_is_refused(metadata: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        SampleMetadata.from_metadata(metadata)
    assert message in str(error.value)
