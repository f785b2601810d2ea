"""The options of a Ray cluster as values, and what a run on one prints in the end."""

from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from vr_evals.commands.ray_flags import ray_flags, run_on_cluster


def parsed(*words: str, **environment: str) -> Any:
    """The options that words are, or the error."""
    found: list[Any] = []

    @click.command()
    @ray_flags
    def command(ray_options: Any) -> None:
        found.append(ray_options)

    done = CliRunner().invoke(command, ["--ray", "auto", *words], env=environment)
    return found[0] if found else done.output


def test_options_are_json_or_text() -> None:
    options = parsed(
        "--resource", "open-ai=0.5", "--ray-option", "num_cpus=2", "--ray-option", "name=two words",
        "--ray-env", "MY_KEY", MY_KEY="secret",
    )  # fmt: skip
    assert options.resources == {"open-ai": 0.5}
    assert options.task_options == {"num_cpus": 2, "name": "two words"}
    assert options.environment == {"MY_KEY": "secret"}


def test_an_amount_that_is_no_number_is_refused() -> None:
    assert "invalid amount 'many' of openai: expected a number" in parsed(
        "--resource", "openai=many"
    )


def header(failed: int) -> Any:
    return SimpleNamespace(
        status="success",
        eval=SimpleNamespace(task="ethics_level0", model="m/one"),
        results=SimpleNamespace(total_samples=4, completed_samples=4 - failed),
    )


@pytest.mark.parametrize(
    ("headers", "failures", "unfinished", "code", "lines"),
    [
        ([header(0), header(0)], [], 0, 0, []),
        ([header(0), header(1)], [], 0, 0, ["ethics_level0 on m/one: 1 of 4 samples failed"]),
        ([header(0)], ["ethics_level1 on m/one: no key"], 0, 1, ["ethics_level1 on m/one: no key"]),
        (
            [header(0)],
            [],
            1,
            1,
            ["stopped: 1 of 2 logs are unfinished; repeat the command to resume"],
        ),
    ],
    ids=["all", "a failed sample", "a failed cell", "stopped"],
)
def test_what_became_of_a_grid_is_said(
    headers: list[Any],
    failures: list[str],
    unfinished: int,
    code: int,
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = SimpleNamespace(headers=headers, failures=failures, unfinished=unfinished)
    monkeypatch.setattr("vr_evals.running.ray_engine.run_on_ray", lambda *given: result)
    prepared: Any = SimpleNamespace(plan=SimpleNamespace(logs=2))
    options: Any = None
    assert run_on_cluster(prepared, options) == code
    assert capsys.readouterr().err.splitlines() == lines


def test_an_error_of_the_folder_stops_a_run_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object) -> None:
        raise OSError(28, "No space\nleft")

    monkeypatch.setattr("vr_evals.running.ray_engine.run_on_ray", refuse)
    nothing: Any = None
    with pytest.raises(click.ClickException, match="^run stopped: .*No space left") as error:
        run_on_cluster(nothing, nothing)
    assert "\n" not in error.value.message
