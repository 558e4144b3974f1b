#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Slurm: sbatch slurm.sh. Records go to tryst-app-<job>.<step>, on a file system that all nodes see.
#SBATCH --job-name=app
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=16
#SBATCH --time=00:30:00
cd "$SLURM_SUBMIT_DIR" || exit 1

out=tryst-$SLURM_JOB_ID
srun tryst run -o "$out" ./app input
code=$?

# The ranks ran on other nodes, and the step has ended: what a killed rank left may be consumed.
tryst report --ended "$out" >"$out.txt"
exit $code
