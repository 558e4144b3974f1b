#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed long timeout=400
# Over a network whose delay is known, tryst calibrate finds it. (net/test-wire has the rest.)
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/net/calibrate.sh"
mpis_with openmpi

small="SELECT value FROM fit WHERE model = 'LogGPS' AND name = 'one_way' AND form IS NULL AND layout IS NULL"
delay() {
	calibrate near.links -d 0 -- -b 6 -s 8,1k,16k && [ "$(value near.links S)" = 65480 ] &&
		calibrate far.links -d 300 -- -b 10 -s 8,1k,16k && [ "$(value far.links S)" = 65480 ] &&
		near far.links "$small" "300000 + $(sqlite3 near.links "$small")" 10
}
check "300 us: a short message takes this and what it took before, to 10 %; S is the same" attempts delay
echo "a short message: $(value near.links one_way) ns, 300 us away $(value far.links one_way)"
finish
