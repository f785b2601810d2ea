#!/usr/bin/env bash
#SBATCH --job-name=vr-evals
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --requeue
#
# The grid of docs/running-a-grid.md in 8 shares, one per task of a Slurm array:
#
#     job=$(sbatch --parsable examples/slurm.sh)
#     sbatch --array=1 --dependency=afterok:$job examples/slurm.sh finish
#
# The nodes need one log folder, on a shared file system or at a URL. To resume what failed, submit
# the same array, or some of it (--array=3,5), again. SHARDS is the size of the whole array.
set -euo pipefail
SHARDS=8
LOG_DIR=${LOG_DIR:-logs/slurm}
grid=(--benchmark all --levels 0-5 --thinking both --dataset sample --display plain
    --model vr_sim/careful --model vr_sim/overconfident --log-dir "$LOG_DIR")
if [ "${1:-}" = finish ]; then
    exec vr-evals run "${grid[@]}" --finish
fi
exec vr-evals run "${grid[@]}" --shard "$SLURM_ARRAY_TASK_ID/$SHARDS"
