#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPICH, Intel MPI, MVAPICH (Hydra) without a batch system: mpich.sh RANKS PROGRAM [ARGUMENTS]
ranks=${1:?usage: mpich.sh RANKS PROGRAM [ARGUMENTS]}
shift
out=tryst-$(date +%Y%m%d-%H%M%S)
mpiexec -n "$ranks" tryst run -o "$out" "$@"
code=$?
tryst report "$out"
exit $code
