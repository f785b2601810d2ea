"""Every comparison against figures made anew from the raw JSON of the logs, in plain loops.

Nothing of vr_evals reads or counts here: replies are read by a few lines of their own, which do for
the replies of simulated respondents. The logs hold a retried run, a repeated one, epochs, unread
answers, unequal subsets and both orders.
"""

import itertools
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any
from unittest.mock import patch

import pandas as pd
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry
from scipy.stats import t as student_t

from tests.models_for_tests import QUIETLY
from vr_evals import analysis
from vr_evals.models.sim import SimulatedRespondent

Sample = dict[str, Any]
Cell = tuple[str, str, int, bool]

pytestmark = pytest.mark.slow

MODELS = ("vr_sim/sloppy", "vr_sim/careful")
EPOCHS = 3


def tags_of(reply: str) -> str | None:
    """The label that a simulated respondent's reply gives."""
    text = reply.rsplit("</think>", 1)[-1]
    if re.search(r"</answer>(?:,| or)", text):
        return None
    found = re.findall(r"<answer>(.*?)</answer>", text)
    return found[-1] if found else None


def confidence_of(reply: str) -> float | None:
    found = re.findall(r"<confidence>([\d.]+)</confidence>", reply.rsplit("</think>", 1)[-1])
    return float(found[-1]) if found and tags_of(reply) is not None else None


def replies(sample: Sample) -> list[str]:
    """The visible text of each reply."""
    found = []
    for message in sample["messages"]:
        if message["role"] == "assistant":
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            found.append("".join(p["text"] for p in parts if p["type"] == "text"))
    return found


