"""Replace files atomically."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

__all__ = ["replacing"]


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary file to write to, and move it to a path when the block ends.

    If the block or the writing fails, e.g. on a full disk, the old file is unchanged. A local file
    is written in the target's folder and renamed: symlinks are kept, and the new file has the mode
    of the old one. Other than regular files, e.g. pipes, are written directly. The file of a URL is
    written locally, uploaded under a temporary name, and moved.

    Args:
        path: A path, or the URL of a file in any file system that fsspec knows.

    Raises:
        OSError: Writing the file failed.
    """
    name = os.fspath(path)
    if "://" in name:
        yield from _remote(name)
    else:
        yield from _local(Path(os.path.realpath(name)))


def _local(target: Path) -> Iterator[Path]:
    exists = target.exists()
    if exists and not stat.S_ISREG(target.stat().st_mode):
        yield target
        return
    if exists and not os.access(target, os.W_OK):
        raise PermissionError(None, "the file is read-only", str(target))
    part = _beside(target)
    try:
        part.touch(exist_ok=False)
        if exists:
            shutil.copymode(target, part)
        yield part
        _to_disk(part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _beside(target: Path) -> Path:
    """Return an unused name in the same folder, hidden and short enough for any file system."""
    return target.with_name(f".{target.name[:60]}.{uuid4().hex[:12]}.part")


def _to_disk(path: Path) -> None:
    """Flush a file to disk: some file systems report only then that they are full."""
    with path.open("r+b") as file:  # Windows does not sync files open for reading
        os.fsync(file.fileno())


def _remote(url: str) -> Iterator[Path]:
    from fsspec.core import url_to_fs

    filesystem, target = url_to_fs(url)
    part = f"{target}.{uuid4().hex[:12]}.part"
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder) / "written"
        yield local
        try:
            filesystem.put_file(str(local), part)
            filesystem.mv(part, target)
        except OSError:
            raise
        except Exception as error:  # each file system has its own exceptions
            raise OSError(None, " ".join(str(error).split()) or type(error).__name__) from error
        finally:
            with suppress(Exception):
                filesystem.rm_file(part)
