"""Do estimates, intervals and tests hold what they promise? Simulated studies that say so.

    python benchmarks/validity.py [--studies 4000] [--seed 0] [--output docs/validity.md]

Prints a row for each estimator, respondent and size of study, and writes them into the page. The
figures depend on the seed and the number of studies alone.
"""

import argparse
import functools
import multiprocessing
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# one thread a process: each core has a process of its own; numpy reads these at import
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import interval_studies  # noqa: E402 - it imports numpy
import numpy as np  # noqa: E402 - after the lines above
import rejection_studies  # noqa: E402 - it imports numpy

PAGE = Path(__file__).parents[1] / "docs" / "validity.md"
CELLS = interval_studies.CELLS + rejection_studies.CELLS
NOMINAL, TOLERANCE = 0.95, 0.02

_SHORT = (
    "Percentile intervals are short with few items: they know no t quantile, and lack the factor "
    "C/(C − 1) of the variance. Skewness adds to that where items' values are near 0 or 1."
)
_WILSON = (
    "Counts are whole numbers, so that coverage of any interval of a rate moves up and down with "
    "the rate and the number of items. With several epochs, the effective size is estimated from "
    "the few items whose epochs disagree or whose answer is the rarer one: too large where there "
    "are next to none of these, while the t quantile, and the rule that n is the number of items "
    "where all answers are alike, widen the interval."
)
_SKEW = (
    "Symmetric about the estimate, and of no length where all answers are alike: not made for "
    "rates near 0 or 1. The logs give Wilson's interval for rates, which is much nearer to 95 % "
    "there."
)
WHY = {
    "accuracy, wilson_clustered": _WILSON,
    "flip rate": _WILSON,
    "good_flip_of_wrong": _WILSON,
    "bad_flip_of_right": _WILSON,
    "accuracy, clustered_mean": _SKEW,
    "accuracy of read answers, bootstrap ratio": f"{_SHORT} Of no length where all answers are "
    "alike: use Wilson's interval for plain rates near 0 or 1.",
    "ece, ece_interval": "At least 95 % by construction: its lower bound allows for the errors of "
    "all bins adding up, which they seldom do where there are several.",
    "ece, plain percentile bootstrap (not used)": "The absolute gap of a bin is never below 0, and "
    "a resample adds its own noise to the sample's. Near calibration all resamples lie above the "
    "truth, so the interval can't hold it: it is invalid there, and is shown to say why "
    "`ece_interval` is another one.",
    "auroc": f"{_SHORT} Where all confidences are equal it is 0.5 in every study, without error.",
    "mean confidence, clustered_mean": "Where all confidences are equal there is no error at all.",
    **dict.fromkeys(
        (
            "brier",
            "overconfidence",
            "flip_floor",
            "excess_flip",
            "excess_compliance",
            "relative_excess_compliance",
            "compliance@1",
            "compliance@3",
            "agreement",
        ),
        _SHORT,
    ),
}

INTRODUCTION = """# Do the figures hold what they promise?

Every estimator is put to studies of simulated respondents whose truth is known. An estimate
should be near it on average, a 95 % interval should hold it in 95 % of studies, and a test at
0.05 should reject a true null hypothesis in at most 5 %, and a false one as often as was planned.
This page is written by

```sh
{command}
```

and its figures are what that command printed. They depend on the seed and the number of studies
alone. Bootstrap intervals take 2,000 resamples (`vr_evals.analysis.calibration` takes 1,000), the
noise floor 1,000 simulations; permutation tests take 999 permutations (their level does not
depend on the number).
Cells that take long run {fewer:,} studies rather than {studies:,}; each estimator has at least
{least:,} in all. The Monte Carlo error (standard error) of a coverage of 95 % is {error:.2f}
points with {studies:,} studies, and {larger_error:.2f} points with {fewer:,}.

Items are drawn at random. With several epochs, an epoch repeats the item's own answer and
confidence in 80 %, and draws them afresh else (so that two epochs correlate by 0.64); under a
cue, half of the items are easy and half are hard. Clusters are items. Confidences take five
values, 40 to 80 where calibrated. Studies in which a figure is undefined (no answer was wrong at
first, say) are left out of its row. The studies are in `benchmarks/interval_studies.py` and
`benchmarks/rejection_studies.py`; `tests/stats` checks the same functions against other packages.

The same is shown end to end, through prompts, replies and logs, in `tests/e2e/test_recovery.py`
and `tests/models/test_sim.py`.
"""
INTERVALS = """## Estimates and intervals

Rates are 0–1, mean confidence is 0–100. In brackets, the Monte Carlo error of the bias. `ece` is
too high on average unless confidence is off to the same side throughout: `ece_floor` is what
remains of it under perfect calibration, and its row says how often that respondent's `ece` lies
within the floor's quantiles. The other small biases are those of a ratio of two random sums, and
shrink with the number of items.

| estimator | respondent | items × epochs | true value | mean estimate | bias | coverage | studies |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
TESTS = """## Tests

