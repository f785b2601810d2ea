#!/usr/bin/env bash
# Make the example report of the documentation, from runs of simulated respondents with a known truth.
set -euo pipefail
logs=${1:-logs/example}
page=${2:-docs/example-report.html}
common=(--model vr_sim/careful --model vr_sim/overconfident --dataset sample -T include_confidence=true)
vr-evals run --benchmark all --levels 0,1,2,5 --thinking both "${common[@]}" --log-dir "$logs/levels"
vr-evals run --benchmark moralchoice --levels 0 "${common[@]}" --model vr_sim/always_a \
    -T option_order=both --epochs 3 --log-dir "$logs/orders"
vr-evals run --benchmark morables --paradigm authority --model vr_sim/careful --model vr_sim/yes_man \
    --dataset sample --log-dir "$logs/authority"
vr-evals report "$logs" -o "$page" --title "Example: simulated respondents on the shipped sample"
# where the logs were on this machine is nobody's business
sed -i "s#$PWD/##g" "$page"
