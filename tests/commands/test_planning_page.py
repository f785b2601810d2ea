"""What ``docs/planning-a-study.md`` shows is what ``vr-evals plan`` prints."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from tests.commands.running import typed
from vr_evals.analysis.pilot import ASSUMED
from vr_evals.analysis.prices import read_prices
from vr_evals.analysis.tokens import OUTPUT_TOKENS, THINKING_TOKENS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "planning-a-study.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^vr-evals (plan .*)$", PAGE, flags=re.M)
SHOWN = re.findall(r"```text\n(.*?)```", PAGE, flags=re.S)


@pytest.mark.parametrize(("command", "shown"), list(zip(COMMANDS, SHOWN, strict=True)))
def test_plans_of_the_page_are_those_that_are_printed(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`…` alone in a line leaves out lines."""
    monkeypatch.chdir(ROOT)
    models = ",".join((ROOT / "examples" / "models.txt").read_text(encoding="utf-8").split())
    result = typed(*shlex.split(command.replace("$(paste -sd, examples/models.txt)", models)))
    assert result.exit_code == 0, result.output
    position = 0
    for part in re.split(r"^…\n", shown, flags=re.M):
        found = result.stdout.find(part, position)
        assert found >= 0, part
        position = found + len(part)
    assert len(shown.splitlines()) < 45
    assert max(map(len, shown.splitlines())) <= 80


def test_there_are_34_models_in_the_example() -> None:
    models = (ROOT / "examples" / "models.txt").read_text(encoding="utf-8").split()
    assert len(set(models)) == len(models) == 34


def test_the_table_of_assumptions_is_that_of_the_code() -> None:
    [row] = re.findall(r"^\| tokens \| (.*) \|$", PAGE, flags=re.M)
    assert [int(cell) for cell in row.split(" | ")] == [*OUTPUT_TOKENS.values(), THINKING_TOKENS]
    assert f"{100 * ASSUMED.discordance:.0f} % of items" in PAGE
    assert f"{100 * ASSUMED.within_item_correlation:.1f} % of this variance" in PAGE
    assert f"ρ = {ASSUMED.correlation:g}" in PAGE


def test_prices_of_the_page_can_be_read(tmp_path: Path) -> None:
    [block] = re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.S)
    (tmp_path / "prices.yaml").write_text(block, encoding="utf-8")
    assert list(read_prices(tmp_path / "prices.yaml")) == list(yaml.safe_load(block))
    assert read_prices(ROOT / "examples" / "prices.yaml")
