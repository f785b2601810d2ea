"""Tables of which models think and how each provider turns thinking on and off.

``FAMILIES`` describes models, whoever serves them: the first pattern found in a name counts.
``PROVIDERS`` describes what each of Inspect's model providers puts into a request, by name;
``tests/wire/test_every_pair.py`` compares each pair of the two with Inspect's own requests. A
``Switch`` has the settings that turn thinking off and on. The tables contain no logic:
``vr_evals.solvers.thinking_rules`` combines them.

To add a model, add a line to ``FAMILIES`` above the first pattern that would match it. Sources are
the providers' documentation and Inspect 0.3.285. A family that nobody has verified has
``known=False``: it never counts as honouring a condition, and never stops a run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from inspect_ai.model import GenerateConfigArgs

__all__ = [
    "FAMILIES",
    "PROVIDERS",
    "UNKNOWN_PROVIDER",
    "Effort",
    "Family",
    "Provider",
    "Switch",
    "Temperature",
    "Thinks",
    "When",
]

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""The steps of Inspect's ``reasoning_effort``."""

Thinks = Literal["never", "opt_in", "default_on", "always", "unknown"]
"""When a model thinks. Nothing is sent to ``unknown`` ones."""

Temperature = Literal["supported", "unless thinking", "never"]
"""When a model supports a temperature."""

When = Literal["always", "thinking on", "thinking not off"]
"""The requests in which a provider omits the temperature, by their settings of reasoning."""


@dataclass(frozen=True)
class Switch:
    """The settings that turn thinking off and on.

    Attributes:
        off: Settings that turn it off.
        on: Settings that turn it on, without an amount.
    """

    off: GenerateConfigArgs
    on: GenerateConfigArgs


def _body(off: Mapping[str, object], on: Mapping[str, object]) -> Switch:
    """Return a switch of extra request fields, for which Inspect has no names."""
    return Switch(
        off=GenerateConfigArgs(extra_body=dict(off)),
        on=GenerateConfigArgs(extra_body=dict(on)) if on else {},
    )


EFFORT = Switch(off={"reasoning_effort": "none"}, on={})
THINKING = _body({"thinking": {"type": "disabled"}}, {"thinking": {"type": "enabled"}})
DEEPSEEK = Switch(off=EFFORT.off, on=THINKING.on)
TOGETHER = _body({"reasoning": {"enabled": False}}, {"reasoning": {"enabled": True}})
# also for models without efforts: only an effort turns their thinking on
ANY_EFFORT = Switch(off=EFFORT.off, on={"reasoning_effort": "low"})
OLLAMA = _body({"reasoning": {"effort": "none"}}, {})
# the variable in the chat templates of Qwen, GLM and most others; below, of DeepSeek and Kimi
ENABLE_THINKING = _body(
    {"chat_template_kwargs": {"enable_thinking": False}},
    {"chat_template_kwargs": {"enable_thinking": True}},
)
TEMPLATE_THINKING = _body(
    {"chat_template_kwargs": {"thinking": False}}, {"chat_template_kwargs": {"thinking": True}}
)


@dataclass(frozen=True)
class Family:
    """The thinking of a family of models.

    Attributes:
        name: The name in logs and messages.
        pattern: Regular expression, searched in the lower-case name without Inspect's provider.
        thinks: When it thinks.
        effort: The ``reasoning_effort`` nearest to the condition's budget, or None if not
            supported.
        min_effort: The minimum for a family that always thinks: an effort, or tokens.
        budget: Whether it supports a token budget.
        temperature: When it supports a temperature.
        switch: The settings of its chat template, or None.
        note: A note for readers of logs on turning its thinking off.
        off_is_exact: Whether "off" means no thinking at all.
        known: Whether somebody has verified this family.
    """

    name: str
    pattern: str
    thinks: Thinks
    effort: Effort | None = None
    min_effort: Effort | int | None = None
    budget: bool = False
    temperature: Temperature = "supported"
    switch: Switch | None = None
    note: str = ""
    off_is_exact: bool = True
    known: bool = True


# Claude supports budgets and temperatures up to 4.6; later versions support an effort instead
_budget_claude = partial(Family, budget=True, effort="low", temperature="unless thinking")
_claude = partial(Family, effort="low", temperature="never")
_gpt = partial(Family, temperature="unless thinking", switch=EFFORT)
_always_gpt = partial(Family, thinks="always", temperature="never", switch=EFFORT)
_mistral = partial(Family, effort="high", switch=EFFORT)

