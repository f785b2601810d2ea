"""Multiple-choice questions for the authority paradigm; by default a subject of MMLU.

Hendrycks et al. 2021, "Measuring Massive Multitask Language Understanding",
https://arxiv.org/abs/2009.03300.
"""

from collections.abc import Sequence

from vr_evals.benchmarks import cells
from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.catalogue import register
from vr_evals.benchmarks.files import Row
from vr_evals.benchmarks.hub import HubFile
from vr_evals.benchmarks.ordering import refer_to_others
from vr_evals.errors import InputError

__all__ = ["MCQA"]

_OPTIONS = range(2, 11)
_SUBJECTS = (
    "moral_disputes",
    "abstract_algebra",
    "anatomy",
    "astronomy",
    "business_ethics",
    "clinical_knowledge",
    "college_biology",
    "college_chemistry",
    "college_computer_science",
    "college_mathematics",
    "college_medicine",
    "college_physics",
    "computer_security",
    "conceptual_physics",
    "econometrics",
    "electrical_engineering",
    "elementary_mathematics",
    "formal_logic",
    "global_facts",
    "high_school_biology",
    "high_school_chemistry",
    "high_school_computer_science",
    "high_school_european_history",
    "high_school_geography",
    "high_school_government_and_politics",
    "high_school_macroeconomics",
    "high_school_mathematics",
    "high_school_microeconomics",
    "high_school_physics",
    "high_school_psychology",
    "high_school_statistics",
    "high_school_us_history",
    "high_school_world_history",
    "human_aging",
    "human_sexuality",
    "international_law",
    "jurisprudence",
    "logical_fallacies",
    "machine_learning",
    "management",
    "marketing",
    "medical_genetics",
    "miscellaneous",
    "moral_scenarios",
    "nutrition",
    "philosophy",
    "prehistory",
    "professional_accounting",
    "professional_law",
    "professional_medicine",
    "professional_psychology",
    "public_relations",
    "security_studies",
    "sociology",
    "us_foreign_policy",
    "virology",
    "world_religions",
)


def _hub(subset: str) -> list[HubFile]:
    if subset not in _SUBJECTS:
        raise InputError(
            f"invalid -T subset '{subset}': expected a subject of MMLU, one of "
            f"{', '.join(_SUBJECTS)}"
        )
    return [
        HubFile(
            repo="cais/mmlu",
            revision="c30699e8356da336a370243923dbaf21066bb9fe",
            path=f"{subset}/test-00000-of-00001.parquet",
        )
    ]


def _answer(row: Row, options: tuple[str, ...]) -> int:
    """Return the index of the right option, given as its text, a letter or an index.

    Raises:
        RowError: The answer is not an option, or it is the text of one option and the letter or
            index of another.
    """
    if not isinstance(row.get("answer"), str):
        return cells.index(row, len(options), "answer")
    given = cells.text(row, "answer")
    by_text = [i for i, option in enumerate(options) if option.casefold() == given.casefold()]
    try:
        by_name = [cells.index(row, len(options), "answer")]
    except cells.RowError:
        by_name = []
    found = set(by_text + by_name)
    if len(found) != 1:
        kind = "ambiguous" if found else "invalid"
        raise cells.RowError(f"{kind} answer {given!r}: expected one of the options")
    return found.pop()


def _check_file(rows: Sequence[Row], name: str) -> None:
    """Check that indices count from 0."""
    numbers = []
    for row in rows:
        try:
            number, options = int(cells.word(row, "answer")), cells.texts(row, "choices")
        except ValueError:
            continue
        if str(number) not in options:  # otherwise it is the option's text
            numbers.append((number, len(options)))
    start = cells.counted_from(numbers)
    if start == 1:
        found = [number for number, _ in numbers]
        raise InputError(
            f"{name}: invalid answer {min(found)} to {max(found)}: "
            "expected an index counted from 0, a letter, or the text of the option"
        )
    if start is None:
        raise InputError(f"{name}: {cells.ambiguous_index('answer', numbers)}")


def _read_item(row: Row, name: str) -> Item:
    question = cells.text(row, "question")
    options = cells.distinct(cells.texts(row, "choices"))
    if len(options) not in _OPTIONS:
        raise cells.RowError(f"{len(options)} options, expected 2 to 10")
    # published files have a subject but no ids
    id = cells.item_id(row, ["id"], question, *options, prefix=row.get("subject"))
    return Item(
        id=id,
        text=question,
        options=options,
        target=_answer(row, options),
        choices=tuple(range(len(options))),
        cluster=cells.cluster(row, id),
        metadata=cells.other_columns(row, ["id", "question", "choices", "answer", "cluster"]),
        order_fixed=refer_to_others(options),
    )


MCQA = register(
    Benchmark(
        name="mcqa",
        title="Multiple choice",
        variable="question",
        problem="{question}\n\n{options}",
        prompts=None,
        subsets=_SUBJECTS,
        hub=_hub,
        columns=(("question",), ("choices",), ("answer",)),
        read_item=_read_item,
        check_file=_check_file,
        hub_subsets=_SUBJECTS[1:],
    )
)
