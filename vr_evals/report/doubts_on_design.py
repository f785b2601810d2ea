"""Doubts that lie in what was run, and in what of it was compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

from vr_evals.analysis.cell import read_settings
from vr_evals.analysis.files import file_name
from vr_evals.report.blocks import Doubt, Severity
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words
from vr_evals.report.text import count, isolated, plural, shown

__all__ = ["CHECKS", "FEW_ITEMS"]

FEW_ITEMS: Mapping[Severity, int] = {"serious": 30, "caution": 100}
"""How many items a cell needs to escape a doubt of each severity; those of a cluster are one."""


def _few_items(results: Results) -> Iterator[Doubt]:
    main = results["main"]
    items = main["n_scored"].where(main["n_scored"] > 0, main["n_items"])
    enough, other = 0, ""
    for severity, wanted in FEW_ITEMS.items():
        few = main[main["n_clusters"].between(enough, wanted - 1)]
        enough = wanted
        if few.empty:
            continue
        least = int(few["n_clusters"].min())
        one = "item"
        if (few["n_clusters"] < items[few.index]).any():
            one = "independent item"
        yield Doubt(
            severity,
            f"{plural(len(few), other + 'cell')} of {len(main)} "
            f"{'has' if len(few) == 1 else 'have'} fewer than {wanted} {one}s, the smallest {least}"
            + " (items of the same cluster count as one)"
            * (one != "item")
            + f". With {plural(least, one)} a rate near one half is known to about ±"
            f"{min(50, 98 / sqrt(least)):.0f} points only.",
        )
        other = "other "


def _unpaired(results: Results) -> Iterator[Doubt]:
    for name, words in (
        ("changes", "between levels or thinking conditions"),
        ("models", "of models"),
    ):
        frame = results[name]
        left = frame[frame["n_unpaired"] > 0] if len(frame) else frame
        if len(left):
            yield Doubt(
                "caution",
                f"{plural(len(left), 'comparison')} {words}, of {len(frame)}, leave out items that "
                f"only one side answered, up to {count(left['n_unpaired'].max())}. They hold for "
                "the items that are shared.",
                tuple(
                    f"{cell_words(row)}{_versus(row)}: {count(row.n_unpaired)} left out, "
                    f"{count(row.n_items)} compared"
                    for row in left.sort_values("n_unpaired", ascending=False).itertuples()
                ),
            )


def _mixed(results: Results) -> Iterator[Doubt]:
    main = results["main"]
    mixed = main[main["variant"].fillna("") != ""]
    if len(mixed):
        yield Doubt(
            "caution",
            f"{plural(len(mixed), 'cell')} differ from another of the same model, benchmark, level "
            "and condition in a setting. They are kept apart, by the column “settings”.",
            tuple(sorted({isolated(text, 120) for text in mixed["variant"]})),
        )


def _not_compared(results: Results) -> Iterator[Doubt]:
    refused = [
        note
        for name in ("changes", "flips", "ladder", "models", "authority")
        for note in results[name].attrs.get("notes", [])
        if "not compared" in note
    ]
    refused = list(dict.fromkeys(refused))
    if refused:
        yield Doubt(
            "caution",
            f"{plural(len(refused), 'comparison')} were not made, since settings differ that can "
            "move answers.",
            tuple(shown(note, 400) for note in refused),
        )


def _missing_samples(results: Results) -> Iterator[Doubt]:
    short = [log for log in results.logs if (log.get("expected_samples") or 0) > _finished(log)]
    if short:
        missing = sum(log["expected_samples"] - _finished(log) for log in short)
        errors = sum(log.get("errors") or 0 for log in short)
        ended = f", {count(errors)} of them since they ended in an error" if errors else ""
        yield Doubt(
            "caution",
            f"Missing: {plural(missing, 'sample')} of {plural(len(short), 'log')}{ended}. If "
            "hard or long items fail more often, what is left is easier.",
            tuple(
                f"{shown(log.get('task'))} on {isolated(log.get('model'))}: "
                f"{log['expected_samples'] - _finished(log)} of {log['expected_samples']}"
                for log in short
            ),
        )


def _skipped(results: Results) -> Iterator[Doubt]:
    for repeated in (False, True):
        logs = [one for one in results.skipped if bool(one.get("repeated")) == repeated]
        if not logs:
            continue
        what = "Set aside, since another log holds the same" if repeated else "Not read"
        yield Doubt(
            "note" if repeated else "caution",
            f"{what}: {plural(len(logs), 'log')}.",
            tuple(f"{_file(one['log'])}: {shown(one['reason'], 300)}" for one in logs),
        )


def _epochs(results: Results) -> Iterator[Doubt]:
    rows = results.rows
    if rows["epoch"].max() == 1:
        yield Doubt(
            "note",
            "Each item was asked once. How much answers vary from one asking to the next is in no "
            "figure but the intervals over items.",
        )
        return
    again = (rows["epoch"] > 1).fillna(False) & (rows["temperature"] == 0).fillna(False)
    if again.any():
        yield Doubt(
            "note",
            "Items were asked several times at temperature 0. Such repetitions are close to "
            "copies: agreement is high by construction, and they add next to no information.",
        )
    with_seed = [
        text
        for text in rows["settings"].dropna().unique()
        if "sampling_seed" in read_settings(text)
    ]
    seeded = (rows["epoch"] > 1) & rows["settings"].isin(with_seed)
    if seeded.fillna(False).any():
        yield Doubt(
            "caution",
            "Items were asked several times with the same --seed. Where the provider honours it, "
            "repetitions are copies: they agree by construction, and flips have no noise floor.",
        )


def _changed_data(results: Results) -> Iterator[Doubt]:
    changed = [log for log in results.logs if log.get("changed_data")]
    if changed:
        yield Doubt(
            "serious",
            f"The data of {plural(len(changed), 'log')} is not what the benchmark published at "
            "the pinned revision.",
            tuple(sorted({f"{shown(log['task'])}: {shown(log['dataset'])}" for log in changed})),
        )


def _refused(results: Results) -> Iterator[Doubt]:
    for name, why in results.refused.items():
        yield Doubt("serious", f"Nothing is said on {name.replace('_', ' ')}: {shown(why, 300)}.")


def _skipped_rows(results: Results) -> Iterator[Doubt]:
    found = {
        (str(log.get("dataset")), str(log.get("benchmark"))): int(log["skipped_rows"])
        for log in sorted(results.logs, key=lambda log: log.get("skipped_rows") or 0)
        if log.get("skipped_rows")
        and (log.get("dataset") not in ("hub", "sample") or log.get("changed_data"))
    }
    if found:
        yield Doubt(
            "caution",
            f"{plural(sum(found.values()), 'row')} of {plural(len(found), 'file')} could not be "
            "used and were skipped: these items were never asked.",
            tuple(
                f"{shown(dataset)} ({shown(benchmark)}): {plural(n, 'row')}"
                for (dataset, benchmark), n in found.items()
            ),
        )


CHECKS = (
    _few_items,
    _unpaired,
    _mixed,
    _not_compared,
    _missing_samples,
    _skipped,
    _skipped_rows,
    _epochs,
    _changed_data,
    _refused,
)
"""Each gives the doubts of one kind that results raise."""


def _versus(row: Any) -> str:
    """What a row is compared with, unless its other columns say so."""
    return f" less {isolated(row.versus)}" if hasattr(row, "versus") else ""


def _finished(log: dict[str, Any]) -> int:
    return int(log.get("finished_samples") or 0)


def _file(log: str) -> str:
    return shown(file_name(log), 160)
