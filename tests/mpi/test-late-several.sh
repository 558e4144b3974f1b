#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=200
# Of several late messages in one call the waits add up to the call's, and the report says how late each sender was.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

need python3 python3
for mpi in $MPIS; do
	shim_run $mpi 4 $mpi "$(mpi_program $mpi late_several)" 5
	check "$mpi: the report is made" sh -c '"$1" report -f json -s pairs,bottlenecks -n 100 $2 >report' sh "$TRYST" $mpi
	# how late each was, by the times of both sides; and its share of the wait
	sqlite3 $mpi/run.db "SELECT send_rank, max(send_enter_ns - complete_enter_ns), sum(late_ns) FROM match
		JOIN op ON op_key = recv_key WHERE recv_rank = 0 AND late_ns > 0 GROUP BY send_rank" >pairs
	sqlite3 $mpi/run.db "SELECT coalesce(sum(send_enter_ns - complete_enter_ns), 0) FROM match
		JOIN op ON op_key = recv_key WHERE cause = 'late_sender' AND call = 'MPI_Irecv'" >sum
	check "$mpi: lateness is told in full: $(tr '\n' ' ' <sum)" python3 -c "
import json
report = json.load(open('report'))
told = {p['peer']: p['longest_late_ns'] for p in report['pairs'] if p['waiting_rank'] == 0 and p['as'] == 'receives from'}
for line in open('pairs'):
    peer, longest, share = map(int, line.split('|'))
    print(peer, longest, share, told[peer])
    assert told[peer] == longest
late = [b for b in report['bottlenecks'] if b['cause'] == 'late_sender' and b['call'] == 'MPI_Irecv']
count = sum(b['count'] for b in late)
assert count >= 5 and abs(sum(b['count'] * b['late_mean_ns'] for b in late) - int(open('sum').read())) <= count"
	check "$mpi: others are late for the same call" sh -c 'grep -q "other messages kept the same calls, too" report'
done
finish
