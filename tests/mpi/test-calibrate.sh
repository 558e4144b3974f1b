#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=400
# tryst calibrate finds S to the byte for several settings, and tryst model reads what it wrote.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need taskset util-linux
[ "$(nproc)" -ge 2 ] || skip "two ranks need two processors"

# calibrate MPI FILE [OPTION...]: two ranks, three lengths, little time. Where this may be asked for, the ranks
# go before other load: some launchers start them in sessions of their own.
calibrate() {
	mpi=$1 file=$2
	shift 2
	mpi_run "$mpi" 2 sh -c '{ echo -20 >/proc/self/autogroup; } 2>/dev/null; exec "$@"' sh \
		"$TRYST" calibrate -q -b 10 -s 8,1k,64k -o "$file" "$@"
}

# The same where the machine must let it measure: tried three times, then nothing here can be judged.
calibrate_idle() {
	for _ in 1 2 3; do
		calibrate "$@" 2>busy && return
		cat busy
		grep -q "Repeat this on an idle machine" busy || return
	done
	[ $lib_failed -eq 0 ] || finish
	skip "this machine is too busy to measure"
}

value() {
	sqlite3 "$1" "SELECT CAST(value AS INTEGER) FROM fit WHERE model = 'LogGPS' AND name = '$2'
		AND form IS NULL AND layout IS NULL"
}

# expect_S MPI NAME WANTED [VARIABLE=VALUE...]
expect_S() {
	mpi=$1 file=$2.links wanted=$3
	shift 3
	for setting; do
		export "${setting?}"
	done
	check "$mpi $file: calibrated" calibrate_idle "$mpi" "$file"
	expect "$mpi $file $*: S" "$(value "$file" S)" "$wanted"
	for setting; do
		unset "${setting%%=*}"
	done
}

# Open MPI takes some bytes of the limit for its header, UCX begins to rendezvous at the threshold.
mpis_with openmpi mpich
for mpi in $MPIS; do
	case $mpi in
	openmpi)
		expect_S openmpi shm32k $((32768 - openmpi_header)) OMPI_MCA_btl=$openmpi_sm,self \
			OMPI_MCA_btl_${openmpi_sm}_eager_limit=32768
		expect_S openmpi tcp16k $((16384 - openmpi_header)) OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_eager_limit=16384
		;;
	mpich)
		expect_S mpich ucx16k 16383 UCX_RNDV_THRESH=16384
		;;
	esac
	made=$file
done

expect "every send form was measured" "$(sqlite3 "$made" \
	"SELECT count(DISTINCT form) FROM sample WHERE kind = 'send'")" 12
expect "each send form and layout has its S and S_p in link_param, or the reason why not" \
	"$(sqlite3 "$made" "SELECT count(*) FROM link_param WHERE layout IN ('contiguous', 'strided')
		AND form LIKE '%send%' AND name IN ('S', 'S_p')
		AND (value IS NOT NULL OR reason IS NOT NULL)")" 46
expect "and its overhead, or the reason" "$(sqlite3 "$made" "SELECT count(DISTINCT form || layout)
	FROM link_param WHERE form LIKE '%send%' AND name = 'o' AND (value > 0 OR reason IS NOT NULL)")" 23
expect "synchronous sends wait at every length" "$(sqlite3 "$made" "SELECT count(*) FROM link_param
	WHERE form LIKE '%ssend%' AND name = 'S' AND reason LIKE 'every length waits%'")" 6
expect "buffered ones at none" "$(sqlite3 "$made" "SELECT count(*) FROM link_param
	WHERE form LIKE '%bsend%' AND name = 'S' AND reason LIKE 'no send of up to%'")" 6
expect "whether transfers move by themselves" "$(sqlite3 "$made" "SELECT group_concat(form)
	FROM (SELECT form FROM link_param WHERE name = 'async_progress' AND tier = 'node'
	AND value IN (0, 1) ORDER BY form)")" "irecv,isend"
expect "s is never beyond S" "$(sqlite3 "$made" "SELECT count(*) FROM link_param a JOIN link_param b
	USING (tier) WHERE a.form IS NULL AND b.form IS NULL AND a.name = 's' AND b.name = 'S'
	AND a.value > b.value")" 0
