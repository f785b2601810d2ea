"""The prompts, by level, and the templates that join their parts."""

from vr_evals.prompts.template import LevelPrompts, Prompt, answer_tags, fill

__all__ = ["LevelPrompts", "Prompt", "answer_tags", "fill"]
