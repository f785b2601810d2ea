"""Describe the settings of both thinking conditions on a model."""

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
    """Return the settings of both conditions on a model, as data.

    Args:
        model: The model's name, as typed after ``--model``.

    Returns:
        ``model``, ``provider``, ``family``, ``known``, ``local``; and for each of ``off`` and
        ``on``: ``generate_config`` (the settings, with Inspect's names), ``stops_run``, and
        ``status``, ``sent`` and ``note`` of ``reasoning``, ``budget`` (None if thinking is off),
        ``temperature`` and ``max_tokens``.
    """
    resolutions = {name: resolve(model, thinking=on) for name, on in _CONDITIONS.items()}
    found = {
        name: getattr(resolutions["on"], name)
        for name in ("model", "provider", "family", "known", "local")
    }
    return found | {name: _condition(resolution) for name, resolution in resolutions.items()}


def _condition(resolution: Resolution) -> dict[str, Any]:
    return {
        "generate_config": dict(resolution.config),
        "stops_run": resolution.stops_run,
        **{name: setting and asdict(setting) for name, setting in resolution.settings.items()},
    }


def as_table(model: str) -> Group:
    """Return the settings of both conditions on a model, as a table for rich.

    Args:
        model: The model's name, as typed after ``--model``.
    """
    resolutions = {name: resolve(model, thinking=on) for name, on in _CONDITIONS.items()}
    headings = ("thinking", "setting", "status", "sent, with notes")
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
    """Yield the family of the model, and the conditions that are not run."""
    on = resolutions["on"]
    known = "" if on.known else "; not verified for this model"
    yield f"family: {on.family}, Inspect's provider: {on.provider}{known}"
    for condition, resolution in resolutions.items():
        if resolution.stops_run:
            yield f"thinking {condition}: not run without -T allow_unhonoured=true"
