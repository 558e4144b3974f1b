#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Slurm: sbatch slurm.sh PROGRAM [ARGUMENTS]. Records go to tryst-<job>, on a file system that all nodes see.
# Where srun's default does not fit the MPI library, name the plugin: SLURM_MPI_TYPE=pmix sbatch ... for Open MPI,
# pmi2 for MPICH and its relatives.
#SBATCH --job-name=app
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=16
#SBATCH --time=00:30:00
cd "$SLURM_SUBMIT_DIR" || exit 1

out=tryst-$SLURM_JOB_ID
srun tryst run -o "$out" "$@"
code=$?

# The ranks ran on other nodes, and the step has ended: the report may consume what a killed rank left.
tryst report --ended "$out" >"$out.txt"
exit $code
