"""Resolve a thinking condition on a model: the settings to send, and how far they honour it."""

import re
from dataclasses import dataclass, field, replace

from inspect_ai.model import ContentReasoning, GenerateConfig, GenerateConfigArgs, ModelOutput

from vr_evals.conditions import thinking_condition
from vr_evals.errors import stop
from vr_evals.solvers.thinking_rules import (
    Match,
    Setting,
    Status,
    in_words,
    temperature_setting,
    turn_off,
    turn_on,
)
from vr_evals.solvers.user_config import REASONING_FLAGS
from vr_evals.visible import visible_text

__all__ = [
    "Resolution",
    "Setting",
    "Status",
    "check_budget",
    "describe",
    "overridden_flags",
    "resolve",
    "thought",
    "resolve_from_flags",
]

# chat templates leave this when thinking is off
_EMPTY_THOUGHT = re.compile(r"(?:<think>|^)\s*</think>")


@dataclass(frozen=True)
class Resolution:
    """The settings of a thinking condition on a model.

    Attributes:
        thinking: Whether the condition is thinking on.
        model: The model's name, as the user typed it.
        provider: Inspect's model provider.
        family: The model family whose rule is applied.
        known: Whether the tables know this model on this provider.
        local: Whether the model runs on the user's own machines, or is not real.
        reasoning: Thinking turned on or off.
        budget: Reasoning tokens; None if thinking is off.
        temperature: The temperature.
        max_tokens: The token limit of a reply.
        config: The arguments of ``generate``: settings of reasoning only. Temperature and max
            tokens are in the task's config, so that the user's flags override them.
    """

    thinking: bool
    model: str
    provider: str
    family: str
    known: bool
    local: bool
    reasoning: Setting
    budget: Setting | None
    temperature: Setting
    max_tokens: Setting
    config: GenerateConfigArgs = field(hash=False)

    @property
    def stops_run(self) -> bool:
        """Whether the run should stop, because a known model cannot turn thinking on or off."""
        return self.reasoning.status == "impossible" and self.known and not self.local

    @property
    def settings(self) -> dict[str, Setting | None]:
        """The settings by name; the budget may be None."""
        return {
            "reasoning": self.reasoning,
            "budget": self.budget,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }


def resolve(
    model: str,
    *,
    thinking: bool,
    budget: int = 2000,
    temperature: float | None = None,
    max_tokens: int | None = None,
) -> Resolution:
    """Return the settings of a thinking condition on a model. Unknown models never raise.

    Args:
        model: The model's name as typed by the user, or ``str(get_model())``.
        thinking: Whether the model should think before it answers.
        budget: Reasoning tokens, if thinking is on.
        temperature: The temperature in force; None for the condition's own.
        max_tokens: The token limit of a reply; None for the condition's own.
    """
    match = Match.of(model)
    reasoning, spent, config = turn_on(match, budget) if thinking else turn_off(match)
    condition = thinking_condition(thinking)
    temperature = condition.temperature if temperature is None else temperature
    limit = condition.max_tokens if max_tokens is None else max_tokens
    thinks = thinking != (reasoning.status == "impossible")
    return Resolution(
        thinking=thinking,
        model=model,
        provider=match.provider_name,
        family=match.family.name,
        known=match.known,
        local=match.provider.local,
        reasoning=reasoning,
        budget=spent,
        temperature=temperature_setting(match, temperature, thinks, GenerateConfig(**config)),
        max_tokens=Setting("honoured", f"max_tokens={limit}", "reasoning counts towards it"),
        config=config,
    )


def resolve_from_flags(
    model: str, thinking: bool, given: GenerateConfig | None = None
) -> Resolution:
    """Return the resolution if the user's own ``--reasoning-*`` flags decide: nothing is sent.

    Args:
        model: The model's name.
        thinking: Whether the condition is thinking on.
        given: The config in force; its temperature and max tokens, if set, replace the condition's.
    """
    given = given or GenerateConfig()
    left = Setting("approximated", "nothing", "reasoning=flags: the user's own flags decide")
    resolution = resolve(
        model, thinking=thinking, temperature=given.temperature, max_tokens=given.max_tokens
    )
    temperature = given.temperature
    if temperature is None:
        temperature = thinking_condition(thinking).temperature
    efforts = (given.reasoning_effort, given.reasoning_tokens)
    thinks = thinking if efforts == (None, None) else efforts != ("none", None)
    return replace(
        resolution,
        reasoning=left,
        budget=left if thinking else None,
        temperature=temperature_setting(Match.of(model), temperature, thinks, given),
        config={},
    )


def describe(resolution: Resolution) -> dict[str, str | bool]:
    """Return a resolution as flat sample metadata.

    ``thinking_status`` is the status of reasoning: whether thinking is on or off as in the
    condition.
    """
    budget = resolution.budget
    notes = [
        f"{name}: {setting.note}"
        for name, setting in resolution.settings.items()
        if setting and setting.note and (name == "reasoning" or setting.status != "honoured")
    ]
    return {
        "thinking_asked": resolution.thinking,
        "thinking_family": resolution.family,
        "thinking_known": resolution.known,
        "thinking_status": resolution.reasoning.status,
        "reasoning_sent": resolution.reasoning.sent,
        "budget_status": budget.status if budget else "not asked",
        "temperature_status": resolution.temperature.status,
        "max_tokens_status": resolution.max_tokens.status,
        "thinking_note": "; ".join(notes),
    }


def check_budget(budget: int, max_tokens: int | None) -> None:
    """Check that a reasoning budget leaves room for an answer.

    Args:
        budget: Reasoning tokens.
        max_tokens: Token limit of a reply, reasoning included; None for no limit.

    Raises:
        InputError: The budget is not below the limit.
    """
    if max_tokens is not None and budget >= max_tokens:
        stop(
            f"invalid -T thinking_budget '{budget}': expected less than max_tokens={max_tokens}, "
            "which includes reasoning; lower -T thinking_budget or raise --max-tokens"
        )


def overridden_flags(config: GenerateConfig, resolution: Resolution) -> list[str]:
    """Return warnings on the user's reasoning flags that differ from the condition's settings.

    Args:
        config: The config in force without the condition's own settings.
        resolution: The condition's settings.
    """
    sent = GenerateConfig(**resolution.config)
    return [
        f"--{flag.replace('_', '-')} {given} ignored: "
        f"the thinking condition sets {in_words(resolution.config)}"
        for flag in REASONING_FLAGS
        if (given := getattr(config, flag)) is not None and given != getattr(sent, flag)
    ]


def thought(output: ModelOutput) -> bool:
    """Return whether a model thought before this output, by its tokens, content or text."""
    if output.usage and output.usage.reasoning_tokens:
        return True
    # some servers leave reasoning in the text
    text = _EMPTY_THOUGHT.sub("", output.completion)
    return visible_text(text) != text or any(
        isinstance(part, ContentReasoning) and bool(part.reasoning or part.summary or part.redacted)
        for choice in output.choices
        if not isinstance(choice.message.content, str)
        for part in choice.message.content
    )
