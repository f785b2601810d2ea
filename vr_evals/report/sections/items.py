"""Section 13: the items that most answers get wrong, and the most unstable ones."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.analysis.items import example
from vr_evals.conditions import CONTROL
from vr_evals.formatting import isolated, percent, plural
from vr_evals.report.blocks import Example, Section
from vr_evals.report.results import Results
from vr_evals.report.samples import common_folder, sample_block, view_command
from vr_evals.report.tables import cell_words

__all__ = ["items_section"]

_SHOWN = 5


def items_section(results: Results) -> Section:
    """Show the items that most answers get wrong, and those on which answers differ most."""
    title = "Hardest and most unstable items"
    frame = results["items"]
    scored = frame[frame["accuracy"] < 1] if len(frame) else frame
    divided = frame[frame["instability"] > 0] if len(frame) else frame
    condition = results.rows["condition"]
    cued = bool((condition.notna() & (condition != CONTROL.name)).fillna(False).any())
    left_out = ("Answers under a cue are left out here: cues are meant to change them.",) * cued
    if scored.empty and divided.empty:
        why = "No item was answered wrong or inconsistently" + " without a cue" * cued
        return Section("items", title, findings=(f"{why}.", *left_out))
    folder = common_folder(results.rows["log"].dropna().unique().tolist())
    worst = scored.sort_values(["accuracy", "n_samples"], ascending=[True, False], kind="stable")
    unstable = divided.sort_values("instability", ascending=False, kind="stable")
    groups = (
        ("Most often wrong", _examples(results, worst, folder, wrong=True)),
        ("Most unstable", _examples(results, unstable, folder, wrong=False)),
    )
    repeated = bool((frame["n_samples"] > 1).any())
    not_right = "never answered" if repeated else "not answered"
    accuracy = frame["accuracy"].dropna()  # an item without a target cannot be answered right
    never = int((accuracy == 0).sum())
    findings = []
    if never:
        findings.append(
            f"{never} of {plural(len(accuracy), 'item')} with a right answer "
            f"{'was' if never == 1 else 'were'} {not_right} right. "
            f"Read {'it' if never == 1 else 'them'} first: the label may be wrong."
        )
    elif len(accuracy):
        once = " at least once" * repeated
        findings.append(f"Every item with a right answer was answered right{once}.")
    if len(unstable):
        most: Any = unstable.iloc[0]
        findings.append(
            f"The most unstable item is {isolated(most['item'])}: two answers of the same model, "
            f"at any level and epoch, differ in {percent(most['instability'])} of cases "
            f"(n = {plural(int(most['n_samples']), 'sample')})."
        )
    return Section(
        "items",
        title,
        findings=(*findings, *left_out),
        examples=tuple(group for group in groups if group[1]),
        command=view_command(folder),
    )


def _examples(
    results: Results, frame: pd.DataFrame, folder: str, *, wrong: bool
) -> tuple[Example, ...]:
    found = []
    item: Any
    for item in frame.head(_SHOWN).itertuples():
        row = example(results.rows, item.benchmark, item.item, wrong=wrong)
        answers = f"{plural(item.n_samples, 'answer')} from {plural(item.n_models, 'model')}"
        right = "" if pd.isna(item.accuracy) else f", {percent(item.accuracy)} of them right"
        differ = (
            ""
            if pd.isna(item.instability)
            else f"; two answers of the same model differ in {percent(item.instability)} of cases"
        )
        answered = (
            "no readable answer"
            if pd.isna(row["label"])
            else f"answered “{isolated(row['label'])}”"
        )
        where = cell_words(row, "model", "level", "thinking", "condition")
        title = f"{isolated(item.item)} · {isolated(item.benchmark)}"
        reason = f"{answers}{right}{differ}. Shown: {where}, {answered}."
        found.append(sample_block(row, folder, title, reason))
    return tuple(found)
