"""The options that describe a grid, shared by the commands that plan one or run it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from vr_evals.levels import Level

if TYPE_CHECKING:
    from vr_evals.running.grid import Cell, Paradigm

__all__ = ["GridOptions", "grid_options"]

_ALL = f"{min(Level):d}-{max(Level):d}"
"""The levels, as typed."""

_THINKING = {"off": [False], "on": [True], "both": [False, True]}


@dataclass(frozen=True)
class GridOptions:
    """A grid, as typed.

    Attributes:
        benchmark: Names of benchmarks, or ``all``.
        paradigm: The level tasks, or the authority tasks.
        levels: The levels; None for the paradigm's default.
        thinking: ``off``, ``on`` or ``both``.
        models: The models.
        model_args: Model arguments, ``name=value``.
        given: Task parameters, ``name=value``.
        dataset: Short for a task parameter.
        items: Likewise.
        limit: The first samples, or a range of positions (from 0, without the last).
        epochs: Repetitions of each sample; None for the tasks' own number.
        flags: Flags of ``inspect eval-set``.
    """

    benchmark: str
    paradigm: "Paradigm"
    levels: list[int] | None
    thinking: str
    models: list[str]
    model_args: tuple[str, ...]
    given: tuple[str, ...]
    dataset: str | None
    items: str | None
    limit: int | tuple[int, int] | None
    epochs: int | None
    flags: tuple[str, ...]

    def parameters(self) -> dict[str, str]:
        """Return the task parameters, as typed."""
        from vr_evals.commands.arguments import assignments

        short = {"dataset": self.dataset, "items": self.items}
        found = {name: text for name, text in short.items() if text is not None}
        return found | assignments("-T", self.given)

    def eval_options(self) -> dict[str, Any]:
        """Return the arguments of ``eval_set`` beside tasks, models and the log folder."""
        from vr_evals.commands.arguments import assignments
        from vr_evals.commands.inspect_flags import inspect_flags
        from vr_evals.running.values import read_value

        return inspect_flags(self.flags) | {
            "epochs": self.epochs,
            "limit": self.limit,
            "model_args": {
                name: read_value(text, int | float | bool | str)
                for name, text in assignments("-M", self.model_args).items()
            },
        }

    def cells(self, parameters: Mapping[str, str]) -> list["Cell"]:
        """Return the tasks of the grid.

        Args:
            parameters: The task parameters, as typed.

        Raises:
            click.BadParameter: A benchmark is unknown.
            InputError: A parameter or a level is invalid.
        """
        from vr_evals.running.grid import authority_grid, benchmarks_of, level_grid

        known = benchmarks_of(self.paradigm)
        names = known
        if self.benchmark != "all":
            names = [name.strip() for name in self.benchmark.split(",")]
        for name in names:
            if name not in known:
                raise click.BadParameter(
                    f"invalid benchmark {name!r}: must be one of {', '.join(known)}, all",
                    param_hint="--benchmark",
                )
        names, thinking = list(dict.fromkeys(names)), _THINKING[self.thinking]
        levels = list(map(Level, self.levels or []))
        if self.paradigm == "authority":
            return authority_grid(names, levels, thinking, dict(parameters))
        return level_grid(names, levels or None, thinking, dict(parameters))


def grid_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a grid to a command, which gets them as its first argument."""
    names = [field.name for field in fields(GridOptions)]

    @wraps(command)
    def with_grid(**values: Any) -> None:
        command(GridOptions(**{name: values.pop(name) for name in names}), **values)

    decorated: Callable[..., None] = with_grid
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _read_levels(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> list[int] | None:
    if text is None:
        return None
    known = [str(level.value) for level in Level]
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = (word.strip() for word in part.partition("-"))
        ends = (first, last if dash else first)
        if not (set(ends) <= set(known) and ends[0] <= ends[1]):
            raise click.BadParameter(
                f"invalid levels {text!r}: use {known[0]} to {known[-1]}, e.g. {_ALL} or 0,2,5"
            )
        found |= set(range(int(ends[0]), int(ends[1]) + 1))
    return sorted(found)


def _read_limit(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> int | tuple[int, int] | None:
    if text is None:
        return None
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last.isdecimal() or not dash)):
        raise click.BadParameter(
            f"invalid limit {text!r}: expected a number or a range, e.g. 10 or 11-20"
        )
    limit = (int(first) - 1, int(last)) if dash else int(first)
    if limit == 0 or (isinstance(limit, tuple) and not 0 <= limit[0] < limit[1]):
        raise click.BadParameter(
            f"invalid limit {text!r}: samples are numbered from 1, e.g. 10 or 11-20"
        )
    return limit


def _read_models(
    context: click.Context, parameter: click.Parameter, names: Sequence[str]
) -> list[str]:
    found = [name.strip() for text in names for name in text.split(",") if name.strip()]
    if not found:
        raise click.BadParameter("no model given, e.g. --model vr_sim/careful")
    return found


_OPTIONS: tuple[Callable[[Callable[..., None]], Callable[..., None]], ...] = (
    click.option(
        "--benchmark",
        metavar="NAMES",
        required=True,
        help="Comma-separated, e.g. ethics,morables, or all.",
    ),
    click.option(
        "--paradigm",
        type=click.Choice(["levels", "authority"]),
        default="levels",
        show_default=True,
        help="The level tasks, or the authority tasks of all conditions.",
    ),
    click.option(
        "--levels",
        metavar="LEVELS",
        callback=_read_levels,
        help=f"E.g. {_ALL} or 0,2,5.  [default: {_ALL}; authority: its own question]",
    ),
    click.option(
        "--thinking", type=click.Choice(list(_THINKING)), default="off", show_default=True
    ),
    click.option(
        "--model",
        "models",
        metavar="MODEL",
        multiple=True,
        required=True,
        envvar="INSPECT_EVAL_MODEL",
        callback=_read_models,
        help="A model name as for inspect eval; repeatable.",
    ),
    click.option("-M", "model_args", metavar="NAME=VALUE", multiple=True, help="A model argument."),
    click.option(
        "-T",
        "given",
        metavar="NAME=VALUE",
        multiple=True,
        help="A task parameter, passed to each task that has it.",
    ),
    click.option("--dataset", metavar="DATA", help="Short for -T dataset=DATA."),
    click.option("--items", metavar="N", help="Short for -T items=N."),
    click.option(
        "--limit",
        metavar="N",
        callback=_read_limit,
        help="The first N samples of each task, or a range, e.g. 11-20.",
    ),
    click.option(
        "--epochs", metavar="N", type=click.IntRange(min=1), help="Repetitions of each sample."
    ),
    click.argument("flags", metavar="[FLAGS OF INSPECT]...", nargs=-1, type=click.UNPROCESSED),
)
"""In the order of the help text."""
