#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Open MPI without a batch system: openmpi.sh RANKS PROGRAM [ARGUMENTS]
ranks=${1:?usage: openmpi.sh RANKS PROGRAM [ARGUMENTS]}
shift
out=tryst-$(date +%Y%m%d-%H%M%S)
mpirun -n "$ranks" tryst run -o "$out" "$@"
code=$?
tryst report "$out"
exit $code
