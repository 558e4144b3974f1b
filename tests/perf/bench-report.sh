#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tryst report on an analyzed run: processor time, which must not grow with the messages. 1 s is the
# budget for 10 million messages (MESSAGES=10000000, minutes to make) and for 10,000 ranks
# (RANKS=10000, minutes as well).
. "${TEST_SRC:-.}/tests/lib.sh"

# measure RANKS ROUNDS WHAT: a run of so many rounds of messages
measure() {
	"$TEST_BUILD/tests/spoolgen" -n $1 -r $2 -s 7 run >/dev/null
	"$TRYST" collect run >/dev/null
	( "$TRYST" merge run >/dev/null; times ) | tail -n 1 | sed "s/^/$3, merge: user and system /"
	"$TRYST" analyze run >/dev/null
	"$TRYST" report -v run >/dev/null	# into the page cache
	( "$TRYST" report -v run >/dev/null; times ) | tail -n 1 | sed "s/^/$3, report: user and system /"
	rm -rf run
}

for messages in ${MESSAGES:-100000 1000000}; do
	measure 4 $((messages / 4)) "$messages messages"
done
for ranks in ${RANKS:-500 1000}; do
	measure $ranks 20 "$ranks ranks"
done
finish
