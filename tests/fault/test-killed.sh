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

# The first $2 ranks have received something.
all_began() {
	for r in $(seq 0 $(($2 - 1))); do
		[ -s "$1/pid-$r" ] && [ -s "$1/log-$r" ] && [ "$(logged "$1" "$r" | cut -d ' ' -f 1)" -gt 0 ] ||
			return
	done
}

# Whether process $1 runs no more: a launcher need not have waited for ranks that it ended.
ended() {
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
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
	sleep "0.$(awk -v s="$i$$" 'BEGIN { srand(s); print int(rand() * 10) }')"
	for victim in "$@"; do
		kill -9 "$(cat "$DOOMED/pid-$victim")"
	done
	wait $launcher
	wait_until 10 each_ended "$DOOMED"/pid-*
	to collect-$at "$TRYST" collect out-$at || fail "$at: collect: $(cat collect-$at.err)"
	expect "$at: all ranks' files are whole" "$(sql out-$at 'PRAGMA integrity_check' 2>&1 | sort | uniq -c | tr -s ' ')" \
		" $nranks ok"
	for r in $(seq 0 $((nranks - 1))); do
		db=out-$at/rank-$(printf %06d "$r").db
		# shellcheck disable=SC2046
		set -- $(logged "$DOOMED" "$r")
		check "$at: rank $r did something" test "$1" -gt 0
		# The numbers were stored after the call had returned, and one op may have ended since.
		expect_sql $db "SELECT count(*) BETWEEN $1 AND $1 + 1 FROM op
			WHERE kind = 'recv' AND complete_leave_ns IS NOT NULL" 1
		expect_sql $db "SELECT count(*) >= $2 FROM op
			WHERE kind = 'send' AND complete_leave_ns IS NOT NULL" 1
		expect_sql $db "SELECT count(*) FROM op" "$(sql $db 'SELECT max(op_id) FROM op')"
		# A rank that was told to end by its launcher did not reach Finalize either.
		expect_sql $db "SELECT value FROM run WHERE key = 'clean_finalize'" 0
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

times=${TEST_KILLS:-4}
for mpi in $MPIS; do
	for i in $(seq 1 "$times"); do
		at=$mpi-$i-1
		killed 2 1
		at=$mpi-$i-01
		killed 2 0 1
	done
	at=$mpi-16
	killed 16 5
done
# No compiler for Fortran ends the test as a skipped one.
if [ -n "$TEST_ABI" ] || [ $lib_failed -gt 0 ]; then finish; fi
for mpi in $MPIS; do
	need_fortran "$mpi"
	for flavour in MPIF MPI_F08; do
		at=$mpi-$flavour
		killed_fortran $flavour
	done
done
finish
