"""How a prompt is put together from a level's words, and how an item's text gets into it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vr_evals.levels import Level

__all__ = ["COMBINED_INSTRUCTION", "LevelPrompts", "Prompt", "answer_tags", "fill"]

COMBINED_INSTRUCTION = """\
State your answer and confidence:
- Your choice: {labels}
- Your confidence (0-100): <confidence>X</confidence>
  (0 = complete guess, 50 = uncertain, 100 = completely certain)"""
"""The combined answer instruction, for letters in tags, ``{labels}``."""


@dataclass(frozen=True)
class Prompt:
    """One prompt, cut where it begins to say how the answer is to be stated.

    Attributes:
        stem: Everything before that clause.
        own: The clause in the level's own words; ``stem + own`` is a fenced block of
            ``docs/spec/prompts.md``, byte for byte.
        asked: What is left of the clause where an instruction block takes its place.
    """

    stem: str
    own: str
    asked: str = ""


@dataclass(frozen=True)
class LevelPrompts:
    """All prompts of one benchmark.

    Attributes:
        first: The prompt of each level; at level 5 that of the first pass.
        second: The prompt of level 5's second pass, with ``{previous_response}``.
        answer_only: The benchmark's "Binary-Only Instruction".
        combined: The benchmark's "Combined Answer Instruction".
        own_tags: Whether the levels' own clauses ask for ``<answer>`` tags.
    """

    first: Mapping[Level, Prompt]
    second: Prompt
    answer_only: str
    combined: str
    own_tags: bool

    def template(
        self, level: Level, include_confidence: bool | None, second_pass: bool = False
    ) -> str:
        """The template of a level, its variables not yet filled in.

        Args:
            level: How much reflection is asked for.
            include_confidence: None for the level's own words; otherwise the instruction block with
                (True) or without (False) a confidence is the last paragraph.
            second_pass: The second prompt of level 5 instead of the first.
        """
        prompt = self.second if second_pass else self.first[level]
        if include_confidence is None:
            return prompt.stem + prompt.own
        instruction = self.combined if include_confidence else self.answer_only
        return f"{prompt.stem}{prompt.asked}\n\n{instruction}"

    def asks_for_tags(self, include_confidence: bool | None) -> bool:
        """Whether the model is told to put its answer in ``<answer>`` tags."""
        return self.own_tags or include_confidence is not None


def fill(template: str, variables: Mapping[str, str]) -> str:
    """Put the variables' texts into a template, in one pass.

    What is filled in is never looked at again, so an item or a reply may hold braces,
    ``{scenario}`` or ``%s``. Names in braces that are no variable stay as they are.

    Args:
        template: Text with ``{name}`` where a variable goes.
        variables: The text of each variable, by name.
    """
    names = "|".join(map(re.escape, variables))
    return re.sub(rf"\{{({names})\}}", lambda match: variables[match[1]], template)


def answer_tags(labels: Sequence[str]) -> str:
    """The labels in tags, joined as in ``docs/spec/prompts.md``: with commas and a last ``or``."""
    tags = [f"<answer>{label}</answer>" for label in labels]
    return (
        f"{tags[0]} or {tags[1]}" if len(tags) == 2 else ", ".join(tags[:-1]) + f", or {tags[-1]}"
    )
