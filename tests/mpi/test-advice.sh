#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=300
# The report tells why a rendezvous waits and what helps, and following its advice removes the wait.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# A column of the bottleneck with this cause at the send of $3 bytes.
bottleneck() {
	"$TRYST" report -f json -s bottlenecks -n 100 "$1" | python3 -c "
import json, sys
for row in json.load(sys.stdin)['bottlenecks']:
    if row['cause'] == '$2' and row['call'] == 'MPI_Send' and row['most_bytes'] == $3:
        print(row['$4'])"
}

# Runs until S was measured, and rank 1 got the processor while it was inside MPI: a machine that is
# busy otherwise can prevent both.
run_measured() {
	for _ in 1 2 3 4 5 6 7 8; do
		rm -rf "$2"
		shim_run "$1" 2 "$2" "$(mpi_program "$1" advice)" 10 "$3" || return
		"$TRYST" report "$2" >report || return
		[ -n "$(sql "$2/run.db" "SELECT 1 FROM link_param WHERE model = 'LogGPS' AND name = 'S'
			AND tier = 'node' AND form IS NULL AND value > 0 LIMIT 1")" ] || continue
		inside=$(bottleneck "$2" late_receiver "$3" inside_pct)
		[ "${inside%%.*}" -lt 50 ] 2>/dev/null || return 0
	done
	skip "$1: this machine is too busy to measure S"
}

need python3 python3
TRYST_CACHE=off
export TRYST_CACHE
for mpi in $MPIS; do
	case $mpi in
	openmpi) setting=btl_${openmpi_sm}_eager_limit variable=OMPI_MCA_btl_${openmpi_sm}_eager_limit ;;
	mpich)
		# what MPICH does of its own accord follows no setting that is known
		setting=UCX_RNDV_THRESH variable=UCX_RNDV_THRESH
		export UCX_RNDV_THRESH=8192
		;;
	esac
	run_measured $mpi $mpi 16384
	check "$mpi: polling is no wait, and is not passed over" sh -c '"$1" report --width 400 -s verdict "$2" |
		grep -q "Another [0-9.]* % is polling, most in MPI_Iprobe at receive_late advice.c:"' sh "$TRYST" $mpi
	why=$(bottleneck $mpi late_receiver 16384 why)
	remedy=$(bottleneck $mpi late_receiver 16384 remedy)
	check "$mpi: the late receive is named: $why" sh -c 'echo "$1" |
		grep -q "posts MPI_Recv at receive_late advice.c:[0-9]* .*too late on average"' sh "$why"
	check "$mpi: raising S helps: $remedy" sh -c 'echo "$1" |
		grep -q "Raising S from [0-9]* to 16384 B helps.*S follows $2"' sh "$remedy" $setting
	check "$mpi: the receiver inside MPI can post earlier" sh -c 'echo "$1" | grep -q "^post the receive .* earlier\."' \
		sh "$remedy"
	check "$mpi: one that computes cannot, its work is too much" sh -c 'echo "$1" | grep -q "^balance the work: rank 1.* computes\
 between .* and .* advice.c:[0-9]*, [0-9]* % of the time asleep or blocked\. Posting the receive earlier does not help, unless it calls MPI meanwhile"' sh "$(bottleneck $mpi late_receiver 524288 remedy)"
	check "$mpi: the verdict names the late rank" sh -c '"$1" report --width 999 -s verdict "$2" |
		grep -q "^Verdict: .* Of it [0-9]* % is for rank 1: see BLAME\."' sh "$TRYST" $mpi
	why=$(bottleneck $mpi late_progress 1048576 why)
	check "$mpi: so is the computation with a pending receive: $why" sh -c 'echo "$1" | grep -q \
		"no MPI call for .*after MPI_Irecv at compute_while_pending advice.c:.*until MPI_Wait"' \
		sh "$why"
	check "$mpi: where raising S does not help" sh -c 'echo "$1" |
		grep -q "raising S does not help"' sh "$(bottleneck $mpi late_progress 1048576 remedy)"

	value=$(echo "$remedy" | sed -n 's/.*which would be \([0-9]*\)).*/\1/p')
	export "$variable=${value:-0}"
	run_measured $mpi followed-$mpi 16384
	expect "$mpi: with $variable=$value that wait is gone" \
		"$(bottleneck followed-$mpi late_receiver 16384 wait_ns)" ""
	check "$mpi: and the other is not" \
		test "$(bottleneck followed-$mpi late_progress 1048576 wait_ns)" -gt 10000000
	unset $variable
done
finish
