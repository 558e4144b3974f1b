#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Text, JSON, HTML and SQL have one number for one thing: the run time, the waits by cause, and those by callsite.
# html/test-page compares what a browser shows with the JSON.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need python3 python3

cat >compare.py <<'END'
import json, re, sys
text, page, page_of, sql_time, sql_causes, sql_callsites = (open(name).read() for name in sys.argv[1:])
page = json.loads(re.search(r'id="facts">\n(.*?)\n</script>', page, re.S).group(1))
facts = json.loads(page_of)
unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
wrong = []


def same(what, one, other):
    if one != other:
        wrong.append("%s: %r and %r" % (what, one, other))


def said(what, line, ns):
    """The first duration of the line is `ns`, to the three digits of the text."""
    found = re.search(r"(-?[\d.]+) (ns|us|ms|s)\b", line)
    same("text, " + what, bool(found) and abs(float(found.group(1)) * unit[found.group(2)] - ns) <= 0.005 * abs(ns) + 0.5, True)


def line_of(*words):
    return next((line for line in text.splitlines() if all(word in line.split() for word in words)), "")


def rows(csv):
    return sorted(tuple(line.split(",")) for line in csv.splitlines()[1:])


for section in ("summary", "causes", "callsites"):
    same("page, " + section, page[section], facts[section])
run = facts["summary"][0]["run_ns"]
said("run time", re.search(r".* ran (.*) after MPI_Init", text).group(1), run)
same("SQL, run time", rows(sql_time), [(str(run),)])
for c in facts["causes"]:
    said(c["cause"], line_of(c["protocol"], c["cause"]), c["wait_ns"])
same("SQL, causes", rows(sql_causes),
     sorted((c["protocol"], c["cause"], str(c["count"] or 0), str(c["wait_ns"])) for c in facts["causes"]))
for c in facts["callsites"]:
    said(c["where"], line_of(c["where"], c["call"]), c["wait_ns"])
same("SQL, callsites", rows(sql_callsites),
     sorted((c["where"].split("+0x")[1], c["call"], str(c["count"]), str(c["wait_ns"])) for c in facts["callsites"]))
if not any(c["cause"] == "no_cpu" for c in facts["causes"]):
    wrong.append("no wait has no CPU")
print("\n".join(wrong), end="")
END

for seed in 7 8; do
	run=run-$seed
	check "$run: a run is simulated" "$TEST_BUILD/tests/spoolgen" -n 4 -r 300 -s $seed -N 2 $run >/dev/null
	check "$run: it is analyzed" to text "$TRYST" report $run
	# No simulated rank lacks a CPU.
	sqlite3 $run/run.db "UPDATE exact_cell SET no_cpu_ns = no_cpu_ns + max(other_ns, 0) / 3,
		other_no_cpu_ns = other_no_cpu_ns + max(other_ns, 0) / 3"
	check "$run: its text" to text "$TRYST" report -v --width 200 -n 1000 $run
	check "$run: its JSON" to facts.json "$TRYST" report -f json -n 1000 $run
	"$TRYST" report -f html $run >page.html 2>page.err || {
		! grep -q node-d3 page.err || missing d3 node-d3
	}
	to time.csv "$TRYST" sql -f csv $run "SELECT max(CAST(value AS INTEGER)) AS ns FROM run WHERE key = 'end_ns'"
	to causes.csv "$TRYST" sql -f csv $run "SELECT protocol, cause, sum(waits), sum(wait_ns) FROM exact_by_cause GROUP BY 1, 2
		HAVING sum(wait_ns) >= 0"
	to callsites.csv "$TRYST" sql -f csv $run "SELECT printf('%x', c.offset), e.call, sum(waits), sum(wait_ns)
		FROM exact_by_cause e JOIN callsite c USING (rank, callsite) WHERE c.frame = 0 GROUP BY 1, 2 HAVING sum(wait_ns) > 0"
	expect "$run: one number for one thing" "$(python3 compare.py text page.html facts.json time.csv causes.csv callsites.csv || echo differs)" ""

	# The rows of the recipe have the same sum as the README's query.
	"$TRYST" sql -f csv -n 10000 --recipe waits_by_line $run >lines.csv
	expect "$run: the recipe has all of it" "$(sed 1d lines.csv | awk -F, '{ n += $NF } END { printf "%d\n", n }')" \
		"$("$TRYST" sql -f csv $run "SELECT sum(wait_ns) FROM exact_by_cause" | sed 1d)"
done
finish
