"""What models are called in the table."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from vr_evals.analysis.run import Run
from vr_evals.errors import InputError

__all__ = ["model_names"]


def model_names(
    runs: Sequence[Run], alias: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """A name for each model: Inspect's, or its alias.

    Where two differ in ``-M`` arguments or in where they are served, the name says in what.

    Args:
        runs: The runs.
        alias: New names by the names that Inspect gives.

    Returns:
        The names by `Run.model_key`, and the aliases that name no model of the runs.

    Raises:
        InputError: An alias gives two models one name.
    """
    models = {run.model_key: run for run in runs}
    named = {run.model: alias.get(run.model, run.model) for run in models.values()}
    taken: defaultdict[str, list[str]] = defaultdict(list)
    for model, name in named.items():
        taken[name].append(model)
    for name, both in taken.items():
        if len(both) > 1:
            raise InputError(
                f"alias {name!r}: {' and '.join(sorted(both))} would both have this name; wanted "
                "another for each model"
            )
    alike: defaultdict[str, list[Run]] = defaultdict(list)
    for run in models.values():
        alike[run.model].append(run)
    names = {
        key: named[run.model] + _what_differs(run, alike[run.model]) for key, run in models.items()
    }
    return names, tuple(model for model in alias if model not in named)


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
