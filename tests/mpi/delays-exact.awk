# SPDX-License-Identifier: BSD-3-Clause
# delays-exact.awk: how near exact waits come to the truth that delays.c logged.
#
#	awk -f delays-exact.awk LOG.0 LOG.1 ROWS
#
# ROWS has a line for each message, fields separated by |: sending rank, tag, late_ns + order_ns,
# progress_ns, cause, protocol, the send's cause_hint (late_progress: it needs the receiver inside
# MPI, and not its receive), when the library saw send and receive posted [ns of CLOCK_MONOTONIC].
#
# Truth: of each call by which a rank waited, the time until the other side's entry that it needed,
# by the entries that the two ranks logged. Compared by case, as a call over several messages waits
# once. A case is judged within 1 us + 1 % and what lay between the log's clock reads and the
# library's, which is logged, too; its cause where the log says that one side alone waited for the other,
# for more than 20 us, and no side spent more on something else (a long transfer, the scheduler).

function clip(t, longest) { return t < 0 ? 0 : t < longest ? t : longest }
function most(a, b) { return a > b ? a : b }

FNR == 1 { file++ }

file <= 2 {
	op = (file - 1) SUBSEP $3 SUBSEP $5
	key[++nops] = op
	nr[op] = $1; form[op] = $2; bytes[op] = $4
	post[op] = $9 + 0; enter[op] = $10 + 0; leave[op] = $11 + 0; inmpi[op] = $12 + 0
	next
}

{
	split($0, f, "|")
	m = f[1] SUBSEP f[2]
	cause[m] = f[5]; protocol[m] = f[6]
	moves[m] = f[7] == "late_progress" && protocol[m] != "rendezvous"
	exact[m] = f[3] + (moves[m] ? f[4] : 0)
	seen[m, "send"] = f[8] + 0; seen[m, "recv"] = f[9] + 0
}

END {
	for (i = 1; i <= nops; i++) {
		op = key[i]
		split(op, part, SUBSEP)
		peer = (1 - part[1]) SUBSEP (part[2] == "send" ? "recv" : "send") SUBSEP part[3]
		m = (part[2] == "send" ? part[1] : 1 - part[1]) SUBSEP part[3]
		if (!(m in exact)) {
			missing++
			continue
		}
		needed = post[peer]
		why = "late_sender"
		if (part[2] == "send") {
			why = "late_receiver"
			# no thresholds were found: who stayed until the receive, waited for it
			if (protocol[m] == "" && leave[op] < post[peer])
				needed = 0
			if (protocol[m] != "" && protocol[m] != "rendezvous" && form[op] != "ssend") {
				needed = moves[m] ? inmpi[peer] : 0
				why = "late_progress"
			}
		}
		t = clip(needed - enter[op], leave[op] - enter[op])
		call = part[1] SUBSEP nr[op]
		truth[call] = most(truth[call], t)
		of[call, ++nof[call]] = op
		op_truth[op] = t; op_why[op] = why; op_message[op] = m
		rest[nr[op]] = most(rest[nr[op]], leave[op] - enter[op] - t)
		t = seen[m, part[2]] - post[op]
		apart[nr[op]] = most(apart[nr[op]], t < 0 ? -t : t)
		what[nr[op]] = form[op] " " bytes[op]
		if (part[2] == "send")
			found[nr[op]] += exact[m]
	}
	for (c in what) {
		a = truth[0, c] + 0
		b = truth[1, c] + 0
		t = a + b
		cases++
		limit = 1000 + 0.01 * t + 2 * apart[c]
		# what the other messages of a call took may lie within the wait or behind it
		if (what[c] ~ /^waitall/)
			limit += rest[c]
		far += apart[c] > 5000
		bad = found[c] - t > limit || t - found[c] > limit
		off += bad
		if (bad && verbose)
			print "case", c, what[c], "truth", t, "exact", found[c], "clocks apart", apart[c]
		if (most(a, b) < 20000 || (a > 1000 && b > 1000) || rest[c] > most(a, b))
			continue
		call = a > b ? 0 SUBSEP c : 1 SUBSEP c
		causes++
		# of ops that waited for the same entry, any one may have it
		right = 0
		for (i = 1; i <= nof[call]; i++) {
			op = of[call, i]
			right += op_truth[op] > 0.9 * truth[call] && cause[op_message[op]] == op_why[op]
		}
		wrong += !right
		if (!right && verbose)
			print "cause of case", c, what[c], "truth", t
	}
	printf "cases off: %d of %d; clocks apart by more than 5 us: %d; causes wrong: %d of %d\n",
		off, cases, far, wrong, causes
	print "verdict " (cases == 0 || missing ? "off: rows" : far > 0.5 * cases ? "off: clocks" : \
		off > 0.05 * cases ? "off: times" : wrong > 0.05 * causes ? "off: causes" : "ok")
}
