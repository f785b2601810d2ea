"""Measure how often a report claims an effect if there is none.

    python benchmarks/null_pages.py [--pages 100] [--seed 0] [--jobs 2] [--logs 3] [--draw]

Each report is on a null study: one respondent in all cells, with levels 0–5 × thinking off and on ×
two models of the same behaviour, and an authority grid whose cues have no effect; 60 items, five
epochs, calibrated confidence. Accuracy and structure (``simulated_study.py``) vary between reports.
The last ``--logs`` reports are on real logs: ``vr_sim`` with one accuracy at all levels.

Prints, per question, the share of reports with any claim, its 95 % Wilson interval, and the number
of each claim. Exits with 1 if a share is significantly above 5 % (the interval's lower end).

A claim is read from typed data, never from a sentence. Sections ask ``claimed`` of
``report/claims.py`` which rows they may call significant: what it answers while the page is made is
recorded, with the rows. Calibration's findings are made from `p_adjusted` of its frame, models'
from either. Section 1's answers are counted apart, by question: ``…_answer`` are its primary
effects, whose `p_adjusted` is one family; ``…_cells``, that these differ between cells;
``…_exploratory``, the same contrasts on other outcomes. Charts are left out unless ``--draw`` is
given: they claim nothing of their own.

Without ``n_options`` the chance-adjusted scale has no rows: no respondent is calibrated in both.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import pkgutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np
import pandas as pd
from simulated_study import Design, Random, Respondent, taken, tidy
from studied_figures import CUES, believed, cued

from vr_evals.report import charts, sections
from vr_evals.report.claims import claimed
from vr_evals.report.page import SECTIONS
from vr_evals.report.results import Results, compute
from vr_evals.report.sections.answers import differing
from vr_evals.stats.intervals import wilson

ASKED = ("levels", "thinking", "models", "authority")
KINDS = ("answer", "cells", "exploratory")
"""Of the claims of section 1."""

QUESTIONS = (
    *ASKED,
    "calibration",
    *(f"{question}_{kind}" for kind in KINDS for question in ASKED),
)
BAR = 0.05
MODELS = ("null/one", "null/two")

Frame = pd.DataFrame


QUESTION_OF = {
    "change_from_level0": "levels",
    "level_effect": "levels",
    "change_from_thinking_off": "thinking",
    "thinking_by_level": "thinking",
    "accuracy_difference": "models",
    "excess_compliance": "authority",
    "excess_flip": "authority",
    "level0": "levels",
    "first_pass": "levels",
    "initial": "levels",
    "thinking_off": "thinking",
}
"""The question of a metric or, in flips, of a comparison. Others of authority are told only where
excess compliance is claimed."""


@contextmanager
def recorded() -> Iterator[list[Frame]]:
    """The rows that sections claim meanwhile, in each call of ``claimed``."""
    found: list[Frame] = []

    def recording(rows: Frame, *beside: Frame) -> pd.Series[bool]:
        shown = claimed(rows, *beside)
        found.append(rows[shown])
        return shown

    modules = [module for module in _modules() if hasattr(module, "claimed")]
    for module in modules:
        module.claimed = recording
    try:
        yield found
    finally:
        for module in modules:
            module.claimed = claimed


def _modules() -> Iterator[Any]:
    yield import_module("vr_evals.report.claims")
    for module in pkgutil.iter_modules(sections.__path__, "vr_evals.report.sections."):
        yield import_module(module.name)


def claims(table: Frame) -> dict[str, dict[str, int]]:
    """By question, how often a page claims something of each metric."""
    found: dict[str, Counter[str]] = {question: Counter() for question in QUESTIONS}
    results = compute(table)
    with recorded() as shown:
        for make in SECTIONS:
            make(results)
    for question, frame in (("calibration", "calibration"), ("models", "models")):
        significant = (results[frame]["p_adjusted"] < BAR).fillna(False)
        shown.append(results[frame][significant].assign(question=question))
    for rows in shown:
        for row in rows.to_dict("records"):
            kind = row.get("comparison") or row["metric"]
            question = row.get("question") or QUESTION_OF.get(str(kind))
            if question:
                found[question][f"{row['metric']}"] += 1
    for question in ASKED:
        for kind, rows in answered(results, question).items():
            found[f"{question}_{kind}"].update(rows["outcome"])
    return {question: dict(counts) for question, counts in found.items()}


def answered(results: Results, question: str) -> dict[str, Frame]:
    """The effects that section 1 has as findings on a question, by kind of claim."""
    effects = results.effects
    effects = effects[(effects["question"] == question) & effects["p"].notna()]
    is_primary = effects["is_primary"].astype(bool)
    significant = (effects["p_adjusted"] < BAR).fillna(False)
    main = effects["contrast"].isin(results.main_contrasts)
    return {
        "answer": effects[is_primary & significant],
        "cells": differing(effects[is_primary]),
        "exploratory": effects[main & ~is_primary & significant],
    }


def null_study(rng: Random, design: Design) -> Frame:
    """The tidy table of one page."""
    parts = []
    who = Respondent(design, rng, 1)  # one set of items: all cells are of the same
    for model in MODELS:
        log = partial(_cell, who, model)
        for thinking in (False, True):
            parts += [log(level=level, thinking=thinking) for level in range(6)]
        parts += [_cued(who, model, name, option) for name, option in _CONDITIONS.items()]
    return pd.concat(parts, ignore_index=True)


_CONDITIONS: dict[str, int | None] = {"control": None, **CUES}


def _cell(who: Respondent, model: str, level: int, thinking: bool) -> Frame:
    """One cell of the ladder; first answers of levels 4 and 5 are draws of the same."""
    rate, number = believed(who)
    choices = who.read((number >= rate).astype(int))
    more = {}
    if level in (4, 5):
        first_rate, first_number = believed(who)
        first = who.read((first_number >= first_rate).astype(int))
        kind = np.select([first == choices, choices == 0], [0, 1], 2)
        more = {
            "second_pass": "conversation" if level == 5 else pd.NA,
            "first_format": taken(["tag", "missing"], (first < 0).astype(int)),
            "first_label": taken(["A", "B"], first),
            "first_choice": taken(["0", "1"], first),
            "first_correct": first == 0,
            "reflection": taken(["kept", "good_flip", "bad_flip"], kind),
        }
    return tidy(
        who,
        choices,
        model=model,
        benchmark="ethics",
        level=level,
        thinking=thinking,
        thought=thinking,
        n_options=pd.NA,
        confidence=np.round(100 * rate, 4),
        include_confidence=True,
        log=f"{model}-{level}-{thinking}",
        **more,
    )


def _cued(who: Respondent, model: str, condition: str, option: int | None) -> Frame:
    """One condition of the authority grid."""
    choices = cued(who, condition, option, "none")
    return tidy(
        who,
        choices,
        model=model,
        benchmark="morables",
        level=pd.NA,
        condition=condition,
        n_options=pd.NA,
        help_choice="0",
        harm_choice="1",
        endorsed=pd.NA if option is None else "AB"[option],
        endorsed_choice=pd.NA if option is None else str(option),
        complied=pd.NA if option is None else choices.ravel() == option,
        log=f"{model}-{condition}",
    )


SAME_EVERYWHERE = {
    **dict.fromkeys(("thinking_gain", "good_flip", "bad_flip", "other_flip"), 0.0),
    **{f"pull_{cue}": 0.0 for cue in CUES},
}
"""Arguments of `vr_sim` with which levels, thinking, a second look and cues do nothing."""


def logged_study(seed: int, accuracy: float) -> Frame:
    """The tidy table of real logs: a simulated respondent, two models by its seed."""
    from inspect_ai import eval as inspect_eval

    from vr_evals.analysis import read_logs

    tasks = [f"vr_evals/ethics_level{n}{t}" for n in range(6) for t in ("", "_thinking")]
    parts = []
    for number, name in enumerate(MODELS):
        with tempfile.TemporaryDirectory() as folder:
            inspect_eval(
                [*tasks, "vr_evals/morables_authority"],
                model="vr_sim/careful",
                model_args=SAME_EVERYWHERE | {"seed": 2 * seed + number, "accuracy": accuracy},
                task_args={"dataset": "sample"},
                epochs=5,
                log_dir=folder,
                display="none",
                score_display=False,
            )
            table = read_logs(folder)
            parts.append(table.assign(model=pd.array([name] * len(table), dtype="string")))
    return pd.concat(parts, ignore_index=True)


def page_claims(seed: int, logs: int, draw: bool, number: int) -> dict[str, dict[str, int]]:
    """What one page claims."""
    if not draw:
        charts.PANEL_LIMIT = 0
    rng = np.random.default_rng([seed, abs(number)])
    accuracy = float(rng.uniform(0.55, 0.9))
    if number < logs:
        return claims(logged_study(seed * 1000 + number, round(accuracy, 2)))
    structure = ("mixture", "logit-normal")[number % 2]
    return claims(null_study(rng, Design(60, 5, round(accuracy, 2), structure)))


def judged(pages: list[dict[str, dict[str, int]]]) -> bool:
    """Print the shares; whether all are within the bar."""
    good = True
    for question in QUESTIONS:
        n = sum(bool(page[question]) for page in pages)
        low, high = wilson(n, len(pages))
        what = Counter(kind for page in pages for kind in page[question])
        details = ", ".join(f"{kind} on {count}" for kind, count in what.most_common())
        print(
            f"{question}: {n} of {len(pages)} pages claim an effect, {n / len(pages):.1%} "
            f"[{low:.1%}, {high:.1%}]" + (f" ({details})" if details else "")
        )
        good &= low <= BAR
    return good


def main() -> None:
    """Make the pages and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--logs", type=int, default=3, help="reports on real logs")
    parser.add_argument("--draw", action="store_true", help="also draw the charts")
    parser.add_argument("--json", type=Path, help="write the claims of each report to this file")
    options = parser.parse_args()
    started = time.monotonic()
    run = partial(page_claims, options.seed, options.logs, options.draw)
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        pages = list(pool.imap(run, range(options.pages)))
    if options.json:
        options.json.write_text(json.dumps(pages))
    good = judged(pages)
    print(f"{time.monotonic() - started:.0f} s")
    sys.exit(not good)


if __name__ == "__main__":
    main()
