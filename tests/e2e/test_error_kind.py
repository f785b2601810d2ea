"""The kinds of errors of a simulated respondent come back through a log, a table and the report."""

from pathlib import Path

import pytest

from tests.analysis.frames import by_metric, only
from tests.logs import samples
from tests.models.respondents import close, run, write_csv
from tests.report.html_page import read
from tests.report.studies import leave_undrawn
from vr_evals.analysis import error_kind, read_logs
from vr_evals.models.personas import PERSONAS
from vr_evals.option_kinds import ERROR_KINDS, OPTION_KINDS
from vr_evals.report import render

N = 300


def fables(folder: Path) -> str:
    """Items whose kinds stand in another order each."""
    rows = []
    for i in range(N):
        kinds = {f"kind_{letter}": OPTION_KINDS[(k - i) % 5] for k, letter in enumerate("abcde")}
        options = {f"option_{letter}": f"Moral {letter}." for letter in "abcde"}
        rows.append({"id": i, "fable": f"Fable {i}.", **options, "correct_idx": i % 5, **kinds})
    return write_csv(folder / "fables.csv", rows)


@pytest.mark.slow
def test_the_rates_of_kinds_are_recovered(tmp_path: Path) -> None:
    log = run(
        "morables_level0",
        "surface_reader",
        M={"accuracy": 0.2},
        dataset=fables(tmp_path),
        log_dir=str(tmp_path / "logs"),
    )
    assert log.status == "success"
    frame = error_kind(read_logs(tmp_path / "logs"))
    shares = PERSONAS["surface_reader"].error_kinds
    assert shares
    truth = dict(zip(ERROR_KINDS, shares, strict=True)) | {"surface": 0.85, "incomplete": 0.15}
    for kind, share in truth.items():
        found = by_metric(frame, kind=kind)
        errors = found["share_of_errors"]
        assert close(errors.estimate, share, errors.n_samples), kind
        assert close(found["share"].estimate, 0.8 * share, N), kind
    assert only(frame, kind="surface", metric="share_of_errors").low > 0.75
    assert only(frame, kind="similar_characters", metric="share_of_errors").low > 0.25


@pytest.mark.slow
def test_the_sample_has_kinds_in_both_paradigms_and_the_report_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_undrawn(monkeypatch)
    for task in ("morables_level0", "morables_authority_high_harm"):
        log = run(task, "surface_reader", dataset="sample", epochs=1, log_dir=str(tmp_path))
        kinds = [sample for sample in samples(log) if "option_kinds" in sample.metadata]
        assert len(kinds) == len(samples(log)) - 1
    table = read_logs(tmp_path)
    assert (table["choice_kind"].notna() == (table["item"] != "morables-21")).all()
    assert (table["choice_kind"].eq("ground_truth") == table["correct"])[
        table["choice_kind"].notna()
    ].all()
    section = read(render(table)).section("accuracy")
    assert "Kinds of wrong answers by level" in section
    assert "surface-level" in section
    without = table.assign(choice_kind=table["choice_kind"].mask(table["item"].notna()))
    assert "Kinds of wrong answers" not in read(render(without)).section("accuracy")
