"""The trials of the authority study, github.com/atbender/editorial-faithfulness.

A JSON object per line for each run of an item on a model, with its replies in five conditions; the
items are in a file of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NoReturn

from vr_evals.benchmarks import Benchmark, Item, RowError
from vr_evals.conditions import AUTHORITY_CONDITIONS, AuthorityCondition
from vr_evals.errors import InputError
from vr_evals.importing import values
from vr_evals.importing.completions import Mapped
from vr_evals.importing.replies import UNNAMED, Asked, Reply
from vr_evals.importing.skipped import Notes
from vr_evals.importing.sources import Row, Source, open_source, rows

__all__ = ["editorial_faithfulness"]

BENCHMARK = "mcqa"
SUBSET = "editorial-faithfulness"

_CONDITIONS = {
    f"{each.strength}_authority_{each.valence}" if each.strength else each.name: each
    for each in AUTHORITY_CONDITIONS
}
"""Conditions by the study's names for them."""

_OPTION = re.compile(r"^\(?([A-J])[).:]\s+(.+)$", re.MULTILINE)
_UNREAD = "UNKNOWN"


_TRIAL = ("problem_id", "run_k", "model", "correct_answer", "conditions")
_ANSWER = (
    *("target_option", "raw_output", "extracted_answer", "choice", "parse_status"),
    *("extra_metrics", "manipulation_mentioned"),
)
"""The study's fields of a trial, and of its answer in a condition."""


def editorial_faithfulness(
    sources: Sequence[Source], mapped: Mapped, dataset: str | None, notes: Notes
) -> Iterator[Reply]:
    """Yield the replies of files.

    Args:
        sources: The files of trials.
        mapped: Values that the files have not, e.g. of ``model``.
        dataset: The file of the questions.
        notes: Where trials that cannot be imported are noted.

    Raises:
        InputError: A file is not readable, or is not one of the study.
    """
    if dataset is None:
        raise InputError(
            "missing the study's questions: name their file, e.g. --dataset mcqa-entries.json"
        )
    items = _questions(dataset)
    for number, source in enumerate(sources):
        unknown: dict[str, None] = {}
        for row in rows(source):
            trial = mapped.row(row)
            unknown |= dict.fromkeys(_unknown(row.values, mapped))
            if row.number == 1:
                _check_fields(source, trial)
            try:
                conditions = _conditions(trial, items)
            except RowError as error:
                notes.add(f"skipped, {error}", f"{row.place} ({trial.get('problem_id')})")
                continue
            for name, answer in conditions.items():
                try:
                    yield _reply(row, trial, items, number, name, answer)
                except RowError as error:
                    place = f"{row.place}, {name} ({trial.get('problem_id')})"
                    notes.add(f"skipped in one condition, {error}", place)
        notes.add_unused(source.name, unknown)


def _unknown(trial: Mapping[str, Any], mapped: Mapped) -> Iterator[str]:
    """Yield the fields of a trial, and of its answers, that are not of the study."""
    known, conditions = mapped.theirs(_TRIAL), mapped.theirs(["conditions"]).pop()
    yield from (name for name, value in trial.items() if name not in known and value is not None)
    answers = trial.get(conditions)
    for answer in answers.values() if isinstance(answers, Mapping) else ():
        if isinstance(answer, Mapping):
            yield from (f"{conditions}.{name}" for name in answer if name not in _ANSWER)


def _check_fields(source: Source, trial: Mapping[str, Any]) -> None:
    needed = ("problem_id", "run_k", "conditions")
    if missing := [name for name in needed if name not in trial]:
        raise InputError(
            f"{source.name}: missing {', '.join(missing)}: expected trials of the study, "
            f"found {', '.join(trial)}"
        )


def _questions(dataset: str) -> dict[str, Item]:
    """Return the study's questions by id."""
    benchmark, source = values.benchmark_named(BENCHMARK), open_source(dataset)
    found: dict[str, Item] = {}
    for row in rows(source):
        try:
            item = _question(benchmark, row.values)
        except RowError as error:
            raise InputError(f"{row.place}: {error}") from None
        if found.setdefault(item.id, item) is not item:
            raise InputError(f"{row.place}: duplicate id {item.id!r}")
    return found


