"""Measure bias, coverage and error rates of estimates, intervals and tests on simulated studies.

    python benchmarks/validity.py [--studies 400] [--seed 0] [--jobs 2] [--large 20000]
        [--again 4] [--only PATTERN] [--designs PATTERN] [--kept FILE] [--output docs/validity.md]

Each estimate of a frame, a log or the report is computed like in use: by the public function on a
tidy table, or by Inspect from the scores of a log. The studies are in ``studied_figures.py`` and
``studied_logs.py``, their respondents in ``simulated_study.py``.

Prints and writes a row per estimate, design and effect. With ``--only`` (a pattern of names of
families or functions) or ``--designs`` (a pattern of designs as written in the page) the page is
written only with ``--output``. Exits with 1 and the names of the rows if, without a reason in
``validity_reasons.py``, coverage is outside 93–97 %, a known true value is missed, a test rejects a
true null hypothesis too often, worst-case bounds miss, or an interval contradicts its test. The
last three have no reasons.

To update the page after a change:

    python benchmarks/validity.py --jobs 2

then check the rows that it names: fix the estimator or, if the cause is known and can be written as
a rule on rows, add it to ``REASONS``. A new metric of a public function needs nothing here, unless
its true value follows from the design (`known` of its family) or its rows differ in a new column
(``QUALIFIERS``); ``tests/benchmarks_scripts/test_validity.py`` names estimates without a row.
Results depend on the seed and the number of studies, not on ``--jobs``. With ``--kept`` rows of
each finished design are added to a file, and read from it next time: a run that was stopped
continues, and new reasons need no new studies. Delete the file if an estimator changed. With
``--again`` a row without a reason is replaced by that of so many times as many studies of the next
seed: of some thousands of rows a few are off by chance.
"""

import argparse
import json
import multiprocessing
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

# one thread a process: each core has a process of its own; numpy reads these at import
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np
import pandas as pd
import studied_logs
from simulated_study import Design
from studied_figures import FAMILIES, Family, figures
from validity_page import page
from validity_reasons import Row, reason

PAGE = Path(__file__).parents[1] / "docs" / "validity.md"
BATCH_ROWS = 40_000
LARGE = {
    "authority": 0.4,
    "effects": 0.25,
    "effects of authority": 0.4,
    "extended authority": 0.4,
    "grid model": 0.5,
    "logs": 0.25,
    "logs of authority": 0.1,
}
"""Items of the study that is taken for the truth, as a share of ``--large``."""

Cell = tuple[str, Design, str]
"""A family, a design and an effect."""


BASE = Design()
VARIED = (
    BASE,
    *(replace(BASE, items=n) for n in (20, 50, 300)),
    *(replace(BASE, epochs=n) for n in (1, 2)),
    *(replace(BASE, accuracy=p) for p in (0.2, 0.5, 0.9, 0.99)),
    replace(BASE, structure="logit-normal"),
    replace(BASE, unequal=True),
    *(replace(BASE, unread=u, on_hard=hard) for u in (0.05, 0.2) for hard in (False, True)),
    Design(20, 1, 0.99),
    Design(50, 1, 0.9, "logit-normal"),
    Design(20, 5, 0.2, "logit-normal", True, 0.2, True),
    Design(300, 1, 0.5, "mixture", True, 0.05),
    Design(300, 5, 0.99, "logit-normal"),
)
FEWER = (
    BASE,
    replace(BASE, items=30),
    replace(BASE, items=300),
    *(replace(BASE, epochs=n) for n in (1, 2)),
    *(replace(BASE, accuracy=p) for p in (0.2, 0.95)),
    replace(BASE, structure="logit-normal"),
    replace(BASE, unequal=True),
    replace(BASE, unread=0.05, on_hard=True),
    replace(BASE, unread=0.2),
    replace(BASE, unread=0.2, on_hard=True),
    Design(30, 5, 0.95, "logit-normal", True, 0.05),
)
"""For authority, which takes long."""


def cells(only: str = "", designs: str = "") -> list[Cell]:
    """What is studied: all designs without an effect, fewer with one.

    Args:
        only: A pattern of names of families or functions.
        designs: A pattern of designs, as the page writes them.
    """
    found = [
        (name, design, effect)
        for name, family in FAMILIES.items()
        for effect in family.effects
        for design in _designs(name, effect)
    ]
    found += [(name, design, "none") for name in studied_logs.KINDS for design in LOGGED]
    return [
        cell
        for cell in found
        if re.search(only, _searched(cell[0])) and re.search(designs, str(cell[1]))
    ]


