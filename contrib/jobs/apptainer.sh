#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program in an Apptainer or Singularity image: apptainer.sh RANKS IMAGE PROGRAM [ARGUMENTS]
# The MPI library inside must be one that this tryst was built for; `tryst env apptainer` prints the
# same settings with this installation's paths.
ranks=${1:?usage: apptainer.sh RANKS IMAGE PROGRAM [ARGUMENTS]}
image=${2:?usage: apptainer.sh RANKS IMAGE PROGRAM [ARGUMENTS]}
shift 2
out=$PWD/tryst-$(date +%Y%m%d-%H%M%S)
prefix=$(dirname "$(dirname "$(command -v tryst)")")
mpirun -n "$ranks" apptainer exec --bind "$prefix" --bind "$PWD" "$image" \
	"$prefix/bin/tryst" run -o "$out" "$@"
code=$?
tryst report --ended "$out"
exit $code
