"""Pinned files of the Hugging Face hub, read as plain files and verified by their content."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from vr_evals.benchmarks.files import Row, read_rows
from vr_evals.errors import InputError

__all__ = ["HubFile", "HubRows", "content_hash", "read_hub_file"]


_TIMEOUT = 5
"""Seconds to wait for the hub's first answer."""


@dataclass(frozen=True)
class HubFile:
    """A file of a hub data set, pinned.

    Attributes:
        repo: Such as ``hendrycks/ethics``.
        revision: The commit, 40 hex digits.
        path: Path of the file in the repository.
        content: The part of the rows that their hash is taken of, or None where none is known.
        sha256: SHA-256 of that content as compact JSON.
        config: Configuration and split to load where the pinned file is gone; the hash decides
            whether what they hold is the same.
    """

    repo: str
    revision: str
    path: str
    content: Callable[[Sequence[Row]], list[list[object]]] | None = None
    sha256: str | None = None
    config: tuple[str, str] | None = None


@dataclass(frozen=True)
class HubRows:
    """What a hub file held.

    Attributes:
        rows: Its rows.
        revision: The commit that was read.
        sha256: Hash of the content, or None where none is defined.
    """

    rows: tuple[Row, ...]
    revision: str
    sha256: str | None


def content_hash(rows: Sequence[Row], content: Callable[[Sequence[Row]], object]) -> str:
    """SHA-256 of the rows' content as compact JSON in UTF-8."""
    compact = json.dumps(content(rows), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(compact.encode()).hexdigest()


@lru_cache(maxsize=8)
def read_hub_file(file: HubFile, accept_changed_data: bool = False) -> HubRows:
    """Read a pinned file, from the local cache or from the hub, and verify its content.

    Args:
        file: The pinned file.
        accept_changed_data: Take content whose hash differs from the pinned one.

    Raises:
        InputError: The hub is out of reach, refuses, has no such file, or the content changed.
    """
    rows, revision = _fetch(file)
    if file.content is None:
        return HubRows(rows, revision, None)
    try:
        found = content_hash(rows, file.content)
    except KeyError as error:
        found = f"none, for want of a column {error}"
    if found != file.sha256 and not accept_changed_data:
        raise InputError(
            f"{file.repo} {file.path}: content hash {found}, wanted {file.sha256}; "
            "-T accept_changed_data=true takes the changed data and says so in the log"
        )
    return HubRows(rows, revision, found)


def _fetch(file: HubFile) -> tuple[tuple[Row, ...], str]:
    from huggingface_hub import errors, hf_hub_download

    download = partial(
        hf_hub_download, file.repo, file.path, repo_type="dataset", revision=file.revision
    )
    try:
        # a pinned file never changes: where it is in the cache nothing is asked of the network
        try:
            path = str(download(local_files_only=True))
        except errors.LocalEntryNotFoundError:
            _check_reachable()
            path = str(download(etag_timeout=_TIMEOUT))
        return tuple(read_rows(path)), file.revision
    except (errors.RemoteEntryNotFoundError, errors.RevisionNotFoundError):
        if file.config is None:
            raise InputError(f"{file.repo}: no {file.path} at revision {file.revision}") from None
        return _fetch_config(file, *file.config)
    except InputError:
        raise
    except Exception as error:
        raise _reachable_error(file, error) from None


def _check_reachable() -> None:
    """Raise at once where nobody answers: the hub's own client would retry for half a minute."""
    from huggingface_hub import constants, get_session

    if not constants.HF_HUB_OFFLINE:
        get_session().head(constants.ENDPOINT, timeout=_TIMEOUT)


def _fetch_config(file: HubFile, config: str, split: str) -> tuple[tuple[Row, ...], str]:
    """The newest rows of a configuration, where the pinned file is gone."""
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
            f"{file.repo}: no {file.path} at revision {file.revision}, and split {split} of its "
            f"configuration {config} cannot be read either ({type(error).__name__})"
        ) from None
    return tuple(rows), revision


def _reachable_error(file: HubFile, error: Exception) -> InputError:
    """What a failed download means to a person."""
    from huggingface_hub import errors

    where = f"dataset=hub: {file.repo} {file.path}"
    if isinstance(error, errors.GatedRepoError):
        return InputError(f"{where}: access is gated; accept its terms on the hub and set HF_TOKEN")
    # the cause of "not in the cache either" is what the hub said
    said = error.__cause__ if isinstance(error, errors.LocalEntryNotFoundError) else error
    status = getattr(getattr(said, "response", None), "status_code", None)
    if isinstance(error, errors.RepositoryNotFoundError) or status in (401, 403):
        return InputError(
            f"{where}: the hub refused ({status}); set HF_TOKEN to a token that may read it, "
            "or use -T dataset=sample"
        )
    if status is not None:
        return InputError(f"{where}: the hub answered {status}; try again later")
    return InputError(
        f"{where}: the hub is out of reach and the file is not in the local cache; "
        "connect once, or use -T dataset=sample or a file of your own"
    )
