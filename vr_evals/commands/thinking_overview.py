"""What the two thinking conditions come to on a model, before it is called."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Column, Table
from rich.text import Text

from vr_evals.solvers.thinking import Resolution, resolve
from vr_evals.terminal import printable

__all__ = ["as_dict", "as_table"]

_STYLES = {"honoured": "green", "approximated": "yellow", "impossible": "bold red"}
_CONDITIONS = {"off": False, "on": True}


def as_dict(model: str) -> dict[str, Any]:
    """What both conditions come to on a model, as data.

    Args:
        model: The model's name, as it is typed after ``--model``.

    Returns:
        ``model``, ``provider``, ``family``, ``known``, ``local``; and for each of ``off`` and
        ``on``: ``generate_config`` (what is sent, in Inspect's names), ``stops_run``, and
        ``status``, ``sent`` and ``note`` of ``reasoning``, ``budget`` (None where thinking is off),
        ``temperature`` and ``max_tokens``.
    """
    resolutions = {name: resolve(model, thinking=on) for name, on in _CONDITIONS.items()}
    facts = {
        name: getattr(resolutions["on"], name)
        for name in ("model", "provider", "family", "known", "local")
    }
    return facts | {name: _condition(resolution) for name, resolution in resolutions.items()}


def _condition(resolution: Resolution) -> dict[str, Any]:
    return {
        "generate_config": dict(resolution.config),
        "stops_run": resolution.stops_run,
        **{name: setting and asdict(setting) for name, setting in resolution.settings.items()},
    }


def as_table(model: str) -> Group:
    """What both conditions come to on a model, to be printed with rich.

    Args:
        model: The model's name, as it is typed after ``--model``.
    """
    resolutions = {name: resolve(model, thinking=on) for name, on in _CONDITIONS.items()}
    headings = ("thinking", "setting", "status", "what is sent, and why")
    table = Table(*(Column(heading, overflow="fold") for heading in headings))
    for condition, resolution in resolutions.items():
        for name, setting in resolution.settings.items():
            if setting:
                shown = condition if name == "reasoning" else ""
                status = Text(setting.status, _STYLES[setting.status])
                cell = Text(printable(setting.sent))
                if setting.note:
                    cell.append(f"\n{printable(setting.note)}", "dim")
                table.add_row(shown, name.replace("_", " "), status, cell)
        table.add_section()
    return Group(
        Text(printable(model), "bold"),
        *(Text(printable(line)) for line in _remarks(resolutions)),
        table,
    )


def _remarks(resolutions: dict[str, Resolution]) -> Iterator[str]:
    """What to know beside the table: how the model was recognized, and whether a run stops."""
    on = resolutions["on"]
    known = "" if on.known else "; what it makes of this has not been checked"
    yield f"family: {on.family}, by way of Inspect's provider {on.provider}{known}"
    for condition, resolution in resolutions.items():
        if resolution.stops_run:
            yield f"thinking {condition}: not run, unless with -T allow_unhonoured=true"
