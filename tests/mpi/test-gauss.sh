#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# contrib/gauss: the fragmented program computes what the original does, and tryst predict tells its times from one
# recorded run by three models. Times themselves are not judged.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

gauss=$TEST_SRC/contrib/gauss
mpis_with openmpi mpich
for mpi in $MPIS; do
	case $mpi in
	openmpi) compiler=$(lib_launcher mpicc.openmpi mpicc) ;;
	mpich) compiler=$(lib_launcher mpicc.mpich mpicc) ;;
	esac
	[ -n "$compiler" ] || continue
	check "$mpi: gauss compiles" "$compiler" -O2 -g -Wall -Werror -o gauss-$mpi "$gauss/gauss.c"
	check "$mpi: the original runs" to whole shim_run $mpi 3 whole-$mpi ./gauss-$mpi 130
	check "$mpi: and in pieces of 500 bytes" to pieces shim_run $mpi 3 pieces-$mpi ./gauss-$mpi 130 500
	expect "$mpi: both have the same result" "$(sed 's/.*,//' pieces)" "$(sed 's/.*,//' whole)"
	check "$mpi: the runs are analyzed" sh -c '"$1" analyze "$2" && "$1" analyze "$3"' sh "$TRYST" whole-$mpi pieces-$mpi
	# Each row goes over two of three links, in one message of 1040 bytes or in three.
	expect_sql whole-$mpi/run.db "SELECT count(*), max(bytes) FROM op WHERE kind = 'send'" '260|1040'
	expect_sql pieces-$mpi/run.db "SELECT count(*), max(bytes) FROM op WHERE kind = 'send'" '780|500'

	# Links of no machine: o 10 us, L 20 us, 10 ns a byte, and S 1000: 260 messages of 40 us + 10.4 us and more.
	sqlite3 whole-$mpi/run.db "DELETE FROM link_param WHERE model = 'LogGPS';
		INSERT INTO link_param SELECT r.rank, 'node', NULL, NULL, NULL, 'LogGPS', column1, NULL, column2, 'ns', NULL,
			NULL, 'measured', NULL
		FROM (SELECT DISTINCT rank FROM run) r, (VALUES ('L', 20000), ('o', 10000), ('O_ss', 0), ('O_rs', 0),
			('G_s', 10), ('O_sl', 0), ('O_rl', 0), ('G_l', 10), ('s', 500), ('S', 1000), ('S_p', 1000))"
	for model in LogGPS LogGP-1 LogGP-2; do
		"$TRYST" predict -f csv -s run,waits --set S=1000 --model $model whole-$mpi >said
		expect "$mpi: $model predicts" "$?" 0
		expect "$mpi: $model: sends wait for their receives" "$(grep -c '^waits,late_receiver,[0-9]*,[1-9]' said)" \
			"$([ $model = LogGPS ] && echo 1 || echo 0)"
	done
done
finish
