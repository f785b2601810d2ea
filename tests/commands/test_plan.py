"""``vr-evals plan``: what a grid would take is what it takes, and bad input is one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import SMALL, finished, logs, printed, ran, run, typed
from vr_evals.analysis import read_logs

PRICE = "vr_sim/careful: {input: 1, output: 5, input_cache_read: 0.1}\n"


def planned(*words: str) -> dict[str, Any]:
    """The frames of a plan, as JSON on standard output alone."""
    result = typed("plan", *words, "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--price nowhere.yaml", "prices 'nowhere.yaml': No such file"),
        ("--price bad.yaml", "invalid prices 'bad.yaml': not YAML or JSON"),
        ("--price list.yaml", "invalid prices 'list.yaml': expected models with prices"),
        ("--price short.yaml", "invalid prices 'short.yaml', m/x: missing 'output'"),
        (
            "--price negative.yaml",
            "invalid prices 'negative.yaml', m/x: input '-1': expected dollars",
        ),
        ("--price word.yaml", "invalid prices 'word.yaml', m/x: input 'cheap': expected dollars"),
        (
            "--price unknown.yaml",
            "invalid prices 'unknown.yaml', m/x: unknown 'inptu' (valid: input",
        ),
        ("--price batch.yaml", "invalid prices 'batch.yaml', m/x: batch '2': expected a share"),
        ("--price huge.yaml", "invalid prices 'huge.yaml', m/x: output '1000"),
        ("--price date.yaml", "invalid prices 'date.yaml': not YAML or JSON"),
        ("--price bytes.yaml", "invalid prices 'bytes.yaml': not YAML or JSON"),
        ("--price empty", "prices 'empty': Is a directory"),
        ("--price nan.yaml", "invalid prices 'nan.yaml', m/x: input 'nan': expected dollars"),
        ("--model-cost-config short.yaml", "invalid prices 'short.yaml', m/x: missing 'output'"),
        ("--from empty", "no logs"),
        ("--from nowhere", "no such file or folder 'nowhere'"),
        ("--detect 0", "0.0 is not in the range 0<x<100"),
        ("--detect 101", "101.0 is not in the range 0<x<100"),
        ("--detect nan", "invalid detect nan: expected points"),
        ("--rate 0", "0.0 is not in the range x>0"),
        ("--rate inf", "invalid rate inf: expected calls per minute"),
        ("--rate nan", "invalid rate nan"),
        ("--levels 6", "invalid levels '6': use 0 to 5"),
        ("--benchmark ethic", "invalid benchmark 'ethic': must be one of"),
        ("--model openai/gpt-4o --thinking on", "thinking on is not supported by openai/gpt-4o"),
        ("--model noslash", "invalid model 'noslash': expected provider/model"),
        ("--max-conections 5", "No such option '--max-conections'."),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for name, text in {
        "bad": "m/x: {input: [",
        "list": "[1, 2]",
        "short": "m/x: {input: 1}",
        "negative": "m/x: {input: -1, output: 2}",
        "word": "m/x: {input: cheap, output: 2}",
        "unknown": "m/x: {inptu: 1, output: 2}",
        "batch": "m/x: {input: 1, output: 2, batch: 2}",
        "huge": f"m/x: {{input: 1, output: 1{'0' * 400}}}",
        "date": "m/x: 2026-99-99",
        "bytes": "\x00\x1b",
        "nan": "m/x: {input: .nan, output: 2}",
    }.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    result = typed("plan", *SMALL, *words.split())
    assert result.exit_code == 2, (result.output, result.exception)
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert message in line


def test_calls_and_samples_are_those_of_the_run(tmp_path: Path) -> None:
    words = (
        "--benchmark", "ethics", "--levels", "0,5", "--thinking", "both", "--dataset", "sample",
        "--model", "vr_sim/careful", "--limit", "3", "--epochs", "2",
    )  # fmt: skip
    frames = planned(*words)
    ran(*words, "--log-dir", str(tmp_path))
    table = read_logs(tmp_path)
    found = table.groupby("task").agg(samples=("calls", "size"), calls=("calls", "sum"))
    assert {row["task"]: (row["samples"], row["calls"]) for row in frames["tasks"]} == {
        task: (row["samples"], row["calls"]) for task, row in found.to_dict("index").items()
    }
    assert frames["models"][-1]["calls"] == table["calls"].sum()


def test_a_pilot_replaces_assumptions(tmp_path: Path) -> None:
    words = (
        "--benchmark", "ethics", "--levels", "0,5", "--dataset", "sample",
        "--model", "vr_sim/careful",
    )  # fmt: skip
    ran(*words, "--limit", "8", "--epochs", "2", "--log-dir", str(tmp_path))
    table = read_logs(tmp_path)
    again = planned(*words, "--limit", "8", "--epochs", "2", "--from", str(tmp_path))
    assert {row["tokens_from"] for row in again["tasks"]} == {"measured"}
    assert again["models"][-1]["input_tokens"] == pytest.approx(table["input_tokens"].sum())
    assert again["models"][-1]["output_tokens"] == pytest.approx(table["output_tokens"].sum())
    assert again["models"][-1]["hours"] == pytest.approx(table["seconds"].sum() / 36000)
    [design] = again["design"]
    assert (design["question"], design["source"], design["items"]) == ("levels", "measured", 8)
    other = planned("--benchmark", "morables", "--levels", "0", "--dataset", "sample",
                    "--model", "vr_sim/careful", "--from", str(tmp_path))  # fmt: skip
    assert [row["tokens_from"] for row in other["tasks"]] == ["measured in part"]


def test_an_unknown_price_is_unknown_and_never_0(tmp_path: Path) -> None:
    words = ("--benchmark", "ethics", "--levels", "0", "--dataset", "sample", "--model")
    assert "unknown" in printed("plan", *words, "vr_sim/careful")
    (tmp_path / "p.yaml").write_text(PRICE)
    price = ("--price", str(tmp_path / "p.yaml"))
    both = planned(*words, "vr_sim/careful,vr_sim/overconfident", *price)["models"]
    assert [row["cost"] is None for row in both] == [False, True, True]
    one = planned(*words, "vr_sim/careful", *price)["models"][-1]
    assert one["cost"] == pytest.approx((one["input_tokens"] + 5 * one["output_tokens"]) / 1e6)
    by_flag = planned(*words, "vr_sim/careful", "--model-cost-config", str(tmp_path / "p.yaml"))
    assert by_flag["models"][-1]["cost"] == one["cost"]


def test_batches_cost_what_the_file_or_the_provider_charges(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(
        json.dumps(
            {
                "openai/gpt-4o": {"input": 2, "output": 10},
                "vr_sim/careful": {"input": 2, "output": 10, "batch": 0.25},
                "vr_sim/overconfident": {"input": 2, "output": 10},
            }
        )
    )
    words = (
        "--benchmark", "ethics", "--levels", "0", "--dataset", "sample", "--model",
        "openai/gpt-4o,vr_sim/careful,vr_sim/overconfident", "--price", str(tmp_path / "p.json"),
    )  # fmt: skip
    full, half = planned(*words), planned(*words, "--batch")
    shares = [
        b["cost"] / a["cost"] for a, b in zip(full["models"][:3], half["models"][:3], strict=True)
    ]
    assert shares == pytest.approx([0.5, 0.25, 1.0])
    assert "No batch discount is known for vr_sim/overconfident." in half["notes"]


def test_hours_at_a_rate_are_those_of_the_slowest_model() -> None:
    models = planned(*SMALL, "--model", "vr_sim/overconfident", "--rate", "2")["models"]
    assert [row["hours"] for row in models] == pytest.approx([32 / 120, 32 / 120, 32 / 120])


def test_the_tables_fit_a_terminal_of_80_columns() -> None:
    output = printed(
        "plan", "--benchmark", "all", "--thinking", "both", "--dataset", "sample",
        "--model", f"anthropic/claude-haiku-5-5,openrouter/anthropic/{'very-long' * 9}",
        "--rate", "50", "--detect", "5",
    )  # fmt: skip
    assert [line for line in output.splitlines() if len(line) > 80] == []
    assert "moralchoice_level5_thinking" in output


def test_run_prints_the_short_form(tmp_path: Path) -> None:
    output = ran(*SMALL, "--log-dir", str(tmp_path), "--dry-run")
    assert "about 1.5k tokens in, 320 out; cost unknown (vr-evals plan has more)" in output
    (tmp_path / "p.yaml").write_text(
        "vr_sim/careful: {input: 1, output: 5, input_cache_read: 1, input_cache_write: 1}\n"
    )
    priced = ran(
        *SMALL, "--log-dir", str(tmp_path / "logs"), "--dry-run",
        "--model-cost-config", str(tmp_path / "p.yaml"),
    )  # fmt: skip
    assert "cost $0.00" in priced
    assert not finished(tmp_path)
    assert not logs(tmp_path)
    assert run(*SMALL, "--log-dir", str(tmp_path), "--rate", "5").exit_code == 2


@pytest.mark.slow
def test_authority_has_its_question(tmp_path: Path) -> None:
    words = (
        "--benchmark", "ethics", "--paradigm", "authority", "--dataset", "sample",
        "--model", "vr_sim/yes_man", "--limit", "40", "--epochs", "3",
    )  # fmt: skip
    [row] = planned(*words)["questions"]
    assert (row["question"], row["items"], row["epochs"], row["tests"]) == (
        "excess compliance", 8, 3, 4,
    )  # fmt: skip
    ran(*words, "--log-dir", str(tmp_path))
    frames = planned(*words, "--from", str(tmp_path))
    assert [(d["question"], d["source"]) for d in frames["design"]] == [("authority", "measured")]


@pytest.mark.slow
def test_input_tokens_of_the_local_model_are_within_5_percent(tmp_path: Path) -> None:
    words = (
        "--benchmark", "ethics,moralchoice", "--levels", "0,2", "--dataset", "sample",
        "--limit", "3", "--model", "vr_local/smollm2",
    )  # fmt: skip
    estimate = planned(*words)["models"][-1]["input_tokens"]
    ran(*words, "--max-tokens", "1", "--log-dir", str(tmp_path))
    measured = read_logs(tmp_path)["input_tokens"].sum()
    assert estimate == pytest.approx(measured, rel=0.05)
