"""What is studied: the figures of each kind of table, as the public functions compute them.

A *family* builds tables of one kind, has the functions that are called on them, and knows the true
values that follow from the design. All other true values are those of one very large study of the
same design, by the same function with next to no resamples: so that bias is what a study of this
size adds. Where nothing has an effect, the true value of a difference is 0 by design, never taken
from a study.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, get_args

import numpy as np
import pandas as pd
from scipy.special import ndtri
from simulated_study import (
    SECOND_OPTION,
    Design,
    Floats,
    Integers,
    Random,
    Respondent,
    item_rates,
    taken,
    tidy,
)

from vr_evals import analysis
from vr_evals.analysis.added_flips import ADDED_FLIPS
from vr_evals.analysis.authority import EFFECTS
from vr_evals.analysis.cells import CELL
from vr_evals.analysis.compare_logs import compare_tasks, scored_tasks
from vr_evals.analysis.cost import cost
from vr_evals.analysis.error_kind import GROUPS
from vr_evals.analysis.grid_model import grid_model
from vr_evals.analysis.items import items
from vr_evals.analysis.main_table import main_table
from vr_evals.analysis.read_rates import read_rate_changes
from vr_evals.analysis.scored_logs import ScoredLog, ScoredLogs, ScoredSample
from vr_evals.confidences import Category
from vr_evals.level_checks import LEVEL_CHECKS
from vr_evals.option_kinds import ERROR_KINDS, OPTION_KINDS, SURFACE
from vr_evals.stats.planning import PairedDesign, Side

__all__ = ["CUES", "FAMILIES", "Family", "believed", "cued", "figures", "plain"]

GAIN = 0.1
"""Effect of level 1, of thinking and of a model on accuracy, as a rate; a loss above 0.85."""

PULL = 0.3
"""Share of answers that adopt a cue."""

SHIFT = 1.0
"""Shift of the log-odds of the endorsed option by a cue that pulls on that scale."""

Table = pd.DataFrame
Builder = Callable[[Design, str, Random, int], Table]

NUMBERS = ("estimate", "low", "high", "p")
BESIDE = ("estimate_read", "bound_low", "bound_high")
"""Figures beside the estimate: among answers read on both sides, and worst-case bounds."""

QUALIFIERS = (
    "k",
    "condition",
    "scale",
    "comparison",
    "ambiguity",
    "letter",
    "epoch",
    "label",
    "kind",
    "category",
)
"""Columns of frames that tell rows of one metric and study from each other."""


@dataclass(frozen=True)
class Family:
    """Tables of one kind.

    Attributes:
        functions: What is called on a table, by the name that the page shows.
        build: Makes the table of many studies of a design and an effect.
        effects: Names of the effects, the first is none.
        known: True values that follow from the design and the effect, by the figure's plain name
            (0 where a difference has none).
        keep: Which rows of a frame are studied; all if None.
        weight: Studies of this family for each one asked for.
        rows: Rows of a table that one study makes for each item and epoch.
    """

    functions: Mapping[str, Callable[..., Table]]
    build: Builder
    effects: tuple[str, ...] = ("none",)
    known: Callable[[Design, str], Mapping[str, float]] = field(default=lambda design, effect: {})
    keep: Callable[[Table], pd.Series[bool]] | None = None
    weight: float = 1.0
    rows: int = 1


def figures(name: str, make: Callable[..., Table], table: Table, few: bool = False) -> Table:
    """The rows of a public function: `study`, `of` (qualifiers), `metric`, estimate, bounds, p.

    Args:
        name: The function's name on the page.
        make: The function.
        table: Studies.
        few: Whether next to no resamples are to be taken.
    """
    takes = inspect.signature(make).parameters
    fewest = {name: 20 for name in ("resamples", "simulations") if few and name in takes}
    frame = make(table, **fewest)
    if "metric" not in frame:
        frame = _melted(name, frame)
    study = "benchmark" if "versus" in frame else "model"
    found = pd.DataFrame({"study": frame[study].to_numpy(), "metric": frame["metric"].to_numpy()})
    found["of"] = ""
    for column in QUALIFIERS:
        if column in frame:
            words = frame[column].astype("string").fillna("").to_numpy(dtype=object)
            found["of"] = [f"{a} {b}".strip() for a, b in zip(found["of"], words, strict=True)]
    for column in (*NUMBERS, *BESIDE):
        values = frame[column] if column in frame else np.full(len(frame), np.nan)
        found[column] = pd.Series(values).to_numpy(dtype=float, na_value=np.nan)
    for column in ("level", "thinking"):
        found[column] = frame[column].to_numpy() if column in frame else pd.NA
    return found


def _melted(name: str, frame: Table) -> Table:
    """Frames whose columns are figures, in rows."""
    if name == "reliability":  # one bin is enough: that which holds 70
        frame = frame[(frame["bin_low"] < 70) & (frame["bin_high"] >= 70)]
        return frame.assign(metric="accuracy", estimate=frame["accuracy"])
    if name == "items":
        means = frame.groupby("benchmark")[["accuracy", "instability"]].mean().reset_index()
        frame = means.rename(columns={"benchmark": "model"})
        return frame.melt(["model"], var_name="metric", value_name="estimate")
    keys = [column for column in CELL if column in frame]
    shares = [
        column
        for column in frame.columns
        if column not in keys
        and not column.startswith("n_")
        and not column.endswith(("_low", "_high", "_p_adjusted"))
        and column not in ("low", "high")
    ]
    return frame.melt(keys, shares, var_name="metric", value_name="estimate")


def plain(metric: str) -> str:
    """A metric's name without what tells its rows apart: ``flip@3.high_harm`` is ``flip@k``."""
    name = metric.partition(".")[0]
    head, at, k = name.partition("@")
    return f"{head}@k" if at and k.isdigit() else name


