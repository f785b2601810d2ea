"""What to distrust: reasons that lie in how the figures came about, not in the figures."""

from vr_evals.report import doubts_on_design, doubts_on_samples
from vr_evals.report.blocks import Doubt, Severity
from vr_evals.report.results import Results

__all__ = ["doubts"]

_ORDER: tuple[Severity, ...] = ("serious", "caution", "note")


def doubts(results: Results) -> tuple[Doubt, ...]:
    """Reasons to distrust the figures, the gravest first.

    Args:
        results: The tidy table, its logs, and the frames made of it.
    """
    checks = (*doubts_on_samples.CHECKS, *doubts_on_design.CHECKS)
    found = [doubt for check in checks for doubt in check(results)]
    return tuple(sorted(found, key=lambda doubt: _ORDER.index(doubt.severity)))
