"""What models are called in the table."""

import json
import shlex
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from vr_evals.analysis.run import Run
from vr_evals.errors import InputError
from vr_evals.terminal import printable

__all__ = ["AliasError", "aliased", "model_names"]


class AliasError(InputError):
    """An alias of no model, or one that is another model's name."""

    exit_code = 2


def model_names(runs: Sequence[Run], alias: Mapping[str, str]) -> dict[str, str]:
    """A name for each model: Inspect's, or its alias.

    If two of the same name differ in ``-M`` arguments or in where they are served, the name says in
    what. Two names become one if both are given the same alias; a name that is no alias is never
    joined with another. Control characters are written out.

    Args:
        runs: The runs.
        alias: New names by the names that Inspect gives.

    Returns:
        The names by `Run.model_key`.

    Raises:
        AliasError: An alias names no model of the runs, if there are any, gives a model the name of
            another that is not named itself, or is empty.
    """
    models = {run.model_key: run for run in runs}
    named = aliased({run.model for run in runs}, alias)
    alike: defaultdict[str, list[Run]] = defaultdict(list)
    for run in models.values():
        alike[run.model].append(run)
    return {
        key: named[run.model] + printable(_what_differs(run, alike[run.model]))
        for key, run in models.items()
    }


def aliased(models: Collection[str], alias: Mapping[str, str]) -> dict[str, str]:
    """A name for each model: its alias, or its own with control characters written out.

    Args:
        models: Their names in the logs.
        alias: New names by these names.

    Raises:
        AliasError: As for `model_names`.
    """
    _check_aliases(models, alias)
    # a name may be typed as it is shown
    aliases = {
        model: alias[name]
        for model in models
        for name in (printable(model), model)
        if name in alias
    }
    named = {model: printable(aliases.get(model, model)) for model in models}
    taken: defaultdict[str, list[str]] = defaultdict(list)
    for model, name in named.items():
        taken[name].append(model)
    for name, both in taken.items():
        if len(both) > 1 and not aliases.keys() >= set(both):
            every = " ".join(f"--alias {shlex.quote(f'{model}={name}')}" for model in sorted(both))
            raise AliasError(
                f"alias {name!r}: {' and '.join(sorted(both))} would both have this name; give "
                f"another to each model or, if they are one model, name both: {every}"
            )
    return named


def _check_aliases(models: Collection[str], alias: Mapping[str, str]) -> None:
    for name in alias:
        if not isinstance(alias[name], str) or not alias[name].strip():
            raise AliasError(f"alias {name!r}: expected a new name, found {alias[name]!r}")
        if models and name not in models and name not in map(printable, models):
            raise AliasError(
                f"alias {name!r}: no log that is read has this model; "
                f"they have {', '.join(sorted(models))}"
            )


def _what_differs(run: Run, alike: Sequence[Run]) -> str:
    """In brackets, the arguments of a model that others of its name have otherwise."""
    own, all_of_them = _details(run), list(map(_details, alike))
    differing = [
        f"{name}={value}"
        for name, value in sorted(own.items())
        if any(other.get(name) != value for other in all_of_them)
    ]
    return f" ({', '.join(differing)})" if differing else ""


def _details(run: Run) -> dict[str, str]:
    details = {
        name: value if isinstance(value, str) else json.dumps(value, default=str)
        for name, value in run.model_args.items()
    }
    return details | ({"host": run.host} if run.host else {})
