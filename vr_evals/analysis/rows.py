"""From the summary of a sample to the cells of its row.

Everything is found in the summaries of a log, which hold the scores and scalars of the metadata.
Logs are edited, old or written by others: a value of another kind than expected is missing.
"""

import math
from collections.abc import Mapping
from typing import Any

from vr_evals.analysis.run import Run, dollars, tokens
from vr_evals.analysis.summaries import Noted, Summary
from vr_evals.characters import replace_lone_surrogates
from vr_evals.level_checks import LEVEL_CHECKS
from vr_evals.levels import Level

__all__ = ["is_finished", "run_cells", "sample_cells"]

_NO_INTEGER = 2.0**63
"""No column of integers can hold it."""

_RIGHT = {"C": True, "I": False, "N": False}


def is_finished(sample: Summary) -> bool:
    """Whether a sample ended and was scored."""
    return sample.error is None and bool(sample.scores)


def run_cells(run: Run) -> dict[str, Any]:
    """The cells that all samples of a run share."""
    settings = run.settings
    return {
        "task": _text(run.task),
        "thinking": run.thinking,
        "include_confidence": _flag(settings.get("include_confidence")),
        "temperature": _number(settings.get("temperature")),
        "variant": _text(run.variant),
        "settings": _text(run.settings_as_json),
        "version": _text(settings.get("version")),
        "dataset": _text(settings.get("dataset")),
        "subset": _text(settings.get("subset")),
        "sample_data": run.facts["sample_data"],
        "log": _text(run.log),
    }


def sample_cells(sample: Summary, run: Run) -> dict[str, Any]:
    """The cells of one sample.

    Args:
        sample: The summary of the sample.
        run: The run that it is of.
    """
    metadata, scores = sample.metadata, sample.scores or {}
    answer, read, reflection = (
        _score_metadata(scores, n) for n in ("answer", "answer_format", "reflection")
    )
    compliance = _score_metadata(scores, "compliance")
    level = _level(scores, run)
    # outside the authority paradigm, a user's own column may have such a name
    design = {} if run.conditions == (None,) else {**metadata, **compliance}
    calls, thought = _integer(read.get("calls")), _integer(read.get("calls_that_thought"))
    return {
        "benchmark": _text(metadata.get("benchmark", run.benchmark)),
        "level": level,
        "condition": _text(design.get("condition")),
        "item": _text(metadata.get("item", sample.id)),
        "sample_id": _text(sample.id),
        "epoch": _integer(sample.epoch),
        "cluster": _text(metadata.get("cluster", metadata.get("item", sample.id))),
        "option_order": _text(metadata.get("option_order")),
        "n_options": _length(metadata.get("labels")),
        "ambiguity": _text(metadata.get("ambiguity")),
        "label": _text(
            _score_answer(scores, "answer")
            or _score_answer(scores, "compliance")
            or _label_of_choice(read, metadata)
        ),
        "choice": _text(_first_entry("choice", answer, read, compliance)),
        "choice_kind": _text(_first_entry("option_kind", answer, compliance)),
        "target": _text(_target(sample)),
        "right_choice": _text(_right_choice(sample, compliance, reflection)),
        "correct": _correct(scores),
        "answer_format": _text(_score_answer(scores, "answer_format") or answer.get("read_as")),
        "cut_off": _flag(read.get("cut_off")),
        "visible_words": _integer(read.get("visible_words")),
        **{name: _flag(read.get(name)) for name in LEVEL_CHECKS},
        "confidence": _confidence(_score_value(scores, "confidence")),
        "confidence_category": _text(_score_metadata(scores, "confidence").get("category")),
        "first_label": _text(reflection.get("first_label")),
        "first_choice": _text(reflection.get("first_choice")),
        "first_correct": _flag(reflection.get("first_correct")),
        "first_format": _text(reflection.get("first_read_as")),
        "first_confidence": _confidence(reflection.get("first_confidence")),
        "reflection": _text(_score_answer(scores, "reflection")),
        "endorsed": _text(design.get("endorsed")),
        "endorsed_choice": _text(compliance.get("endorsed_choice")),
        "help_choice": _text(compliance.get("help_choice")),
        "harm_choice": _text(compliance.get("harm_choice")),
        "complied": _flag(_score_value(scores, "compliance", "complied")),
        "acknowledged": _text(_score_answer(scores, "acknowledgement")),
        "acknowledged_in_reasoning": _text(
            _score_metadata(scores, "acknowledgement").get("reasoning")
        ),
        "moved": None,  # is of the whole table
        "stop_reason": _text(read.get("stop_reason")),
        **{name: _integer(count) for name, count in tokens(sample.model_usage).items()},
        "cost": _number(dollars(sample.model_usage)),
        "seconds": _number(sample.working_time),
        "calls": calls,
        "calls_that_thought": thought,
        "thought": thought == calls if calls and thought is not None else None,
        "thinking_status": _text(read.get("thinking_status")),
        "temperature_status": _text(read.get("temperature_status")),
        "budget_status": _text(read.get("budget_status")),
        "served_model": _text(read.get("served_model") or None),
        "second_pass": _text(_second_pass(level, metadata)),
        "simulated": bool(_flag(read.get("simulated"))) or run.model.startswith("vr_sim/"),
        "imported": run.facts["imported"] is not None,
        "imported_label": _text(metadata.get("imported_label")),
        "imported_confidence": _number(metadata.get("imported_confidence")),
        "complete": run.finished and is_finished(sample),
        "error": _text(sample.error),
        "uuid": _text(sample.uuid),
    }