expect "samples for fits and others for judging them" "$(sqlite3 "$made" \
	"SELECT count(DISTINCT truth) FROM sample WHERE kind = 'rtt'")" 2
expect "delayed round trips are measured as long as plain ones" "$(sqlite3 "$made" "WITH s AS (SELECT kind, bytes,
	row_number() OVER (PARTITION BY kind = 'rtt' ORDER BY rowid DESC) AS before_end, rowid AS place FROM sample
	WHERE kind IN ('rtt', 'rtt_w') AND bytes = 1024), n AS (SELECT count(*) AS all_of_them FROM s WHERE kind = 'rtt')
	SELECT (SELECT max(place) FROM s WHERE kind = 'rtt_w') > (SELECT max(place) FROM s, n WHERE kind = 'rtt'
	AND before_end > 0.2 * all_of_them)")" 1
expect "no value without a reason is missing" "$(sqlite3 "$made" \
	"SELECT count(*) FROM fit WHERE value IS NULL AND coalesce(reason, '') = ''")" 0
check "show" "$TRYST" model show "$made" >shown
check "show has what --links takes, which is another fit" grep -q "^What --links takes: .*table link_param" shown
expect "all of it" "$("$TRYST" model show "$made" -f csv | grep -c '^node,rendezvous,')" 1
check "show tells S" grep -q "LogGPS *S  *[0-9]" shown
expect "a plain send's o is the send's, not that of both sides" "$("$TRYST" model show "$made" -f csv |
	sed -n 's/^0-1,send,contiguous,[0-9]*,[0-9]*,\([0-9]*\).*/\1/p')" "$(sqlite3 "$made" "SELECT CAST(a.value - b.value AS INTEGER)
	FROM fit a JOIN fit b WHERE a.model = 'LogGPS' AND b.model = 'LogGPS' AND a.name = 'o' AND b.name = 'o_diff'
	AND a.form IS NULL AND b.form IS NULL")"
check "compare" "$TRYST" model compare "$made" >compared
check "compare has errors by regime" grep -q "repeatability" compared
"$TRYST" model compare "$made" -f csv >once
"$TRYST" model compare --refit "$made" -f csv >again
check "a file's fits are what its samples give" cmp once again
check "and there are some" grep -q LogGPS again
check "predict" "$TRYST" model predict "$made" --from 0 --to 1 -b 8,64k >predicted
"$TRYST" model predict "$made" -m PLogP --from 5 --to 6 >out 2>&1 &&
	fail "ranks that were not measured have predictions"
# All lengths of the default grid, also those that no fit sees: as many samples, or they meet colder caches.
begin=$(date +%s%N)
check "the default lengths" mpi_run "$mpi" 2 sh -c '{ echo -20 >/proc/self/autogroup; } 2>/dev/null; exec "$@"' sh \
	"$TRYST" calibrate -q -b 6 --precision 0.01 --max-bytes 16k -o grid.links
took_ms=$((($(date +%s%N) - begin) / 1000000))
check "launch, fits and file are within the budget, too: $took_ms ms" [ $took_ms -le 6000 ]
expect "lengths for fits and others are visited alike" "$(sqlite3 grid.links "SELECT count(*) FROM (SELECT bytes,
	count(*) AS n FROM sample WHERE kind = 'rtt' AND bytes IN (128, 157, 192) GROUP BY bytes)
	HAVING max(n) < 1.5 * min(n)")" 3
expect "with two more below S" "$(sqlite3 grid.links "SELECT count(DISTINCT bytes) FROM sample WHERE kind = 'rtt' AND NOT truth
	AND bytes IN ($(value grid.links S) * 5 / 8, $(value grid.links S) * 7 / 8)")" 2
# After messages of other lengths the first ones are slow: they go before, and into no sample.
warm_calls() {
	calibrate_idle "$mpi" warm.links -b 6 --precision 0.01 -s 64k,96k,128k,192k,256k
	sqlite3 warm.links "WITH s AS (SELECT bytes, repetition < 1 AS first, value_ns AS v, row_number() OVER w AS place,
		count(*) OVER (PARTITION BY bytes, repetition < 1) AS n FROM sample
		WHERE kind = 'rtt' AND (repetition < 1 OR repetition > 4)
		WINDOW w AS (PARTITION BY bytes, repetition < 1 ORDER BY value_ns)), m AS (SELECT * FROM s WHERE place = (n + 1) / 2)
		SELECT avg(a.v / b.v) FROM m a JOIN m b USING (bytes) WHERE a.first AND NOT b.first" | tee ratio
	awk '{ exit !($1 > 0.9 && $1 < 1.07) }' ratio
}
check "the first message of a visit is as fast as the last" warm_calls
# Short messages are precise at once; the machine's speed changes, so they are measured as long as the longest.
check "$mpi: lengths of which one takes long to be precise" calibrate_idle "$mpi" long.links -b 6 --precision 2 -s 8,3M,4M
expect "$mpi: precise ones are visited to the end" "$(sqlite3 long.links "WITH v AS (SELECT bytes, rowid AS place FROM sample
	WHERE kind = 'rtt' AND truth AND repetition = 0) SELECT count(*) <= 4 FROM v WHERE bytes = 4194304
	AND place > (SELECT max(place) FROM v WHERE bytes = 8)")" 1
