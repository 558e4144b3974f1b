# SPDX-License-Identifier: BSD-3-Clause
# delays-judge.awk: how near live waits come to the truth that delays.c logged.
#
#	awk -v limits="send 4040 256 isend 4040 256 ..." -f delays-judge.awk LOG.0 LOG.1 ROWS
#
# limits: form, S, S_p (-: none) of send, isend, send_init. ROWS has a line for each op, fields
# separated by |: rank kind tag blocked predicted excess wait noise protocol cause.
#
# The truth of an op is its late time by the entries that the two ranks logged, or the time until
# the peer was inside MPI where only that was needed; that of a call over several ops the longest
# of them. The oracle knows each form's and length's median without delay in this very run.
# Prints one line a figure, and `verdict ok` or `verdict off: ...` by the criteria at the end.

function least(a, b) { return a < b ? a : b }
function most(a, b) { return a > b ? a : b }
function clip(t, longest) { return t < 0 ? 0 : least(t, longest) }
function abs(x) { return x < 0 ? -x : x }

# The median of list[name, 1..n]; sorted in place by Shell's method.
function median(list, name, n,    gap, i, j, x) {
	for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
		for (i = gap + 1; i <= n; i++) {
			x = list[name, i]
			for (j = i - gap; j > 0 && list[name, j] > x; j -= gap)
				list[name, j + gap] = list[name, j]
			list[name, j + gap] = x
		}
	return n % 2 ? list[name, (n + 1) / 2] : (list[name, n / 2] + list[name, n / 2 + 1]) / 2
}

function style(op_form, kind) {
	if (op_form == "persistent")
		return "send_init"
	return op_form == "isend" || op_form == "waitall" ? "isend" : "send"
}

BEGIN {
	n = split(limits, word, " ")
	for (i = 1; i <= n; i += 3) {
		S[word[i]] = word[i + 1] == "-" ? 1e18 : word[i + 1] + 0
		S_p[word[i]] = word[i + 2] == "-" ? 1e18 : word[i + 2] + 0
	}
}

FNR == 1 { file++ }

file <= 2 {
	op = (file - 1) SUBSEP $3 SUBSEP $5
	nops++
	key[nops] = op
	nr[op] = $1; form[op] = $2; bytes[op] = $4 + 0; late[op] = $6; inside[op] = $8 + 0
	post[op] = $9 + 0; enter[op] = $10 + 0; leave[op] = $11 + 0; inmpi[op] = $12 + 0
	next
}

{
	split($0, f, "|")
	op = f[1] SUBSEP f[2] SUBSEP f[3]
	if (!(op in nr))
		next
	if (op in wait) {
		print "two rows for one op: " $0
		extra++
	}
	# + 0: numbers, also where a function returns them; busybox would compare texts
	blocked[op] = f[4] + 0; predicted[op] = f[5] + 0; excess[op] = f[6] + 0; wait[op] = f[7] + 0
	noise[op] = f[8] + 0; protocol[op] = f[9]; cause[op] = f[10]
	seen++
}

# What one side can know of an op: S and S_p of its form decide.
function judge_names(op, kind,    k, s, want, why) {
	k = bytes[op]
	s = style(form[op], kind)
	want = ((kind == "send" && form[op] == "ssend") || k > S[s]) ? "rendezvous" : "other"
	why = kind == "recv" ? "late_sender" : want == "rendezvous" ? "late_receiver" : \
		k > S_p[s] ? "late_progress" : "flow_control"
	if (kind == "send") {
		sends++
		if ((protocol[op] == "rendezvous") != (want == "rendezvous")) {
			bad_protocol++
			if (bad_protocol < 5)
				print "protocol", form[op], k, protocol[op]
		}
	}
	hints++
	bad_hint += cause[op] != why
}

function truth_of(op,    part, peer, k, s) {
	split(op, part, SUBSEP)
	judge_names(op, part[2])
	peer = (1 - part[1]) SUBSEP (part[2] == "send" ? "recv" : "send") SUBSEP part[3]
	k = bytes[op]
	s = style(form[op], part[2])
	if (part[2] == "recv" || form[op] == "ssend" || k > S[s])
		return clip(post[peer] - enter[op], leave[op] - enter[op])
	if (k > S_p[s])
		return clip(inmpi[peer] - enter[op], leave[op] - enter[op])
	return 0
}

