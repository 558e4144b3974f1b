# SPDX-License-Identifier: BSD-3-Clause
# clocks-judge.awk: exact times across clocks that differ, against the log of delays.c.
#
#	awk -v zero=NS -v error=NS -f clocks-judge.awk LOG.0 LOG.1 ROWS
#
# zero: the log's time at time 0 of the run, whose rank 0 reads the log's clock; error: what is stated
# for rank 1's [ns]. ROWS has a line for each message, fields separated by |: sending rank, tag, late
# time, send posted, receive posted (on the common clock).
#
# A call begins after the log has read the clock, by what it takes to take a callsite and, now and
# then, by the time that other programs have the processor. So no call of the run may begin before
# its entry in the log less the stated error, and the quickest quarter of rank 1's not later than
# rank 0's by more than the error and 1 us.
#
# Late times: of calls of one message, and only where the machine had time for the
# program. The receive's late time is until the send was posted, the send's, where it is synchronous,
# until the receive was. Prints figures, and `verdict ok` or what is off.

function clip(t, longest) { return t < 0 ? 0 : t > longest ? longest : t }
function abs(x) { return x < 0 ? -x : x }

# The end of the first quarter of gap[rank, 1..n]; sorts by Shell's method.
function quarter(rank, n,    step, i, j, x) {
	for (step = int(n / 2); step > 0; step = int(step / 2))
		for (i = step + 1; i <= n; i++) {
			x = gap[rank, i]
			for (j = i - step; j > 0 && gap[rank, j] > x; j -= step)
				gap[rank, j + step] = gap[rank, j]
			gap[rank, j + step] = x
		}
	return gap[rank, int(n / 4) + 1]
}

function begun(op, ns,    part, g) {
	split(op, part, SUBSEP)
	g = ns - (post[op] - zero)
	gap[part[1], ++ngaps[part[1]]] = g
	early[part[1]] += g < -(part[1] ? error : 0) - 200
	slow += g > 2000
	calls++
}

FNR == 1 { file++ }

file <= 2 {
	op = (file - 1) SUBSEP $5
	form[op] = $2
	post[op] = $9 + 0; enter[op] = $10 + 0; leave[op] = $11 + 0
	next
}

{
	split($0, f, "|")
	send = f[1] SUBSEP f[2]
	recv = (1 - f[1]) SUBSEP f[2]
	if (!(send in form) || !(recv in form))
		next
	begun(send, f[4])
	begun(recv, f[5])
	if (form[send] == "waitall" || form[send] == "sendrecv")
		next
	truth = clip(post[send] - enter[recv], leave[recv] - enter[recv])
	if (form[send] == "ssend")
		truth += clip(post[recv] - enter[send], leave[send] - enter[send])
	else if (post[recv] > enter[send])
		next
	judged++
	late_off += abs(f[3] - truth) > 1000 + 0.01 * truth + error
}

END {
	few = ngaps[0] < 50 || ngaps[1] < 50 || judged < 10
	own = few ? 0 : quarter(0, ngaps[0])
	other = few ? 0 : quarter(1, ngaps[1])
	printf "calls %d, of which %d began before their entry in the log, by more than %.0f ns\n", calls,
		early[0] + early[1], error
	printf "the quickest quarter begins %.0f ns after its entries on rank 0, %.0f ns on rank 1\n", own,
		other
	printf "late times off: %d of %d\n", late_off, judged
	if (few)
		verdict = verdict " few"
	if (early[0] + early[1] > 0.01 * calls || abs(other - own) > error + 1000)
		verdict = verdict " clocks"
	busy = slow > 0.03 * calls
	if (busy)
		printf "%d calls began late: this machine is too busy to judge late times\n", slow
	if (!busy && late_off > 0.05 * judged)
		verdict = verdict " late"
	print "verdict " (verdict == "" ? "ok" : "off:" verdict)
}
