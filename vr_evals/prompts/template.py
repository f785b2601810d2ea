"""Build prompts from a level's words and an item's text."""

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
"""The combined answer instruction; ``{labels}`` are letters in tags."""


@dataclass(frozen=True)
class Prompt:
    """One prompt, split before the clause on how to state the answer.

    Attributes:
        stem: The text before that clause.
        own: The clause in the level's own words; ``stem + own`` is a fenced block of
            ``docs/spec/prompts.md``, byte for byte.
        asked: The rest of the clause if an instruction block replaces it.
    """

    stem: str
    own: str
    asked: str = ""


@dataclass(frozen=True)
class LevelPrompts:
    """All prompts of one benchmark.

    Attributes:
        first: The prompt of each level; for level 5 that of the first pass.
        second: The prompt of level 5's second pass, with ``{previous_response}``.
        answer_only: The benchmark's "Binary-Only Instruction".
        combined: The benchmark's "Combined Answer Instruction".
        own_tags: Whether the levels' own clauses ask for ``<answer>`` tags.
        again: The prompt of level 5's second pass with ``second_pass=reask``, the question again
            (``docs/spec/additions.md``); None: not supported.
    """

    first: Mapping[Level, Prompt]
    second: Prompt
    answer_only: str
    combined: str
    own_tags: bool
    again: Prompt | None = None

    def template(
        self,
        level: Level,
        include_confidence: bool | None,
        second_pass: bool = False,
        reask: bool = False,
    ) -> str:
        """Return the template of a level, with its variables.

        Args:
            level: The level.
            include_confidence: None for the level's own words; otherwise the last paragraph is the
                instruction block with (True) or without (False) a confidence.
            second_pass: Whether to return level 5's second prompt instead of the first.
            reask: Whether that prompt is the question again.

        Raises:
            ValueError: There is no prompt that asks again.
        """
        prompt = self.first[level]
        if second_pass:
            prompt = self._again() if reask else self.second
        if include_confidence is None:
            return prompt.stem + prompt.own
        instruction = self.combined if include_confidence else self.answer_only
        return f"{prompt.stem}{prompt.asked}\n\n{instruction}"

    def _again(self) -> Prompt:
        if self.again is None:
            raise ValueError("no prompt that asks again")
        return self.again

    def asks_for_tags(self, include_confidence: bool | None) -> bool:
        """Return whether the prompts ask for ``<answer>`` tags."""
        return self.own_tags or include_confidence is not None


def fill(template: str, variables: Mapping[str, str]) -> str:
    """Fill the variables of a template, in one pass.

    Filled-in text is not interpreted, so an item or a reply may contain braces, ``{scenario}`` or
    ``%s``. Names in braces that are not variables are unchanged.

    Args:
        template: Text with ``{name}`` for each variable.
        variables: The text of each variable, by name.
    """
    names = "|".join(map(re.escape, variables))
    return re.sub(rf"\{{({names})\}}", lambda match: variables[match[1]], template)


def answer_tags(labels: Sequence[str]) -> str:
    """Return labels in tags, joined with commas and ``or`` as in ``docs/spec/prompts.md``."""
    tags = [f"<answer>{label}</answer>" for label in labels]
    return (
        f"{tags[0]} or {tags[1]}" if len(tags) == 2 else ", ".join(tags[:-1]) + f", or {tags[-1]}"
    )
