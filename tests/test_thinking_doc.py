"""The tables of docs/thinking.md are those of the code.

``python -m tests.test_thinking_doc`` writes them anew, after a change of the code's.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from tests.model_names import EXAMPLES
from vr_evals.cli import main
from vr_evals.conditions import THINKING_OFF, THINKING_ON
from vr_evals.solvers.thinking import Setting, describe, resolve
from vr_evals.solvers.thinking_rules import in_words
from vr_evals.solvers.thinking_table import FAMILIES, PROVIDERS, UNKNOWN_PROVIDER, Provider

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "thinking.md"


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def cell(setting: Setting | None) -> str:
    if setting is None:
        return ""
    return f"{setting.status}: {'nothing' if setting.sent == 'nothing' else f'`{setting.sent}`'}"


def families() -> Iterator[str]:
    """A row for each family, by the example of its name."""
    yield row("family", "for example", "off", "on", "budget of 2,000", "temperature 0, off")
    yield row(*["---"] * 6)
    for name in dict.fromkeys(family.name for family in FAMILIES):
        off, on = (resolve(EXAMPLES[name], thinking=thinking) for thinking in (False, True))
        yield row(
            name,
            f"`{EXAMPLES[name]}`",
            cell(off.reasoning),
            cell(on.reasoning),
            on.budget.status if on.budget else "",
            off.temperature.status,
        )


def switch(provider: Provider) -> tuple[str, str]:
    if provider.switch is None:
        return "not supported", "not supported"
    if provider.switch == "family":
        return "the chat template's", "the chat template's"
    words = [in_words(config) for config in (provider.switch.off, provider.switch.on)]
    off, on = ("nothing" if said == "nothing" else f"`{said}`" for said in words)
    return off, on


def which(names: str | None) -> str:
    return "no" if names is None else "some models" if names else "yes"


def providers() -> Iterator[str]:
    """A row for each provider."""
    yield row(
        "provider", "off is sent as", "on is sent as", "budgets", "efforts", "verified", "local"
    )
    yield row(*["---"] * 7)
    for name, provider in {**PROVIDERS, "any other": UNKNOWN_PROVIDER}.items():
        passed = map(which, (provider.budgets, provider.efforts))
        facts = ("yes" if fact else "no" for fact in (provider.known, provider.local))
        shown = f"`{name}`" if name in PROVIDERS else name
        yield row(shown, *switch(provider), *passed, *facts)


TABLES = {"families": families, "providers": providers}


def with_table(text: str, name: str, table: str) -> str:
    """A text whose table of this name is replaced."""
    before, start, rest = text.partition(f"<!-- {name} -->\n\n")
    _, end, after = rest.partition(f"\n\n<!-- end of {name} -->")
    assert start, name
    assert end, name
    return before + start + table + end + after


def written() -> str:
    """The document with its tables as the code has them."""
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, rows in TABLES.items():
        text = with_table(text, name, "\n".join(rows()))
    return text


def test_the_tables_are_those_of_the_code() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == written()


def test_every_fact_of_a_log_is_explained() -> None:
    section = DOCUMENT.read_text(encoding="utf-8").split("## In the log")[1].split("\n## ")[0]
    explained = re.findall(r"^\| `(\w+)` \|", section, flags=re.M)
    facts = [*describe(resolve("openai/gpt-5.1", thinking=True)), "calls", "calls_that_thought"]
    facts.append("served_model")
    assert explained == facts


def test_the_conditions_are_those_of_the_code() -> None:
    table = DOCUMENT.read_text(encoding="utf-8").split("## ")[1]
    for condition, name in ((THINKING_OFF, "off"), (THINKING_ON, "on")):
        temperature = "none" if condition.temperature is None else f"{condition.temperature:g}"
        assert re.search(rf"\| {name} \|.*\| {temperature} \| {condition.max_tokens:,} \|", table)
    assert f"{THINKING_ON.budget:,} tokens" in table


def test_the_commands_run() -> None:
    [block] = re.findall(r"^```sh\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.M | re.S)
    for command in block.splitlines():
        program, *words = shlex.split(command)
        assert program == "vr-evals"
        assert CliRunner().invoke(main, words).exit_code == 0


def test_the_readme_leads_here() -> None:
    assert "(docs/thinking.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


if __name__ == "__main__":
    DOCUMENT.write_text(written(), encoding="utf-8")
