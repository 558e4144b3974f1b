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

# there N: so many
there() {
	[ "$(keepers)" = "$1" ]
}

for signal in TERM KILL; do
	sh "$hosts" -m none -d 100 sleep 50 &
	pid=$!
	check "two hosts and a switch are there" wait_until 15 there 3
	kill -$signal $pid
	wait $pid
	check "SIG$signal: nobody is left" wait_until 15 there 0
done
expect "no device is left" "$(ip -o link | wc -l)" "$links"
finish
