#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# What tryst export writes opens in other tools, and has every call, message and collective.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

need python3 python3
if "$TRYST" export --output there . 2>&1 | grep -q 'built without OTF2'; then
	missing "OTF2" libopen-trace-format2-dev
fi
need otf2-print otf2-tools
python3 -c 'import jsonschema' 2>/dev/null || missing jsonschema python3-jsonschema

# Events of an archive by kind: "kind count" lines. ARCHIVE.print has all of them.
otf2_events() {
	otf2-print "$1/traces.otf2" >"$1.print" 2>"$1.err"
	sed -n 's/^\([A-Z][A-Z_]*\)  *[0-9][0-9]*  *[0-9].*/\1/p' "$1.print" |
		grep -v '^METRIC$' | sort | uniq -c | awk '{ print $2, $1 }'
	cat "$1.err"
}

# The same from the rows. A receive that was cancelled or failed, or had no peer, is no message.
expected_events() {
	sqlite3 -readonly -batch -separator ' ' "$1/run.db" "
	WITH message AS (SELECT *, form = 'blocking' AS blocks FROM op
		WHERE flags NOT LIKE '%proc_null%' AND flags NOT LIKE '%failed%'
			AND flags NOT LIKE '%other_world%' OR flags IS NULL),
	event(kind) AS (
		SELECT iif(kind = 'send', 'MPI_SEND', 'MPI_RECV') FROM message WHERE blocks
		UNION ALL SELECT iif(kind = 'send', 'MPI_ISEND', 'MPI_IRECV_REQUEST') FROM message
			WHERE NOT blocks
		UNION ALL SELECT CASE WHEN flags LIKE '%cancelled%' THEN 'MPI_REQUEST_CANCELLED'
			WHEN kind = 'send' THEN 'MPI_ISEND_COMPLETE' ELSE 'MPI_IRECV' END FROM message
			WHERE NOT blocks AND complete_leave_ns IS NOT NULL
		UNION ALL SELECT iif(done IS NULL, 'MPI_COLLECTIVE_BEGIN',
			'NON_BLOCKING_COLLECTIVE_REQUEST') FROM coll_row
		UNION ALL SELECT iif(done IS NULL, 'MPI_COLLECTIVE_END',
			'NON_BLOCKING_COLLECTIVE_COMPLETE') FROM coll_row WHERE done IS NOT 0
		UNION ALL SELECT 'ENTER' FROM call UNION ALL SELECT 'LEAVE' FROM call),
	entry AS (SELECT rank, thread, post_enter_ns AS at FROM op
		UNION SELECT rank, thread, complete_enter_ns FROM op WHERE complete_enter_ns IS NOT NULL
		UNION SELECT rank, thread, enter_ns FROM collective
		UNION SELECT rank, thread, complete_enter_ns FROM collective
			WHERE complete_enter_ns IS NOT NULL
		UNION SELECT rank, thread, enter_ns FROM rma UNION SELECT rank, thread, enter_ns FROM io
		UNION SELECT rank, thread, complete_enter_ns FROM rma WHERE complete_enter_ns IS NOT NULL
		UNION SELECT rank, thread, complete_enter_ns FROM io WHERE complete_enter_ns IS NOT NULL
		UNION SELECT rank, thread, enter_ns FROM in_call WHERE op_id IS NULL),
	call AS (SELECT 1 FROM entry UNION ALL SELECT 1 FROM
		(SELECT DISTINCT rank, thread FROM (SELECT rank, thread FROM call_profile
			UNION SELECT rank, 0 FROM run)))
	SELECT kind, count(*) FROM event GROUP BY 1 ORDER BY 1"
}

