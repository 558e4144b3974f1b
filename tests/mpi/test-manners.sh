#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=400
# Preloaded into what has no MPI, the library does nothing: same output, same exit code, no files.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

mkdir here
cd here || exit 1
touch a b
alike() {
	to ../bare "$@" <../lines
	bare=$?
	to ../under env LD_PRELOAD="$TRYST_LIB" "$@" <../lines
	expect "$*: exit code" $? $bare
	expect "$*: stdout" "$(cat ../under)" "$(cat ../bare)"
	expect "$*: stderr" "$(cat ../under.err)" "$(cat ../bare.err)"
}
printf 'one\ntwo\n' >../lines
alike true
alike false
alike ls -l
alike ls nothing-here
alike cat
alike sh -c 'echo out; echo err >&2; exit 3'
alike sh -c 'kill -TERM $$'
alike sh -c 'ls | sort | wc -l; (exit 4)'
alike awk 'BEGIN { print 1 / 3 }'
for python in /usr/bin/python3 python3; do
	command -v $python >/dev/null && alike $python -c 'import sys, ctypes, threading; print(sys.argv)'
done
alike find . -type f
expect "no files were made" "$(ls)" "a
b"
cd ..

# One rank without us: the other cannot go on, and says why.
for mpi in $MPIS; do
	cat >half <<-END
		rank=\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}
		echo \$\$ >half-pid-\$rank
		[ \$rank = 1 ] || export LD_PRELOAD="$TRYST_LIB"
		exec "\$@"
	END
	lib_under="timeout -k 2 60 $lib_under" TRYST_DIR=half-$mpi mpi_run $mpi 2 sh half "$(mpi_program $mpi percall)" \
		null 10 >said 2>&1 &
	for _ in $(seq 150); do
		grep -q 'waits in MPI_Init' said && break
		sleep 0.2
	done
	[ -e half-pid-0 ] || cat said
	kill -9 "$(cat half-pid-0)" "$(cat half-pid-1)"
	wait
	check "$mpi: a rank that waits for one without us says so" grep -q \
		'rank 0 waits in MPI_Init: of the 2 ranks some seem to run without libtryst.so' said
	rm half-pid-*
done

for mpi in $MPIS; do
	mkdir $mpi
	cd $mpi || exit 1
	program=$(mpi_program $mpi doomed)
	launcher=$(case $mpi in
	openmpi) lib_launcher mpirun.openmpi orterun mpirun ;;
	mpich) lib_launcher mpirun.mpich mpiexec.hydra mpirun ;;
	esac)
	# The launcher itself has the library, too, and hands it on.
	check "$mpi: LD_PRELOAD=... mpirun" to under env LD_PRELOAD="$TRYST_LIB" TRYST_DIR=around "$launcher" -np 2 \
		"$program" end 10
	expect "$mpi: LD_PRELOAD=... mpirun: output" "$(sort under)" "rank 0 done 10
rank 1 done 10"
	expect "$mpi: LD_PRELOAD=... mpirun: nothing is said" "$(cat under.err)" ""
	check_whole "$mpi: LD_PRELOAD=... mpirun" around 2
	# A shell between: date, test and ls run below the library, and only the program is recorded.
	check "$mpi: through a shell" to under shim_run $mpi 2 shell sh -c 'date >/dev/null; test -d / && ls / >/dev/null
		"$@"; echo "code $?"' sh "$program" code 10
	expect "$mpi: through a shell: output" "$(sort under)" "code 9
code 9
rank 0 done 10
rank 1 done 10"
	expect "$mpi: through a shell: nothing is said" "$(cat under.err)" ""
	check_whole "$mpi: through a shell" shell 2
	check "$mpi: no MPI program at all" to under shim_run $mpi 2 none ls /
	expect "$mpi: no MPI program at all: no files" "$(ls)" "around
shell
under
under.err"
	expect "$mpi: no MPI program at all: nothing is said" "$(cat under.err)" ""
	# Without a launcher, as a single process.
	check "$mpi: without a launcher" to under env LD_PRELOAD="$TRYST_LIB" TRYST_DIR=single "$program" end 10
	expect "$mpi: without a launcher: output" "$(cat under)" "rank 0 done 10"
	check_whole "$mpi: without a launcher" single 1
	# Input that mpirun hands to rank 0.
	expect "$mpi: stdin reaches the program" "$(printf 'hello\n' | shim_run $mpi 1 stdin cat)" hello
	expect "$mpi: stdin reaches it by tryst run" "$(printf 'hello\n' | mpi_run $mpi 1 "$TRYST" run -o o cat)" hello
	cd ..
done
finish
