"""Warnings about how samples were answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL, KEYS
from vr_evals.analysis.served import served_another
from vr_evals.formatting import isolated, listed, percent, plural, shown
from vr_evals.levels import Level
from vr_evals.report.blocks import EVERY_ANSWER, PageWarning
from vr_evals.report.claims import ALPHA
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words, imported_from

__all__ = ["CHECKS"]

UNREAD, MUCH_UNREAD = 0.02, 0.10
"""Shares of unread answers above which there is a warning, and a serious one."""

UNEVEN = 0.02
"""Difference between two sides' shares of read answers above which there is a warning."""

_BASELINES = {"level": "level 0", "thinking": "thinking off", "condition": "control"}
_QUESTIONS = {"level": "levels", "thinking": "thinking", "condition": "authority"}

ONE_ANSWER, FEW_ANSWERS = 0.95, 10
"""Share of one label from which it is nearly all, and the items that it takes to tell."""

ANSWER_ONLY = 0.5
"""Share of bare answers at a level that asks for reasons from which there is a warning."""

LIKE_LEVEL0 = 0.25
"""Difference from level 0's shares of bare answers and of reasons that tells a level from it."""

CUT_OFF = 0.02
"""Share of replies cut off above which there is a warning."""


def _simulated(results: Results) -> Iterator[PageWarning]:
    rows = results.rows
    simulated = rows["simulated"].fillna(False)
    if simulated.any():
        models = sorted(set(rows.loc[simulated, "model"].dropna()))
        yield PageWarning(
            "serious",
            f"{_share(simulated)} were answered by simulated respondents ({_names(models)}). They "
            "are not evidence about any real model.",
            touches=EVERY_ANSWER,
        )


def _sample_data(results: Results) -> Iterator[PageWarning]:
    of_sample = results.rows["sample_data"].fillna(False)
    if of_sample.any():
        yield PageWarning(
            "serious",
            f"{_share(of_sample)} use the small sample of items shipped for trying out, not the "
            "published data. They are not results on the benchmark.",
            touches=EVERY_ANSWER,
        )


def _imported(results: Results) -> Iterator[PageWarning]:
    imported = results.rows["imported"].fillna(False)
    if imported.any():
        yield PageWarning(
            "caution",
            f"{_share(imported)} were imported from result files, not run here. What a file does "
            "not say (prompts, settings, cut-off replies) is not known, and prompts that it lacks "
            "are shown as vr_evals asks.",
            tuple(
                f"{shown(log['model'])}, {shown(log['task'])}: {imported_from(log['imported'])}"
                for log in results.logs
                if log.get("imported")
            ),
            touches=EVERY_ANSWER,
        )


def _unfinished(results: Results) -> Iterator[PageWarning]:
    incomplete = ~results.rows["complete"].fillna(False)
    if incomplete.any():
        yield PageWarning(
            "serious",
            f"{_share(incomplete)} are from unfinished runs. The samples that finish first are not "
            "a random sample: long replies come last.",
            touches=EVERY_ANSWER,
        )


def _thinking(results: Results) -> Iterator[PageWarning]:
    main = results["main"]
    unlike = main[main["as_asked"] < 1]
    if len(unlike):
        yield PageWarning(
            "serious",
            f"In {plural(len(unlike), 'cell')} of {len(main)}, some samples did not honour the "
            "thinking condition: calls thought with thinking off, or did not with thinking on. "
            "Comparisons of on and off are not valid there.",
            _where(
                unlike.sort_values("as_asked"),
                lambda row: f"honoured in {percent(row.as_asked)} of samples",
            ),
            touches=("thinking",),
        )
    rows = results.rows
    impossible = (rows["thinking_status"] == "impossible").fillna(False)
    if impossible.any():
        models = sorted(set(rows.loc[impossible, "model"].dropna()))
        yield PageWarning(
            "serious",
            f"Thinking condition not supported, but run anyway: {_names(models)}.",
            touches=("thinking",),
        )