class Answer:
    """One sample, read anew."""

    def __init__(self, sample: Sample) -> None:
        of, said = sample["metadata"], replies(sample)
        choice = dict(zip(of["labels"], map(str, of["choices"]), strict=True))
        final = said[-1] if len(said) == of["passes"] else ""
        self.item, self.order = of["item"], of["option_order"]
        self.unit = (self.item, self.order)
        self.epoch = sample["epoch"]
        self.ambiguity = of.get("ambiguity")
        self.choice = choice.get(tags_of(final) or "")
        self.position = None if self.choice is None else of["labels"].index(tags_of(final))
        self.first = choice.get(tags_of(said[0]) or "")
        self.right = choice.get(sample["target"])
        self.confidence = confidence_of(final)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs as a messy study leaves it."""
    folder = tmp_path_factory.mktemp("logs")

    def run(task: str, model: str, **changed: Any) -> Any:
        parameters = {"dataset": "sample", "items": 16, "include_confidence": True}
        parameters |= {"option_order": "both"} if task.startswith("moral") else {}
        flags = {"epochs": EPOCHS} | {k: changed.pop(k) for k in ("epochs",) if k in changed}
        [log] = inspect_eval(
            f"vr_evals/{task}", model=model, task_args=parameters | changed, log_dir=str(folder),
            log_format="json", **QUIETLY, **flags,
        )  # fmt: skip
        return log

    for model, level, suffix in itertools.product(MODELS, (0, 1, 5), ("", "_thinking")):
        items = 16 if model == MODELS[0] else 11 + level  # subsets of unequal size
        run(f"moralchoice_level{level}{suffix}", model, items=items)
    run("moralchoice_level1", MODELS[0], items=8)  # a smaller repetition: set aside
    run("morables_level0", MODELS[1], items=12)
    run("morables_level1", MODELS[1], items=12)
    failed = stopped_run(lambda: run("morables_level5", MODELS[1], items=12))
    assert failed.status == "error"
    [again] = eval_retry(failed, log_dir=str(folder), log_format="json", **QUIETLY)
    assert again.status == "success"
    return folder


def stopped_run(run: Callable[[], Any]) -> Any:
    """A run in which the 30th call fails."""
    calls = itertools.count(1)
    generate = SimulatedRespondent.generate

    async def failing(self: SimulatedRespondent, *args: Any, **kwargs: Any) -> Any:
        if next(calls) == 30:
            raise RuntimeError("the provider is down")
        return await generate(self, *args, **kwargs)

    with patch.object(SimulatedRespondent, "generate", failing):
        return run()


@pytest.fixture(scope="module")
def raw(logs: Path) -> dict[Cell, list[Answer]]:
    """The answers of each cell, from the newest and largest finished log of it."""
    chosen: dict[Cell, tuple[int, str, Any]] = {}
    for path in logs.glob("*.json"):
        log = json.loads(path.read_text(encoding="utf-8"))
        of = log["eval"]["metadata"]
        cell = (log["eval"]["model"], of["benchmark"], of["level"], of["thinking"])
        if log["status"] == "success":
            held = (len(log["samples"]), log["eval"]["created"], log)
            if cell not in chosen or held[:2] > chosen[cell][:2]:
                chosen[cell] = held
    cells: dict[Cell, list[Answer]] = {}
    for cell, (_, _, log) in chosen.items():
        for sample in log["samples"]:
            sample["metadata"]["passes"] = 2 if cell[2] == 5 else 1
        cells[cell] = [Answer(sample) for sample in log["samples"]]
    return cells


@pytest.fixture(scope="module")
def table(logs: Path) -> pd.DataFrame:
    return analysis.read_logs(str(logs))


def by_unit(answers: list[Answer]) -> dict[Any, list[Answer]]:
    found: defaultdict[Any, list[Answer]] = defaultdict(list)
    for answer in answers:
        found[answer.unit].append(answer)
    return found


def accuracy_by_unit(answers: list[Answer]) -> dict[Any, float]:
    return {
        unit: mean(a.choice == a.right for a in said)
        for unit, said in by_unit(answers).items()
        if said[0].right is not None
    }


def rows_of(frame: pd.DataFrame, cell: Cell, **where: Any) -> pd.DataFrame:
    model, benchmark, level, thinking = cell
    keys = {"model": model, "benchmark": benchmark, "level": level, "thinking": thinking} | where
    for name, value in keys.items():
        frame = frame[frame[name] == value]
    return frame


def one(frame: pd.DataFrame, cell: Cell, **where: Any) -> Any:
    found = rows_of(frame, cell, **where)
    assert len(found) == 1, (cell, where, found)
    return next(found.itertuples())


def test_the_cells_are_those_of_the_logs(
    table: pd.DataFrame, raw: dict[Cell, list[Answer]]
) -> None:
    keys = table[["model", "benchmark", "level", "thinking"]].itertuples(index=False)
    assert Counter(tuple(key) for key in keys) == {c: len(a) for c, a in raw.items()}
    assert any(a.choice is None for answers in raw.values() for a in answers)
    reasons = [skipped["reason"] for skipped in table.attrs["skipped"]]
    assert len(reasons) == 2, reasons


def test_accuracy(table: pd.DataFrame, raw: dict[Cell, list[Answer]]) -> None:
    found = analysis.accuracy(table)
    for cell, answers in raw.items():
        units = accuracy_by_unit(answers)
        row = one(found, cell, metric="accuracy")
        assert row.estimate == pytest.approx(mean(units.values()))
        assert row.n_items == len({item for item, _ in units})
        read = [mean(a.choice is not None for a in said) for said in by_unit(answers).values()]
        assert one(found, cell, metric="read_rate").estimate == pytest.approx(mean(read))


def test_changes_and_models(table: pd.DataFrame, raw: dict[Cell, list[Answer]]) -> None:
    changes, models = analysis.changes(table), analysis.compare_models(table)
    pairs: list[tuple[pd.DataFrame, Cell, Cell, dict[str, Any]]] = []
    for cell in raw:
        model, benchmark, level, thinking = cell
        if level:
            base = (model, benchmark, 0, thinking)
            pairs.append((changes, cell, base, {"metric": "change_from_level0"}))
        if thinking:
            base = (model, benchmark, level, False)
            pairs.append((changes, cell, base, {"metric": "change_from_thinking_off"}))
        if model == min(MODELS) and benchmark == "moralchoice":
            base = (max(MODELS), benchmark, level, thinking)
            pairs.append((models, cell, base, {"metric": "accuracy_difference"}))
    assert len(pairs) == 8 + 6 + 2 + 6
    for frame, cell, base, where in pairs:
        here, there = accuracy_by_unit(raw[cell]), accuracy_by_unit(raw[base])
        both = here.keys() & there.keys()
        row = one(frame, cell, **where)
        assert row.estimate == pytest.approx(mean(here[u] - there[u] for u in both)), (cell, where)
        assert row.n_items == len({item for item, _ in both})
        assert (row.p < 0.05) == (row.low > 0 or row.high < 0)
        assert row.p == pytest.approx(score_p(raw[cell], raw[base]), abs=1e-9)


def score_p(side: list[Answer], reference: list[Answer]) -> float:
    """The p of Tango's score test of a paired difference, items being clusters of their orders."""
    here, there = accuracy_by_unit(side), accuracy_by_unit(reference)
    epochs = [Counter(answer.unit for answer in answers) for answers in (side, reference)]
    both = here.keys() & there.keys()
    pairs = sum(min(counts[unit] for counts in epochs) for unit in both)
    gained = mean(here[unit] * (1 - there[unit]) for unit in both)
    lost = mean((1 - here[unit]) * there[unit] for unit in both)
    change = gained - lost
    sums: defaultdict[str, float] = defaultdict(float)
    for unit in both:
        sums[unit[0]] += (here[unit] - there[unit] - change) / len(both)
    clusters = len(sums)
    variance = clusters / (clusters - 1) * math.fsum(each**2 for each in sums.values())
    n = min((gained + lost - change**2) / variance, 1.5 * pairs)
    return float(2 * student_t.sf(abs(change) * math.sqrt(n / (gained + lost)), clusters - 1))


