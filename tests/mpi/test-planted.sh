#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=180
# Remedies are tried by replay: what would help brings what the program planted, and what cannot help nothing.
# Judged are runs that took as long as they mean to, by the program's own clock: a busy machine plants other waits.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need python3 python3

# gain RUN REMEDY: the most that it brings to one bottleneck [ms]
gain() {
	"$TRYST" report -f csv -s remedies -n 100 "$1" |
		$awk -F, -v remedy="$2" '$6 == remedy && $8 > most { most = $8 } END { printf "%d", most / 1e6 }'
}

# Verdict and WORTH MOST begin with small messages if their combination brings more than any bottleneck is worth and any
# remedy, and only then.
cat >first.py <<'END'
import json, sys
facts, screen = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
gain = max([0] + [p["gain_ns"] or 0 for p in facts["patterns"] if p["pattern"] == "small_messages"])
rest = max([0] + [b[key] or 0 for b in facts["bottlenecks"] for key in ("worth_ns", "remedy_gain_ns")])
interval = max(row["interval_ns"] or 0 for row in facts["verdict"])
first = screen.split("WORTH MOST")[1].split("\n")[1]
said = ["messages combined into one. Rank 0 sends" in screen, "messages of 8 B from rank 0 to rank 1" in first]
advice = [row["advice_cause"] == "small_messages" for row in facts["verdict"]]
if advice != [said[0]]:
    sys.exit("the verdict tells %s and has %s for machines" % (said, advice))
sys.exit(said != [gain > max(rest, interval)] * 2 and "gain %d, rest %d: %s %s" % (gain, rest, said, first))
END

judged=0
# planted MPI RANKS PROBLEM MS: records it in $run; does it take no longer than MS?
planted() {
	run=$3-$1
	check "$1: $3 ends well" shim_run "$1" "$2" "$run" "$(mpi_program "$1" planted)" "$3" 2>said
	took=$(sed -n "s/^$3: \([0-9]*\)\..* ms$/\1/p" said)
	[ "${took:-$4}" -lt "$4" ] || { say "$1: $3 took $took ms: this machine is too busy" && return 1; }
	judged=$((judged + 1))
}

# had_cpus RUN: its ranks had their CPUs; if not, the report withholds what patterns would gain
had_cpus() {
	"$TRYST" report -s verdict "$1" | grep -q 'CPU shortage' || return 0
	say "$1: ranks lacked a CPU: this machine is too busy"
	return 1
}

for mpi in $MPIS; do
	if planted $mpi 2 imbalance 660; then
		ms=$(gain $run balance_all)
		check "$mpi: ranks with 5 and 15 ms of work, 40 times: equal work saves $ms ms" test "$ms" -ge 100 -a "$ms" -le 300
		ms=$(gain $run receive_later)
		check "$mpi: there is nothing to do before the receive: $ms ms" test "$ms" -le 20
	fi
	if planted $mpi 2 uneven 660 && had_cpus $run; then
		"$TRYST" report --width 999 $run >screen
		check "$mpi: the same before a collective is what the verdict begins with" grep -q \
			"^Verdict: the run of [0-9]* ms would be \(1[0-9][0-9]\|2[0-9][0-9]\) ms shorter if ranks had equal work between collectives\." screen
		check "$mpi: and WORTH MOST" sh -c 'sed -n "/^WORTH MOST/{n;p;}" screen | grep -q "^where: MPI_Allreduce at .* planted.c:"'
	fi
	if planted $mpi 2 order 640; then
		ms=$(gain $run receive_next_first)
		check "$mpi: 5 ms of work on a message that is there, 40 times before one that comes after 6 ms: $ms ms" \
			test "$ms" -ge 100 -a "$ms" -le 300
	fi
	if planted $mpi 2 small 2000 && had_cpus $run; then
		"$TRYST" report -f csv -s patterns -n 100 $run >patterns
		check "$mpi: small messages to one peer are told of, and 8 or 64 in one shorten the run without tryst" $awk -F, '
			$2 == "small_messages" && $3 == 0 && $4 == 1 && $8 == 20000 && $9 == 8 && $12 > 0 && $13 > 0 && $13 < $14 { found = 1 }
			END { exit !found }' patterns
		"$TRYST" report --width 999 $run >screen
		"$TRYST" report -f json -n 100 -s verdict,patterns,bottlenecks $run >facts
		check "$mpi: they come first if they bring most" python3 first.py facts screen
	fi
	planted $mpi 2 off_path 230 || continue
	for remedy in raise_S post_early send_nonblocking; do
		ms=$(gain $run $remedy)
		check "$mpi: a send before a receive that waits anyhow: $remedy brings nothing: $ms ms" test "$ms" -le 20
	done
	check "$mpi: an earlier receive was tried" sh -c '"$1" report -f csv -s remedies -n 100 "$2" | grep -q ",post_early,"' sh "$TRYST" $run
	"$TRYST" report -s verdict,bottlenecks $run >report
	"$TRYST" report -f csv -s patterns $run >patterns
	expect "$mpi: a receiver that looks for messages is no serialised exchange" "$(grep -c serialised patterns)" 0
	expect "$mpi: nothing of it is advised" "$(grep -c "do: raise S\|do: post the receive\|do: send with" report)" 0
done
mpis_with openmpi	# three ranks on two processors: who waits has to give way
for mpi in $MPIS; do
	planted $mpi 3 idle 240 || continue
	ms=$(gain $run receive_later)
	check "$mpi: a rank without work is not told to work meanwhile: $ms ms" test "$ms" -le 20
done
[ $judged -gt 0 ] || [ $lib_failed -gt 0 ] || skip "this machine is too busy: no program took as long as it meant to"
finish
