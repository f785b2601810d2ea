"""``import_logs``: from files of other studies to logs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal, get_args

from vr_evals.errors import InputError
from vr_evals.importing.completions import COLUMNS, Mapped, completions
from vr_evals.importing.editorial_faithfulness import editorial_faithfulness
from vr_evals.importing.logs import Origin, write_logs
from vr_evals.importing.replies import UNNAMED, Reply
from vr_evals.importing.skipped import Notes, UnusedColumns
from vr_evals.importing.sources import open_source
from vr_evals.importing.variable_reflection import variable_reflection
from vr_evals.levels import Level

__all__ = ["FORMATS", "Format", "Imported", "UnusedColumns", "import_logs"]

Format = Literal["completions", "variable-reflection", "editorial-faithfulness"]
"""The formats that are read."""

FORMATS: tuple[str, ...] = get_args(Format)

_READERS = {
    "completions": completions,
    "variable-reflection": variable_reflection,
    "editorial-faithfulness": editorial_faithfulness,
}


@dataclass(frozen=True)
class Imported:
    """What was imported.

    Attributes:
        logs: The logs that were written.
        samples: How many samples they have.
        errors: How many of those are errors, because the reply was empty.
        notes: What was not imported, and what to know of the rest, in lines.
        unused: Columns of the files that no reply has; `notes` has a line for each.
    """

    logs: tuple[str, ...]
    samples: int
    errors: int
    notes: tuple[str, ...] = field(default=())
    unused: tuple[UnusedColumns, ...] = ()


def import_logs(
    files: Sequence[str | os.PathLike[str]],
    *,
    format: Format,
    folder: str | os.PathLike[str],
    dataset: str | None = None,
    columns: Mapping[str, str] | None = None,
    values: Mapping[str, str] | None = None,
) -> Imported:
    """Write the replies of files as Inspect logs, scored by the scorers of our tasks.

    Args:
        files: The files: .csv, .jsonl, .json or .parquet.
        format: Their format.
        folder: The folder or URL of the logs.
        dataset: Where items are found: ``hub``, ``sample`` or a file; None if the files have them.
        columns: The files' names of columns by ours (``completions.COLUMNS``).
        values: Values of all rows that the files have no column of, by our names.

    Raises:
        InputError: A file is not readable or not of the format, two rows are of one item and epoch,
            or no row can be imported.
    """
    if format not in _READERS:
        raise InputError(f"invalid format '{format}': expected one of {', '.join(FORMATS)}")
    for name in (*(columns or {}), *(values or {})):
        _check_name(name)
    notes, sources = Notes(), [open_source(os.fspath(file)) for file in files]
    replies = _READERS[format](sources, Mapped(columns or {}, values or {}), dataset, notes)
    name = "import" if dataset is None else dataset.replace("\\", "/").rsplit("/", 1)[-1]
    described = {"dataset": name, "sample_data": dataset == "sample"}
    if dataset is None or format == "editorial-faithfulness":
        described = {"dataset": format if format != "completions" else "import"}
    written = list(
        write_logs(_noted(replies, notes), Origin(format, sources, described), os.fspath(folder))
    )
    if not written:
        reasons = "; ".join(notes.lines()) or "no rows"
        raise InputError(f"nothing imported: {reasons}")
    results = [log.results for log in written if log.results]
    samples = sum(each.total_samples for each in results)
    return Imported(
        logs=tuple(log.location for log in written),
        samples=samples,
        errors=samples - sum(each.completed_samples for each in results),
        notes=tuple(notes.lines()),
        unused=tuple(notes.unused),
    )


def _check_name(name: str) -> None:
    """Check a column's name of ours; those that are not of the reply are of the item."""
    if name in COLUMNS:
        return
    if not name.isidentifier():
        raise InputError(f"invalid column '{name}': expected one of {', '.join(COLUMNS)}")
    if close := get_close_matches(name, COLUMNS, n=1, cutoff=0.8):
        raise InputError(f"invalid column '{name}': expected e.g. {close[0]}")


def _noted(replies: Iterator[Reply], notes: Notes) -> Iterator[Reply]:
    """Yield replies, and note those that lack something."""
    for reply in replies:
        place = f"{reply.place} ({reply.item.id})"
        if reply.error is not None:
            notes.add("with an empty reply, imported as errors", place)
        elif reply.asked.level == Level.TWO_PASS and reply.first is None:
            notes.add("of level 5 with one reply, imported without a first answer", place)
        if reply.asked.model == UNNAMED:
            notes.add(f"without a model, imported as {UNNAMED} (use --set model=NAME)", place)
        yield reply
