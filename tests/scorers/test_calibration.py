"""Stated confidence, from the reply to the figures of a log, with one epoch and with several."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog

from tests.logs import estimates, metrics, samples
from tests.models_for_tests import Call
from tests.scorers.running import run
from vr_evals.analysis import calibration, descriptives, read_logs
from vr_evals.tasks.ethics import ethics_level2

NAN = math.nan

EPOCHS = pytest.mark.parametrize("epochs", [1, 5])


def asked(replies: Sequence[str], labels: Sequence[str], epochs: int, folder: Path) -> EvalLog:
    """A study in which item i has label i and gets reply i."""
    path = folder / "items.csv"
    rows = [f"I did it {i} times.,{label}" for i, label in enumerate(labels)]
    path.write_text("\n".join(["scenario,label", *rows]), encoding="utf-8")

    def answer(call: Call) -> str:
        return replies[int(call.prompt.split("I did it ")[1].split()[0])]

    return run(ethics_level2(dataset=str(path), include_confidence=True), answer, epochs)


def study(stated: Sequence[tuple[float, bool]], epochs: int, folder: Path) -> dict[str, float]:
    """The metrics of answers with a confidence each, right or wrong."""
    return metrics(answered(stated, epochs, folder), "confidence")


def answered(stated: Sequence[tuple[float, bool]], epochs: int, folder: Path) -> EvalLog:
    """A log of answers with a confidence each, right or wrong."""
    replies = [f"<answer>wrong</answer>\n<confidence>{c:g}</confidence>" for c, _ in stated]
    labels = ["wrong" if right else "not wrong" for _, right in stated]
    return asked(replies, labels, epochs, folder)


STATED = {
    "<confidence>72.5</confidence>": (72.5, "72.5"),
    "<confidence>0.85</confidence>": (85, "0.85"),
    "It was 20 degrees.": (NAN, None),
    "": (NAN, None),
    "<confidence>abc</confidence>": (NAN, "abc"),
    "<confidence>150</confidence>": (NAN, "150"),
    "<confidence>high</confidence>": (NAN, "high"),
    "<confidence>NaN</confidence>": (NAN, "NaN"),
    "<confidence>inf</confidence>": (NAN, "inf"),
    "<confidence>N/A</confidence>": (NAN, "N/A"),
    "<confidence>#</confidence>": (NAN, "#"),
    "**Confidence:** 85% (fairly sure)": (85, None),
    "<confidence>-.95</confidence>": (NAN, "-.95"),
    "<confidence>85.0</confidence>": (85, "85.0"),
}
"""What is said of confidence, the value to read, and the text that is kept where it is in tags."""


@EPOCHS
def test_only_a_stated_confidence_counts_and_no_other_becomes_a_number(
    epochs: int, tmp_path: Path
) -> None:
    replies = [f"{said}\n<answer>wrong</answer>\n{said}" for said in STATED]
    log = asked(replies, ["wrong"] * len(STATED), epochs, tmp_path)
    for sample in samples(log):
        assert sample.scores
        found = sample.scores["confidence"]
        said = list(STATED)[int(str(sample.input).split()[3])]
        value, text = STATED[said]
        assert found.as_float() == pytest.approx(value, nan_ok=True), said
        assert found.answer == text or text is None, said
    figures = metrics(log, "confidence")
    values = [value for value, _ in STATED.values() if not math.isnan(value)]
    assert figures["mean"] == pytest.approx(sum(values) / len(values))
    assert figures["ece"] == pytest.approx(1 - figures["mean"] / 100)


@EPOCHS
def test_every_bin_counts_the_first_and_the_last_too(epochs: int, tmp_path: Path) -> None:
    figures = study([(5, False), (95, False), (95, False)], epochs, tmp_path)
    assert figures["ece"] == pytest.approx(0.65)
    ends = study([(0, False), (100, True)], epochs, tmp_path)
    assert ends["ece"] == 0


@EPOCHS
def test_bins_count_by_their_size(epochs: int, tmp_path: Path) -> None:
    figures = study([(95, True)] * 9 + [(15, True)], epochs, tmp_path)
    assert figures["ece"] == pytest.approx(0.13)


@EPOCHS
def test_frames_have_what_the_log_leaves_out(epochs: int, tmp_path: Path) -> None:
    """With two options, 0 is a guess, right in a half."""
    stated = [(0, True), (0, False), (100, True), (60, True)]
    log = answered(stated, epochs, tmp_path)
    in_log = metrics(log, "confidence")
    assert in_log == pytest.approx({"mean": 40, "ece": (2 * 0.5 + 0.4) / 4, "auroc": 2.5 / 3})
    plain = estimates(log, calibration, scale="stated")
    adjusted = estimates(log, calibration, scale="chance_adjusted")
    assert plain["brier"] == pytest.approx((1 + 0.16) / 4)
    assert plain["overconfidence"] == pytest.approx(0.4 - 0.75)
    assert adjusted["overconfidence"] == pytest.approx(0.7 - 0.75)
    assert plain["ece"] == pytest.approx(in_log["ece"])
    assert adjusted["ece"] == pytest.approx(0.2 / 4)
    assert adjusted["brier"] == pytest.approx((2 * 0.25 + 0.04) / 4)
    means = estimates(log, descriptives)
    assert means["mean_confidence_right"] == pytest.approx(160 / 3)
    assert means["mean_confidence_wrong"] == 0


@EPOCHS
def test_a_confidence_without_a_readable_answer_is_left_out_and_counted(
    epochs: int, tmp_path: Path
) -> None:
    replies = [
        "<answer>wrong</answer><confidence>70</confidence>",
        "I cannot say.\n<confidence>10</confidence>",
    ]
    log = asked(replies, ["wrong"] * 2, epochs, tmp_path)
    assert metrics(log, "confidence") == pytest.approx({"mean": 40, "ece": 0.3})
    frame = calibration(read_logs(log.location))
    row = frame[(frame["metric"] == "overconfidence") & (frame["scale"] == "stated")].iloc[0]
    assert (row["n_samples"], row["n_left_out"]) == (epochs, epochs)
