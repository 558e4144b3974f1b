#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# The Chrome trace keeps to the schema of trace events, is compressed on request, and can be a part of the run.
. "${TEST_SRC:-.}/tests/lib.sh"
need python3 python3
python3 -c 'import jsonschema' 2>/dev/null || missing jsonschema python3-jsonschema

# Of the format that Perfetto reads ("Trace Event Format"): complete, flow and metadata events.
cat >schema.json <<'END'
{"type": "object", "required": ["traceEvents", "displayTimeUnit"], "properties": {
	"displayTimeUnit": {"enum": ["ms", "ns"]}, "otherData": {"type": "object"},
	"traceEvents": {"type": "array", "items": {"oneOf": [
		{"type": "object", "required": ["ph", "pid", "tid", "name", "cat", "ts", "dur", "args"], "additionalProperties": false,
			"properties": {"ph": {"const": "X"}, "pid": {"type": "integer", "minimum": 0}, "tid": {"type": "integer", "minimum": 0},
			"name": {"type": "string", "minLength": 1}, "cat": {"enum": ["mpi", "wait"]}, "ts": {"type": "number", "minimum": 0},
			"dur": {"type": "number", "minimum": 0}, "args": {"type": "object"}}},
		{"type": "object", "required": ["ph", "pid", "tid", "name", "cat", "id", "ts"], "additionalProperties": false,
			"properties": {"ph": {"enum": ["s", "f"]}, "bp": {"const": "e"}, "pid": {"type": "integer"}, "tid": {"type": "integer"},
			"name": {"type": "string"}, "cat": {"type": "string"}, "id": {"type": "integer"}, "ts": {"type": "number"},
			"args": {"type": "object"}}},
		{"type": "object", "required": ["ph", "pid", "name"], "additionalProperties": false,
			"properties": {"ph": {"const": "M"}, "pid": {"type": "integer"}, "tid": {"type": "integer"},
			"name": {"enum": ["process_name", "process_sort_index", "thread_name"]}, "args": {"type": "object"}}}]}}}}
END
cat >valid.py <<'END'
import json, sys
from jsonschema import Draft7Validator
trace = json.load(open(sys.argv[1]))
for e in list(Draft7Validator(json.load(open("schema.json"))).iter_errors(trace))[:3]:
    print(list(e.absolute_path), e.message[:200])
    sys.exit(1)
calls = [e for e in trace["traceEvents"] if e["ph"] == "X" and e["cat"] == "mpi"]
print(len(calls), sum(e["ts"] <= 2000 and e["ts"] + e["dur"] >= 1000 for e in calls))
END
check "a run is simulated" "$TEST_BUILD/tests/spoolgen" -n 4 -r 600 -s 7 -N 2 run >/dev/null
check "it is analyzed" to analyzed "$TRYST" analyze run
check "a trace is made where no folder is" to exported "$TRYST" export -f chrome -o new/folder/all.json run
check "it keeps to the schema" to all python3 valid.py new/folder/all.json
check "a part of it is made" to exported "$TRYST" export -f chrome --from 1ms --to 0.002 -o part.json run
check "that keeps to the schema, too" to part python3 valid.py part.json
expect "it has the calls that touch this time, and no others" "$(cat part)" "$(awk '{ print $2, $2 }' all)"
check "these are some, not all" awk '{ exit !($2 > 0 && $2 < $1) }' all
check "part.json's arrows are in it" sh -c 'python3 "$1" part.json >/dev/null' sh "$TEST_SRC/tests/mpi/check-trace.py"
check "a full device is told as one" sh -c '! "$1" export -f chrome -o /dev/full run >out 2>err && grep -q "/dev/full.: No space left" err' sh "$TRYST"
check "a pipe that is there is written" sh -c '"$1" export -f chrome -o /dev/stdout run | cmp - new/folder/all.json' sh "$TRYST"
# A row of match has what both sides waited: more than one of its calls took, here.
cp -r run both
python3 -c 'import sqlite3
db = sqlite3.connect("both/run.db")
db.execute("UPDATE match_row SET late = late + 1000000000")
db.commit()'
check "a trace of them is made" to exported "$TRYST" export -f chrome -o both.json both/run.db
check "no wait is longer than its call" python3 - <<'END'
import json
calls, waits = {}, 0
for e in json.load(open("both.json"))["traceEvents"]:
    if e["ph"] == "X" and e["cat"] == "mpi":
        calls[e["pid"], e["tid"]] = e
    elif e["ph"] == "X":
        waits += 1
        assert e["args"]["wait_ns"] <= 1000.001 * calls[e["pid"], e["tid"]]["dur"], (e, calls[e["pid"], e["tid"]])
