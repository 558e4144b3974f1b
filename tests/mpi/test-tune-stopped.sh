#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# tryst tune gets SIGINT in the recorded run, in the calibration of links, and in the runs of a setting. Each time
# it exits with 130, tells what it knows by then, begins no further run, and leaves no process.
. "${TEST_SRC:-.}/tests/lib.sh"
mpis_with openmpi mpich
# shellcheck disable=SC2086 # words
set -- $MPIS
mpi=$1
# A launcher that writes down what it runs: run, calibrate, or the setting of the program itself. Links can be measured
# unless there is a file `busy`.
# shellcheck disable=SC2016 # the launcher's variables
make_launcher launch "$mpi" 3 '[ $what != program ] ||
	what=$(env | grep -E "^(OMPI_MCA_btl_[a-z]*_eager_limit|UCX_RNDV_THRESH)=" || echo unchanged)
echo "$what" >>begun
[ $what != calibrate ] || [ ! -e busy ] || exit 1'

# Every process that tune starts has this in its environment.
mark="tuned by $$"
left() {
	grep -lszxF "TUNE_MARK=$mark" /proc/[0-9]*/environ | wc -l
}

began() {
	[ -e begun ] && grep -q "$1" begun
}

has_some() {
	[ -n "$(find "$1" -type f 2>/dev/null)" ]
}

# stopped DIR CONDITION...: tune is interrupted when the condition holds for the first time
stopped() {
	dir=$1
	shift
	rm -f begun
	TUNE_MARK=$mark "$TRYST" tune -o "$dir" --try 1 --rounds 1000 --least 0 -- \
		./launch "$(mpi_program "$mpi" eager)" $rounds 16384 >said 2>errors &
	tuner=$!
	check "$dir: it comes to that" wait_until 100 "$@"
	check "$dir: its processes can be seen" test "$(left)" -gt 1
	n=$(grep -c . begun)
	kill -INT $tuner
	wait $tuner
	expect "$dir: its exit code tells of the signal: $(cat said errors)" "$?" 130
	expect "$dir: no process is left" "$(left)" 0
	expect "$dir: no run begins after that" "$(grep -c . begun)" "$n"
}

rounds=600 # it still runs then
stopped recording has_some recording/run
expect "it says where the recorded run is" "$(cat said errors)" \
	"tryst tune: interrupted in the recorded run: '$PWD/recording/run' has what was recorded"

rounds=60
stopped calibration began calibrate
check "it prints the recorded run's time" grep -q '^Unchanged: [0-9.]* m\{0,1\}s from MPI_Init to MPI_Finalize as recorded' said
expect "and that it was interrupted" "$(tail -n 1 said)" "Interrupted: these are the results so far."

touch busy
stopped trial began =
check "it says that links are unknown: $(cat said)" grep -q '^Links could not be measured (load average .*): ' said
check "it proposes no binding" test -z "$(grep -i '^[^ ]*bind.*=' said)"
check "it prints what was predicted: $(cat said)" grep -q '=[0-9]*: predicted -' said
expect "and that it was interrupted" "$(tail -n 1 said)" "Interrupted: these are the results so far."
finish
