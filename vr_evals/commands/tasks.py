"""``vr-evals tasks``: list every task with its parameters."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Group

    from vr_evals.running.catalogue import TaskEntry

__all__ = ["as_dict", "as_line", "as_tables", "tasks"]


@click.command()
@click.option("--benchmark", metavar="NAME", help="Only the tasks of this benchmark.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def tasks(benchmark: str | None, as_json: bool) -> None:
    """List every task with its parameters.

    A terminal gets tables. A pipe gets one line per task: name, question, parameters with their
    defaults, separated by tabs.
    """
    import json

    from rich.console import Console

    from vr_evals.running.catalogue import catalogue

    entries = list(catalogue().values())
    if benchmark is not None:
        known = dict.fromkeys(entry.attributes["benchmark"] for entry in entries)
        if benchmark not in known:
            raise click.BadParameter(
                f"{benchmark!r} must be one of {', '.join(known)}", param_hint="--benchmark"
            )
        entries = [entry for entry in entries if entry.attributes["benchmark"] == benchmark]
    if as_json:
        click.echo(json.dumps([as_dict(entry) for entry in entries], indent=2))
        return
    console = Console()
    if console.is_terminal:
        console.print(as_tables(entries))
    else:
        for entry in entries:
            click.echo(as_line(entry))


def as_dict(entry: "TaskEntry") -> dict[str, Any]:
    """Return a task as data.

    Args:
        entry: The task.

    Returns:
        ``name``, as after ``inspect eval``; ``summary``; ``benchmark``, ``level`` and ``thinking``
        of a level task, ``paradigm`` and ``condition`` of an authority task; and ``default``,
        ``values`` in words and ``meaning`` of each of its ``parameters``.
    """
    from vr_evals.running.catalogue import PREFIX

    return {
        "name": PREFIX + entry.name,
        "summary": entry.summary,
        **entry.attributes,
        "parameters": {
            name: {
                "default": parameter.default,
                "values": parameter.values,
                "meaning": parameter.meaning,
            }
            for name, parameter in entry.parameters.items()
        },
    }


def as_line(entry: "TaskEntry") -> str:
    """Return a task as a line of fields, separated by tabs."""
    from vr_evals.running.catalogue import PREFIX

    parameters = " ".join(
        f"{name}={_shown(parameter.default)}" for name, parameter in entry.parameters.items()
    )
    return "\t".join((PREFIX + entry.name, entry.summary, parameters))


def as_tables(entries: Sequence["TaskEntry"]) -> "Group":
    """Return tasks and their parameters as two tables for rich."""
    from rich.console import Group
    from rich.table import Column, Table
    from rich.text import Text

    from vr_evals.running.catalogue import PREFIX

    listed = Table(Column("task", no_wrap=True), "what it asks", box=None, pad_edge=False)
    for entry in entries:
        listed.add_row(Text(PREFIX + entry.name, "bold"), Text(entry.summary))
    headings = ("-T parameter", "default", "takes", "on")
    columns = (Column(heading, overflow="fold") for heading in headings)
    taken = Table(*columns, box=None, pad_edge=False)
    for cells in _parameter_rows(entries):
        taken.add_row(*map(Text, cells))
    return Group(listed, "", taken)


def _parameter_rows(entries: Sequence["TaskEntry"]) -> list[tuple[str, str, str, str]]:
    """Return a row per parameter and default: name, default, values, tasks with it."""
    having: dict[tuple[str, str, str], list[TaskEntry]] = {}
    for entry in entries:
        for name, parameter in entry.parameters.items():
            row = (name, _shown(parameter.default), parameter.values)
            having.setdefault(row, []).append(entry)
    order = list(dict.fromkeys(name for name, _, _ in having))
    return [
        (*row, _describe_tasks(having[row], entries))
        for row in sorted(having, key=lambda row: order.index(row[0]))
    ]


def _describe_tasks(having: Sequence["TaskEntry"], entries: Sequence["TaskEntry"]) -> str:
    """Describe the tasks that have a parameter."""
    if len(having) == len(entries):
        return "all"
    of_levels = [entry for entry in having if "level" in entry.attributes]
    others = [entry for entry in having if "level" not in entry.attributes]
    levels = sorted({entry.attributes["level"] for entry in of_levels})
    every = sorted({entry.attributes["level"] for entry in entries if "level" in entry.attributes})
    kind = "levels" if levels == every else f"level {', '.join(map(str, levels))}"
    if all(entry.attributes["thinking"] for entry in of_levels):
        kind += " with thinking"
    parts = {kind: of_levels, "authority": others}
    return "; ".join(words + _benchmarks(part, entries) for words, part in parts.items() if part)


def _benchmarks(part: Sequence["TaskEntry"], entries: Sequence["TaskEntry"]) -> str:
    """Describe the benchmarks of some tasks; empty if all benchmarks have such tasks."""
    of_part = {entry.attributes["benchmark"]: None for entry in part}
    of_all = {
        entry.attributes["benchmark"]
        for entry in entries
        if ("level" in entry.attributes) == ("level" in part[0].attributes)
    }
    return "" if of_part.keys() == of_all else f" of {', '.join(of_part)}"


def _shown(default: object) -> str:
    if default is None:
        return "unset"
    return str(default).lower() if isinstance(default, bool) else str(default)
