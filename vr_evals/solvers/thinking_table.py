"""Which models think, and in which words each provider is told to: the table to read and extend.

``FAMILIES`` says what a model can do, whoever serves it: the first pattern found in its name
counts. ``PROVIDERS`` says what one of Inspect's model providers puts into a request for which
names; ``tests/wire/test_every_pair.py`` compares each pair of the two with Inspect's own requests.
A ``Switch`` holds the words in which thinking is turned off and on. Nothing here decides anything:
``vr_evals.solvers.thinking_rules`` puts the three together.

To add a model, add a line to ``FAMILIES`` above the first pattern that would take it. Facts are
those of the providers' documentation and of Inspect 0.3.285. A family that nobody has checked has
``known=False``: it is never claimed to honour a condition, and never stops a run.
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

Thinks = Literal["never", "if asked", "unless told", "always", "unknown"]
"""When a model thinks. ``unless told`` thinks by default; ``unknown`` is left alone."""

Temperature = Literal["taken", "unless thinking", "never"]
"""When a model takes a temperature."""

When = Literal["always", "asked to think", "not told not to think"]
"""In which requests a provider leaves out the temperature."""


@dataclass(frozen=True)
class Switch:
    """The words in which thinking is turned off and on.

    Attributes:
        off: Settings that turn it off.
        on: Settings that turn it on, without saying how much.
    """

    off: GenerateConfigArgs
    on: GenerateConfigArgs


def _body(off: Mapping[str, object], on: Mapping[str, object]) -> Switch:
    """A switch that goes into the request as fields which Inspect has no name for."""
    return Switch(
        off=GenerateConfigArgs(extra_body=dict(off)),
        on=GenerateConfigArgs(extra_body=dict(on)) if on else {},
    )


EFFORT = Switch(off={"reasoning_effort": "none"}, on={})
THINKING = _body({"thinking": {"type": "disabled"}}, {"thinking": {"type": "enabled"}})
DEEPSEEK = Switch(off=EFFORT.off, on=THINKING.on)
TOGETHER = _body({"reasoning": {"enabled": False}}, {"reasoning": {"enabled": True}})
# for models that know no effort either: it turns their thinking on, and is all that does
ANY_EFFORT = Switch(off=EFFORT.off, on={"reasoning_effort": "low"})
OLLAMA = _body({"reasoning": {"effort": "none"}}, {})
# what the chat templates of Qwen, GLM and most others call it, and those of DeepSeek and Kimi
ENABLE_THINKING = _body(
    {"chat_template_kwargs": {"enable_thinking": False}},
    {"chat_template_kwargs": {"enable_thinking": True}},
)
TEMPLATE_THINKING = _body(
    {"chat_template_kwargs": {"thinking": False}}, {"chat_template_kwargs": {"thinking": True}}
)


@dataclass(frozen=True)
class Family:
    """What a family of models can do.

    Attributes:
        name: As logs and messages show it.
        pattern: Regular expression, searched in the lower-case name without Inspect's provider.
        thinks: When it thinks.
        effort: The ``reasoning_effort`` nearest to the condition's budget, or None where it knows
            none.
        least: Where it always thinks, the least it can be asked for: an effort, or tokens.
        budget: Whether it takes a budget of tokens.
        temperature: When it takes a temperature.
        switch: The words of its chat template, or None.
        note: What a reader of a log should know about turning its thinking off.
        off_is_exact: Whether its "off" is surely no thinking.
        known: Whether somebody has checked this family.
    """

    name: str
    pattern: str
    thinks: Thinks
    effort: Effort | None = None
    least: Effort | int | None = None
    budget: bool = False
    temperature: Temperature = "taken"
    switch: Switch | None = None
    note: str = ""
    off_is_exact: bool = True
    known: bool = True


# Claude takes budgets and temperatures up to 4.6, and from then on an effort and neither of them
_budget_claude = partial(Family, budget=True, effort="low", temperature="unless thinking")
_claude = partial(Family, effort="low", temperature="never")
_gpt = partial(Family, temperature="unless thinking", switch=EFFORT)
_always_gpt = partial(Family, thinks="always", temperature="never", switch=EFFORT)
_mistral = partial(Family, effort="high", switch=EFFORT)

# where a name begins, also behind a vendor (openai/, openai.) or in that of a tuned model (ft:)
_START = r"(?:^|[/.:])"
# a version that ends here or goes on with a date, not with another part of the version
_END = r"(?![0-9a-z])(?![-.]\d{1,2}(?!\d))"

_BETWEEN_TOOLS = "its off is thinking=between_tools: none before an answer, and no tools are used"
_MINIMAL = "Google promises the least thinking for Gemini 3 Flash, not none"

# fmt: off
FAMILIES: tuple[Family, ...] = (
    # Anthropic
    Family("Claude 3.5 and earlier", r"claude-(?:instant|[12](?!\d)|3(?![-.]7))", "never"),
    _budget_claude("Claude 3.7", r"claude-3[-.]7", "if asked"),
    _budget_claude("Claude 4.0 to 4.5", r"claude-[a-z]+-4[-.][015](?!\d)", "if asked"),
    _budget_claude("Claude 4.0 to 4.5", r"claude-[a-z]+-4[-@]20\d{6}", "if asked"),
    _budget_claude("Claude 4.0 to 4.5", r"claude-4(?:[-.][015])?-[a-z]", "if asked"),
    # OpenRouter's bare name is 4.0; Inspect's anthropic provider takes a bare 4 for a new model
    _budget_claude("Claude 4.0 to 4.5", rf"^anthropic/claude-[a-z]+-4{_END}", "if asked"),
    _budget_claude("Claude 4.6", r"claude-(?:[a-z]+-4[-.]6(?!\d)|4[-.]6-[a-z])", "if asked"),
    _claude("Claude 4.7 and 4.8", r"claude-[a-z]+-4[-.][78](?!\d)", "if asked"),
    _claude("Claude Opus 5 and Sonnet 5", rf"claude-(?:opus|sonnet)-5{_END}", "unless told"),
    _claude("Claude Sonnet 5.5", rf"claude-sonnet-5[-.]5{_END}", "unless told",
            note=_BETWEEN_TOOLS),
    _claude("Claude Haiku 5.5", rf"claude-haiku-5[-.]5{_END}", "unless told"),
    _claude("Claude Opus 5.5", rf"claude-opus-5[-.]5{_END}", "always", least="low"),
    _claude("Claude Fable 5 and 5.1", rf"claude-fable-5(?:[-.]1)?{_END}", "always", least="low"),
    _claude("Claude Mythos", rf"claude-mythos-(?:5(?:[-.]1)?{_END}|pre)", "always", least="low"),
    _claude("a new Claude", r"claude", "unless told", known=False),
    # OpenAI
    _always_gpt("gpt-oss", r"gpt-oss", effort="low", least="low", temperature="taken"),
    _gpt("GPT-4 and earlier", r"gpt-[34]|chatgpt-4", "never"),
    _gpt("GPT-5 chat", rf"gpt-5{_END}-chat", "never", temperature="never"),
    _gpt("GPT-5.x chat", r"gpt-5\.\d+-chat", "never"),
    _always_gpt("GPT-5 pro", rf"gpt-5{_END}-pro", effort="high", least="high"),
    _always_gpt("GPT-5.x pro", r"gpt-5\.\d+-pro", effort="medium", least="medium"),
    _always_gpt("GPT codex mini", r"codex-mini", effort="medium", least="medium"),
    _always_gpt("GPT codex", r"codex", effort="low", least="low"),
    _always_gpt("GPT-5", rf"gpt-5{_END}", effort="low", least="minimal"),
    _always_gpt("GPT-6 Astra and 6.1 Sol", r"gpt-6-astra|gpt-6\.1-sol", effort="low", least="low"),
    _gpt("GPT-5.1 to 5.4", r"gpt-5\.[1-4](?!\d)", "if asked", "low"),
    _gpt("GPT-5.5 and 5.6", r"gpt-5\.[56](?!\d)", "unless told", "low"),
    _gpt("GPT-6 Sol and Luna", r"gpt-6-(?:sol|luna)", "unless told", "low"),
    _always_gpt("o1-mini and o1-preview", rf"{_START}o1-(?:mini|preview)"),
    _always_gpt("OpenAI o series", rf"{_START}o[134](?:[-:@]|$)", effort="low", least="low"),
    _always_gpt("a new OpenAI o", rf"{_START}o\d+(?:[-:@]|$)", effort="low", least="low",
                known=False),
    _gpt("a new GPT", r"gpt-\d", "unless told", "low", known=False),
    # Google
    Family("Gemini 2.0 and earlier", r"gemini-(?:1|2\.0)", "never"),
    Family("Gemini 2.5 Pro", r"gemini-2\.5-pro", "always", budget=True, least=128),
    Family("Gemini 2.5 Flash", r"gemini-2\.5", "unless told", budget=True),
    Family("Gemini 3 Pro", r"gemini-3(?:\.\d+)?-pro", "always", "low", "low"),
    Family("Gemini 3 Flash", r"gemini-3(?:\.\d+)?-flash", "unless told", "low", note=_MINIMAL,
           off_is_exact=False),
    Family("a new Gemini", r"gemini", "unless told", "low", known=False),
    # DeepSeek, Moonshot
    Family("DeepSeek R1", r"deepseek-(?:r1|reasoner)", "always"),
    Family("DeepSeek chat", r"deepseek-chat", "if asked", switch=TEMPLATE_THINKING),
    Family("DeepSeek V3.1 and 3.2", r"deepseek-v3\.[12]", "if asked", switch=TEMPLATE_THINKING),
    Family("DeepSeek V4", r"deepseek-(?:v4|flash)", "unless told", "low",
           temperature="unless thinking", switch=TEMPLATE_THINKING),
    Family("DeepSeek V3 and earlier", r"deepseek-(?:v[23]|coder|llm)", "never"),
    Family("a new DeepSeek", r"deepseek", "unless told", switch=TEMPLATE_THINKING, known=False),
    Family("Kimi K2.7 and K2 Thinking", r"kimi-k2(?:[-.]7|-thinking)", "always"),
    Family("Kimi K3", r"kimi-k3", "always", "low", "low"),
    Family("Kimi K2.5 and 2.6", r"kimi-k2[-.][56]", "unless told", switch=TEMPLATE_THINKING),
    Family("Kimi K2, Moonshot v1", r"kimi-k2|moonshot-v1", "never"),
    Family("a new Kimi", r"kimi", "unless told", switch=TEMPLATE_THINKING, known=False),
    # xAI, Meta, Mistral, Amazon
    Family("Grok without reasoning", r"grok-(?:[12]|3(?!-mini)|.*non-reasoning)", "never"),
    Family("Grok 4.0 and Code", r"grok-(?:4(?:-0709|-latest)?$|code)", "always"),
    Family("Grok 4.3", r"grok-4[-.]3", "unless told", "low"),
    Family("Grok 3 mini and 4.x", r"grok-(?:3-mini|4)", "always", "low", "low"),
    Family("a new Grok", r"grok", "always", "low", "low", known=False),
    Family("Muse", r"muse-(?:spark|wonder)-\d", "always", "low", "low"),
    Family("Magistral", r"magistral", "always"),
    _mistral("Mistral Medium 3.5", r"mistral-medium-(?:3[-.]5|2604)", "if asked"),
    _mistral("Mistral Small 4", r"mistral-small-(?:4|2603)", "if asked"),
    _mistral("the newest Mistral", r"mistral-(?:medium|small)-latest", "if asked", known=False),
    Family("Mistral", r"mistral|ministral|mixtral|codestral|devstral|pixtral", "never"),
    Family("Nova 1", r"nova-(?:micro|lite|pro|premier)-v1", "never"),
    Family("Nova 2", r"nova-2", "if asked", "low"),
    # open weights
    Family("Qwen3 Thinking, QwQ", r"qwen3.*thinking|qwq|qvq", "always", budget=True),
    Family("Qwen3 Instruct, Qwen2", r"qwen3.*(?:instruct|coder)|qwen-?v?[12]", "never"),
    Family("Qwen3", r"qwen-?3", "unless told", budget=True, switch=ENABLE_THINKING),
    Family("GLM 4.5 and later", r"glm-(?:4\.[5-9]|[5-9])", "unless told", switch=ENABLE_THINKING),
    Family("an open model", r"nemotron|cogito|thinker|reason", "unknown", known=False),
    Family("Llama, Gemma 3, Phi 3", r"llama-?v?[234]|gemma-?[23]|phi-?3", "never"),
    Family("SmolLM2", r"smollm2", "never"),
    # a deployment's name says nothing of its model
    Family("an Azure deployment", r"^azure/", "unknown", known=False),
)
"""What each family of models can do; the first pattern that is found counts."""
# fmt: on

_NEWEST = {family.name: family for family in FAMILIES if not family.known}
HYBRID = Family(
    "a hybrid model", "", "unless told", budget=True, switch=ENABLE_THINKING, known=False
)
UNKNOWN = Family("an unknown model", "", "unknown", known=False)


@dataclass(frozen=True)
class Provider:
    """What one of Inspect's model providers puts into a request.

    Names are regular expressions, searched in a model's name as it is typed, without Inspect's
    provider: ``""`` is all names, None is none.

    Attributes:
        switch: Its words for off and on; ``family`` for those of the model's chat template; None
            where it has none.
        switched: Names for which the word for off gets into the request.
        budgets: Names for which ``reasoning_tokens`` does.
        efforts: Names for which ``reasoning_effort`` does.
        minimal: Whether the effort ``minimal`` is sent as such, not as ``low``.
        newest: The family that a name which no pattern knows is taken for.
        asked_with: What turns thinking on for the families that need other settings here.
        no_temperature: Names for which the temperature is left out, and when.
        local: Whether models run on the user's own machines, or are not real.
        known: Whether it is known what the service behind it makes of the settings.
        note: What the user can do where this provider has no switch.
    """

    switch: Switch | Literal["family"] | None = None
    switched: str = ""
    budgets: str | None = None
    efforts: str | None = None
    minimal: bool = False
    newest: Family = UNKNOWN
    asked_with: Mapping[str, GenerateConfigArgs] | None = None
    no_temperature: Mapping[When, str] | None = None
    local: bool = False
    known: bool = True
    note: str = ""


_ALL = ""

# names by which Inspect's providers tell models apart, in the letter case that they ask for
_OLD_CLAUDE = r"claude-(?:3-(?:[A-Za-z]|5-|7-)|[A-Za-z]+-4(?:-[0156]|[-@]20\d{6}))"
_BUDGET_CLAUDE = r"claude-(?:3-7-|[A-Za-z]+-4(?:-[0156]|[-@]20\d{6}))"
_POINT_FIVE = r"5[-.](?:[5-9]|[1-9]\d)(?![0-9A-Za-z])"
_ALWAYS_CLAUDE = (
    rf"claude-(?:opus-{_POINT_FIVE}|(?!\w*opus|\w*sonnet|haiku-{_POINT_FIVE})[A-Za-z]+-5)"
)
_SWITCHED_CLAUDE = rf"^(?!.*(?:{_OLD_CLAUDE}|{_ALWAYS_CLAUDE}))"
_EFFORT_CLAUDE = rf"^(?!.*{_OLD_CLAUDE})|claude-[A-Za-z]+-4-6"

# Inspect's bedrock provider knows no effort of Claude 5: tokens turn its thinking on, at `effort`
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
    "asked to think": _SWITCHED_GPT,
    "not told not to think": _THINKING_GPT,
}
# what is not known to be anything else may be a code name of OpenAI's next model
_CODE_NAME = (
    r"^(?!azure/|bedrock/)(?!.*(?:gpt|codex|deep-research|embedding|whisper|dall-e|tts|moderation"
    r"|image-1|sora))"
)
_OPENAI: Mapping[When, str] = {
    **_RESPONSES,
    "asked to think": rf"{_SWITCHED_GPT}|{_CODE_NAME}",
}
_OPENAI_EFFORTS = rf"(?i){_O}|codex|^(?!.*-chat).*gpt-[5-9](?!\d)|^(?!.*-chat){_CODE_NAME[1:]}"
_GEMINI = (
    r"gemini-(?!1\.5|2\.0)|^(?!vertex/)(?!(?i:.*(?:gemini|embedding|imagen|veo|gemma|aqa|learnlm"
    r"|tts)))"
)
_SWITCHED_GEMINI = rf"^(?!.*-pro[^/]*$)(?:.*{_GEMINI})"
_GROK = r"grok-3-mini|^(?!.*grok-[23])(?!grok-4(?:-latest)?$|grok-4-0709)"

# of "none" as an effort, which a family's own words may be
_WITHOUT_NONE = r"(?i)^(?!.*(?:gpt|codex|mistral|(?:^|[/.:])o\d))"

_SERVER = Provider("family", efforts=_ALL, minimal=True, newest=HYBRID, local=True)
_SERVICE = Provider("family", efforts=_ALL, minimal=True, known=False)
_SCRIPTED = Provider(EFFORT, budgets=_ALL, newest=HYBRID, local=True)

UNKNOWN_PROVIDER = Provider(EFFORT, budgets=_ALL, newest=HYBRID, known=False)
"""Inspect's own words: a provider that does not know them leaves them out."""

