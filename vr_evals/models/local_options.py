"""The model arguments (``-M name=value``) of ``vr_local``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vr_evals.errors import InputError

__all__ = ["LocalOptions", "local_options"]


@dataclass(frozen=True)
class LocalOptions:
    """The model arguments of ``vr_local``.

    Attributes:
        gguf: A GGUF file to run instead of SmolLM2-135M-Instruct.
        force_format: Whether sampling is constrained to the format that the prompt asks for.
        system_prompt: Whether SmolLM2's chat template may add its own system message, which names
            the model. (Only for SmolLM2: other files have their own templates.)
        parallel: Requests decoded together. One is repeatable at temperature 0; more are faster,
            but a few percent of replies then differ between runs.
        context: Token limit of a request, prompt and reply together. Memory for ``parallel`` times
            as many is allocated at once (SmolLM2: 23 kB per token).
        threads: Compute threads, or None for the CPUs that this process may use.
    """

    gguf: Path | None = None
    force_format: bool = False
    system_prompt: bool = True
    parallel: int = 1
    context: int = 8192
    threads: int | None = None


@dataclass(frozen=True)
class _Kind:
    """The valid values of an argument, in words and as a check."""

    expected: str
    is_valid: Callable[[Any], bool]


def _integer(low: int, high: int) -> _Kind:
    return _Kind(
        f"an integer from {low:,} to {high:,}",
        lambda value: (
            isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        ),
    )


_TRUTH = _Kind("true or false", lambda value: isinstance(value, bool))
_KINDS = {
    "gguf": _Kind("the path of a GGUF file", lambda value: isinstance(value, str | Path)),
    "force_format": _TRUTH,
    "system_prompt": _TRUTH,
    "parallel": _integer(1, 32),
    "context": _integer(256, 1_048_576),
    "threads": _integer(1, 512),
}


def local_options(model_args: Mapping[str, object]) -> LocalOptions:
    """Check model arguments and convert them to their types.

    Args:
        model_args: Arguments by name, from ``-M`` or ``get_model()``.

    Raises:
        InputError: A name is unknown, a value has the wrong type or is out of range, or the file
            is not GGUF.
    """
    for name, value in model_args.items():
        if name not in _KINDS:
            raise InputError(f"vr_local: unknown -M {name} (valid: {', '.join(sorted(_KINDS))})")
        if not _KINDS[name].is_valid(value):
            raise InputError(
                f"vr_local: invalid -M {name}={value!r}: expected {_KINDS[name].expected}"
            )
    options: dict[str, Any] = dict(model_args)
    if "gguf" in options:
        options["gguf"] = _gguf_file(options["gguf"])
        if options.get("system_prompt") is False:
            raise InputError(
                "vr_local: -M system_prompt=false is not supported with -M gguf (SmolLM2 only)"
            )
    return LocalOptions(**options)


def _gguf_file(path: str | Path) -> Path:
    file = Path(path).expanduser().absolute()
    try:
        with file.open("rb") as opened:
            magic = opened.read(4)
    except OSError as error:
        raise InputError(f"vr_local: invalid -M gguf '{path}': {error.strerror}") from error
    if magic != b"GGUF":
        raise InputError(
            f"vr_local: invalid -M gguf '{path}': expected a GGUF file, found first bytes {magic!r}"
        )
    return file
