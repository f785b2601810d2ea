"""Read pinned files of the Hugging Face hub and verify their content."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from vr_evals.benchmarks.files import Row, read_rows
from vr_evals.errors import InputError

__all__ = ["HubFile", "HubRows", "content_hash", "read_hub_file"]


_TIMEOUT = 5
"""Seconds to wait for the hub's first response."""


@dataclass(frozen=True)
class HubFile:
    """A pinned file of a hub data set.

    Attributes:
        repo: The repository, e.g. ``hendrycks/ethics``.
        revision: The commit, 40 hex digits.
        path: Path of the file in the repository.
        content: Returns the part of the rows that is hashed; None without a hash.
        sha256: SHA-256 of that content as compact JSON.
        config: Configuration and split to load if the pinned file is gone; the hash shows whether
            their content is the same.
    """

    repo: str
    revision: str
    path: str
    content: Callable[[Sequence[Row]], list[list[object]]] | None = None
    sha256: str | None = None
    config: tuple[str, str] | None = None


@dataclass(frozen=True)
class HubRows:
    """The content of a hub file.

    Attributes:
        rows: Its rows.
        revision: The commit that was read.
        sha256: Hash of the content, or None if none is defined.
    """

    rows: tuple[Row, ...]
    revision: str
    sha256: str | None


def content_hash(rows: Sequence[Row], content: Callable[[Sequence[Row]], object]) -> str:
    """Return the SHA-256 of the rows' content as compact JSON in UTF-8."""
    compact = json.dumps(content(rows), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(compact.encode()).hexdigest()


@lru_cache(maxsize=8)
def read_hub_file(file: HubFile, accept_changed_data: bool = False) -> HubRows:
    """Read a pinned file from the local cache or the hub, and verify its content.

    Args:
        file: The pinned file.
        accept_changed_data: Accept content whose hash differs from the pinned one.

    Raises:
        InputError: The hub is not reachable, refuses access, does not have the file, or its content
            changed.
    """
    rows, revision = _fetch(file)
    if file.content is None:
        return HubRows(rows, revision, None)
    try:
        found = content_hash(rows, file.content)
    except KeyError as error:
        found = f"none (missing column {error})"
    if found != file.sha256 and not accept_changed_data:
        raise InputError(
            f"invalid content hash of {file.repo} {file.path}: {found}, expected {file.sha256}; "
            "-T accept_changed_data=true accepts the changed data and notes it in the log"
        )
    return HubRows(rows, revision, found)


def _fetch(file: HubFile) -> tuple[tuple[Row, ...], str]:
    from huggingface_hub import errors, hf_hub_download

    download = partial(
        hf_hub_download, file.repo, file.path, repo_type="dataset", revision=file.revision
    )
    try:
        # a pinned file never changes, so a cached one needs no network
        try:
            path = str(download(local_files_only=True))
        except errors.LocalEntryNotFoundError:
            _check_reachable()
            path = str(download(etag_timeout=_TIMEOUT))
        return tuple(read_rows(path)), file.revision
    except (errors.RemoteEntryNotFoundError, errors.RevisionNotFoundError):
        if file.config is None:
            raise InputError(
                f"{file.repo}: {file.path} not found at revision {file.revision}"
            ) from None
        return _fetch_config(file, *file.config)
    except InputError:
        raise
    except Exception as error:
        raise _reachable_error(file, error) from None


def _check_reachable() -> None:
    """Raise at once if the hub is not reachable; its own client would retry for 30 seconds."""
    from huggingface_hub import constants, get_session

    if not constants.HF_HUB_OFFLINE:
        get_session().head(constants.ENDPOINT, timeout=_TIMEOUT)


def _fetch_config(file: HubFile, config: str, split: str) -> tuple[tuple[Row, ...], str]:
    """Return the current rows of a configuration, for a pinned file that is gone."""
    from datasets import load_dataset
    from huggingface_hub import dataset_info

    try:
        revision = str(dataset_info(file.repo).sha)
    except Exception as error:
        raise _reachable_error(file, error) from None
    try:
        rows = load_dataset(file.repo, config, split=split, revision=revision).to_list()
    except Exception as error:
        raise InputError(
            f"{file.repo}: {file.path} not found at revision {file.revision}, and reading split "
            f"{split} of configuration {config} failed ({type(error).__name__})"
        ) from None
    return tuple(rows), revision


def _reachable_error(file: HubFile, error: Exception) -> InputError:
    """Return the error message of a failed download."""
    from huggingface_hub import errors

    failed = f"failed to read -T dataset=hub, {file.repo} {file.path}"
    if isinstance(error, errors.GatedRepoError):
        return InputError(f"{failed}: gated; accept its terms on the hub and set HF_TOKEN")
    # LocalEntryNotFoundError has the hub's own error as its cause
    cause = error.__cause__ if isinstance(error, errors.LocalEntryNotFoundError) else error
    status = getattr(getattr(cause, "response", None), "status_code", None)
    if isinstance(error, errors.RepositoryNotFoundError) or status in (401, 403):
        return InputError(
            f"{failed}: access refused (HTTP {status}); set HF_TOKEN to a token with read access, "
            "or use -T dataset=sample"
        )
    if status is not None:
        return InputError(f"{failed}: the hub responded with HTTP {status}; try again later")
    return InputError(
        f"{failed}: the hub is not reachable and the file is not cached; "
        "connect once, or use -T dataset=sample or your own file"
    )
