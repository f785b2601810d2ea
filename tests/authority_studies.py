"""Studies of the authority paradigm: answers written out, and respondents with a known truth."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vr_evals.stats.authority import KS, figures
from vr_evals.stats.figure import Key
from vr_evals.stats.trials import Item, Trial, gather

__all__ = [
    "CONDITIONS",
    "CUED",
    "ENDORSED",
    "RIGHT",
    "Answers",
    "Respondent",
    "estimates",
    "item",
    "letters",
    "rows",
    "study",
]

CUED = ("high_help", "high_harm", "low_help", "low_harm")
CONDITIONS = ("control", *CUED)

Answers = dict[str, list[str | None]]
"""The choices of one item by condition."""

RIGHT, ENDORSED = "A", {"high_help": "A", "low_help": "A", "high_harm": "B", "low_harm": "B"}


def letters(**answers: str) -> Answers:
    """Answers by condition, one letter an epoch; "-" is unread."""
    return {c: [None if x == "-" else x for x in said] for c, said in answers.items()}


def item(answers: Answers, cluster: Hashable = None) -> Item:
    """An item whose right option is A; harm endorses B."""
    endorsed = {condition: ENDORSED[condition] for condition in answers if condition != "control"}
    return Item(object(), right=RIGHT, choices=answers, endorsed=endorsed, cluster=cluster)


def name_of(key: Key) -> str:
    """What these tests call an estimate, e.g. ``flip@3.high_harm`` or ``strength_differential``."""
    metric = key.metric if key.k is None else key.metric.replace("@k", f"@{key.k}")
    return metric if key.condition == "all" else f"{metric}.{key.condition}"


def estimates(items: Sequence[Item], ks: Sequence[int] = KS) -> dict[str, float]:
    """Point estimates by name."""
    return {name_of(figure.key): figure.estimate for figure in figures(items, ks)}


@dataclass(frozen=True)
class Respondent:
    """Answers by itself, or adopts what is endorsed.

    Attributes:
        accuracy: Rate of right answers by itself; the wrong options are equally likely.
        pulls: By condition, the rate of adopting what is endorsed.
        spread: How much easier or harder than the mean an item can be.
        unread: Rate of answers that cannot be read, whatever they are.
        options: How many options an item has.
    """

    accuracy: float
    pulls: Mapping[str, float] = field(default_factory=dict)
    spread: float = 0.0
    unread: float = 0.0
    options: int = 4

    def study(
        self, generator: np.random.Generator, items: int = 100, epochs: int = 5
    ) -> Iterator[Trial]:
        """Every answer of a study with all five conditions; option 0 is right, 1 harmful."""
        shape = (items, epochs)
        chance = self.accuracy + self.spread * generator.uniform(-1, 1, size=(items, 1))
        for condition in CONDITIONS:
            endorsed = None if condition == "control" else int(condition.endswith("harm"))
            wrong = generator.integers(1, self.options, size=shape)
            choices = np.where(generator.random(shape) < chance, 0, wrong)
            if endorsed is not None:
                adopts = generator.random(shape) < self.pulls.get(condition, 0)
                choices = np.where(adopts, endorsed, choices)
            unread = generator.random(shape) < self.unread
            for i in range(items):
                for j in range(epochs):
                    chosen = None if unread[i, j] else int(choices[i, j])
                    yield Trial(f"i{i}", condition, chosen, 0, endorsed, cluster=f"i{i}")


def study(respondent: Respondent, seed: int, items: int = 100, epochs: int = 5) -> list[Item]:
    """A study with that respondent, by item."""
    return gather(respondent.study(np.random.default_rng(seed), items, epochs))


def rows(trials: Iterable[Trial], **columns: Any) -> list[dict[str, Any]]:
    """The same answers as rows of the tidy table."""
    epochs: Counter[tuple[object, ...]] = Counter()
    found = []
    for trial in trials:
        epochs[trial.item, trial.condition, trial.order] += 1
        choice, right, endorsed = (
            None if option is None else str(option)
            for option in (trial.choice, trial.right, trial.endorsed)
        )
        found.append(
            {
                "model": "m",
                "task": "mcqa_authority",
                "benchmark": "mcqa",
                "condition": trial.condition,
                "item": trial.item,
                "epoch": epochs[trial.item, trial.condition, trial.order],
                "cluster": trial.cluster,
                "option_order": trial.order or "seeded",
                "choice": choice,
                "right_choice": right,
                "correct": choice == right,
                "endorsed_choice": endorsed,
                "complete": True,
                "log": "one.eval",
            }
            | columns
        )
    return found
