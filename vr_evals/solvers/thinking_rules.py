"""The rules from a thinking condition, a model family and a provider to settings."""

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

# OpenRouter's routing suffixes, not part of a model's name
_ROUTE = re.compile(r":(?:free|nitro|floor|online|extended|beta|thinking|exacto)$")

_DEFAULT_DECIDES = "nothing is sent; the model's default applies"

Status = Literal["honoured", "approximated", "impossible"]
"""How far a model honours a setting of the condition."""


@dataclass(frozen=True)
class Setting:
    """One setting of a condition on one model.

    Attributes:
        status: How far the model honours it.
        sent: What is sent, e.g. ``reasoning_effort=none``, or ``nothing``.
        note: The reason, or what happens instead.
    """

    status: Status
    sent: str
    note: str = ""


@dataclass(frozen=True)
class Match:
    """The entries of the tables for a model's name.

    Attributes:
        provider_name: Inspect's model provider.
        name: The rest of the name, as typed.
        provider: The provider's entry.
        family: The model family's entry.
        listed: Whether a family's pattern matches the name.
    """

    provider_name: str
    name: str
    provider: Provider
    family: Family
    listed: bool

    @classmethod
    @cache
    def of(cls, model: str) -> "Match":
        """Look up a model, e.g. ``anthropic/claude-sonnet-4-5``."""
        provider_name, _, name = model.strip().partition("/")
        provider_name = provider_name.lower()
        provider = PROVIDERS.get(provider_name, UNKNOWN_PROVIDER)
        if provider_name == "openai-api":
            name = name.partition("/")[2]
        # Fireworks writes version numbers with p for the point: qwen3p5
        plain = re.sub(r"(?<=\d)p(?=\d)", ".", _ROUTE.sub("", name.lower()))
        family = next((f for f in FAMILIES if re.search(f.pattern, plain)), None)
        fallback = provider.fallback_family
        return cls(provider_name, name, provider, family or fallback, family is not None)

    @property
    def known(self) -> bool:
        """Whether the effect of settings on this model at this provider has been verified."""
        return self.listed and self.family.known and self.provider.known

    @property
    def switch(self) -> Switch | None:
        """The settings that turn thinking off and on, or None."""
        if not self.named_by(self.provider.switched):
            return None
        return self.family.switch if self.provider.switch == "family" else self.provider.switch

    @property
    def takes_budget(self) -> bool:
        """Whether the provider sends a token budget and the model supports one."""
        return self.family.budget and self.named_by(self.provider.budgets)

    @property
    def takes_effort(self) -> bool:
        """Whether the provider sends an effort."""
        return self.named_by(self.provider.efforts)

    def named_by(self, names: str | None) -> bool:
        """Return whether a provider's pattern of names matches this one."""
        return names is not None and re.search(names, self.name) is not None

    @property
    def asked_with(self) -> GenerateConfigArgs | None:
        """The provider's own settings that turn thinking on for this family, or None."""
        return (self.provider.asked_with or {}).get(self.family.name)

    def setting(self, status: Status, config: GenerateConfigArgs, note: str = "") -> Setting:
        """Return a setting of reasoning; its status is ``approximated`` if not verified."""
        if self.known or self.family.thinks == "never":
            return Setting(status, in_words(config), note)
        doubt = (
            f"not in the table of models, treated as {self.family.name}"
            if not (self.listed and self.family.known)
            else f"not verified for the service behind {self.provider_name}/"
        )
        return Setting("approximated", in_words(config), "; ".join(filter(None, [doubt, note])))


def turn_off(match: Match) -> tuple[Setting, None, GenerateConfigArgs]:
    """Return the setting that turns thinking off, no budget, and the config to send."""
    family, switch = match.family, match.switch
    config: GenerateConfigArgs = {}
    status: Status = "honoured"
    note = family.note
    if family.thinks == "never":
        note = "it does not think"
    elif family.thinks == "unknown":
        note = _DEFAULT_DECIDES
    elif family.thinks == "always":
        status, config = "impossible", _minimum(match)
        note = "it always thinks"
        if config:
            note += f"; {in_words(config)} is the minimum"
    elif switch:
        config = deepcopy(switch.off)
        status = "honoured" if family.off_is_exact else "approximated"
    elif family.thinks == "opt_in":
        note = "it does not think by default"
    else:
        status, note = "impossible", _no_switch(match, "off")
    return match.setting(status, config, note), None, config


