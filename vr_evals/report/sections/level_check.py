"""A part of section 4: whether replies did what their level asks for."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from vr_evals.formatting import count, interval, percent
from vr_evals.levels import Level
from vr_evals.report.blocks import Chart
from vr_evals.report.charts import PANELS, as_percent, chart_by_level
from vr_evals.report.claims import range_of
from vr_evals.report.results import Results
from vr_evals.report.tables import frame_table, in_words, on_ladder

__all__ = ["level_check_charts", "level_check_findings"]

_CHECKS = {
    "answer_only": "nothing but an answer (level 0)",
    "reasoned": "gives reasons (2 to 5)",
    "named_principles": "names principles, values or characters (3)",
    "both_sides": "a case for another answer (4)",
}
_DEMANDS = (
    (
        "answer_only",
        (Level.DIRECT,),
        "At level 0, the share of replies that are nothing but an answer is",
    ),
    (
        "reasoned",
        tuple(level for level in Level if level >= Level.CHAIN_OF_THOUGHT),
        "At levels 2 to 5, the share of replies that show reasons is",
    ),
    (
        "named_principles",
        (Level.STRUCTURED,),
        "At level 3, the share of replies that name principles, values or characters is",
    ),
    (
        "both_sides",
        (Level.ADVERSARIAL,),
        "At level 4, the share of replies that make a case for another answer is",
    ),
)


def level_check_findings(results: Results) -> Iterator[str]:
    """Yield sentences on what each level asks for, without an authority."""
    frame = _checks(results)
    if frame.empty:
        return
    for metric, levels, words in _DEMANDS:
        rows = frame[(frame["metric"] == metric) & frame["level"].isin([int(x) for x in levels])]
        if rows.empty:
            continue
        unknown = rows["undetermined"].max()
        yield (
            f"{words} {range_of(rows, 'model', 'benchmark', 'level', 'thinking')}"
            + (f" (undetermined in up to {percent(unknown)})." if unknown else ".")
        )


def level_check_charts(results: Results) -> tuple[Chart, ...]:
    """Chart what replies show, by level; nothing if no log has checks."""
    frame = _checks(results)
    if frame.empty:
        return ()
    words = results["level_check"]
    words = words[words["metric"] == "visible_words"]
    keys = ["model", "benchmark", "level", "thinking", "condition", "variant"]
    merged = frame.merge(
        words[[*keys, "estimate"]].rename(columns={"estimate": "words"}), on=keys, how="left"
    )
    drawn = as_percent(frame)
    drawn = drawn.assign(series=in_words(drawn["metric"], lambda metric: _CHECKS[metric]))
    return chart_by_level(
        "level-check",
        "What replies show of the demands of their level",
        "Marks are shares of replies for which a check is true, bars the 95% intervals over items. "
        "In doubt, a check is undetermined, so shares are lower bounds. Reasoning that is not "
        "visible does not count. The level whose prompt asks for it is in brackets.",
        drawn,
        frame_table(
            "Checks of visible replies by cell",
            merged,
            {
                "check": lambda row: _CHECKS[row.metric],
                "true [95%]": interval,
                "undetermined": lambda row: percent(row.undetermined),
                "mean words": lambda row: f"{row.words:.0f}",
                "items": lambda row: count(row.n_items),
                "replies": lambda row: count(row.n_samples),
            },
            texts=("check",),
        ),
        y_title="of replies, %",
        domain=(0, 100),
        by=(*PANELS, "thinking"),
        series=tuple(_CHECKS.values()),
    )


def _checks(results: Results) -> pd.DataFrame:
    frame = results["level_check"]
    if frame.empty:
        return frame
    return on_ladder(frame[frame["metric"].isin(_CHECKS)])
