"""``vr-evals methods``: a methods paragraph with citations, for a paper."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from vr_evals.commands.log_rows import log_arguments

if TYPE_CHECKING:
    from vr_evals.analysis.methods import Statement

__all__ = ["FORMATS", "methods"]


@click.command()
@log_arguments
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "markdown", "latex", "bibtex")),
    default="text",
    show_default=True,
    help="latex cites the keys of the entries that bibtex prints.",
)
def methods(logs: tuple[str, ...], alias: dict[str, str], unfinished: bool, form: str) -> None:
    """Print what was done with LOGS (files, folders or URLs), in sentences for a paper.

    They have the study's own numbers: models, items, levels, conditions, epochs, temperature, the
    share of answers read; and cite the data sets and methods that were used.
    """
    from vr_evals.analysis.methods import methods as methods_of
    from vr_evals.commands.log_rows import no_results, read_rows

    rows = read_rows(logs, alias, unfinished)
    click.echo(FORMATS[form](methods_of(rows)))
    for line in no_results(rows):
        click.echo(line, err=True)


def _as_text(statements: "Sequence[Statement]") -> str:
    return "\n\n".join([_paragraph(statements, str), *_entries(statements)])


def _as_markdown(statements: "Sequence[Statement]") -> str:
    from vr_evals.markup import markdown

    entries = "\n\n".join(_entries(statements))
    return f"{_paragraph(statements, markdown)}\n\n```bibtex\n{entries}\n```"


def _as_latex(statements: "Sequence[Statement]") -> str:
    from vr_evals.markup import latex

    return " ".join(
        latex(each.text) + (rf"~\cite{{{','.join(each.citations)}}}" * bool(each.citations)) + "."
        for each in statements
    )


def _as_bibtex(statements: "Sequence[Statement]") -> str:
    return "\n\n".join(_entries(statements))


def _paragraph(statements: "Sequence[Statement]", escape: Callable[[str], str]) -> str:
    from vr_evals.analysis.methods import in_words

    return " ".join(escape(in_words(each)) for each in statements)


def _entries(statements: "Sequence[Statement]") -> list[str]:
    from vr_evals.analysis.methods import cited

    return [each.bibtex for each in cited(statements)]


FORMATS: "Mapping[str, Callable[[Sequence[Statement]], str]]" = {
    "text": _as_text,
    "markdown": _as_markdown,
    "latex": _as_latex,
    "bibtex": _as_bibtex,
}
"""How sentences are written, by the name of the format."""
