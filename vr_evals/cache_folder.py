"""The folder of what can be fetched or computed again."""

import os
from pathlib import Path

__all__ = ["CACHE_VARIABLE", "cache_folder"]

CACHE_VARIABLE = "VR_EVALS_CACHE"
"""Environment variable that names another cache folder."""


def cache_folder() -> Path:
    """Return the user's cache folder for this package; it may not exist."""
    from platformdirs import user_cache_dir

    return Path(os.environ.get(CACHE_VARIABLE) or user_cache_dir("vr_evals")).expanduser()
