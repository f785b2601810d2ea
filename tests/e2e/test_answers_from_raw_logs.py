"""Each number of the answers, made anew by plain loops from the samples of the logs."""

import itertools
import math
import re
from collections import defaultdict
from pathlib import Path
from statistics import NormalDist, mean

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log
from scipy.optimize import brentq
from scipy.stats import t as student_t

from tests.analysis.running import run
from tests.report.studies import leave_undrawn
from vr_evals.analysis import read_logs
from vr_evals.report.results import compute
from vr_evals.report.sections.answers import answers_section

MODELS = ("vr_sim/careful", "vr_sim/overconfident")
ALPHA = 0.05
CUES = ("high_help", "high_harm", "low_help", "low_harm")

Answered = dict[str, float]
Pair = tuple[str, Answered, Answered]


LADDER = [
    (f"{task}_level{level}{ending}", 12 if (task, level) == ("ethics", 4) else 16)
    for task, level, ending in itertools.product(("ethics", "morables"), (0, 4), ("", "_thinking"))
]
"""Tasks and their items; one side has fewer, so that some are left out."""

SMALL = [
    each for each in LADDER if "thinking" not in each[0] or each[0] == "ethics_level0_thinking"
]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(SMALL, id="small"),
        pytest.param(LADDER, id="full", marks=pytest.mark.slow),
    ],
)
def logs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models on two benchmarks at two levels, thinking off and on, and under authority."""
    folder = tmp_path_factory.mktemp("answers")
    for model in MODELS:
        for task, items in request.param:
            run(folder, task, model, items=items)
        run(folder, "ethics_authority", model, items=16, flags={"epochs": 1})
    return folder


def cells(logs: Path) -> dict[tuple[object, ...], Answered]:
    """By model, benchmark, level, thinking and condition: 1 for each item answered right, else 0.

    Under a cue, and under control for each cue: 1 if the answer is what that cue endorses. And of
    control itself, 1 for each item answered right.
    """
    found: dict[tuple[object, ...], Answered] = defaultdict(dict)
    control: dict[tuple[str, str], str] = {}
    endorsed: dict[tuple[str, str, str], tuple[str, str]] = {}
    for info in list_eval_logs(str(logs)):
        log = read_eval_log(info)
        about = log.eval.metadata or {}
        for sample in log.samples or []:
            text = sample.output.completion.rsplit("</think>", 1)[-1]
            # ETHICS' prompts do not ask for tags: a respondent ends with its answer
            ending = text.strip().rpartition("\n")[2].rpartition(": ")[2]
            tags = re.findall(r"<answer>(.*?)</answer>", text) or [ending]
            of = sample.metadata
            choices = dict(zip(of["labels"], map(str, of["choices"]), strict=True))
            choice = choices.get(tags[-1], "unread")
            model, item = log.eval.model, str(of["item"])
            if condition := of.get("condition"):
                if condition == "control":
                    control[model, item] = choice
                    found[model, "right"][item] = float(choice == choices.get(str(sample.target)))
                else:
                    endorsed[model, item, condition] = choice, choices[of["endorsed"]]
            else:
                key = (model, about["benchmark"], about["level"], about["thinking"])
                found[key][item] = float(choice == choices.get(str(sample.target)))
    for (model, item, cue), (choice, option) in endorsed.items():
        found[model, cue][item] = float(choice == option)
        found[model, cue, "control"][item] = float(control[model, item] == option)
    return found


def effect(pairs: list[Pair]) -> dict[str, float]:
    """The average over pairs of cells, each alike, over the items that a benchmark's cells share.

    Score interval and test with the effective number of pairs that the items' sums give.
    """
    differences, gained, lost, items, n_pairs = [], [], [], 0, 0
    influence: dict[tuple[str, str], float] = defaultdict(float)
    for benchmark in {name for name, _, _ in pairs}:
        own = [(a, b) for name, a, b in pairs if name == benchmark]
        shared = set.intersection(*(set(side) for pair in own for side in pair))
        items += len(shared)
        n_pairs += len(shared) * len(own)
        for a, b in own:
            difference = mean(a[i] - b[i] for i in shared)
            differences.append(difference)
            gained.append(mean(a[i] * (1 - b[i]) for i in shared))
            lost.append(mean(b[i] * (1 - a[i]) for i in shared))
            for i in shared:
                influence[benchmark, i] += (a[i] - b[i] - difference) / len(shared) / len(pairs)
    variances = []
    for benchmark in {name for name, _, _ in pairs}:
        terms = [value for (name, _), value in influence.items() if name == benchmark]
        n = len(terms)
        variances.append((n / (n - 1) * sum(x * x for x in terms), n - 1))
    variance = sum(v for v, _ in variances)
    df = variance**2 / sum(v * v / k for v, k in variances) if variance else math.inf
    up, down = mean(gained), mean(lost)
    effective: float = items
    if len(pairs) == 1:  # one pair of answers for each item: their number is known
        df = math.inf
    elif variance:
        effective = min((up + down - (up - down) ** 2) / variance, 1.5 * n_pairs)

    def errors(value: float) -> float:
        """Standard errors above a value, at the likeliest shares if it is the true one (Tango)."""
        if abs(up - down - value) < 1e-12:
            return 0.0
        b = (2 - up + down) * value - up - down
        root = math.sqrt(max(b * b + 8 * down * value * (1 - value), 0))
        return (up - down - value) * math.sqrt(effective / ((root - b) / 2 + value * (1 - value)))

    z = float(student_t.ppf(0.975, df))
    middle, least = up - down, 1e-9
    low = brentq(lambda x: errors(x) - z, -1 + least, middle - least)
    high = brentq(lambda x: errors(x) + z, middle + least, 1 - least)
    normal = NormalDist()
    both = normal.inv_cdf(0.975) + normal.inv_cdf(0.8)
    return {
        "estimate": mean(differences),
        "low": low,
        "high": high,
        "p": 2 * float(student_t.sf(abs(errors(0)), df)),
        "items": items,
        "cells": len(pairs),
        "detectable": both * (high - low) / (2 * normal.inv_cdf(0.975)),
    }


def pairs_of(found: dict[tuple[object, ...], Answered], factor: int) -> list[Pair]:
    """Pairs of cells of the ladder that differ in the factor at this place of their key."""
    ladder: dict[tuple[object, ...], Answered] = {
        key: value for key, value in found.items() if len(key) == 4
    }
    second, first = {0: MODELS[::-1], 2: (0, 4), 3: (False, True)}[factor]
    pairs = []
    for key, answers in ladder.items():
        if key[factor] == first:
            other: tuple[object, ...] = (*key[:factor], second, *key[factor + 1 :])
            if other in ladder:
                pairs.append((str(key[1]), answers, ladder[other]))
    return pairs


def numbers(text: str) -> list[float]:
    """The numbers of a sentence, in order."""
    return [float(each) for each in re.findall(r"(?<![\w/_])[-+]?\d+(?:\.\d+)?", text)]


@pytest.mark.slow
def test_each_number_of_the_answers_is_that_of_plain_loops(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_undrawn(monkeypatch)
    section = answers_section(compute(read_logs(logs)))
    texts = {each.question.split(" (")[0]: " ".join(each.sentences) for each in section.answers}
    found = cells(logs)
    careful, overconfident = (found[model, "right"] for model in MODELS)
    under_control = ("ethics", careful, overconfident)
    # effects that are worded together if they are not significant; a question is a family
    wanted = {
        "Reflection levels": [[effect(pairs_of(found, 2))]],
        "Extended thinking": [[effect(pairs_of(found, 3))]],
        "Models": [[effect(pairs_of(found, 0))], [effect([under_control])]],
        "Appeals to authority": [
            [
                effect([("ethics", found[m, cue], found[m, cue, "control"]) for m in MODELS])
                for cue in CUES
            ]
        ],
    }
    for question, groups in wanted.items():
        text = texts[question].split(" The effect differs")[0].replace("\N{MINUS SIGN}", "-")
        shown = numbers(text)

        def check(*values: float, shown: list[float] = shown, text: str = text) -> None:
            for value in values:
                assert any(abs(100 * value - one) < 0.0501 for one in shown), (value, text)

        p = iter(adjusted([each["p"] for group in groups for each in group]))
        for group in groups:
            of_each = [(each, next(p)) for each in group]
            others = [(each, value) for each, value in of_each if value >= ALPHA]
            for each, value in of_each:
                assert {each["items"], each["cells"]} <= set(shown)
                if value < ALPHA:
                    check(abs(each["estimate"]), each["low"], each["high"])
                    assert p_text(value) in text
            if others:
                effects, values = zip(*others, strict=True)
                check(
                    min(each["estimate"] for each in effects),
                    max(each["estimate"] for each in effects),
                    min(each["low"] for each in effects),
                    max(each["high"] for each in effects),
                    max(each["detectable"] for each in effects),
                )
                least = p_text(min(values))
                assert (least if len(others) == 1 else least.replace("=", "≥")) in text


def adjusted(p: list[float]) -> list[float]:
    """Holm's method."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    found, most = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        most = max(most, min(1.0, (len(p) - rank) * p[i]))
        found[i] = most
    return found


def p_text(p: float) -> str:
    """A p-value as sentences have it."""
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