EFFECTS = (
    BASE,
    *(replace(BASE, items=n) for n in (30, 300)),
    replace(BASE, epochs=1),
    replace(BASE, structure="logit-normal"),
    replace(BASE, unread=0.2, on_hard=True),
)
"""Where there is an effect."""

BRIEF = (*EFFECTS, replace(BASE, unequal=True), replace(BASE, unread=0.2))
LIKE_OTHERS = ("initial", "level checks", "categories", "any logs", "readings")
"""Families whose figures are computed as others are, and have the designs of `BRIEF`."""

POOLED = (
    replace(BASE, items=50, epochs=2),
    replace(BASE, items=25, epochs=2, accuracy=0.9),
    replace(BASE, items=50, epochs=2, structure="logit-normal", unread=0.2, on_hard=True),
)
"""For effects, which are averages over twelve cells of so many items."""

EXTENDED = (BASE, EFFECTS[1], EFFECTS[3], EFFECTS[5])
"""For effects of the extended design, which has seven conditions."""

PLANNED = (
    Design(50, 5, 0.7, "logit-normal"),
    Design(60, 2, 0.7, "mixture"),
    Design(60, 5, 0.5, "mixture"),
    Design(150, 2, 0.7, "logit-normal", unequal=True),
    Design(100, 2, 0.95, "logit-normal"),
    Design(80, 3, 0.7, "logit-normal", unread=0.2),
    Design(150, 1, 0.7, "logit-normal"),
    Design(80, 1, 0.95, "mixture"),
)
"""For the power that a plan promises: six with epochs, two with one answer a side."""

SHIFTED = (BASE, replace(BASE, structure="logit-normal"))
LOGGED = tuple(replace(each, items=50) for each in (BASE, EFFECTS[3], EFFECTS[5]))


def _designs(name: str, effect: str) -> tuple[Design, ...]:
    if name.startswith("effects") or name == "grid model":
        return POOLED
    if name == "plan":
        return PLANNED
    if name == "extended authority":
        return EXTENDED
    if effect == "shift":
        return SHIFTED
    if effect != "none":
        return EFFECTS
    if name in LIKE_OTHERS:
        return BRIEF
    return FEWER if name == "authority" else VARIED


def _searched(name: str) -> str:
    family = FAMILIES.get(name)
    return " ".join([name, *(family.functions if family else ())])


def make(cell: Cell, seed: Sequence[int], studies: int, few: bool = False) -> pd.DataFrame:
    """The figures of some studies of a cell, with the column `function`.

    Where a frame has bounds for unread answers, they are rows of their own (`bounds`): the estimate
    of the same studies with every answer read, which the bounds should always contain. So are
    estimates among the answers read on both sides (`among read`).
    """
    name, design, effect = cell
    if name in studied_logs.KINDS:
        return studied_logs.figures(name, design, np.random.default_rng(seed), studies)
    found = _figures_of(FAMILIES[name], design, effect, seed, studies, few)
    if not design.unread:
        return found
    if few:
        return _with_read(found)
    bounded = found[found["bound_low"].notna()]
    if bounded.empty:
        return _with_read(found)
    read = _figures_of(
        FAMILIES[name], replace(design, unread=0, on_hard=False), effect, seed, studies, few
    )
    keys = ["function", "study", "metric", "of"]
    bounds = bounded.merge(read[[*keys, "estimate"]], on=keys, suffixes=("_unread", ""))
    bounds = bounds.assign(
        of=(bounds["of"] + " bounds").str.strip(),
        low=bounds["bound_low"],
        high=bounds["bound_high"],
        p=np.nan,
    )
    return pd.concat([_with_read(found), bounds], ignore_index=True)


def _figures_of(
    family: Family, design: Design, effect: str, seed: Sequence[int], studies: int, few: bool
) -> pd.DataFrame:
    table = family.build(design, effect, np.random.default_rng(seed), studies)
    parts = []
    for function, called in family.functions.items():
        frame = figures(function, called, table, few)
        if family.keep is not None:
            frame = frame[family.keep(frame)]
        parts.append(frame.assign(function=function))
    return pd.concat(parts, ignore_index=True)


