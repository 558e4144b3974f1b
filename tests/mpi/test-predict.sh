#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=300
# A replay without a change gives the run as it was measured, whatever all clocks say. With more computation it
# gives the run of a simulated program that computes more.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# value RUN COLUMN OPTION...: of the section `run`
value() {
	value_of=$1 value_column=$2
	shift 2
	"$TRYST" predict -f csv -s run "$@" "$value_of" | $awk -F, -v name="$value_column" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
		{ print $column }'
}

# within WHAT GOT WANTED TOLERANCE
within() {
	check "$1: $2, wanted $3 to $4" $awk -v a="$2" -v b="$3" -v t="$4" \
		'BEGIN { exit !(a != "" && b != "" && a - b <= t && b - a <= t) }'
}

# as_recorded RUN: the run time to 1 %, and waits of callsites to 5 % or 1 ms, as the analysis has them
as_recorded() {
	run=$(sql "$1/run.db" "SELECT value FROM match_info WHERE key = 'path_run_ns'")
	within "$1: the run time" "$(value "$1" run_after_ns)" "$run" $((run / 100))
	check "$1: waits" to waits "$TRYST" predict -f csv -s callsites -n 100000 "$1"
	expect "$1: callsites whose waits change" "$($awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{
			change = $column["change_ns"]
			before = $column["wait_before_ns"]
			change = change < 0 ? -change : change
			if (change > 1000000 && change > before / 20) print
		}' waits)" ""
	late=$(sql "$1/run.db" "SELECT coalesce(sum(late_ns + order_ns), 0) FROM exact_profile WHERE kind = 'recv'")
	mine=$("$TRYST" predict -f csv -s waits "$1" | $awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["cause"] == "late_sender" { ns = $column["wait_after_ns"] }
		END { print ns + 0 }')
	within "$1: late senders, by the analysis" "$mine" "$late" $((late / 20 + 1000000))
}

for mpi in $MPIS; do
	check "$mpi: pingpong ends well" shim_run $mpi 2 pingpong-$mpi "$(mpi_program $mpi pingpong)"
	check "$mpi: chain ends well" shim_run $mpi 4 chain-$mpi "$(mpi_program $mpi chain)" log
	check "$mpi: collectives ends well" shim_run $mpi 4 coll-$mpi "$(mpi_program $mpi collectives)"
	for run in pingpong-$mpi chain-$mpi coll-$mpi; do
		check "$run is analyzed" "$TRYST" analyze $run
		as_recorded $run
	done

	# Judged by the recorded run alone: what other programs took of the second one is not known.
	check "$mpi: added ends well" shim_run $mpi 4 plain-$mpi "$(mpi_program $mpi added)" 0
	check "$mpi: and with 20 ms more" shim_run $mpi 4 more-$mpi "$(mpi_program $mpi added)" 20
	add=rank:1@added.c:$(grep -n 'MPI_Irecv(' "$TEST_SRC/tests/mpi/added.c" | cut -d: -f1)=20ms
	say "$mpi: $(value plain-$mpi run_before_ns) ns, $(value plain-$mpi run_after_ns --add "$add") ns predicted," \
		"$(value more-$mpi run_before_ns) ns measured"
	change=$(value plain-$mpi change_ns --add "$add")
	check "$mpi: no more than 20 times 20 ms are added: $change" test "$change" -gt 0 -a "$change" -le 400000000
	expect "$mpi: rank 1 computes that much longer" "$("$TRYST" predict -f csv -s ranks --add "$add" plain-$mpi |
		$awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["rank"], $column["computation_after_ns"] - $column["computation_before_ns"] }')" \
		"$(printf '0 0\n1 400000000\n2 0\n3 0')"

	expect "$mpi: all ranks have the same work, and the sum stays" "$("$TRYST" predict -f csv -s ranks --balance run \
		more-$mpi | $awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{
			after = $column["computation_after_ns"]
			others += NR > 2 && after != last
			last = after
			change += after - $column["computation_before_ns"]
		}
		END { print others, (change > 0 || change < -NR) }')" "0 0"

	# rank 1 computes for 500 ms by its own sleep
	expect "$mpi: efficiencies multiply" "$("$TRYST" predict -f csv -s efficiency more-$mpi |
		$awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ pct[$column["efficiency"]] = $column["pct"]; part[$column["efficiency"]] = $column["part_ns"] }
		END {
			off = pct["parallel"] - pct["load_balance"] * pct["communication"] / 100
			print (off < 0.1 && off > -0.1), (part["communication"] >= 500000000)
		}')" "1 1"

	printf '# twice\nadd=%s\nspeed rank:0=2\n' "$add" >scenario
	printf 'set S=1K\nset S_p=2K\n' >twice
	expect "$mpi: a file sets nothing twice" "$("$TRYST" predict --scenario twice plain-$mpi 2>&1)" \
		"tryst predict: 'twice': 'set' is given twice"
	expect "$mpi: a file has the same changes" "$(value plain-$mpi run_after_ns --scenario scenario)" \
		"$(value plain-$mpi run_after_ns --speed rank:0=2 --add "$add")"
	expect "$mpi: the command line wins" "$(value plain-$mpi run_after_ns --scenario scenario --speed rank:0=1)" \
		"$(value plain-$mpi run_after_ns --add "$add")"
	expect_sql plain-$mpi/run.db "SELECT count(*), count(DISTINCT changes), sum(changes = '--add $add') FROM scenario" \
		'4|4|1'
	expect "$mpi: the path is the run" "$("$TRYST" predict -f csv -s ranks plain-$mpi | $awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ ns += $column["path_before_ns"] }
		END { print ns }')" "$(value plain-$mpi run_before_ns)"

	check "$mpi: as it was" to as-it-was "$TRYST" predict -f csv plain-$mpi
	sqlite3 plain-$mpi/run.db "UPDATE clock_cell SET offset = offset + rank * 1000003;
		UPDATE clock SET offset_ns = offset_ns + rank * 1000003;
		UPDATE run SET value = value + rank * 1000003 WHERE key IN ('zero_ticks', 'zero_monotonic_ns');
		UPDATE match_row SET send_enter = abs(random() % 1000000000000)"
	check "$mpi: with other times" to scrambled "$TRYST" predict -f csv plain-$mpi
	expect "$mpi: absolute times do not matter" "$(cat scrambled)" "$(cat as-it-was)"