check "a list of pairs, one after the other" calibrate_idle "$mpi" pairs.links -b 10 -p 0-1,1-0
expect "both were measured" "$(sqlite3 pairs.links "SELECT count(*) FROM calibration_pair")" 2
expect "one of them is compared" "$("$TRYST" model compare pairs.links --from 1 -f csv | cut -d, -f1,2 | uniq | tail -n +2)" 1,0
"$TRYST" model compare pairs.links --from 5 >out 2>&1 && fail "ranks that were not measured are compared"
check "and that is said" grep -q "has no round trips of these ranks" out
expect "scatter over both, each pair with its own parameters" "$("$TRYST" model predict pairs.links \
	--ranks 0,1 -b 64k -f csv | tail -n 1 | cut -d, -f1)" 65536
check "PLogP becomes LogGP" "$TRYST" model predict pairs.links --convert LogGP-1 -b 64k -f csv >loggp
check "with a time for each message" grep -qE "^65536,[0-9.]+,[0-9.]+,[0-9.]+," loggp
mpi_run "$mpi" 2 "$TRYST" calibrate -q -b 1 -p 0-1,0-1 -o twice.links >out 2>&1 &&
	fail "the same pair twice was measured"
check "the same pair twice is refused" grep -q "bad list of pairs '0-1,0-1'" out
# A launch that cannot measure, of the same kind as a calibration before.
$cc -std=gnu11 -O2 -shared -fPIC "$TEST_SRC/tests/mpi/slow_send.c" -o slow_send.so || exit 1
for mpi in $MPIS; do
	cp "$made" left.links.incomplete
	check "$mpi: calibrated with the settings of this launch" calibrate_idle $mpi left.links -b 6
	check "$mpi: what an earlier attempt had left beside the file is gone" test ! -e left.links.incomplete
	check "$mpi: a launch that cannot measure" mpi_run $mpi 2 env LD_PRELOAD="$TRYST_LIB:$PWD/slow_send.so" SLOW_SEND_AFTER=10 \
		TRYST_DIR=left-$mpi "$(mpi_program $mpi pingpong)"
	expect "$mpi: predicts by what tryst calibrate left in the cache" "$(sqlite3 left-$mpi/rank-000000.db "SELECT DISTINCT
		source, reason FROM link_param WHERE tier = 'node' AND name = 'age'")" "unconfirmed|tryst calibrate"
	check "$mpi: a run with the file's parameters" mpi_run $mpi 2 env TRYST_LINKS="$PWD/$made" \
		LD_PRELOAD="$TRYST_LIB" TRYST_DIR=run-$mpi "$(mpi_program $mpi pingpong)"
	expect "$mpi: they are the run's" "$(sqlite3 run-$mpi/rank-000000.db \
		"SELECT CAST(value AS INTEGER) FROM link_param WHERE tier = 'node' AND model = 'LogGPS'
		AND name = 'S' AND form IS NULL")" "$(sqlite3 "$made" "SELECT CAST(value AS INTEGER)
		FROM link_param WHERE tier = 'node' AND model = 'LogGPS' AND name = 'S' AND form IS NULL")"
	check "$mpi: parameters are learned from its messages" \
		"$TRYST" model fit run-$mpi --from 0 --to 1 -f csv >learned
	check "$mpi: o and 2o + L among them" \
		test "$(grep -cE "^0,1,LogGPS,(o|one_way),,[0-9.]+,ns" learned)" -eq 2
	# Half of the messages come late, by up to 5 ms: with nothing measured nobody can know how much of that is waiting.
	check "$mpi: a run that measures nothing" mpi_run $mpi 2 "$TRYST" run --calibrate off -o off-$mpi \
		"$(mpi_program $mpi delays)" log-$mpi 600
	expect_sql off-$mpi/rank-000000.db "SELECT sum(predicted_ns IS NOT NULL) > 0, sum(wait_ns > 0) FROM op
		WHERE kind = 'recv' AND peer IS NOT NULL" "1|0"
	check "$mpi: what it learned of receives is a floor, and no wait" to report "$TRYST" report -v --one-side off-$mpi
	check "$mpi: that time is said to be not predicted" grep -qE '^  not predicted +[1-9][0-9.]* m?s' report
