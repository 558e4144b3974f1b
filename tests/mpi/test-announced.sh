#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=200
# Receives of long messages that were announced before tell how long messages really take: predictions follow them.
. "${TEST_SRC:-.}/tests/lib.sh"

need sqlite3 sqlite3
$cc -std=gnu11 -O2 -shared -fPIC "$TEST_SRC/tests/mpi/slow_probe.c" -o slow_probe.so || exit 1
bytes=1000000
judged=

# What $2 of 4 messages of the run $1 took at most [ns].
quartile() {
	sqlite3 $1/rank-000001.db "WITH b AS (SELECT blocked_ns FROM op WHERE op_id > 1)
		SELECT blocked_ns FROM b ORDER BY blocked_ns LIMIT 1 OFFSET (SELECT $2 * count(*) / 4 FROM b)"
}

# What rank 1 predicted for a message, the first or the last one (ASC, DESC) [ns].
predicted() {
	sqlite3 $1/rank-000001.db "SELECT predicted_ns FROM op WHERE op_id > 1 ORDER BY op_id $2 LIMIT 1"
}

# Whether most messages of the run $1 took about the same, and so not a turn of the scheduler's: the machine did not
# change meanwhile, and both ranks had a processor.
steady() {
	low=$(quartile $1 1)
	high=$(quartile $1 3)
	say "$1: half of the messages took $low to $high ns"
	[ $high -lt 1000000 ] && [ $((4 * high)) -lt $((5 * low)) ]
}

# Links of $1 as of a machine on which messages take three quarters of what they do on this one.
as_calibrated() {
	mpi_run $1 2 "$TRYST" calibrate -b 4 -o $1.links >calibrate 2>&1 || {
		say "$1: $(cat calibrate)"
		return 1
	}
	rm -rf plain-$1
	check "$1: as calibrated" shim_run $1 2 plain-$1 env TRYST_LINKS=$1.links "$program" $bytes 200 receiver
	[ -n "$(predicted plain-$1 ASC)" ] && steady plain-$1 || return
	times=$(awk "BEGIN { print 0.75 * $(quartile plain-$1 2) / $(predicted plain-$1 ASC) }")
	sqlite3 $1.links "UPDATE link_param SET value = $times * value WHERE unit IN ('ns', 'ns/B')"
}

# A run with $1 in which $2 is late for each message.
late() {
	rm -rf $2-$1
	check "$1: late $2" to under shim_run $1 2 $2-$1 env TRYST_LINKS=$1.links "$program" $bytes 200 $2
	# flags that the library raises by itself, now and then, prove nothing
	grep -q "flags 1" bare && sed -i "s/flags 0/flags 1/" under
	expect "$1: late $2: messages, floating-point state and error handlers are as without us" "$(cat under)" \
		"$(cat bare)"
}

for mpi in $MPIS; do
	program=$(mpi_program $mpi announced)
	to bare mpi_run $mpi 2 "$program" $bytes 200 receiver
	expect "$mpi: messages are right without us" "$(cut -c 1-7 bare)" "wrong 0"
	seen=
	for _ in 1 2 3 4 5; do
		as_calibrated $mpi || continue
		late $mpi receiver
		steady receiver-$mpi || continue
		# the last predictions are what the messages before took in this very run
		# shellcheck disable=SC2046 # three numbers
		set -- $(quartile receiver-$mpi 2) $(predicted receiver-$mpi ASC) $(predicted receiver-$mpi DESC)
		say "$mpi: messages took $1 ns, predicted at first $2, at last $3"
		# what takes more than half as long again has a sender that is elsewhere
		[ $((2 * $1)) -lt $((3 * $2)) ] || continue
		seen=1 judged=1
		check "$mpi: predictions follow" test $((5 * $3)) -gt $((4 * $1)) -a $((4 * $3)) -lt $((5 * $1))
		break
	done
	[ -n "$seen" ] || continue
	late $mpi sender
	# who waited for each message knows nothing of the kind
	expect_sql sender-$mpi/rank-000001.db "SELECT count(*) FROM link_param WHERE name = 'scale' AND value > 1.3" 0
	expect_sql sender-$mpi/rank-000001.db "SELECT sum(wait_ns) > 200 * 1000000 FROM op" 1
	# what tells it is no call of the program's
	expect_sql receiver-$mpi/rank-000001.db "SELECT count(*) FROM call_profile WHERE call = 'MPI_Iprobe'" 0
	# asking for a message that is there counts as ours, not as time in MPI, nor as the receive's
	check "$mpi: asking that takes 2 ms" to slow mpi_run $mpi 2 env LD_PRELOAD="$TRYST_LIB:$PWD/slow_probe.so" \
		TRYST_DIR=slow-$mpi TRYST_LINKS=$mpi.links "$program" $bytes 50 receiver
	expect_sql slow-$mpi/rank-000001.db "SELECT sum(tool_ns) > 8 * 2000000, sum(time_ns) >= (SELECT sum(blocked_ns) FROM op)
		FROM call_profile WHERE call = 'MPI_Recv'" "1|1"
	# asking for a message that is late is a part of the receive, and of the time in MPI
	check "$mpi: asking in vain" to vain mpi_run $mpi 2 env LD_PRELOAD="$TRYST_LIB:$PWD/slow_probe.so" \
		TRYST_DIR=vain-$mpi TRYST_LINKS=$mpi.links "$program" $bytes 50 sender
	expect_sql vain-$mpi/rank-000001.db "SELECT sum(tool_ns) < 8 * 2000000, sum(time_ns) >= (SELECT sum(wait_ns) FROM op)
		FROM call_profile WHERE call = 'MPI_Recv'" "1|1"
done
[ -n "$judged" ] || [ $lib_failed -gt 0 ] || skip "the machine is too busy to measure or to judge any MPI"
finish
