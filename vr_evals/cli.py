"""The ``vr-evals`` command. Heavy imports wait inside each of its commands."""

import click

from vr_evals.commands.export import export
from vr_evals.commands.fetch_local_model import fetch_local_model
from vr_evals.commands.prompts import prompts
from vr_evals.commands.report import report
from vr_evals.commands.run import run
from vr_evals.commands.table import table
from vr_evals.commands.tasks import tasks
from vr_evals.commands.thinking import thinking

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vr-evals", message="%(package)s %(version)s")
def main() -> None:
    """Reflection, thinking and confidence in language models' moral judgements.

    A single evaluation runs with Inspect: inspect eval vr_evals/ethics_level5 --model ...
    """


for command in (tasks, prompts, thinking, run, table, report, export, fetch_local_model):
    main.add_command(command)
