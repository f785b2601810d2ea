"""Logs of any task, made of a few scores."""

from typing import Any

from vr_evals.analysis.scored_logs import ScoredLog, ScoredSample

__all__ = ["log", "sample"]

KEY = ("s", "")


def sample(item: str, value: float | None, epoch: int = 1, **given: Any) -> ScoredSample:
    """A sample with one score; None is unscored."""
    values = {} if value is None else {KEY: value}
    return ScoredSample(
        **{
            "item": item,
            "epoch": epoch,
            "failed": False,
            "cluster": item,
            "asked": "Why?",
            "target": "A",
            "values": values,
            **given,
        }
    )


def log(model: str, *samples: ScoredSample, **given: Any) -> ScoredLog:
    """A log of a model on items a and b."""
    return ScoredLog(
        **{
            "log": f"{model}.eval",
            "created": "",
            "task": "t",
            "model": model,
            "settings": {},
            "config": {},
            "items": frozenset("ab"),
            "epochs": 1,
            "reducers": (),
            "samples": samples,
            "n_twice": 0,
            "n_expected": len(samples),
            **given,
        }
    )
