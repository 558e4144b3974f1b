#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=200
# Across hosts tryst calibrate finds S to the byte for several limits of the transport, and what transfers that share a
# link cost each other.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/net/calibrate.sh"

# limit MPI VARIABLE LIMIT WANTED
limit() {
	export "$2=$3"
	found() {
		calibrate "$1-$3.links" -m "$1" -- -b 2 -s 8,4k && [ "$(value "$1-$3.links" S)" = "$4" ]
	}
	attempts found "$@"
	expect "$1: S at a limit of $3" "$(value "$1-$3.links" S)" "$4"
	unset "$2"
}

# Open MPI takes some bytes of the limit for its header, UCX begins to rendezvous at the threshold.
mpis_with openmpi mpich
for mpi in $MPIS; do
	case $mpi in
	openmpi)
		limit openmpi OMPI_MCA_btl_tcp_eager_limit 16384 $((16384 - openmpi_header))
		limit openmpi OMPI_MCA_btl_tcp_eager_limit 32768 $((32768 - openmpi_header))
		limit openmpi OMPI_MCA_btl_tcp_eager_limit 65536 $((65536 - openmpi_header))
		;;
	mpich)
		limit mpich UCX_RNDV_THRESH 16384 16383
		limit mpich UCX_RNDV_THRESH 30000 29999
		;;
	esac
done

case $MPIS in
*openmpi*) ;;
*) finish ;;
esac
# Four ranks on two hosts. Who has nothing to do leaves the processor to those that have.
OMPI_MCA_mpi_yield_when_idle=1
cut="SELECT value FROM fit WHERE model = 'MM' AND name = 'cut_pair'"
flows() {
	calibrate flows.links -p 2 -r 200 -- -p 0-2 -b 4 -s 8,1k,64k &&
		[ "$(sqlite3 flows.links "SELECT count(DISTINCT flow) FROM sample WHERE kind = 'flow'")" = 5 ] &&
		near flows.links "$cut" 1 20
}
check "two transfers at a time out of a host or into it take twice as long: a flow cut of 1" attempts flows
echo "flow cut: $(sqlite3 flows.links "$cut")"
expect "transfers were measured alone and two at a time" "$(sqlite3 flows.links "SELECT
	group_concat(DISTINCT flow) FROM (SELECT flow FROM sample WHERE kind = 'flow' ORDER BY flow)")" \
	"alone,in,mixed_in,mixed_out,out"
expect "and broadcasts over both hosts" "$(sqlite3 flows.links "SELECT DISTINCT count, count(*) >= 3 FROM sample
	WHERE kind = 'broadcast'")" "2|1"
# The wire limits what a host sends. So each of two hosts sends to a third as fast as one host alone.
apart() {
	calibrate apart.links -n 3 -p 2 -r 200 -- -p 0-2 -b 4 -s 8,1k,64k &&
		[ "$(sqlite3 apart.links "SELECT count(*) FROM link_param WHERE model = 'MM' AND name = 'cut_in' AND value < 0.2")" = 1 ] &&
		near apart.links "$cut" 1 20
}
check "two transfers into a host from two others take as long as alone, out of it twice as long" attempts apart
echo "flow cuts: $(sqlite3 apart.links "$cut") $(sqlite3 apart.links "SELECT value FROM fit WHERE name = 'cut_in' AND model = 'MM'")"
expect "transfers from two hosts to a third were measured" "$(sqlite3 apart.links "SELECT
	group_concat(DISTINCT flow) FROM (SELECT flow FROM sample WHERE kind = 'flow' ORDER BY flow)")" \
	"alone,in_apart,mixed_in,mixed_out,out"
finish
