"""The methods paragraph: the study's own numbers, and the works that it uses."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from tests.analysis.frames import answer, answers, table
from tests.commands.running import typed
from tests.latex import check_latex
from tests.report.studies import authority_study, hostile_study, ladder_study
from vr_evals.analysis.methods import cited, in_words, methods
from vr_evals.commands.methods import FORMATS
from vr_evals.references import DATA_SETS, REFERENCES

PLAIN = answers("AB-")


def words(study: pd.DataFrame) -> str:
    return " ".join(in_words(each) for each in methods(study))


@pytest.mark.parametrize(
    ("study", "expected"),
    [
        (
            table(PLAIN),
            ["1 model (m/one)", "moralchoice (3 items;", "level 0, with", "66.7% could"],
        ),
        (table(PLAIN), ["3 answers", "once per cell", "temperature was 0", "seeded order"]),
        (table(PLAIN), ["Simulated respondents", "not the published data"]),
        (
            table(answers("AB", dataset="/data/mine.csv", sample_data=False)),
            ["own items of /data/mine.csv"],
        ),
        (
            table(answers("AB", dataset="sample", sample_data=False)),
            ["moralchoice (2 items; subset all) ("],
        ),
        (
            table(
                answers("AB", benchmark="morables"),
                answers("BA", option_order="original"),
                answer("i", "wrong", "wrong", benchmark="ethics", option_order="original"),
            ),
            ["shown in original order (moralchoice) and seeded order (morables)"],
        ),
        (
            table(PLAIN, answers("AB", thinking=True)),
            ["temperature was 0 with thinking off, and not set with thinking on."],
        ),
        (
            table(PLAIN, answers("AB", level=1, temperature=None)),
            ["temperature was 0 where one was set."],
        ),
        (
            table(answers("AB", thinking=None, epoch=None)),
            ["Each item was asked at reflection level 0; in all, there are 2 answers"],
        ),
        (ladder_study(), ["2 models", "levels 0, 1 and 5", "off and on", "up to 2 epochs"]),
        (ladder_study(), ["8 items with a right answer", "192 answers with a stated confidence"]),
        (ladder_study(), ["(Tango, 1998; Miller, 2024)"]),
        (authority_study(), ["control, high help, high harm, low help and low harm"]),
    ],
)
def test_the_numbers_are_those_of_the_study(study: pd.DataFrame, expected: list[str]) -> None:
    found = words(study)
    assert [each for each in expected if each not in found] == []


def keys(study: pd.DataFrame) -> set[str]:
    return {each.key for each in cited(methods(study))}


def test_only_what_is_used_is_cited() -> None:
    assert {"naeini2015", "tango1998", "krippendorff2004"} <= keys(ladder_study())
    plain = keys(table(answers("AB")))
    assert plain == {
        "vrevals2026",
        "inspect2024",
        "scherrer2023moralchoice",
        "wilson1927",
        "korn1998",
    }
    assert "manski1990" in keys(table(PLAIN))
    assert "Simulated" not in words(table(answers("AB", simulated=False, dataset="hub")))


def test_every_reference_is_an_entry() -> None:
    assert set(DATA_SETS.values()) <= set(REFERENCES)
    for key, each in REFERENCES.items():
        assert re.match(rf"@\w+{{{key},\n  author = {{.+}},\n  title = ", each.bibtex)
        assert each.bibtex.count("{") == each.bibtex.count("}")
        assert each.bibtex.isascii()
        assert each.fields["year"] in each.short


@pytest.mark.parametrize("study", [ladder_study(), authority_study(), hostile_study()])
def test_every_format_is_safe(study: pd.DataFrame) -> None:
    found = methods(study)
    latex = FORMATS["latex"](found)
    assert check_latex(latex) == []
    assert set(re.findall(r"@\w+{(\w+),", FORMATS["bibtex"](found))) == {
        key for each in re.findall(r"\\cite{([^}]*)}", latex) for key in each.split(",")
    }
    assert not re.search(r"(?<!\\)[<*]", FORMATS["markdown"](found).split("```")[0])
    assert all(line.isprintable() for line in FORMATS["text"](found).splitlines())


def test_the_command_prints_it(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ladder_study()
    monkeypatch.setattr("vr_evals.commands.log_rows.read_rows", lambda *given: study)
    result = typed("methods", ".", "--format", "bibtex")
    assert result.exit_code == 0
    assert result.stdout.startswith("@software{vrevals2026,")
    assert typed("methods", ".", "--format", "html").exit_code == 2
