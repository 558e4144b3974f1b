#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# Another user has put links into the directory that a run goes to. Nothing is written to where they lead, and the
# program runs as bare. Its records are in this directory, or in another one that one line names.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# A directory that all may write, of another user where the test may make one; in it, NAME leads to TARGET.
plant() {
	rm -rf out out.* outside outdir
	mkdir out outdir
	echo precious >outside
	[ "$(id -u)" -ne 0 ] || chown 12345:12345 out
	chmod 1777 out
	ln -s "$2" "$1"
}

# runs MPI WHERE LINES: the records come to WHERE, LINES are said
runs() {
	to under mpi_run "$1" 2 "$TRYST" run -o "$PWD/out" --calibrate off "$(mpi_program "$1" doomed)" end 50
	expect "$1, $link: exit code ($(cat under.err))" $? 0
	expect "$1, $link: output" "$(sort under)" "rank 0 done 50
rank 1 done 50"
	expect "$1, $link: lines said" "$(grep '^tryst' under.err)" "$3"
	expect_sql "$2" "SELECT count(*) FROM op" "100
100"
	expect "$1, $link: the file it may lead to is as it was" "$(cat outside)" precious
	expect "$1, $link: the directory it may lead to, too" "$(ls -A outdir)" ""
	to report "$TRYST" report -s losses "$2"
	expect "$1, $link: a report of it ends well ($(cat report.err))" $? 0
	timeout 40 "$TRYST" sql out 'SELECT 1' >said 2>&1
	expect "$1, $link: nothing is touched by a command either" "$(cat outside; ls -A outdir)" precious
}

for mpi in $MPIS; do
	for link in 'rank-000000.ring ../outside' 'rank-000001.spool ../nothing' 'rank-000000.db ../outside' \
		'run.db ../nothing' 'tryst.run ../outside'; do
		plant "out/${link% *}" "${link#* }"
		runs $mpi out.2 "tryst: '$PWD/out' holds another run; the records go to '$PWD/out.2'"
	done
	for link in 'started ../outside' 'started ../outdir' 'run.db.merging ../outside'; do
		plant "out/${link% *}" "${link#* }"
		runs $mpi out ""
	done
	link='out.started outdir'
	plant out.started outdir
	runs $mpi out ""
done

# Marks are read in the places that they are made in, and not where a link leads to.
"$TEST_BUILD/tests/spoolgen" -n 1 -r 20 read >/dev/null
"$TRYST" merge read >/dev/null
mkdir -p marks/job
printf 'host=h\npid=1\nprogram=simulated\njob=job\n' >marks/job/h-1
cp marks/job/h-1 marks/
# marks WHAT NUMBER: so many are in table started
marks() {
	expect "$1" "$("$TRYST" sql -f csv read 'SELECT count(*) FROM started' 2>&1 | tail -n 1)" "$2"
}
mkdir read/started
cp marks/h-1 read/started/
marks "a mark is read" 1
cp -r marks read.started
marks "a mark of that job, too" 2
rm -r read.started
ln -s marks read.started
marks "not by a link in place of the directory of jobs" 1
rm read.started
mkdir read.started
ln -s ../marks/job read.started/job
marks "not by a link in place of the job's" 1
mkdir other
printf 'host=h\npid=1\nprogram=simulated\njob=../other\n' >read/started/h-1
cp marks/h-1 other/
marks "not by a job's name that leads elsewhere" 1
rm -r read/started
ln -s ../marks read/started
marks "not by a link in place of the directory" 0
finish
