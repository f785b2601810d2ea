"""The rules that put a condition, a model family and a provider together."""

import json
import re
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Literal

from inspect_ai.model import GenerateConfigArgs

from vr_evals.solvers.thinking_table import (
    FAMILIES,
    PROVIDERS,
    UNKNOWN_PROVIDER,
    Family,
    Provider,
    Switch,
)

__all__ = ["Match", "Setting", "Status", "in_words", "temperature_setting", "turn_off", "turn_on"]

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
        name: The rest of the name, in lower case.
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
        provider_name, _, name = model.strip().lower().partition("/")
        provider = PROVIDERS.get(provider_name, UNKNOWN_PROVIDER)
        if provider_name == "openai-api":
            name = name.partition("/")[2]
        # Fireworks writes the point of a version as p: qwen3p5
        name = re.sub(r"(?<=\d)p(?=\d)", ".", name)
        family = next((f for f in FAMILIES if re.search(f.pattern, name)), None)
        return cls(provider_name, name, provider, family or provider.newest, family is not None)

    @property
    def known(self) -> bool:
        """Whether it is known what this model makes of what is sent to this provider."""
        return self.listed and self.family.known and self.provider.known

    @property
    def switch(self) -> Switch | None:
        """The words in which thinking is turned off and on here."""
        return self.family.switch if self.provider.switch == "family" else self.provider.switch

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
    family, provider = match.family, match.provider
    config: GenerateConfigArgs = {}
    if family.thinks == "never":
        setting = match.setting("impossible", {}, "it does not think")
        return setting, setting, config
    unbounded = Setting("impossible", "nothing", "it takes no budget; only max tokens bound it")
    if family.thinks == "unknown":
        return match.setting("approximated", {}, _LEFT_ALONE), unbounded, config
    if family.budget and provider.budgets:
        config = GenerateConfigArgs(reasoning_tokens=budget)
        return match.setting("honoured", config), match.setting("honoured", config), config
    if match.switch and family.thinks != "always":
        config = deepcopy(match.switch.on)
    asked_with = match.asked_with
    if asked_with is None and family.effort and provider.efforts:
        asked_with = GenerateConfigArgs(reasoning_effort=family.effort)
    if asked_with:
        config |= deepcopy(asked_with)
        note = f"instead of {budget} tokens; the model decides how much it thinks, if at all"
        effort = Setting("approximated", in_words(asked_with), note)
        return match.setting("honoured", config), effort, config
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
        return GenerateConfigArgs(reasoning_tokens=least) if match.provider.budgets else {}
    return GenerateConfigArgs(reasoning_effort=least) if least and match.provider.efforts else {}


def _no_words(match: Match, condition: str) -> str:
    note = f"Inspect's {match.provider_name} provider has no way to turn its thinking {condition}"
    return "; ".join(filter(None, [note, match.provider.note]))


def temperature_setting(match: Match, temperature: float | None, thinks: bool) -> Setting:
    """What becomes of the temperature.

    Args:
        match: The model.
        temperature: The temperature asked for; None is none.
        thinks: Whether the model will think.
    """
    if temperature is None:
        return Setting("honoured", "nothing", "none is set")
    fixed = match.provider.no_temperature
    if fixed is not None and re.search(fixed, match.name):
        note = f"Inspect's {match.provider_name} provider sends it none, for the API takes none"
    elif match.family.temperature == "never":
        note = "the model takes none"
    elif match.family.temperature == "unless thinking" and thinks:
        note = "the model takes none while it thinks"
    else:
        return Setting("honoured", f"temperature={temperature:g}")
    return Setting("impossible", "nothing", note)


def in_words(config: GenerateConfigArgs) -> str:
    """Settings as a reader meets them, such as ``reasoning_effort=none``."""
    shown = [
        f"{name}={json.dumps(value) if isinstance(value, dict) else value}"
        for name, value in config.items()
    ]
    return ", ".join(shown) or "nothing"
