"""Logs of any task that are read for a comparison: which are skipped, and what of their scores."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.scorer import Score

from vr_evals.analysis.scored_logs import read_scored_logs
from vr_evals.errors import InputError


def sample(name: str = "i", value: Any = 1, **given: Any) -> EvalSample:
    scores = {} if value is None else {"s": Score(value=value)}
    return EvalSample(id=name, epoch=1, input="Why?", target="A", scores=scores, **given)


def written(folder: Path, *samples: EvalSample, model: str = "m/one", **given: Any) -> str:
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="t",
        dataset=EvalDataset(),
        model=model,
        config=EvalConfig(),
    )
    log = str(folder / f"{model.replace('/', '-')}.json")
    given.setdefault("status", "success")
    write_eval_log(EvalLog(eval=spec, samples=list(samples), **given), log)
    return log


def test_the_values_of_a_list_are_numbered_and_infinite_ones_left_out(tmp_path: Path) -> None:
    log = written(tmp_path, sample(value=[1, "x", float("inf"), True]), sample("j", 10**400))
    [read] = read_scored_logs([log]).logs
    assert [each.values for each in read.samples] == [
        {("s", "1"): 1.0, ("s", "2"): "x", ("s", "4"): 1.0},
        {},
    ]


def test_of_a_sample_that_is_there_twice_the_scored_one_is_kept(tmp_path: Path) -> None:
    error = EvalError(message="x", traceback="", traceback_ansi="")
    log = written(tmp_path, sample(value=3), sample(value=None), sample(value=4, error=error))
    found = read_scored_logs([log])
    [read] = found.logs
    assert [each.values for each in read.samples] == [{("s", ""): 3.0}]
    assert read.n_twice == 2


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"status": "started"}, r"unfinished run \(status started\): --unfinished reads it"),
        ({"samples": []}, "it contains no samples"),
        ({"samples": [sample(value=None)]}, "none of its 1 sample is scored"),
        ({"text": "{"}, r"1 log skipped: .+: m-two\.json"),
    ],
)
def test_a_log_that_is_skipped_is_named_with_the_reason(
    given: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    text, samples = given.pop("text", None), given.pop("samples", [sample()])
    bad = written(tmp_path, *samples, model="m/two", **given)
    if text:
        Path(bad).write_text(text)
    with pytest.raises(InputError, match=f"no scored samples in these logs; .*{reason}"):
        read_scored_logs([bad])
    good = written(tmp_path, sample())
    found = read_scored_logs([good, bad])
    assert [log.model for log in found.logs] == ["m/one"]
    assert "m-two.json" in "; ".join(found.notes)


def test_an_item_has_one_cluster_in_all_logs(tmp_path: Path) -> None:
    logs = [
        written(tmp_path, sample(metadata={"pair": pair}), model=model)
        for model, pair in (("m/one", 1), ("m/two", 2))
    ]
    assert len(read_scored_logs(logs).logs) == 2
    with pytest.raises(InputError, match=r"t: invalid cluster: sample i is in several \(1, 2\)"):
        read_scored_logs(logs, cluster="pair")