done

spoolgen=$TEST_BUILD/tests/spoolgen
"$spoolgen" -n 16 -r 500 -s 7 -l 20 -c 5 -i 40 simulated >simulated.log
check "a simulated run is analyzed" "$TRYST" analyze simulated
as_recorded simulated

# Runs of one program that differ by chance alone: how often the interval of each holds the others.
for seed in 1 2 3 4 5 6 7 8; do
	"$spoolgen" -n 4 -r 150 -s $seed -l 20 -c 5 -i 40 chance-$seed >chance.log
	check "run $seed is analyzed" "$TRYST" analyze chance-$seed
	"$TRYST" predict -f csv -s run chance-$seed | $awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["run_before_ns"], $column["run_low_ns"], $column["run_high_ns"] }' >>intervals
done
held=$($awk '{ run[NR] = $1; low[NR] = $2; high[NR] = $3 }
	END {
		for (i = 1; i <= NR; i++)
			for (k = 1; k <= NR; k++)
				held += i != k && low[i] != "" && run[k] >= low[i] && run[k] <= high[i]
		print held + 0
	}' intervals)
check "intervals hold at least 95 of 100 further runs: $held of 56" test "$held" -ge 53 -a "$held" -le 56

# Nothing disturbs these: rank 1 computes 20 us longer before each call of the second one.
"$spoolgen" -n 4 -r 500 -s 7 -l 20 -c 5 -i 0 plain >plain.log
"$spoolgen" -n 4 -r 500 -s 7 -l 20 -c 5 -i 0 -a 20000 more >more.log
check "the first is analyzed" "$TRYST" analyze plain
check "its callsites have lines" sqlite3 plain/run.db "UPDATE frame_row SET file = 'sim.c', line = callsite WHERE frame = 0"
check "a rank without a CPU for half of the time" sqlite3 plain/run.db "INSERT OR REPLACE INTO run (rank, key, value)
	SELECT 0, 'cpu_wait_ns', 1000000 + sum(value) / 2 FROM run WHERE key = 'end_ns'"
check "is noted" sh -c '"$1" predict plain | grep -q "^Ranks were ready to run but had no CPU for [0-9]* ms"' sh "$TRYST"
add=$(sql plain/run.db "SELECT group_concat('rank:1@sim.c:' || callsite || '=20us')
	FROM (SELECT DISTINCT callsite FROM call_cell WHERE rank = 1)")
before=$(value plain run_before_ns)
truth=$(value more run_before_ns)
check "20 us more count: $before to $truth ns" test $((truth - before)) -gt $((before / 50))
within "a run with 20 us more before each call" "$(value plain run_after_ns --add "$add")" "$truth" $((truth / 100))

# A sweep is drawn by gnuplot. A stand-in here keeps the commands.
mkdir bin
printf '#!/bin/sh\ncat >drawn\n' >bin/gnuplot
chmod +x bin/gnuplot
check "a sweep is drawn" env PATH="$PWD/bin:$PATH" "$TRYST" predict --sweep S=1K..4K --picture sweep.svg -f csv -s sweep plain
expect "with a point at each value" "$($awk '$2 + 0 > 0 && $1 ~ /^[0-9]+$/ { print $1 }' drawn | tr '\n' ' ')" "1024 2048 4096 "
check "into the file" grep -q "^set output 'sweep.svg'" drawn
# People read the value with its unit, in one column.
expect "the text has units" "$("$TRYST" predict --sweep L=8us..32us -s sweep plain | $awk '$1 == "L" { print $2, $3 }' | tr '\n' ' ')" \
	"8.00 us 16.0 us 32.0 us "
expect "and of bytes" "$("$TRYST" predict --sweep S=2K..4K -s sweep plain | $awk '$1 == "S" { print $2, $3 }' | tr '\n' ' ')" \
	"2.00 KiB 4.00 KiB "
expect "no line is wider than asked" "$("$TRYST" predict --width 80 --sweep S=1K..4K plain | $awk 'length($0) > 80' | wc -l)" 0
expect "a wide one has all columns" "$("$TRYST" predict --width 200 -s ranks plain | grep -c 'computation before.*inside after.*path after')" 1
"$TRYST" predict --picture sweep.svg plain >out 2>&1
expect "no picture without a sweep" "$?" 2

# The simulator's rules on the run's schedule. Its links are those of the simulated ranks.
check "the run as a schedule" "$TRYST" export -f goal -o sim.goal plain
expect "each rank has one" "$(grep -c '^rank [0-3] {' sim.goal)" 4
expect "each matched message is in it once" "$(grep -c ': send ' sim.goal) $(grep -c ': recv ' sim.goal)" "$($awk '
	/: send / && !seen[$NF]++ { n++ }
	END { print n, n }' sim.goal)"
"$TRYST" predict --as loggopsim -f csv -s loggopsim plain >by-rules 2>said
check "by its rules, or it is said what is missing: $(cat by-rules said)" \
	sh -c 'grep -q "^loggopsim,[0-9][0-9]*," by-rules || grep -q "parameters of the run.s links are unknown" said'
finish