done
mpi_run $mpi 2 "$TRYST" calibrate -q -b 60 -o nowhere/x.links >out 2>&1 &&
	fail "a file was made in a directory that is not there"
check "a bad file name is told before measuring" grep -q "cannot make 'nowhere/x.links'" out
# Others have each processor half of the time: a rank that is taken off its processor while it idles has idled longer.
# Ranks spin from here on. Those of Open MPI, and of MPICH 5, would else give their processor to the others while a
# message is on its way, for 3 ms. MPICH 5 has no setting for that: it yields between any two polls.
OMPI_MCA_mpi_yield_when_idle=0
echo 'int sched_yield(void); int sched_yield(void) { return 0; }' >spin.c
check "a library that does not yield is made" $cc -shared -fPIC spin.c -o spin.so
beside_others() {
	for cpu in $(processors); do
		setsid timeout 9 taskset -c "$cpu" sh -c '{ echo -20 >/proc/self/autogroup; } 2>/dev/null
			while :; do :; done' &
	done
	LD_PRELOAD=$PWD/spin.so
	export LD_PRELOAD
	calibrate "$mpi" beside.links -b 6
	calibrated=$?
	unset LD_PRELOAD
	wait
	return $calibrated
}

# where still others have them, too, the two ranks may never be on time
check "$mpi: beside others" eval "beside_others || beside_others || beside_others"
expect "$mpi: delays are as long as they were set, but for few" \
	"$(sqlite3 beside.links "SELECT count(*) >= 10, 5 * sum(value_ns > delay_ns + 1000000) <= count(*)
	FROM sample WHERE kind = 'rtt_w' AND delay_ns >= 500000 AND bytes <= 65536")" "1|1"
# two ranks on one processor, which Open MPI's would else yield to each other
cp "$made" none.links
mpi_run $mpi 2 taskset -c "$(processors | head -n 1)" "$TRYST" calibrate -q -b 0.5 -o none.links >out 2>&1 &&
	fail "nothing was measured, and the exit code does not tell"
check "it is said, too" grep -q "nothing could be measured" out
check "and what runs with the file lack" grep -q "^tryst calibrate: node: .*known (.*): runs with this file lack predictions" out
check "what was not written, and what to do" grep -q "'none.links' was not written, 'none.links.incomplete' has what could be\
 measured\. Repeat this on an idle machine" out
check "the good file of that name is as it was" cmp none.links "$made"
"$TRYST" model compare none.links.incomplete >out 2>&1 && fail "nothing was compared, and the exit code does not tell"
check "compare says so" grep -q "'none.links.incomplete' has no round trips to compare with" out
expect "and the file does not say otherwise" "$(sqlite3 none.links.incomplete "SELECT count(*), count(source) FROM link_param
	WHERE tier = 'node' AND form IS NULL AND reason <> ''")" "1|0"
head -c 5000 "$made" >cut.links
"$TRYST" model show cut.links >out 2>&1 && fail "a cut file was read"
check "a cut file is named" grep -q "cut.links" out
finish
