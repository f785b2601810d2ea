"""The works that a paper cites for the data sets and methods of a study, with BibTeX entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["DATA_SETS", "REFERENCES", "Reference"]


@dataclass(frozen=True)
class Reference:
    """A work to cite.

    Attributes:
        key: Its key in BibTeX.
        kind: The kind of its BibTeX entry.
        short: How a text cites it, e.g. ``Wilson, 1927``.
        fields: The fields of its entry, as LaTeX.
    """

    key: str
    kind: str
    short: str
    fields: Mapping[str, str]

    @property
    def bibtex(self) -> str:
        """The BibTeX entry."""
        fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in self.fields.items())
        return f"@{self.kind}{{{self.key},\n{fields}\n}}"


def _paper(
    key: str, short: str, author: str, title: str, venue: str, year: int, **more: str
) -> Reference:
    fields = {"author": author, "title": title, "journal": venue, "year": str(year), **more}
    return Reference(key, "article", short, fields)


def _in_proceedings(
    key: str, short: str, author: str, title: str, venue: str, year: int, **more: str
) -> Reference:
    fields = {"author": author, "title": title, "booktitle": venue, "year": str(year), **more}
    return Reference(key, "inproceedings", short, fields)


_HENDRYCKS = "Hendrycks, Dan and Burns, Collin and Basart, Steven and"
_ICLR = "International Conference on Learning Representations"

_FOUND = (
    Reference(
        "vrevals2026",
        "software",
        "vr_evals, 2026",
        {
            "author": "{The vr\\_evals developers}",
            "title": "vr\\_evals: reflection, thinking, confidence and authority in the moral "
            "judgements of language models",
            "year": "2026",
        },
    ),
    Reference(
        "inspect2024",
        "software",
        "AI Security Institute, 2024",
        {
            "author": "{AI Security Institute, UK}",
            "title": "Inspect {AI}: Framework for Large Language Model Evaluations",
            "year": "2024",
            "url": "https://github.com/UKGovernmentBEIS/inspect_ai",
        },
    ),
    _in_proceedings(
        "hendrycks2021ethics",
        "Hendrycks et al., 2021a",
        f"{_HENDRYCKS} Critch, Andrew and Li, Jerry and Song, Dawn and Steinhardt, Jacob",
        "Aligning {AI} With Shared Human Values",
        _ICLR,
        2021,
        eprint="2008.02275",
        archiveprefix="arXiv",
    ),
    _in_proceedings(
        "hendrycks2021mmlu",
        "Hendrycks et al., 2021b",
        f"{_HENDRYCKS} Zou, Andy and Mazeika, Mantas and Song, Dawn and Steinhardt, Jacob",
        "Measuring Massive Multitask Language Understanding",
        _ICLR,
        2021,
        eprint="2009.03300",
        archiveprefix="arXiv",
    ),
    _in_proceedings(
        "scherrer2023moralchoice",
        "Scherrer et al., 2023",
        "Scherrer, Nino and Shi, Claudia and Feder, Amir and Blei, David M.",
        "Evaluating the Moral Beliefs Encoded in {LLMs}",
        "Advances in Neural Information Processing Systems",
        2023,
        eprint="2307.14324",
        archiveprefix="arXiv",
    ),
    Reference(
        "marcuzzo2025morables",
        "misc",
        "Marcuzzo et al., 2025",
        {
            "author": "Marcuzzo, Matteo and Zangari, Alessandro and Albarelli, Andrea and "
            "Camacho-Collados, Jose and Pilehvar, Mohammad Taher",
            "title": "{MORABLES}: A Benchmark for Assessing Abstract Moral Reasoning in {LLMs} "
            "with Fables",
            "year": "2025",
            "eprint": "2509.12371",
            "archiveprefix": "arXiv",
        },
    ),
    _paper(
        "wilson1927",
        "Wilson, 1927",
        "Wilson, Edwin B.",
        "Probable Inference, the Law of Succession, and Statistical Inference",
        "Journal of the American Statistical Association",
        1927,
        volume="22",
        pages="209--212",
    ),
    _paper(
        "korn1998",
        "Korn and Graubard, 1998",
        "Korn, Edward L. and Graubard, Barry I.",
        "Confidence Intervals for Proportions with Small Expected Number of Positive Counts "
        "Estimated from Survey Data",
        "Survey Methodology",
        1998,
        volume="24",
        pages="193--201",
    ),
    _paper(
        "miller2024",
        "Miller, 2024",
        "Miller, Evan",
        "Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations",
        "arXiv preprint arXiv:2411.00640",
        2024,
    ),
    _paper(
        "tango1998",
        "Tango, 1998",
        "Tango, Toshiro",
        "Equivalence Test and Confidence Interval for the Difference in Proportions for the "
        "Paired-Sample Design",
        "Statistics in Medicine",
        1998,
        volume="17",
        pages="891--908",
    ),
    _paper(
        "holm1979",
        "Holm, 1979",
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics",
        1979,
        volume="6",
        pages="65--70",
    ),
    _paper(
        "benjamini1995",
        "Benjamini and Hochberg, 1995",
        "Benjamini, Yoav and Hochberg, Yosef",
        "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple "
        "Testing",
        "Journal of the Royal Statistical Society, Series B",
        1995,
        volume="57",
        pages="289--300",
    ),
    _paper(
        "manski1990",
        "Manski, 1990",
        "Manski, Charles F.",
        "Nonparametric Bounds on Treatment Effects",
        "American Economic Review",
        1990,
        volume="80",
        pages="319--323",
    ),
    _in_proceedings(
        "naeini2015",
        "Naeini et al., 2015",
        "Naeini, Mahdi Pakdaman and Cooper, Gregory F. and Hauskrecht, Milos",
        "Obtaining Well Calibrated Probabilities Using {Bayesian} Binning",
        "Proceedings of the AAAI Conference on Artificial Intelligence",
        2015,
    ),
    _in_proceedings(
        "guo2017",
        "Guo et al., 2017",
        "Guo, Chuan and Pleiss, Geoff and Sun, Yu and Weinberger, Kilian Q.",
        "On Calibration of Modern Neural Networks",
        "International Conference on Machine Learning",
        2017,
    ),
    _paper(
        "brier1950",
        "Brier, 1950",
        "Brier, Glenn W.",
        "Verification of Forecasts Expressed in Terms of Probability",
        "Monthly Weather Review",
        1950,
        volume="78",
        pages="1--3",
    ),
    _paper(
        "newcombe2006",
        "Newcombe, 2006",
        "Newcombe, Robert G.",
        "Confidence Intervals for an Effect Size Measure Based on the {Mann--Whitney} Statistic. "
        "Part 2: Asymptotic Methods and Evaluation",
        "Statistics in Medicine",
        2006,
        volume="25",
        pages="559--573",
    ),
    Reference(
        "krippendorff2004",
        "book",
        "Krippendorff, 2004",
        {
            "author": "Krippendorff, Klaus",
            "title": "Content Analysis: An Introduction to Its Methodology",
            "publisher": "Sage",
            "edition": "2",
            "year": "2004",
        },
    ),
)

REFERENCES: Mapping[str, Reference] = {each.key: each for each in _FOUND}
"""All works by their keys."""

DATA_SETS: Mapping[str, str] = {
    "ethics": "hendrycks2021ethics",
    "moralchoice": "scherrer2023moralchoice",
    "morables": "marcuzzo2025morables",
    "mcqa": "hendrycks2021mmlu",
}
"""The key of a benchmark's reference, by the benchmark's name."""
