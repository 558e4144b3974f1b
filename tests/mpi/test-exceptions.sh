#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=400
# A C++ program that throws, also out of MPI, keeps its own unwinder: same result, same cost.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

need g++ g++
for mpi in $MPIS; do
	case $mpi in
	openmpi) module=ompi-c ;;
	mpich) module=mpich ;;
	esac
	# shellcheck disable=SC2046
	check "$mpi: compiles" g++ -O1 $(pkg-config --cflags $module) "$TEST_SRC/tests/mpi/throw.cpp" -o throw-$mpi \
		$(pkg-config --libs $module)
	check "$mpi: throw ends well bare" to bare mpi_run $mpi 2 ./throw-$mpi
	check "$mpi: throw ends well" to under shim_run $mpi 2 out-$mpi ./throw-$mpi
	expect "$mpi: the same was caught" "$(grep caught under)" "$(grep caught bare)"
	expect "$mpi: what was caught" "$(grep caught under)" "caught 2010 thrown 10"
	bare=$(sed -n 's/^throw \([0-9]*\) ns/\1/p' bare)
	under=$(sed -n 's/^throw \([0-9]*\) ns/\1/p' under)
	echo "a throw: $bare ns bare, $under ns under tryst"
	check "$mpi: a throw costs what it did" test "$under" -lt $((2 * bare + 500))
	expect_sql out-$mpi "SELECT count(*) FROM op WHERE call = 'MPI_Sendrecv_replace'" "22
22"
	# A call that is left by an exception never returned: it is counted, and nothing else is known of it.
	expect_sql out-$mpi "SELECT sum(count), sum(time_ns), sum(max_ns) FROM call_profile WHERE call = 'MPI_Send'" "10|0|0
10|0|0"
	expect "$mpi: the report tells" "$("$TRYST" report -f csv -s losses out-$mpi | grep -c '^losses,calls_left,"0,1",20,calls,')" 1
done
finish