# the start of a name, also after a vendor (openai/, openai.) or in a tuned model (ft:)
_START = r"(?:^|[/.:])"
# the end of a version; a date may follow, but not another part of the version
_END = r"(?![0-9a-z])(?![-.]\d{1,2}(?!\d))"

_BETWEEN_TOOLS = "its off is thinking=between_tools: none before an answer, and no tools are used"
_MINIMAL = "Google promises the least thinking for Gemini 3 Flash, not none"

# fmt: off
FAMILIES: tuple[Family, ...] = (
    # Anthropic
    Family("Claude 3.5 and earlier", r"claude-(?:instant|[12](?!\d)|3(?![-.]7))", "never"),
    _budget_claude("Claude 3.7", r"claude-3[-.]7", "opt_in"),
    _budget_claude("Claude 4.0 to 4.5", r"claude-[a-z]+-4[-.][015](?!\d)", "opt_in"),
    _budget_claude("Claude 4.0 to 4.5", r"claude-[a-z]+-4[-@]20\d{6}", "opt_in"),
    _budget_claude("Claude 4.0 to 4.5", r"claude-4(?:[-.][015])?-[a-z]", "opt_in"),
    # OpenRouter's bare 4 is 4.0; Inspect's anthropic provider treats it as a new model
    _budget_claude("Claude 4.0 to 4.5", rf"^anthropic/claude-[a-z]+-4{_END}", "opt_in"),
    _budget_claude("Claude 4.6", r"claude-(?:[a-z]+-4[-.]6(?!\d)|4[-.]6-[a-z])", "opt_in"),
    _claude("Claude 4.7 and 4.8", r"claude-[a-z]+-4[-.][78](?!\d)", "opt_in"),
    _claude("Claude Opus 5 and Sonnet 5", rf"claude-(?:opus|sonnet)-5{_END}", "default_on"),
    _claude("Claude Sonnet 5.5", rf"claude-sonnet-5[-.]5{_END}", "default_on",
            note=_BETWEEN_TOOLS),
    _claude("Claude Haiku 5.5", rf"claude-haiku-5[-.]5{_END}", "default_on"),
    _claude("Claude Opus 5.5", rf"claude-opus-5[-.]5{_END}", "always", min_effort="low"),
    _claude("Claude Fable 5 and 5.1", rf"claude-fable-5(?:[-.]1)?{_END}", "always",
            min_effort="low"),
    _claude("Claude Mythos", rf"claude-mythos-(?:5(?:[-.]1)?{_END}|pre)", "always",
            min_effort="low"),
    _claude("a new Claude", r"claude", "default_on", known=False),
    # OpenAI
    _always_gpt("gpt-oss", r"gpt-oss", effort="low", min_effort="low", temperature="supported"),
    _gpt("GPT-4 and earlier", r"gpt-[34]|chatgpt-4", "never"),
    _gpt("GPT-5 chat", rf"gpt-5{_END}-chat", "never", temperature="never"),
    _gpt("GPT-5.x chat", r"gpt-5\.\d+-chat", "never"),
    _always_gpt("GPT-5 pro", rf"gpt-5{_END}-pro", effort="high", min_effort="high"),
    _always_gpt("GPT-5.x pro", r"gpt-5\.\d+-pro", effort="medium", min_effort="medium"),
    _always_gpt("GPT codex mini", r"codex-mini", effort="medium", min_effort="medium"),
    _always_gpt("GPT codex", r"codex", effort="low", min_effort="low"),
    _always_gpt("GPT-5", rf"gpt-5{_END}", effort="low", min_effort="minimal"),
    _always_gpt("GPT-6 Astra and 6.1 Sol", r"gpt-6-astra|gpt-6\.1-sol", effort="low",
                min_effort="low"),
    _gpt("GPT-5.1 to 5.4", r"gpt-5\.[1-4](?!\d)", "opt_in", "low"),
    _gpt("GPT-5.5 and 5.6", r"gpt-5\.[56](?!\d)", "default_on", "low"),
    _gpt("GPT-6 Sol and Luna", r"gpt-6-(?:sol|luna)", "default_on", "low"),
    _always_gpt("o1-mini and o1-preview", rf"{_START}o1-(?:mini|preview)"),
    _always_gpt("OpenAI o series", rf"{_START}o[134](?:[-:@]|$)", effort="low", min_effort="low"),
    _always_gpt("a new OpenAI o", rf"{_START}o\d+(?:[-:@]|$)", effort="low", min_effort="low",
                known=False),
    _gpt("a new GPT", r"gpt-\d", "default_on", "low", known=False),
    # Google
    Family("Gemini 2.0 and earlier", r"gemini-(?:1|2\.0)", "never"),
    Family("Gemini 2.5 Pro", r"gemini-2\.5-pro", "always", budget=True, min_effort=128),
    Family("Gemini 2.5 Flash", r"gemini-2\.5", "default_on", budget=True),
    Family("Gemini 3 Pro", r"gemini-3(?:\.\d+)?-pro", "always", "low", "low"),
    Family("Gemini 3 Flash", r"gemini-3(?:\.\d+)?-flash", "default_on", "low", note=_MINIMAL,
           off_is_exact=False),
    Family("a new Gemini", r"gemini", "default_on", "low", known=False),
    # DeepSeek, Moonshot
    Family("DeepSeek R1", r"deepseek-(?:r1|reasoner)", "always"),
    Family("DeepSeek chat", r"deepseek-chat", "opt_in", switch=TEMPLATE_THINKING),
    Family("DeepSeek V3.1 and 3.2", r"deepseek-v3\.[12]", "opt_in", switch=TEMPLATE_THINKING),
    Family("DeepSeek V4", r"deepseek-(?:v4|flash)", "default_on", "low",
           temperature="unless thinking", switch=TEMPLATE_THINKING),
    Family("DeepSeek V3 and earlier", r"deepseek-(?:v[23]|coder|llm)", "never"),
    Family("a new DeepSeek", r"deepseek", "default_on", switch=TEMPLATE_THINKING, known=False),
    Family("Kimi K2.7 and K2 Thinking", r"kimi-k2(?:[-.]7|-thinking)", "always"),
    Family("Kimi K3", r"kimi-k3", "always", "low", "low"),
    Family("Kimi K2.5 and 2.6", r"kimi-k2[-.][56]", "default_on", switch=TEMPLATE_THINKING),
    Family("Kimi K2, Moonshot v1", r"kimi-k2|moonshot-v1", "never"),
    Family("a new Kimi", r"kimi", "default_on", switch=TEMPLATE_THINKING, known=False),
    # xAI, Meta, Mistral, Amazon
    Family("Grok without reasoning", r"grok-(?:[12]|3(?!-mini)|.*non-reasoning)", "never"),
    Family("Grok 4.0 and Code", r"grok-(?:4(?:-0709|-latest)?$|code)", "always"),
    Family("Grok 4.3", r"grok-4[-.]3", "default_on", "low"),
    Family("Grok 3 mini and 4.x", r"grok-(?:3-mini|4)", "always", "low", "low"),
    Family("a new Grok", r"grok", "always", "low", "low", known=False),
    Family("Muse", r"muse-(?:spark|wonder)-\d", "always", "low", "low"),
    Family("Magistral", r"magistral", "always"),
    _mistral("Mistral Medium 3.5", r"mistral-medium-(?:3[-.]5|2604)", "opt_in"),
    _mistral("Mistral Small 4", r"mistral-small-(?:4|2603)", "opt_in"),
    _mistral("the latest Mistral", r"mistral-(?:medium|small)-latest", "opt_in", known=False),
    Family("Mistral", r"mistral|ministral|mixtral|codestral|devstral|pixtral", "never"),
    Family("Nova 1", r"nova-(?:micro|lite|pro|premier)-v1", "never"),
    Family("Nova 2", r"nova-2", "opt_in", "low"),
    # open weights
    Family("Qwen3 Thinking, QwQ", r"qwen3.*thinking|qwq|qvq", "always", budget=True),
    Family("Qwen3 Instruct, Qwen2", r"qwen3.*(?:instruct|coder)|qwen-?v?[12]", "never"),
    Family("Qwen3", r"qwen-?3", "default_on", budget=True, switch=ENABLE_THINKING),
    Family("GLM 4.5 and later", r"glm-(?:4\.[5-9]|[5-9])", "default_on", switch=ENABLE_THINKING),
    Family("an open model", r"nemotron|cogito|thinker|reason", "unknown", known=False),
    Family("Llama, Gemma 3, Phi 3", r"llama-?v?[234]|gemma-?[23]|phi-?3", "never"),
    Family("SmolLM2", r"smollm2", "never"),
    # a deployment's name does not show its model
    Family("an Azure deployment", r"^azure/", "unknown", known=False),
)
"""The families of models; the first pattern that is found counts."""
# fmt: on

