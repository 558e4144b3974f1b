#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=900
# SIGKILL of one or of all ranks at any moment, also of 16 ranks and of programs in Fortran: no op whose completing call had returned is lost.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# What rank $2's mapped log in $1 says: receives and sends that were complete.
logged() {
	od -An -t u8 "$1/log-$2" | tr -s ' ' | sed 's/^ //'
}

# The first $2 ranks have received something: a line of two numbers for each.
all_began() {
	[ "$(cat "$1"/log-* 2>/dev/null | od -An -v -w16 -t u8 | awk '$1 > 0' | grep -c '')" = "$2" ] &&
		[ "$(cat "$1"/pid-* | grep -c .)" = "$2" ]
}

# Whether process $1 runs no more: a launcher need not have waited for ranks that it ended.
ended() {
	state=
	{ read -r state <"/proc/$1/stat"; } 2>/dev/null
	case ${state##*) } in
	'' | Z* | X*) ;;
	*) return 1 ;;
	esac
}

# each_ended FILE...: those whose numbers stand in these files
each_ended() {
	for file in "$@"; do
		ended "$(cat "$file")" || return
	done
}

# killed NRANKS VICTIM...: doomed, whose ranks VICTIM are killed in mid-run; all its records are looked at.
killed() {
	nranks=$1
	shift
	DOOMED=$PWD/d-$at
	export DOOMED
	mkdir "$DOOMED"
	# who kills may be kept waiting, and every op is to have its row
	shim_run $mpi $nranks out-$at env TRYST_MAX_OPS=1000000000 "$(mpi_program $mpi doomed)" run >stdout-$at 2>&1 &
	launcher=$!
	wait_until 30 all_began "$DOOMED" $nranks
	sleep "0.$(awk -v s="$i$$" -v n=$tenths 'BEGIN { srand(s); print int(rand() * n) }')"
	for victim in "$@"; do
		kill -9 "$(cat "$DOOMED/pid-$victim")"
	done
	wait $launcher
	wait_until 10 each_ended "$DOOMED"/pid-*
	to collect-$at "$TRYST" collect out-$at || fail "$at: collect: $(cat collect-$at.err)"
	for r in $(seq 0 $((nranks - 1))); do
		db=out-$at/rank-$(printf %06d "$r").db
		# shellcheck disable=SC2046
		set -- $(logged "$DOOMED" "$r")
		check "$at: rank $r did something" test "$1" -gt 0
		# The numbers were stored after the call had returned, and one op may have ended since. A rank that was told
		# to end by its launcher did not reach Finalize either.
		expect "$at: rank $r's file is whole, and has $1 receives or one more, $2 sends or more, all ops, and no end" \
			"$(sql $db "PRAGMA integrity_check; SELECT
			sum(kind = 'recv' AND complete_leave_ns IS NOT NULL) BETWEEN $1 AND $1 + 1,
			sum(kind = 'send' AND complete_leave_ns IS NOT NULL) >= $2, count(*) = max(op_id),
			(SELECT value FROM run WHERE key = 'clean_finalize') FROM op" 2>&1)" "ok
1|1|1|0"
	done
}

# killed_fortran FLAVOUR: the same for the ring in Fortran, each of whose rounds is two sends and two receives.
killed_fortran() {
	mkdir ring-$at
	cd ring-$at || exit 1
	check "$at: compiles" "$compiler" -D$1 -DROUNDS=100000000 -cpp -o ring "$TEST_SRC/tests/mpi/ring.F90"
	# shellcheck disable=SC2016
	shim_run $mpi 2 out env TRYST_MAX_OPS=1000000000 sh -c 'echo $$ >pid-$$; exec ./ring' >stdout 2>&1 &
	launcher=$!
	wait_until 30 [ -s log-0 ] && wait_until 30 [ -s log-1 ]
	sleep 0.2
	kill -9 "$(cat pid-* | head -n 1)"
	wait $launcher
	wait_until 10 each_ended pid-*
	to collect "$TRYST" collect out || fail "$at: collect: $(cat collect.err)"
	for r in 0 1; do
		did=$(grep -c '' log-$r)
		check "$at: rank $r did something ($did rounds)" test "$did" -gt 0
		# the round's last digits may be written, and its end not
		expect_sql out/rank-00000$r.db "SELECT count(*) >= 4 * ($did - 1) AND count(*) <= 4 * ($did + 1) AND
			count(*) = max(op_id) FROM op" 1
	done
	cd ..
}

times=${TEST_KILLS:-2} tenths=4
[ -z "${TEST_KILLS-}" ] || tenths=10
for mpi in $MPIS; do
	for i in $(seq 1 "$times"); do
		at=$mpi-$i-1
		killed 2 1
		at=$mpi-$i-01
		killed 2 0 1
	done
	# Many ranks end alike with each library: one is enough, but for test-killed-long.
	[ -n "${TEST_KILLS-}" ] || [ $mpi = "${MPIS##* }" ] || continue
	at=$mpi-16
	killed 16 5
done
# No compiler for Fortran ends the test as a skipped one.
if [ -n "$TEST_ABI" ] || [ $lib_failed -gt 0 ]; then finish; fi
flavours='MPI_F08 MPIF'
for mpi in $MPIS; do
	need_fortran "$mpi"
	for flavour in $flavours; do
		at=$mpi-$flavour
		killed_fortran $flavour
		[ -n "${TEST_KILLS-}" ] || break
	done
	flavours='MPIF MPI_F08'
done
finish
