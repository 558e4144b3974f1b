#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=200
# Receives of long messages that were announced before tell how long messages really take: predictions follow them.
. "${TEST_SRC:-.}/tests/lib.sh"

need sqlite3 sqlite3
cc=$(sed -n 's/^CC = //p' "$TEST_BUILD/Makefile")
$cc -std=gnu11 -O2 -shared -fPIC "$TEST_SRC/tests/mpi/slow_probe.c" -o slow_probe.so || exit 1
bytes=1000000
judged=
for mpi in $MPIS; do
	program=$(mpi_program $mpi announced)
	calibrated=
	for _ in 1 2 3 4; do
		mpi_run $mpi 2 "$TRYST" calibrate -b 4 -o $mpi.links >calibrate 2>&1 && calibrated=1 && break
	done
	if [ -z "$calibrated" ]; then
		say "$mpi: the machine is too busy to measure two ranks: $(cat calibrate)"
		continue
	fi
	check "$mpi: as calibrated" shim_run $mpi 2 plain-$mpi env TRYST_LINKS=$mpi.links "$program" $bytes 200 receiver
	# a machine that does the very same in three quarters of the time
	times=$(sqlite3 plain-$mpi/rank-000001.db "SELECT 0.75 * avg(blocked_ns) / (SELECT predicted_ns FROM op WHERE op_id = 2)
		FROM op WHERE op_id > 1")
	sqlite3 $mpi.links "UPDATE link_param SET value = $times * value WHERE unit IN ('ns', 'ns/B')"
	to bare mpi_run $mpi 2 "$program" $bytes 200 receiver
	expect "$mpi: messages are right without us" "$(cut -c 1-7 bare)" "wrong 0"
	for who in receiver sender; do
		check "$mpi: late $who" to under shim_run $mpi 2 $who-$mpi env TRYST_LINKS=$mpi.links "$program" $bytes 200 $who
		# flags that the library raises by itself, now and then, prove nothing
		grep -q "flags 1" bare && sed -i "s/flags 0/flags 1/" under
		expect "$mpi: late $who: messages, floating-point state and error handlers are as without us" "$(cat under)" \
			"$(cat bare)"
	done
	# the last predictions are what the messages before took in this very run, if that was not the machine's doing
	set -- $(sqlite3 -separator ' ' receiver-$mpi/rank-000001.db "WITH b AS (SELECT blocked_ns FROM op WHERE op_id > 136)
		SELECT (SELECT blocked_ns FROM b ORDER BY blocked_ns LIMIT 1 OFFSET (SELECT count(*) / 2 FROM b)),
		(SELECT predicted_ns FROM op WHERE op_id = 2), (SELECT predicted_ns FROM op ORDER BY op_id DESC LIMIT 1)")
	say "$mpi: messages took $1 ns, predicted at first $2, at last $3"
	if [ $((2 * $1)) -gt $((3 * $2)) ]; then
		say "$mpi: the machine was too busy: rank 0 had no processor for its part"
	else
		judged=1
		check "$mpi: predictions follow" test $((5 * $3)) -gt $((4 * $1)) -a $((4 * $3)) -lt $((5 * $1))
	fi
	# who waited for each message knows nothing of the kind
	expect_sql sender-$mpi/rank-000001.db "SELECT count(*) FROM link_param WHERE name = 'scale' AND value > 1.3" 0
	expect_sql sender-$mpi/rank-000001.db "SELECT sum(wait_ns) > 200 * 1000000 FROM op" 1
	# what tells it is no call of the program's
	expect_sql receiver-$mpi/rank-000001.db "SELECT count(*) FROM call_profile WHERE call = 'MPI_Iprobe'" 0
	# and what asking takes is counted as ours, not as time in MPI
	check "$mpi: asking that takes 2 ms" to slow mpi_run $mpi 2 env LD_PRELOAD="$TRYST_LIB:$PWD/slow_probe.so" \
		TRYST_DIR=slow-$mpi TRYST_LINKS=$mpi.links "$program" $bytes 50 receiver
	expect_sql slow-$mpi/rank-000001.db "SELECT sum(tool_ns) > 8 * 2000000, sum(time_ns) < (SELECT sum(blocked_ns) FROM op) - 8 * 2000000
		FROM call_profile WHERE call = 'MPI_Recv'" "1|1"
done
[ -n "$judged" ] || [ $lib_failed -gt 0 ] || skip "the machine is too busy to measure or to judge any MPI"
finish