def test_flips(table: pd.DataFrame, raw: dict[Cell, list[Answer]]) -> None:
    found = analysis.flips(table)
    for cell, answers in raw.items():
        model, benchmark, level, thinking = cell
        if level:
            base = by_unit(raw[model, benchmark, 0, thinking])
            shares = []
            for unit, said in by_unit(answers).items():
                votes = Counter(a.choice for a in base.get(unit, []) if a.choice).most_common(2)
                read = [a.choice for a in said if a.choice]
                tie = len(votes) == 2 and votes[0][1] == votes[1][1]
                if votes and read and not tie:
                    shares.append(mean(choice != votes[0][0] for choice in read))
            row = one(found, cell, comparison="level0", metric="flip")
            assert row.estimate == pytest.approx(mean(shares))
        if level == 5:
            read_twice = [a for a in answers if a.first and a.choice]
            row = one(found, cell, comparison="first_pass", metric="flip")
            assert row.estimate == pytest.approx(mean(a.first != a.choice for a in read_twice))
            assert row.n_samples == len(read_twice)
            good = [a for a in read_twice if a.first != a.choice and a.choice == a.right]
            row = one(found, cell, comparison="first_pass", metric="good_flip")
            assert row.estimate == pytest.approx(len(good) / len(read_twice))


def test_agreement(table: pd.DataFrame, raw: dict[Cell, list[Answer]]) -> None:
    found = analysis.agreement(table)
    for cell, answers in raw.items():
        units = [
            mean(a.choice == b.choice for a, b in itertools.combinations(said, 2))
            for said in by_unit(answers).values()
        ]
        assert one(found, cell, metric="agreement").estimate == pytest.approx(mean(units))


def test_preference_and_position(table: pd.DataFrame, raw: dict[Cell, list[Answer]]) -> None:
    found = analysis.preference(table)
    for cell, answers in raw.items():
        if cell[1] != "moralchoice":
            continue
        for ambiguity in ("low", "high"):
            units = [
                mean(a.choice == "action1" for a in said if a.choice)
                for said in by_unit([a for a in answers if a.ambiguity == ambiguity]).values()
                if any(a.choice for a in said)
            ]
            row = one(found, cell, metric="p_action1", ambiguity=ambiguity)
            assert row.estimate == pytest.approx(mean(units))
        orders: defaultdict[str, dict[str, list[Answer]]] = defaultdict(dict)
        for (item, order), said in by_unit([a for a in answers if a.choice]).items():
            orders[item][order] = said
        both = [pair for pair in orders.values() if len(pair) == 2]
        bias = mean(mean(mean(a.position == 0 for a in s) for s in p.values()) for p in both) - 0.5
        row = one(found[found["letter"].isna()], cell, metric="position_bias")
        assert row.estimate == pytest.approx(bias)
        alike = [
            mean(a.choice == b.choice for a, b in itertools.product(*pair.values()))
            for pair in both
        ]
        row = one(found, cell, metric="order_consistency")
        assert row.estimate == pytest.approx(mean(alike))


def test_calibration(table: pd.DataFrame, raw: dict[Cell, list[Answer]]) -> None:
    found = analysis.calibration(table, simulations=50)
    for cell, answers in raw.items():
        stated = [a for a in answers if a.confidence is not None and a.choice and a.right]
        said = [(float(a.confidence or 0), float(a.choice == a.right)) for a in stated]
        brier = mean((confidence / 100 - right) ** 2 for confidence, right in said)
        row = one(found, cell, metric="brier", scale="stated")
        assert row.estimate == pytest.approx(brier)
        assert row.n_samples == len(stated)
        bins: defaultdict[int, list[float]] = defaultdict(list)
        for confidence, right in said:
            bins[max(math.ceil(confidence / 10), 1)].append(right - confidence / 100)
        ece = sum(abs(math.fsum(gaps)) for gaps in bins.values()) / len(stated)
        row = one(found, cell, metric="ece", scale="stated")
        assert row.estimate == pytest.approx(ece)


def test_noise_floor_is_the_change_between_equal_prompts(
    table: pd.DataFrame, raw: dict[Cell, list[Answer]]
) -> None:
    here, there = (accuracy_by_unit(raw[MODELS[1], "morables", n, False]) for n in (1, 0))
    found = analysis.noise_floor(table)
    [row] = found[found["metric"] == "change_from_level0"].itertuples()
    assert row.estimate == pytest.approx(mean(here[u] - there[u] for u in here))
