#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# tryst top shows a job that works, hangs, is killed and starts again, as it is, and changes none of its files.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# look DIR OPTION...: a look as JSON in the file look
look() {
	looked=$1
	shift
	"$TRYST" top -f json -i 0.3 "$@" "$looked" >look 2>look.err
}

# json PATH: a value of the last look; rows EXPRESSION: of each rank, by columns of the JSON
json() {
	sqlite3 :memory: "SELECT json_extract(readfile('look'), '$1')"
}
rows() {
	sqlite3 :memory: "WITH look AS (SELECT value AS r FROM json_each(readfile('look'), '$.ranks'))
		SELECT $(echo "$1" | sed "s/\\([a-z_][a-z_]*\\)@/json_extract(r, '\$.\\1')/g") FROM look"
}

# is WANTED EXPRESSION: a look shows it
shows() {
	look "$dir" && [ "$(rows "$2")" = "$1" ]
}

rank_works() {
	look "$dir" && [ "$(rows "sum(calls_per_s@ > 0 AND mpi_pct@ > 0 AND bytes_per_s@ > 0)")" = 2 ]
}

stop() {
	# shellcheck disable=SC2046 # process ids
	kill -9 $(rows pid@)
	wait $launcher
}

start() {
	shim_run $mpi 2 $dir "$(mpi_program $mpi doomed)" "$@" >stdout-$mpi 2>&1 &
	launcher=$!
}

