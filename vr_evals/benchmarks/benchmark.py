"""The types of a benchmark and of its items."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vr_evals.benchmarks.files import Row
from vr_evals.benchmarks.hub import HubFile
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.prompts import LevelPrompts

__all__ = ["Benchmark", "Item"]


@dataclass(frozen=True)
class Item:
    """One scenario, dilemma, fable or question of a file.

    Attributes:
        id: A permanent id, which depends on the item alone, never on its position.
        text: The scenario, context, fable or question.
        options: The options in file order; for ETHICS the two verdicts.
        target: Index of the right option in ``options``, or None if no option is right.
        choices: The canonical name of each option, whatever order it is shown in.
        cluster: The unit of clustered standard errors; by default the item.
        metadata: The benchmark's own columns.
        option_kinds: The kind of each option, e.g. MORABLES' ``partial_story``; may be empty.
        order_fixed: Whether the order is fixed because an option refers to others.
    """

    id: str
    text: str
    options: tuple[str, ...]
    target: int | None
    choices: tuple[str | int, ...]
    cluster: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    option_kinds: tuple[str, ...] = ()
    order_fixed: bool = False

    def __post_init__(self) -> None:
        """Check that the fields are consistent.

        Raises:
            InputError: They are not.
        """
        n = len(self.options)
        if len(set(self.options)) < n:
            raise InputError(
                f"invalid item {self.id}: expected {n} different options, found repeats"
            )
        if len(self.choices) != n:
            raise InputError(f"invalid item {self.id}: {len(self.choices)} choices for {n} options")
        if self.option_kinds and len(self.option_kinds) != n:
            raise InputError(
                f"invalid item {self.id}: {len(self.option_kinds)} option_kinds for {n} options"
            )
        if self.target is not None and not 0 <= self.target < n:
            raise InputError(
                f"invalid item {self.id}: target {self.target}, expected 0 to {n - 1} or None"
            )


@dataclass(frozen=True)
class Benchmark:
    """A benchmark's items, prompts and labels.

    Attributes:
        name: The name in task names, e.g. ``morables``.
        title: The name for readers, e.g. ``MORABLES``.
        variable: The template variable for the item's text, e.g. ``fable``.
        problem: The item as a multiple-choice question, with the variable and ``{options}``.
        prompts: Its prompts by level; None if it has no level tasks.
        subsets: The valid values of ``-T subset``, the default first.
        hub: Returns the pinned hub files of a subset; None without hub data.
        columns: The required columns of a user's file; each is a set of accepted names.
        read_item: Makes an item from a row; raises ``RowError``.
        in_subset: Whether an item belongs to a subset (hub files may contain more).
        data_package: The package whose ``data/<name>.jsonl`` contains the sample items.
        check_file: Raises ``InputError`` if the rows as a whole are invalid.
        hub_subsets: The subsets that only the hub has.
        lettered: Whether options are shown under letters, in an order that can be drawn.
        scorers: Scorers of its tasks in addition to those of all tasks.
    """

    name: str
    title: str
    variable: str
    problem: str
    prompts: LevelPrompts | None
    subsets: tuple[str, ...]
    hub: Callable[[str], Sequence[HubFile]] | None
    columns: tuple[tuple[str, ...], ...]
    read_item: Callable[[Row, str], Item]
    in_subset: Callable[[Item, str], bool] = lambda item, subset: True
    data_package: str = "vr_evals"
    check_file: Callable[[Sequence[Row], str], None] = lambda rows, name: None
    hub_subsets: tuple[str, ...] = ()
    lettered: bool = True
    scorers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that the prompts fit the items.

        Raises:
            InputError: A prompt lacks the item's text, or its answers could not be parsed.
        """
        if not self.subsets:
            raise InputError(f"benchmark {self.name}: no subsets, expected at least one, e.g. all")
        if self.prompts and "<confidence>" not in self.prompts.combined:
            raise InputError(f"benchmark {self.name}: missing <confidence> in prompts.combined")
        if self.prompts and self.lettered != ("<answer>A</answer>" in self.prompts.answer_only):
            raise InputError(
                f"benchmark {self.name}: lettered={self.lettered}, but prompts.answer_only "
                f"asks for {'other labels' if self.lettered else 'letters'}"
            )
        for what, template, names in self._templates():
            missing = [name for name in names if name not in template]
            if missing:
                raise InputError(f"benchmark {self.name}: missing {', '.join(missing)} in {what}")

    def check_asked(self, item: Item) -> None:
        """Check that the prompts name the options of an item, if options have no letters.

        Raises:
            InputError: The instruction does not name an option.
        """
        if self.prompts is None or self.lettered:
            return
        for option in item.options:
            if option.casefold() not in self.prompts.answer_only.casefold():
                raise InputError(
                    f"benchmark {self.name}: missing option {option!r} of item {item.id} in "
                    f"prompts.answer_only, found {self.prompts.answer_only!r}"
                )

    def _templates(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield the name of each template, the template, and its required variables."""
        text = "{" + self.variable + "}"
        yield "problem", self.problem, (text, "{options}")
        if self.prompts:
            for level, prompt in self.prompts.first.items():
                yield f"the level-{level.value} prompt", prompt.stem, (text,)
            yield "the second prompt", self.prompts.second.stem, ("{previous_response}",)
            if self.prompts.again:
                yield "the prompt that asks again", self.prompts.again.stem, (text,)

    def level_prompts(self, level: Level | None = None) -> LevelPrompts:
        """Return its prompts by level.

        Args:
            level: A level that must be among them.

        Raises:
            InputError: It has none, or none of that level.
        """
        if self.prompts is None:
            raise InputError(
                f"levels are not supported for benchmark {self.name}: use {self.name}_authority"
            )
        if level is not None and level not in self.prompts.first:
            known = ", ".join(f"{each:d}" for each in sorted(self.prompts.first))
            raise InputError(
                f"level {level:d} is not supported for benchmark {self.name}: expected one of "
                f"{known}"
            )
        return self.prompts
