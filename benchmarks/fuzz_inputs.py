"""Inputs near to real ones: seeds, and random changes of them."""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from random import Random

from vr_evals.prompts import ethics, morables, moralchoice
from vr_evals.solvers.thinking_table import FAMILIES, PROVIDERS

__all__ = ["DICTIONARIES", "mutated", "seeds"]

_REPLY_WORDS = (
    "<answer>", "</answer>", "<answer>A</answer>", "<answer>wrong</answer>", "< answer >",
    "<final_answer>", "<confidence>", "</confidence>", "<confidence>85</confidence>", "<think>",
    "</think>", "[THINK]", "◁think▷", "<|channel|>analysis", "<|channel|>final<|message|>",
    "assistantfinal", "<|im_end|>", "</s>", "[/INST]", "\\boxed{", "$\\text{", "}", "**", "~~",
    "<del>", "</del>", "<b>", "<br/>", "&lt;", "&gt;", "&amp;", "&#60;", "&#x110000;", "&nbsp;",
    "Final answer: ", "Answer: B", "My choice is ", "I choose ", "Option A", "option ", "wrong",
    "not wrong", "not ", "isn't ", "never ", " or ", " and ", "rather than ", "Confidence: ",
    "90% confident", "85/100", "out of ", "8-9", "0.85", "82,5", "1e3", "ninety-five", "~", "%",
    "１２", "Ｂ", "最终答案：", "答案是", "置信度：", "Antwort: ", "I can't help with that.",
    "As an AI, I cannot ", "the experts say ", "experts", "consensus report", "recommended option",
    "suggested answer A", "according to the source", "\n", "\r\n", "\n\n", "\t", " ", "\u2028",
    "\xa0", "\u200b", "\u202e", "\ufeff", "\x00", "\x1b[2J", "\ud800", "\udfff", "İ", "ß", "ﬁ",
    "𝐁", "Ⓑ", "é", "👩\u200d🚀", "'", '"', "`", "|", "(", ")", "[", "]", "{", "{options}",
    "{previous_response}", "[TARGET_OPTION]", "- ", "> ", "# ", ". ", ", ", ": ", "? ", "…",
)  # fmt: skip
_NAME_WORDS = (
    "/", ":", "-", ".", "@", "_", "4", "5", "3.7", "20250514", "latest", "thinking", "preview",
    "mini", "instruct", "turbo", "gpt", "o3", "claude", "opus", "sonnet", "gemini", "flash", "qwen",
    "deepseek", "r1", "grok", "llama", "\x00", "\ud800", "é", "İ", " ", "\n", "{}", "%s",
)  # fmt: skip
_CELLS = (
    ",", ";", "\t", '"', '""', "\n", "\r\n", "\r", "\ufeff", "id", "scenario", "label", "context",
    "action1", "action2", "ambiguity", "fable", "option_a", "correct_idx", "question", "choices",
    "answer", "cluster", "is_short", "wrong", "low", "A", "0", "1.0", "-1", "1e400", "NaN", "null",
    "true", "Infinity", "[", "]", "{", "}", "{}", "[]", ":", '["x", "y"]', '{"id": ', "\\u0000",
    "\\ud800", "\x00", "\x1a", "\u2028", "\ud800", "NA", " ", "٣", "²",
)  # fmt: skip

DICTIONARIES = {
    "reply": _REPLY_WORDS,
    "name": _NAME_WORDS,
    ".csv": _CELLS,
    ".json": _CELLS,
    ".jsonl": _CELLS,
}
"""By kind of input, the words that its readers know, and characters that have caused trouble."""


def seeds(kind: str, replies: Path | None) -> list[str]:
    """Real inputs of a kind.

    Args:
        kind: As in ``DICTIONARIES``.
        replies: A .jsonl file whose ``completion`` holds a model's reply, or None for our prompts
            alone, which models echo.
    """
    if kind == "reply":
        found = [p.template(5, True, second) for p in _PROMPTS for second in (False, True)]
        if replies:
            lines = replies.read_text(encoding="utf-8").splitlines()
            found += [json.loads(line)["completion"] for line in lines]
        return found
    if kind == "name":
        names = ("gpt-5.1", "o3-mini", "claude-opus-4-8", "gemini-2.5-pro", "Qwen/Qwen3-8B", "r1")
        return [f"{provider}/{name}" for provider in PROVIDERS for name in names] + [
            family.name for family in FAMILIES
        ]
    return [_table(name, kind) for name in ("ethics", "moralchoice", "morables", "mcqa")]


_PROMPTS = (ethics.PROMPTS, moralchoice.PROMPTS, morables.PROMPTS)


def _table(benchmark: str, suffix: str) -> str:
    """The first rows of a benchmark's sample, cut short, as a file of a format."""
    path = files("vr_evals") / "data" / f"{benchmark}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[:3]]
    rows = [{k: v[:40] if isinstance(v, str) else v for k, v in row.items()} for row in rows]
    if suffix == ".jsonl":
        return "\n".join(map(json.dumps, rows))
    if suffix == ".json":
        return json.dumps(rows)
    import pandas as pd

    return pd.DataFrame(rows).to_csv(index=False)


def mutated(rng: Random, corpus: Sequence[str], words: Sequence[str]) -> str:
    """A seed after one to six random changes: words put in, parts cut, doubled, moved or joined."""
    text = rng.choice(corpus)
    for _ in range(rng.randint(1, 6)):
        change = rng.random()
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.randint(0, 12))
        if change < 0.45:
            text = text[:start] + rng.choice(words) + text[start:]
        elif change < 0.6:
            text = text[:start] + rng.choice(words) + text[end:]
        elif change < 0.7:
            text = text[:start] + text[end:]
        elif change < 0.78:
            text = text[:start] + text[start:end] * rng.randint(2, 9) + text[end:]
        elif change < 0.86:
            other = rng.choice(corpus)
            text = text[:start] + other[rng.randint(0, len(other)) :]
        elif change < 0.92:
            text = text[:start] + chr(rng.choice((rng.randrange(128), rng.randrange(0x110000))))
        else:
            text = text[end:] + text[:start]
    return text
