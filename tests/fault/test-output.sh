#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=600
# Nowhere to write, or something in the way: the program runs as bare, and one line says what happened.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# tried WHAT DIR LINES WORD: doomed into DIR; exit code and output as ever; LINES lines of tryst's, all
# of which contain WORD.
tried() {
	to under shim_run $mpi 2 "$2" "$(mpi_program $mpi doomed)" end 300
	expect "$mpi: $1: exit code" $? 0
	expect "$mpi: $1: output" "$(sort under)" "rank 0 done 300
rank 1 done 300"
	expect "$mpi: $1: lines said" "$(grep -c '^tryst: ' under.err)" "$3"
	[ -z "$4" ] || expect "$mpi: $1: what is said ($(grep '^tryst: ' under.err))" \
		"$(grep '^tryst: ' under.err | grep -cF "$4")" "$3"
}

for mpi in $MPIS; do
	mkdir $mpi
	cd $mpi || exit 1
	tried "an ordinary directory" plain 0 ''
	check_whole "$mpi: an ordinary directory" plain 2
	to under shim_run $mpi 2 steal "$(mpi_program $mpi doomed)" steal 30000
	expect "$mpi: descriptors closed and taken: exit code" $? 0
	expect "$mpi: the program's own files are as it wrote them" "$(cat mine-0 mine-1)" "mine
still
mine
still"
	"$TRYST" collect steal >/dev/null 2>&1
	expect_sql steal "PRAGMA integrity_check" "ok
ok"
	expect_sql steal "SELECT count(*) FROM op" "60000
60000"
	to under shim_run $mpi 2 nofile "$(mpi_program $mpi doomed)" nofile 3000
	expect "$mpi: no standard descriptors: exit code" $? "$(mpi_run $mpi 2 "$(mpi_program $mpi doomed)" nofile 3000 \
		>/dev/null 2>&1; echo $?)"
	expect_sql nofile "PRAGMA integrity_check" "ok
ok"
	expect_sql nofile "SELECT count(*) FROM op" "6000
6000"
	# A limit on the size of files that MPI itself can live with: SIGXFSZ must not end the program.
	limited='ulimit -f 9000; exec "$@"'
	if mpi_run $mpi 2 sh -c "$limited" sh "$(mpi_program $mpi doomed)" end 10 >/dev/null 2>&1; then
		to under shim_run $mpi 2 limit sh -c "$limited" sh "$(mpi_program $mpi doomed)" end 100000
		expect "$mpi: ulimit -f: exit code" $? 0
		expect "$mpi: ulimit -f: output" "$(sort under)" "rank 0 done 100000
rank 1 done 100000"
		check "$mpi: ulimit -f: it is said" grep -q '^tryst: .*File too large' under.err
	else
		say "$mpi: it does not run itself under a limit on the size of files"
	fi
	# One library is enough for the rest: tryst writes the files.
	[ $mpi = "${MPIS##* }" ] || { cd ..; continue; }
	tried "a directory that cannot be made" /proc/tryst-out 1 /proc/tryst-out
	tried "a directory below a file" /etc/passwd/out 1 /etc/passwd/out
	echo precious >file
	tried "a file in the way" file 1 file
	expect "$mpi: the file is as it was" "$(cat file)" precious
	ln -s nowhere/at/all dangling
	tried "a symbolic link to nothing" dangling 1 dangling
	mkdir real
	ln -s real link
	tried "a symbolic link to a directory" link 0 ''
	check_whole "$mpi: a symbolic link to a directory" real 2

	before=$(md5sum plain/*.db)
	tried "another run's directory" plain 1 plain.2
	expect "$mpi: the other run's files are as they were" "$(md5sum plain/*.db)" "$before"
	check_whole "$mpi: another run's directory" plain.2 2

	# The name of a rank's file leads elsewhere.
	mkdir trap
	echo precious >outside
	for name in ring spool db; do
		ln -s ../outside trap/rank-000000.$name
	done
	to under shim_run $mpi 2 trap "$(mpi_program $mpi doomed)" end 300
	expect "$mpi: links in the place of files: exit code" $? 0
	expect "$mpi: what they lead to is as it was" "$(cat outside)" precious

	HOME=/proc/no-home
	tried "a home that cannot be written" home 0 ''
	check_whole "$mpi: a home that cannot be written" home 2
	unset HOME
	if mpi_run $mpi 2 true >/dev/null 2>&1; then
		tried "no home" nohome 0 ''
	else
		say "$mpi: its launcher needs a home"
	fi
	HOME=$TEST_TMPDIR/home
	export HOME

	(
		umask 077
		to under shim_run $mpi 2 umask "$(mpi_program $mpi doomed)" end 300
		expect "$mpi: umask 077: exit code" $? 0
		check_whole "$mpi: umask 077" umask 2
		expect "$mpi: umask 077: modes" "$(find umask -printf '%m %y\n' | sort -u)" "600 f
700 d"
	)
	cd ..
done
finish
