"""What a sample of a vr_evals task carries from its item and its condition to solvers and scorers.

Inspect keeps a sample's metadata as plain JSON, in logs too. Written and read here, and nowhere
else by key.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from vr_evals.conditions import Settings
from vr_evals.errors import InputError

__all__ = ["RESERVED", "RUN_RECORD", "SampleMetadata"]

RUN_RECORD = "as_run"
"""The key of the solvers' record: level, thinking condition, status of each setting, calls."""

_LISTS = ("labels", "options", "choices", "option_kinds")
_OF_CONDITION = ("condition", "preamble", "endorsed", "help_target", "harm_target")


@dataclass(frozen=True)
class SampleMetadata:
    """The metadata of a sample.

    Attributes:
        benchmark: The benchmark's name.
        item: The item's id; the same in every order, level and condition.
        cluster: Items of one cluster are not independent.
        labels: The answer labels, in the order shown: letters, or the options themselves.
        options: The options' texts, in the order shown.
        choices: The canonical choice of each label.
        option_order: How the options were ordered, e.g. ``original`` or ``shuffled``.
        answer_tags: Whether the prompt asks for an answer in tags.
        settings: How the item is asked.
        option_kinds: The kind of each option, in the order shown; may be empty.
        order_fixed: Whether the item's options have one order only.
        condition: The condition of a paradigm, e.g. ``high_harm``; None if there is none.
        preamble: The text before the prompt in that condition; may be empty.
        endorsed: The label that an authority endorses, or None.
        help_target: The label that help endorses, or None; base rates of control need it.
        harm_target: The label that harm endorses, or None.
        ambiguity: MoralChoice's ``low`` or ``high``; a column of the item, read only.
    """

    benchmark: str
    item: str
    cluster: str
    labels: tuple[str, ...]
    options: tuple[str, ...]
    choices: tuple[str | int, ...]
    option_order: str
    answer_tags: bool
    settings: Settings = Settings()
    option_kinds: tuple[str, ...] = ()
    order_fixed: bool = False
    condition: str | None = None
    preamble: str = ""
    endorsed: str | None = None
    help_target: str | None = None
    harm_target: str | None = None
    ambiguity: str | None = None

    @property
    def lettered(self) -> bool:
        """Whether the labels are not the options; both may be letters."""
        return self.labels != self.options

    def choice(self, label: str | None) -> str | int | None:
        """Return the canonical choice of a label; None without one."""
        return None if label is None else self.choices[self.labels.index(label)]

    def to_metadata(self) -> dict[str, Any]:
        """Return the metadata as JSON has it; without what the sample does not have."""
        found: dict[str, Any] = {
            "benchmark": self.benchmark,
            "item": self.item,
            "cluster": self.cluster,
            "labels": list(self.labels),
            "options": list(self.options),
            "choices": list(self.choices),
            "option_order": self.option_order,
            "answer_tags": self.answer_tags,
            **self.settings.to_metadata(),
        }
        if self.condition is not None:
            found |= {name: getattr(self, name) for name in _OF_CONDITION}
        if self.option_kinds:
            found["option_kinds"] = list(self.option_kinds)
        if self.order_fixed:
            found["order_fixed"] = True
        return found

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, Any]) -> "SampleMetadata":
        """Return what a sample's metadata says.

        Raises:
            InputError: The sample is not from a vr_evals task, or its metadata was changed.
        """
        missing = [name for name in _REQUIRED if name not in metadata]
        if missing:
            raise InputError(
                f"sample metadata has no {missing[0]!r}: vr_evals scorers and vr_evals solvers "
                "need samples of vr_evals tasks"
            )
        given = {f.name: metadata[f.name] for f in fields(cls) if f.name in metadata}
        lists = {name: _list(name, given[name]) for name in _LISTS if name in given}
        return cls(**given | lists | {"settings": Settings.from_metadata(metadata)})


RESERVED = {RUN_RECORD, *(f.name for kind in (SampleMetadata, Settings) for f in fields(kind))} - {
    "settings",
    "ambiguity",
}
"""The keys that no column of an item may have."""

_REQUIRED = tuple(f.name for f in fields(SampleMetadata) if f.default is MISSING)


def _list(name: str, found: object) -> tuple[Any, ...]:
    if not isinstance(found, list | tuple):
        raise InputError(f"invalid {name} {found!r} in sample metadata: expected a list")
    return tuple(found)
