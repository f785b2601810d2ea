"""The page: sections as one self-contained HTML document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pandas as pd

from vr_evals.analysis.methods import Statement, cited, in_words, methods
from vr_evals.analysis.plans import Plan
from vr_evals.characters import replace_lone_surrogates
from vr_evals.errors import InputError, not_installed
from vr_evals.formatting import plural, shown
from vr_evals.replacing import replacing
from vr_evals.report.blocks import Section
from vr_evals.report.results import Progress, Results, compute
from vr_evals.report.sections.accuracy import accuracy_section
from vr_evals.report.sections.agreement import agreement_section
from vr_evals.report.sections.answers import answers_section
from vr_evals.report.sections.authority import authority_section
from vr_evals.report.sections.calibration import calibration_section
from vr_evals.report.sections.changes import changes_section
from vr_evals.report.sections.cost import cost_section
from vr_evals.report.sections.flips import flips_section
from vr_evals.report.sections.items import items_section
from vr_evals.report.sections.models import models_section
from vr_evals.report.sections.overview import distrust_section, overview
from vr_evals.report.sections.preference import preference_section

__all__ = ["NEEDS", "SECTIONS", "as_html", "check_extra", "render", "write_page", "write_report"]

NEEDS = ("a report", "vl_convert")
"""Arguments of `check_extra`: what needs the extra, and its modules."""

SECTIONS: tuple[Callable[[Results], Section], ...] = (
    answers_section,
    distrust_section,
    overview,
    accuracy_section,
    changes_section,
    flips_section,
    agreement_section,
    preference_section,
    calibration_section,
    authority_section,
    models_section,
    cost_section,
    items_section,
)
"""The sections of the page in order; the methods follow."""

_TITLE = "Reflection, thinking and moral judgement"
_TITLE_LIMIT = 200
_OPEN_ROWS = 20
"""Rows up to which a table is open if its section has no chart."""


def render(
    rows: pd.DataFrame,
    *,
    title: str | None = None,
    full: bool = False,
    primary: Plan | None = None,
    margin: float | None = None,
    progress: Progress | None = None,
) -> str:
    """Render the report on a tidy table.

    Args:
        rows: What `vr_evals.analysis.read_logs` returns.
        title: The page's heading.
        full: Whether everything is unfolded, e.g. to print all of it.
        primary: The primary effects of the study, as for `vr_evals.analysis.effects`.
        margin: The least effect of interest in points, to show that others are smaller.
        progress: Called before each step.

    Returns:
        One self-contained HTML document: no network, no script, no other file.

    Raises:
        InputError: The table contains no answer or lacks a column of a tidy table, or the extra
            `report` is not installed.
    """
    check_extra(*NEEDS)
    results = compute(rows, progress, primary=primary, margin=margin)
    sections = []
    for done, make in enumerate(SECTIONS):
        if progress:
            progress(f"section {done + 1}", done, len(SECTIONS))
        sections.append(make(results))
    return as_html(shown(title or _TITLE, _TITLE_LIMIT), sections, full, methods(rows))


def write_report(
    rows: pd.DataFrame,
    path: str | Path,
    *,
    title: str | None = None,
    full: bool = False,
    primary: Plan | None = None,
    margin: float | None = None,
    progress: Progress | None = None,
) -> None:
    """Write the report on a tidy table to a file.

    Args:
        rows: What `vr_evals.analysis.read_logs` returns.
        path: A path or URL. An existing file is replaced as a whole; if writing fails, it is left
            unchanged.
        title: The page's heading.
        full: Whether everything is unfolded, e.g. to print all of it.
        primary: The primary effects of the study, as for `vr_evals.analysis.effects`.
        margin: The least effect of interest in points, to show that others are smaller.
        progress: Called before each step.

    Raises:
        InputError: As for `render`, or the file cannot be written.
    """
    page = render(rows, title=title, full=full, primary=primary, margin=margin, progress=progress)
    write_page(page, path)


def write_page(page: str, path: str | Path) -> None:
    """Write a page to a file.

    Args:
        page: The HTML.
        path: A path or URL. An existing file is replaced as a whole.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        with replacing(path) as part:
            part.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def as_html(
    title: str,
    sections: Sequence[Section],
    full: bool,
    statements: Sequence[Statement] = (),
    *,
    explained: str = "methods.html",
) -> str:
    """Return sections as an HTML document.

    Args:
        title: Its heading.
        sections: Its sections; the methods follow.
        full: Whether everything is unfolded.
        statements: What is said of the methods of this study.
        explained: The template that explains the methods.
    """
    from jinja2 import Environment, PackageLoader

    loader = PackageLoader("vr_evals.report", "templates")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["plural"] = plural
    environment.globals["open_rows"] = _OPEN_ROWS
    template = environment.get_template("page.html.j2")
    page = template.render(
        title=title,
        sections=sections,
        full=full,
        methods=[in_words(each) for each in statements],
        references=cited(statements),
        explained=explained,
    )
    return replace_lone_surrogates(page)


def check_extra(what: str, *modules: str) -> None:
    """Check that modules of the extra `report` are installed.

    Args:
        what: What needs them.
        modules: Their names.

    Raises:
        InputError: A module is missing.
    """
    try:
        for module in modules:
            import_module(module)
    except ImportError as error:
        raise not_installed(what, str(error.name), "report") from None
