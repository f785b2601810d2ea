"""``vr-evals fetch-local-model``: the weights of the small local model."""

import click

__all__ = ["fetch_local_model"]


@click.command()
def fetch_local_model() -> None:
    """Fetch the weights of vr_local/smollm2 (98 MB, once) into the user's cache folder."""
    from vr_evals.models.weights import fetch_weights

    fetch_weights(click.echo)
