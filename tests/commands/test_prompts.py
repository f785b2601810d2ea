"""``vr-evals prompts`` shows what a model would be sent, to the letter."""

import csv
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.event import ModelEvent
from inspect_ai.log import resolve_sample_attachments

from tests.breadth import some_quick
from tests.commands.running import printed, typed
from tests.models_for_tests import Script
from vr_evals.commands.sent_prompts import FIRST_RESPONSE
from vr_evals.running.catalogue import catalogue

Calls = list[list[tuple[str, str]]]


prompts = partial(typed, "prompts")
shown = partial(printed, "prompts")


def as_json(*words: str) -> dict[str, Calls]:
    """The conversations of each sample, by its id."""
    return {
        sample["sample_id"]: [[(m["role"], m["content"]) for m in call] for call in sample["calls"]]
        for sample in json.loads(shown("--json", *words))
    }


def really_sent(task: str, items: int, **parameters: Any) -> dict[str, Calls]:
    """The same from a run: what each call of a model had in it."""
    script = Script(lambda call: FIRST_RESPONSE)
    [log] = inspect_eval(
        f"vr_evals/{task}",
        model=script.model,
        task_args={"dataset": "sample", "items": items, **parameters},
        epochs=1,
        log_realtime=False,
        score_display=False,
    )
    assert log.status == "success", log.error
    return {
        str(sample.id): [
            [(message.role, message.text) for message in event.input]
            for event in resolve_sample_attachments(sample, "full").events
            if isinstance(event, ModelEvent)
        ]
        for sample in log.samples or []
    }


LEVELS = [name for name in catalogue() if "_level" in name and not name.endswith("_thinking")]
CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in LEVELS),
    ("ethics_level5_thinking", {"second_pass": "standalone"}),
    ("moralchoice_level5", {"second_pass": "standalone", "include_confidence": True}),
    ("moralchoice_level1", {"option_order": "both"}),
    ("morables_level3", {"include_confidence": True, "option_order": "reversed", "seed": 7}),
    ("ethics_level4", {"include_confidence": False}),
    *((name, {}) for name in catalogue() if name.endswith("_authority")),
    ("mcqa_authority_high_harm", {"include_confidence": True}),
    ("ethics_authority", {"level": 5}),
    ("moralchoice_authority_low_help", {"level": 2, "thinking": True}),
]


@pytest.mark.parametrize(
    ("task", "parameters"),
    some_quick(
        CASES, lambda case: case[1] or case[0] in {"morables_level5", "moralchoice_authority"}
    ),
)
def test_what_is_shown_is_what_is_sent(task: str, parameters: dict[str, Any]) -> None:
    words = [f"-T{name}={json.dumps(value).strip(chr(34))}" for name, value in parameters.items()]
    found = as_json(task, "-T", "dataset=sample", "--limit", "2", *words)
    assert found
    assert found == really_sent(task, items=2, **parameters)


def test_level_5_has_a_visible_place_for_the_first_response() -> None:
    [calls] = as_json("vr_evals/ethics_level5", "-T", "dataset=sample").values()
    assert [[role for role, _ in call] for call in calls] == [
        ["user"],
        ["user", "assistant", "user"],
    ]
    assert FIRST_RESPONSE in calls[1][2][1]
    output = shown("ethics_level5", "-T", "dataset=sample")
    assert "call 1 of 2" in output
    assert "call 2 of 2" in output
    assert f"    {FIRST_RESPONSE}\n" in output


def test_one_item_by_its_id() -> None:
    words = ("moralchoice_level0", "-T", "dataset=sample", "-T", "option_order=both")
    every = as_json(*words, "--limit", "1000")
    some = list(every)[6]
    item = some.partition("@")[0]
    both = as_json(*words, "--item", item)
    assert list(both) == [f"{item}@ab", f"{item}@ba"]
    assert as_json(*words, "--item", some) == {some: every[some]}
    assert list(as_json(*words)) == list(every)[:2], "the first item, in both orders"


def write(path: Path, **row: str) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)
    return str(path)


HOSTILE = (
    "\x1b[31mred\x1b]0;title\x07 [bold red]markup[/bold red] [/] {scenario} %s $x "
    "</answer>\u202eesrever\u200b\x9b2J\r\nsecond line\tconversation, call 2 of 2\nuser:"
)


def test_hostile_text_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    file = write(tmp_path / "items.csv", id="a\x1b[2J", scenario=HOSTILE, label="wrong")
    words = ("ethics_level0", "-T", f"dataset={file}", "-T", "subset=all")
    output = shown(*words)
    assert not set(output) & set("\x1b\x07\x9b\r\t\u202e\u200b")
    assert "[bold red]markup[/bold red] [/] {scenario} %s $x" in output
    assert "\\x1b[31mred\\x1b]0;title\\x07" in output
    headings = [line for line in output.splitlines() if line and not line.startswith(" ")]
    assert headings == ["a\\x1b[2J", "user:"], "items cannot pass for headings"
    [[[(_, prompt)]]] = as_json(*words).values()
    assert HOSTILE in prompt


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ethics_levl5"], "unknown task 'ethics_levl5'; did you mean ethics_level5"),
        (["x"], "unknown task 'x'; see `vr-evals tasks`"),
        (["ethics_level0", "-T", "datset=sample"], "-T datset: not a parameter of ethics_level0"),
        (["ethics_level0", "-T", "items=0"], "invalid -T items '0': expected an integer"),
        (["ethics_level0", "-T", "subset"], "invalid value 'subset': expected name=value"),
        (
            ["ethics_level0", "-T", "dataset=sample", "--item", "x"],
            "invalid item 'x': not among the 32 ",
        ),
        (["ethics_level0", "-T", "dataset=sample", "--limit", "0"], "0 is not in the range"),
        ([], "Missing argument 'TASK'"),
    ],
)
def test_what_cannot_be_shown_is_one_line(words: list[str], message: str) -> None:
    result = prompts(*words)
    assert result.exit_code == 2
    assert message in result.output
    assert len([line for line in result.output.splitlines() if line.startswith("Error: ")]) == 1
