"""The module that Inspect loads: all tasks, solvers, scorers, metrics and model providers."""

# ruff: noqa: F401  # what is imported here is registered

from vr_evals.models.providers import vr_local, vr_sim
from vr_evals.scorers import (
    accuracy,
    acknowledgement,
    acknowledgement_rates,
    ambiguity_gap,
    answer,
    answer_format,
    authority_effects,
    calibration,
    compliance,
    confidence,
    epoch_agreement,
    flip_rates,
    mean,
    preference,
    preference_by_ambiguity,
    reflection,
    stderr,
    thinking_observed,
    unread_rate,
    wilson_interval,
)
from vr_evals.solvers import (
    adversarial,
    authority,
    chain_of_thought,
    direct,
    minimal,
    structured,
    two_pass,
)
from vr_evals.tasks.ethics import (
    ethics_level0,
    ethics_level0_thinking,
    ethics_level1,
    ethics_level1_thinking,
    ethics_level2,
    ethics_level2_thinking,
    ethics_level3,
    ethics_level3_thinking,
    ethics_level4,
    ethics_level4_thinking,
    ethics_level5,
    ethics_level5_thinking,
)
from vr_evals.tasks.ethics_authority import (
    ethics_authority,
    ethics_authority_control,
    ethics_authority_high_harm,
    ethics_authority_high_help,
    ethics_authority_low_harm,
    ethics_authority_low_help,
)
from vr_evals.tasks.mcqa_authority import (
    mcqa_authority,
    mcqa_authority_control,
    mcqa_authority_high_harm,
    mcqa_authority_high_help,
    mcqa_authority_low_harm,
    mcqa_authority_low_help,
)
from vr_evals.tasks.morables import (
    morables_level0,
    morables_level0_thinking,
    morables_level1,
    morables_level1_thinking,
    morables_level2,
    morables_level2_thinking,
    morables_level3,
    morables_level3_thinking,
    morables_level4,
    morables_level4_thinking,
    morables_level5,
    morables_level5_thinking,
)
from vr_evals.tasks.morables_authority import (
    morables_authority,
    morables_authority_control,
    morables_authority_high_harm,
    morables_authority_high_help,
    morables_authority_low_harm,
    morables_authority_low_help,
)
from vr_evals.tasks.moralchoice import (
    moralchoice_level0,
    moralchoice_level0_thinking,
    moralchoice_level1,
    moralchoice_level1_thinking,
    moralchoice_level2,
    moralchoice_level2_thinking,
    moralchoice_level3,
    moralchoice_level3_thinking,
    moralchoice_level4,
    moralchoice_level4_thinking,
    moralchoice_level5,
    moralchoice_level5_thinking,
)
from vr_evals.tasks.moralchoice_authority import (
    moralchoice_authority,
    moralchoice_authority_control,
    moralchoice_authority_high_harm,
    moralchoice_authority_high_help,
    moralchoice_authority_low_harm,
    moralchoice_authority_low_help,
)
