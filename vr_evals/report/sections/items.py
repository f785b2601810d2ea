"""Section 11: the worst and the most unstable items."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.conditions import CONTROL
from vr_evals.report.blocks import Example, Section
from vr_evals.report.items import example
from vr_evals.report.results import Results
from vr_evals.report.samples import common_folder, sample_block, view_command
from vr_evals.report.tables import cell_words
from vr_evals.report.text import isolated, percent, plural

__all__ = ["items_section"]

_SHOWN = 5


def items_section(results: Results) -> Section:
    """Items that most answers get wrong, and those on which models contradict themselves."""
    title = "The worst and the most unstable items"
    frame = results["items"]
    scored = frame[frame["accuracy"] < 1] if len(frame) else frame
    divided = frame[frame["instability"] > 0] if len(frame) else frame
    condition = results.rows["condition"]
    cued = (condition.notna() & (condition != CONTROL.name)).fillna(False).any()
    left_out = ("Answers under a cue are left out here: it is meant to move them.",) if cued else ()
    if scored.empty and divided.empty:
        why = "No item was answered wrong or in two ways" + " without a cue" * bool(cued) + "."
        return Section("items", title, findings=(why, *left_out))
    folder = common_folder(results.rows["log"].dropna().unique().tolist())
    worst = scored.sort_values(["accuracy", "n_samples"], ascending=[True, False], kind="stable")
    unstable = divided.sort_values("instability", ascending=False, kind="stable")
    groups = (
        ("Answered wrong most often", _samples(results, worst, folder, wrong=True)),
        ("Most unstable", _samples(results, unstable, folder, wrong=False)),
    )
    never = int((frame["accuracy"] == 0).sum())
    findings = [
        f"Of {plural(len(frame), 'item')}, {never or 'none'} {'was' if never == 1 else 'were'} "
        "never answered right."
        + (
            " Read them before the figures are believed: it may be the label that is wrong."
            * (never > 0)
        )
    ]
    if len(unstable):
        findings.append(
            f"The most unstable item is {isolated(unstable.iloc[0]['item'])}: two answers of the "
            f"same model to it differ in {percent(unstable.iloc[0]['instability'])} of cases, at "
            "whatever level and epoch."
        )
    return Section(
        "items",
        title,
        findings=(*findings, *left_out),
        samples=tuple(group for group in groups if group[1]),
        command=view_command(folder),
    )


def _samples(
    results: Results, frame: pd.DataFrame, folder: str, *, wrong: bool
) -> tuple[Example, ...]:
    found = []
    item: Any
    for item in frame.head(_SHOWN).itertuples():
        row = example(results.rows, item.benchmark, item.item, wrong=wrong)
        asked = f"{plural(item.n_samples, 'answer')} of {plural(item.n_models, 'model')}"
        right = "" if pd.isna(item.accuracy) else f", {percent(item.accuracy)} of them right"
        differ = (
            ""
            if pd.isna(item.instability)
            else f"; two answers of the same model differ in {percent(item.instability)} of cases"
        )
        said = (
            "gave no readable answer"
            if pd.isna(row["label"])
            else f"answered “{isolated(row['label'])}”"
        )
        where = cell_words(row, "model", "level", "thinking", "condition")
        title = f"{isolated(item.item)} · {isolated(item.benchmark)}"
        found.append(
            sample_block(row, folder, title, f"{asked}{right}{differ}. Shown: {where} {said}.")
        )
    return tuple(found)
