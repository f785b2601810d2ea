"""Every Inspect command loads every plugin: ours must cost next to nothing."""

import json
import sys

from tests.processes import completed

HEAVY = (
    "pandas",
    "pyarrow",
    "datasets",
    "scipy",
    "httpx",
    "xllamacpp",
    "huggingface_hub",
    "ray",
)


MODULES = ("vr_evals", "vr_evals._registry", "vr_evals.cli")


def test_importing_us_adds_nothing_heavy_to_what_inspect_loads() -> None:
    code = (
        "import importlib, json, sys, inspect_ai, inspect_ai.model, inspect_ai.scorer\n"
        "import inspect_ai.solver, inspect_ai.viewer, inspect_ai.dataset, inspect_ai.util\n"
        "before = set(sys.modules)\n"
        f"for module in {MODULES}: importlib.import_module(module)\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    done = completed([sys.executable, "-c", code])
    assert done.returncode == 0, done.stderr
    added = json.loads(done.stdout)
    assert {"vr_evals._registry", "vr_evals.cli"} <= set(added)
    assert not [name for name in added if name.split(".")[0] in HEAVY]