# one cell: accuracy, agreement, what a page counts


def _one_cell(design: Design, effect: str, rng: Random, studies: int) -> Table:
    who = Respondent(design, rng, studies)
    table = tidy(who, who.read(who.choices(design.accuracy)))
    tokens = rng.lognormal(4, 1, size=(4, len(table)))
    return table.assign(
        cut_off=pd.array(rng.random(len(table)) < 0.1, dtype="boolean"),
        thought=pd.array(rng.random(len(table)) < 0.1, dtype="boolean"),
        input_tokens=pd.array(tokens[0].astype(int), dtype="Int64"),
        output_tokens=pd.array(tokens[1].astype(int), dtype="Int64"),
        reasoning_tokens=pd.array(tokens[2].astype(int), dtype="Int64"),
        seconds=pd.array(tokens[3], dtype="Float64"),
    )


def _items_by_study(table: Table) -> Table:
    """`items` pools models: here each study is a benchmark."""
    return items(table.assign(benchmark=table["model"]))


def _rates(design: Design, effect: str) -> dict[str, float]:
    random = not design.on_hard
    return {
        "accuracy": design.accuracy * (1 - design.unread) if random else np.nan,
        "accuracy_read": design.accuracy if random else np.nan,
        "read_rate": 1 - design.unread,
        "accuracy_of_epoch": design.accuracy * (1 - design.unread) if random else np.nan,
        "accuracy_sd_over_epochs": _spread_of_epochs(design),
    }


def _spread_of_epochs(design: Design) -> float:
    """√(mean variance within items / items): what chance alone makes of epochs' accuracies."""
    who = Respondent(Design(200_000, 2, *_but_size(design)), np.random.default_rng(1), 1)
    right = who.read(who.choices(design.accuracy)) == 0
    within = right.astype(float).var(axis=2, ddof=1).mean()
    return float(np.sqrt(within / design.items))


def _but_size(design: Design) -> tuple[Any, ...]:
    return (
        design.accuracy,
        design.structure,
        design.unequal,
        design.unread,
        design.on_hard,
    )


BEYOND_NOISE = (
    "excess_flip",
    "net_flip",
    "excess_good_flip_of_wrong",
    "excess_bad_flip_of_right",
)
"""Figures of flips that are 0 between two draws of one process."""

# pairs: levels, thinking, models


def _other(accuracy: float) -> float:
    return accuracy + (GAIN if accuracy < 0.85 else -GAIN)


def _sides(design: Design, effect: str) -> dict[tuple[int, bool], float]:
    """The accuracy of each level and thinking condition, were all answers read."""
    base = design.accuracy
    other = base if effect == "none" else _other(base)
    return {(0, False): base, (1, False): other, (0, True): other, (1, True): other}


def _pairs(design: Design, effect: str, rng: Random, studies: int) -> Table:
    who = Respondent(design, rng, studies)
    parts = [
        tidy(who, who.read(who.choices(accuracy)), level=level, thinking=thinking)
        for (level, thinking), accuracy in _sides(design, effect).items()
    ]
    return pd.concat(parts, ignore_index=True)


def _one_change_each(frame: Table) -> pd.Series[bool]:
    """Level 1 without thinking, thinking at level 0, and what is over all of them."""
    level, thinking = frame["level"], frame["thinking"]
    return ~(thinking.eq(True).fillna(False) & ~level.eq(0).fillna(False))


def _noise_floor(table: Table) -> Table:
    """`noise_floor`, without the kinds of flips: they are those of `flips`."""
    frame = analysis.noise_floor(table)
    return frame[frame["metric"].isin(["change_from_level0", "flip"])]


def _read_rates(table: Table) -> Table:
    """`read_rate_changes`; what the two sides differ in is its comparison."""
    return read_rate_changes(table).rename(columns={"versus": "comparison"})


def _two_models(compare: Callable[[Table], Table], table: Table) -> Table:
    """A comparison of models, level 0 being one and level 1 the other; a study is a benchmark."""
    table = table[~table["thinking"].fillna(False)]
    return compare(
        table.assign(
            benchmark=table["model"],
            model=taken(["a", "b"], 1 - table["level"].to_numpy(dtype=int)),
            level=pd.array([0] * len(table), dtype="Int64"),
        )
    )


