"""The kinds of the options of a fable: the right moral, and four ways to go wrong.

Marcuzzo et al. 2025, https://arxiv.org/abs/2509.12371. Each item has one option of each kind.
"""

__all__ = ["ERROR_KINDS", "GROUND_TRUTH", "INCOMPLETE", "OPTION_KINDS", "SURFACE"]

GROUND_TRUTH = "ground_truth"
"""The kind of the right option."""

SURFACE = ("similar_characters", "based_on_adjectives", "injected_adjectives")
"""Wrong options that share characters, or their traits, with the fable, but not its meaning."""

INCOMPLETE = ("partial_story",)
"""Wrong options that suit only a part of the fable."""

ERROR_KINDS = (*SURFACE, *INCOMPLETE)
"""The kinds of wrong options."""

OPTION_KINDS = (GROUND_TRUTH, *ERROR_KINDS)
"""All kinds."""
