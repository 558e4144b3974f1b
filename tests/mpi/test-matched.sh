#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# A receive of a message that a matched probe took has the send of that message, in whatever order messages are
# probed and received; by what the messages themselves say. One rank and two, with threads and without.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# of_messages RUN.DB: which send each receive has, as the program logs it
of_messages() {
	sql "$1" "WITH s AS (SELECT op_key, tag, row_number() OVER (PARTITION BY tag ORDER BY op_id) AS n FROM op
			WHERE kind = 'send'),
		r AS (SELECT op_key, tag, row_number() OVER (PARTITION BY tag ORDER BY post_leave_ns) AS n FROM op
			WHERE kind = 'recv')
		SELECT r.tag, r.n, s.n FROM match JOIN s ON s.op_key = send_key JOIN r ON r.op_key = recv_key
		WHERE s.tag = r.tag ORDER BY 1, 2"
}

for mpi in $MPIS; do
	for ranks in 1 2; do
		for threads in '' threads; do
			what="$mpi: $ranks ranks $threads"
			out=$mpi-$ranks-$threads
			check "$what: the program ends well" \
				shim_run $mpi $ranks $out "$(mpi_program $mpi matched)" log $threads
			check "$what: it is analyzed" "$TRYST" analyze $out
			check "$what: all orders were tried" [ "$(wc -l <log)" -gt 500 ]
			of_messages $out/run.db >got
			expect "$what: each receive has its message" "$(diff log got)" ""
			expect_sql $out/run.db "SELECT value FROM match_info WHERE key = 'bytes_differ'" 0
			expect_sql $out/run.db "SELECT count(*) FROM match_summary WHERE NOT matched" 0
		done
	done
done
finish
