"""`compare_logs` on tasks of inspect-evals, with made data in the layouts that they load."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from inspect_ai import Epochs
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from tests.foreign_logs import Reply, answering, loaded, ran
from vr_evals.analysis import compare_logs

pytest.importorskip("inspect_evals", reason="the dependency group foreign is not installed")

N = 10


def load(monkeypatch: pytest.MonkeyPatch, name: str, records: list[dict[str, Any]]) -> Any:
    """A module of inspect-evals that loads these records."""
    module = import_module(f"inspect_evals.{name}.{name}")
    loader = "load_csv_dataset" if hasattr(module, "load_csv_dataset") else "hf_dataset"
    monkeypatch.setattr(module, loader, loaded(records))
    return module


def number(text: str) -> int:
    """The number of the sample that a prompt contains."""
    found = re.search(r"case (\d+)", text)
    assert found, text
    return int(found[1])


def lettered(n: int) -> Reply:
    """Reply with the right letter, but to the first `n` with the next one."""
    return lambda text: f"ANSWER: {'ABCDE'[(number(text) + (number(text) < n)) % 5]}"


def sorry(n: int) -> Reply:
    """Reply with up to `n` − 1 regrets."""
    return lambda text: "alas " * (number(text) % n) + "so"


def refusing(n: int) -> Reply:
    """Refuse the first `n`."""
    return lambda text: "no," if number(text) < n else "yes"


def plain(logs: dict[str, EvalLog], scorer: str, key: str | None = None) -> float:
    """The paired difference of two logs' means of epochs, by a plain loop."""
    means: list[dict[Any, list[float]]] = [{}, {}]
    for log, found in zip(logs.values(), means, strict=True):
        for sample in log.samples or ():
            assert sample.scores
            value: Any = sample.scores[scorer].value
            value = value[key] if key and isinstance(value, dict) else value
            value = {"C": 1.0, "P": 0.5, "I": 0.0}.get(value, value)
            if value == value:
                found.setdefault(sample.id, []).append(value)
    first, second = means
    shared = [item for item in first if item in second]
    assert shared
    return float(np.mean([np.mean(first[item]) - np.mean(second[item]) for item in shared]))


def difference(frame: pd.DataFrame, scorer: str, key: str = "", reducer: str = "mean") -> Any:
    pairs = frame[frame["versus"].notna()]
    [found] = pairs[
        (pairs["scorer"] == scorer) & (pairs["score"] == key) & (pairs["reducer"] == reducer)
    ].itertuples()
    return found


def test_multiple_choice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    records = [
        {
            "id": f"q{i}",
            "question": f"case {i}?",
            "choices": {"text": [f"option {j}" for j in range(5)]},
            "answerKey": "ABCDE"[i % 5],
            "question_concept": "made",
        }
        for i in range(N)
    ]
    made = load(monkeypatch, "commonsense_qa", records).commonsense_qa
    logs = {
        name: ran(
            made(),
            answering(name, lettered(n)),
            tmp_path,
        )
        for name, n in (("a", 2), ("b", 6))
    }
    found = difference(compare_logs(tmp_path), "choice")
    assert found.estimate == pytest.approx(0.4) == plain(logs, "choice")
    assert found.scale == "rate"


def test_free_text_graded_by_a_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    records = [
        {
            "id": i,
            "prompt": f"case {i}",
            "type": "homonyms",
            "label": "safe",
            "focus": "",
            "note": "",
        }
        for i in range(N)
    ]
    module = load(monkeypatch, "xstest", records)
    grader = answering("grader", lambda text: f"GRADE: {'CPI'[len(re.findall('alas', text)) % 3]}")
    logs = {
        name: ran(
            module.xstest(scorer_model=grader),
            answering(name, sorry(n)),
            tmp_path,
        )
        for name, n in (("a", 1), ("b", 3))
    }
    frame = compare_logs(tmp_path)
    [scorer] = frame["scorer"].unique()
    found = difference(frame, scorer)
    assert found.estimate == pytest.approx(plain(logs, scorer))
    assert found.estimate > 0
    assert found.scale == "mean"


def test_a_score_with_several_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    records = [
        {"category": "made", "forbidden_prompt": f"case {i}", "source": "made"} for i in range(N)
    ]
    module = load(monkeypatch, "strong_reject", records)

    def judge(text: str) -> str:
        if number(text) == 0:
            return "no grade"
        refused = int("no," in text)
        return f"#scores 1.b {refused} 2.b {1 + number(text) % 5} 3.b {2 if refused else 3}"

    grader: Model = answering("judge", judge)
    logs = {
        name: ran(
            module.strong_reject(judge_llm=grader),
            answering(name, refusing(n)),
            tmp_path,
        )
        for name, n in (("a", 3), ("b", 7))
    }
    frame = compare_logs(tmp_path)
    [scorer] = frame["scorer"].unique()
    keys = set(frame["score"])
    assert len(keys) == 3
    for key in keys:
        found = difference(frame, scorer, key)
        assert found.estimate == pytest.approx(plain(logs, scorer, key)), key
        assert found.n_items == N - 1
    models = frame[frame["versus"].isna()]
    assert (models["n_unscored"] == 1).all()


def test_several_scorers_with_epochs_reducers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    records = [
        {
            "id": f"s{i}",
            "context": f"passage {i // 2}",
            "question": f"case {i}?",
            "answers": {"text": [f"red {i}"]},
        }
        for i in range(N)
    ]
    module = load(monkeypatch, "squad", records)
    calls: dict[str, int] = {}

    def reply(name: str, every: int) -> Any:
        def say(text: str) -> str:
            calls[name + text] = calls.get(name + text, 0) + 1
            right = (number(text) + calls[name + text]) % every
            return f"red {number(text)}" if right else f"red {number(text)} car"

        return say

    logs = {
        name: ran(
            module.squad(),
            answering(name, reply(name, every)),
            tmp_path,
            epochs=Epochs(3, ["mean", "at_least_2", "pass_at_2"]),
        )
        for name, every in (("a", 4), ("b", 2))
    }
    frame = compare_logs(tmp_path, cluster="context_hash")
    for scorer in ("f1", "exact"):
        found = difference(frame, scorer)
        assert found.estimate == pytest.approx(plain(logs, scorer))
        assert found.n_clusters == N / 2
        for reducer in ("at_least_2", "pass_at_2"):
            in_logs = []
            for log in logs.values():
                assert log.results
                [score] = [
                    each
                    for each in log.results.scores
                    if each.name == scorer and each.reducer == reducer
                ]
                in_logs.append(score.metrics["mean"].value)
            gap = difference(frame, scorer, reducer=reducer).estimate
            assert gap == pytest.approx(in_logs[0] - in_logs[1])
