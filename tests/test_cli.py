"""The ``vr-evals`` command, as a user types it."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.commands.running import printed, typed
from tests.model_names import EXAMPLES
from vr_evals.solvers.thinking import resolve

# colour and boxes are the command's own; nothing else below a blank but line ends
_OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def shown(*words: str, columns: int = 200) -> str:
    return printed("thinking", *words, COLUMNS=str(columns))


def as_json(*models: str) -> list[dict[str, Any]]:
    return list(json.loads(shown("--json", *models)))


def rows(output: str) -> dict[tuple[str, str], tuple[str, str]]:
    """A table's rows: (thinking, setting) to (status, first line of what is sent)."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    condition = ""
    for line in output.splitlines():
        if line.startswith("│"):
            thinking, setting, status, sent = (cell.strip() for cell in line.strip("│").split("│"))
            condition = thinking or condition
            if setting:
                found[condition, setting] = (status, sent)
    return found


def test_thinking_shows_what_is_sent() -> None:
    output = shown("openai/gpt-5.1")
    assert rows(output) == {
        ("off", "reasoning"): ("honoured", "reasoning_effort=none"),
        ("off", "temperature"): ("honoured", "temperature=0"),
        ("off", "max tokens"): ("honoured", "max_tokens=1000"),
        ("on", "reasoning"): ("honoured", "reasoning_effort=low"),
        ("on", "budget"): ("approximated", "reasoning_effort=low"),
        ("on", "temperature"): ("honoured", "nothing"),
        ("on", "max tokens"): ("honoured", "max_tokens=4000"),
    }
    assert "GPT-5.1 to 5.4" in output
    assert "instead of 2000 tokens" in output


def test_thinking_says_which_run_would_stop() -> None:
    stops = "not run without -T allow_unhonoured=true"
    assert f"thinking off: {stops}" in shown("anthropic/claude-opus-5-5")
    assert f"thinking on: {stops}" in shown("openai/gpt-4o")
    assert stops not in shown("anthropic/claude-sonnet-4-5")


def test_thinking_says_what_is_not_known() -> None:
    for model in ("openai/gpt-9", "brand-new/model", "openai-api/service/Qwen/Qwen3-8B"):
        assert "not verified" in shown(model)
    assert "not verified" not in shown("openai/gpt-5.1")


def test_thinking_as_json_is_the_resolver() -> None:
    models = list(EXAMPLES.values())
    found = as_json(*models)
    assert [entry["model"] for entry in found] == models
    for entry in found:
        for condition, asked in (("off", False), ("on", True)):
            resolution = resolve(entry["model"], thinking=asked)
            said = entry[condition]
            assert entry["family"] == resolution.family
            assert said["generate_config"] == resolution.config
            assert said["stops_run"] is resolution.stops_run
            for name in ("reasoning", "budget", "temperature", "max_tokens"):
                setting = getattr(resolution, name)
                assert (said[name] or {}).get("status") == (setting and setting.status)
                assert (said[name] or {}).get("note") == (setting and setting.note)


def test_thinking_shows_the_same_in_both_forms() -> None:
    for model in EXAMPLES.values():
        [entry] = as_json(model)
        for (condition, setting), (status, sent) in rows(shown(model, columns=300)).items():
            said = entry[condition][setting.replace(" ", "_")]
            assert (said["status"], said["sent"]) == (status, sent)


HOSTILE = [
    "openai/[bold red]gpt[/bold red]",
    "openai/[/]",
    "openai/[link=https://example.com]x[/link]",
    "openai/\x1b[31mred\x1b]0;title\x07",
    "evil\x1b[2J/model\x9b2J",
    "openai/gpt\u202eesrever\u200b",
    "openai/two\nlines\r\ttab",
    "{scenario}/%s",
    "\udcff/\ud800",
    "",
    "/",
    "模型/🙂",
]


@pytest.mark.parametrize("model", HOSTILE)
def test_thinking_shows_a_hostile_name_as_text(model: str) -> None:
    output = shown(model, columns=1000)
    assert not _OBEYED.search(output)
    visible = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in model)
    assert visible in output
    [entry] = as_json(model)
    assert entry["model"] == model
    assert not _OBEYED.search(shown("--json", model))


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=40))
def test_thinking_never_fails_on_a_name(model: str) -> None:
    assert not _OBEYED.search(shown("--", model))


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_thinking_loses_nothing_on_a_narrow_terminal(columns: int) -> None:
    output = shown("vllm/Qwen/Qwen3-8B", columns=columns)
    assert "…" not in output
    assert max(map(len, output.splitlines())) <= columns


def test_thinking_wants_a_name() -> None:
    result = typed("thinking")
    assert result.exit_code == 2
    assert "Missing argument 'MODEL...'" in result.output


def test_thinking_calls_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    shown("anthropic/claude-opus-5-5", "openai/gpt-5.1", "mockllm/model")


def test_help_lists_the_command() -> None:
    result = typed("--help")
    assert "thinking" in result.output