assert waits > 100, waits
END
# refused_of RUN REASON OPTION...: the export writes nothing, says REASON, and ends as for a wrong command line.
refused_of() {
	of=$1
	why=$2
	shift 2
	"$TRYST" export -f chrome "$@" -o none.json "$of" >out 2>err
	[ $? -eq 2 ] && [ ! -e none.json ] && grep -q "$why" err
}
refused() {
	refused_of run "$@"
}
check "a time after the end of the run is refused" refused "^tryst export: --from 5 is after the end of the run: it took 0\.0[0-9]* s$" --from 5
check "a time that ends before it begins is, too" refused "^tryst export: --from 0.02 is after --to 0.01$" --from 0.02 --to 0.01
# no rank of a simulated run calls MPI in its last nanosecond
end=$("$TRYST" sql -f csv run "SELECT printf('%.9f', (max(CAST(value AS INTEGER)) - 1) / 1e9) FROM run WHERE key = 'end_ns'" | tail -n 1)
check "a time without calls is, too" refused "^tryst export: no call is between 0\.0[0-9]* s and 0\.0[0-9]* s of the run$" --from $end
check "of chosen ranks as well" refused "^tryst export: no call of these ranks is between" --from $end --ranks 1
check "a run without calls is simulated" "$TEST_BUILD/tests/spoolgen" -n 2 -r 0 silent >/dev/null
check "ranks without calls are refused" refused_of silent "^tryst export: the run has no call of these ranks$" --ranks 1
check "all of a run is exported, also without calls" to exported "$TRYST" export -f chrome --ranks 0,1 -o silent.json silent
if grep -q '^#define HAVE_ZLIB 1' "$TEST_BUILD/config.h"; then
	check "a compressed one is made" to exported "$TRYST" export -f chrome -o small.json.gz run
	gzip -dc small.json.gz >small.json
	check "it is the same" cmp small.json new/folder/all.json
	check "in a tenth of the size" test $((10 * $(wc -c <small.json.gz))) -le "$(wc -c <small.json)"
fi
if "$TRYST" export -o archive run >otf2 2>&1 && command -v otf2-print >/dev/null; then
	check "the archive's clock has the date" sh -c 'otf2-print -G archive/traces.otf2 | grep -q "CLOCK_PROPERTIES.*Date: 2023-"'

	# requests DIR: how many requests the archive completes, and how many of these it does not post once
	requests() {
		otf2-print "$1/traces.otf2" | awk '/^[A-Z_]+ / && match($0, /Request: [0-9]+/) {
			id = $2 " " substr($0, RSTART + 9, RLENGTH - 9)
			if ($1 == "MPI_ISEND" || $1 ~ /_REQUEST$/) posted[id]++; else done[id]++
		}
		END { for (id in done) { n++; bad += posted[id] != 1 }; print n + 0, bad + 0 }'
	}
	check "the whole run completes requests" [ "$(requests archive | cut -d ' ' -f 1)" -gt 100 ]
	expect "each of them was posted" "$(requests archive | cut -d ' ' -f 2)" 0
	for from in 0.0009 0.0013 0.0016; do
		check "a part from $from s on is made" to exported "$TRYST" export --from $from -o part-$from run
		expect "each request that it completes was posted in it" "$(requests part-$from | cut -d ' ' -f 2)" 0
	done
fi
finish
