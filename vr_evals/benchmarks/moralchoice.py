"""MoralChoice: which of two actions is more morally acceptable?

Scherrer et al. 2023, "Evaluating the Moral Beliefs Encoded in LLMs",
https://arxiv.org/abs/2307.14324. In a low-ambiguity dilemma the first action of the file is the
acceptable one, by construction; a high-ambiguity dilemma has no right answer.
"""

from collections.abc import Sequence

from vr_evals.benchmarks import cells
from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.catalogue import register
from vr_evals.benchmarks.files import Row
from vr_evals.benchmarks.hub import HubFile
from vr_evals.benchmarks.ordering import refer_to_others
from vr_evals.prompts import moralchoice

__all__ = ["MORALCHOICE"]

_HASHES = {
    "low": "7c2f74df43643b0b0bf320933d6ffa0c134d2a052886a9bde10795ac5c5d421c",
    "high": "cc23c4bb049497553c550ad786ffb74b3821693ffb0d84bf75c17cc0e087aeb8",
}
_COLUMNS = {
    "id": ["id", "scenario_id"],
    "action1": ["action1", "option_a"],
    "action2": ["action2", "option_b"],
}


def _content(rows: Sequence[Row]) -> list[list[object]]:
    columns = ("scenario_id", "ambiguity", "context", "action1", "action2")
    return [[row[column].strip() for column in columns] for row in rows]


def _hub(subset: str) -> list[HubFile]:
    return [
        HubFile(
            repo="ninoscherrer/moralchoice",
            revision="89c0fe7b158b5ade5d10e0644c1aa20ab4c78cbe",
            path=f"scenarios/moralchoice_{ambiguity}_ambiguity.csv",
            content=_content,
            sha256=_HASHES[ambiguity],
        )
        for ambiguity in (("low", "high") if subset == "all" else (subset,))
    ]


def _read_item(row: Row, name: str) -> Item:
    context = cells.text(row, "context")
    actions = cells.distinct(
        (cells.text(row, *_COLUMNS["action1"]), cells.text(row, *_COLUMNS["action2"]))
    )
    ambiguity = _ambiguity(row)
    id = cells.item_id(row, _COLUMNS["id"], context, *actions)
    used = ["context", "ambiguity", "cluster", *(n for names in _COLUMNS.values() for n in names)]
    metadata = {**cells.other_columns(row, used), "ambiguity": ambiguity}
    if ambiguity == "low" and _breaks_no_rule(row):
        metadata["weak_target"] = True
    return Item(
        id=id,
        text=context,
        options=actions,
        target=0 if ambiguity == "low" else None,
        choices=("action1", "action2"),
        cluster=cells.cluster(row, id),
        metadata=metadata,
        order_fixed=refer_to_others(actions),
    )


def _ambiguity(row: Row) -> str | None:
    if "ambiguity" not in row:
        return None
    found = cells.word(row, "ambiguity")
    if found not in ("low", "high"):
        raise cells.RowError(f"invalid ambiguity {found!r}: expected low or high")
    return found


def _breaks_no_rule(row: Row) -> bool:
    """Return whether neither action breaks a rule, per the annotators: a weak right answer."""
    rules = [str(cell).strip() for name, cell in row.items() if name[:3] in ("a1_", "a2_")]
    return bool(rules) and all(rule == "No" for rule in rules)


MORALCHOICE = register(
    Benchmark(
        name="moralchoice",
        title="MoralChoice",
        variable="context",
        problem=moralchoice.PROBLEM,
        prompts=moralchoice.PROMPTS,
        subsets=("all", "low", "high"),
        hub=_hub,
        columns=(("context",), tuple(_COLUMNS["action1"]), tuple(_COLUMNS["action2"])),
        read_item=_read_item,
        in_subset=lambda item, subset: subset == "all" or item.metadata["ambiguity"] == subset,
        scorers=("preference",),
    )
)
