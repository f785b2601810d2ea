"""What a benchmark is made of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vr_evals.benchmarks.files import Row
from vr_evals.benchmarks.hub import HubFile
from vr_evals.errors import InputError
from vr_evals.prompts import LevelPrompts

__all__ = ["Benchmark", "Item"]


@dataclass(frozen=True)
class Item:
    """One scenario, dilemma, fable or question, as its file has it.

    Attributes:
        id: Names the item for ever; depends on the item alone, never on its position.
        text: The scenario, context, fable or question.
        options: The options in file order; for ETHICS the two verdicts.
        target: Index in ``options`` of the right one, or None where there is none.
        choices: What each option is called in canonical terms, whatever order it is shown in.
        cluster: What standard errors are clustered by: the item, unless the file says otherwise.
        metadata: The benchmark's own columns.
        option_kinds: What kind of option each is, such as MORABLES' ``partial_story``, or nothing.
        order_fixed: Whether an option refers to others, so that none may be moved.
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
        """Check that its parts fit each other.

        Raises:
            InputError: They do not.
        """
        n = len(self.options)
        if len(set(self.options)) < n:
            raise InputError(f"item {self.id}: two of its {n} options are the same")
        if len(self.choices) != n:
            raise InputError(f"item {self.id}: {len(self.choices)} choices for {n} options")
        if self.option_kinds and len(self.option_kinds) != n:
            raise InputError(f"item {self.id}: {len(self.option_kinds)} kinds for {n} options")
        if self.target is not None and not 0 <= self.target < n:
            raise InputError(f"item {self.id}: target {self.target}, wanted 0–{n - 1} or None")


@dataclass(frozen=True)
class Benchmark:
    """A benchmark's items, words and labels.

    Attributes:
        name: As in task names, such as ``morables``.
        title: As a reader knows it, such as ``MORABLES``.
        variable: The template variable that the item's text fills, such as ``fable``.
        problem: The item as a multiple-choice question, with the variable and ``{options}``.
        prompts: Its prompts, by level; None where no level asks it.
        subsets: What ``-T subset`` takes, the default first.
        hub: The pinned hub files of a subset; None where the hub has none.
        columns: The columns that a user's file must have; each is a set of accepted names.
        read_item: Makes an item of a row; raises ``RowError``.
        in_subset: Whether an item belongs to a subset (hub files may hold more).
        data_package: The package whose ``data/<name>.jsonl`` holds the sample items.
        check_file: Raises ``InputError`` where the rows as a whole cannot be right.
        hub_subsets: Those of the subsets that only the hub has.
        lettered: Whether options are shown under letters, in an order that can be drawn.
        scorers: Scorers of its tasks besides those that every task has.
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
        """Check that the words fit the items.

        Raises:
            InputError: They do not: a text would never be asked, or answers never be read.
        """
        if not self.subsets:
            raise InputError(f"benchmark {self.name}: no subsets; wanted at least one, such as all")
        if self.prompts and "<confidence>" not in self.prompts.combined:
            raise InputError(f"benchmark {self.name}: combined asks for no <confidence>")
        if self.prompts and self.lettered != ("<answer>A</answer>" in self.prompts.answer_only):
            raise InputError(
                f"benchmark {self.name}: lettered={self.lettered}, but the prompts' answer_only "
                f"asks for {'other labels' if self.lettered else 'letters'}"
            )
        for what, template, names in self._templates():
            missing = [name for name in names if name not in template]
            if missing:
                raise InputError(f"benchmark {self.name}: {what} has no {' and no '.join(missing)}")

    def check_asked(self, item: Item) -> None:
        """Check that its prompts ask for the answers that are read.

        Raises:
            InputError: An option without a letter is in no instruction.
        """
        if self.prompts is None or self.lettered:
            return
        for option in item.options:
            if option.casefold() not in self.prompts.answer_only.casefold():
                raise InputError(
                    f"benchmark {self.name}: item {item.id} may be answered by {option!r}, which "
                    f"answer_only does not ask for: {self.prompts.answer_only!r}"
                )

    def _templates(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """What each template is, the template, and the variables that it must have."""
        text = "{" + self.variable + "}"
        yield "problem", self.problem, (text, "{options}")
        if self.prompts:
            for level, prompt in self.prompts.first.items():
                yield f"its level-{level.value} prompt", prompt.stem, (text,)
            yield "its second prompt", self.prompts.second.stem, ("{previous_response}",)

    def level_prompts(self) -> LevelPrompts:
        """Its prompts by level.

        Raises:
            InputError: It has none.
        """
        if self.prompts is None:
            raise InputError(f"{self.name} has no prompts by level; use {self.name}_authority")
        return self.prompts