seen=
for mpi in $MPIS; do
	unset DOOMED
	dir=works-$mpi
	start run
	check "$mpi: a job that works is seen to" wait_until 60 rank_works
	expect "$mpi: time in messages without a prediction is none of it, or a share" \
		"$(rows "sum(unpredicted_pct@ BETWEEN 0 AND 100)")" 2
	expect "$mpi: both ranks" "$(json '$.ranks_seen'),$(json '$.ranks_expected'),$(json '$.over')" "2,2,0"
	expect "$mpi: no ring" "$(json '$.rings')" "[]"
	expect "$mpi: each is in a state of ranks that run" "$(rows "sum(state@ IN ('waiting', 'in MPI', 'computing', 'no CPU', 'idle'))")" 2
	expect "$mpi: its shares are shares" \
		"$(rows "sum(wait_pct@ BETWEEN 0 AND 100 AND mpi_pct@ BETWEEN 0 AND 100 AND collective_pct@ BETWEEN 0 AND 100)")" 2
	expect "$mpi: its process is named" "$(rows "group_concat(pid@ > 1 AND host@ = '$(uname -n)')")" "1,1"
	check "$mpi: text has a line for each" sh -c '"$1" top --once -i 0.1 "$2" | grep -c "^ *[01]  " | grep -qx 2' sh "$TRYST" $dir
	find $dir -type f -exec cksum {} + | grep -v 'ring\|spool' | sort >files
	look $dir
	find $dir -type f -exec cksum {} + | grep -v 'ring\|spool' | sort >files.after
	check "$mpi: a look makes and changes no file" cmp files files.after
	stop
	check "$mpi: that it was killed is seen" wait_until 30 shows 2 "sum(state@ = 'died' AND for_ns@ IS NULL)"
	expect "$mpi: it is over" "$(json '$.over')" 1
	check "$mpi: text tells it" sh -c '"$1" top --once "$2" | grep -q "^! rank 0 died"' sh "$TRYST" $dir
	pids=$(rows "group_concat(pid@)")
	run_id=$(json '$.run_id')
	to reported "$TRYST" report $dir
	expect "$mpi: no ring is left by the report" "$(find $dir -name '*.ring')" ""
	look $dir
	expect "$mpi: a killed job stays one, with hosts, processes and its id, if its rows are written" \
		"$(rows "group_concat(state@ || ' ' || (host@ = '$(uname -n)'))") $(rows "group_concat(pid@)") $(json '$.run_id') $(json '$.over')" \
		"died 1,died 1 $pids $run_id 1"
	expect "$mpi: and of as many ranks" "$(json '$.ranks_seen'),$(json '$.ranks_expected')" "2,2"
	"$TRYST" top --once $dir >text
	check "$mpi: text tells it, too" grep -q "^! rank 1 died" text
	check "$mpi: and what shows the last calls" grep -q "^tryst report -s pending '$dir' shows their last calls" text

	# Ranks that wait for each other.
	dir=hangs-$mpi
	start hang 100
	ring() {
		look $dir && [ "$(json '$.rings')" = "[[0,1]]" ]
	}
	check "$mpi: a ring is found" wait_until 60 ring
	expect "$mpi: with what each rank waits for" \
		"$(rows "group_concat(rank@ || ' ' || state@ || ' ' || call@ || ' ' || waits_for@ || ' ' || tag@ || ' ' || bytes@ || ' ' || cause@)")" \
		"0 waiting MPI_Recv 1 4242 4 late_sender,1 waiting MPI_Recv 0 4242 4 late_sender"
	expect "$mpi: and where, and for how long" \
		"$(rows "sum(where@ GLOB 'wait_for_ever doomed.c:[0-9]*' AND for_ns@ >= 5000000000 AND in_call@)")" 2
	expect "$mpi: all of the time in MPI is a wait" "$(rows "sum(wait_pct@ > 90 AND mpi_pct@ > 90 AND calls_per_s@ = 0)")" 2
	"$TRYST" top --once -i 0.1 --width 300 $dir >text
	check "$mpi: text tells the ring" grep -q "^! ranks 0,1 wait for each other, for [0-9.]* s$" text
	check "$mpi: and its members" grep -q "^rank 1: for [0-9.]* s in MPI_Recv, waiting for rank 0: wait_for_ever doomed" text
	"$TRYST" top --once -i 0.1 --width 80 $dir >text
	check "$mpi: 80 columns have call, peer, function and line, whole" \
		grep -q "^ *1  waiting  *[0-9.]* s  MPI_Recv  0 .*  wait_for_ever doomed.c:[0-9]*$" text
	expect "$mpi: and no line is longer" "$($awk 'length($0) > 80' text)" ""
	kill -STOP "$(rows "iif(rank@ = 1, pid@, NULL)" | tail -n 1)"
	check "$mpi: a stopped rank is still in its call" shows 2 "sum(call@ = 'MPI_Recv')"
	stop
	check "$mpi: killed ranks wait for nobody any more" wait_until 30 shows 2 "sum(state@ = 'died' AND call@ = 'MPI_Recv')"
	expect "$mpi: and are no ring" "$(json '$.rings')" "[]"

	# One rank is killed: its launcher ends the other.
	dir=one-$mpi
	start hang 100
	check "$mpi: both hang again" wait_until 60 shows 2 "sum(state@ = 'waiting' AND tag@ = 4242)"
	kill -9 "$(rows pid@ | head -n 1)"
	wait $launcher
	check "$mpi: one killed rank ends the job" wait_until 30 shows 2 "sum(state@ IN ('died', 'exited'))"
	expect "$mpi: and is said to have died in its call" "$(rows "state@ || ' ' || call@" | head -n 1)" "died MPI_Recv"
	"$TRYST" top --once $dir >text
	check "$mpi: text says so first" sh -c 'sed -n 2p text | grep -q "^! rank 0 died in MPI_Recv, waiting for rank 1"'

	# A job that ends well.
	dir=ends-$mpi
	start end 100
	wait $launcher
	look $dir
	expect "$mpi: a job that has ended is over" "$(json '$.over'),$(rows "group_concat(state@)")" "1,ended,ended"

	# One library is enough for the rest: top reads the same files of each.
	[ -z "$seen" ] || continue
	seen=$dir

	# The same name again: the new run is another directory, or after its removal the same.
	dir=works-$mpi
	start run
	later() {
		look $dir && [ "$(json '$.later')" = "$dir.2" ]
	}
	check "$mpi: a later run is named" wait_until 60 later
	"$TRYST" top --once $dir >text
	expect "$mpi: in the first line of the text" "$(head -n 1 text)" "! this run is over; a later one is in '$dir.2'"
	dir=$dir.2
	check "$mpi: and is seen to work" wait_until 60 rank_works
	stop
	dir=works-$mpi
	rm -r $dir $dir.2
	mkdir watched-$mpi
	start run
	check "$mpi: a run in the place of a removed one is seen to work" wait_until 60 rank_works
	mv $dir watched-$mpi
	check "$mpi: without a name the newest run is shown" sh -c \
		'cd "$1" && "$2" top --once -i 0.1 | grep -q "^$3: 2 ranks: "' sh watched-$mpi "$TRYST" $dir
	dir=watched-$mpi/$dir
	look $dir
	stop

	# Without link parameters no message has a prediction, until enough messages were seen to learn them.
	dir=unpredicted-$mpi
	TRYST_CALIBRATE=off
	TRYST_CACHE=$PWD/nothing-known
	export TRYST_CALIBRATE TRYST_CACHE
	start slow
	unset TRYST_CALIBRATE TRYST_CACHE
	unpredicted() {
		look $dir && [ "$(rows "sum(unpredicted_pct@ > 0)")" = 2 ]
	}
	check "$mpi: messages without a prediction are told of" wait_until 60 unpredicted
	stop

	# In a collective that not all have begun. Before, ranks without a CPU may wait long for messages of the rounds.
	dir=apart-$mpi
	start apart 100
	apart() {
		look $dir && [ "$(rows "group_concat(state@ || ' ' || call@ || ' ' || ifnull(waits_for@, '') || ' ' || cause@ || ' ' || ifnull(tag@, ''))")" = \
			"waiting MPI_Barrier 1 collective_skew ,waiting MPI_Recv 0 late_sender 4242" ]
	}
	check "$mpi: who is missing in the collective is told" wait_until 60 apart
	stop