_NEW = {family.name: family for family in FAMILIES if not family.known}
HYBRID = Family(
    "a hybrid model", "", "default_on", budget=True, switch=ENABLE_THINKING, known=False
)
UNKNOWN = Family("an unknown model", "", "unknown", known=False)


@dataclass(frozen=True)
class Provider:
    """What one of Inspect's model providers puts into a request.

    Names are regular expressions, searched in a model's name as typed, without Inspect's provider:
    ``""`` matches all names, None matches none.

    Attributes:
        switch: Its settings for off and on; ``family`` for those of the model's chat template; None
            if it has none.
        switched: Names for which the settings for off are sent.
        budgets: Names for which ``reasoning_tokens`` is sent.
        efforts: Names for which ``reasoning_effort`` is sent.
        minimal: Whether the effort ``minimal`` is sent as such, not as ``low``.
        fallback_family: The family of names that no pattern matches.
        asked_with: Settings that turn thinking on for families that need others here.
        no_temperature: Names for which the temperature is omitted, and when.
        local: Whether models run on the user's own machines, or are not real.
        known: Whether the effect of the settings on the service has been verified.
        note: What the user can do if this provider has no switch.
    """

    switch: Switch | Literal["family"] | None = None
    switched: str = ""
    budgets: str | None = None
    efforts: str | None = None
    minimal: bool = False
    fallback_family: Family = UNKNOWN
    asked_with: Mapping[str, GenerateConfigArgs] | None = None
    no_temperature: Mapping[When, str] | None = None
    local: bool = False
    known: bool = True
    note: str = ""


