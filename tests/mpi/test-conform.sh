#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# What programs do with MPI's callbacks, its begin and end, and with their process: the same as bare,
# and all messages are recorded.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

chmod 755 "$TEST_TMPDIR"
for mpi in $MPIS; do
	for mode in queries callbacks finalize fatal early late twice atexit thread cancelled closed pipes user children environment; do
		[ $mode = user ] && [ "$(id -u)" != 0 ] && continue
		# one library is enough for these: they do not depend on it
		case $mode in
		pipes | closed | children | environment) [ $mpi = "${MPIS##* }" ] || continue ;;
		esac
		to bare mpi_run $mpi 2 "$(mpi_program $mpi conform)" $mode
		bare=$?
		out=out-$mpi-$mode
		to under shim_run $mpi 2 $out "$(mpi_program $mpi conform)" $mode
		under=$?
		# Open MPI 6.0 rc2 reads freed memory in a call after MPI_Finalize: some runs end with a signal.
		[ $mpi-$mode-$under != openmpi-late-139 ] || under=$bare
		expect "$mpi $mode: exit code" $under $bare
		# What a rank printed last may be lost where the library ends the job: bare, too.
		case $mode in
		early | fatal | late | twice) ;;
		*)
			grep -a -E '^(rank|child|from)' bare | sort >bare.sorted
			grep -a -E '^(rank|child|from)' under | sort >under.sorted
			expect "$mpi $mode: output" "$(diff bare.sorted under.sorted)" ""
			expect "$mpi $mode: each rank has come to an end" "$(grep -a -c finalized under.sorted)" \
				"$(grep -a -c finalized bare.sorted)"
			;;
		esac
		[ -d $out ] || continue
		check "$mpi $mode: collect" to collect "$TRYST" collect $out
		expect "$mpi $mode: whole" "$(sql $out 'PRAGMA integrity_check' | sort -u)" ok
		# three of each: before MPI_Init, behind it, and behind MPI_Finalize
		three=$(printf 'MPI_%s|3\n' Finalized Get_library_version Get_version Initialized)
		[ $mode != queries ] || expect_sql $out "SELECT call, sum(count) FROM call_profile WHERE call IN
			('MPI_Initialized', 'MPI_Finalized', 'MPI_Get_version', 'MPI_Get_library_version') GROUP BY call" "$three
$three"
		case $mode in
		queries) ops=0 ;;
		thread) ops=200 ;;
		pipes) ops=$((2 * (20 + 100))) ;;
		cancelled) ops=$((3 * 5000 + 2 * 100)) ;;
		# 3 errors handled, a copied and 2 deleted attributes, each a message to itself; 10 exchanges
		callbacks) ops=$((2 * (100 + 10 + 3 + 3))) ;;
		children) ops=$((2 * (100 + 4 * 20))) ;;
		*) ops=200 ;;
		esac
		case $mode in
		early | fatal | late | twice) ;;
		*)
			expect_sql $out "SELECT count(*) FROM op" "$ops
$ops"
			expect_sql $out "SELECT count(*) FROM pending" "0
0"
			;;
		esac
	done
done
finish