# A run in all three formats.
exports() {
	check "$1: analyzed" to analyze "$TRYST" analyze "$1"
	for format in otf2 chrome csv; do
		check "$1: exported as $format" to exported "$TRYST" export -f $format "$1"
	done
	[ ! -f "$1.trace.json.gz" ] || check "$1: the trace is compressed" gzip -d "$1.trace.json.gz"
	expect "$1: otf2-print shows every event" "$(otf2_events "$1.otf2")" "$(expected_events "$1")"
	# The validator takes a millisecond an event.
	[ "$(wc -l <"$1.trace.json")" -gt 10000 ] || check "$1: the trace keeps to its schema" python3 -c '
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
wrong = list(Draft202012Validator(schema).iter_errors(json.load(open(sys.argv[2]))))
sys.exit("\n".join("%s: %s" % (list(e.absolute_path), e.message[:200]) for e in wrong[:5]) or None)' \
		"$TEST_SRC/tests/mpi/trace.schema.json" "$1.trace.json"
	expect "$1: trace events fit together" \
		"$(python3 "$TEST_SRC/tests/mpi/check-trace.py" "$1.trace.json" | cut -d' ' -f3)" \
		"$(sql "$1/run.db" "SELECT count(*) FROM match m JOIN op r ON r.op_key = recv_key
			WHERE r.complete_leave_ns IS NOT NULL")"
	expect "$1: waits in collectives are in their calls, by rank, call, state and late rank" \
		"$(python3 "$TEST_SRC/tests/mpi/trace-waits.py" "$1.trace.json")" \
		"$(sql "$1/run.db" "SELECT rank || ' ' || coalesce(complete_call, call) || ' ' || state || ' ' ||
			late_rank || ' ' || sum(start_ns) || ' ' || sum(wait_ns) FROM collective_wait
			GROUP BY rank, coalesce(complete_call, call), state, late_rank ORDER BY 1")"
	expect "$1: a CSV file has every row" "$(($(wc -l <"$1.csv/op.csv") - 1))" \
		"$(sql "$1/run.db" "SELECT count(*) FROM op")"
	expect "$1: and every table its file" "$(find "$1.csv" -type f -name '*.csv' | sed 's/.*\///; s/\.csv$//' |
		sort)" "$(sql "$1/run.db" "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')
		AND name NOT GLOB '*_row' AND name NOT GLOB '*_cell' AND name NOT GLOB '*_name'
		AND name NOT GLOB '*_fields' AND name NOT GLOB 'sqlite_*' ORDER BY 1")"
}

# Simulated, on two nodes, dying in a receive; long enough for several chunks of the archive.
check "a run is simulated" "$TEST_BUILD/tests/spoolgen" -n 4 -r 8000 -o -s 7 -N 2 dead >/dev/null
check "rows are made" to collected "$TRYST" collect dead
check "some calls take no time" sqlite3 dead/rank-000001.db \
	"UPDATE op_row SET complete = 0 WHERE complete > 0 AND id % 3 = 0; UPDATE op_row SET span = 0 WHERE id % 3 = 1"
exports dead
# of what waits alone in its call, the cause is the one that both sides show; of collectives, the state
"$TRYST" export -f chrome -o causes.json dead >/dev/null
expect "waits have their exact causes" "$(grep -o '"cat":"wait","name":"[a-z_]*"' causes.json | sort | uniq -c |
	sed 's/ *\([0-9]*\).*:"\(.*\)"/\2|\1/' | grep -v unexplained)" "$(sql dead/run.db "SELECT cause, count(*) FROM match
	WHERE waiting_rank IS NOT NULL AND cause <> 'unexplained' GROUP BY 1 UNION ALL
	SELECT state, count(*) FROM collective_wait GROUP BY 1 ORDER BY 1")"
# metric ARCHIVE NAME: how often it has a value, and their sum
metric() {
	sed -n "s/^METRIC .*(\"$2\" <[0-9]*>; INT64; \([0-9]*\)).*/\1/p" "$1.print" |
		awk '{ n++; sum += $1 } END { printf "%d %.0f\n", n, sum }'
}
expect "the metric of predictions has the sum of the rows" "$(metric dead.otf2 predicted)" "$(sql dead/run.db "
	SELECT count(*) || ' ' || sum(ns) FROM (SELECT sum(predicted_ns) AS ns FROM op WHERE complete_leave_ns IS NOT NULL
		GROUP BY rank, thread, complete_enter_ns, complete_call HAVING count(*) = count(predicted_ns))")"
expect "that of waits has the waits of calls" "$(metric dead.otf2 wait | cut -d ' ' -f 2)" "$(
	sed -n 's/.*("wait_ns" <[0-9]*>; INT64; \([0-9]*\)).*/\1/p' dead.otf2.print |
		awk -v collectives="$(sql dead/run.db "SELECT sum(wait_ns) FROM collective_wait")" \
			'{ sum += $1 } END { printf "%.0f\n", sum + collectives }')"

# Parts of a run.
end=$(sql dead/run.db "SELECT printf('%.9f', max(CAST(value AS INTEGER)) / 2e9) FROM run WHERE key = 'end_ns'")
check "half of the time of two ranks is exported" to exported "$TRYST" export --ranks 1,3-7 --to "$end" -o part dead
otf2-print part/traces.otf2 | sed -n 's/^[A-Z_]*  *\([0-9][0-9]*\)  *\([0-9][0-9]*\) .*/\1 \2/p' |
	awk -v end="$end" '{ n[int($1 / 65536)]++; late += $2 > end * 1e9 } END { print (n[0] + 0) " " (n[1] > 9) " " (n[2] + 0) " " (n[3] > 9) " " (late < 20) }' >got