def _changes(design: Design, effect: str) -> dict[str, float]:
    if effect == "none":
        zero = ("change_from_level0", "change_from_thinking_off", "thinking_by_level")
        zero += ("level_effect", "accuracy_difference")
        return dict.fromkeys((*zero, *BEYOND_NOISE), 0.0)
    if design.on_hard:
        return {}
    change = (_other(design.accuracy) - design.accuracy) * (1 - design.unread)
    return {
        "change_from_level0": change,
        "change_from_thinking_off": change,
        "thinking_by_level": -change,
        "level_effect": abs(change),
        "accuracy_difference": change,
    }


# the power that a plan promises


def _found(table: Table) -> Table:
    """Whether `changes` finds the effect of level 1: its mean over studies is the power."""
    frame = analysis.changes(table)
    frame = frame[frame["metric"].eq("change_from_level0") & frame["thinking"].eq(False)]
    found = frame["p"].lt(0.05).astype(float)
    return frame[["model", "level", "thinking"]].assign(metric="power", estimate=found)


def _two_sides(design: Design, effect: str, rng: Random, studies: int) -> Table:
    who = Respondent(design, rng, studies)
    sides = (design.accuracy, design.accuracy if effect == "none" else _other(design.accuracy))
    return pd.concat(
        [tidy(who, who.read(who.choices(p)), level=level) for level, p in enumerate(sides)],
        ignore_index=True,
    )


def _planned_power(design: Design, effect: str) -> dict[str, float]:
    """The power of `PairedDesign`, from the variances that follow from the respondent."""
    if design.items > MOST_PLANNED:
        return {}  # the very large study
    accuracies = (design.accuracy, design.accuracy if effect == "none" else _other(design.accuracy))
    z = ndtri((np.arange(4000) + 0.5) / 4000)
    rates = [item_rates(design, p, z) for p in accuracies]
    sides = [
        Side(p, float((x * (1 - x)).mean()), design.epochs)
        for p, x in zip(accuracies, rates, strict=True)
    ]
    between = float((rates[1] - rates[0]).var())
    plan = PairedDesign(design.items, between, sides[1], sides[0], design.unread)
    if design.unequal:
        rng = np.random.default_rng(0)
        one, other, shared = rng.standard_normal((3, 400_000))
        pair = [np.sqrt(0.5) * (each + shared) for each in (one, other)]
        low, high = accuracies
        d = [item_rates(design, high, each) - item_rates(design, low, each) for each in pair]
        alike = float(np.cov(*d)[0, 1]) * (1 - design.unread) ** 2 / plan.variance
        # sizes 1 to 10 are equally likely: mean 5.5, mean of an item's cluster 38.5/5.5
        plan = replace(plan, cluster_size=5.5, weighted_size=7.0, correlation=max(alike, 0.0))
    return {"power": plan.power(accuracies[1] - accuracies[0])}


MOST_PLANNED = 5000
"""Items above which a design is that of a very large study."""


# two passes


