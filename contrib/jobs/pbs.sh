#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PBS Professional, OpenPBS, Torque: qsub pbs.sh
#PBS -N app
#PBS -l select=2:ncpus=16:mpiprocs=16
#PBS -l walltime=00:30:00
cd "$PBS_O_WORKDIR" || exit 1

out=tryst-$PBS_JOBID
mpiexec -n 32 tryst run -o "$out" ./app input
code=$?
tryst report --ended "$out" >"$out.txt"
exit $code