_ALL = ""

# how Inspect's providers distinguish models; their checks are case-sensitive
_OLD_CLAUDE = r"claude-(?:3-(?:[A-Za-z]|5-|7-)|[A-Za-z]+-4(?:-[0156]|[-@]20\d{6}))"
_BUDGET_CLAUDE = r"claude-(?:3-7-|[A-Za-z]+-4(?:-[0156]|[-@]20\d{6}))"
_POINT_FIVE = r"5[-.](?:[5-9]|[1-9]\d)(?![0-9A-Za-z])"
_ALWAYS_CLAUDE = (
    rf"claude-(?:opus-{_POINT_FIVE}|(?!\w*opus|\w*sonnet|haiku-{_POINT_FIVE})[A-Za-z]+-5)"
)
_SWITCHED_CLAUDE = rf"^(?!.*(?:{_OLD_CLAUDE}|{_ALWAYS_CLAUDE}))"
_EFFORT_CLAUDE = rf"^(?!.*{_OLD_CLAUDE})|claude-[A-Za-z]+-4-6"

# Inspect's bedrock provider sends no effort for Claude 5: tokens turn thinking on, at `effort`
_BEDROCK = dict.fromkeys(
    (
        "Claude Opus 5 and Sonnet 5",
        "Claude Sonnet 5.5",
        "Claude Haiku 5.5",
        "Claude Opus 5.5",
        "Claude Fable 5 and 5.1",
        "Claude Mythos",
        "a new Claude",
    ),
    GenerateConfigArgs(reasoning_tokens=2000, effort="low"),
)
_BEDROCK_4 = r"claude-[A-Za-z]+-4-(?![015]|20\d{6})"
_BEDROCK_FIXED = r"claude-[A-Za-z]+-(?:5|4-(?![0156]|20\d{6}))"
_BEDROCK_EFFORTS = rf"{_BEDROCK_4}|(?i:gpt-oss|nova(?!-(?:micro|lite|pro|premier)-v1(?::|$)))"
_BEDROCK_THINKS = r"(?:^|[/.])(?!.*claude-3-(?:[A-Za-z]|5-)).*(?i:claude)"

_O = r"^o\d|^(?!.*gpt).*o\d"
_FIXED_GPT = rf"(?i){_O}|gpt-5(?!\d|\.0*[1-9])|gpt-6-astra|gpt-6\.1-sol"
_SWITCHED_GPT = r"(?i)gpt-(?:[6-9](?!\d)|5\.0*[1-9])"
_THINKING_GPT = r"(?i)^(?!.*-chat).*gpt-(?:[6-9](?!\d)|5\.(?:[5-9]|[1-9]\d))"
_RESPONSES: Mapping[When, str] = {
    "always": _FIXED_GPT,
    "thinking on": _SWITCHED_GPT,
    "thinking not off": _THINKING_GPT,
}
# an unknown name may be a code name of OpenAI's next model
_CODE_NAME = (
    r"^(?!azure/|bedrock/)(?!.*(?:gpt|codex|deep-research|embedding|whisper|dall-e|tts|moderation"
    r"|image-1|sora))"
)
_OPENAI: Mapping[When, str] = {
    **_RESPONSES,
    "thinking on": rf"{_SWITCHED_GPT}|{_CODE_NAME}",
}
_OPENAI_EFFORTS = rf"(?i){_O}|codex|^(?!.*-chat).*gpt-[5-9](?!\d)|^(?!.*-chat){_CODE_NAME[1:]}"
_GEMINI = (
    r"gemini-(?!1\.5|2\.0)|^(?!vertex/)(?!(?i:.*(?:gemini|embedding|imagen|veo|gemma|aqa|learnlm"
    r"|tts)))"
)
_SWITCHED_GEMINI = rf"^(?!.*-pro[^/]*$)(?:.*{_GEMINI})"
_GROK = r"grok-3-mini|^(?!.*grok-[23])(?!grok-4(?:-latest)?$|grok-4-0709)"