done

# A directory's name may hold what a terminal would obey.
evil=$(printf 'evil\033]0;owned\007')
cp -r "$seen" "$evil"
"$TRYST" top --once "$evil" >said
expect "its name is escaped" "$(head -n 1 said | cut -d : -f 1)" 'evil\x1b]0;owned\x07'
need script bsdutils
if ! script -qec true /dev/null >/dev/null 2>&1; then
	say "no pseudo-terminals here: the screen is not looked at"
elif "$TRYST" top . 2>&1 </dev/null | grep -q "without ncurses"; then
	say "built without ncurses: there is no screen"
else
	# the keys: other order, other ranks, all ranks again, slower, faster, pause, end
	(sleep 1; for key in s f f f f f + - ' ' ' ' q; do printf %s "$key"; sleep 0.2; done) |
		TERM=xterm COLUMNS=120 LINES=30 script -qec "'$TRYST' top -i 0.1 '$evil'" /dev/null >screen
	expect "the screen ends by q" $? 0
	check "it shows the ranks" grep -q "ended" screen
	check "and the keys" grep -q "q quit" screen
	expect "nothing of the name reaches the terminal" "$(grep -c "$(printf '\033]0;owned')" screen)" 0
	TERM=no-such-terminal script -qec "'$TRYST' top '$evil'" /dev/null >screen
	check "an unknown terminal is told" grep -q "no terminal that can show it" screen
fi

# Files that are no rings, that end anywhere, and that are cut while they are looked at.
for bytes in 0 7 8 300 24888 65536 65600 70000 147000; do
	mkdir cut-$bytes
	"$TEST_BUILD/tests/spoolgen" -n 2 -r 20 -o cut-$bytes >truth
	truncate -s $bytes cut-$bytes/rank-000001.ring
	look cut-$bytes
	expect "a ring of $bytes bytes: exit code" $? 0
	expect "a ring of $bytes bytes: the other rank is shown" "$(rows "state@" | head -n 1)" died
done
rm cut-0/rank-000000.ring
mkfifo cut-0/rank-000000.ring
look cut-0
expect "a pipe in a ring's place is not waited for" "$(rows "state@" | head -n 1)" unreadable

# Many ranks: CPU time, not elapsed time, is what a look is judged by.
mkdir many
"$TEST_BUILD/tests/spoolgen" -n 1000 -r 20 -o many >truth
look many
expect "1,000 ranks are shown" "$(json '$.ranks_seen'),$(rows "count(*)")" "1000,1000"
expect "a look at them takes less than a second of CPU time" "$(sqlite3 :memory: "SELECT $(json '$.look_cpu_ns') < 1000000000")" 1
expect "the worst ones alone" "$("$TRYST" top -n 7 -f csv many | wc -l)" 8

# Of a rank on another host only the files are known, as they were some time ago.
mkdir far
"$TEST_BUILD/tests/spoolgen" -n 2 -r 20 -o far >truth
printf 'another boot, another host' | dd of=far/rank-000001.ring bs=1 seek=48 conv=notrunc 2>/dev/null
touch -d '1 hour ago' far/*
look far
expect "the age of what is known is told of that rank alone" \
	"$(rows "group_concat(ifnull(known_ns@ BETWEEN 3600000000000 AND 4000000000000, 'here'))")" "here,1"
expect "it is not said to be dead" "$(rows "state@ = 'died'")" "1
0"
expect "nor over" "$(json '$.over')" 0
"$TRYST" top --once -i 0.1 --width 160 far >said
check "text tells it" grep -q "^Ranks of other hosts" said
check "and has a column for it" grep -q "^rank  host *known  state" said

# What cannot be looked at.
"$TRYST" top --once absent >said 2>&1
expect "a directory that is not there: exit code" $? 1
check "and a message" grep -q "^tryst top: cannot read directory 'absent': No such file" said
"$TRYST" top absent </dev/null >said 2>&1
expect "also if there is no terminal: exit code" $? 1
check "and the same message" grep -q "^tryst top: cannot read directory 'absent': No such file" said
mkdir empty
"$TRYST" top --once empty >said 2>&1
expect "a directory without a run: exit code" $? 1
check "a message, too" grep -q "^tryst top: 'empty' holds no run" said
"$TRYST" top empty </dev/null >said 2>&1
expect "without a terminal: exit code" $? 1
check "the same message" grep -q "^tryst top: 'empty' holds no run" said
"$TRYST" top "$seen" </dev/null >said 2>&1
expect "no terminal: exit code" $? 1
check "--once is named" grep -q -- "--once" said
finish
