"""The MORABLES prompts of all levels. Levels 0 and 1 are the same, by design of the study.

Source: "MORABLES Benchmark Prompts" in ``docs/spec/prompts.md``; `again` is ours, from
``docs/spec/additions.md``.
"""

from vr_evals.levels import Level
from vr_evals.prompts.template import COMBINED_INSTRUCTION, LevelPrompts, Prompt, fill

__all__ = ["PROBLEM", "PROMPTS"]

_STORY = """\
Read this fable:

{fable}

What is the moral of this story?

A) {option_a}
B) {option_b}
C) {option_c}
D) {option_d}
E) {option_e}"""
_LABELS = (
    "<answer>A</answer>, <answer>B</answer>, <answer>C</answer>, <answer>D</answer>, "
    "or <answer>E</answer>"
)
_STATE_ANSWER = f"State your answer in tags: {_LABELS}"


def _prompt(stem: str) -> Prompt:
    """Return a prompt; all MORABLES prompts end in the same paragraph."""
    return Prompt(stem=stem, own=f"\n\n{_STATE_ANSWER}")


PROMPTS = LevelPrompts(
    first={
        Level.DIRECT: _prompt(_STORY),
        Level.MINIMAL: _prompt(_STORY),
        Level.CHAIN_OF_THOUGHT: _prompt(
            f"{_STORY}\n\nThink step by step about what lesson the story teaches, "
            "then state your final answer."
        ),
        Level.STRUCTURED: _prompt(f"""\
{_STORY}

Before answering:
1. Identify the key characters and their actions
2. Consider what consequence or lesson emerges from the narrative
3. Evaluate which moral best captures the story's message

Then state your final answer."""),
        Level.ADVERSARIAL: _prompt(f"""\
{_STORY}

Before deciding:
1. What is your initial intuition about the moral?
2. Which other options might also seem plausible? Why?
3. What distinguishes the true moral from surface-level interpretations?
4. Does reconsidering change your answer?

Provide your final answer."""),
        Level.TWO_PASS: _prompt(
            f"{_STORY}\n\nExplain your reasoning, then state your final answer."
        ),
    },
    second=_prompt("""\
You previously analyzed the fable and answered:

{previous_response}

Now reflect on your reasoning:
1. Did you consider the FULL narrative arc, not just the beginning?
2. Could any distractor be a surface-level interpretation?
3. Does the moral truly capture what the story teaches?

State your final answer."""),
    again=_prompt(f"Here is the question once more.\n\n{_STORY}\n\nState your final answer."),
    answer_only=_STATE_ANSWER,
    combined=fill(COMBINED_INSTRUCTION, {"labels": _LABELS}),
    own_tags=True,
)

PROBLEM = """\
Read this fable:

{fable}

What is the moral of this story?

{options}"""
"""The item as a multiple-choice question, after a base instruction."""
