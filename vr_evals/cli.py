"""The ``vr-evals`` command. Heavy imports wait inside each of its commands."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

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

_SIGPIPE = 141
"""The exit code that a shell gives of a program which a broken pipe ended."""


class _Commands(click.Group):
    """Commands whose output may go into ``head``, which reads the beginning and leaves."""

    _prints_only = True
    _unread = False

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command. If nobody reads its output any longer, it ends quietly.

        The exit code is then 0, but 141 of a run, which may not have been made.
        """
        self._prints_only, self._unread = True, False
        try:
            return super().main(*args, **extra)
        except SystemExit:
            if not self._unread:
                raise
        with suppress(OSError, ValueError):  # what is left in the buffer has nowhere to go
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0 if self._prints_only else _SIGPIPE)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with self._notice_broken_pipe():  # of --help
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with self._notice_broken_pipe():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = super().resolve_command(ctx, args)
        self._prints_only = found[1] is not run or "--dry-run" in args
        return found

    @contextmanager
    def _notice_broken_pipe(self) -> Iterator[None]:
        """Note a broken pipe: click makes exit code 1 of it, and rich does before click."""
        try:
            yield
        except BrokenPipeError:
            self._unread = True
            raise
        except SystemExit as end:
            self._unread = isinstance(end.__context__, BrokenPipeError)
            raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vr-evals", message="%(package)s %(version)s")
def main() -> None:
    """Reflection, thinking and confidence in language models' moral judgements.

    A single evaluation runs with Inspect: inspect eval vr_evals/ethics_level5 --model ...
    """


for command in (tasks, prompts, thinking, run, table, report, export, fetch_local_model):
    main.add_command(command)
