#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# No name of a program, argument, communicator, file or setting gives commands to the reader's terminal, and
# formats for machines are valid with any of them.
. "${TEST_SRC:-.}/tests/lib.sh"
need python3 python3

# A title for the terminal, a new line that looks like one of ours, C1, no UTF-8, another direction.
name=$(printf '=n\033]0;own\007\nNothing was lost.\302\233\377\342\200\256x')
shown='=n\x1b]0;own\x07\nNothing was lost.\u009b\xff\u202ex'
screen=$(printf '\033[2J')

clean() {
	check "$1" python3 "$TEST_SRC/tests/mpi/clean.py" "$2" "$3"
}

# Nothing is left of the run but what a dead job leaves.
recorded() {
	shim_run "$1" 2 "$dir" "$program" "$name" >"$1.said" 2>&1
	test -f "$dir/rank-000001.spool"
}

for mpi in $MPIS; do
	dir="out-$mpi$screen"
	program="$PWD/names-$mpi$screen"
	cp "$(mpi_program "$mpi" names)" "$program"
	check "$mpi: the program is recorded and killed" recorded "$mpi"
	"$TRYST" report -v --ended --width 200 "$dir" >text 2>text.err
	clean "$mpi: the report" text text
	expect "$mpi: its first line has program and arguments" "$(sed 's/.*names-/names-/; q' text)" "names-$mpi\\x1b[2J $shown"
	expect "$mpi: the communicator is named" "$(grep -c -F "MPI_Ibarrier #0 of $shown" text)" 1
	for format in csv json; do
		"$TRYST" report -f $format "$dir" >got 2>got.err
		clean "$mpi: the report as $format" $format got
		"$TRYST" sql -f $format "$dir" 'SELECT *, name AS name FROM communicator' >got 2>got.err
		clean "$mpi: communicators as $format" $format got
		"$TRYST" diff -f $format "$dir" "$dir" >got 2>got.err
		clean "$mpi: a comparison as $format" $format got
	done
	"$TRYST" diff "$dir" "$dir" >got 2>got.err
	clean "$mpi: a comparison" text got
	"$TRYST" sql "$dir" 'SELECT * FROM run' >got 2>got.err
	clean "$mpi: tables" text got
	"$TRYST" sql -f spreadsheet "$dir" 'SELECT name, -1 AS n FROM communicator WHERE name LIKE "=%" AND rank = 0' >got
	expect "$mpi: a spreadsheet gets no formula" "$(sed -n 2p got | cut -c 1-4)" "\"'=n"
	"$TRYST" export -f chrome -o "$mpi.json" "$dir" >/dev/null 2>got.err
	clean "$mpi: a trace for browsers" json "$mpi.json"
	"$TRYST" export -f csv -o "$mpi.csv" "$dir" >/dev/null 2>got.err
	clean "$mpi: tables as files" csv "$mpi.csv/communicator.csv"
	"$TRYST" report -v "$dir/none$screen" >/dev/null 2>got
	clean "$mpi: a file that is not there" text got
	"$TRYST" sql "$dir" "SELECT * FROM [none$screen]" >/dev/null 2>got
	clean "$mpi: a table that is not there" text got
	"$TRYST" report "--none$screen" "$dir" >/dev/null 2>got
	clean "$mpi: an option that is none" text got
	"$TRYST" "none$screen" >/dev/null 2>got
	clean "$mpi: a subcommand that is none" text got
	# the launcher's lines have what they like
	TRYST_CALIBRATE=none$screen shim_run "$mpi" 2 "$dir" "$program" "$name" 2>&1 | grep '^tryst: ' >got
	clean "$mpi: what the library says of settings and directories" text got
	check "$mpi: it says both" sh -c 'grep -q TRYST_CALIBRATE got && grep -F -q "$1\\x1b[2J" got' sh "out-$mpi"
done
finish
