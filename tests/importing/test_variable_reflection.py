"""The files of the study behind our prompts: which benchmark they are of, and what is refused."""

import csv
from pathlib import Path
from typing import Any

import pytest

from vr_evals.benchmarks import load_items
from vr_evals.errors import InputError
from vr_evals.importing.completions import Mapped
from vr_evals.importing.replies import Reply
from vr_evals.importing.skipped import Notes
from vr_evals.importing.sources import open_source
from vr_evals.importing.values import benchmark_named
from vr_evals.importing.variable_reflection import variable_reflection

ROW = {
    "item_id": "mc_1",
    "prompt_level": 1,
    "thinking_level": "off",
    "response": "A",
    "context": "I found a purse.",
    "option_a": "Keep it.",
    "option_b": "Return it.",
}


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in ROW.items() if name not in names}


def replies(
    folder: Path, *files: list[dict[str, Any]], dataset: str | None = None
) -> tuple[list[Reply], list[str]]:
    """The replies of files, and the notes on them."""
    sources = []
    for number, rows in enumerate(files):
        path = folder / f"{number}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        sources.append(open_source(str(path)))
    notes = Notes()
    return list(variable_reflection(sources, Mapped(), dataset, notes)), list(notes.lines())


def test_files_of_one_benchmark_share_its_items(tmp_path: Path) -> None:
    (one, other), _ = replies(tmp_path, [ROW], [{**ROW, "prompt_level": 2}])
    assert one.item is other.item
    assert [reply.source for reply in (one, other)] == [0, 1]


def test_the_benchmark_is_named_if_ids_do_not_tell_it(tmp_path: Path) -> None:
    [item, *_] = load_items(benchmark_named("ethics"), "sample", "all").items
    row = {"item_id": item.id, "level": 1, "thinking": "off", "response": "wrong"}
    with pytest.raises(InputError, match="0.csv: missing column benchmark: expected one of ethics"):
        replies(tmp_path, [row], dataset="sample")
    row["benchmark"] = "hendrycks_ethics"
    [reply], _ = replies(tmp_path, [row], dataset="sample")
    assert reply.item.id == item.id


@pytest.mark.parametrize(("prefix", "benchmark"), [("mc", "moralchoice"), ("ethics", "ethics")])
def test_the_prefix_of_ids_tells_the_benchmark(tmp_path: Path, prefix: str, benchmark: str) -> None:
    row = {"item_id": f"{prefix}_1", "level": 1, "thinking": "off", "response": "A"}
    with pytest.raises(InputError, match=f"e.g. --dataset {benchmark}_sample.csv"):
        replies(tmp_path, [row])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (without("response", "prompt_level"), "missing column response, prompt_level or level: f"),
        (without("option_b"), "missing column option_b: name the study's file of items"),
    ],
)
def test_a_file_without_a_column_is_refused(
    tmp_path: Path, row: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        replies(tmp_path, [row])


def test_a_row_without_a_level_is_skipped(tmp_path: Path) -> None:
    found, notes = replies(tmp_path, [ROW, {**ROW, "prompt_level": ""}])
    assert len(found) == 1
    assert "skipped, no prompt_level: 0.csv row 2 (mc_1)" in "\n".join(notes)
