#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# Runs with different numbers of ranks are a scaling study.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

spoolgen=$TEST_BUILD/tests/spoolgen
for n in 2 4 8; do
	"$spoolgen" -n $n -r 100 -s 7 r$n >/dev/null
	"$TRYST" report r$n >/dev/null
	sqlite3 r$n/run.db "UPDATE run SET value = 400000000 / ($n / 2) +
		25000000 * ($n - 2) WHERE key = 'end_ns'"
done
# 400 ms with 2 ranks; 200 + 50 with 4; 100 + 150 with 8
"$TRYST" diff -f csv -s sizes r8 r2 r4 >got
expect "strong scaling: T(2) 2 / (T(P) P)" "$(cut -d, -f2-7 got)" "ranks,runs,run_ns,ideal_ns,speedup,efficiency_pct
2,1,400000000,400000000,1.0,100.0
4,1,250000000,200000000,1.6,80.0
8,1,250000000,100000000,1.6,40.0"
expect "weak scaling: T(2) / T(P)" "$("$TRYST" diff --weak -f csv -s sizes r2 r8 | cut -d, -f2-7)" \
	"ranks,runs,run_ns,ideal_ns,speedup,efficiency_pct
2,1,400000000,400000000,1.0,100.0
8,1,250000000,400000000,6.4,160.0"
"$TRYST" diff --width 200 r2 r4 r8 >got 2>why
check "the verdict names the efficiency" grep -q "^Verdict: 8 ranks took 250 ms\. Ideal strong scaling from 2 ranks would take 100 ms: \
the efficiency is 40\.0 %\.$" got
check "and where most is lost" grep -q "The wait that grew most is [a-z_]* of MPI_[A-Z][a-z]* at simulated+0x[0-9a-f]*" got
check "a column for the smallest and the largest number of ranks" grep -q "^where  *call  *cause  *2  *8  *lost  *growth" got
check "with how it grows" grep -q "ranks^-*[0-9]\.[0-9]" got
expect "nothing is told besides" "$(cat why)" ""
expect "rows for programs: each place at each size" "$("$TRYST" diff -f csv -s waits -n 1 r2 r4 r8 | cut -d, -f5)" "ranks
2
4
8"
mkdir part
cp -r r8 part/r8
rm -f part/r8/run.db part/r8/rank-000007.db part/r8/*0007*
"$TRYST" diff --width 200 r2 part/r8 r4 >got 2>why
check "a run that lacks a rank keeps its number of ranks" grep -q "r8, .* 8 ranks (1 missing), " got
check "also in its efficiency" grep -q "^Verdict: 8 ranks took" got
# wrong COMMAND...: exit code 2, told in one line
wrong() {
	"$TRYST" diff "$@" >/dev/null 2>why
	expect "wrong: $*" "$? $(wc -l <why)" "2 1"
}
wrong r4 r4 r4
wrong --fail-if 'run>5%' r2 r4 r8
wrong -f html r2 r4 r8
wrong -s blame r2 r4 r8
finish