# fmt: off
PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Provider(EFFORT, _SWITCHED_CLAUDE, budgets=_BUDGET_CLAUDE, efforts=_EFFORT_CLAUDE,
                          newest=_NEWEST["a new Claude"], no_temperature={"always": _ALL}),
    "bedrock": Provider(None, budgets=r"(?i)claude", efforts=_BEDROCK_EFFORTS, asked_with=_BEDROCK,
                        minimal=True,
                        no_temperature={"always": _BEDROCK_FIXED,
                                        "asked to think": _BEDROCK_THINKS},
                        note="its anthropic/bedrock/ models can"),
    "openai": Provider(EFFORT, _OPENAI_EFFORTS, efforts=_OPENAI_EFFORTS, minimal=True,
                       newest=_NEWEST["a new GPT"], no_temperature=_OPENAI),
    "google": Provider(EFFORT, _SWITCHED_GEMINI, budgets=_GEMINI, efforts=_GEMINI,
                       newest=_NEWEST["a new Gemini"]),
    "openrouter": Provider(ANY_EFFORT, budgets=_ALL, efforts=_ALL, minimal=True, newest=HYBRID),
    "deepseek": Provider(DEEPSEEK, efforts=r"(?i)deepseek", newest=_NEWEST["a new DeepSeek"]),
    # no efforts: Inspect turns any effort for Kimi K3 into "max"
    "moonshot": Provider(THINKING, newest=_NEWEST["a new Kimi"],
                         no_temperature={"always": r"(?i)^kimi"}),
    "grok": Provider(None, efforts=_GROK, newest=_NEWEST["a new Grok"]),
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
    "sagemaker": Provider("family", _WITHOUT_NONE, efforts=_ALL, newest=HYBRID, local=True),
    "ollama": Provider(OLLAMA, efforts=_ALL, newest=HYBRID, local=True),
    "hf": Provider(None, local=True, known=False, note="-M enable_thinking=false (or true) does"),
    "llama-cpp-python": Provider(None, local=True),
    "transformer_lens": Provider(None, local=True),
    "nnterp": Provider(None, local=True),
    "vr_local": Provider(None, local=True),
    "vr_sim": _SCRIPTED,
    "mockllm": _SCRIPTED,
}
"""What each of Inspect's model providers passes on."""
# fmt: on
