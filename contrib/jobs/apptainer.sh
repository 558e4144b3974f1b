#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program in an Apptainer or Singularity image: apptainer.sh RANKS IMAGE PROGRAM [ARGUMENTS]
# The MPI library inside must be one that this tryst was built for. Only the library's own folder is bound:
# that of a whole prefix, such as /usr, would hide the image's.
ranks=${1:?usage: apptainer.sh RANKS IMAGE PROGRAM [ARGUMENTS]}
image=${2:?usage: apptainer.sh RANKS IMAGE PROGRAM [ARGUMENTS]}
shift 2
out=$PWD/tryst-$(date +%Y%m%d-%H%M%S)
library=$(tryst env sh | sed -n 's/^export LD_PRELOAD=//p')
mpirun -n "$ranks" apptainer exec --bind "$(dirname "$library")" --bind "$PWD" \
	--env LD_PRELOAD="$library" --env TRYST_DIR="$out" "$image" "$@"
code=$?
tryst report --ended "$out"
exit $code
