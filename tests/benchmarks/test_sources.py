"""From ``-T dataset=…`` to items: the hub, the shipped sample, a user's file."""

import json
import logging
import os
import socket
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.hub import Hub
from tests.processes import completed
from tests.shared import shared
from vr_evals.benchmarks import Benchmark, load_items
from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.benchmarks.hub import read_hub_file
from vr_evals.benchmarks.morables import MORABLES
from vr_evals.benchmarks.moralchoice import MORALCHOICE
from vr_evals.benchmarks.ordering import option_orders
from vr_evals.errors import InputError


@pytest.fixture
def hub_file(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a file of our own on the hub, in the place of a benchmark's pinned one."""

    def put(benchmark: Benchmark, content: str) -> None:
        assert benchmark.hub
        [file] = benchmark.hub(benchmark.subsets[0])
        monkeypatch.setattr(hub, "root", tmp_path)
        path = tmp_path / file.repo / file.revision / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        refs = tmp_path / file.repo / "refs.json"
        refs.write_text(json.dumps({"main": file.revision}), encoding="utf-8")

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    read_hub_file.cache_clear()
    yield put
    read_hub_file.cache_clear()


@pytest.mark.parametrize(
    ("benchmark", "subset", "count"),
    [
        (ETHICS, "short", 2109),
        (ETHICS, "long", 1776),
        (ETHICS, "all", 3885),
        (ETHICS, "hard_short", 1704),
        (ETHICS, "hard_long", 2260),
        (ETHICS, "hard_all", 3964),
        (MORALCHOICE, "all", 1366),
        (MORALCHOICE, "low", 687),
        (MORALCHOICE, "high", 679),
        (MORABLES, "mcqa", 709),
        (MORABLES, "char_swap", 709),
    ],
)
def test_published_files(real_hub: Hub, benchmark: Benchmark, subset: str, count: int) -> None:
    loaded = load_items(benchmark, "hub", subset)
    assert len(loaded.items) == count
    assert benchmark.hub
    assert loaded.origin["revision"] in {file.revision for file in benchmark.hub(subset)}


@pytest.mark.parametrize(
    ("benchmark", "subset", "letters"), [(MORALCHOICE, "low", 2), (MORABLES, "mcqa", 5)]
)
def test_always_the_first_letter_is_at_chance(
    real_hub: Hub, benchmark: Benchmark, subset: str, letters: int
) -> None:
    items = load_items(benchmark, "hub", subset).items
    first = [option_orders(item, "seeded", 0)[""][0] == item.target for item in items]
    assert sum(first) / len(first) == pytest.approx(1 / letters, abs=0.05)
    original = [option_orders(item, "original", 0)[""][0] == item.target for item in items]
    assert all(original), "the fault of the published order that seeded mends"


def test_moralchoice_traps(real_hub: Hub, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        items = {item.id: item for item in load_items(MORALCHOICE, "hub", "all").items}
    assert "1 row skipped: G_530 (two identical options)" in caplog.text
    assert "G_530" not in items
    weak = {id for id, item in items.items() if item.metadata.get("weak_target")}
    numbers = (114, 202, 284, 416, 481, 482, 501, 533, 541, 599, 602, 1037, 1049, 1052, 1080)
    assert weak == {f"C_{number}" for number in numbers}
    assert items["H_001"].metadata["a2_death"] == "No Agreement"


def test_missing_pinned_file_falls_back_to_the_configuration(
    real_hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the pinned revision is gone, the newest files count if their content is the same."""
    assert MORABLES.hub
    [file] = MORABLES.hub("mcqa")
    newest = "1" * 40
    folder = tmp_path / file.repo / newest
    folder.mkdir(parents=True)
    source = shared("data", "hub") / file.repo / file.revision
    (folder / "data.json").symlink_to(source / file.path)
    (folder / "README.md").write_text(
        "---\nconfigs:\n- config_name: mcqa\n  data_files:\n"
        "  - split: mcqa_not_shuffled\n    path: data.json\n---\n",
        encoding="utf-8",
    )
    (tmp_path / file.repo / "refs.json").write_text(json.dumps({"main": newest}), encoding="utf-8")
    monkeypatch.setattr(real_hub, "root", tmp_path)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "datasets")
    read_hub_file.cache_clear()
    loaded = load_items(MORABLES, "hub", "mcqa")
    assert len(loaded.items) == 709
    assert loaded.origin["revision"] == newest
    assert loaded.origin["sha256"] == {file.path: file.sha256}
    read_hub_file.cache_clear()


def test_changed_content_is_an_error_that_can_be_accepted(
    hub_file: Any, caplog: pytest.LogCaptureFixture
) -> None:
    hub_file(ETHICS, "label,input,is_short,edited\n1,I lied.,True,False\n")
    with pytest.raises(InputError, match="content hash .*, expected 6d7653.*accept_changed_data"):
        load_items(ETHICS, "hub", "short")
    with caplog.at_level(logging.WARNING):
        loaded = load_items(ETHICS, "hub", "short", accept_changed_data=True)
    assert [item.text for item in loaded.items] == ["I lied."]
    assert loaded.origin["changed_data"] == ["data/commonsense/test.csv"]
    assert "content differs from the pin" in caplog.text


@pytest.mark.parametrize(
    ("status", "advice"),
    [(401, "set HF_TOKEN"), (403, "set HF_TOKEN"), (404, "HTTP 404"), (410, "410")],
)
def test_a_hub_that_refuses_is_one_line_at_once(
    hub: Hub, hub_file: Any, status: int, advice: str
) -> None:
    hub_file(ETHICS, "label,input,is_short\n")
    hub.faults["/resolve/"] = status
    hub.requests.clear()
    with pytest.raises(InputError, match=advice) as caught:
        load_items(ETHICS, "hub", "short")
    assert "\n" not in caught.value.message
    assert max(Counter(hub.requests).values()) == 1, "asked again"


LOAD_OFFLINE = """
import datasets
from vr_evals.benchmarks import load_items
from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.errors import InputError
try:
    load_items(ETHICS, "hub", "short")
except InputError as error:
    print(error.message)
"""


@pytest.mark.slow
@pytest.mark.parametrize("accepts", [False, True])
def test_no_network_is_one_line_of_advice_and_not_tried_again(
    tmp_path: Path, accepts: bool
) -> None:
    """A hub that refuses connections, and one that takes them and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if accepts:
            server.listen()
        environment = os.environ | {
            "HF_ENDPOINT": f"http://127.0.0.1:{server.getsockname()[1]}",
            "HF_HOME": str(tmp_path),
        }
        done = completed([sys.executable, "-c", LOAD_OFFLINE], env=environment)
        assert done.returncode == 0, done.stderr
        assert "not reachable" in done.stdout
        assert "-T dataset=sample" in done.stdout
        assert "Traceback" not in done.stderr
        if accepts:
            server.setblocking(False)
            server.accept()[0].close()
            with pytest.raises(BlockingIOError):
                server.accept()


def write(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8", newline="")
    return str(path)


def test_a_skipped_row_is_named_by_its_id_else_by_its_number(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [{"scenario": "I slept.", "label": 0}, {"id": 0, "label": 0}, {"id": "", "label": 1}]
    path = write(tmp_path / "mine.json", json.dumps(rows))
    with caplog.at_level(logging.WARNING):
        load_items(ETHICS, path, "all")
    assert "2 rows skipped: 0 (empty scenario), row 3 (empty scenario)" in caplog.text


def test_own_csv(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    content = (
        "id,scenario,label,theme\n"
        'a,"I said ""NA"".\nThen I left.",wrong,x\n'
        "b,NA,not wrong,y\n"
        "c,,wrong,z\n"
        "d,I slept.,,z\n"
    )
    with caplog.at_level(logging.WARNING):
        loaded = load_items(ETHICS, write(tmp_path / "mine.csv", content), "all")
    assert [item.text for item in loaded.items] == ['I said "NA".\nThen I left.', "NA"]
    assert "2 rows skipped: c (empty scenario), d (missing label)" in caplog.text
    assert loaded.origin["skipped_rows"] == 2


def test_option_that_says_none_is_text(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv", "context,action1,action2\nYou.,I go.,None\n")
    assert load_items(MORALCHOICE, path, "all").items[0].options == ("I go.", "None")


MORABLES_HEADER = "fable,option_a,option_b,option_c,option_d,option_e,correct_idx\n"


@pytest.mark.parametrize(
    ("benchmark", "content", "message"),
    [
        (
            ETHICS,
            "text,label\nx,wrong\n",
            "missing column scenario (or input): expected scenario (or input), label, found text",
        ),
        (ETHICS, "scenario\nx\n", "missing column label"),
        (
            ETHICS,
            "scenario,label\nx,2\n",
            "invalid label '2' in row 1: expected wrong or not wrong",
        ),
        (ETHICS, "scenario,label\n,wrong\n,wrong\n", "no valid row, skipped 2"),
        (ETHICS, "id,scenario,label\n1,x,1\n1,y,0\n", "found id '1' in rows 1, 2"),
        (ETHICS, "scenario,label\nx,1\ny,1\nx,1\n", "found the same text in rows 1, 3 (delete"),
        (
            ETHICS,
            "scenario,label\n,1\nx,1\nX y,0\nx ,1\nX  y,0\n",
            "rows 2, 4 (delete one, or add",
        ),
        (
            MORABLES,
            MORABLES_HEADER + "f,1,2,3,4,5,1\ng,1,2,3,4,5,4\n",
            "ambiguous correct_idx: indices 1 to 4 may count from 0 or from 1",
        ),
        (
            MORABLES,
            MORABLES_HEADER + "f,1,2,3,4,5,1\ng,1,2,3,4,5,5\n",
            "invalid correct_idx 1 to 5",
        ),
        (
            MORABLES,
            MORABLES_HEADER.replace("option_e,", "") + "f,1,2,3,4,0\n",
            "missing column option_e",
        ),
    ],
)
def test_bad_file_names_itself_and_what_was_wanted(
    tmp_path: Path, benchmark: Benchmark, content: str, message: str
) -> None:
    path = write(tmp_path / "mine.csv", content)
    with pytest.raises(InputError, match="mine") as caught:
        load_items(benchmark, path, benchmark.subsets[0])
    assert message in caught.value.message
    assert "\n" not in caught.value.message


def test_subset_without_items_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "m.csv", "context,action1,action2,ambiguity\nc,a,b,low\n")
    with pytest.raises(InputError, match="subset=high: contains none of the 1 items"):
        load_items(MORALCHOICE, path, "high")


@pytest.mark.parametrize("benchmark", [ETHICS, MORALCHOICE, MORABLES], ids=lambda b: b.name)
def test_sample_is_usable_to_the_last_row(benchmark: Benchmark) -> None:
    subset = "all" if "all" in benchmark.subsets else benchmark.subsets[0]
    loaded = load_items(benchmark, "sample", subset)
    assert len(loaded.items) >= 24
    assert loaded.origin["sample_data"] is True
    assert loaded.origin["skipped_rows"] == 0
    assert not any(item.order_fixed for item in loaded.items)


def test_same_ids_after_sorting_the_file_anew(tmp_path: Path) -> None:
    rows = ["I lied.,1", "I slept.,0", "I helped.,0"]
    head = "scenario,label\n"
    first = load_items(ETHICS, write(tmp_path / "1.csv", head + "\n".join(rows)), "all")
    again = load_items(ETHICS, write(tmp_path / "2.csv", head + "\n".join(rows[::-1])), "all")
    assert {i.text: i.id for i in first.items} == {i.text: i.id for i in again.items}


@pytest.mark.parametrize(
    ("benchmark", "subset"), [(ETHICS, "hard_all"), (ETHICS, "hard_short"), (MORABLES, "char_swap")]
)
def test_subset_that_only_the_hub_has_is_refused_elsewhere(
    benchmark: Benchmark, subset: str
) -> None:
    with pytest.raises(InputError, match=f"-T subset={subset}: not supported with dataset="):
        load_items(benchmark, "sample", subset)


def test_url_that_cannot_be_reached_says_so() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{server.getsockname()[1]}/items.csv"
        with pytest.raises(InputError, match="reachable|Connect"):
            load_items(ETHICS, url, "all")


@pytest.mark.parametrize(
    ("id", "problem"),
    [
        ("a\0b", "invalid id: NUL character"),
        ("x" * 10_001, "invalid id: 10001 characters, expected at most 10000"),
    ],
    ids=["NUL", "long"],
)
def test_an_id_that_no_log_can_hold_is_skipped(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, id: str, problem: str
) -> None:
    """Inspect's log would lose a sample whose id has a NUL, and end the run at a very long one."""
    rows = [{"id": id, "scenario": "s", "label": 1}, {"id": "kept", "scenario": "t", "label": 1}]
    content = "\n".join(map(json.dumps, rows))
    with caplog.at_level(logging.WARNING):
        loaded = load_items(ETHICS, write(tmp_path / "mine.jsonl", content), "all")
    assert [item.id for item in loaded.items] == ["kept"]
    assert problem in caplog.text


def test_warnings_about_rows_hold_nothing_that_a_terminal_obeys(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [
        {"id": "\x1b[2Ja\nb", "scenario": "", "label": 1},
        {"id": "x" * 9000, "scenario": "", "label": 1},
        {"id": "kept", "scenario": "t", "label": 1},
    ]
    content = "\n".join(map(json.dumps, rows))
    with caplog.at_level(logging.WARNING):
        load_items(ETHICS, write(tmp_path / "mine.jsonl", content), "all")
    [warning] = [record.getMessage() for record in caplog.records]
    assert warning.isprintable()
    assert r"\x1b[2Ja\nb (empty scenario)" in warning
    assert len(warning) < 1000
