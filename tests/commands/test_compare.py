"""``vr-evals compare`` and ``vr-evals export --layout``: the page's example, formats, bad input."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from tests.commands.running import typed
from tests.foreign_logs import answering, counted, ran, wrong_at

DOC = Path(__file__).parents[2] / "docs" / "comparing-any-logs.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.M | re.S)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which the page's example was run."""
    folder = tmp_path_factory.mktemp("example")
    [source] = [text for language, text in BLOCK.findall(DOC.read_text()) if language == "python"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        exec(compile(source, "sums.py", "exec"), {"__name__": "sums"})
        yield folder


def test_the_example_prints_what_the_page_has(example: Path) -> None:
    [text] = [text for language, text in BLOCK.findall(DOC.read_text()) if language == "text"]
    result = typed("compare", "logs/sums")
    assert result.exit_code == 0, result.output
    assert result.stdout == text


def test_the_numbers_of_the_example_are_those_of_a_plain_loop(example: Path) -> None:
    right: dict[str, dict[str, bool]] = {}
    for info in list_eval_logs("logs/sums"):
        log = read_eval_log(info)
        for sample in log.samples or ():
            assert sample.scores
            right.setdefault(log.eval.model, {})[str(sample.id)] = (
                sample.scores["match"].value == "C"
            )
    hasty, steady = right["mockllm/hasty"], right["mockllm/steady"]
    gaps = [hasty[item] - steady[item] for item in hasty]
    printed = json.loads(typed("compare", "logs/sums", "--format", "json").stdout)
    [pair] = [row for row in printed if row["versus"]]
    assert pair["estimate"] == pytest.approx(sum(gaps) / len(gaps))
    assert (pair["n_better"], pair["n_worse"]) == (gaps.count(1), gaps.count(-1)) == (2, 18)
    [clustered] = [
        row
        for row in json.loads(
            typed("compare", "logs/sums", "--format", "json", "--cluster", "passage").stdout
        )
        if row["versus"]
    ]
    assert clustered["n_clusters"] == 20
    assert clustered["high"] - clustered["low"] > pair["high"] - pair["low"]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json"])
def test_items_name_who_was_better(form: str, example: Path) -> None:
    result = typed("compare", "logs/sums", "--items", "--format", form)
    assert result.exit_code == 0, result.output
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        assert len(rows) == 40
        assert sum(row["better"] == "mockllm/steady" for row in rows) == 18
    elif form == "json":
        assert len(json.loads(result.stdout)) == 40
    else:
        assert "20 of 40 samples equal" in result.stdout


def test_a_page_is_written(example: Path) -> None:
    result = typed("compare", "logs/sums", "-o", "compared.html", "--title", "<b>Sums</b>")
    assert result.exit_code == 0, result.output
    page = (example / "compared.html").read_text()
    assert "&lt;b&gt;Sums" in page
    assert "−40.0" in page
    assert page.count("<svg") >= 2
    assert "u2068" not in page
    assert "<script" not in page


@pytest.mark.parametrize("layout", ["hibayes", "long", "wide"])
def test_layouts_are_written(layout: str, example: Path) -> None:
    result = typed("export", "logs/sums", "-o", "scores.csv", "--layout", layout)
    assert result.exit_code == 0, result.output
    with open("scores.csv", newline="") as file:
        assert len(list(csv.DictReader(file))) == (40 if layout == "wide" else 80)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "logs/sums", "--full"], "need -o"),
        (["compare", "logs/sums", "-o", "x.html", "--items"], "--items"),
        (["compare", "logs/sums", "-o", "x.pdf"], "invalid file 'x.pdf'"),
        (["compare", "logs/sums", "--cluster", "nothing"], "invalid cluster 'nothing'"),
        (["compare", "logs/sums", "--scorer", "m"], "invalid scorer 'm'"),
        (["compare", "nowhere"], "no such file or folder"),
        (["export", "logs/sums", "-o", "x.csv", "--scorer", "match"], "need --layout"),
        (["export", "logs/sums", "-o", "x.csv", "--layout", "long", "--scorer", "m"], "'m'"),
    ],
)
def test_bad_input_is_one_line(words: list[str], message: str, example: Path) -> None:
    result = typed(*words)
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_logs_of_different_tasks_are_refused_by_name(tmp_path: Path) -> None:
    ran(counted(), answering("a", wrong_at()), tmp_path)
    ran(counted(version=2), answering("b", wrong_at()), tmp_path)
    result = typed("compare", tmp_path)
    assert result.exit_code != 0
    assert "nothing to compare" in result.stderr
    assert "task version (1 / 2)" in result.stderr
