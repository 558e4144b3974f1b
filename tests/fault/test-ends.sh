#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# exit() without MPI_Finalize, MPI_Abort, signals: same exit code as bare, every completed op is there.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

n=200
for mpi in $MPIS; do
	for mode in end code exit exit-all _exit abort segv term chdir fork thread; do
		# One library is enough for these: they do not depend on it.
		case $mode in
		chdir | thread) [ $mpi = "${MPIS##* }" ] || continue ;;
		esac
		DOOMED=$PWD/d-$mpi-$mode
		out=out-$mpi-$mode
		# A busy launcher may stumble, bare or not: then the pair is run again.
		for _ in 1 2 3; do
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
		mpich-exit-all) # which rank's end the launcher sees first is chance, also bare; 4.2's even makes 0 of it
			case $($(lib_launcher mpirun.mpich mpiexec.hydra mpirun) --version) in
			*" 4.2."*) ;;
			*) check "$mpi $mode: exit code" test $under -ne 0 ;;
			esac
			;;
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
		# At the first exit code that is not 0, Open MPI 5 and 6 end the other rank, which may be writing its rows.
		expect "$mpi $mode: clean_finalize" "$(sql $out "SELECT value FROM run WHERE key = 'clean_finalize'" |
			if [ $mode = code ]; then sort | tail -n 1; else sort -u; fi)" $clean
	done
	for mode in exit _exit abort; do
		"$TRYST" report --width 999 -s losses out-$mpi-$mode >losses-$mode 2>&1
	done
	check "$mpi: who called exit() is told ($(cat losses-exit))" grep -q \
		"^! rank 0: called exit(), or returned from main, without MPI_Finalize; what was recorded is here" losses-exit
	check "$mpi: of others nothing of that is said" sh -c '! grep "called exit" losses-_exit losses-abort'
	check "$mpi: rank 1 did not, it was killed" grep -q "^! rank 1: ended without MPI_Finalize" losses-exit
	expect "$mpi abort: what rank 1 waited for" "$(sql out-$mpi-abort/rank-000001.db \
		"SELECT kind, call, peer, tag, in_call FROM pending")" "recv|MPI_Recv|0|4242|1"

	# What a rank computes after its last call belongs to its time; one that is killed there leaves bounds.
	# Without predictions, as on a busy machine, WAITS has another "(at most)": that is no bound of the time.
	shim_run $mpi 1 late-$mpi env TRYST_CALIBRATE=off "$(mpi_program $mpi doomed)" late $n >late 2>&1
	"$TRYST" report -v --width 999 late-$mpi >got
	expect "$mpi: the time until exit() is known" "$(sql late-$mpi/rank-000000.db "SELECT max(value) FILTER (WHERE key = 'end_ns')
		BETWEEN 500000000 AND 20000000000, sum(key = 'exited'), sum(key = 'found_dead_ns') FROM run")" "1|1|0"
	check "$mpi: and said as such" sh -c '! grep "at most [0-9]\|up to their last" got && grep ", ran [0-9.]* m*s after MPI_Init$" got'
	shim_run $mpi 1 _late-$mpi "$(mpi_program $mpi doomed)" _late $n >late 2>&1
	"$TRYST" report -v --width 999 _late-$mpi >got
	check "$mpi: of another end there are bounds" grep -q ", ran at least [0-9.]* [mun]*s and at most [0-9.]* m*s after MPI_Init" got
	check "$mpi: what is left out is said" grep -q "^! rank 0: what came after the last record is not known, for at most\
 [0-9.]* m*s: run time and all shares leave it out$" got
	check "$mpi: also in the verdict" grep -q "^Verdict: .* % of the ranks' time up to their last record is" got
	"$TRYST" report -v --one-side --width 999 _late-$mpi >got
	check "$mpi: and of one side" grep -q "^Verdict: .* % of the ranks' time up to their last record is" got
done
finish
