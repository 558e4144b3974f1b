#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=120
# hosts.sh: hosts with names of their own, launched across by both MPIs; nothing is left behind, also
# when it is killed.
. "${TEST_SRC:-.}/tests/lib.sh"
need ip iproute2
need mount mount
hosts="$TEST_SRC/tests/net/hosts.sh"
why=$(sh "$hosts" -m none true) || skip "$why"

links=$(ip -o link | wc -l)
sh "$hosts" -m none sh -c 'exit 7'
expect "the exit code comes through" $? 7
for mpi in $MPIS; do
	expect "$mpi: two ranks on each of three hosts" \
		"$(sh "$hosts" -m $mpi -n 3 -p 2 hostname | sort | uniq -c | tr -s ' ')" " 2 host1
 2 host2
 2 host3"
done

# Processes that carry this test's mark and sleep in a host.
keepers() {
	grep -lxzF "TEST_TMPDIR=$TEST_TMPDIR" /proc/[0-9]*/environ 2>/dev/null | while read -r dir; do
		tr '\0' ' ' 2>/dev/null <"${dir%environ}cmdline" | grep -E '^(sleep 100000|[^ ]*net/switch )'
	done | wc -l
}

# wait_for N: until so many are there
wait_for() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
		[ "$(keepers)" = "$1" ] && return
		sleep 0.5
	done
	return 1
}

for signal in TERM KILL; do
	sh "$hosts" -m none -d 100 sleep 50 &
	pid=$!
	check "two hosts and a switch are there" wait_for 3
	kill -$signal $pid
	wait $pid
	check "SIG$signal: nobody is left" wait_for 0
done
expect "no device is left" "$(ip -o link | wc -l)" "$links"
finish
