"""Tables for a paper: frames as rows of estimates with intervals, in text, Markdown or LaTeX."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from vr_evals.analysis.compare_logs import measure_name
from vr_evals.analysis.main_table import sort_by_condition
from vr_evals.formatting import (
    MISSING,
    count,
    number,
    p_value,
    plural,
    shown,
    signed,
    thinking_word,
)
from vr_evals.markup import latex, latex_numbers, markdown
from vr_evals.terminal import wrapped

if TYPE_CHECKING:
    from vr_evals.analysis.outcomes import Unit

__all__ = [
    "FORMATS",
    "PaperTable",
    "Part",
    "accuracy_paper_table",
    "as_latex",
    "as_markdown",
    "as_text",
    "authority_paper_table",
    "compared_items_paper_table",
    "compared_paper_table",
    "effects_paper_table",
]

_GAP = "  "
_DIGITS: Mapping["Unit", int] = {"points": 1, "tokens": 0, "words": 1, "dollars": 5, "": 3}
_CUE_METRICS = {
    "compliance": "compliance, %",
    "excess_compliance": "excess compliance, points over control",
}


@dataclass(frozen=True)
class Part:
    """Rows below a heading.

    Attributes:
        heading: What they have in common; empty if there is nothing to say.
        rows: A name for each, foreign text, and its values, our own numbers.
    """

    heading: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class PaperTable:
    """A table of texts.

    Attributes:
        label: Tells it from other tables of a document, e.g. ``accuracy``.
        caption: What it shows.
        name: The heading of the rows' names.
        columns: The headings of their values.
        parts: Its rows.
    """

    label: str
    caption: str
    name: str
    columns: tuple[str, ...]
    parts: tuple[Part, ...]


def accuracy_paper_table(main: pd.DataFrame) -> PaperTable:
    """Return accuracy with a row per model, a column per benchmark, and a part per condition.

    Args:
        main: What `vr_evals.analysis.main_table` returns.
    """
    known = main[main["accuracy"].notna()]
    ordered = sort_by_condition(known, "level", "thinking")
    of_benchmark = {
        str(name): _column(name, rows["n_scored"]) for name, rows in known.groupby("benchmark")
    }
    return PaperTable(
        "accuracy",
        "Accuracy in % [95% interval over items].",
        "model",
        tuple(of_benchmark.values()),
        tuple(
            _part(rows, _cell_words(rows.iloc[0]), "benchmark", tuple(of_benchmark), _accuracy)
            for _, rows in ordered.groupby(
                ["level", "thinking", "condition", "variant"], dropna=False, sort=False
            )
        ),
    )


def authority_paper_table(cues: pd.DataFrame) -> PaperTable:
    """Return compliance and excess compliance with a row per model and a column per cue.

    Args:
        cues: What `vr_evals.analysis.authority_table` returns.
    """
    ordered = sort_by_condition(cues)
    conditions = tuple(ordered["condition"].unique())
    groups = list(
        sort_by_condition(cues, "benchmark", "level", "thinking").groupby(
            ["benchmark", "level", "thinking", "variant"], dropna=False, sort=False
        )
    )
    return PaperTable(
        "authority",
        "Compliance: share of answers with the endorsed option. Excess compliance: that share "
        "minus the share under control. [95% interval over items.]",
        "model",
        tuple(shown(name).replace("_", " ") for name in conditions),
        tuple(
            _part(
                rows,
                ", ".join(filter(None, (words, shown(values[0]), _cell_words(rows.iloc[0])))),
                "condition",
                conditions,
                _cue(metric),
            )
            for metric, words in _CUE_METRICS.items()
            for values, rows in groups
        ),
    )


def effects_paper_table(frame: pd.DataFrame, by: Sequence[str] = ()) -> PaperTable:
    """Return effects with a row per contrast, and a part per question and outcome.

    Args:
        frame: Rows of `vr_evals.analysis.effects`.
        by: The columns that it does not average over.
    """
    forms: dict[str, Callable[[Any], str]] = {
        "effect [95%]": _effect,
        "p": lambda row: p_value(row.p),
        "p (adjusted)": lambda row: p_value(row.p_adjusted),
        "items": lambda row: count(row.n_items),
        "cells": lambda row: count(row.n_cells),
        "range over cells": lambda row: (
            f"{_amount(row.lowest, row)} to {_amount(row.highest, row)}" if row.n_cells > 1 else ""
        ),
    }
    if (frame["bound_low"] < frame["bound_high"]).any():
        forms["read on both sides"] = lambda row: _amount(row.estimate_read, row)
        forms["worst case"] = _worst_case
    if frame["equivalence"].notna().any():
        forms["margin"] = lambda row: "" if pd.isna(row.equivalence) else str(row.equivalence)
    return PaperTable(
        "effects",
        "Effects [95% interval], averaged over the cells that both sides share, paired and "
        "clustered by item. p is adjusted by Holm's method over the primary effects of a question, "
        "else by Benjamini and Hochberg's over its others.",
        "contrast",
        tuple(forms),
        tuple(
            Part(
                ", ".join(filter(None, (question, outcome.replace("_", " "), unit))),
                tuple(
                    (_contrast(row, by), tuple(form(row) for form in forms.values()))
                    for row in rows.itertuples()
                ),
            )
            for (question, outcome, unit), rows in _by_outcome(frame)
        ),
    )


def compared_paper_table(frame: pd.DataFrame) -> PaperTable:
    """Return models and their differences, with a part per score of a task.

    Args:
        frame: What `vr_evals.analysis.compare_logs` returns.
    """
    forms: dict[str, Callable[[Any], str]] = {
        "estimate [95%]": _compared,
        "p": lambda row: p_value(row.p),
        "p (Holm)": lambda row: p_value(row.p_adjusted),
        "samples": lambda row: count(row.n_items),
        "better/worse": lambda row: (
            MISSING if pd.isna(row.versus) else f"{count(row.n_better)}/{count(row.n_worse)}"
        ),
        "left out": lambda row: count(
            row.n_errors + row.n_unscored + row.n_missing
            if pd.isna(row.versus)
            else row.n_unpaired + row.n_unpaired_versus
        ),
    }
    return PaperTable(
        "compared",
        "Models and their paired differences [95% interval]: rates in %, their differences in "
        "points. p is adjusted by Holm's method over all differences. Left out: samples with "
        "errors, unscored or missing (for a model, epochs), or answered by one side only.",
        "model",
        tuple(forms),
        tuple(
            Part(
                name,
                tuple((_sides(row), tuple(form(row) for form in forms.values())) for row in rows),
            )
            for name, rows in _by_measure(frame)
        ),
    )


def compared_items_paper_table(items: pd.DataFrame) -> PaperTable:
    """Return the samples on which two models differ, with a part per score and pair.

    Args:
        items: What `vr_evals.analysis.compare_logs.compare_items` returns.
    """
    return PaperTable(
        "compared-items",
        "Samples on which two models differ, the largest differences first.",
        "sample",
        ("value", "value of versus", "difference"),
        tuple(
            Part(
                f"{name}: {shown(model)} − {shown(versus)} "
                f"({len(pair) - len(differ):,} of {plural(len(pair), 'sample')} equal)",
                tuple(
                    (
                        shown(row.item),
                        (number(row.value), number(row.value_versus), signed(row.difference, 3)),
                    )
                    for row in differ
                ),
            )
            for name, rows in _by_measure(items)
            for (model, versus), pair in _by_pair(rows)
            for differ in [[row for row in pair if row.difference]]
        ),
    )


def _by_measure(frame: pd.DataFrame) -> Iterator[tuple[str, list[Any]]]:
    """Rows by the score that they are about, and its name."""
    for _, rows in frame.groupby(["task", "variant", "scorer", "score", "reducer"], sort=False):
        found = list(rows.itertuples())
        yield measure_name(found[0]), found


def _by_pair(rows: Iterable[Any]) -> Iterator[tuple[tuple[str, str], list[Any]]]:
    pairs: dict[tuple[str, str], list[Any]] = {}
    for row in rows:
        pairs.setdefault((row.model, row.versus), []).append(row)
    yield from pairs.items()


def _sides(row: Any) -> str:
    return shown(row.model) + ("" if pd.isna(row.versus) else f" − {shown(row.versus)}")


def _compared(row: Any) -> str:
    """An estimate or a difference, in its unit."""
    forms = (_in_percent, _in_points) if row.scale == "rate" else (number, _signed)
    form = forms[0] if pd.isna(row.versus) else forms[1]
    return _with_interval(row.estimate, row.low, row.high, form)


def _signed(value: Any) -> str:
    return signed(value, _DIGITS[""])


def as_text(table: PaperTable) -> str:
    """Return a table as aligned text."""
    from rich.cells import cell_len

    rows = [(table.name, *table.columns)]
    rows += [(name, *values) for part in table.parts for name, values in part.rows]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padding = [" " * (width - cell_len(c)) for c, width in zip(cells, widths, strict=True)]
        first = cells[0] + padding[0]
        return _GAP.join([first, *map("".join, zip(padding[1:], cells[1:], strict=True))]).rstrip()

    lines = [wrapped(table.caption), "", line(rows[0])]
    for part in table.parts:
        lines += ["", part.heading] if part.heading else []
        lines += [line((name, *values)) for name, values in part.rows]
    return "\n".join(lines)


def as_markdown(table: PaperTable) -> str:
    """Return a table as a pipe table of Markdown, with a caption above it."""
    width = len(table.columns)

    def line(cells: Iterable[str]) -> str:
        return f"| {' | '.join(cells)} |"

    lines = [
        markdown(table.caption),
        "",
        line(map(markdown, (table.name, *table.columns))),
        line([":--", *["--:"] * width]),
    ]
    for part in table.parts:
        if part.heading:
            lines.append(line([f"**{markdown(part.heading)}**", *[""] * width]))
        lines += [line((markdown(name), *values)) for name, values in part.rows]
    return "\n".join(lines)


def as_latex(table: PaperTable) -> str:
    r"""Return a table as a LaTeX table in the style of booktabs (``\usepackage{booktabs}``)."""
    width = len(table.columns)

    def line(cells: Iterable[str]) -> str:
        return rf"{' & '.join(cells)} \\"

    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\small",
        rf"\caption{{{latex(table.caption)}}}",
        rf"\label{{tab:{table.label}}}",
        rf"\begin{{tabular}}{{l{'r' * width}}}",
        r"\toprule",
        line(map(latex, (table.name, *table.columns))),
    ]
    for part in table.parts:
        lines.append(r"\midrule")
        if part.heading:
            heading = rf"\textit{{{latex(part.heading)}}}"
            lines.append(line([rf"\multicolumn{{{width + 1}}}{{l}}{{{heading}}}"]))
        lines += [line((latex(name), *map(latex_numbers, values))) for name, values in part.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


FORMATS: Mapping[str, Callable[[PaperTable], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
}
"""How a table is written, by the name of the format."""


def _part(
    rows: pd.DataFrame,
    heading: str,
    across: Literal["benchmark", "condition"],
    columns: Sequence[str],
    form: Callable[[Any], str],
) -> Part:
    """A row for each model, with the values of each column in the order of `columns`."""
    texts: dict[str, dict[str, str]] = {}
    for row in rows.sort_values("model", kind="stable").itertuples():
        texts.setdefault(shown(row.model), {})[str(getattr(row, across))] = form(row)
    return Part(
        heading,
        tuple(
            (model, tuple(values.get(name, MISSING) for name in columns))
            for model, values in texts.items()
        ),
    )


def _by_outcome(frame: pd.DataFrame) -> Iterator[tuple[tuple[str, str, str], pd.DataFrame]]:
    """Effects by question, outcome and unit."""
    for keys, rows in frame.groupby(["question", "outcome", "unit"], sort=False):
        question, outcome, unit = map(str, keys)
        yield (question, outcome, unit), rows


def _column(benchmark: object, items: "pd.Series[int]") -> str:
    """The heading of a benchmark, with its number of items."""
    ends = dict.fromkeys((count(items.min()), count(items.max())))
    return f"{shown(benchmark)} (n = {'–'.join(ends)})"


def _cell_words(row: Any) -> str:
    """What the rows of a part have in common, besides model and benchmark."""
    return ", ".join(
        text
        for text, value in (
            (f"level {row['level']}", row["level"]),
            (f"thinking {thinking_word(row['thinking'])}", row["thinking"]),
            (shown(row.get("condition")).replace("_", " "), row.get("condition")),
            (shown(row["variant"], 120), row["variant"] or None),
        )
        if not pd.isna(value) and text
    )


def _with_interval(estimate: Any, low: Any, high: Any, form: Callable[[Any], str]) -> str:
    if pd.isna(estimate):
        return MISSING
    return form(estimate) + ("" if pd.isna(low) else f" [{form(low)}, {form(high)}]")


def _in_percent(rate: Any) -> str:
    return number(100 * rate, 1)


def _in_points(difference: Any) -> str:
    return signed(100 * difference)


def _accuracy(row: Any) -> str:
    return _with_interval(row.accuracy, row.low, row.high, _in_percent)


def _cue(metric: str) -> Callable[[Any], str]:
    form = _in_percent if metric == "compliance" else _in_points

    def text(row: Any) -> str:
        low, high = (getattr(row, f"{metric}_{end}") for end in ("low", "high"))
        return _with_interval(getattr(row, metric), low, high, form)

    return text


def _amount(value: Any, row: Any) -> str:
    """A difference in the unit that its effect is shown in."""
    return MISSING if pd.isna(value) else signed(row.factor * value, _DIGITS[row.unit])


def _effect(row: Any) -> str:
    return _with_interval(row.estimate, row.low, row.high, lambda value: _amount(value, row))


def _worst_case(row: Any) -> str:
    if pd.isna(row.bound_low):
        return MISSING
    return f"{_amount(row.bound_low, row)} to {_amount(row.bound_high, row)}"


def _contrast(row: Any, by: Sequence[str]) -> str:
    """What is compared, and in which cells if not in all."""
    keys = {name: getattr(row, name) for name in dict.fromkeys((*by, "condition"))}
    cells = _cell_words({"level": None, "thinking": None, "variant": row.variant} | keys)
    others = (shown(keys[name]) for name in ("model", "benchmark") if name in keys)
    where = ", ".join(filter(None, (*others, cells)))
    words = f"{shown(row.side)} − {shown(row.versus)}"
    return f"{words} ({where})" if where else words
