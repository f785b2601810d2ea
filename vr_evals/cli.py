"""The ``vr-evals`` command. Heavy imports wait inside each command."""

import click

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vr-evals", message="%(package)s %(version)s")
def main() -> None:
    """Reflection, thinking and confidence in language models' moral judgements.

    The evaluations themselves run with Inspect: inspect eval vr_evals/ethics_level5 --model ...
    """


@main.command()
def fetch_local_model() -> None:
    """Fetch the weights of vr_local/smollm2 (98 MB, once) into the user's cache folder."""
    from vr_evals.models.weights import fetch_weights

    fetch_weights(say=click.echo)


@main.command()
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print the same as JSON.")
def thinking(models: tuple[str, ...], as_json: bool) -> None:
    """Show what thinking off and on come to on a model. No model is called.

    MODEL is a name as it is typed after --model, such as openai/gpt-5.1. docs/thinking.md says what
    the statuses mean.
    """
    import json

    from rich.console import Console

    from vr_evals.thinking_overview import as_dict, as_table

    if as_json:
        click.echo(json.dumps([as_dict(model) for model in models], indent=2))
    else:
        Console().print(*map(as_table, models), sep="\n")
