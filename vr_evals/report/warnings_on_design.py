"""Warnings about what was run, and about what of it was compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

import pandas as pd

from vr_evals.analysis.cell import KEYS, read_settings
from vr_evals.analysis.columns import SETTINGS
from vr_evals.analysis.files import file_name
from vr_evals.formatting import count, isolated, listed, plural, shown, some_of
from vr_evals.report.blocks import EVERY_ANSWER, PageWarning, Severity
from vr_evals.report.claims import tests_of_thinking
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words

__all__ = ["CHECKS", "FEW_ITEMS"]

FEW_ITEMS: Mapping[Severity, int] = {"serious": 30, "caution": 100}
"""Items that a cell needs to avoid a warning of each severity; those of a cluster count as one."""


def _few_items(results: Results) -> Iterator[PageWarning]:
    main = results["main"]
    items = main["n_scored"].where(main["n_scored"] > 0, main["n_items"])
    enough, other = 0, ""
    for severity, needed in FEW_ITEMS.items():
        few = main[main["n_clusters"].between(enough, needed - 1)]
        enough = needed
        if few.empty:
            continue
        least = int(few["n_clusters"].min())
        clustered = (few["n_clusters"] < items[few.index]).any()
        one = "independent item" if clustered else "item"
        smallest = "it has" if len(few) == 1 else "the smallest has"
        yield PageWarning(
            severity,
            f"{plural(len(few), other + 'cell')} of {len(main)} "
            f"{'has' if len(few) == 1 else 'have'} fewer than {needed} {one}s ({smallest} {least}"
            + "; items of the same cluster count as one"
            * bool(clustered)
            + f"). With {plural(least, one)}, the 95% interval of a rate near 50% is about "
            f"±{min(50, 98 / sqrt(least)):.0f} points.",
            touches=EVERY_ANSWER,
        )
        other = "other "


def _unpaired(results: Results) -> Iterator[PageWarning]:
    for name, words, touched in (
        ("changes", "between levels or thinking conditions", ("levels", "thinking")),
        ("models", "between models", ("models",)),
    ):
        frame = results[name]
        left = frame[frame["n_unpaired"] > 0] if len(frame) else frame
        if len(left):
            yield PageWarning(
                "caution",
                f"{plural(len(left), 'comparison')} {words} (of {len(frame)}) "
                f"{'leaves' if len(left) == 1 else 'leave'} out items that only one side answered, "
                f"up to {count(left['n_unpaired'].max())}. The results are for the shared items.",
                tuple(
                    f"{cell_words(row)}{_versus(row)}: {count(row.n_unpaired)} left out, "
                    f"{count(row.n_items)} compared"
                    for row in left.sort_values("n_unpaired", ascending=False).itertuples()
                ),
                touches=touched,
            )


def _mixed(results: Results) -> Iterator[PageWarning]:
    main = results["main"]
    mixed = main[main["variant"].fillna("") != ""]
    if len(mixed):
        yield PageWarning(
            "caution",
            f"{plural(len(mixed), 'cell')} of {len(main)} differ in a setting from another cell of "
            "the same model, benchmark, level and condition. They are shown separately; see the "
            "column “settings”.",
            tuple(sorted({isolated(text, 120) for text in mixed["variant"]})),
            touches=EVERY_ANSWER,
        )


def _not_compared(results: Results) -> Iterator[PageWarning]:
    refusals = [
        f"{shown(refusal['cell'], 200)}: not compared with {shown(refusal['versus'])} "
        f"({listed(_setting(*setting) for setting in refusal['settings'])})"
        for name in ("changes", "flips", "ladder", "models", "authority")
        for refusal in results[name].attrs.get("refusals", [])
    ]
    refusals = list(dict.fromkeys(refusals))
    if refusals:
        yield PageWarning(
            "caution",
            f"{plural(len(refusals), 'comparison')} skipped because the two sides differ in "
            "settings that can change answers.",
            tuple(refusals),
            touches=EVERY_ANSWER,
        )


def _setting(name: str, value: str, other: str) -> str:
    return f"{shown(name)}: {shown(value)} vs {shown(other)}"


def _missing_samples(results: Results) -> Iterator[PageWarning]:
    short = [log for log in results.logs if (log.get("expected_samples") or 0) > _finished(log)]
    if short:
        missing = sum(log["expected_samples"] - _finished(log) for log in short)
        errors = sum(log.get("errors") or 0 for log in short)
        yield PageWarning(
            "caution",
            f"{plural(missing, 'sample')} missing in {plural(len(short), 'log')}"
            + (f", {count(errors)} of them because of an error" if errors else "")
            + ". If hard or long items fail more often, the remaining ones are easier.",
            tuple(
                f"{shown(log.get('task'))} on {isolated(log.get('model'))}: "
                f"{log['expected_samples'] - _finished(log)} of {log['expected_samples']} missing"
                for log in short
            ),
            touches=EVERY_ANSWER,
        )


def _skipped(results: Results) -> Iterator[PageWarning]:
    for repeated in (False, True):
        logs = [one for one in results.skipped if bool(one.get("repeated")) == repeated]
        if not logs:
            continue
        why = " because another log has the same samples" if repeated else ""
        yield PageWarning(
            "note" if repeated else "caution",
            f"{plural(len(logs), 'log')} skipped{why}.",
            tuple(f"{_file(one['log'])}: {shown(one['reason'], 300)}" for one in logs),
            touches=EVERY_ANSWER,
        )


def _epochs(results: Results) -> Iterator[PageWarning]:
    rows = results.rows[list(dict.fromkeys([*KEYS, *SETTINGS, "settings", "epoch", "error"]))]
    finished = rows[rows["error"].isna()]
    epochs = finished.groupby([*KEYS, *SETTINGS], dropna=False)["epoch"].nunique()
    once = int((epochs < 2).sum())
    if once:
        where = "" if once == len(epochs) else f" in {once} of {len(epochs)} cells"
        yield PageWarning(
            "note",
            f"Consistency was not measured{where}: each item was asked once. How much "
            "answers vary between epochs is unknown; only the intervals over items reflect it. "
            "Run several epochs (e.g. --epochs 3) to measure it.",
            touches=("consistency", "flips"),
        )
    temperature = pd.Series(epochs.index.get_level_values("temperature"), dtype="Float64")
    cold = int(((epochs.to_numpy() > 1) & temperature.eq(0).fillna(False)).sum())
    if cold:
        yield PageWarning(
            "note",
            f"{plural(cold, 'cell')} of {len(epochs)} {'has' if cold == 1 else 'have'} several "
            "epochs at temperature 0. Such epochs are nearly copies: they show whether the "
            "provider repeats an answer, not how much answers vary when sampled. Agreement is high "
            "by construction, and they add almost no information.",
            touches=("consistency", "flips"),
        )
    with_seed = [
        text
        for text in rows["settings"].dropna().unique()
        if "sampling_seed" in read_settings(text)
    ]
    seeded = (rows["epoch"] > 1) & rows["settings"].isin(with_seed)
    if seeded.fillna(False).any():
        yield PageWarning(
            "caution",
            "Items were asked several times with the same --seed. If the provider honours it, "
            "epochs are copies: they agree by construction, and flips have no noise floor.",
            touches=("consistency", "flips"),
        )


def _reask_alone(results: Results) -> Iterator[PageWarning]:
    """The control of level 5 without level 5: no reply there follows a request to reflect."""
    rows = results.rows[[*KEYS, "second_pass"]]
    two_pass = rows[rows["second_pass"].notna()]
    if two_pass.empty:
        return
    is_control = two_pass["second_pass"].eq("reask")
    cells = two_pass.assign(alone=is_control).groupby([*KEYS], dropna=False)["alone"].all()
    alone = cells.index.to_frame(index=False)[cells.to_numpy(dtype=bool)]
    if len(alone):
        yield PageWarning(
            "serious",
            f"{plural(len(alone), 'cell')} of {len(cells)} of level 5 "
            f"{'was' if len(alone) == 1 else 'were'} run with second_pass=reask only, the control "
            "whose second call repeats the question and does not ask to reflect. Results of level "
            "5 there do not show an effect of reflection; -T second_pass=conversation,reask runs "
            "both.",
            tuple(cell_words(row) for row in alone.itertuples()),
        )


def _temperature(results: Results) -> Iterator[PageWarning]:
    rows = tests_of_thinking(results)["change_from_thinking_off"]
    other = len(rows) - int(rows["is_same_temperature"].sum()) if len(rows) else 0
    if other:
        yield PageWarning(
            "caution",
            f"In {some_of(other, len(rows), 'comparison')} of thinking on with thinking off, the "
            "temperature differs too (thinking on leaves it unset), and so does the token limit. "
            "Part of a difference may be due to them. For a matched comparison, run thinking off "
            "at temperature 1 as well.",
            touches=("thinking",),
        )


def _changed_data(results: Results) -> Iterator[PageWarning]:
    changed = [log for log in results.logs if log.get("changed_data")]
    if changed:
        yield PageWarning(
            "serious",
            f"The data of {plural(len(changed), 'log')} differs from what the benchmark published "
            "at the pinned revision.",
            tuple(sorted({f"{shown(log['task'])}: {shown(log['dataset'])}" for log in changed})),
            touches=EVERY_ANSWER,
        )


def _refused(results: Results) -> Iterator[PageWarning]:
    for name, why in results.refused.items():
        title = name.replace("_", " ").capitalize()
        yield PageWarning(
            "serious",
            f"{title} could not be computed: {shown(why, 300)}.",
            touches=(title,),
        )


def _skipped_rows(results: Results) -> Iterator[PageWarning]:
    found = {
        (str(log.get("dataset")), str(log.get("benchmark"))): int(log["skipped_rows"])
        for log in sorted(results.logs, key=lambda log: log.get("skipped_rows") or 0)
        if log.get("skipped_rows")
        and (log.get("dataset") not in ("hub", "sample") or log.get("changed_data"))
    }
    if found:
        yield PageWarning(
            "caution",
            f"{plural(sum(found.values()), 'row')} of {plural(len(found), 'file')} skipped as "
            "invalid: these items were never asked.",
            tuple(
                f"{shown(dataset)} ({shown(benchmark)}): {plural(n, 'row')}"
                for (dataset, benchmark), n in found.items()
            ),
            touches=EVERY_ANSWER,
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
    _temperature,
    _reask_alone,
    _changed_data,
    _refused,
)
"""Each yields the warnings of one kind."""


def _versus(row: Any) -> str:
    """What a row is compared with, unless its other columns name it."""
    return f" minus {isolated(row.versus)}" if hasattr(row, "versus") else ""


def _finished(log: dict[str, Any]) -> int:
    return int(log.get("finished_samples") or 0)


def _file(log: str) -> str:
    return shown(file_name(log), 160)