def _question(benchmark: Benchmark, entry: Mapping[str, Any]) -> Item:
    id, text = values.text(entry.get("id")), values.text(entry.get("question"))
    if id is None or text is None:
        raise RowError("missing id or question: expected the study's file of questions")
    options = _options(entry)
    if not options:  # they are in the text, below the question
        lettered = list(_OPTION.finditer(text))
        options = [found[2].strip() for found in lettered]
        if [found[1] for found in lettered] != [chr(65 + i) for i in range(len(options))]:
            raise RowError(f"no options of {id}: expected lines A) …, B) …")
        text = text[: lettered[0].start()].rstrip() if lettered else text
    right = (values.text(entry.get("correct_answer")) or "").strip().upper()
    labels = [chr(65 + i) for i in range(len(options))]
    if right not in labels:
        raise RowError(f"invalid correct_answer {right!r} of {id}: expected a letter of an option")
    known = {"id", "question", "options", "choices", "correct_answer", "correct_option_text"}
    other = {name: value for name, value in entry.items() if name not in known}
    return benchmark.read_item(
        {
            **{n: v for n, v in other.items() if not re.fullmatch("option_[a-j]", n.lower())},
            "id": id,
            "question": text,
            "choices": options,
            "answer": labels.index(right),
        },
        SUBSET,
    )


def _options(entry: Mapping[str, Any]) -> list[str]:
    """Return the options of an entry that has them apart from the question, else none."""
    found = entry.get("options", entry.get("choices"))
    if isinstance(found, Mapping):
        found = [found[letter] for letter in sorted(found)]
    if isinstance(found, list):
        return list(map(str, found))
    columns = sorted(name for name in entry if re.fullmatch("option_[a-j]", name.lower()))
    return [str(entry[name]) for name in columns if entry[name] is not None]


def _conditions(trial: Mapping[str, Any], items: Mapping[str, Item]) -> Mapping[str, Any]:
    """Return the answers of a trial, by the study's names of the conditions.

    Raises:
        RowError: The trial is of no question, or has none.
    """
    id = values.text(trial.get("problem_id"))
    if id is None or id not in items:
        raise RowError("problem_id not among the questions")
    right = values.text(trial.get("correct_answer"))
    if right is not None and right.strip().upper() != _labels(items[id])[items[id].target or 0]:
        raise RowError("correct_answer differs from the question's")
    values.whole_number(trial.get("run_k"), "run_k")
    conditions = trial.get("conditions")
    if not isinstance(conditions, Mapping) or not conditions:
        raise RowError("no conditions")
    return conditions


def _labels(item: Item) -> list[str]:
    return [chr(65 + i) for i in range(len(item.options))]


def _reply(
    row: Row,
    trial: Mapping[str, Any],
    items: Mapping[str, Item],
    source: int,
    name: str,
    answer: Any,
) -> Reply:
    """Return the reply in a condition of a trial."""
    if name not in _CONDITIONS:
        raise RowError(f"invalid condition {name!r}: expected {', '.join(_CONDITIONS)}")
    if not isinstance(answer, Mapping):
        raise RowError("invalid answer: expected an object")
    item = items[str(values.text(trial.get("problem_id")))]
    return Reply(
        asked=Asked(
            model=values.text(trial.get("model")) or _folder(row.source) or UNNAMED,
            benchmark=BENCHMARK,
            subset=SUBSET,
            authority=True,
        ),
        item=item,
        epoch=(values.whole_number(trial.get("run_k"), "run_k") or 0) + 1,
        completion=values.reply(answer.get("raw_output")),
        place=f"{row.place}, {name}",
        source=source,
        condition=_CONDITIONS[name].name,
        endorsed=_endorsed(_CONDITIONS[name], answer, _labels(item), item),
        imported=_imported(answer),
    )


def _folder(source: Source) -> str:
    """Return the folder of a file of trials, which is called like the model."""
    return PurePosixPath(source.location.replace("\\", "/")).parent.name


def _endorsed(
    condition: AuthorityCondition, answer: Mapping[str, Any], labels: Sequence[str], item: Item
) -> str | None:
    found = values.text(answer.get("target_option"))
    if condition.valence is None:
        if found is not None:
            _wrong(condition, found, "null")
        return None
    label = (found or "").strip().upper()
    is_right = label == labels[item.target or 0]
    if label not in labels or is_right != (condition.valence == "help"):
        wanted = "the right option" if condition.valence == "help" else "a wrong option"
        _wrong(condition, found, wanted)
    return label


def _wrong(condition: AuthorityCondition, found: object, expected: str) -> NoReturn:
    raise RowError(f"invalid target_option {found!r} of {condition.name}: expected {expected}")


def _imported(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the study says of a reply."""
    extra = answer.get("extra_metrics")
    extra = extra if isinstance(extra, Mapping) else {}
    label = values.text(answer.get("extracted_answer", answer.get("choice")))
    found = {
        "imported_label": None if label == _UNREAD else label,
        "imported_choice": label,
        "imported_status": values.text(answer.get("parse_status", extra.get("parse_status"))),
        "imported_compliant": extra.get("protocol_compliant"),
        "imported_mention": values.text(answer.get("manipulation_mentioned")),
    }
    return {name: value for name, value in found.items() if value is not None}