END {
	# ops of one call become one
	for (i = 1; i <= nops; i++) {
		op = key[i]
		split(op, part, SUBSEP)
		if (!(op in wait)) {
			missing++
			continue
		}
		call = part[1] SUBSEP nr[op]
		if (!(call in c_truth)) {
			calls++
			c_key[calls] = call
			c_truth[call] = 0
			kind = form[op] == "sendrecv" ? "both" : part[2]
			c_class[call] = form[op] " " kind " " bytes[op]
			c_late[call] = late[op] "/" (inside[op] ? "in" : "out")
			c_none[call] = late[op] == "none"
			c_more[call] = form[op] != "send" && form[op] != "ssend" && form[op] != "sendrecv"
		}
		c_truth[call] = most(c_truth[call], truth_of(op))
		c_blocked[call] += blocked[op]; c_wait[call] += wait[op]
		c_excess[call] += excess[op]; c_noise[call] = most(c_noise[call], noise[op])
		c_predicted[call] += predicted[op]
	}
	# the oracle's knowledge
	for (i = 1; i <= calls; i++) {
		call = c_key[i]
		if (c_none[call] && c_truth[call] < 1000)
			list[c_class[call], ++count[c_class[call]]] = c_blocked[call]
	}
	for (class in count)
		nowait[class] = median(list, class, count[class])
	for (i = 1; i <= calls; i++) {
		call = c_key[i]
		class = c_class[call]
		if (!(class in nowait))
			continue
		t = c_truth[call]
		limit = 2000 + 0.02 * t + 0.05 * nowait[class] + (c_more[call] ? nowait[class] : 0)
		ours = t < c_noise[call] ? c_excess[call] : c_wait[call]
		oracle = c_blocked[call] - nowait[class]
		total++
		our_off += abs(ours - t) > limit
		oracle_off += abs(oracle - t) > limit
		group = class " " c_late[call]
		g_ours[group, ++g_n[group]] = abs(ours - t) - limit
		g_oracle[group, g_n[group]] = abs(oracle - t) - limit
		our_sum += c_wait[call]
		oracle_sum += most(oracle, 0)
		truth_sum += t
		if (c_none[call] && t < 1000) {
			none++
			limit = 2000 + 0.05 * nowait[class]
			our_false += c_wait[call] > limit
			oracle_false += oracle > limit
			p_n[class]++
			p_list[class, p_n[class]] = c_predicted[call]
			f_false[class] += c_wait[call] > limit
			f_oracle[class] += oracle > limit
		}
	}
	for (group in g_n) {
		groups++
		a = median(g_ours, group, g_n[group])
		b = median(g_oracle, group, g_n[group])
		our_groups += a > 0
		oracle_groups += b > 0
		if (a > 0 && verbose)
			printf "off %s n %d over by %.0f ns (oracle %.0f)\n", group, g_n[group], a, b
	}
	if (verbose)
		for (class in nowait)
			printf "class %s no-wait %.0f predicted %.0f false %d oracle %d of %d\n", class,
				nowait[class], median(p_list, class, p_n[class]), f_false[class],
				f_oracle[class], p_n[class]
	printf "calls %d, ops without a row %d\n", total, missing
	printf "cases off: %.2f %% of %d (oracle %.2f %%); single calls %.2f %% (oracle %.2f %%)\n",
		100 * our_groups / groups, groups, 100 * oracle_groups / groups,
		100 * our_off / total, 100 * oracle_off / total
	printf "false waits: %.2f %% of %d (oracle %.2f %%)\n", 100 * our_false / none, none,
		100 * oracle_false / none
	printf "summed wait: %.2f %% above the oracle's (truth: %.2f %%)\n",
		100 * (our_sum / oracle_sum - 1), 100 * (our_sum / truth_sum - 1)
	printf "protocol wrong: %d of %d sends; cause hint wrong: %d of %d ops\n", bad_protocol,
		sends, bad_hint, hints
	if (our_groups > most(0.05 * groups, 2 * oracle_groups))
		accuracy = accuracy " cases"
	if (our_false > most(0.01 * none, 2 * oracle_false))
		accuracy = accuracy " false_waits"
	# nobody is asked to follow an oracle that is farther from the truth
	if (abs(our_sum / oracle_sum - 1) > 0.03 && \
			abs(our_sum / truth_sum - 1) > abs(oracle_sum / truth_sum - 1))
		accuracy = accuracy " sum"
	if (missing + extra > 0 || total == 0)
		verdict = verdict " rows"
	if (bad_protocol > 0)
		verdict = verdict " protocol"
	if (bad_hint > 0.01 * hints)
		verdict = verdict " hint"
	# where the run's own medians are no guide, the machine has other things to do
	if (oracle_groups > 0.05 * groups)
		print "this machine is too busy to judge times; they would be" \
			(accuracy == "" ? " ok" : " off:" accuracy)
	else
		verdict = verdict accuracy
	print "verdict " (verdict == "" ? "ok" : "off:" verdict)
}
