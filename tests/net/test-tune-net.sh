#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=120
# Heavy pairs of four ranks are on different hosts. tryst tune proposes to map ranks by node, runs this in turn with
# the unchanged command, and prints both changes. With the setting that it prints, heavy pairs share a host. The test
# does not judge how fast the runs are.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/net/net.sh"
mbit=50
net_needs -n 2 -r $mbit
# MPICH 4.0.2 may hang in MPI_Finalize over TCP: a rank polls for the end of a connection to another host, whose rank
# waits for all in the launcher, with these bytes unread.
mpis_with openmpi
export OMPI_MCA_mpi_yield_when_idle=1 TRYST_CALIBRATE=off
known_links known.links 50 "(8000.0 / $mbit)"

# across UNDER PROGRAM...: the program on two hosts with two ranks each, started by UNDER
across() {
	under=$1
	shift
	sh "$hosts" -n 2 -p 2 -r $mbit -l 45 -u "$under" "$@"
}
pairs="$(mpi_program openmpi pairs) 6 300000 20000"

# shellcheck disable=SC2086 # words
to said across "$TRYST tune -o $PWD/tuned --links $PWD/known.links --try 1 --rounds 3 --" $pairs
ended=$?
cat said said.err
[ $ended -ne 124 ] || skip "this machine is too busy: the runs did not end in time"
expect "tune runs" "$ended" 0
setting=$(sed -n 's/^\([^ ]*=node[^ ]*\): predicted -.*; measured .* in 3 rounds$/\1/p' said)
check "ranks by node are predicted to be faster, and measured: '$setting'" test -n "$setting"
expect "each is run three times, and ends well" "$($awk -F, -v setting="$setting" '
	NR > 1 && $3 == 0 { n[$2]++ } END { print n["unchanged"], n[setting] }' tuned/times.csv)" "3 3"
expect "if a setting is to be used, then this" "$(sed -n 's/^Use: export //p' said | grep -vxF "$setting")" ""
check "the command line binds ranks, so that tune proposes no binding" test -z "$(grep -i 'bind.*=' said | grep -v 'left out: this command does not take it')"

# together RUN: pairs of ranks that share a host
together() {
	sqlite3 "$1/run.db" "SELECT count(*) FROM run a JOIN run b ON b.key = 'host' AND b.value = a.value
		AND b.rank = a.rank + 2 WHERE a.key = 'host'"
}
expect "the recorded run had no heavy pair on a host" "$(together tuned/run)" 0
# shellcheck disable=SC2086 # words
check "the setting is used as it is printed" across "env $setting" "$TRYST" run -o "$PWD/mapped" $pairs
check "the run is analyzed" "$TRYST" analyze mapped
expect "then both heavy pairs share one" "$(together mapped)" 2
finish
