"""The page: one document that anybody can read, and that does nothing by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.analysis.frames import answer, answers, studies, table
from tests.analysis.running import run
from tests.breadth import some_quick
from tests.report.html_page import Page, read
from tests.report.studies import (
    HOSTILE,
    authority_study,
    dilemmas,
    hostile_study,
    ladder_study,
    leave_undrawn,
)
from vr_evals.analysis import read_logs
from vr_evals.analysis.accuracy import accuracy
from vr_evals.errors import InputError
from vr_evals.report import charts, render, write_report

SECTIONS = [
    "answers",
    "distrust",
    "run",
    "accuracy",
    "changes",
    "flips",
    "agreement",
    "preference",
    "calibration",
    "authority",
    "models",
    "cost",
    "items",
    "methods",
]


def check(page: str) -> Page:
    """Read a page that must be well formed and accessible, and need nothing else."""
    found = read(page)
    assert not found.left_open
    assert list(found.texts) == SECTIONS
    assert ("html", {"lang": "en"}) in found.tags
    levels = [level for level, _ in found.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    ids = found.attributes("id")
    assert len(ids) == len(set(ids))
    names = [tag for tag, _ in found.tags]
    assert not {"script", "iframe", "img", "object", "embed", "form"} & set(names)
    assert {"header", "nav", "main", "footer"} <= set(names)
    assert not found.attributes("src")
    for link in found.attributes("href"):
        assert link == "data:," or link.startswith(("#", "http://127.0.0.1:7575/#/logs/"))
        assert not link.startswith("#") or link[1:] in ids
    assert not re.search(r"url\((?!#)|@import", page)
    for named in found.attributes("aria-labelledby"):
        assert set(named.split()) <= set(ids)
    assert all(dict(found.tags[i][1])["role"] == "img" for i in _pictures(found))
    return found


def _pictures(page: Page) -> list[int]:
    """The drawings that are not hidden from screen readers."""
    return [
        place
        for place, (tag, attributes) in enumerate(page.tags)
        if tag == "svg" and "aria-hidden" not in attributes
    ]


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_undrawn(monkeypatch)


@pytest.fixture(scope="module")
def ladder() -> Page:
    return check(render(ladder_study(), title="A study"))


def test_every_section_says_something_of_a_study(ladder: Page) -> None:
    assert ladder.headings[0] == (1, "A study")
    assert "2 models on 1 benchmark: 192 samples" in ladder.section("run")
    for name in SECTIONS[:-1]:
        assert len(ladder.section(name)) > 60, name
    assert "send the same prompt" in ladder.section("changes")
    assert "No authority task was run" in ladder.section("authority")
    assert len(_pictures(ladder)) > 20


def test_figures_are_those_of_the_comparisons(ladder: Page) -> None:
    frame = accuracy(ladder_study())
    right = frame[frame["metric"] == "accuracy"].sort_values("estimate")
    for row in (right.iloc[0], right.iloc[-1]):
        text = f"{100 * row.estimate:.1f}% [{100 * row.low:.1f}, {100 * row.high:.1f}]"
        assert text in ladder.section("accuracy")


def test_every_figure_has_a_table(ladder: Page) -> None:
    names = [tag for tag, _ in ladder.tags]
    assert names.count("table") >= names.count("figure") // 4
    assert names.count("caption") == names.count("table")


@pytest.mark.usefixtures("undrawn")
def test_no_difference_is_claimed_where_there_is_none() -> None:
    same = [answers("AABBAABB", level=level) for level in (0, 1)]
    page = check(render(table(*same)))
    text = page.section("changes")
    assert "No change from level 0 is significant" in text
    assert "Largest" not in text


@pytest.mark.usefixtures("undrawn")
def test_a_difference_that_is_clear_is_named() -> None:
    rows = table(answers("B" * 40, level=0), answers("A" * 40, level=2))
    text = check(render(rows)).section("changes")
    assert "The only change from level 0 is significant after Holm's correction" in text
    assert "+100.0" in text
    assert "p < 0.001" in text


LITTLE: dict[str, tuple[pd.DataFrame, dict[str, str]]] = {
    "one sample": (
        table(answer("i", "A", "B")),
        {
            "changes": "No comparison: it takes level 0",
            "flips": "No two levels",
            "agreement": "Agreement is unknown",
            "calibration": "no confidence was stated",
            "models": "only one model was run",
        },
    ),
    "one level of one model": (
        ladder_study(("m/one",), (2,), (False,), epochs=1),
        {"changes": "No comparison: ", "agreement": "Agreement is unknown"},
    ),
    "no right answers": (
        dilemmas(),
        {
            "accuracy": "no item has a right answer",
            "preference": "On dilemmas of high ambiguity",
            "calibration": "no confidence was stated",
        },
    ),
    "right answers in both orders": (
        dilemmas("low"),
        {"preference": "Items asked in both orders: position bias is significant in"},
    ),
    "an authority alone": (
        authority_study(),
        {
            "accuracy": "By condition, on moralchoice, accuracy is between 0.0% [0.0, 24.2] "
            "(m/one, thinking off, high harm; n = 12 items) and 100.0%",
            "authority": "chosen significantly more often than under control in 1 of 4 cases",
            "items": "No item was answered wrong or inconsistently without a cue",
        },
    ),
    "nothing could be read": (
        table(answers("----", confidence=90.0)),
        {"distrust": "(maximum: 100.0%)", "accuracy": "accuracy is 0.0%"},
    ),
    "no level": (
        table(answers("AB", level=None), answers("AA", level=None, model="m/two")),
        {"accuracy": "accuracy is between", "models": "No difference between two models"},
    ),
    "mixed settings": (
        table(answers("AB", version="1-A"), answers("AB", version="2-A")),
        {"distrust": "They are shown separately", "accuracy": "version=2-A"},
    ),
}


@pytest.mark.parametrize("drawn", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name",
    some_quick(LITTLE, {"one sample", "no right answers", "an authority alone"}.__contains__),
)
def test_little_makes_a_sensible_page(
    name: str, drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, said = LITTLE[name]
    if not drawn:
        leave_undrawn(monkeypatch)
    page = check(render(rows))
    for section, words in said.items():
        assert words in page.section(section).replace("\u2068", "").replace("\u2069", "")


STUDIES = given(studies(models=("m/one",), levels=(0, 5), thinking=(False,)), st.booleans())


@pytest.mark.slow
@STUDIES
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_study_makes_a_page(rows: list[dict[str, object]], scored: bool) -> None:
    make_page(rows, scored)


@pytest.mark.slow
@STUDIES
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_study_makes_a_page_without_drawings(
    rows: list[dict[str, object]], scored: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        leave_undrawn(patch)
        make_page(rows, scored)


def make_page(rows: list[dict[str, object]], scored: bool) -> None:
    found = table(rows)
    if not scored:
        found["correct"] = pd.array([pd.NA] * len(found), dtype="boolean")
    if found.empty:
        with pytest.raises(InputError, match="nothing to show"):
            render(found)
    else:
        check(render(found))


def test_nothing_to_report_is_one_line() -> None:
    with pytest.raises(InputError, match=r"^nothing to show: no sample .* has ended$"):
        render(table([]))
    empty = table([])
    empty.attrs["skipped"] = [{"log": f"{i}.eval", "reason": "unfinished"} for i in range(3)]
    with pytest.raises(InputError, match=r"skipped 0\.eval \(and 2 more logs\): unfinished"):
        render(empty)
    failed = table(answer("i", None, error="no key"))
    with pytest.raises(InputError, match="1 of 1 sample ended in an error"):
        render(failed)
    with pytest.raises(InputError, match="missing column model, task"):
        render(pd.DataFrame({"a": [1]}))


def test_hostile_text_is_shown_and_does_nothing() -> None:
    page = render(hostile_study(), title=HOSTILE["script"] + HOSTILE["right to left"])
    found = check(page)
    assert found.headings[0][1] == "<script>alert(1)</script>\\u202egnorw\\u202c"
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u200e\u200f]", page)
    assert "\\x1b[31m" in page
    assert "{{ 7*7 }}" in page
    assert "49{% raw" not in page
    assert "x" * 2000 not in page
    assert "more characters)" in page
    assert len(page) < 3_000_000


@pytest.mark.usefixtures("undrawn")
def test_halves_of_surrogate_pairs_are_replaced_wherever_they_stand(tmp_path: Path) -> None:
    half = "half \ud800"
    rows = ladder_study(("m/one", "m/two"), (0, 5), (False,), items=4, epochs=1)
    columns = ["model", "item", "sample_id", "cluster", "label", "choice", "log", "uuid"]
    rows["uuid"] = "u"
    for column in columns:
        texts = [f"{value}{half}" for value in rows[column]]
        rows[column] = pd.Series(texts, dtype="object")
    settings = [f"seed={half if number % 2 else 0}" for number in range(len(rows))]
    rows["variant"] = pd.Series(settings, dtype="object")
    rows.attrs["notes"] = [half]
    rows.attrs["skipped"] = [{"log": half, "reason": half, "repeated": False}]
    rows.attrs["logs"] = [dict.fromkeys(("log", "model", "task", "created", "vr_evals"), half)]
    path = tmp_path / "page.html"
    write_report(rows, path, title=half)
    text = path.read_bytes().decode("utf-8")
    page = check(text)
    assert page.headings[0][1] == "half \ufffd"
    for words in (
        "m/onehalf \ufffd",
        "half \ufffd\u2069 · ",
        "half \ufffd\u2069”.",
        "seed=half \ufffd",
    ):
        assert words in text
    assert "\\ud800" not in text
    assert "half ?" not in text
    links = [link for link in page.attributes("href") if "7575" in link]
    assert links
    assert all("half%20%EF%BF%BD" in link for link in links)


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_many_models_are_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "PANEL_LIMIT", 3)
    models = tuple(f"m/{number}" for number in range(5))
    rows = ladder_study(models, (0,), (False,), items=3, epochs=1)
    page = check(render(rows))
    # five models to a panel
    assert "more panel" not in page.section("accuracy")
    assert "m/4" in page.section("accuracy")
    assert "7 more panels not shown" in page.section("models")


@pytest.mark.usefixtures("undrawn")
def test_the_page_of_real_logs_links_into_the_viewer(tmp_path: Path) -> None:
    run(tmp_path / "logs a", "morables_level0", "vr_sim/careful")
    run(tmp_path / "logs a", "morables_level5", "vr_sim/careful", include_confidence=True)
    rows = read_logs(tmp_path / "logs a")
    path = tmp_path / "page.html"
    write_report(rows, path)
    page = check(path.read_text(encoding="utf-8"))
    text = page.section("items")
    assert f"inspect view --log-dir '{tmp_path}/logs a'" in text
    assert "End of the reply" in text
    assert "Right answer" in text
    [link, *_] = [link for link in page.attributes("href") if "7575" in link]
    assert re.fullmatch(r".*/#/logs/[^/]+\.eval/samples/sample_uuid/\w+", link)
    assert "simulated respondents" in page.section("distrust")


@pytest.mark.usefixtures("undrawn")
def test_logs_that_are_gone_are_no_error(tmp_path: Path) -> None:
    log = run(tmp_path, "morables_level0", "vr_sim/careful")
    rows = read_logs(tmp_path)
    Path(log.location.removeprefix("file://")).unlink()
    assert "could not be read again" in check(render(rows)).section("items")


@pytest.mark.usefixtures("undrawn")
def test_a_page_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"page\.html cannot be written: No such file"):
        write_report(table(answer("i", "A")), tmp_path / "none" / "page.html")


@pytest.mark.usefixtures("undrawn")
def test_bins_of_confidence_are_in_its_unit() -> None:
    rows = [answer(f"i{n}", "A", "A", confidence=75.0) for n in range(4)]
    bins = re.findall(r"\b(\d+)–(\d+)\b", render(table(rows)))
    assert ("70", "80") in bins
    assert max(int(high) for _, high in bins) <= 100


@pytest.mark.usefixtures("undrawn")
def test_a_difference_under_a_condition_is_named_with_it() -> None:
    rows = [
        answer(
            f"i{n}", label, "A", model=model, level=None, task="x_authority", condition="high_harm"
        )
        for model, label in (("m/one", "A"), ("m/two", "B"))
        for n in range(20)
    ]
    page = render(table(rows))
    section = page.split('id="models"')[1].split("</section>")[0]
    assert "Largest" in section
    assert "high harm" in section.split("<table")[0]
