"""The columns of the tidy table: a row for each item × epoch × task × model."""

from __future__ import annotations

from dataclasses import dataclass

from vr_evals.levels import Level

__all__ = ["COLUMNS", "SETTINGS", "SETTING_COLUMNS", "Column"]


@dataclass(frozen=True)
class Column:
    """One column of the tidy table.

    Attributes:
        name: As in the frame.
        dtype: Its pandas type, one that has a missing value.
        meaning: What it holds, with its unit, and when it is missing.
    """

    name: str
    dtype: str
    meaning: str


_LADDER = f"{min(Level):d}–{max(Level):d}"

COLUMNS = (
    Column("model", "string", "The model as Inspect names it, or its alias."),
    Column("task", "string", "The task's name without a package prefix."),
    Column("benchmark", "string", "`ethics`, `moralchoice`, `morables`, `mcqa`, …"),
    Column("level", "Int64", f"Level {_LADDER} whose prompt was used; missing outside the ladder."),
    Column("thinking", "boolean", "Whether the condition asked for thinking."),
    Column("condition", "string", "Authority condition; missing outside that paradigm."),
    Column("item", "string", "The item, the same in every order, level and condition."),
    Column("sample_id", "string", "Inspect's sample id: the item and, for siblings, a suffix."),
    Column("epoch", "Int64", "Repetition of the item, from 1."),
    Column("cluster", "string", "What standard errors are clustered by."),
    Column("option_order", "string", "The order in which this sample's options were shown."),
    Column("n_options", "Int64", "How many labels were offered."),
    Column("ambiguity", "string", "MoralChoice's `low` or `high`; missing elsewhere."),
    Column("label", "string", "The answer label read; missing if unread."),
    Column("choice", "string", "The option behind it in canonical terms; missing if unread."),
    Column("choice_kind", "string", "MORABLES' kind of that option; missing if it has none."),
    Column("target", "string", "The right label; missing where there is none."),
    Column("right_choice", "string", "The right option in canonical terms; missing if none."),
    Column("correct", "boolean", "Right; unread is false; missing where there is no target."),
    Column("answer_format", "string", "How the answer was stated, or why none was read."),
    Column("cut_off", "boolean", "Whether the token limit ended the reply."),
    Column("visible_words", "Int64", "Words of the visible final reply, without tags."),
    Column("answer_only", "boolean", "Nothing but an answer; missing if undetermined."),
    Column("reasoned", "boolean", "It gives reasons; missing if undetermined."),
    Column("named_principles", "boolean", "It names principles, values or characters; likewise."),
    Column("both_sides", "boolean", "It makes a case for another answer; likewise."),
    Column("confidence", "Float64", "Stated confidence, 0–100; missing if unread or not asked."),
    Column("confidence_category", "string", "`very_low` … `very_high`; missing likewise."),
    Column("first_label", "string", "Level 5: first pass's label; 4: initial one; or missing."),
    Column("first_choice", "string", "That option in canonical terms."),
    Column("first_correct", "boolean", "Whether that option was right; missing if unread."),
    Column("first_format", "string", "How that answer was stated, or why none was read."),
    Column("first_confidence", "Float64", "Level 5: the first pass's confidence, 0–100."),
    Column("reflection", "string", "`kept`, `good_flip`, `bad_flip`, `other_flip`."),
    Column("endorsed", "string", "The label that the authority endorsed; missing under control."),
    Column("endorsed_choice", "string", "That option in canonical terms."),
    Column("help_choice", "string", "The option that help endorses (the right one)."),
    Column("harm_choice", "string", "The option that harm endorses."),
    Column("complied", "boolean", "Chose the endorsed option; unread is false; control missing."),
    Column("acknowledged", "string", "How the visible reply mentions the cue, or `none`."),
    Column("acknowledged_in_reasoning", "string", "The same of its reasoning."),
    Column("moved", "boolean", "Endorsed, and no control answer is; missing without 3, all read."),
    Column("stop_reason", "string", "Why the final reply ended, in Inspect's words."),
    Column("input_tokens", "Int64", "Tokens of all the sample's calls, cached ones included."),
    Column("output_tokens", "Int64", "Tokens generated; reasoning included if the provider does."),
    Column("reasoning_tokens", "Int64", "Tokens of reasoning, where the provider says."),
    Column("cost", "Float64", "Dollars of all calls, where Inspect knows the model's prices."),
    Column("seconds", "Float64", "Working time of the sample, without waiting for retries."),
    Column("calls", "Int64", "Model calls of the sample."),
    Column("calls_that_thought", "Int64", "Of those, the ones that thought."),
    Column("thought", "boolean", "Whether every call thought; missing if not counted."),
    Column("thinking_status", "string", "`honoured`, `approximated`, `impossible`, …"),
    Column("temperature_status", "string", "The same of the temperature."),
    Column("budget_status", "string", "The same of the thinking budget."),
    Column("served_model", "string", "The model that answered, as the provider names it."),
    Column("include_confidence", "boolean", "As asked for; missing for the level's own words."),
    Column(
        "second_pass", "string", "Level 5: `conversation`, `standalone` or `reask`; else missing."
    ),
    Column("temperature", "Float64", "The temperature asked for; missing where none was set."),
    Column(
        "variant",
        "string",
        "The run's other settings that no default has, as `seed=1`; `prompts` is a study with "
        "prompts of its own.",
    ),
    Column("settings", "string", "The same as a JSON object, with the order of options asked for."),
    Column("version", "string", "The task's version."),
    Column("dataset", "string", "`hub`, `sample`, or a path or URL."),
    Column("subset", "string", "Which part of the benchmark."),
    Column("sample_data", "boolean", "Whether the items are the shipped sample."),
    Column("simulated", "boolean", "Whether a simulated respondent answered."),
    Column("imported", "boolean", "Whether the log was made of a file (`vr-evals import`)."),
    Column("imported_label", "string", "The label that an imported file has; else missing."),
    Column("imported_confidence", "Float64", "The confidence that it has, 0–100; likewise."),
    Column("complete", "boolean", "Whether the sample is of a finished log."),
    Column("error", "string", "The sample's error; only with `unfinished=True`."),
    Column("uuid", "string", "Inspect's id of the sample run, for links into its viewer."),
    Column("log", "string", "The log that the row is from."),
)

SETTING_COLUMNS = (
    "dataset",
    "subset",
    "version",
    "temperature",
    "include_confidence",
    "second_pass",
)
"""The settings of a run that have a column of their own."""

SETTINGS = (*SETTING_COLUMNS, "variant", "settings")
"""What must be the same where rows are averaged or compared: else they are split, by name."""
