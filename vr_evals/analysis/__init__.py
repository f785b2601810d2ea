"""From Inspect logs to one tidy table, and from that to comparisons."""

from vr_evals.analysis.accuracy import accuracy, labels
from vr_evals.analysis.agreement import agreement, agreement_between_models
from vr_evals.analysis.authority import authority
from vr_evals.analysis.calibration import ambiguity, calibration, reliability
from vr_evals.analysis.changes import changes
from vr_evals.analysis.columns import COLUMNS
from vr_evals.analysis.compare_logs import compare_logs, read_scores
from vr_evals.analysis.compare_models import compare_models
from vr_evals.analysis.confidence_category import confidence_category
from vr_evals.analysis.cost import cost
from vr_evals.analysis.descriptives import descriptives
from vr_evals.analysis.effects import effects
from vr_evals.analysis.error_kind import error_kind
from vr_evals.analysis.flips import flips
from vr_evals.analysis.items import items
from vr_evals.analysis.ladder import ladder, noise_floor
from vr_evals.analysis.level_check import level_check
from vr_evals.analysis.main_table import authority_table, main_table
from vr_evals.analysis.moved import moved
from vr_evals.analysis.plan import CountedTask, StudyPlan, plan
from vr_evals.analysis.preference import preference
from vr_evals.analysis.read import read_logs
from vr_evals.analysis.readings import readings
from vr_evals.analysis.trials import read_trials

__all__ = [
    "COLUMNS",
    "CountedTask",
    "StudyPlan",
    "accuracy",
    "agreement",
    "agreement_between_models",
    "ambiguity",
    "authority",
    "authority_table",
    "calibration",
    "changes",
    "compare_logs",
    "compare_models",
    "confidence_category",
    "cost",
    "descriptives",
    "effects",
    "error_kind",
    "flips",
    "items",
    "labels",
    "ladder",
    "level_check",
    "main_table",
    "moved",
    "noise_floor",
    "plan",
    "preference",
    "read_logs",
    "read_scores",
    "read_trials",
    "readings",
    "reliability",
]
