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
            the model. (Only for SmolLM2: templates of other files are their own.)
        parallel: Requests that are decoded together. One is repeatable at temperature 0; more are
            faster, and a few in a hundred replies then differ between runs.
        context: Tokens that one request may hold, prompt and reply together. Memory for
            ``parallel`` times as many is taken at once (SmolLM2: 23 kB a token).
        threads: Threads that compute, or None for the CPUs that this process may use.
    """

    gguf: Path | None = None
    force_format: bool = False
    system_prompt: bool = True
    parallel: int = 1
    context: int = 8192
    threads: int | None = None


@dataclass(frozen=True)
class _Kind:
    """Which values an argument takes, and how a person reads that."""

    expected: str
    fits: Callable[[Any], bool]


def _whole(low: int, high: int) -> _Kind:
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
    "parallel": _whole(1, 32),
    "context": _whole(256, 1_048_576),
    "threads": _whole(1, 512),
}


def local_options(model_args: Mapping[str, object]) -> LocalOptions:
    """Check model arguments and give them their types.

    Args:
        model_args: Arguments by name, as ``-M`` or ``get_model()`` gave them.

    Raises:
        InputError: A name is unknown, a value has the wrong type or is out of range, or the file
            is not in GGUF.
    """
    for name, value in model_args.items():
        if name not in _KINDS:
            raise InputError(f"vr_local: unknown -M {name} (valid: {', '.join(sorted(_KINDS))})")
        if not _KINDS[name].fits(value):
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
        raise InputError(f"vr_local: -M gguf={path}: {error.strerror}") from error
    if magic != b"GGUF":
        raise InputError(f"vr_local: -M gguf={path}: not a GGUF file (it begins with {magic!r})")
    return file
