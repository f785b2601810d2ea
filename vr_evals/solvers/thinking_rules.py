"""The rules that put a condition, a model family and a provider together."""

import json
import re
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Literal

from inspect_ai.model import GenerateConfig, GenerateConfigArgs

from vr_evals.solvers.thinking_table import (
    FAMILIES,
    PROVIDERS,
    UNKNOWN_PROVIDER,
    Family,
    Provider,
    Switch,
    When,
)

__all__ = ["Match", "Setting", "Status", "in_words", "temperature_setting", "turn_off", "turn_on"]

# how OpenRouter routes a request, not another model
_ROUTE = re.compile(r":(?:free|nitro|floor|online|extended|beta|thinking|exacto)$")

_LEFT_ALONE = "nothing is sent, so its own default decides"

Status = Literal["honoured", "approximated", "impossible"]
"""How well a setting of the condition reaches a model."""


@dataclass(frozen=True)
class Setting:
    """One setting of a condition on one model.

    Attributes:
        status: How well the model honours it.
        sent: What is sent, such as ``reasoning_effort=none``, or ``nothing``.
        note: Why, or what instead.
    """

    status: Status
    sent: str
    note: str = ""


@dataclass(frozen=True)
class Match:
    """A model's name, looked up in the tables.

    Attributes:
        provider_name: Inspect's model provider.
        name: The rest of the name, as it is typed.
        provider: What the provider passes on.
        family: What the model can do.
        listed: Whether a pattern of the table took the name.
    """

    provider_name: str
    name: str
    provider: Provider
    family: Family
    listed: bool

    @classmethod
    @cache
    def of(cls, model: str) -> "Match":
        """Look up a model, such as ``anthropic/claude-sonnet-4-5``."""
        provider_name, _, name = model.strip().partition("/")
        provider_name = provider_name.lower()
        provider = PROVIDERS.get(provider_name, UNKNOWN_PROVIDER)
        if provider_name == "openai-api":
            name = name.partition("/")[2]
        # Fireworks writes the point of a version as p: qwen3p5
        plain = re.sub(r"(?<=\d)p(?=\d)", ".", _ROUTE.sub("", name.lower()))
        family = next((f for f in FAMILIES if re.search(f.pattern, plain)), None)
        return cls(provider_name, name, provider, family or provider.newest, family is not None)

    @property
    def known(self) -> bool:
        """Whether it is known what this model makes of what is sent to this provider."""
        return self.listed and self.family.known and self.provider.known

    @property
    def switch(self) -> Switch | None:
        """The words in which thinking is turned off and on here."""
        if not self.named_by(self.provider.switched):
            return None
        return self.family.switch if self.provider.switch == "family" else self.provider.switch

    @property
    def takes_budget(self) -> bool:
        """Whether a budget of tokens gets into the request, and the model takes one."""
        return self.family.budget and self.named_by(self.provider.budgets)

    @property
    def takes_effort(self) -> bool:
        """Whether an effort gets into the request."""
        return self.named_by(self.provider.efforts)

    def named_by(self, names: str | None) -> bool:
        """Whether a provider's expression of names has this one."""
        return names is not None and re.search(names, self.name) is not None

    @property
    def asked_with(self) -> GenerateConfigArgs | None:
        """What turns thinking on here, where that is not what it is elsewhere."""
        return (self.provider.asked_with or {}).get(self.family.name)

    def setting(self, status: Status, config: GenerateConfigArgs, note: str = "") -> Setting:
        """A setting of reasoning, never claimed to be certain where the model is not known."""
        if self.known or self.family.thinks == "never":
            return Setting(status, in_words(config), note)
        doubt = (
            f"not in the table of models, treated as {self.family.name}"
            if not (self.listed and self.family.known)
            else f"what the service behind {self.provider_name}/ makes of it is not known"
        )
        return Setting("approximated", in_words(config), "; ".join(filter(None, [doubt, note])))


def turn_off(match: Match) -> tuple[Setting, None, GenerateConfigArgs]:
    """How thinking is turned off: the setting, no budget, and what to send."""
    family, switch = match.family, match.switch
    config: GenerateConfigArgs = {}
    status: Status = "honoured"
    note = family.note
    if family.thinks == "never":
        note = "it does not think"
    elif family.thinks == "unknown":
        note = _LEFT_ALONE
    elif family.thinks == "always":
        status, config = "impossible", _least(match)
        note = "it always thinks"
        if config:
            note += f"; {in_words(config)} is the least it can be asked for"
    elif switch:
        config = deepcopy(switch.off)
        status = "honoured" if family.off_is_exact else "approximated"
    elif family.thinks == "if asked":
        note = "it does not think unless asked"
    else:
        status, note = "impossible", _no_words(match, "off")
    return match.setting(status, config, note), None, config


