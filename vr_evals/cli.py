"""The ``vr-evals`` command. Heavy imports are inside its commands."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from vr_evals.commands.cache import cache
from vr_evals.commands.compare import compare
from vr_evals.commands.export import export
from vr_evals.commands.fetch_local_model import fetch_local_model
from vr_evals.commands.figure import figure
from vr_evals.commands.import_ import import_
from vr_evals.commands.methods import methods
from vr_evals.commands.plan import plan
from vr_evals.commands.prompts import prompts
from vr_evals.commands.report import report
from vr_evals.commands.run import run
from vr_evals.commands.table import table
from vr_evals.commands.tasks import tasks
from vr_evals.commands.thinking import thinking

__all__ = ["main"]

_SIGPIPE = 141
"""A shell's exit code for a program ended by a broken pipe."""


class _Commands(click.Group):
    """Commands whose output may be piped into ``head``, which closes the pipe early."""

    _prints_only = True
    _unread = False

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command; if its output is no longer read, end without a message.

        The exit code is then 0, or 141 for a run, which may be incomplete.
        """
        self._prints_only, self._unread = True, False
        try:
            return super().main(*args, **extra)
        except SystemExit:
            if not self._unread:
                raise
        with suppress(OSError, ValueError):  # the rest of the buffer cannot be written
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0 if self._prints_only else _SIGPIPE)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with self._notice_broken_pipe():  # for --help
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
        """Record a broken pipe, which click and rich turn into exit code 1."""
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

    For a single evaluation use Inspect: inspect eval vr_evals/ethics_level5 --model ...
    """


for command in (
    tasks,
    prompts,
    thinking,
    plan,
    run,
    table,
    report,
    compare,
    figure,
    methods,
    export,
    import_,
    fetch_local_model,
    cache,
):
    main.add_command(command)