def _other_settings(results: Results) -> Iterator[PageWarning]:
    rows = results.rows
    for column, words, statuses, touched in (
        ("temperature_status", "temperature", ["approximated", "impossible"], EVERY_ANSWER),
        ("budget_status", "thinking budget", ["approximated", "impossible"], ("thinking",)),
        ("thinking_status", "thinking setting", ["approximated"], ("thinking",)),
    ):
        unlike = rows[column].isin(statuses).fillna(False)
        as_asked = (rows["thought"] == rows["thinking"])[unlike]
        observed = " Each of their calls used thinking, or did not, as requested." * bool(
            as_asked.fillna(False).all()
        )
        if unlike.any():
            models = sorted(set(rows.loc[unlike, "model"].dropna()))
            yield PageWarning(
                "note",
                f"The {words} was sent only approximately (the nearest value that the provider "
                f"accepts), or it is unknown whether it was honoured: {_names(models)}."
                + observed
                * (column == "thinking_status"),
                touches=touched,
            )


def _served_another(results: Results) -> Iterator[PageWarning]:
    keys = ["model", "benchmark", "level", "thinking", "condition"]
    rows = results.rows[[*keys, "served_model", "log"]]
    asked_for = {log.get("log"): log.get("model_name") for log in results.logs}
    columns = ["log", "model", "served_model"]
    kinds = rows[columns].drop_duplicates()
    another = [
        not pd.isna(served) and served_another(asked_for.get(log) or model, served)
        for log, model, served in kinds.itertuples(index=False)
    ]
    if not any(another):
        return
    those = pd.MultiIndex.from_frame(kinds[another])
    unlike = pd.Series(pd.MultiIndex.from_frame(rows[columns]).isin(those), index=rows.index)
    total = rows.groupby(keys, dropna=False).size().reset_index(name="total")
    counts = rows[unlike].groupby([*keys, "served_model"], dropna=False).size()
    cells = counts.reset_index(name="n").merge(total, on=keys)
    yield PageWarning(
        "caution",
        f"{_share(unlike)} were answered by another model than requested, according to the name "
        f"that the provider returned: {_names(sorted(set(cells['model'].dropna())))}.",
        _where(
            cells.sort_values("n", ascending=False),
            lambda row: f"{isolated(row.served_model)} in {row.n:,} of {row.total:,} samples",
        ),
        touches=("models",),
    )


def _unread(results: Results) -> Iterator[PageWarning]:
    main = results["main"]
    unread = main[main["read_rate"] < 1 - UNREAD]
    if unread.empty:
        return
    worst = 1 - unread["read_rate"].min()
    formats = results.rows["answer_format"]
    causes = Counter(formats[~formats.isin(["tag", "stated"])].dropna())
    yield PageWarning(
        "serious" if worst > MUCH_UNREAD else "caution",
        f"In {plural(len(unread), 'cell')} of {len(main)}, more than {percent(UNREAD, 0)} of "
        f"answers could not be read (maximum: {percent(worst)}). They count as not right. "
        f"Causes: {listed(f'{shown(name)} {n:,}' for name, n in causes.most_common())}.",
        _where(unread.sort_values("read_rate"), lambda row: f"{percent(1 - row.read_rate)} unread"),
        touches=EVERY_ANSWER,
    )


def _unevenly_read(results: Results) -> Iterator[PageWarning]:
    compared = results["read_rates"]
    if compared.empty:
        return
    gap = compared["estimate"].abs()
    uneven = compared[(gap > UNEVEN) & (compared["p_adjusted"] < ALPHA)]
    if len(uneven):
        largest = float(gap[uneven.index].max())
        yield PageWarning(
            "serious" if largest > MUCH_UNREAD else "caution",
            f"In {plural(len(uneven), 'comparison')} of {len(compared)}, answers could be read "
            f"more often on one side than on the other, by up to {100 * largest:.0f} points. Part "
            "of a difference there may be due to format, because an unread answer counts as not "
            "right and not complied. Compare the estimates among read answers.",
            _where(
                uneven.loc[gap[uneven.index].sort_values(ascending=False).index],
                lambda row: (
                    f"{percent(row.read)} read, {_BASELINES[row.versus]} {percent(row.read_versus)}"
                ),
            ),
            touches=_touched(uneven),
        )