def turn_on(match: Match, budget: int) -> tuple[Setting, Setting, GenerateConfigArgs]:
    """How thinking is turned on: the setting, the budget's, and what to send.

    Args:
        match: The model.
        budget: Tokens of reasoning.
    """
    family = match.family
    config: GenerateConfigArgs = {}
    if family.thinks == "never":
        setting = match.setting("impossible", {}, "it does not think")
        return setting, setting, config
    unbounded = Setting("impossible", "nothing", "it takes no budget; only max tokens bound it")
    if family.thinks == "unknown":
        return match.setting("approximated", {}, _LEFT_ALONE), unbounded, config
    if match.takes_budget:
        config = GenerateConfigArgs(reasoning_tokens=budget)
        return match.setting("honoured", config), match.setting("honoured", config), config
    if match.switch and family.thinks != "always":
        config = deepcopy(match.switch.on)
    asked_with = match.asked_with
    if asked_with is None and match.takes_effort:
        effort = family.effort or config.get("reasoning_effort")
        asked_with = GenerateConfigArgs(reasoning_effort=effort) if effort else None
    if asked_with:
        config |= deepcopy(asked_with)
        note = f"instead of {budget} tokens; the model decides how much it thinks, if at all"
        nearest = Setting("approximated", in_words(asked_with), note)
        return match.setting("honoured", config), nearest, config
    if family.thinks == "if asked" and not config:
        return match.setting("impossible", {}, _no_words(match, "on")), unbounded, config
    note = "" if config else "it thinks without being asked"
    return match.setting("honoured", config, note), unbounded, config


def _least(match: Match) -> GenerateConfigArgs:
    """The least that a model which always thinks can be asked for."""
    least = match.family.least
    if match.asked_with:
        return deepcopy(match.asked_with)
    if isinstance(least, int):
        return GenerateConfigArgs(reasoning_tokens=least) if match.takes_budget else {}
    if least == "minimal" and not match.provider.minimal:
        least = "low"
    return GenerateConfigArgs(reasoning_effort=least) if least and match.takes_effort else {}


def _no_words(match: Match, condition: str) -> str:
    note = f"Inspect's {match.provider_name} provider has no way to turn its thinking {condition}"
    return "; ".join(filter(None, [note, match.provider.note]))


def temperature_setting(
    match: Match, temperature: float | None, thinks: bool, config: GenerateConfig
) -> Setting:
    """What becomes of the temperature.

    Args:
        match: The model.
        temperature: The temperature asked for; None is none.
        thinks: Whether the model will think.
        config: What is sent about reasoning: some providers leave out the temperature beside it.
    """
    if temperature is None:
        return Setting("honoured", "nothing", "none is set")
    left_out = _left_out(match, config)
    sent = "nothing" if left_out else f"temperature={temperature:g}"
    provider, taken = f"Inspect's {match.provider_name} provider", match.family.temperature
    if left_out == "always":
        return Setting("impossible", sent, f"{provider} sends it none, for the API takes none")
    if taken == "never" or (taken == "unless thinking" and thinks):
        note = "the model takes none" + " while it thinks" * (taken != "never")
        return Setting("impossible", sent, note if left_out else f"{note}, though Inspect sends it")
    if left_out:
        return Setting(
            "impossible", sent, f"{provider} sends none to a model that it asks to think"
        )
    return Setting("honoured", sent)


def _left_out(match: Match, config: GenerateConfig) -> When | None:
    """When a provider leaves out the temperature, if it does so in this request."""
    told_not_to = config.reasoning_effort == "none"
    asked = config.reasoning_tokens is not None or not (
        told_not_to or config.reasoning_effort is None
    )
    holds: dict[When, bool] = {
        "always": True,
        "asked to think": asked or config.reasoning_mode == "pro",
        "not told not to think": not told_not_to,
    }
    names = match.provider.no_temperature or {}
    return next((when for when in holds if holds[when] and match.named_by(names.get(when))), None)


def in_words(config: GenerateConfigArgs) -> str:
    """Settings as a reader meets them, such as ``reasoning_effort=none``."""
    shown = [
        f"{name}={json.dumps(value) if isinstance(value, dict) else value}"
        for name, value in config.items()
    ]
    return ", ".join(shown) or "nothing"