def _label_of_choice(read: Mapping[str, Any], metadata: Mapping[str, Any]) -> Any:
    """The label of the choice that `answer_format` noted, where no other scorer ran."""
    labels, choices = metadata.get("labels"), metadata.get("choices")
    if isinstance(labels, list) and isinstance(choices, list) and read.get("choice") in choices:
        place = choices.index(read["choice"])
        return labels[place] if place < len(labels) else None
    return None


def _score_metadata(scores: Mapping[str, Noted], scorer: str) -> Mapping[str, Any]:
    """What a scorer noted beside its value."""
    score = scores.get(scorer)
    return (score.metadata or {}) if score else {}


def _score_answer(scores: Mapping[str, Noted], scorer: str) -> str | None:
    """The word or label that a scorer gives as its answer."""
    score = scores.get(scorer)
    return score.answer if score else None


def _score_value(scores: Mapping[str, Noted], scorer: str, key: str | None = None) -> object:
    """A scorer's value, or one of its values."""
    value: object = scores[scorer].value if scorer in scores else None
    if key is None:
        return value
    return value.get(key) if isinstance(value, Mapping) else None


def _first_entry(key: str, *notes: Mapping[str, Any]) -> object:
    """What the first of some notes that has the key says."""
    return next((noted[key] for noted in notes if noted.get(key) is not None), None)


def _level(scores: Mapping[str, Noted], run: Run) -> int | None:
    """The level whose prompt was used: the sample's own, else the run's."""
    for name in scores:
        noted = _score_metadata(scores, name)
        if "level" in noted:
            return _integer(noted["level"])
    return run.level


def _second_pass(level: int | None, metadata: Mapping[str, Any]) -> object:
    return metadata.get("second_pass") if level == Level.TWO_PASS else None


def _target(sample: Summary) -> str | None:
    target = sample.target if isinstance(sample.target, str) else "".join(sample.target[:1])
    return target or None


def _right_choice(
    sample: Summary, compliance: Mapping[str, Any], reflection: Mapping[str, Any]
) -> object:
    """The target in canonical terms; the summary of a sample leaves out long lists of options."""
    labels, choices = sample.metadata.get("labels"), sample.metadata.get("choices")
    if isinstance(labels, list) and isinstance(choices, list) and sample.target in labels:
        position = labels.index(sample.target)
        return choices[position] if position < len(choices) else None
    return _first_entry("right_choice", compliance, reflection)


def _correct(scores: Mapping[str, Noted]) -> bool | None:
    value = _score_value(scores, "answer")
    if isinstance(value, str):
        return _RIGHT.get(value)
    return _flag(_score_value(scores, "compliance", "correct") if value is None else value)


def _text(value: object) -> str | None:
    """A text, or a number as text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return replace_lone_surrogates(
        str(value)
    )  # no column of text can hold half of a surrogate pair


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def _confidence(value: object) -> float | None:
    found = _number(value)
    return found if found is not None and 0 <= found <= 100 else None


def _integer(value: object) -> int | None:
    found = _number(value)
    if found is None or not found.is_integer() or not -_NO_INTEGER < found < _NO_INTEGER:
        return None
    return value if isinstance(value, int) else int(found)


def _flag(value: object) -> bool | None:
    """A truth value, which scores write as 1 or 0."""
    if isinstance(value, bool):
        return value
    found = _number(value)
    return bool(found) if found in (0.0, 1.0) else None


def _length(value: object) -> int | None:
    return len(value) if isinstance(value, list) else None
