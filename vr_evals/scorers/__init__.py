"""Scorers: what a sample's completion says, each value made again by ``inspect score``."""

from vr_evals.scorers.acknowledgement import acknowledgement, acknowledgement_rates
from vr_evals.scorers.agreement import epoch_agreement
from vr_evals.scorers.answer import answer
from vr_evals.scorers.answer_format import answer_format, thinking_observed, unread_rate
from vr_evals.scorers.authority_metrics import authority_effects
from vr_evals.scorers.calibration import ambiguity_gap, calibration
from vr_evals.scorers.compliance import compliance
from vr_evals.scorers.confidence import confidence
from vr_evals.scorers.means import accuracy, mean, stderr, wilson_interval
from vr_evals.scorers.preference import preference, preference_by_ambiguity
from vr_evals.scorers.reflection import flip_rates, reflection

__all__ = [
    "accuracy",
    "acknowledgement",
    "acknowledgement_rates",
    "ambiguity_gap",
    "answer",
    "answer_format",
    "authority_effects",
    "calibration",
    "compliance",
    "confidence",
    "epoch_agreement",
    "flip_rates",
    "mean",
    "preference",
    "preference_by_ambiguity",
    "reflection",
    "stderr",
    "thinking_observed",
    "unread_rate",
    "wilson_interval",
]
