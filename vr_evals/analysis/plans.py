"""Which effects a study is for: its primary ones, named in a file or by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vr_evals.analysis.cell import KEYS
from vr_evals.analysis.outcomes import find_outcome
from vr_evals.errors import InputError

__all__ = ["Plan", "Planned", "as_plan", "read_plan"]

_EXAMPLE = "primary: [{outcome: accuracy, contrast: level5-level0}]"


@dataclass(frozen=True)
class Planned:
    """A primary effect.

    Attributes:
        outcome: The name of an outcome.
        contrast: The name of a contrast, or of a question for all its main effects.
        by: The cells that it is for, by column; empty for the average over all.
    """

    outcome: str
    contrast: str
    by: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """In words, as notes name it."""
        by = "".join(f", {name}={value}" for name, value in self.by.items())
        return f"{self.outcome}, {self.contrast}{by}"


Plan = str | Path | Iterable[Planned | Mapping[str, Any]]


def as_plan(primary: Plan) -> tuple[Planned, ...]:
    """Return a plan as planned effects.

    Args:
        primary: A file for `read_plan`, or planned effects, also as mappings.

    Raises:
        InputError: An effect is not as `Planned` has it.
    """
    if isinstance(primary, str | Path):
        return read_plan(primary)
    return tuple(
        each if isinstance(each, Planned) else _planned(each, f"primary effect {n}")
        for n, each in enumerate(primary, start=1)
    )


def read_plan(path: str | Path) -> tuple[Planned, ...]:
    """Read the primary effects of a study from a YAML file.

    The file has a list `primary`, each entry with `outcome`, `contrast` and, if it is not for the
    average over all cells, `by`, a mapping of columns to values.

    Args:
        path: The file.

    Raises:
        InputError: The file cannot be read, or is not a plan.
    """
    import yaml

    try:
        found = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "expected UTF-8"
        raise InputError(f"plan {path} cannot be read: {reason}") from None
    except yaml.YAMLError as error:
        raise InputError(f"invalid plan {path}: {error}") from None
    entries = found.get("primary") if isinstance(found, Mapping) else None
    if not isinstance(entries, Sequence) or isinstance(entries, str) or not entries:
        raise InputError(f"invalid plan {path}: expected a list 'primary', e.g. {_EXAMPLE}")
    if unknown := sorted(map(str, set(found) - {"primary"})):
        raise InputError(f"invalid plan {path}: unknown key {', '.join(unknown)}")
    return tuple(_planned(each, f"{path}, entry {n}") for n, each in enumerate(entries, start=1))


def _planned(entry: object, where: str) -> Planned:
    if not isinstance(entry, Mapping) or not {"outcome", "contrast"} <= set(entry):
        raise InputError(f"invalid plan, {where}: expected outcome and contrast, e.g. {_EXAMPLE}")
    by = entry.get("by") or {}
    if unknown := sorted(map(str, set(entry) - {"outcome", "contrast", "by"})):
        raise InputError(f"invalid plan, {where}: unknown key {', '.join(unknown)}")
    if not isinstance(by, Mapping) or not set(by) <= set(KEYS):
        raise InputError(f"invalid plan, {where}: by maps {', '.join(KEYS)} to values")
    return Planned(find_outcome(str(entry["outcome"])).name, str(entry["contrast"]), dict(by))
