#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# An archive of tryst pack has the results of the run, names only if the user asks, and at most the size of --size.
# A hostile archive does no harm.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need gzip gzip
need python3 python3

spoolgen=$TEST_BUILD/tests/spoolgen
mkdir deep
check "a run is simulated" "$spoolgen" -n 4 -r 2000 -o -s 7 -N 2 deep/run >/dev/null
"$TRYST" report -f json -n 1000 deep/run >run.json
sqlite3 deep/run/run.db "UPDATE run SET value = '/secret/place/' || value WHERE key = 'program';
	INSERT INTO run (rank, key, value) VALUES (0, 'arguments', 'secret argument'), (1, 'TRYST_DIR', '/secret/dir'),
		(1, 'TRYST_SAMPLE', '200');
	UPDATE run SET value = 'secret-host' WHERE key = 'host' AND rank = 1;
	UPDATE frame_row SET file = '/secret/source.c', line = 7 WHERE frame = 0;
	UPDATE module_row SET path = '/secret/module.so';"
"$TRYST" pack deep/run >packed 2>pack.err || { missing=$(grep zlib pack.err) && missing "$missing" zlib1g-dev; }
expect "the archive is beside the run" "$(cat packed)" deep/run.tryst.gz
gzip -dc deep/run.tryst.gz >plain.db
expect "nothing secret is in it, also not in free pages" "$(grep -c -a secret plain.db)" 0
expect "settings and base names are" "$(sqlite3 plain.db "SELECT count(DISTINCT value) FROM run WHERE value IN ('200', 'simulated')
	UNION ALL SELECT group_concat(DISTINCT file) FROM frame_row WHERE frame = 0")" "$(printf '2\nsource.c')"
"$TRYST" report -f json -n 1000 deep/run.tryst.gz >archive.json
same='
import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:3])
for name in sys.argv[3:]:
    if [{k: v for k, v in r.items() if k.endswith(("_ns", "_pct", "count", "_bytes", "cause"))} for r in a[name]] != \
       [{k: v for k, v in r.items() if k.endswith(("_ns", "_pct", "count", "_bytes", "cause"))} for r in b[name]] or not a[name]:
        sys.exit("section %s differs" % name)'
check "its report has the run's numbers" python3 -c "$same" run.json archive.json verdict bottlenecks callsites pairs blame path links \
	time accuracy
check "a diff reads it, too" sh -c '"$1" diff deep/run.tryst.gz deep/run >diff.out' sh "$TRYST"
check "with names everything is kept" sh -c '"$1" pack --names -o names/all.gz deep/run && gzip -dc names/all.gz | grep -q -a "/secret/source.c"' \
	sh "$TRYST"

# Size: rows of messages go, sums stay.
bytes=$(wc -c <deep/run.tryst.gz)
check "a smaller one is made" sh -c '"$1" pack --size "$2" -o small.tryst.gz deep/run 2>small.err' sh "$TRYST" $((bytes / 2))
expect "it is as small as was asked" "$(($(wc -c <small.tryst.gz) <= bytes / 2))" 1
check "what is missing is told" grep -q 'rows of [0-9,]* operations are not in it' small.err
"$TRYST" report -f json -n 1000 small.tryst.gz >small.json
check "sums are complete" python3 -c "$same" run.json small.json callsites pairs blame path links time
check "the report tells what is missing" sh -c '"$1" report -s losses small.tryst.gz | grep -q "rows with the least waits"' sh "$TRYST"
(cd deep/run && "$TRYST" predict ../../small.tryst.gz) >out 2>err
expect "a replay takes no file of the directory where it is called" "$(grep -h 'an archive does not have all its rows' out err | sort -u | wc -l)" 4
cp -rp deep/run puts
sqlite3 puts/run.db "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
	INSERT INTO rma_row (id, call, object, peer, bytes, enter, span, thread, callsite)
	SELECT (i % 4 << 40) + 1000000 + i, 200, 1, 1, abs(random()) % 100000, 1000 * i, abs(random()) % 900, 0, 1 FROM n ORDER BY 1"
"$TRYST" pack puts >packed
check "of a run with many one-sided calls, too" sh -c '"$1" pack --size "$2" -o small-puts.gz puts 2>small.err' sh "$TRYST" \
	$(((bytes + $(wc -c <puts.tryst.gz)) / 2))
expect "some of their rows stay" "$("$TRYST" sql -f csv small-puts.gz "SELECT count(*) BETWEEN 1000 AND 30000 FROM rma_row" | tail -n 1)" 1
expect "what cannot be small enough is refused" "$("$TRYST" pack --size 1k -o none.gz deep/run 2>&1 | grep -c 'without any row')" 1
expect "and leaves nothing" "$(ls none.gz 2>/dev/null)" ""
expect "what is there stays" "$("$TRYST" pack -o small.tryst.gz deep/run 2>&1)" \
	"tryst pack: 'small.tryst.gz' is there already: name another one with -o"

# Hostile archives.
refused() {
	"$TRYST" report "$1" >out 2>err
	expect "$2: refused" $? 1
	expect "$2: by one line" "$(grep -c "$3" err)" 1
}
head -c $((bytes / 2)) deep/run.tryst.gz >cut.gz
refused cut.gz "an archive that was cut" "no archive of tryst pack, or damaged"
{ cat deep/run.tryst.gz; echo more; } >more.gz
refused more.gz "an archive with more behind it" "no archive of tryst pack, or damaged"
head -c 100000 /dev/zero | gzip >zero.gz
refused zero.gz "a file of other content" "no archive of tryst pack, or damaged"
printf '\037\213' >head.gz
refused head.gz "a head alone" "no archive of tryst pack, or damaged"
python3 - <<'END'
import gzip
data = bytearray(open("plain.db", "rb").read())
data[100:4000] = b"\xff" * 3900
gzip.open("damaged.gz", "wb").write(data)
END
"$TRYST" report damaged.gz >out 2>err
expect "a damaged database within: refused" $? 1
expect "no directory is left" "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name '.tryst-scratch-*' | wc -l)" 0
finish
