"""``vr-evals table``: accuracy by model, benchmark, level and thinking, in the terminal."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from vr_evals.commands.log_rows import log_arguments

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Group

__all__ = ["as_tables", "table"]

_CLEAR = 0.05


@click.command()
@log_arguments
@click.option("--json", "as_json", is_flag=True, help="Print the same as JSON, with all intervals.")
def table(logs: tuple[str, ...], alias: dict[str, str], unfinished: bool, as_json: bool) -> None:
    """Print accuracy by model, benchmark, level and thinking, with what to believe of it.

    LOGS are files, folders or URLs. Accuracy is over the items with a right answer. Changes are in
    percentage points on the items that both sides answered; a star marks p < 0.05 after Holm's
    correction. "as asked" is the share of samples that thought, or did not, as the condition wants.
    """
    from rich.console import Console

    from vr_evals.commands.log_rows import read_rows
    from vr_evals.report import main_table

    main = main_table(read_rows(logs, alias, unfinished))
    if as_json:
        click.echo(main.to_json(orient="records", indent=2, double_precision=15))
    else:
        Console().print(as_tables(main))


def as_tables(main: "pd.DataFrame") -> "Group":
    """The main table to be printed with rich: a part for each benchmark, model and settings.

    Args:
        main: What `vr_evals.report.main_table` returns.
    """
    from rich.console import Group
    from rich.table import Column, Table
    from rich.text import Text

    from vr_evals.report.text import shown

    parts: list[Text | Table] = []
    for values, rows in main.groupby(["benchmark", "model", "variant"], dropna=False, sort=False):
        parts.append(Text("  ".join(shown(value, 60) for value in values if value), "bold"))
        forms = {
            heading: form
            for heading, (column, form) in _COLUMNS.items()
            if column in _ALWAYS or rows[column].notna().any()
        }
        columns = [
            Column(heading, justify="left" if heading in _WORDS else "right", no_wrap=True)
            for heading in forms
        ]
        part = Table(*columns, box=None, pad_edge=False)
        for row in rows.itertuples():
            part.add_row(*(Text(form(row)) for form in forms.values()))
        parts += [part, Text("")]
    return Group(*parts)


def _level(row: Any) -> str:
    import pandas as pd

    return "–" if pd.isna(row.level) else str(row.level)


def _thinking(row: Any) -> str:
    from vr_evals.report.text import thinking_word

    return thinking_word(row.thinking)


def _condition(row: Any) -> str:
    from vr_evals.report.text import shown

    return shown(row.condition).replace("_", " ")


def _accuracy(row: Any) -> str:
    found = _number(100 * row.accuracy, "{:.1f}%")
    return found + _number(100 * row.low, " [{:.0f}") + _number(100 * row.high, ", {:.0f}]")


def _change(name: str) -> Callable[[Any], str]:
    def form(row: Any) -> str:
        from vr_evals.report.text import points

        clear = getattr(row, f"{name}_p_adjusted") < _CLEAR
        return points(getattr(row, name)) + ("*" if clear else "")

    return form


def _as_asked(row: Any) -> str:
    return _number(100 * row.as_asked, "{:.0f}%") + ("!" if row.as_asked < 1 else "")


def _number(value: Any, form: str) -> str:
    """A number; a dash where it is missing, and nothing within a longer form."""
    missing = "" if form[0] in " ," else "–"
    return missing if value is None or value != value else form.format(value)


_COLUMNS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "level": ("level", _level),
    "thinking": ("thinking", _thinking),
    "condition": ("condition", _condition),
    "items": ("n_scored", lambda row: _number(row.n_scored, "{:,.0f}")),
    "accuracy [95%]": ("accuracy", _accuracy),
    "unread": ("read_rate", lambda row: _number(100 * (1 - row.read_rate), "{:.1f}%")),
    "from 0": ("change_from_level0", _change("change_from_level0")),
    "from off": ("change_from_thinking_off", _change("change_from_thinking_off")),
    "as asked": ("as_asked", _as_asked),
}
"""The heading of each column, the column of the main table it needs, and its text."""

_ALWAYS = ("n_scored", "accuracy", "read_rate", "as_asked")
_WORDS = ("level", "thinking", "condition")
