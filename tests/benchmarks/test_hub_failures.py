"""What can go wrong with a pinned file of the hub, each in a line that says what to do."""

import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from tests.hub import Hub
from vr_evals.benchmarks import Benchmark, load_items
from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.benchmarks.hub import HubFile, read_hub_file
from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.benchmarks.morables import MORABLES
from vr_evals.errors import InputError


@pytest.fixture(autouse=True)
def _fresh(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty hub and an empty cache."""
    monkeypatch.setattr(hub, "root", tmp_path / "hub")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "datasets")
    read_hub_file.cache_clear()
    yield
    read_hub_file.cache_clear()


def pinned(benchmark: Benchmark, subset: str) -> HubFile:
    assert benchmark.hub
    return benchmark.hub(subset)[0]


def revision(hub: Hub, file: HubFile) -> Path:
    """The folder of a file's repository at its pinned revision."""
    folder = hub.root / file.repo / file.revision
    folder.mkdir(parents=True)
    refs = json.dumps({"main": file.revision})
    (folder.parent / "refs.json").write_text(refs, encoding="utf-8")
    return folder


def place(hub: Hub, file: HubFile) -> Path:
    """Where a pinned file lies on the hub."""
    path = revision(hub, file) / file.path
    path.parent.mkdir(parents=True)
    return path


def test_a_subject_of_mmlu_is_read_as_it_is_published(hub: Hub) -> None:
    rows = {
        "question": ["Is it?", "Was it?"],
        "subject": ["anatomy"] * 2,
        "choices": [["no", "yes"], ["yes", "no"]],
        "answer": [1, 0],
    }
    pd.DataFrame(rows).to_parquet(place(hub, pinned(MCQA, "anatomy")))
    loaded = load_items(MCQA, "hub", "anatomy")
    assert [item.options[item.target or 0] for item in loaded.items] == ["yes", "yes"]
    assert all(item.id.startswith("anatomy-") for item in loaded.items)


@pytest.mark.parametrize(
    ("benchmark", "subset", "wanted"),
    [
        (MCQA, "alchemy", "expected a subject of MMLU, one of moral_disputes, abstract_algebra"),
        (MORABLES, "../mcqa", "expected the name of a split, e.g. char_swap"),
    ],
)
def test_a_subset_that_no_hub_could_have(benchmark: Benchmark, subset: str, wanted: str) -> None:
    with pytest.raises(InputError, match=f"invalid -T subset '{subset}': {wanted}"):
        pinned(benchmark, subset)


def test_a_file_that_the_revision_does_not_have(hub: Hub) -> None:
    file = pinned(MCQA, "anatomy")
    revision(hub, file)
    with pytest.raises(InputError, match=rf"cais/mmlu: {file.path} not found at revision c30699e"):
        load_items(MCQA, "hub", "anatomy")


def test_a_file_that_is_gone_and_whose_configuration_cannot_be_read_either(hub: Hub) -> None:
    revision(hub, pinned(MORABLES, "mcqa"))
    with pytest.raises(InputError, match="configuration mcqa failed") as caught:
        load_items(MORABLES, "hub", "mcqa")
    assert "MCQAMoralFables.json not found at revision 5876383" in caught.value.message
    assert "\n" not in caught.value.message


def test_a_file_that_is_gone_from_a_hub_that_then_fails(hub: Hub) -> None:
    revision(hub, pinned(MORABLES, "mcqa"))
    hub.faults["/api/"] = 410
    with pytest.raises(InputError, match="HTTP 410; try again later"):
        load_items(MORABLES, "hub", "mcqa")


def test_a_file_that_holds_something_else(hub: Hub) -> None:
    place(hub, pinned(MCQA, "anatomy")).write_text("no parquet", encoding="utf-8")
    with pytest.raises(InputError, match=r"test-00000-of-00001\.parquet") as caught:
        load_items(MCQA, "hub", "anatomy")
    assert "\n" not in caught.value.message


def test_content_without_a_column_has_no_hash(hub: Hub) -> None:
    path = place(hub, pinned(ETHICS, "short"))
    path.write_text("label,is_short\n1,True\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"content hash .*: none \(missing column 'input'\), expected"
    ):
        load_items(ETHICS, "hub", "short")


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("GatedRepo", "gated; accept its terms on the hub and set HF_TOKEN"),
        ("RepoNotFound", r"access refused \(HTTP 401\); set HF_TOKEN to a token"),
    ],
)
def test_a_hub_that_wants_to_know_who_asks(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, code: str, advice: str
) -> None:
    place(hub, pinned(ETHICS, "short")).write_text("label,input\n", encoding="utf-8")
    hub.faults["/resolve/"] = 401
    monkeypatch.setattr(hub, "fault_code", code)
    with pytest.raises(InputError, match=advice):
        load_items(ETHICS, "hub", "short")


def test_offline_nothing_is_asked(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """HF_HUB_OFFLINE=1, as it is set on machines without a network."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    before = len(hub.requests)
    with pytest.raises(InputError, match="not cached; connect once, or use -T"):
        load_items(ETHICS, "hub", "short")
    assert len(hub.requests) == before
