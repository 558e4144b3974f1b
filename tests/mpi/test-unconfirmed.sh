#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# A launch that cannot measure uses an earlier set, says so, and its advice names neither S nor a setting.
. "${TEST_SRC:-.}/tests/lib.sh"

need sqlite3 sqlite3
need python3 python3
$cc -std=gnu11 -O2 -shared -fPIC "$TEST_SRC/tests/mpi/slow_send.c" -o slow_send.so || exit 1
TRYST_CACHE=$PWD/cache
export TRYST_CACHE

# launch MPI DIR AFTER: from that call on no message of a calibration arrives in time.
launch() {
	mpi_run "$1" 2 env LD_PRELOAD="$TRYST_LIB:$PWD/slow_send.so" SLOW_SEND_AFTER="$3" TRYST_DIR="$2" \
		"$(mpi_program "$1" advice)" 3 16384
}

of_node() {
	echo "SELECT group_concat(source) FROM (SELECT DISTINCT source FROM link_param WHERE tier = 'node'
		AND source IS NOT 'learned' ORDER BY source)"
}

# The only set of the cache that is between ranks.
set_file() {
	for links in cache/*.links; do
		[ "$(sqlite3 "$links" "SELECT value FROM fingerprint WHERE key = 'tier'")" = 1 ] && echo "$links"
	done
}

for mpi in $MPIS; do
	rm -rf cache
	check "$mpi: nothing is known, and this launch cannot measure" launch $mpi none-$mpi 10
	expect_sql none-$mpi/rank-000000.db "SELECT count(*) > 0, count(predicted_ns) FROM op WHERE kind = 'recv' OR bytes >= 16384" "1|0"
	check "$mpi: it is reported" to report "$TRYST" report -v --width 999 none-$mpi
	check "$mpi: such time is not predicted, and why" grep -q \
		"^Verdict: .*o message is predicted: link parameters are missing (" report
	expect "$mpi: nothing is said to be unconfirmed" "$(grep -c unconfirmed report)" 0

	# at 10 the check sees no sample either; at 100 it sees that times differ, which a busy machine may be the reason for
	for kind in "10 1 0" "100 20 0" "10 1 1"; do
		after=${kind%% *} factor=${kind#* } factor=${factor% *} dir=known-$mpi-$after-${kind##* }
		rm -f "$(set_file)"
		check "$mpi: a set of an earlier launch" python3 "$TEST_SRC/tests/mpi/cache_set.py" cache "$factor"
		sqlite3 "$(set_file)" "UPDATE origin SET value = value - 3 * 86400 - 3600 WHERE key = 'measured_at'"
		by="an earlier launch"
		if [ "${kind##* }" = 1 ]; then
			by="tryst calibrate"
			sqlite3 "$(set_file)" "UPDATE origin SET value = '$by' WHERE key = 'by'"
		fi
		check "$mpi: this launch cannot measure" launch $mpi $dir $after
		expect_sql $dir/rank-000000.db "$(of_node)" unconfirmed
		expect_sql $dir/rank-000000.db "SELECT count(*), count(predicted_ns), sum(wait_ns) > 3 * 10000000 FROM op
			WHERE kind = 'send' AND bytes = 16384" "3|3|1"
		expect_sql $dir/rank-000001.db "SELECT round(value / 86400), reason FROM link_param WHERE tier = 'node'
			AND name = 'age'" "3.0|$by"
		for side in "" --one-side; do
			# shellcheck disable=SC2086
			check "$mpi $side: it is reported" to report "$TRYST" report -v --width 999 $side $dir
			expect "$mpi $side: nothing is unpredicted" "$(grep -cE 'not predicted|not_predicted|no-wait time' report)" 0
			check "$mpi $side: the verdict says by what it predicts" grep -q "^Verdict: .* Predictions rest on unconfirmed\
 link numbers, measured 3 days ago by $by: this launch could not measure (see LINKS)\." report
			check "$mpi $side: so does LINKS" grep -q \
				"^node (ranks 0,1, unconfirmed, measured 3 days ago by $by.*); .*eager up to 4040 B" report
			expect "$mpi $side: no advice names S or a setting" "$(grep -cE "aising S|raise S|eager_limit" report)" 0
		done
		sqlite3 $dir/run.db "UPDATE run SET value = 0 WHERE key = 'cpu_wait_ns'"	# a busy machine withholds advice
		check "$mpi: the advice that is left out is told of" sh -c '"$1" report --no-replay --width 999 -s bottlenecks "$2" |
			grep -q "Advice that depends on the link.s numbers is left out: they are unconfirmed (see LINKS)"' sh "$TRYST" $dir
		expect_sql $dir/run.db "SELECT DISTINCT remedy, unconfirmed FROM rendezvous_bottlenecks
			WHERE max_bytes < 65536 AND kind = 'send'" "unknown|1"
	done

	# the same records, had the set been found true
	sqlite3 $dir/run.db "UPDATE link_param SET source = 'cache' WHERE source = 'unconfirmed'"
	check "$mpi: it is reported" to report "$TRYST" report -v --no-replay --width 999 $dir/run.db
	check "$mpi: by confirmed numbers there is advice" grep -q \
		"Raising S from 4040 to 16384 B helps as well.*(set OMPI_MCA_btl_vader_eager_limit=16440, which S follows)" report
	expect "$mpi: and no word of unconfirmed ones" "$(grep -c unconfirmed report)" 0

	# what a tryst before this one left in the cache does not tell when it was measured
	sqlite3 "$(set_file)" "DROP TABLE origin"
	check "$mpi: this launch cannot measure" launch $mpi old-$mpi 10
	check "$mpi: a set of unknown age" sh -c '"$1" report --width 999 -s links "$2" | grep -q \
		"^node (ranks 0,1, unconfirmed, measured at an unknown time by an earlier launch"' sh "$TRYST" old-$mpi
	# a set that is not this machine's is none of this launch's
	sqlite3 "$(set_file)" "UPDATE fingerprint SET value = 'other' WHERE key = 'cpu'"
	check "$mpi: this launch cannot measure" launch $mpi foreign-$mpi 10
	expect_sql foreign-$mpi/rank-000000.db "SELECT count(*) FROM link_param WHERE source = 'unconfirmed'" 0
done
finish