def _with_read(found: pd.DataFrame) -> pd.DataFrame:
    """Estimates among answers read on both sides, as rows."""
    rows = found[found["estimate_read"].notna()]
    rows = rows.assign(
        of=(rows["of"] + " among read").str.strip(),
        estimate=rows["estimate_read"],
        low=np.nan,
        high=np.nan,
        p=np.nan,
    )
    return pd.concat([found, rows], ignore_index=True)


def run_batch(seed: int, task: tuple[Cell, int, int, int]) -> pd.DataFrame:
    """One batch of a cell's studies."""
    cell, index, batch, studies = task
    return make(cell, [seed, index, batch], studies)


def true_values(seed: int, size: int, cell: Cell) -> dict[tuple[str, str, str], float]:
    """The estimates of one very large study, by function, metric and qualifiers."""
    name, design, _ = cell
    large = replace(design, items=large_items(name, size))
    found = make((name, large, cell[2]), [seed, 2**31], 1, few=True)
    return dict(
        zip(
            zip(found["function"], found["metric"], found["of"], strict=True),
            found["estimate"].tolist(),
            strict=True,
        )
    )


def large_items(name: str, size: int) -> int:
    """Items of a family's very large study."""
    return int(size * LARGE.get(name, 1))


def batches(cell: Cell, index: int, studies: int) -> Iterator[tuple[Cell, int, int, int]]:
    """The studies of a cell in batches of a size that fits into memory."""
    name, design, _ = cell
    family: Family | None = FAMILIES.get(name)
    wanted = max(2, int(studies * (family.weight if family else studied_logs.WEIGHT)))
    rows = design.items * design.epochs * (family.rows if family else 1)
    size = max(1, min(wanted, BATCH_ROWS // rows))
    for batch, start in enumerate(range(0, wanted, size)):
        yield cell, index, batch, min(size, wanted - start)


def rows_of(
    cell: Cell, found: pd.DataFrame, truths: dict[tuple[str, str, str], float], large: int
) -> Iterator[Row]:
    """What the studies of a cell found, a row for each figure."""
    name, design, effect = cell
    kind = "authority" if name == "logs of authority" else name
    known = FAMILIES[kind].known(design, effect) if kind in FAMILIES else {}
    for (function, metric, of), rows in found.groupby(["function", "metric", "of"], sort=False):
        given = known.get(f"{metric} {of}", known.get(str(metric), np.nan))
        if "among read" in str(of) and given != 0:
            given = np.nan
        truth = given if given == given else truths.get((function, metric, of), np.nan)
        rows = rows[rows["estimate"].notna()]
        if str(of).endswith("bounds"):
            rows, truth, given = _against_own(rows), 0.0, 0.0
        if metric == "ece_floor":
            if effect != "none" or of != "stated":
                continue
            rows, truth = _against_ece(found, rows, function, str(of))
        if metric == "stderr":
            truth = float(
                found.loc[
                    found["metric"].isin(["accuracy", "mean"]) & (found["function"] == function),
                    "estimate",
                ].std()
            )
        if rows.empty and function in ("main_table", "reliability"):
            continue  # changes of a table without any; a bin without answers
        yield Row.of_studies(
            function, str(metric), str(of), design, effect, truth, given == given, rows, large
        )


def _against_own(rows: pd.DataFrame) -> pd.DataFrame:
    """Bounds less what the figure of the same study is with everything read: they contain 0."""
    own = rows["estimate"]
    return rows.assign(estimate=0.0, low=rows["low"] - own, high=rows["high"] - own)


def _against_ece(
    found: pd.DataFrame, floor: pd.DataFrame, function: str, of: str
) -> tuple[pd.DataFrame, float]:
    """The floor is true where it is the mean `ece`, and its range where it holds each study's."""
    shown = found[
        (found["metric"] == "ece") & (found["of"] == of) & (found["function"] == function)
    ]
    shown = shown.set_index("study")["estimate"].reindex(floor["study"]).to_numpy()
    mean = float(np.nanmean(shown)) if len(shown) else np.nan
    moved = shown - mean  # so that holding the mean is holding the study's own
    return floor.assign(low=floor["low"] - moved, high=floor["high"] - moved), mean


class Kept:
    """The rows of each cell, which are added to a file and read back from it."""

    def __init__(self, path: Path | None, settings: str) -> None:
        self.rows: dict[Cell, list[Row]] = {}
        self.path, self.settings = path, settings
        if path and path.exists():
            for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
                if line["settings"] == settings:
                    cell = line["family"], Design(**line["design"]), line["effect"]
                    self.rows[cell] = [
                        Row(**row | {"design": Design(**row["design"])}) for row in line["rows"]
                    ]

    def add(self, cell: Cell, rows: list[Row]) -> None:
        """Keep the rows of a cell."""
        self.rows[cell] = rows
        if self.path:
            family, design, effect = cell
            line = {
                "settings": self.settings,
                "family": family,
                "design": asdict(design),
                "effect": effect,
                "rows": [asdict(row) for row in rows],
            }
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


def _studied(every: list[Cell], options: argparse.Namespace) -> Iterator[tuple[Cell, list[Row]]]:
    """Study cells, and print the rows of each as soon as it is done."""
    started = time.monotonic()
    index = {cell: number for number, cell in enumerate(cells())}
    tasks = [task for cell in every for task in batches(cell, index[cell], options.studies)]
    sizeless = list(dict.fromkeys((n, replace(d, items=1), e) for n, d, e in every))
    found: dict[Cell, list[pd.DataFrame]] = {cell: [] for cell in every}
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        truth_of = partial(true_values, options.seed, options.large)
        truths = dict(zip(sizeless, pool.map(truth_of, sizeless, 1), strict=True))
        print(f"{len(truths)} true designs, {time.monotonic() - started:.0f} s", flush=True)
        last = {task[0]: task for task in tasks}
        for task, frame in zip(
            tasks, pool.imap(partial(run_batch, options.seed), tasks), strict=True
        ):
            cell = task[0]
            found[cell].append(frame)
            if task is not last[cell]:
                continue
            name, design, effect = cell
            truth = truths[name, replace(design, items=1), effect]
            large = large_items(name, options.large)
            rows = list(rows_of(cell, pd.concat(found.pop(cell)), truth, large))
            for row in rows:
                print(row, flush=True)
            print(f"{name}, {design}, {effect}: {time.monotonic() - started:.0f} s", flush=True)
            yield cell, rows


def _unexplained(row: Row) -> bool:
    return bool(row.faults) and reason(row) is None


def _again(row: Row, made: list[Row]) -> Row:
    """The row, or that of the larger study if it has no reason."""
    if not _unexplained(row):
        return row
    key = (row.function, row.metric, row.of)
    return next((each for each in made if (each.function, each.metric, each.of) == key), row)


def main() -> None:
    """Run all studies, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument(
        "--large", type=int, default=20_000, help="items of the study that gives true values"
    )
    parser.add_argument("--only", default="", help="a pattern of families or functions")
    parser.add_argument("--designs", default="", help="a pattern of designs, as on the page")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--again", type=int, help="repeat unexplained rows, times the studies")
    parser.add_argument("--kept", type=Path, help="file of rows to continue from and to add to")
    options = parser.parse_args()
    every = cells(options.only, options.designs)
    kept = Kept(options.kept, f"{options.seed} {options.studies} {options.large}")
    missing = [cell for cell in every if cell not in kept.rows]
    for cell, made in _studied(missing, options):
        kept.add(cell, made)
    if options.again:
        doubted = [cell for cell in every if any(map(_unexplained, kept.rows[cell]))]
        larger = argparse.Namespace(**vars(options))
        larger.seed, larger.studies = options.seed + 1, options.studies * options.again
        for cell, made in _studied(doubted, larger):
            kept.add(cell, [_again(row, made) for row in kept.rows[cell]])
    rows = [row for cell in every for row in kept.rows[cell]]
    output = options.output or (None if options.only or options.designs else PAGE)
    if output:
        command = (
            f"python benchmarks/validity.py --studies {options.studies} --seed {options.seed} "
            f"--large {options.large}" + (f" --again {options.again}" if options.again else "")
        )
        output.write_text(page(rows, command, options.studies), encoding="utf-8")
        print(f"wrote {output}")
    unexplained = list(filter(_unexplained, rows))
    for row in unexplained:
        print(f"no reason: {row} {'; '.join(row.faults)}", file=sys.stderr)
    sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
