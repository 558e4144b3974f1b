#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# exit() without MPI_Finalize, MPI_Abort, signals: same exit code as bare, every completed op is there.
. "${TEST_SRC:-.}/tests/lib.sh"

n=200
for mpi in $MPIS; do
	for mode in end code exit exit-all _exit abort segv term chdir fork thread; do
		DOOMED=$PWD/d-$mpi-$mode
		out=out-$mpi-$mode
		# A busy launcher may stumble, bare or not: then the pair is run again.
		for try in 1 2 3; do
			unset DOOMED
			to bare mpi_run $mpi 2 "$(mpi_program $mpi doomed)" $mode $n
			bare=$?
			DOOMED=$PWD/d-$mpi-$mode
			export DOOMED
			rm -rf "$DOOMED" $out
			mkdir "$DOOMED"
			to under shim_run $mpi 2 $out "$(mpi_program $mpi doomed)" $mode $n
			under=$?
			[ $under -eq $bare ] && break
			echo "$mpi $mode: exit code $under, bare $bare"
		done
		case $mpi-$mode in
		mpich-exit-all) # which rank's end the launcher sees first is chance, also bare
			check "$mpi $mode: exit code" test $under -ne 0 ;;
		*) expect "$mpi $mode: exit code" $under "$bare" ;;
		esac
		case $mode in
		end | chdir | fork | thread) expect "$mpi $mode: exit code" $under 0 ;;
		esac
		expect "$mpi $mode: output" "$(grep -E '^(rank|child)' under | sort)" \
			"$(grep -E '^(rank|child)' bare | sort)"
		unset DOOMED
		check "$mpi $mode: collect" to collect "$TRYST" collect $out
		expect "$mpi $mode: both ranks' files are whole" "$(sql $out 'PRAGMA integrity_check' 2>&1)" "ok
ok"
		case $mode in
		end | code | chdir | fork | thread) clean=1 ;;
		*) clean=0 ;;
		esac
		case $mode in
		exit-all | term) ;; # the launcher ends the slower rank at once
		*)
			expect_sql $out "SELECT count(*), sum(complete_leave_ns IS NOT NULL) FROM op WHERE tag < 4242" \
				"$((2 * n))|$((2 * n))
$((2 * n))|$((2 * n))"
			;;
		esac
		expect "$mpi $mode: clean_finalize" "$(sql $out "SELECT value FROM run WHERE key = 'clean_finalize'" |
			sort -u)" $clean
	done
	expect "$mpi abort: what rank 1 waited for" "$(sql out-$mpi-abort/rank-000001.db \
		"SELECT kind, call, peer, tag, in_call FROM pending")" "recv|MPI_Recv|0|4242|1"
done
finish