# names without the effort "none", which some families support
_WITHOUT_NONE = r"(?i)^(?!.*(?:gpt|codex|mistral|(?:^|[/.:])o\d))"

_SERVER = Provider("family", efforts=_ALL, minimal=True, fallback_family=HYBRID, local=True)
_SERVICE = Provider("family", efforts=_ALL, minimal=True, known=False)
_SCRIPTED = Provider(EFFORT, budgets=_ALL, fallback_family=HYBRID, local=True)

UNKNOWN_PROVIDER = Provider(EFFORT, budgets=_ALL, fallback_family=HYBRID, known=False)
"""Inspect's own settings: a provider that does not know them omits them."""

# fmt: off
PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Provider(EFFORT, _SWITCHED_CLAUDE, budgets=_BUDGET_CLAUDE, efforts=_EFFORT_CLAUDE,
                          fallback_family=_NEW["a new Claude"], no_temperature={"always": _ALL}),
    "bedrock": Provider(None, budgets=r"(?i)claude", efforts=_BEDROCK_EFFORTS, asked_with=_BEDROCK,
                        minimal=True,
                        no_temperature={"always": _BEDROCK_FIXED,
                                        "thinking on": _BEDROCK_THINKS},
                        note="its anthropic/bedrock/ models can"),
    "openai": Provider(EFFORT, _OPENAI_EFFORTS, efforts=_OPENAI_EFFORTS, minimal=True,
                       fallback_family=_NEW["a new GPT"], no_temperature=_OPENAI),
    "google": Provider(EFFORT, _SWITCHED_GEMINI, budgets=_GEMINI, efforts=_GEMINI,
                       fallback_family=_NEW["a new Gemini"]),
    "openrouter": Provider(ANY_EFFORT, budgets=_ALL, efforts=_ALL, minimal=True,
                           fallback_family=HYBRID),
    "deepseek": Provider(DEEPSEEK, efforts=r"(?i)deepseek", fallback_family=_NEW["a new DeepSeek"]),
    # no efforts: Inspect turns any effort for Kimi K3 into "max"
    "moonshot": Provider(THINKING, fallback_family=_NEW["a new Kimi"],
                         no_temperature={"always": r"(?i)^kimi"}),
    "grok": Provider(None, efforts=_GROK, fallback_family=_NEW["a new Grok"]),
    "meta": Provider(None, efforts=_ALL, minimal=True, no_temperature=_RESPONSES),
    "mistral": Provider(EFFORT, efforts=r"(?i)mistral"),
    "together": Provider(TOGETHER, efforts=_ALL),
    "fireworks": Provider(ANY_EFFORT, r"(?i)^(?!.*(?:gpt-oss|minimax-m2))", efforts=_ALL),
    "groq": Provider(None, efforts=_ALL),
    "azureai": Provider(None),
    "perplexity": Provider(EFFORT, efforts=_ALL, minimal=True, known=False,
                           no_temperature=_RESPONSES),
    "litellm-proxy": Provider(EFFORT, efforts=_ALL, minimal=True, known=False),
    "openai-api": _SERVICE,
    "hf-inference-providers": _SERVICE,
    "cloudflare": _SERVICE,
    "sambanova": Provider("family", _WITHOUT_NONE, efforts=_ALL, known=False),
    "vllm": _SERVER,
    "sglang": _SERVER,
    "sagemaker": Provider("family", _WITHOUT_NONE, efforts=_ALL, fallback_family=HYBRID,
                          local=True),
    "ollama": Provider(OLLAMA, efforts=_ALL, fallback_family=HYBRID, local=True),
    "hf": Provider(None, local=True, known=False, note="-M enable_thinking=false (or true) does"),
    "llama-cpp-python": Provider(None, local=True),
    "transformer_lens": Provider(None, local=True),
    "nnterp": Provider(None, local=True),
    "vr_local": Provider(None, local=True),
    "vr_sim": _SCRIPTED,
    "mockllm": _SCRIPTED,
}
"""What each of Inspect's model providers sends."""
# fmt: on
