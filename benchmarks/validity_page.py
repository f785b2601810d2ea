"""docs/validity.md, made of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validity_reasons import HIGH, LOW, Row, reason

__all__ = ["page"]

_INTRODUCTION = """# Do the figures hold what they promise?

Every figure that the log, `vr-evals table`, a frame or the page shows, computed as the product
computes it, in simulated studies of a known truth. This page is written by

```sh
{command}
```

- **Figures.** Frames: the public function on a tidy table. Logs: Inspect's results from the
  samples' scores. Resamples, seeds and tests are the defaults.
- **Respondents** (`benchmarks/simulated_study.py`). *mixture*: an epoch repeats the item's own
  answer in 80 % (two epochs correlate by 0.64); *logit-normal*: items' log-odds have a standard
  deviation of 1.5, epochs are independent given the item. Clusters of 1–10 items correlate by 0.5.
  Unread answers are at random, or on the harder half of the items alone.
- **Design**: items × epochs, accuracy if everything is read, structure. Clusters are single items
  and everything is read unless the design says otherwise.
- **Effect** (`benchmarks/studied_figures.py`). *none*: the null; the rejected share is the size of
  the test. Any other: the rejected share is its power. *effect*: 10 points of accuracy (levels,
  thinking, models); 30 % say the option shown first (preference). *reflection*: 30 % of wrong first
  answers are mended, 10 % of right ones spoilt. *overconfident*: stated is 30 % of the way to 100.
  *ambiguity*: the same, and 20 points less on dilemmas of high ambiguity. *pull*: 30 % adopt a cue
  of high authority, 15 % one of low; 60 % of these mention it (moved). *shift*: a cue adds 1 to
  the log-odds of its option. *surface*: of wrong answers 40, 25, 20 and 15 % are of each kind, else
  25 % (kinds of errors).
- **True value.** 0 where nothing differs, a formula where there is one; else (\\*) the figure of
  one very large study of the same design. The truth is of the figure as defined: an unread
  answer is not right.
- **Bias**: mean estimate minus the true value, in brackets the Monte Carlo error (standard error).
- **Coverage**: share of intervals that contain the true value, over the studies that have an
  interval. With {studies} studies its Monte Carlo error is {error:.1f} points at 95 %. Of some
  thousands of rows a few are off by chance: if the command has `--again`, rows without a reason
  are those of so many times as many studies of another seed, whatever these show.
- **Rejected**: share with p < 0.05, not adjusted. Interval and test contradict in {contradicted} of
  {tested:,} studies that have both.
- **power** (`plan`): share of studies in which `changes` finds level 1's effect; its true value is
  the planned power, `PairedDesign.power` with the variances that follow from the design (without
  an effect, the planned size). More than 3 points of difference are a fault.
- **bounds**: worst-case bounds for unread answers, against the same study with every answer read:
  they always contain it. **among read**: the estimate among answers read on both sides.
- Rates are 0–1, confidence is 0–100. Studies in which a figure is undefined are left out.

{n_off} of {n_covered:,} coverages are outside {low:.0f}–{high:.0f} %. The last column has the
reason, by the rules in `benchmarks/validity_reasons.py`; {n_unexplained} rows have none.
"""

_HEAD = """| figure | effect | design | true value | bias (error) | coverage | rejected | n | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def page(rows: Sequence[Row], command: str, studies: int) -> str:
    """The page.

    Args:
        rows: All rows.
        command: What made them.
        studies: Studies of a row, where it has no more or fewer.
    """
    covered = [row for row in rows if row.covered == row.covered]
    introduction = _INTRODUCTION.format(
        command=command,
        studies=studies,
        error=100 * (0.95 * 0.05 / studies) ** 0.5,
        contradicted=sum(row.contradicted for row in rows),
        tested=sum(row.intervals for row in rows if row.rejected == row.rejected),
        n_off=sum(not LOW <= row.covered <= HIGH for row in covered),
        n_covered=len(covered),
        n_unexplained=sum(bool(row.faults) and reason(row) is None for row in rows),
        low=100 * LOW,
        high=100 * HIGH,
    )
    return "\n".join([introduction, *_tables(rows)])


def _tables(rows: Sequence[Row]) -> Iterator[str]:
    functions = dict.fromkeys(row.function for row in rows)
    numbers = {text: n for n, text in enumerate(dict.fromkeys(_reasons(rows)), 1)}
    yield "## Reasons\n"
    yield "\n".join(f"{n}. {text}" for text, n in numbers.items()) + "\n"
    for function in functions:
        yield f"## `{function}`\n"
        its = [row for row in rows if row.function == function]
        order = list(dict.fromkeys((row.metric, row.of) for row in its))
        its.sort(key=lambda row: order.index((row.metric, row.of)))
        yield _HEAD + "\n".join(f"{row} {_noted(row, numbers)} |" for row in its) + "\n"


def _noted(row: Row, numbers: dict[str, int]) -> str:
    if not row.faults:
        return ""
    text = reason(row)
    return "**no reason**" if text is None else f"reason {numbers[text]}"


def _reasons(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        text = reason(row) if row.faults else None
        if text:
            yield text
