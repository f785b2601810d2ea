"""``vr-evals prompts``: show the prompts of a task, without a model."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from vr_evals.commands.exit_codes import exit_on_input_error

if TYPE_CHECKING:
    from vr_evals.commands.sent_prompts import SentSample

__all__ = ["as_lines", "prompts"]


@click.command()
@click.argument("task")
@click.option("-T", "given", metavar="NAME=VALUE", multiple=True, help="A parameter of the task.")
@click.option("--item", metavar="ID", help="Only this item.")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many items.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def prompts(task: str, given: tuple[str, ...], item: str | None, limit: int, as_json: bool) -> None:
    r"""Show what TASK would send for its first items. No model is called.

    An item with several orders or conditions is shown in each. Control characters are escaped,
    e.g. \x1b; --json prints every prompt unchanged.
    """
    import json
    from dataclasses import asdict

    from vr_evals.commands.arguments import assignments
    from vr_evals.commands.sent_prompts import item_samples, sent
    from vr_evals.running.catalogue import PREFIX, find_task

    with exit_on_input_error():
        entry = find_task(task)
        made = entry.make(**entry.arguments(assignments("-T", given)))
        found = [sent(made, sample) for sample in item_samples(made, item, limit)]
    if as_json:
        click.echo(
            json.dumps([{"task": PREFIX + entry.name, **asdict(one)} for one in found], indent=2)
        )
    else:
        click.echo("\n".join(as_lines(found)))


def as_lines(samples: Iterable["SentSample"]) -> Iterator[str]:
    """Yield prompts as lines for a terminal, indented so that none looks like a heading."""
    from vr_evals.terminal import printable

    for sample in samples:
        for number, messages in enumerate(sample.calls, 1):
            of = f", call {number} of {len(sample.calls)}" if len(sample.calls) > 1 else ""
            yield click.style(f"{printable(sample.sample_id)}{of}", bold=True)
            for message in messages:
                yield click.style(f"{message.role}:", dim=True)
                yield from (f"    {printable(line)}" for line in message.content.split("\n"))
            yield ""
