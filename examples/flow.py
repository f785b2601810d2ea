"""The grid of three benchmarks, six levels and both thinking conditions, as an inspect-flow spec.

It asks what `vr-evals run --benchmark all --thinking both --dataset sample ...` asks. It needs
`pip install inspect-flow uv`; then `flow run examples/flow.py`, with `--dry-run` to look first.
"""

from itertools import product

from inspect_flow import FlowSpec, tasks_matrix

BENCHMARKS = ("ethics", "moralchoice", "morables")
THINKING = ("", "_thinking")

FlowSpec(
    # relative to this file
    log_dir="../logs/flow",
    # no logs are taken from other folders: what is in the folder is the whole grid
    store=None,
    tasks=tasks_matrix(
        task=[
            f"vr_evals/{benchmark}_level{level}{thinking}"
            for benchmark, level, thinking in product(BENCHMARKS, range(6), THINKING)
        ],
        model=["vr_sim/careful", "vr_sim/overconfident"],
        args=[{"dataset": "sample"}],
    ),
)
