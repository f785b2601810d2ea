"""The summaries of a log's samples: as JSON of the log's file, or as Inspect reads them.

Inspect's reader validates each summary and shortens its texts again, which takes ten times as long
as parsing the JSON. The fast way parses only what the columns need, in types so narrow that
Inspect would make the same of each value; whatever is not of these types is left to Inspect.
"""

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from inspect_ai.log import read_eval_log_sample_summaries
from pydantic import AfterValidator, AwareDatetime, ConfigDict, Field, StringConstraints
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from vr_evals.analysis.run import Run, Usage

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["Noted", "Summary", "read_summaries", "read_summaries_as_json"]


class Noted(Protocol):
    """A score, as a summary has it."""

    @property
    def value(self) -> Any:
        """The score's value."""

    @property
    def answer(self) -> str | None:
        """The word or label that the scorer gives as its answer."""

    @property
    def metadata(self) -> Mapping[str, Any] | None:
        """What the scorer noted beside."""


class Summary(Protocol):
    """The summary of a sample: Inspect's ``EvalSampleSummary``, or what is needed of it."""

    @property
    def id(self) -> int | str:
        """The sample's id."""

    @property
    def epoch(self) -> int:
        """Its repetition, from 1."""

    @property
    def target(self) -> str | Sequence[str]:
        """Its target."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Its metadata."""

    @property
    def scores(self) -> Mapping[str, Noted] | None:
        """Its scores, by scorer."""

    @property
    def model_usage(self) -> Mapping[str, Usage]:
        """Its tokens, by model."""

    @property
    def completed_at(self) -> Any:
        """When it ended."""

    @property
    def working_time(self) -> float | None:
        """Its working time, in seconds."""

    @property
    def uuid(self) -> str | None:
        """Inspect's id of the sample run."""

    @property
    def error(self) -> str | None:
        """What ended it."""


def read_summaries(run: Run) -> tuple[Sequence[Summary], bool]:
    """Read the summaries of a run's samples, and say whether that was possible as JSON.

    Args:
        run: The run.

    Raises:
        Exception: Whatever Inspect's readers raise on a broken file.
    """
    found = read_summaries_as_json(run)
    if found is not None:
        return found, True
    return read_eval_log_sample_summaries(run.log), False


def read_summaries_as_json(run: Run) -> Sequence[Summary] | None:
    """Read the summaries of a finished run from its local file; None if Inspect has to.

    Args:
        run: The run.
    """
    if not (run.finished and run.format == _FORMAT and run.log.endswith(".eval")):
        return None
    summaries = _summaries()
    try:
        # inspect_ai.log has registered zstandard with zipfile, where Python itself lacks it
        with zipfile.ZipFile(run.log) as log:
            if not _is_known(log.namelist()):
                return None
            found = summaries.validate_json(log.read(_FILE))
    except Exception:  # whatever is unusual about a file, Inspect's reader has the say
        return None
    return list({(str(one.id), one.epoch): one for one in found}.values())


_FORMAT = 2
"""The format of logs that this module knows."""

_FILE = "summaries.json"
_JOURNAL = "_journal/summaries/"


def _is_known(names: Sequence[str]) -> bool:
    """Whether the summaries are together in one file, once."""
    pieces = [name.removeprefix(_JOURNAL) for name in names if name.startswith(_JOURNAL)]
    return names.count(_FILE) == 1 and all(
        piece.removesuffix(".json").isdecimal() for piece in pieces
    )


@cache
def _summaries() -> "TypeAdapter[list[_Sample]]":
    from pydantic import TypeAdapter

    return TypeAdapter(list[_Sample], config=ConfigDict(strict=True))


def _short(value: list[Any]) -> list[Any]:
    """Check that a list is so short that Inspect keeps it.

    Raises:
        ValueError: It may not be.
    """
    # Inspect indents: up to two characters more per entry, and two in all
    if len(_encode(value)) + 2 * len(value) + 2 > _LONGEST:
        raise ValueError("a long list")
    return value


_LONGEST = 1024
"""Inspect shortens texts, and leaves out lists, that have more characters."""

_LONGEST_TARGET = 5120
_encode = json.JSONEncoder(ensure_ascii=False).encode

# Inspect joins the words of a text by single blanks, and splits words where Python does
_Text = Annotated[
    str,
    StringConstraints(
        max_length=_LONGEST,
        pattern=r"^(?:[^\s\x1c-\x1f]+(?: [^\s\x1c-\x1f]+)*)?$",
    ),
]
_Value = _Text | int | float | bool | None
_List = Annotated[list[str | int | bool | None], AfterValidator(_short)]
_Target = Annotated[str, StringConstraints(max_length=_LONGEST_TARGET)]
_Plain = str | int | float | bool


class _SampleMetadata(TypedDict, total=False):
    benchmark: _Value
    item: _Value
    cluster: _Value
    option_order: _Value
    ambiguity: _Value
    condition: _Value
    endorsed: _Value
    second_pass: _Value
    imported_label: _Value
    imported_confidence: _Value
    labels: _List | _Value
    choices: _List | _Value


class _ScoreMetadata(TypedDict, total=False):
    level: _Value
    choice: _Value
    option_kind: _Value
    right_choice: _Value
    read_as: _Value
    category: _Value
    reasoning: _Value
    cut_off: _Value
    visible_words: _Value
    answer_only: _Value
    reasoned: _Value
    named_principles: _Value
    both_sides: _Value
    first_label: _Value
    first_choice: _Value
    first_correct: _Value
    first_read_as: _Value
    first_confidence: _Value
    condition: _Value
    endorsed: _Value
    endorsed_choice: _Value
    help_choice: _Value
    harm_choice: _Value
    stop_reason: _Value
    calls: _Value
    calls_that_thought: _Value
    thinking_status: _Value
    temperature_status: _Value
    budget_status: _Value
    served_model: _Value
    simulated: _Value


@dataclass(slots=True)
class _Score:
    value: _Plain | list[_Plain] | dict[str, _Plain | None]
    answer: _Text | None = None
    explanation: str | None = None
    reason: str | None = None
    metadata: _ScoreMetadata | None = None
    # a summary has no history: Inspect leaves it out
    history: Annotated[list[Any], Field(max_length=0)] = field(default_factory=list)


@dataclass(slots=True)
class _Usage:
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    input_tokens_cache_write: int | None = None
    input_tokens_cache_read: int | None = None
    reasoning_tokens: int | None = None
    total_cost: float | None = None


@dataclass(slots=True)
class _Sample:
    """All that Inspect's summary has, so that what is invalid to it is found here too."""

    id: int | str
    epoch: int
    input: str
    target: _Target | list[_Target]
    choices: list[str] | None = None
    description: str | None = None
    metadata: _SampleMetadata = field(default_factory=_SampleMetadata)
    scores: dict[str, _Score] | None = None
    model_usage: dict[str, _Usage] = field(default_factory=dict)
    role_usage: dict[str, _Usage] = field(default_factory=dict)
    model_fallbacks: None = None
    started_at: AwareDatetime | None = None
    completed_at: AwareDatetime | None = None
    total_time: float | None = None
    working_time: float | None = None
    uuid: str | None = None
    error: str | None = None
    limit: str | None = None
    limit_reason: str | None = None
    retries: int | None = None
    completed: bool = False
    message_count: int | None = None
    turn_count: int | None = None
    token_limit: int | None = None
    token_limit_type: str | None = None
    token_limit_usage: int | None = None
    message_limit: int | None = None
    time_limit: int | None = None
