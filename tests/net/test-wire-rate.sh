#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=200
# Across hosts tryst calibrate finds what a byte takes on the wire. A third processor moves the frames: where there
# are two, each frame takes a rank's processor away, and such samples do not count.
. "${TEST_SRC:-.}/tests/lib.sh"
[ "$(nproc)" -ge 3 ] || skip "two ranks and the wire need three processors"
. "$TEST_SRC/tests/net/calibrate.sh"

mpis_with openmpi mpich
mpi=${MPIS##* }
# A frame of 1514 bytes carries 1448 of payload.
per_byte="8e3 / 200 * 1514 / 1448"
slope="SELECT value FROM fit WHERE model = 'LogGPS' AND name = 'sum_r' AND form IS NULL AND layout IS NULL"
rate() {
	calibrate rate.links -r 200 -d 0 -m "$1" -- -b 6 -s 8,1k,4k,16k,64k,128k,256k &&
		near rate.links "$slope" "$per_byte" 3
}
# of messages above S: newer UCX's begins beyond the lengths that are measured here
OMPI_MCA_btl_tcp_eager_limit=16384 UCX_RNDV_THRESH=16384
export OMPI_MCA_btl_tcp_eager_limit UCX_RNDV_THRESH
check "$mpi: 200 Mbit/s: a byte takes as long as on the wire, to 3 %" attempts rate "$mpi"
echo "a byte: $(sqlite3 rate.links "$slope") ns, on the wire $(sqlite3 :memory: "SELECT $per_byte")"
finish
