"""What a dry run says of models, without a key and without a network."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import ran, run
from vr_evals.commands.model_checks import check_models
from vr_evals.errors import InputError

GRID = ("--benchmark", "ethics", "--levels", "0", "--dataset", "sample", "--dry-run")


@pytest.fixture(autouse=True)
def _without_a_key_or_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    for name in (
        *("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY", "ANTHROPIC_API_KEY", "TOGETHER_API_KEY"),
        *("CLOUDFLARE_ACCOUNT_ID", "CLOUD_ML_REGION", "FOO_API_KEY", "FOO_BASE_URL"),
    ):
        monkeypatch.delenv(name, raising=False)


def unchecked(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("not checked: ")]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("nobody/x", "nobody/x: Model API nobody of model 'nobody/x' not recognized."),
        ("gpt-5.1", "gpt-5.1: Model name 'gpt-5.1' should be in the format of <api_name>/"),
        ("vr_sim/nobody", "invalid model 'vr_sim/nobody': expected one of"),
        ("vr_sim/careful,nobody/x", "nobody/x: Model API nobody"),
        ("openai/o3", "thinking off is not supported by openai/o3"),
    ],
)
def test_what_cannot_be_run_is_found_out(model: str, message: str, tmp_path: Path) -> None:
    result = run(*GRID, "--model", model, "--log-dir", str(tmp_path))
    assert result.exit_code == 2, (result.output, result.exception)
    assert f"Error: {message}" in result.output


def test_a_missing_package_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "groq", None)
    result = run(*GRID, "--model", "groq/llama-3.3-70b-versatile", "--log-dir", str(tmp_path))
    assert result.exit_code == 2, (result.output, result.exception)
    assert (
        "Error: groq/llama-3.3-70b-versatile: Groq API requires optional dependencies. "
        "Install with: pip install groq\n"
    ) in result.output


def test_what_could_not_be_checked_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = ("openai/gpt-5.1", "hf/some/model", "vr_sim/careful")
    words = (*GRID, "--model", ",".join(models), "--log-dir", str(tmp_path))
    key, loaded = unchecked(ran(*words))
    assert key.startswith("not checked: openai/gpt-5.1 (not created: ")
    assert "OPENAI_API_KEY" in key
    assert "[" not in key, "no markup"
    assert loaded.startswith("not checked: hf/some/model (creating it would load it ")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    answers, _ = unchecked(ran(*words))
    assert answers.startswith("not checked: whether openai/gpt-5.1 answers ")


@pytest.mark.parametrize(
    ("model", "missing"),
    [
        ("anthropic/claude-haiku-4-5", "ANTHROPIC_API_KEY"),
        ("together/x", "TOGETHER_API_KEY"),
        ("openai-api/foo/x", "FOO_API_KEY"),
        ("cloudflare/x", "CLOUDFLARE_ACCOUNT_ID"),
        ("anthropic/vertex/x", "CLOUD_ML_REGION"),  # a ValueError of the client's
    ],
)
def test_a_variable_that_env_files_may_set_stops_nothing(model: str, missing: str) -> None:
    [line] = check_models([model], {})
    assert line.startswith(f"{model} (not created: ")
    assert missing in line


@pytest.mark.parametrize("value", ["environment", "no api key", "1d"])
def test_the_words_of_an_error_decide_nothing(value: str) -> None:
    with pytest.raises(InputError, match=f"anthropic/claude-haiku-4-5: .*{value}"):
        list(check_models(["anthropic/claude-haiku-4-5"], {"cache_ttl": value}))


def test_arguments_of_a_model_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    words = ("--model", "openai/gpt-5.1", "-M", "nonsense=1", "--log-dir", str(tmp_path))
    result = run(*GRID, *words)
    assert result.exit_code == 2, (result.output, result.exception)
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert line.startswith("Error: openai/gpt-5.1: ")
    assert "nonsense" in line


@pytest.mark.parametrize("provider", ["hf", "vllm", "sglang", "transformer_lens", "nnterp"])
def test_a_model_that_would_be_loaded_is_not_made(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vr_evals.commands.model_checks.get_model", None)
    [line] = check_models([f"{provider}/m\x1b"], {})
    assert line.startswith(f"{provider}/m\\x1b (")
