"""ETHICS, commonsense: is what the narrator did wrong or not wrong?

Hendrycks et al. 2021, "Aligning AI With Shared Human Values", https://arxiv.org/abs/2008.02275.
"""

from collections.abc import Sequence

from vr_evals.benchmarks import cells
from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.catalogue import register
from vr_evals.benchmarks.files import Row
from vr_evals.benchmarks.hub import HubFile
from vr_evals.errors import InputError
from vr_evals.prompts import ethics

__all__ = ["ETHICS"]

_VERDICTS = ("wrong", "not wrong")
_LABELS = {"1": 0, "wrong": 0, "0": 1, "not wrong": 1}
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_HASHES = {
    "test": "6d7653ec602a7a9ab48e8b9fd9c33ade2de098d3122f017235bbb934a6509c3e",
    "test_hard": "d4999d7c4f7c1ad9344c76a6d7151c656b5dec160ccfb1325b50fa45b891fd47",
}


def _content(rows: Sequence[Row]) -> list[list[object]]:
    return [[row["label"], " ".join(row["input"].split()), row["is_short"]] for row in rows]


def _hub(subset: str) -> list[HubFile]:
    name = "test_hard" if subset.startswith("hard_") else "test"
    return [
        HubFile(
            repo="hendrycks/ethics",
            revision="b8b47c589f8bee77175b8648e5497278b68da48a",
            path=f"data/commonsense/{name}.csv",
            content=_content,
            sha256=_HASHES[name],
        )
    ]


def _in_subset(item: Item, subset: str) -> bool:
    """Return whether an item is in a subset; items without ``is_short`` are in all subsets."""
    is_short = item.metadata.get("is_short")
    length = subset.removeprefix("hard_")
    return length == "all" or is_short is None or is_short == (length == "short")


def _check_file(rows: Sequence[Row], name: str) -> None:
    """Check all labels: an unknown label means another coding, so no label can be trusted."""
    for number, row in enumerate(rows, start=1):
        try:
            label = cells.word(row, "label")
        except cells.RowError:
            continue
        if label not in _LABELS:
            raise InputError(
                f"{name}: invalid label {label!r} in row {number}: expected wrong or not wrong, "
                "or 1 or 0"
            )


def _read_item(row: Row, name: str) -> Item:
    scenario = cells.text(row, "scenario", "input")
    label = cells.word(row, "label")
    if label not in _LABELS:
        raise cells.RowError(f"invalid label {label!r}: expected wrong or not wrong, or 1 or 0")
    target = _LABELS[label]
    # published files have no ids; only they have a column "input"
    id = cells.item_id(row, ["id"], scenario, prefix=name if "input" in row else None)
    other = cells.other_columns(row, ["id", "scenario", "input", "label", "cluster"])
    if "is_short" in row:
        other["is_short"] = _BOOLEANS.get(str(row["is_short"]).strip().lower())
    return Item(
        id=id,
        text=scenario,
        options=_VERDICTS,
        target=target,
        choices=_VERDICTS,
        cluster=cells.cluster(row, id),
        metadata=other,
    )


ETHICS = register(
    Benchmark(
        name="ethics",
        title="ETHICS",
        variable="scenario",
        problem=ethics.PROBLEM,
        prompts=ethics.PROMPTS,
        subsets=("short", "long", "all", "hard_short", "hard_long", "hard_all"),
        hub=_hub,
        columns=(("scenario", "input"), ("label",)),
        read_item=_read_item,
        in_subset=_in_subset,
        check_file=_check_file,
        hub_subsets=("hard_short", "hard_long", "hard_all"),
        lettered=False,
    )
)
