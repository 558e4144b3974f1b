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

# What spoils the run, of $bytes; nothing: it can be judged.
spoilt() {
	if grep -q "advice is withheld" report; then
		echo "ranks lacked a CPU"
	elif [ -z "$(sql "$run/run.db" "SELECT 1 FROM link_param WHERE model = 'LogGPS' AND name = 'S'
		AND tier = 'node' AND form IS NULL AND value > 0 LIMIT 1")" ]; then
		echo "S was not measured"
	else
		inside=$(bottleneck "$run" late_receiver "$bytes" inside_pct)
		! [ "${inside%%.*}" -lt 50 ] 2>/dev/null ||
			echo "rank 1 is inside MPI for $inside % of the time that it looks for messages"
	fi
}

# run_measured MPI RUN BYTES [PROGRAM ARGUMENT...]: runs until S was measured, ranks had their CPUs, and rank 1
# got its own while it was inside MPI. A machine that is busy otherwise can prevent all. The test is skipped only
# if ranks lacked their CPUs in most of these runs; it has failed if the report shows no such lack.
run_measured() {
	measured_mpi=$1 run=$2 bytes=$3 calm=0
	shift 3
	[ $# -gt 0 ] || set -- advice 10 "$bytes"
	program=$1
	shift
	for _ in 1 2 3 4 5 6 7 8; do
		rm -rf "$run"
		shim_run "$measured_mpi" 2 "$run" "$(mpi_program "$measured_mpi" "$program")" "$@" 2>said || return
		"$TRYST" report "$run" >report || return
		why=$(spoilt)
		[ -n "$why" ] || return 0
		lacked=$(sed -n "s/.*ranks lacked a CPU for \\([0-9]*\\).*/\\1/p" report)
		[ "${lacked:-0}" -ge 5 ] || calm=$((calm + 1))
	done
	[ $calm -lt 4 ] || fail "$measured_mpi: $program: $why, though ranks had their CPUs in $calm of 8 runs"
	skip "$measured_mpi: this machine is too busy: $why"
}

need python3 python3
TRYST_CACHE=off
export TRYST_CACHE
for mpi in $MPIS; do
	case $mpi in
	openmpi) variable=OMPI_MCA_btl_${openmpi_sm}_eager_limit ;;
	mpich)
		# what MPICH does of its own accord follows no setting that is known
		variable=UCX_RNDV_THRESH
		export UCX_RNDV_THRESH=8192
		;;
	esac
	run_measured $mpi $mpi 16384
	check "$mpi: polling is no wait, and is not passed over" sh -c '"$1" report --width 999 -s verdict "$2" |
		grep -q "Another [0-9.]* % is polling, most in MPI_Iprobe at receive_late advice.c:"' sh "$TRYST" $mpi
	why=$(bottleneck $mpi late_receiver 16384 why)
	check "$mpi: the late receive is named: $why" sh -c 'echo "$1" |
		grep -q "posts MPI_Recv at receive_late advice.c:[0-9]* .*late on average"' sh "$why"
	expect "$mpi: a barrier follows that send: no remedy shortens the run" \
		"$(bottleneck $mpi late_receiver 16384 remedy_kind)" None
	check "$mpi: a larger S was tried" sh -c '"$1" report -f csv -s remedies -n 100 "$2" | grep -q ",raise_S,16384,"' sh "$TRYST" $mpi
	check "$mpi: a receiver that computes has too much work" sh -c 'echo "$1" | grep -q "^balance the work.*: rank 1"' \
		sh "$(bottleneck $mpi late_receiver 524288 remedy)"
	check "$mpi: the gain is half of what it computes, 5 of 10 ms each time" sh -c 'test "${1:-0}" -ge 35000000 -a "${1:-0}" -le 65000000' \
		sh "$(bottleneck $mpi late_receiver 524288 remedy_gain_ns)"
	check "$mpi: a receiver that sleeps has to be awake" sh -c 'echo "$1" |
		grep -q "^shorten the time asleep or blocked outside MPI (.*): rank 1 .*is outside MPI between .*% of the time asleep"' \
		sh "$(bottleneck $mpi late_receiver 786432 remedy)"
	check "$mpi: the verdict names the late rank" sh -c '"$1" report --width 999 -s verdict "$2" |
		grep -q "^Verdict: .* Of all waiting [0-9]* % is for rank 1: see BLAME\."' sh "$TRYST" $mpi
	why=$(bottleneck $mpi late_progress 1048576 why)
	check "$mpi: so is the computation with a pending receive: $why" sh -c 'echo "$1" | grep -q \
		"no MPI call for .*after MPI_Irecv at compute_while_pending advice.c:.*until MPI_Wait"' \
		sh "$why"
	run_measured $mpi path-$mpi 16384 planted on_path
	remedy=$(bottleneck path-$mpi late_receiver 16384 remedy)
	check "$mpi: raising S shortens a run in which the sender has work: $remedy" sh -c 'echo "$1" |
		grep -q "^raise S, .* to 16384 B (set $2=[0-9]*, which S follows).*By replay the run is .* shorter\."' sh "$remedy" $variable
	gain=$(bottleneck path-$mpi late_receiver 16384 remedy_gain_ns)
	before=$(sed -n 's/^on_path: \([0-9]*\)\..* ms$/\1/p' said)

	value=$(echo "$remedy" | sed -n "s/.*(set $variable=\\([0-9]*\\), .*/\\1/p")
	export "$variable=${value:-0}"
	run_measured $mpi followed-$mpi 16384 planted on_path
	after=$(sed -n 's/^on_path: \([0-9]*\)\..* ms$/\1/p' said)
	expect "$mpi: with $variable=$value that wait is gone" \
		"$(bottleneck followed-$mpi late_receiver 16384 wait_ns)" ""
	check "$mpi: and the run is shorter, $after ms after $before ms, by half of what was told at least, $gain ns" \
		test $(((before - after) * 2000000)) -ge "$gain"
	unset $variable
done
finish