def _cut_off(results: Results) -> Iterator[PageWarning]:
    main = results["main"]
    cut = main[main["cut_off"] > CUT_OFF].sort_values("cut_off", ascending=False)
    if len(cut):
        yield PageWarning(
            "caution",
            f"In {plural(len(cut), 'cell')} of {len(main)}, more than {percent(CUT_OFF, 0)} of "
            "replies were cut off at the token limit. The limit affects long reasoning most, so "
            "it does not affect all levels equally.",
            _where(cut, lambda row: f"{percent(row.cut_off)} cut off"),
            touches=("levels", "thinking"),
        )


def _ladder_not_climbed(results: Results) -> Iterator[PageWarning]:
    frame = results["level_check"]
    if frame.empty:
        return
    frame = frame[frame["condition"].isna() & frame["level"].notna()]
    shares = {
        name: frame[frame["metric"] == name].set_index([*CELL], drop=False)
        for name in ("answer_only", "reasoned")
    }
    bare = shares["answer_only"][shares["answer_only"]["level"] >= Level.CHAIN_OF_THOUGHT]
    mostly = bare[bare["estimate"] >= ANSWER_ONLY]
    if len(mostly):
        yield PageWarning(
            "serious",
            f"In {plural(len(mostly), 'cell')} of {len(bare)} of levels 2 to 5, at least "
            f"{percent(ANSWER_ONLY, 0)} of replies are nothing but an answer, although the prompt "
            "asks for reasons. Comparisons of levels do not show an effect of reflection there.",
            _where(mostly, lambda row: f"nothing but an answer in {percent(row.estimate)}"),
            touches=("levels",),
        )
    estimates = [_estimates(frame) for frame in shares.values()]
    unlike = [_unlike_level0(row, estimates) for row in bare.itertuples()]
    alike = bare[[is_unlike is False for is_unlike in unlike]]
    if len(alike):
        yield PageWarning(
            "serious",
            f"In {plural(len(alike), 'cell')} of {len(bare)} of levels 2 to 5, replies do not "
            "differ from those of level 0: shares of bare answers and of replies with reasons are "
            f"within {percent(LIKE_LEVEL0, 0)} of level 0's. The ladder was not climbed there.",
            _where(alike, lambda row: f"nothing but an answer in {percent(row.estimate)}"),
            touches=("levels",),
        )


def _estimates(frame: pd.DataFrame) -> dict[tuple[Any, ...], float]:
    """The first estimate of each model, benchmark, thinking and level, and of each variant."""
    found: dict[tuple[Any, ...], float] = {}
    known = frame[frame[["thinking", "level"]].notna().all(axis=1)]
    rows: Iterable[Any] = known.itertuples()
    for row in rows:
        keys = (row.model, row.benchmark, row.thinking, row.level)
        found.setdefault(keys, row.estimate)
        found.setdefault((*keys, row.variant), row.estimate)
    return found


def _unlike_level0(row: Any, shares: Sequence[dict[tuple[Any, ...], float]]) -> bool | None:
    """Return whether a cell's replies differ from level 0's; None if that was not run."""
    keys = (row.model, row.benchmark, row.thinking)
    differences = []
    for estimates in shares:
        base = estimates.get((*keys, int(Level.DIRECT)))
        own = estimates.get((*keys, row.level, row.variant))
        if base is None or own is None:
            return None
        differences.append(abs(own - base))
    return bool(max(differences) >= LIKE_LEVEL0)


