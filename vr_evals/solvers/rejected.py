"""Turn a provider's rejection of a setting into one line."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

from inspect_ai.model import GenerateConfig, GenerateConfigArgs

from vr_evals.solvers.thinking_rules import in_words
from vr_evals.solvers.user_config import REASONING_FLAGS
from vr_evals.terminal import shortened

__all__ = ["SentSetting", "rejection", "settings_sent"]

SentSetting = Literal["temperature", "max_tokens", "budget", "reasoning"]
"""A setting of a condition, as part of a request."""

_MAX_QUOTED = 300
"""Characters quoted from a provider's message."""

_BAD_REQUEST = (400, 422)
"""HTTP statuses of requests that would be rejected again."""

_NAMES: tuple[tuple[SentSetting, str], ...] = (
    ("temperature", "temperature"),
    ("max_tokens", "max_tokens max_completion_tokens max_output_tokens max_new_tokens"),
    ("max_tokens", "maxtokens maxoutputtokens"),
    ("budget", "budget_tokens reasoning_tokens thinking_budget thinkingbudget"),
    ("budget", "reasoning.max_tokens"),
    ("reasoning", "thinking enable_thinking chat_template_kwargs output_config"),
    ("reasoning", "thinking_config thinkingconfig thinking_level thinkinglevel"),
    ("reasoning", "reasoning reasoning_effort reasoningconfig maxreasoningeffort"),
)
"""The names of request fields for each setting, over all providers."""

_FIELDS = {name: setting for setting, names in _NAMES for name in names.split()}

_PATH = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
"""The path of a field, e.g. ``reasoning.effort``."""

_CONVERSATION = ("messages", "contents", "input")

_TRY: Mapping[SentSetting, str] = {
    "temperature": "another --temperature, e.g. 1",
    "max_tokens": "another --max-tokens",
    "budget": "another -T thinking_budget",
    "reasoning": "-T reasoning=flags, with --reasoning-* flags that the model supports, or none",
}


def settings_sent(
    given: GenerateConfig, config: GenerateConfigArgs | None
) -> dict[SentSetting, str]:
    """Return the settings that a call sends, in words.

    Args:
        given: The config in force without the condition's own settings.
        config: The condition's settings; None if the user's flags decide.
    """
    if config is None:
        flags = {name: getattr(given, name) for name in REASONING_FLAGS}
        config = cast(GenerateConfigArgs, {n: v for n, v in flags.items() if v is not None})
    tokens = config.get("reasoning_tokens")
    sent: dict[SentSetting, str | None] = {
        "temperature": None if given.temperature is None else f"temperature={given.temperature:g}",
        "max_tokens": None if given.max_tokens is None else f"max_tokens={given.max_tokens}",
        "reasoning": in_words(config) if config else None,
        "budget": None if tokens is None else f"reasoning_tokens={tokens}",
    }
    return {setting: words for setting, words in sent.items() if words is not None}


def rejection(error: BaseException, model: str, sent: Mapping[SentSetting, str]) -> str | None:
    """Return a message if an error is a provider's rejection of a setting that was sent, else None.

    A rejection has HTTP status 400 or 422 and names a field of the request, in the provider's
    ``param`` or else first in its message. Errors on the conversation (``messages.1.content…``)
    are not rejections of a setting.

    Args:
        error: The error raised by a call.
        model: The model's name.
        sent: The settings that were sent, in words.
    """
    cause = next((one for one in _chain(error) if _status(one) in _BAD_REQUEST), None)
    if cause is None:
        return None
    body = _body(cause)
    text = " ".join(str(body.get("message") or cause).split())
    # a router's copy of the error of the service behind it
    raw = body["metadata"].get("raw") if isinstance(body.get("metadata"), Mapping) else None
    text = f"{text} {raw}" if raw else text
    param = body.get("param")
    setting = _setting(param if isinstance(param, str) else text)
    if setting is None or setting not in sent:
        return None
    reason = shortened(text, _MAX_QUOTED)
    return f"{model}: the provider rejected {sent[setting]} ({reason}); try {_TRY[setting]}"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the causes of an error, then the error: the provider's comes before Inspect's."""
    cause = error.__cause__
    if cause is not None:
        yield from _chain(cause)
    yield error


def _status(error: BaseException) -> int | None:
    """Return the HTTP status of a provider's error; client packages store it differently."""
    response = getattr(error, "response", None)
    details = response if isinstance(response, Mapping) else {}
    metadata = details.get("ResponseMetadata")
    found = (
        getattr(error, "status_code", None),
        getattr(error, "code", None),
        details.get("code"),
        metadata.get("HTTPStatusCode") if isinstance(metadata, Mapping) else None,
    )
    return next((status for status in found if isinstance(status, int)), None)


def _body(error: BaseException) -> Mapping[str, Any]:
    """Return the body of a provider's error: ``message`` and, for some, ``param``."""
    for name in ("body", "response"):
        body = getattr(error, name, None)
        if isinstance(body, Mapping):
            inner = next((body[key] for key in ("error", "Error") if key in body), body)
            if isinstance(inner, Mapping):
                message = inner.get("message") or inner.get("Message")
                return {**inner, "message": message}
    return {"message": getattr(error, "provider_message", None) or getattr(error, "message", None)}


def _setting(text: str) -> SentSetting | None:
    """Return the setting whose field a text names first, or None for the conversation."""
    paths = [path.lower().split(".") for path in _PATH.findall(text)]
    if any(path[0] in _CONVERSATION and len(path) > 1 for path in paths):
        return None
    for path in paths:
        for name in (".".join(path), *reversed(path)):
            if name in _FIELDS:
                return _FIELDS[name]
    return None
