"""Whether the model that answered is the one that was asked for, by their names."""

import re

from vr_evals.solvers.thinking_rules import Match

__all__ = ["served_another"]

# region and vendor of a Bedrock id, and the version of the id itself
_BEFORE = re.compile(r"^(?:[a-z][a-z-]*\.)+(?=[a-z])")
_AFTER = re.compile(r"-v\d+:\d+$")
# how a request is routed (OpenRouter, Hugging Face), or the tag that a server adds
_ROUTE = re.compile(
    r":(?:free|nitro|floor|online|extended|beta|thinking|exacto|fastest|cheapest|latest)$"
)
_DATE = re.compile(
    r"[-@](?:(20\d\d-?\d\d-?\d\d)|(?:\d\d-20\d\d|\d\d-\d\d|\d{4}|00\d|0|latest|default))$"
)
_POINT = re.compile(r"(?<=\d)[-_p](?=\d{1,2}(?![0-9a-z]))")


def served_another(asked: str, served: str) -> bool:
    """Whether a provider's name for the model that answered is of another than the one asked for.

    A provider, vendor or region before the name, a date or ``latest`` behind it, routing suffixes,
    letter case and the order of its parts make no difference; two dates that differ do. A model on
    the user's own machines, a simulated one, or an Azure deployment that the table of models does
    not know by its name, may call itself anything.

    Args:
        asked: The model's name in Inspect, with its provider.
        served: The provider's name for it; several, where calls differ, are joined by commas.
    """
    match = Match.of(asked)
    deployment = match.provider_name == "azureai" or match.name.startswith("azure/")
    if match.provider.local or (deployment and not match.known):
        return False
    if match.provider_name == "hf-inference-providers":
        asked = asked.partition(":")[0]
    return any(_differ(asked, name) for name in served.split(", "))


def _differ(asked: str, served: str) -> bool:
    one, other = _plain(asked), _plain(served)
    dates = {date.replace("-", "") for date in (one[1], other[1]) if date}
    return one[0] != other[0] or len(dates) > 1


def _plain(name: str) -> tuple[tuple[str, ...], str | None]:
    """The parts of a name that say which model it is, in any order, and its date."""
    name = _ROUTE.sub("", name.strip().lower().rpartition("/")[2])
    name = _AFTER.sub("", _BEFORE.sub("", name))
    date = _DATE.search(name)
    if date:
        name = name[: date.start()]
    name = _POINT.sub(".", name)
    return tuple(sorted(re.split(r"[-_ ]", name))), date and date[1]
