"""Where published rows and worked cases lie: for tests alone, not part of the project."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

__all__ = ["extraction_cases", "shared"]


def shared(*parts: str) -> Path:
    """A path below the folder of shared test data; the test is skipped where there is none.

    The folder is named by ``VR_EVALS_SHARED`` or stands beside the repository; in CI it must be
    there.
    """
    folder = Path(os.environ.get("VR_EVALS_SHARED", Path(__file__).parents[2] / "shared"))
    path = folder.joinpath(*parts)
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"no {path}")
        pytest.skip(f"no {path}")
    return path


def extraction_cases() -> list[dict[str, Any]]:
    """The worked cases of reading answers and confidences, one dictionary per reply."""
    return [
        json.loads(line)
        for name in ("extraction.jsonl", "extraction_2.jsonl")
        for line in shared("cases", name).read_text(encoding="utf-8").splitlines()
    ]