Rejections at 0.05. The expected rate is 0.05 where nothing differs (a bound: tests of discrete
data stay below it), and for McNemar's test what `mcnemar_power` plans, exactly. With one answer a
side the sign-flip test is McNemar's. `holm`: any of five true null hypotheses is rejected.

| test | respondent | items × epochs | expected | rejected | difference | studies |
| --- | --- | --- | --- | --- | --- | --- |
"""


@dataclass(frozen=True)
class Row:
    """What the studies of one cell found, for one estimator."""

    estimator: str
    respondent: str
    items: int
    epochs: int
    truth: float
    mean: float
    error: float
    coverage: float
    studies: int
    is_test: bool

    def __str__(self) -> str:
        """A row of a table in Markdown."""
        bias = f"{round(self.mean - self.truth, 3) + 0.0:+.3f} ({self.error:.3f})"
        cells = (
            f"`{self.estimator}`" if self.estimator.isidentifier() else self.estimator,
            self.respondent,
            f"{self.items} × {self.epochs}",
            f"{self.truth + 0.0:.3f}",
            f"{round(self.mean, 3) + 0.0:.3f}",
            bias,
            *(() if self.is_test else (f"{self.coverage:.1%}",)),
            f"{self.studies:,}",
        )
        return f"| {' | '.join(cells)} |"

    @property
    def off(self) -> bool:
        """Whether an interval's coverage is not within the tolerance."""
        return not self.is_test and abs(self.coverage - NOMINAL) > TOLERANCE


def run_cell(studies: int, seed: int, index: int) -> list[Row]:
    """All studies of a cell."""
    cell = CELLS[index]
    found = defaultdict(list)
    for study in range(max(1, studies // cell.share)):
        for name, one in cell.study(np.random.default_rng([seed, index, study])).items():
            if not np.isnan(one.estimate):
                found[name].append(one)
    rows = []
    for name, truth in cell.truths.items():
        estimates = np.array([one.estimate for one in found[name]])
        n = len(estimates)
        rows.append(
            Row(
                name,
                cell.respondent,
                cell.items,
                cell.epochs,
                round(float(truth), 12),
                float(estimates.mean()) if n else float("nan"),
                float(estimates.std() / n**0.5) if n else float("nan"),
                float(np.mean([one.covers for one in found[name]])) if n else float("nan"),
                n,
                cell.is_test,
            )
        )
    return rows


def exceptions(rows: list[Row]) -> Iterator[str]:
    """Where coverage is not what it should be, and why."""
    off = defaultdict(list)
    for row in rows:
        if row.off:
            off[WHY.get(row.estimator, "Not explained.")].append(row)
    for reason, its_rows in off.items():
        names = dict.fromkeys(f"**{row.estimator}**" for row in its_rows)
        yield f"- {', '.join(names)}: {reason}"
        for row in sorted(its_rows, key=lambda row: row.coverage):
            size = f"{row.items} × {row.epochs}"
            yield f"  - {row.coverage:.1%}: {row.estimator}, {row.respondent}, {size}"
    if not off:
        yield "None."


def page(rows: list[Row], studies: int, seed: int) -> str:
    """The page."""
    share = max(cell.share for cell in CELLS)
    fewer = max(1, studies // share)
    total: defaultdict[str, int] = defaultdict(int)
    for cell in CELLS:
        for name in cell.truths:
            total[name] += max(1, studies // cell.share)
    introduction = INTRODUCTION.format(
        command=f"python benchmarks/validity.py --studies {studies} --seed {seed}",
        studies=studies,
        fewer=fewer,
        least=min(total.values()),
        error=100 * (NOMINAL * (1 - NOMINAL) / studies) ** 0.5,
        larger_error=100 * (NOMINAL * (1 - NOMINAL) / fewer) ** 0.5,
    )
    ordered = sorted(rows, key=lambda row: list(total).index(row.estimator))
    intervals = [row for row in ordered if not row.is_test]
    tests = [row for row in ordered if row.is_test]
    n_off = sum(row.off for row in intervals)
    heading = (
        f"## Where coverage is not within {100 * TOLERANCE:.0f} points of 95 %\n\n"
        f"{n_off} of {len(intervals)} rows.\n\n"
    )
    parts = (
        introduction,
        INTERVALS + "\n".join(map(str, intervals)) + "\n",
        heading + "\n".join(exceptions(intervals)) + "\n",
        TESTS + "\n".join(map(str, tests)) + "\n",
    )
    return "\n".join(parts)


def main() -> None:
    """Run all studies, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=PAGE)
    options = parser.parse_args()
    run = functools.partial(run_cell, options.studies, options.seed)
    rows: list[Row] = []
    with multiprocessing.get_context("spawn").Pool() as pool:
        for number, found in enumerate(pool.imap(run, range(len(CELLS))), 1):
            for row in found:
                print(row, flush=True)
            print(f"{number} of {len(CELLS)} cells", flush=True)
            rows += found
    options.output.write_text(page(rows, options.studies, options.seed), encoding="utf-8")
    print(f"wrote {options.output}")


if __name__ == "__main__":
    main()
