"""``vr-evals cache``: the tables of logs that were read before."""

import click

__all__ = ["cache"]


@click.group()
def cache() -> None:
    """Manage the cache of logs."""


@cache.command()
def clear() -> None:
    """Remove the cached rows of all logs; the logs themselves are kept."""
    from vr_evals.analysis.log_cache import LogCache, default_folder
    from vr_evals.errors import InputError
    from vr_evals.formatting import plural

    folder = default_folder()
    try:
        count, size = LogCache(folder).clear()
    except OSError as error:
        raise InputError(f"{folder}: failed to clear: {error.strerror or error}") from None
    click.echo(f"cleared {folder}: {plural(count, 'log')}, {size / 1e6:.1f} MB")
