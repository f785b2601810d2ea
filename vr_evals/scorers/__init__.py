"""Scorers: what a sample's completion says, each value made again by ``inspect score``."""

from vr_evals.scorers.acknowledgement import acknowledgement, acknowledgement_rates
from vr_evals.scorers.agreement import epoch_agreement
from vr_evals.scorers.answer import answer
from vr_evals.scorers.answer_format import answer_format, format_rates, thinking_observed
from vr_evals.scorers.authority_metrics import authority_effects
from vr_evals.scorers.calibration import ambiguity_awareness, calibration
from vr_evals.scorers.compliance import compliance
from vr_evals.scorers.confidence import confidence
from vr_evals.scorers.intervals import stderr, wilson_interval
from vr_evals.scorers.preference import preference, preference_by_ambiguity
from vr_evals.scorers.reflection import confidence_change, flip_rates, reflection

__all__ = [
    "acknowledgement",
    "acknowledgement_rates",
    "ambiguity_awareness",
    "answer",
    "answer_format",
    "authority_effects",
    "calibration",
    "compliance",
    "confidence",
    "confidence_change",
    "epoch_agreement",
    "flip_rates",
    "format_rates",
    "preference",
    "preference_by_ambiguity",
    "reflection",
    "thinking_observed",
    "stderr",
    "wilson_interval",
]
