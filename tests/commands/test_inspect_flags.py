"""Flags are those of ``inspect eval-set``: same names, same meaning."""

import re
from typing import Any

import click
import pytest
from click.testing import CliRunner
from inspect_ai._cli.main import inspect as inspect_command  # its options have no public name

from vr_evals.commands.inspect_flags import inspect_flags

CASES: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    (
        "--max-connections 20 --temperature 0.5 --retry-attempts 3 --max-samples 50",
        {"max_connections": 20, "temperature": 0.5, "retry_attempts": 3, "max_samples": 50},
    ),
    ("--temperature=0", {"temperature": 0.0}),
    ("--frequency-penalty -1", {"frequency_penalty": -1.0}),
    ("--fail-on-error 0.1", {"fail_on_error": 0.1}),
    ("--fail-on-error --display plain", {"fail_on_error": True, "display": "plain"}),
    ("--no-fail-on-error", {"fail_on_error": False}),
    ("--no-score --no-log-samples", {"score": False, "log_samples": False}),
    ("--no-retry-cleanup --retry-immediate", {"retry_cleanup": False, "retry_immediate": True}),
    ("--log-images", {"log_images": True}),
    ("--log-dir-allow-dirty --id s1", {"log_dir_allow_dirty": True, "eval_set_id": "s1"}),
    ("--tags a,b", {"tags": ["a", "b"]}),
    ("--sample-id ethics-1,mine*", {"sample_id": ["ethics-1", "mine*"]}),
    ("--metadata a=1 --metadata b=x=y", {"metadata": {"a": "1", "b": "x=y"}}),
    ('--extra-body {"a":{"b":1}}', {"extra_body": {"a": {"b": 1}}}),
    ('--logit-bias {"42":10}', {"logit_bias": {42: 10.0}}),
    (
        "--incomplete-action error --log-format json",
        {"incomplete_action": "error", "log_format": "json"},
    ),
    ("--token-limit 500k", {"token_limit": "500k"}),
    ("--reasoning-effort low", {"reasoning_effort": "low"}),
    ("--adaptive-connections false", {"adaptive_connections": False}),
    ("--max-tokens 10 --max-tokens 20", {"max_tokens": 20}),
]


@pytest.mark.parametrize(("words", "options"), CASES)
def test_flags_are_arguments_of_eval_set(words: str, options: dict[str, Any]) -> None:
    found = inspect_flags(words.split())
    assert found == options
    assert {name: type(value) for name, value in found.items()} == {
        name: type(value) for name, value in options.items()
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("ethics", "Got unexpected extra argument (ethics)"),
        ("--max-conections 3", "No such option '--max-conections'"),
        ("--task-args x=1", "No such option '--task-args'"),
        ("--no-temperature", "No such option '--no-temperature'"),
        ("--max-connections", "Option '--max-connections' requires an argument"),
        ("--max-connections --no-score", "Option '--max-connections' requires an argument"),
        ("--no-score=3", "Option '--no-score' does not take a value"),
        ("--max-connections 2.5", "invalid value '2.5': expected an integer"),
        ("--temperature hot", "invalid value 'hot': expected a number"),
        ("--temperature nan", "invalid value 'nan': expected a number"),
        ("--top-p inf", "invalid value 'inf': expected a number"),
        (
            "--display loud",
            "invalid value 'loud': expected full, conversation, rich, plain, log, none",
        ),
        ("--incomplete-action drop", "invalid value 'drop': expected retry, error"),
        ("--extra-body {", "invalid value '{': expected"),
        ('--logit-bias {"a":"b"}', "expected"),
    ],
)
def test_what_is_no_flag_is_one_line(words: str, message: str) -> None:
    with pytest.raises(click.UsageError) as caught:
        inspect_flags(words.split())
    assert message in caught.value.format_message()


OWN = {
    "--model", "-M", "-T", "--limit", "--epochs", "--log-dir", "--help", "--no-epochs-reducer",
    "--epochs-reducer",
}  # fmt: skip
"""What a grid gives by itself, and the reducers, which go with epochs."""

NOT_HANDED_ON = {
    "--json", "--detach", "--no-detach", "--model-config", "--model-spec", "--model-role",
    "--run-config", "--task-config", "-S", "--solver-config", "--generate-config",
    "--response-schema", "--modalities", "--traceback-locals", "--env", "--debug", "--debug-port",
}  # fmt: skip


def test_every_other_flag_of_inspect_eval_set_is_handed_on() -> None:
    done = CliRunner().invoke(inspect_command, ["eval-set", "--help"], terminal_width=300)
    assert done.exit_code == 0, done.output
    rows = re.findall(r"^  (-[A-Za-z-]+(?:, --[a-z-]+)*(?: / --[a-z-]+)?)", done.stdout, flags=re.M)
    flags = {flag for row in rows for flag in re.findall(r"--?[A-Za-z-]+", row)} - {"-F"}
    flags -= {flag for flag in flags if flag.startswith("--scan")} | OWN
    assert len(flags) > 80
    unknown = set()
    for flag in flags:
        try:
            inspect_flags([flag])
        except click.NoSuchOption:
            unknown.add(flag)
        except click.BadOptionUsage:
            pass  # it is known, and wants a value
    assert unknown == NOT_HANDED_ON
