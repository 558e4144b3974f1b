# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Shared by the tests of launchers; read behind tests/lib.sh.
#
#   one_run WHAT DIR           DIR holds two ranks of `doomed end 50`, each with 50 messages to and from the other
#   launcher MPI               the launcher of this MPI library
#   env_line LAUNCHER DIR      the line that `tryst env` prints, for two ranks of `./app end 50`

need sqlite3 sqlite3
PATH=$(dirname "$TRYST"):$PATH
TRYST_CALIBRATE=off
# The launcher of Open MPI 5 and 6 has variables of its own.
PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PATH TRYST_CALIBRATE PRTE_ALLOW_RUN_AS_ROOT PRTE_ALLOW_RUN_AS_ROOT_CONFIRM

one_run() {
	check_whole "$1" "$2" 2
	expect "$1: rows of both ranks" "$(sql "$2" "SELECT rank, kind, peer, count(*) FROM op GROUP BY 1, 2, 3")" \
		"0|recv|1|50
0|send|1|50
1|recv|0|50
1|send|0|50"
	check "$1: the report counts two ranks" sh -c '"$1" report "$2" | grep -q "^2 of 2 ranks on 1 host"' sh "$TRYST" "$2"
	expect "$1: nothing went to another directory" "$(ls -d "$2".[0-9]* 2>/dev/null)" ""
}

launcher() {
	case $1 in
	openmpi) lib_launcher mpirun.openmpi orterun mpirun ;;
	mpich) lib_launcher mpirun.mpich mpiexec.hydra mpirun ;;
	esac
}

env_line() {
	"$TRYST" env -o "$2" "$1" | sed '1d; s/-n 4/-n 2/; s/$/ end 50/'
}
