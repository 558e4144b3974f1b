#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# The JSON of report, diff, predict, top and doctor keeps to its schemas, and the schemas describe each of its columns.
. "${TEST_SRC:-.}/tests/lib.sh"
need python3 python3
python3 -c 'import jsonschema' 2>/dev/null || missing jsonschema python3-jsonschema

cat >valid.py <<'END'
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
data = json.load(open(sys.argv[2]))
wrong = ["%s: %s" % (list(e.absolute_path), e.message) for e in Draft202012Validator(schema).iter_errors(data)]
for section, rows in data.items():
    known = schema["properties"].get(section, {}).get("items", {}).get("properties", {})
    for row in rows if isinstance(rows, list) else []:
        wrong += ["%s: column %s is not described" % (section, name) for name in row if name not in known]
print("\n".join(sorted(set(wrong))[:20]))
sys.exit(1 if wrong else 0)
END

# keeps COMMAND NAME: the text in NAME.json is as the schema of the command says.
keeps() {
	check "$2 keeps to the schema of tryst $1" python3 valid.py "$TEST_SRC/include/schemas/$1.schema.json" $2.json
}

spoolgen=$TEST_BUILD/tests/spoolgen
check "a run is simulated" "$spoolgen" -n 4 -r 500 -o -s 7 -N 2 dead >/dev/null
check "another is" "$spoolgen" -n 2 -r 300 -s 3 well >/dev/null
for run in dead well; do
	"$TRYST" report -f json -n 1000 $run >$run.json
	keeps report $run
	"$TRYST" report -f json -n 1000 --one-side $run >$run-one-side.json
	keeps report $run-one-side
done
"$TRYST" report -f json dead/rank-000001.db >rank.json
keeps report rank
"$TRYST" report -f json -s verdict,losses dead >some.json
keeps report some
"$TRYST" diff -f json -n 1000 dead well >diff.json
keeps diff diff
"$spoolgen" -n 3 -r 300 -s 5 three >/dev/null
"$TRYST" diff -f json -n 1000 well three dead >scaling.json
keeps scaling scaling
"$TRYST" predict -f json --as loggopsim --speed rank:0=2 well >predict.json
keeps predict predict
"$TRYST" predict -f json --sweep 'S=1K..16K' well >sweep.json
keeps predict sweep
"$TRYST" doctor -f json >doctor.json
keeps doctor doctor
"$TRYST" top -f json dead >over.json
keeps top over
check "a running job is simulated" "$spoolgen" -n 3 -r 500 -o -s 7 -N 3 open >/dev/null
"$TRYST" top -f json -i 0.1 open >open.json
keeps top open

# The test can fail.
sed 's/"version": 1/"version": 0/' well.json >other.json
check "another version is none" sh -c '! python3 valid.py "$1" other.json >/dev/null' sh \
	"$TEST_SRC/include/schemas/report.schema.json"
sed 's/"wait_ns": /"x_ns": /' well.json >other.json
check "an unknown column is told" sh -c '! python3 valid.py "$1" other.json >/dev/null' sh \
	"$TEST_SRC/include/schemas/report.schema.json"
need sqlite3 sqlite3
sqlite3 well/run.db "INSERT OR REPLACE INTO run SELECT DISTINCT rank, 'TRYST_ROWS', 'later' FROM run"
expect "settings are objects" "$("$TRYST" report -f json -s settings well | grep TRYST_ROWS | tr -d ' ,')" \
	'{"name":"TRYST_ROWS""value":"later""is_same":1}'
finish
