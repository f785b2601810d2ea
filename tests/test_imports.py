"""Every Inspect command loads every plugin: ours must cost next to nothing."""

import subprocess
import sys

import pytest

HEAVY = (
    "pandas",
    "pyarrow",
    "datasets",
    "scipy",
    "altair",
    "httpx",
    "xllamacpp",
    "huggingface_hub",
)


@pytest.mark.parametrize("module", ["vr_evals", "vr_evals._registry", "vr_evals.cli"])
def test_importing_us_adds_nothing_heavy_to_what_inspect_loads(module: str) -> None:
    code = (
        "import sys, inspect_ai, inspect_ai.model, inspect_ai.scorer, inspect_ai.solver\n"
        "import inspect_ai.viewer, inspect_ai.dataset, inspect_ai.util\n"
        f"before = set(sys.modules)\nimport {module}\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    added = done.stdout.split()
    assert module in added or module == "vr_evals"
    assert not [name for name in added if name.split(".")[0] in HEAVY]
