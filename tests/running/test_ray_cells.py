"""What a node of a cluster says of the log folder and of itself, where all is not well."""

from pathlib import Path

import pytest

from vr_evals.errors import InputError
from vr_evals.running.ray_cells import FolderToken, NodeVersions


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    token = FolderToken(f"{tmp_path}/file/logs", ".token", "abc")
    with pytest.raises(InputError, match="file/logs: cannot write logs: .+"):
        token.write()


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (RuntimeError("Access\nDenied"), "Access Denied"),
        (RuntimeError(), "RuntimeError"),
        (FileNotFoundError("gone"), None),
    ],
)
def test_a_folder_that_cannot_be_read_is_named_with_the_reason(
    error: Exception, problem: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **given: object) -> None:
        raise error

    monkeypatch.setattr("fsspec.open", refuse)
    said = f": {problem}" if problem else " is another folder here, or does not exist"
    assert FolderToken(str(tmp_path), ".token", "abc").problem() == f"{tmp_path}{said}"


def test_versions_in_words() -> None:
    assert str(NodeVersions("0.2.0", "0.3.285")) == "vr-evals 0.2.0 and inspect-ai 0.3.285"
