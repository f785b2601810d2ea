"""The error of the estimate of tokens, by real tokenizers that come in wheels of PyPI.

Needs `pip install litellm mistral-common tiktoken tokenizers` and prints a table: estimated tokens
of the prompts of all sample items at all levels, for one of each tokenizer. No network is used.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from vr_evals.analysis.tokens import estimated_tokens
from vr_evals.commands.sent_prompts import FIRST_RESPONSE, sent
from vr_evals.running.catalogue import catalogue

BENCHMARKS = ("ethics", "moralchoice", "morables")
VOCABULARIES = "litellm_core_utils/tokenizers"


def prompts(benchmark: str) -> Iterator[str]:
    """The prompts of a benchmark's sample items, by level and under authority."""
    for name, entry in catalogue().items():
        paradigm = name == f"{benchmark}_authority"
        if paradigm or (name.startswith(f"{benchmark}_level") and not name.endswith("thinking")):
            task = entry.make(dataset="sample")
            for sample in task.dataset:
                for call in sent(task, sample).calls:
                    yield call[-1].content.replace(FIRST_RESPONSE, "")


def tokenizers() -> dict[str, Callable[[str], int]]:
    """What counts tokens, by name."""
    litellm = importlib.util.find_spec("litellm")
    if litellm is None or litellm.submodule_search_locations is None:
        raise SystemExit("missing litellm: pip install litellm mistral-common tiktoken tokenizers")
    folder = Path(litellm.submodule_search_locations[0]) / VOCABULARIES
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer
    from tokenizers import Tokenizer

    found: dict[str, Callable[[str], int]] = {}
    for name in ("cl100k_base", "o200k_base"):
        encoding = tiktoken.get_encoding(name)
        found[f"OpenAI {name}"] = lambda text, own=encoding: len(own.encode_ordinary(text))
    for name, file in (("Claude (published)", "anthropic"), ("DeepSeek", "deepseek")):
        own = Tokenizer.from_file(str(folder / f"{file}_tokenizer.json"))
        found[name] = lambda text, own=own: len(own.encode(text, add_special_tokens=False).ids)
    tekken = MistralTokenizer.v3(is_tekken=True).instruct_tokenizer.tokenizer
    found["Mistral Tekken"] = lambda text: len(tekken.encode(text, bos=False, eos=False))
    return found


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    texts = {benchmark: list(prompts(benchmark)) for benchmark in BENCHMARKS}
    print(f"| tokenizer | {' | '.join(BENCHMARKS)} | all |")
    print("| --- | --- | --- | --- | --- |")
    for name, count in tokenizers().items():
        own = {key: sum(map(estimated_tokens, each)) for key, each in texts.items()}
        real = {key: sum(map(count, each)) for key, each in texts.items()}
        ratios = [own[key] / real[key] for key in BENCHMARKS]
        ratios.append(sum(own.values()) / sum(real.values()))
        print(f"| {name} | {' | '.join(f'{100 * (ratio - 1):+.1f} %' for ratio in ratios)} |")


if __name__ == "__main__":
    main()
