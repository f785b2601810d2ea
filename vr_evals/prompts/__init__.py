"""The words that reach the model, keyed by level, and the rule that joins them."""

from vr_evals.prompts.template import LevelPrompts, Prompt, answer_tags, fill

__all__ = ["LevelPrompts", "Prompt", "answer_tags", "fill"]
