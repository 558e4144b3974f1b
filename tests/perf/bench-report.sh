#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tryst report on an analyzed run: processor time, which must not grow with the messages. 1 s is the
# budget for 10 million messages (MESSAGES=10000000, minutes to make).
. "${TEST_SRC:-.}/tests/lib.sh"

for messages in ${MESSAGES:-100000 1000000}; do
	"$TEST_BUILD/tests/spoolgen" -n 4 -r $((messages / 4)) -s 7 run-$messages >/dev/null
	"$TRYST" analyze run-$messages >/dev/null
	"$TRYST" report run-$messages >/dev/null	# into the page cache
	( "$TRYST" report run-$messages >/dev/null; times ) | tail -n 1 |
		sed "s/^/$messages messages, user and system: /"
	rm -rf run-$messages
done
finish