expect "with these ranks and this time alone" "$(cat got)" "0 1 0 1 1"
# nested ARCHIVE FROM TO: regions that do not nest, times that go back, calls that do not touch the part, and
# program's regions that are not as long as it, or as the calls that reach beyond
nested() {
	otf2-print "$1/traces.otf2" | awk -v from="$2" -v to="$3" '
		BEGIN {
			from = int(from * 1e9 + 0.5)
			to = int(to * 1e9 + 0.5)
		}
		/^[A-Z_]+ +[0-9]+ +[0-9]+ / {
			at = $3 + 0
			back += at < last[$2]
			region = $0
			sub(/.*Region: /, "", region)
			sub(/>.*/, "", region)
		}
		$1 == "ENTER" {
			stack[$2, ++depth[$2]] = region
			entered[$2, depth[$2]] = at
			outside += at > to || (depth[$2] == 1 && at > from)
		}
		$1 == "LEAVE" {
			open += depth[$2] < 1 || stack[$2, depth[$2]] != region
			outside += at < from
			if (depth[$2]-- == 1)
				outside += at < to || (at > to && at > last[$2])
		}
		/^[A-Z_]+ +[0-9]+ +[0-9]+ / { last[$2] = at; n++ }
		END {
			for (i in depth)
				open += depth[i]
			print (n > 1000) + 0, open + 0, back + 0, outside + 0
		}'
}
expect "of half of the time, regions nest and cover this part" "$(nested part 0 "$end")" "1 0 0 0"
check "a part from the middle is exported" to exported "$TRYST" export --from "$(awk "BEGIN { print $end / 2 }")" \
	--to "$end" -o middle dead
expect "its regions nest and cover this part" "$(nested middle "$(awk "BEGIN { print $end / 2 }")" "$end")" "1 0 0 0"
worst=$(sql dead/run.db "SELECT rank FROM (SELECT waiting_rank AS rank, late_ns + progress_ns + order_ns + flow_ns + contention_ns +
	iif(cause IN ('unexplained', 'no_cpu'), max(other_ns, 0), 0) AS ns FROM match WHERE waiting_rank IS NOT NULL
	UNION ALL SELECT rank, wait_ns FROM collective_wait) GROUP BY rank ORDER BY sum(ns) DESC LIMIT 1")
check "the worst rank is exported" to exported "$TRYST" export -f chrome --worst 1 -o worst.json dead
expect "alone" "$(grep -o '"pid":[0-9]*' worst.json | sort -u)" "\"pid\":$worst"
check "an odd list of ranks is refused" sh -c '"$1" export --ranks 1-,2 -o none dead 2>err; [ $? -eq 2 ] && grep -q "no list of ranks" err' \
	sh "$TRYST"
check "ranks that there are not, too" sh -c '"$1" export --ranks 7 -o none dead 2>err; [ $? -eq 2 ] && grep -q "none of these" err' \
	sh "$TRYST"

expect "what is there is not replaced" "$("$TRYST" export dead 2>&1)" \
	"tryst export: 'dead.otf2' is there already: name another one with -o"
rm dead/run.db dead/rank-000002.*
check "a rank is missing" to exported "$TRYST" export -o missing dead
check "and otf2-print shows the others" to printed otf2-print missing/traces.otf2
check "with three ranks' events" test "$(grep -c '^ENTER.*"simulated"' printed)" = 3

for mpi in ${MPIS# }; do
	mpi=${mpi%% *}
	check "communicators" shim_run $mpi 4 comms "$(mpi_program $mpi comms)"
	exports comms
	# names with their numbers of messages; the intercommunicator's count as the world's
	sed -n 's/^MPI_I*SEND .*Communicator: "\([^"]*\)".*/\1/p' comms.otf2.print |
		sort | uniq -c | awk '{ n = $1; $1 = ""; print substr($0, 2) "|" n }' |
		sort >got
	sql comms/run.db "SELECT CASE WHEN c.remote_size > 0 THEN 'MPI_COMM_WORLD'
		WHEN c.size = 1 THEN 'MPI_COMM_SELF' ELSE c.name END AS name, count(*)
		FROM op o JOIN communicator c ON c.rank = o.rank AND c.comm = o.comm
		WHERE kind = 'send' GROUP BY 1" | sort >wanted
	check "messages are on their communicators" diff -u wanted got
	check "nonblocking, persistent, cancelled" shim_run $mpi 2 requests \
		"$(mpi_program $mpi requests)" "$PWD"
	exports requests
	check "collectives" shim_run $mpi 4 collectives "$(mpi_program $mpi collectives)"
	exports collectives
	check "lines of the source are in it" grep -q '"source" <1>; SOURCE_CODE_LOCATION; .*requests.c' requests.otf2.print
	break
done
# MPICH alone completes one-sided transfers in other calls
for mpi in $MPIS; do
	check "$mpi: threads" shim_run $mpi 2 threads-$mpi "$(mpi_program $mpi threads)" 4 50
	exports threads-$mpi
done
finish
