"""``vr-evals thinking``: show the settings of both thinking conditions on a model."""

import click

__all__ = ["thinking"]


@click.command()
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def thinking(models: tuple[str, ...], as_json: bool) -> None:
    """Show the settings sent to a model for thinking off and on. No model is called.

    MODEL is a name as for --model, e.g. openai/gpt-5.1. docs/thinking.md explains the statuses.
    """
    import json

    from rich.console import Console

    from vr_evals.commands.thinking_overview import as_dict, as_table

    if as_json:
        click.echo(json.dumps([as_dict(model) for model in models], indent=2))
    else:
        Console().print(*map(as_table, models), sep="\n")
