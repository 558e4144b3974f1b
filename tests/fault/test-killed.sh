#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# SIGKILL of one or of all ranks at any moment: no op whose completing call had returned is lost.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# What rank $2's mapped log in $1 says: receives and sends that were complete.
logged() {
	od -An -t u8 "$1/log-$2" | tr -s ' ' | sed 's/^ //'
}

# Both ranks have received something.
both_began() {
	for r in 0 1; do
		[ -s "$1/pid-$r" ] && [ -s "$1/log-$r" ] && [ "$(logged "$1" $r | cut -d ' ' -f 1)" -gt 0 ] ||
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

times=${TEST_KILLS:-4}
for mpi in $MPIS; do
	for i in $(seq 1 "$times"); do
		for victims in 1 "0 1"; do
			at=$mpi-$i-$(echo "$victims" | tr -d ' ')
			DOOMED=$PWD/d-$at
			export DOOMED
			mkdir "$DOOMED"
			# who kills may be kept waiting, and every op is to have its row
			shim_run $mpi 2 out-$at env TRYST_MAX_OPS=1000000000 "$(mpi_program $mpi doomed)" run >stdout-$at 2>&1 &
			launcher=$!
			for _ in $(seq 1 200); do
				both_began "$DOOMED" && break
				sleep 0.1
			done
			sleep "0.$(awk -v s="$i$$" 'BEGIN { srand(s); print int(rand() * 10) }')"
			for victim in $victims; do
				kill -9 "$(cat "$DOOMED/pid-$victim")"
			done
			wait $launcher
			for _ in $(seq 1 100); do
				ended "$(cat "$DOOMED/pid-0")" && ended "$(cat "$DOOMED/pid-1")" && break
				sleep 0.1
			done
			to collect-$at "$TRYST" collect out-$at || fail "$at: collect: $(cat collect-$at.err)"
			expect "$at: both ranks' files are whole" "$(sql out-$at 'PRAGMA integrity_check' 2>&1)" "ok
ok"
			for r in 0 1; do
				db=out-$at/rank-00000$r.db
				# shellcheck disable=SC2046
				set -- $(logged "$DOOMED" $r)
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
		done
	done
done
finish
