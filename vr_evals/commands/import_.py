"""``vr-evals import``: other people's results, as Inspect logs."""

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

import click

from vr_evals.commands.arguments import assignments

__all__ = ["import_"]


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--as",
    "format",
    type=click.Choice(["completions", "variable-reflection", "editorial-faithfulness"]),
    required=True,
    help="The format of the files.",
)
@click.option("-o", "--output", metavar="LOGS", required=True, help="The folder of the logs.")
@click.option(
    "--dataset",
    metavar="hub|sample|FILE",
    help="Where the items are found, by id or text; by default in the files.",
)
@click.option(
    "--column",
    metavar="OURS=THEIRS",
    multiple=True,
    help="The file's name of a column; repeatable.",
)
@click.option(
    "--columns",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="A YAML file of such names, ours: theirs.",
)
@click.option(
    "--set",
    "values",
    metavar="OURS=VALUE",
    multiple=True,
    help="The value of a column that the file has not, e.g. model=NAME; repeatable.",
)
def import_(
    files: tuple[str, ...],
    format: Any,
    output: str,
    dataset: str | None,
    column: tuple[str, ...],
    columns: str | None,
    values: tuple[str, ...],
) -> None:
    """Write the replies in FILES as Inspect logs, scored as those of our tasks.

    docs/importing.md has the formats and their columns. No model is called.
    """
    from vr_evals.formatting import plural
    from vr_evals.importing import import_logs

    # Inspect names its hooks on standard output, which is for the names of the logs
    with redirect_stdout(sys.stderr):
        done = import_logs(
            files,
            format=format,
            folder=output,
            dataset=dataset,
            columns={**_columns(columns), **assignments("--column", column)},
            values=assignments("--set", values),
        )
    for note in done.notes:
        click.echo(note, err=True)
    for log in done.logs:
        click.echo(log)
    errors = f", {plural(done.errors, 'error')}" if done.errors else ""
    click.echo(
        f"{plural(done.samples, 'sample')} in {plural(len(done.logs), 'log')}{errors}", err=True
    )


def _columns(path: str | None) -> Mapping[str, str]:
    """Return the names of columns in a YAML file."""
    if path is None:
        return {}
    import yaml

    from vr_evals.errors import InputError

    try:
        with open(path, encoding="utf-8") as file:
            found = yaml.safe_load(file)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"{path}: failed to read: {str(error).splitlines()[0]}") from None
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise InputError(f"{path}: invalid names of columns: expected lines like item: question_id")
    return {str(name): theirs for name, theirs in found.items()}