def turn_on(match: Match, budget: int) -> tuple[Setting, Setting, GenerateConfigArgs]:
    """Return the setting that turns thinking on, the budget's setting, and the config to send.

    Args:
        match: The model.
        budget: Reasoning tokens.
    """
    family = match.family
    config: GenerateConfigArgs = {}
    if family.thinks == "never":
        setting = match.setting("impossible", {}, "it does not think")
        return setting, setting, config
    unbounded = Setting("impossible", "nothing", "no budget supported; only max tokens limit it")
    if family.thinks == "unknown":
        return match.setting("approximated", {}, _DEFAULT_DECIDES), unbounded, config
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
        note = f"instead of {budget} tokens; the model decides whether and how much it thinks"
        nearest = Setting("approximated", in_words(asked_with), note)
        return match.setting("honoured", config), nearest, config
    if family.thinks == "opt_in" and not config:
        return match.setting("impossible", {}, _no_switch(match, "on")), unbounded, config
    note = "" if config else "it thinks by default"
    return match.setting("honoured", config, note), unbounded, config


def _minimum(match: Match) -> GenerateConfigArgs:
    """Return the settings for the least thinking of a model that always thinks."""
    minimum = match.family.min_effort
    if match.asked_with:
        return deepcopy(match.asked_with)
    if isinstance(minimum, int):
        return GenerateConfigArgs(reasoning_tokens=minimum) if match.takes_budget else {}
    if minimum == "minimal" and not match.provider.minimal:
        minimum = "low"
    return GenerateConfigArgs(reasoning_effort=minimum) if minimum and match.takes_effort else {}


def _no_switch(match: Match, condition: str) -> str:
    note = f"Inspect's {match.provider_name} provider cannot turn thinking {condition}"
    return "; ".join(filter(None, [note, match.provider.note]))


def temperature_setting(
    match: Match, temperature: float | None, thinks: bool, config: GenerateConfig
) -> Setting:
    """Return the setting of the temperature.

    Args:
        match: The model.
        temperature: The temperature in force, or None.
        thinks: Whether the model will think.
        config: The settings of reasoning, with which some providers omit the temperature.
    """
    if temperature is None:
        return Setting("honoured", "nothing", "none is set")
    left_out = _left_out(match, config)
    sent = "nothing" if left_out else f"temperature={temperature:g}"
    provider, taken = f"Inspect's {match.provider_name} provider", match.family.temperature
    if left_out == "always":
        return Setting("impossible", sent, f"{provider} omits it: not supported by the API")
    if taken == "never" or (taken == "unless thinking" and thinks):
        note = "not supported by the model" + " while it thinks" * (taken != "never")
        return Setting("impossible", sent, note if left_out else f"{note}, but Inspect sends it")
    if left_out:
        return Setting("impossible", sent, f"{provider} omits it in requests with thinking")
    return Setting("honoured", sent)


def _left_out(match: Match, config: GenerateConfig) -> When | None:
    """Return why a provider omits the temperature in this request, or None if it sends it."""
    off = config.reasoning_effort == "none"
    on = config.reasoning_tokens is not None or not (off or config.reasoning_effort is None)
    applies: dict[When, bool] = {
        "always": True,
        "thinking on": on or config.reasoning_mode == "pro",
        "thinking not off": not off,
    }
    names = match.provider.no_temperature or {}
    return next((w for w, true in applies.items() if true and match.named_by(names.get(w))), None)


def in_words(config: GenerateConfigArgs) -> str:
    """Return settings in words, e.g. ``reasoning_effort=none``."""
    shown = [
        f"{name}={json.dumps(value) if isinstance(value, dict) else value}"
        for name, value in config.items()
    ]
    return ", ".join(shown) or "nothing"
