"""Tidy tables for reports: plain ones, and ones full of hostile text."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pandas as pd
import pytest

from tests.analysis.frames import Row, answer, table
from vr_evals.analysis.main_table import join_main_table
from vr_evals.report.results import Results, compute

__all__ = [
    "HOSTILE",
    "authority_study",
    "dilemmas",
    "hostile_study",
    "ladder_study",
    "leave_undrawn",
    "results_of",
]

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "attribute": '"><img src=x onerror=alert(1)>',
    "formula": "=cmd()|'/c calc'!A1",
    "template": "{{ 7*7 }}{% raw %}",
    "right to left": "\u202egnorw\u202c",
    "control": "bell\x07 nul\x00 escape\x1b[31m",
    "long": "x" * 50_000,
    "markdown": "[click](javascript:alert(1)) **bold**",
    "svg": "</svg><script>1</script>",
}


def leave_undrawn(patch: pytest.MonkeyPatch) -> None:
    """Make charts as ever, but draw nothing of them: drawing is most of what a page costs."""
    nothing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9"/>'
    patch.setattr("vl_convert.vegalite_to_svg", lambda spec: nothing)


def results_of(rows: pd.DataFrame, margin: float | None = None) -> Results:
    """What `compute` gives; most frames are computed when they are asked for, by no means all."""
    parts = ("accuracy", "changes", "quality")
    results = compute(rows, margin=margin, only=parts)
    results.frames["main"] = join_main_table(*(results.frames[name] for name in parts))
    return results


def ladder_study(
    models: tuple[str, ...] = ("m/one", "m/two"),
    levels: tuple[int, ...] = (0, 1, 5),
    thinking: tuple[bool, ...] = (False, True),
    *,
    items: int = 8,
    epochs: int = 2,
    **columns: Any,
) -> pd.DataFrame:
    """MORABLES at some levels; who is asked at a higher level is right more often."""
    rows: list[Row] = []
    for model, level, on, number, epoch in product(
        models, levels, thinking, range(items), range(1, epochs + 1)
    ):
        right = (number + epoch + level) % (2 + level) > 0
        first = {"first_label": "B"} if level == 5 else {}
        rows.append(
            answer(
                f"i{number}",
                "A" if right else "BC"[number % 2],
                benchmark="morables",
                model=model,
                level=level,
                thinking=on,
                epoch=epoch,
                thought=on,
                confidence=60.0 + 5 * (number % 7),
                output_tokens=10 * (level + 1),
                seconds=0.5,
                **first,
                **columns,
            )
        )
    return table(rows)


def dilemmas(ambiguity: str = "high") -> pd.DataFrame:
    """MoralChoice's dilemmas in both orders; none of high ambiguity has a right answer."""
    target = {"original": "A", "reversed": "B"} if ambiguity == "low" else {}
    return table(
        answer(
            f"d{number}",
            "A",
            target.get(order),
            option_order=order,
            ambiguity=ambiguity,
        )
        for number in range(6)
        for order in ("original", "reversed")
    )


_CUES = {"control": None, "high_help": "A", "high_harm": "B", "low_help": "A", "low_harm": "B"}


def authority_study(cues: Mapping[str, str | None] = _CUES, items: int = 12) -> pd.DataFrame:
    """Control and cues that endorse; only harm of a high authority is followed, and always."""
    choices = {"A": "action1", "B": "action2", None: None}
    rows = []
    for (condition, endorsed), number, epoch in product(cues.items(), range(items), (1, 2)):
        label = "B" if condition == "high_harm" else "A"
        rows.append(
            answer(
                f"i{number}",
                label,
                level=None,
                task="moralchoice_authority",
                sample_id=f"i{number}@{condition}",
                condition=condition,
                temperature=1.0,
                epoch=epoch,
                endorsed=endorsed,
                endorsed_choice=choices[endorsed],
                help_choice="action1",
                harm_choice="action2",
                complied=None if endorsed is None else label == endorsed,
                acknowledged="none" if endorsed is None else "explicit",
            )
        )
    return table(rows)


def hostile_study() -> pd.DataFrame:
    """Every foreign text of a table is one of `HOSTILE`."""
    texts = list(HOSTILE.values())
    found = ladder_study(models=tuple(texts[:4]), levels=(0, 1), thinking=(False,), items=9)
    names = [texts[int(name[1:]) % len(texts)] for name in found["item"]]
    found = found.assign(item=names, sample_id=names, cluster=names)
    found["log"] = "/logs/" + texts[0] + ".eval"
    found["dataset"] = texts[4]
    found["subset"] = texts[5]
    found["answer_format"] = texts[0]
    found["variant"] = "seed=" + texts[3]
    found["label"] = texts[8]
    found.attrs["notes"] = texts
    found.attrs["skipped"] = [{"log": text, "reason": text, "repeated": False} for text in texts]
    found.attrs["logs"] = [
        {"log": text, "model": text, "task": text, "created": text, "vr_evals": text}
        for text in texts
    ]
    return found