def _one_answer(results: Results) -> Iterator[PageWarning]:
    labels = results["labels"]
    if not len(labels):
        return
    often = labels[(labels["estimate"] >= ONE_ANSWER) & (labels["n_items"] >= FEW_ANSWERS)]
    given = often[often["metric"] == "given"]
    if len(given):
        wanted = {_label(row): row for row in labels[labels["metric"] == "wanted"].itertuples()}
        yield PageWarning(
            "serious",
            f"In {plural(len(given), 'cell')} of {len(results['main'])}, (nearly) every answer is "
            "the same. Accuracy there is just the share of items with that right answer, which "
            "takes no skill; look at balanced accuracy instead.",
            _where(
                given,
                lambda row: (
                    f"{shown(row.label)} is {percent(row.estimate)} of {row.n_samples:,} answers, "
                    f"and right in {percent(wanted[_label(row)].estimate)} of items with a target"
                ),
            ),
            touches=("accuracy",),
        )
    targets = often[often["metric"] == "wanted"]
    if len(targets):
        yield PageWarning(
            "caution",
            f"In {plural(len(targets), 'cell')} of {len(results['main'])}, (nearly) all items have "
            "the same right answer. Accuracy there cannot distinguish skill from a constant "
            "answer.",
            _where(
                targets,
                lambda row: f"{shown(row.label)} is right in {percent(row.estimate)} of items",
            ),
            touches=("accuracy",),
        )


def _label(row: Any) -> tuple[str, ...]:
    """Which cell and label a row is of."""
    return tuple(str(getattr(row, name)) for name in (*CELL, "label"))


def _another_scale(results: Results) -> Iterator[PageWarning]:
    rows = results.rows[[*KEYS, "confidence", "correct"]]
    used = rows[rows["confidence"].notna() & rows["correct"].notna()]
    small = used["confidence"] <= 10
    cells = used.assign(small=small).groupby(list(KEYS), dropna=False)[["small", "correct"]]
    counts = cells.sum().assign(n=cells.size())
    least = counts["n"] / 2
    found = [
        f"{cell_words(row)}: {row.small:,} of {row.n:,} confidences are at most 10, and "
        f"{row.correct:,} answers are right"
        for row in counts[
            (counts["n"] >= FEW_ANSWERS) & (counts["small"] > least) & (counts["correct"] > least)
        ]
        .reset_index()
        .itertuples()
    ]
    if found:
        yield PageWarning(
            "serious",
            f"In {plural(len(found), 'cell')}, most stated confidences are 10 or less (of 100), "
            "although most answers are right. They may be on another scale, e.g. 0 to 10. They "
            "are used as stated.",
            tuple(found),
            touches=("calibration",),
        )


def _no_confidence(results: Results) -> Iterator[PageWarning]:
    rows = results.rows
    asked = rows["include_confidence"].fillna(False)
    missing = rows.loc[asked, "confidence"].isna()
    if asked.any() and missing.mean() > UNREAD:
        yield PageWarning(
            "caution",
            f"No confidence could be read in {percent(missing.mean())} of the replies that were "
            "asked for one. Calibration is computed from the others.",
            touches=("calibration",),
        )


CHECKS = (
    _simulated,
    _sample_data,
    _imported,
    _unfinished,
    _thinking,
    _other_settings,
    _served_another,
    _unread,
    _unevenly_read,
    _cut_off,
    _ladder_not_climbed,
    _one_answer,
    _another_scale,
    _no_confidence,
)
"""Each yields the warnings of one kind."""


def _where(frame: pd.DataFrame, form: Callable[[Any], str], *names: str) -> tuple[str, ...]:
    """A line per cell of a frame: its name, and what was found."""
    return tuple(f"{cell_words(row, *names)}: {form(row)}" for row in frame.itertuples())


def _touched(rows: pd.DataFrame) -> tuple[str, ...]:
    """The questions that comparisons with a baseline answer."""
    return tuple(words for name, words in _QUESTIONS.items() if (rows["versus"] == name).any())


def _share(flags: pd.Series[Any]) -> str:
    n, total = int(flags.sum()), len(flags)
    return f"All {total:,} samples" if n == total else f"{n:,} of {total:,} samples"


def _names(models: Iterable[str]) -> str:
    return listed(map(isolated, models))
