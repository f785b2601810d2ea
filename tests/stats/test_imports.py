import pkgutil
import sys

import pytest

import vr_evals.stats
from tests.processes import completed

MODULES = [module.name for module in pkgutil.iter_modules(vr_evals.stats.__path__)]


def test_importing_is_cheap() -> None:
    """Inspect loads plugins at every command: numpy and its friends wait until they are used."""
    imports = "; ".join(f"import vr_evals.stats.{name}" for name in MODULES)
    check = "import sys; print(sorted({'numpy', 'scipy', 'pandas', 'inspect_ai'} & {*sys.modules}))"
    command = [sys.executable, "-c", f"{imports}; {check}"]
    assert completed(command).stdout.strip() == "[]"


@pytest.mark.parametrize("name", MODULES)
def test_public_names_exist(name: str) -> None:
    module = __import__(f"vr_evals.stats.{name}", fromlist=["__all__"])
    assert module.__all__ == sorted(module.__all__)
    for public in module.__all__:
        assert hasattr(module, public)
