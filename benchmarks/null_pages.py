"""How often does a page claim an effect where there is none?

    python benchmarks/null_pages.py [--pages 100] [--seed 0] [--jobs 2] [--logs 3] [--draw]

A page is made of a null study: one respondent in all cells, with levels 0–5 × thinking off and on ×
two models of the same behaviour and an authority grid whose cues do nothing; 60 items, five epochs,
confidence that comes true. Accuracy and structure (``simulated_study.py``) differ from page to
page. The last ``--logs`` pages come from real logs: ``vr_sim`` with one accuracy at all levels.

Prints, for each question, the share of pages with any claim and its 95 % Wilson interval, and what
was claimed how often. Exits with 1 if a share is above 5 % by more than chance allows (the
interval's lower end).

A claim is read from typed data, never from a sentence: the page's findings with ``claims`` and
``question``, where they have these; and ``CLAIMS``, the rows of frames whose p or interval the
headlines are made from. Both are counted, and the larger share is judged. Charts are left out
unless ``--draw`` is given: they claim nothing of their own.

Without ``n_options`` the chance-adjusted scale has no rows: no respondent is calibrated in both.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402 - after the lines above
import pandas as pd  # noqa: E402
from simulated_study import Design, Random, Respondent, taken, tidy  # noqa: E402
from studied_figures import CUES, believed, cued  # noqa: E402

from vr_evals.report import figures as drawing  # noqa: E402
from vr_evals.report.page import SECTIONS  # noqa: E402
from vr_evals.report.results import Results, compute  # noqa: E402
from vr_evals.stats.intervals import wilson  # noqa: E402

QUESTIONS = ("levels", "thinking", "models", "authority", "calibration")
BAR = 0.05
MODELS = ("null/one", "null/two")

Frame = pd.DataFrame


def _adjusted(frame: Frame, metrics: str = "", comparisons: str = "") -> Frame:
    """Rows shown after adjustment, of some metrics and comparisons."""
    if "p_adjusted" not in frame:
        return frame.iloc[:0]
    rows = frame[(frame["p_adjusted"] < BAR).fillna(False)]
    if metrics:
        rows = rows[rows["metric"].isin(metrics.split())]
    return rows[rows["comparison"].isin(comparisons.split())] if comparisons else rows


def _away(frame: Frame, *metrics: str) -> Frame:
    """Rows of the metrics whose interval is above 0."""
    return frame[frame["metric"].isin(metrics) & (frame["low"] > 0).fillna(False)]


def _authority(results: Results) -> Frame:
    """What is tested, and by its interval what has no test but a headline."""
    frame = results["authority"]
    tested = frame.groupby("metric")["p"].transform(lambda p: p.notna().any())
    told = _away(frame[~tested & frame["note"].isna()], "excess_vulnerability", "asymmetry")
    return pd.concat([_adjusted(frame), told])


def _calibration(results: Results) -> Frame:
    """After adjustment if there is one; else by the floor, and by each interval."""
    frame = results["calibration"]
    if "p_adjusted" in frame:
        return _adjusted(frame)
    keys = ["model", "benchmark", "level", "thinking", "condition", "scale"]
    floor = frame[frame["metric"] == "ece_floor"][[*keys, "high"]]
    ece = frame[frame["metric"] == "ece"].merge(
        floor.rename(columns={"high": "floor"}), on=keys, how="left"
    )
    over = frame[frame["metric"] == "overconfidence"]
    return pd.concat(
        [ece[ece["estimate"] > ece["floor"]], over[(over["low"] > 0) | (over["high"] < 0)]]
    )


CLAIMS: dict[str, Callable[[Results], Iterator[Frame]]] = {
    "levels": lambda results: iter(
        [
            _adjusted(results["changes"], "change_from_level0"),
            _adjusted(results["ladder"], "level_effect"),
            _adjusted(results["flips"], comparisons="level0 first_pass"),
        ]
    ),
    "thinking": lambda results: iter(
        [
            _adjusted(results["changes"], "change_from_thinking_off"),
            _adjusted(results["ladder"], "thinking_by_level"),
            _adjusted(results["flips"], comparisons="thinking_off"),
        ]
    ),
    "models": lambda results: iter([_adjusted(results["models"])]),
    "authority": lambda results: iter([_authority(results)]),
    "calibration": lambda results: iter([_calibration(results)]),
}
"""By question, the rows that headlines call shown."""


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
    """One cell of the ladder; the first pass of level 5 is a draw of the same."""
    rate, number = believed(who)
    choices = who.read((number >= rate).astype(int))
    more = {}
    if level == 5:
        first_rate, first_number = believed(who)
        first = who.read((first_number >= first_rate).astype(int))
        kind = np.select([first == choices, choices == 0], [0, 1], 2)
        more = {
            "second_pass": "conversation",
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


def claims(table: Frame) -> dict[str, dict[str, int]]:
    """By question, what a page claims, and how often: findings, and rows of frames."""
    results = compute(table)
    found: dict[str, Counter[str]] = {question: Counter() for question in QUESTIONS}
    for question, rows_of in CLAIMS.items():
        for rows in rows_of(results):
            if len(rows):
                found[question].update(f"rows: {metric}" for metric in rows["metric"])
    for make in SECTIONS:
        for finding in make(results).findings:
            if getattr(finding, "claims", False) and getattr(finding, "question", ""):
                found[str(finding.question)]["findings"] += 1
    return {question: dict(counts) for question, counts in found.items()}


def page_claims(seed: int, logs: int, draw: bool, number: int) -> dict[str, dict[str, int]]:
    """What one page claims."""
    if not draw:
        drawing.PANEL_LIMIT = 0
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
    parser.add_argument("--logs", type=int, default=3, help="pages from real logs")
    parser.add_argument("--draw", action="store_true", help="draw the charts, too")
    parser.add_argument("--json", type=Path, help="write what each page claims to this file")
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
