"""Nothing that is read may become code: no call in the package could make it so."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import vr_evals

PACKAGE = Path(vr_evals.__file__).parent
FORBIDDEN_IMPORTS = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve"}
FORBIDDEN_CALLS = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "yaml.load",
    "yaml.unsafe_load", "pd.read_pickle", "torch.load", "pd.eval",
}  # fmt: skip
FORBIDDEN_METHODS = {"read_pickle", "to_pickle", "query"}
FORBIDDEN_ARGUMENTS = {"shell", "trust_remote_code", "allow_pickle"}


def faults(source: str) -> Iterator[str]:
    """What in a source could run data as code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.split(".")[0] in FORBIDDEN_IMPORTS)
        elif isinstance(node, ast.ImportFrom):
            if (node.module or "").split(".")[0] in FORBIDDEN_IMPORTS:
                yield f"from {node.module}"
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in FORBIDDEN_CALLS or name.split(".")[-1] in FORBIDDEN_METHODS:
                yield name
            for given in node.keywords:
                says_no = isinstance(given.value, ast.Constant) and given.value.value is False
                if given.arg in FORBIDDEN_ARGUMENTS and not says_no:
                    yield f"{name}({given.arg}=…)"


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from joblib import load",
        "eval('1')",
        "import yaml\nyaml.load(x)",
        "subprocess.run('x', shell=True)",
        "load_dataset(x, trust_remote_code=given)",
        "np.load(x, allow_pickle=True)",
        "frame.query(x)",
    ],
)
def test_the_check_sees(source: str) -> None:
    assert list(faults(source))


def test_no_source_runs_data_as_code() -> None:
    sources = sorted(PACKAGE.rglob("*.py"))
    assert len(sources) > 50
    found = {str(p): list(faults(p.read_text(encoding="utf-8"))) for p in sources}
    assert {path: said for path, said in found.items() if said} == {}
