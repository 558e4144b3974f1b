#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed long timeout=400
# Over a network whose rate and delay are known, tryst calibrate finds them, and S to the byte.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
[ "$(nproc)" -ge 2 ] || skip "two ranks need two processors"
hosts="$TEST_SRC/tests/net/hosts.sh"
why=$(sh "$hosts" -m none true) || skip "$why"
OMPI_MCA_mpi_yield_when_idle=0
export OMPI_MCA_mpi_yield_when_idle

# calibrate FILE OPTION... -- ARGUMENT...: options of hosts.sh, arguments of tryst calibrate. The ranks
# go before other load where this may be asked for.
calibrate() {
	file=$1
	shift
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	rm -f "$file"
	# shellcheck disable=SC2086
	sh "$hosts" -l 90 $options sh -c '{ echo -20 >/proc/self/autogroup; } 2>/dev/null; exec "$@"' \
		sh "$TRYST" calibrate -q -o "$PWD/$file" "$@" 2>"$file.err"
	ended=$?
	cat "$file.err"
	return $ended
}

value() {
	sqlite3 "$1" "SELECT CAST(round(value) AS INTEGER) FROM link_param WHERE tier = 'network'
		AND model = 'LogGPS' AND name = '$2' AND form IS NULL AND layout IS NULL"
}

# What a query finds is within so many percent of what is wanted: near FILE QUERY WANTED PERCENT
near() {
	[ "$(sqlite3 "$1" "SELECT abs(($2) - ($3)) <= ($3) * $4 / 100.0")" = 1 ]
}

# A machine that is busy elsewhere gets a second and a third chance; where even then two ranks are never
# in step, it has no time for this test.
attempts() {
	for attempt in 1 2 3; do
		"$@" && return
	done
	for links in ./*.links; do
		sqlite3 "$links" "SELECT '$links: ' || name, value, reason FROM link_param WHERE
			tier = 'network' AND model = 'LogGPS' AND form IS NULL AND layout IS NULL
			AND name IN ('S', 'one_way', 'sum_r')" | tee -a said
	done
	if [ $lib_failed -eq 0 ] && grep -q "no time left" said; then
		skip "this machine is too busy: two ranks were never in step"
	fi
	return 1
}

# A frame of 1514 bytes carries 1448 of payload.
per_byte="8e3 / 200 * 1514 / 1448"
slope="SELECT value FROM link_param WHERE tier = 'network' AND model = 'LogGPS' AND name = 'sum_r'
	AND form IS NULL AND layout IS NULL"
rate() {
	calibrate rate.links -r 200 -d 0 -- -b 6 -s 8,1k,4k,16k,64k,128k,256k &&
		near rate.links "$slope" "$per_byte" 3
}

small="SELECT value FROM link_param WHERE tier = 'network' AND model = 'LogGPS'
	AND name = 'one_way' AND form IS NULL AND layout IS NULL"
delay() {
	calibrate near.links -d 0 -- -b 6 -s 8,1k,16k && [ -n "$(value near.links one_way)" ] && [ -n "$(value near.links S)" ] &&
		calibrate far.links -d 300 -- -b 10 -s 8,1k,16k &&
		near far.links "$small" "300000 + $(sqlite3 near.links "$small")" 10
}

case $MPIS in
*openmpi*)
	OMPI_MCA_btl_tcp_eager_limit=16384
	export OMPI_MCA_btl_tcp_eager_limit
	check "200 Mbit/s: a byte takes as long as on the wire, to 3 %" attempts rate
	echo "a byte: $(sqlite3 rate.links "$slope") ns, on the wire $(sqlite3 :memory: \
		"SELECT $per_byte")"
	expect "S at a limit of 16384" "$(value rate.links S)" 16328
	unset OMPI_MCA_btl_tcp_eager_limit
	check "300 us: a short message takes this and what it took before, to 10 %" attempts delay
	echo "a short message: $(value near.links one_way) ns, 300 us away $(value far.links one_way)"
	expect "S at the library's own limit, nearby" "$(value near.links S)" 65480
	expect "S at the library's own limit, far away" "$(value far.links S)" 65480

	# four ranks on two hosts: transfers that share a link
	flows() {
		calibrate flows.links -p 2 -r 200 -- -b 4 -s 8,1k,64k &&
			[ "$(sqlite3 flows.links "SELECT count(*) FROM sample WHERE kind = 'flow'")" -gt 0 ]
	}
	check "two ranks on each host: calibrated" attempts flows
	expect "transfers were measured alone and two at a time" "$(sqlite3 flows.links "SELECT
		group_concat(DISTINCT flow) FROM (SELECT flow FROM sample WHERE kind = 'flow' ORDER BY flow)")" \
		"alone,in,mixed_in,mixed_out,out"
	expect "two of them out of one host, or into one, take longer than one" "$(sqlite3 flows.links "
		SELECT flow, avg(value_ns) > 1.4 * (SELECT avg(value_ns) FROM sample WHERE flow = 'alone')
		FROM sample WHERE flow IN ('in', 'out') GROUP BY flow")" "in|1
out|1"
	expect "and their flow cut is known" "$(sqlite3 flows.links "SELECT value BETWEEN 0.5 AND 1.2
		FROM fit WHERE model = 'MM' AND name = 'cut_pair' AND value IS NOT NULL")" 1
	;;
esac
case $MPIS in
*mpich*)
	UCX_RNDV_THRESH=16384
	export UCX_RNDV_THRESH
	mpich() {
		calibrate mpich.links -m mpich -- -b 4 -s 8,1k,64k &&
			[ -n "$(value mpich.links S)" ]
	}
	check "mpich: calibrated" attempts mpich
	expect "mpich: S" "$(value mpich.links S)" 16383
	;;
esac
finish