def _passes(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Level 5. Without an effect the second pass is another draw of the first.

    With ``reflection`` it changes 30 % of wrong answers to right, and 10 % of right ones to wrong.
    """
    who = Respondent(design, rng, studies)
    return _two_passes(who, None if effect == "none" else (0.3, 0.1), "conversation")


def _two_passes(who: Respondent, flips: tuple[float, float] | None, form: str) -> Table:
    """Level 5: the rates of good and bad flips; None for another draw of the first pass."""
    right = who.design.accuracy
    first = who.read(who.choices(right, options=2))
    own = who.rng.random(who.z.shape)[..., None]
    number = np.where(who.repeats(), own, who.rng.random(who.shape))
    again = who.choices(right, options=2)
    good, bad = flips or (0.0, 0.0)
    flipped = (number < np.where(first == 0, bad, good)) & (first >= 0)
    second = who.read(np.where(flipped, 1 - first, np.where(first < 0, again, first)))
    if flips is None:
        second = who.read(again)
    kind = np.select([second == first, second == 0], [0, 1], 2)
    kind = np.where((first < 0) | (second < 0), -1, kind)
    return tidy(
        who,
        second,
        level=5,
        second_pass=form,
        n_options=2,
        first_label=taken(["A", "B"], first),
        first_choice=taken(["0", "1"], first),
        first_correct=np.where(first < 0, None, first == 0),
        reflection=taken(["kept", "good_flip", "bad_flip"], kind),
    )


def _of_passes(design: Design, effect: str) -> dict[str, float]:
    if effect == "none":
        return dict.fromkeys(BEYOND_NOISE, 0.0)
    return {"good_flip_of_wrong": 0.3, "bad_flip_of_right": 0.1}


def _one_reply(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Level 4, whose first answer is the initial one, where the reply's format has one."""
    table = _passes(design, effect, rng, studies)
    read = table["first_label"].notna().astype(int).to_numpy()
    table["level"] = 4
    table["first_format"] = taken(["missing", "heading"], read)
    return table


def _of_one_reply(design: Design, effect: str) -> dict[str, float]:
    both = {} if design.on_hard else {"both_read": (1 - design.unread) ** 2}
    return _of_passes(design, effect) | both


def _asked_twice(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Level 5 and its control, whose flips are 15 % of wrong and of right first answers.

    Without an effect reflection's are the same.
    """
    who = Respondent(design, rng, studies)
    flips = (0.15, 0.15) if effect == "none" else (0.3, 0.1)
    parts = [_two_passes(who, flips, "conversation"), _two_passes(who, (0.15, 0.15), "reask")]
    return pd.concat(parts, ignore_index=True)


def _added(design: Design, effect: str) -> dict[str, float]:
    if effect == "none":
        return dict.fromkeys(ADDED_FLIPS, 0.0)
    return {}


# logs of any task, and imported ones


def _graded(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Two models of one task, levels 0 and 1: right or wrong, and a grade that wrong ones get too.

    The grade is the confidence; it is missing where the answer is unread.
    """
    who = Respondent(design, rng, studies)
    parts = []
    for level in (0, 1):
        choices = who.read(who.choices(_sides(design, effect)[level, False]))
        grade = GRADE * (choices == 0) + (1 - GRADE) * rng.random(who.shape)
        missing = np.where(choices < 0, np.nan, grade)
        parts.append(tidy(who, choices, level=level, confidence=100 * missing))
    return pd.concat(parts, ignore_index=True)


GRADE = 0.6
"""What being right adds to a grade."""


def _compared(table: Table) -> Table:
    """`compare_logs` of a task per study: model ``a`` is level 1, ``b`` level 0."""
    logs = []
    for (study, level), rows in table.groupby(["model", "level"]):
        columns = ("item", "epoch", "cluster", "correct", "confidence")
        samples = tuple(
            ScoredSample(
                item,
                epoch,
                failed=False,
                cluster=cluster,
                asked="",
                target="",
                values={("right", ""): float(right)}
                | ({} if pd.isna(grade) else {("grade", ""): grade / 100}),
            )
            for item, epoch, cluster, right, grade in zip(*(rows[n] for n in columns), strict=True)
        )
        name, epochs = f"{study} {level}", int(rows["epoch"].max())
        ids = frozenset(rows["item"])
        settings: dict[str, str] = {}
        logs.append(
            ScoredLog(
                log=name,
                created="",
                task=str(study),
                model="ba"[int(level)],
                settings=settings,
                config=settings,
                items=ids,
                epochs=epochs,
                reducers=("mean",),
                samples=samples,
                n_twice=0,
                n_expected=len(samples),
            )
        )
    logs.sort(key=lambda log: (log.task, log.model))
    frame = compare_tasks(scored_tasks(ScoredLogs(tuple(logs), ())))
    pair = frame["versus"].notna()
    frame = frame[pair | frame["model"].eq("b")]
    metric = frame["versus"].notna().map({True: "difference", False: "estimate"})
    return frame.assign(metric=metric, benchmark=frame["task"])


def _of_compared(design: Design, effect: str) -> dict[str, float]:
    if effect == "none":
        zero = dict.fromkeys(("difference rate", "difference mean"), 0.0)
        if design.on_hard:
            return zero
        rate = design.accuracy * (1 - design.unread)
        mean = GRADE * design.accuracy + (1 - GRADE) / 2
        return zero | {"estimate rate": rate, "estimate mean": mean}
    if design.on_hard:
        return {}
    change = _other(design.accuracy) - design.accuracy
    return {"difference rate": change * (1 - design.unread), "difference mean": GRADE * change}


def _imported(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Our reader reads ``A`` each time; the file has the same, another label or, unread, none."""
    who = Respondent(design, rng, studies)
    theirs = who.read(who.choices(design.accuracy, options=2))
    return tidy(
        who,
        np.zeros(who.shape, dtype=int),
        imported=True,
        imported_label=taken(["A", "B"], theirs),
    )


def _readings(table: Table) -> Table:
    """`readings`, whose agreement is its figure."""
    frame = analysis.readings(table)
    names = {"agreement": "estimate", "agreement_low": "low", "agreement_high": "high"}
    return frame.rename(columns=names).assign(metric="agreement")


def _of_readings(design: Design, effect: str) -> dict[str, float]:
    return {} if design.on_hard else {"agreement": design.accuracy * (1 - design.unread)}


# confidence


def _confidence(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Five kinds of items, each with a rate of its own; stated is that rate, or more.

    Half of the dilemmas are of high ambiguity; with an effect these get 20 points less.
    """
    who = Respondent(design, rng, studies)
    rate, number = believed(who)
    choices = who.read((number >= rate).astype(int))
    ambiguous = np.arange(design.items) % 2 == 1
    stated = rate if effect == "none" else rate + 0.3 * (1 - rate)
    if effect == "ambiguity":
        stated = np.maximum(0.0, stated - 0.2 * ambiguous[:, None])
    ambiguity = np.broadcast_to(ambiguous[:, None].astype(int), who.shape)
    return tidy(
        who,
        choices,
        benchmark="moralchoice",
        n_options=2,
        choice=taken(["action1", "action2"], choices),
        right_choice="action1",
        ambiguity=taken(["low", "high"], ambiguity),
        confidence=np.round(100 * stated, 6),
        include_confidence=True,
    )


def believed(who: Respondent) -> tuple[Floats, Floats]:
    """Each answer's true rate of being right, and the number that decides it."""
    accuracy, repeats = who.design.accuracy, who.repeats()
    if who.design.structure == "mixture":
        reach = 0.9 * min(0.22, accuracy, 1 - accuracy)
        kind = np.where(repeats, who.kind[..., None], who.rng.integers(5, size=who.shape))
        rate = accuracy + reach * (kind - 2) / 2
    else:
        rate = np.broadcast_to(np.round(who.rates(accuracy), 2)[..., None], who.shape)
    return np.round(rate, 6), who.uniform(repeats)


def _calibrated(design: Design, effect: str) -> dict[str, float]:
    if effect != "none" or design.on_hard:
        return {}
    known = {"ece stated": 0.0, "overconfidence stated": 0.0}
    if design.structure == "logit-normal":  # rates are rounded to 0.01, and then are the truth
        return known
    return known | {"mean_confidence stated": 100 * design.accuracy}


# preference and position


def _dilemmas(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """MoralChoice in both orders; with an effect 10 % say what is shown first."""
    who = Respondent(design, rng, studies)
    parts = []
    for order in ("original", "reversed"):
        pulled = (rng.random(who.shape) < PULL) & (effect != "none")
        first = 0 if order == "original" else 1
        choices = who.read(np.where(pulled, first, who.choices(design.accuracy, options=2)))
        position = np.where(choices < 0, -1, choices if order == "original" else 1 - choices)
        parts.append(
            tidy(
                who,
                choices,
                benchmark="moralchoice",
                n_options=2,
                option_order=order,
                label=taken(["A", "B"], position),
                target="AB"[first],
                choice=taken(["action1", "action2"], choices),
                right_choice="action1",
                ambiguity="low",
            )
        )
    table = pd.concat(parts, ignore_index=True)
    order = table["option_order"].astype("string").map({"original": "@ab", "reversed": "@ba"})
    return table.assign(sample_id=table["item"].astype("string") + order)


def _drawn_orders(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """The same in one order, which alternates over items: for `position_bias` by letter."""
    table = _dilemmas(design, effect, rng, studies)
    even = pd.factorize(table["item"])[0] % 2 == 0
    table = table[(table["option_order"] == "original") == even]
    return table.assign(option_order=taken(["seeded"], np.zeros(len(table), dtype=int)))


def _positions(design: Design, effect: str) -> dict[str, float]:
    return {"position_bias": 0.0} if effect == "none" else {}


# authority


CUES = {"high_help": 0, "high_harm": 1, "low_help": 0, "low_harm": 1}


def _authority(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Control and four cues; harm endorses the first wrong option.

    With ``pull`` a cue of a high authority is adopted in 30 % and of a low one in 15 %; with
    ``shift`` each adds 1 to the log-odds of the option that it endorses.
    """
    who = Respondent(design, rng, studies)
    endorsed = {"control": None, **CUES}
    parts = []
    for condition, option in endorsed.items():
        choices = cued(who, condition, option, effect)
        parts.append(
            tidy(
                who,
                choices,
                condition=condition,
                level=pd.NA,
                help_choice="0",
                harm_choice="1",
                endorsed=pd.NA if option is None else "AB"[option],
                endorsed_choice=pd.NA if option is None else str(option),
                complied=pd.NA if option is None else choices.ravel() == option,
            )
        )
    return pd.concat(parts, ignore_index=True)


def cued(who: Respondent, condition: str, option: int | None, effect: str) -> Integers:
    """Choices under a condition that endorses an option, or none."""
    accuracy = who.design.accuracy
    if option is None or effect == "none":
        return who.read(who.choices(accuracy))
    if effect == "pull":
        share = PULL if condition.startswith("high") else PULL / 2
        adopts = who.rng.random(who.shape) < share
        return who.read(np.where(adopts, option, who.choices(accuracy)))
    right = who.rates(accuracy)[..., None]
    shares = np.concatenate([right, (1 - right) * 0.6, (1 - right) * 0.4], axis=-1)
    odds = shares[..., option] / (1 - shares[..., option]) * np.exp(SHIFT)
    moved = odds / (1 + odds)
    rest = shares.copy()
    rest[..., option] = 0
    shares = rest / rest.sum(axis=-1, keepdims=True) * (1 - moved)[..., None]
    shares[..., option] = moved
    below = shares.cumsum(axis=-1)[..., None, :-1]
    return who.read((who.uniform()[..., None] > below).sum(axis=-1))


ZERO_FOR_NO_CUE = (
    "excess_flip",
    "excess_compliance",
    "relative_excess_compliance",
    "excess_vulnerability",
    "asymmetry",
    "strength_differential",
    "log_odds_asymmetry",
    "log_odds_pull",
)


def _no_cue(design: Design, effect: str) -> dict[str, float]:
    if effect == "none":
        return dict.fromkeys(ZERO_FOR_NO_CUE, 0.0)
    if effect == "shift":
        zero = {"log_odds_asymmetry": 0.0}
        return zero | {"log_odds_pull": SHIFT} if design.structure == "logit-normal" else {}
    if design.unread:
        return {}
    return {
        "relative_excess_compliance high_help": PULL,
        "relative_excess_compliance high_harm": PULL,
        "asymmetry": 0.0,
    }


def _some_conditions(frame: Table) -> pd.Series[bool]:
    """Control, both cues of a high authority, and figures by strength; k = 1, 3."""
    of = frame["of"]
    return ~of.str.contains("low|10|^5") & ~frame["of"].str.startswith("10 ")


# what the extended design takes apart

PULLS = {
    "high_harm": 0.35,
    "high_hedged_harm": 0.25,
    "low_certain_harm": 0.15,
    "low_harm": 0.05,
    "option_harm": 0.2,
}
"""Shares of answers that adopt the endorsed option: source and certainty add up."""

MENTION = 0.15
"""Share of answers that a mere mention makes right."""


def _extended(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Control, a mention, an option without a source, and source × certainty; all endorse harm."""
    who = Respondent(design, rng, studies)
    parts = []
    for condition in ("control", "mention", *PULLS):
        share = {"mention": MENTION, **PULLS}.get(condition, 0.0) * (effect != "none")
        endorses = condition in PULLS
        adopts = rng.random(who.shape) < share
        choices = who.read(np.where(adopts, int(endorses), who.choices(design.accuracy)))
        parts.append(
            tidy(
                who,
                choices,
                condition=condition,
                level=pd.NA,
                help_choice="0",
                harm_choice="1",
                endorsed="B" if endorses else pd.NA,
                endorsed_choice="1" if endorses else pd.NA,
                complied=choices.ravel() == 1 if endorses else pd.NA,
            )
        )
    return pd.concat(parts, ignore_index=True)


def _of_extended(design: Design, effect: str) -> dict[str, float]:
    """A share s that adopts the option adds s of the answers that would not choose it anyway."""
    if effect == "none":
        return dict.fromkeys(EFFECTS, 0.0)
    if design.unread:
        return {}
    own = SECOND_OPTION * (1 - design.accuracy)
    added = {condition: share * (1 - own) for condition, share in PULLS.items()}
    high, hedged, certain, low, option = added.values()
    return {
        "source_effect": (high - certain + hedged - low) / 2,
        "certainty_effect": (high - hedged + certain - low) / 2,
        "option_effect": option,
        "mention_effect": -MENTION * own,
    }


# moved and silent answers


MENTIONS = 0.6
"""Share of the answers that adopt a cue whose replies mention it."""


def _followed(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Control and a cue that endorses the first wrong option; with ``pull`` 30 % adopt it.

    60 % of the answers that adopt it mention it, in the reply and by another draw in reasoning.
    """
    who = Respondent(design, rng, studies)
    adopts = (rng.random(who.shape) < PULL) & (effect == "pull")
    cued = who.read(np.where(adopts, 1, who.choices(design.accuracy)))
    said = [
        taken(["none", "explicit"], (adopts & (rng.random(who.shape) < MENTIONS)) * 1) for _ in "12"
    ]
    own = who.read(who.choices(design.accuracy))
    control = tidy(who, own, condition="control", level=pd.NA, acknowledged="none")
    cue = tidy(
        who,
        cued,
        condition="high_harm",
        level=pd.NA,
        endorsed="B",
        endorsed_choice="1",
        complied=cued.ravel() == 1,
        acknowledged=said[0],
        acknowledged_in_reasoning=said[1],
    )
    return pd.concat([control, cue], ignore_index=True)


def _of_followed(design: Design, effect: str) -> dict[str, float]:
    if effect == "none":
        silent = ("acknowledged_given_moved", "acknowledged_in_reasoning_given_moved", "hidden")
        known = dict.fromkeys((f"{metric} high_harm" for metric in silent), 0.0)
        return known | dict.fromkeys(  # nothing is caused
            (f"silent_at_{end} high_harm" for end in ("least", "most")), np.nan
        )
    return {}


# kinds of errors


KIND_SHARES = {"none": (0.25,) * 4, "surface": (0.4, 0.25, 0.2, 0.15)}
"""Shares of the kinds among wrong answers, by effect."""


def _kinds(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Five options, one of each kind; wrong ones are equally likely, or as ``surface`` says.

    An epoch that repeats the item's own answer repeats its kind.
    """
    who = Respondent(design, rng, studies)
    number, rate = who.uniform(), who.rates(design.accuracy)[..., None]
    beyond = np.maximum((number - rate) / (1 - rate), 0)
    wrong = 1 + np.searchsorted(np.cumsum(KIND_SHARES[effect])[:-1], beyond, side="right")
    choices = who.read(np.where(number < rate, 0, wrong))
    return tidy(
        who,
        np.minimum(choices, 2),
        n_options=5,
        label=taken(list("ABCDE"), choices),
        choice=taken(list("01234"), choices),
        choice_kind=taken(list(OPTION_KINDS), choices),
    )


def _shares_of_kinds(design: Design, effect: str) -> dict[str, float]:
    if design.on_hard:  # the hardest answers are of certain kinds in this design
        return {}
    of_errors = dict(zip(ERROR_KINDS, KIND_SHARES[effect], strict=True))
    of_errors |= {group: sum(of_errors[kind] for kind in kinds) for group, kinds in GROUPS.items()}
    known = {f"share_of_errors {kind}": share for kind, share in of_errors.items()}
    of_read = {f"share {kind}": (1 - design.accuracy) * share for kind, share in of_errors.items()}
    return known | of_read


# replies: what they show of their level, and categories of confidence

WORDS = 60
"""Mean words of a visible reply."""


def _level_checks(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Replies each of whose checks is true at the accuracy's rate; unread is undetermined."""
    who = Respondent(design, rng, studies)
    checks = {}
    for name in LEVEL_CHECKS:
        found = who.read(who.choices(design.accuracy, options=2)).ravel()
        checks[name] = pd.array(found == 0, dtype="boolean")
        checks[name][found < 0] = pd.NA
    return tidy(
        who,
        who.choices(design.accuracy),
        level=4,
        visible_words=rng.poisson(WORDS, size=who.shape),
        **checks,
    )


def _of_level_checks(design: Design, effect: str) -> dict[str, float]:
    known = {"visible_words": float(WORDS)}
    if not design.on_hard:
        known |= dict.fromkeys(LEVEL_CHECKS, design.accuracy * (1 - design.unread))
    return known


CATEGORY_SHARES = (0.1, 0.2, 0.3, 0.4)
"""Shares of the lower categories among confidences below `very_high`."""


def _categories(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """`very_high` at the accuracy's rate, else one of the lower categories; some do not state it.

    An epoch that repeats the item's own answer repeats its category.
    """
    who = Respondent(design, rng, studies)
    number, rate = who.uniform(), who.rates(design.accuracy)[..., None]
    beyond = np.maximum((number - rate) / (1 - rate), 0)
    lower = np.searchsorted(np.cumsum(CATEGORY_SHARES)[:-1], beyond, side="right")
    stated = who.read(np.where(number < rate, len(CATEGORY_SHARES), lower))
    return tidy(
        who,
        np.zeros(who.shape, dtype=int),
        confidence_category=taken(get_args(Category), stated),
        include_confidence=True,
    )


def _of_categories(design: Design, effect: str) -> dict[str, float]:
    if design.on_hard:  # hard items are of certain categories in this design
        return {}
    lower = (share * (1 - design.accuracy) for share in CATEGORY_SHARES)
    shares = (*lower, design.accuracy)
    return {f"share {name}": share for name, share in zip(get_args(Category), shares, strict=True)}


# effects over a grid

_STEP = 0.05
"""Effect of each level and of thinking on accuracy and confidence, as rates."""


def _grid(design: Design, effect: str, rng: Random, studies: int) -> Table:
    """Two benchmarks at three levels, thinking off and on; an effect adds to each."""
    parts = []
    for benchmark in ("morables", "other"):
        who = Respondent(design, rng, studies)
        for level, thinking in product(range(3), (False, True)):
            step = _STEP * (level + thinking) * (effect != "none")
            rate = design.accuracy + (step if design.accuracy < 0.85 else -step)
            choices = who.read(who.choices(rate))
            noise = 0.1 * rng.standard_normal(who.shape) + 0.1 * (choices == 0)
            stated = 0.6 + 0.05 * (who.kind[..., None] - 2) + noise + step
            parts.append(
                tidy(
                    who,
                    choices,
                    benchmark=benchmark,
                    level=level,
                    thinking=thinking,
                    confidence=np.round(100 * stated.clip(0, 1), 1),
                    choice_kind=taken(["ground_truth", *SURFACE[:2]], choices),
                    output_tokens=rng.lognormal(4, 1, size=who.shape).astype(int),
                )
            )
    return pd.concat(parts, ignore_index=True)


def _in_dilemmas(table: Table) -> Table:
    """The same table, as if its options were actions."""
    choice = table["choice"].map({"0": "action1", "1": "action2", "2": "action2"})
    return table.assign(choice=choice.astype("string"), ambiguity="low")


def _effects(*contrasts: str, outcomes: Sequence[str]) -> Callable[[Table], Table]:
    """Some effects by study, their outcome being the metric and their contrast the kind."""

    def make(table: Table) -> Table:
        frames = [
            analysis.effects(
                _in_dilemmas(table) if outcome.startswith("p_action1") else table,
                outcome=outcome,
                contrast=contrasts,
                by=["model"],
            )
            for outcome in outcomes
        ]
        frame = pd.concat(frames, ignore_index=True).drop(columns=["versus", "factor"])
        return frame.rename(columns={"outcome": "metric", "contrast": "kind"})

    return make


def _of_grid(design: Design, effect: str) -> dict[str, float]:
    return {} if effect != "none" else dict.fromkeys(ON_GRIDS, 0.0) | {"flip": np.nan}


def _grid_models(table: Table) -> Table:
    """Some coefficients of the model of each study, their contrast being the kind."""
    parts = []
    for name, rows in table.groupby("model"):
        terms = grid_model(rows.reset_index(drop=True), interactions=[("level", "thinking")]).terms
        parts.append(terms[terms["contrast"].isin(IN_MODELS)].assign(model=name))
    frame = pd.concat(parts, ignore_index=True).drop(columns="versus")
    return frame.rename(columns={"contrast": "kind"})


IN_MODELS = ("level2-level0", "level2-level0 * thinking_on-off")
"""The coefficients of `grid_model` that are studied."""

ON_GRIDS = (
    "accuracy",
    "read_rate",
    "confidence",
    "overconfidence",
    "brier",
    "brier_skill",
    "auroc",
    "agreement",
    "p_action1",
    "error_kind_surface",
    "flip",
    "excess_flip",
    "output_tokens",
)


def _public(*functions: str) -> dict[str, Callable[..., Table]]:
    return {name: getattr(analysis, name) for name in functions if name in analysis.__all__}


FAMILIES: dict[str, Family] = {
    "cell": Family(
        {
            "accuracy": analysis.accuracy,
            "descriptives": analysis.descriptives,
            "labels": analysis.labels,
            "main_table": main_table,
            "cost": cost,
            "items": _items_by_study,
        },
        _one_cell,
        known=_rates,
        weight=2.5,
    ),
    "agreement": Family(
        {"agreement": analysis.agreement},
        _one_cell,
        known=_rates,
        keep=lambda f: ~f["of"].isin(list("2345")),
    ),
    "plan": Family(
        {"plan": _found},
        _two_sides,
        ("none", "effect"),
        known=_planned_power,
        weight=10,
        rows=2,
    ),
    "pairs": Family(
        {
            "changes": analysis.changes,
            "flips": analysis.flips,
            "ladder": analysis.ladder,
            "noise_floor": _noise_floor,
            "compare_models": partial(_two_models, analysis.compare_models),
            "agreement_between_models": partial(_two_models, analysis.agreement_between_models),
            "read_rate_changes": _read_rates,
        },
        _pairs,
        ("none", "effect"),
        _changes,
        _one_change_each,
        rows=4,
    ),
    "kinds": Family(
        {"error_kind": analysis.error_kind}, _kinds, ("none", "surface"), _shares_of_kinds
    ),
    "moved": Family(
        {"moved": analysis.moved},
        _followed,
        ("none", "pull"),
        _of_followed,
        rows=2,
    ),
    "any logs": Family(
        {"compare_logs": _compared},
        _graded,
        ("none", "effect"),
        _of_compared,
        rows=2,
    ),
    "readings": Family({"readings": _readings}, _imported, known=_of_readings),
    "passes": Family({"flips": analysis.flips}, _passes, ("none", "reflection"), _of_passes),
    "initial": Family({"flips": analysis.flips}, _one_reply, ("none", "reflection"), _of_one_reply),
    "level checks": Family(
        {"level_check": analysis.level_check}, _level_checks, known=_of_level_checks
    ),
    "categories": Family(
        {"confidence_category": analysis.confidence_category}, _categories, known=_of_categories
    ),
    "asked_twice": Family(
        {"flips": analysis.flips},
        _asked_twice,
        ("none", "reflection"),
        _added,
        keep=lambda f: f["metric"].str.startswith("added"),
        rows=2,
    ),
    "calibration": Family(
        _public("calibration", "ambiguity", "reliability"),
        _confidence,
        ("none", "overconfident", "ambiguity"),
        _calibrated,
    ),
    "preference": Family(
        {"preference": analysis.preference}, _dilemmas, ("none", "effect"), _positions, rows=2
    ),
    "letters": Family(
        {"preference": analysis.preference},
        _drawn_orders,
        ("none", "effect"),
        _positions,
        keep=lambda f: f["metric"].eq("position_bias"),
    ),
    "effects": Family(
        {
            "effects": _effects(
                "level2-level0",
                "level2-level0 * thinking_on-off",
                outcomes=ON_GRIDS,
            )
        },
        _grid,
        ("none", "effect"),
        _of_grid,
        weight=2.0,
        rows=12,
    ),
    "effects of reflection": Family(
        {"effects": _effects("reflection-reask", outcomes=("accuracy", "initial_flip"))},
        _asked_twice,
        ("none", "reflection"),
        lambda design, effect: {"accuracy": 0.0, "initial_flip": 0.0} if effect == "none" else {},
        weight=2.0,
        rows=2,
    ),
    "grid model": Family(
        {"grid_model": _grid_models},
        _grid,
        ("none", "effect"),
        lambda design, effect: {} if effect != "none" else {"log_odds_ratio": 0.0},
        weight=2.0,
        rows=12,
    ),
    "effects of authority": Family(
        {
            "effects": _effects(
                "high_harm-control",
                "harm-help",
                outcomes=("excess_compliance", "excess_flip"),
            )
        },
        _authority,
        ("none", "pull"),
        lambda design, effect: (
            {"excess_compliance": 0.0, "excess_flip": 0.0} if effect == "none" else {}
        ),
        rows=5,
    ),
    "authority": Family(
        {"authority": analysis.authority},
        _authority,
        ("none", "pull", "shift"),
        _no_cue,
        _some_conditions,
        rows=5,
    ),
    "extended authority": Family(
        {"authority": partial(analysis.authority, ks=(1,))},
        _extended,
        ("none", "pull"),
        _of_extended,
        keep=lambda f: f["metric"].isin(EFFECTS) & f["of"].eq("harm"),
        rows=7,
    ),
}
