#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=900
# Every awk program gives the same under mawk, gawk, busybox awk and original-awk: those of the build on the
# headers that are installed here, those that judge tests on a log of known delays, those inside scripts in the
# tests that run them.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need mawk mawk
need gawk gawk
need busybox busybox
need original-awk original-awk

awks="sh $TEST_SRC/tests/awks"
AWKS_SEEN=$PWD/seen
export AWKS_SEEN
: >"$AWKS_SEEN.differ"

# agree WHAT: since the last time, awks were asked, and none said otherwise.
agree() {
	check "$1: programs were compared" [ -s "$AWKS_SEEN" ]
	expect "$1: all four awks say the same" "$(cat "$AWKS_SEEN.differ")" ""
	cat "$AWKS_SEEN" >>"$AWKS_SEEN.all"
	: >"$AWKS_SEEN"
	: >"$AWKS_SEEN.differ"
}

# ---- one that differs is found ----
check "what all awks do alike passes" sh -c '[ "$(echo a b | '"$awks"' -v n=2 "{ print \$n }")" = b ]'
$awks 'BEGIN { print substr("tryst", 0, 2) length(sprintf("%c", 256)) }' >got 2>said </dev/null
expect "what they do not fails" $? 99
check "and is shown" grep -q "^mawk and .* differ on: awk BEGIN" said
expect "an exit code is passed on" "$($awks 'BEGIN { exit 3 }' </dev/null; echo $?)" 3
: >"$AWKS_SEEN"
: >"$AWKS_SEEN.differ"

# ---- the build's: its makefile, in another directory ----
made=$(mawk '/^[^\t#=]*:([^=]|$)/ { target = $1; sub(/:.*/, "", target) }
	/^\t.*\$\((AWK|[a-z_]*awk)\)/ && target ~ /\.[ch]$/ { print target }' "$TEST_BUILD/Makefile")
# a rule for several targets
made="$made
$(cd "$TEST_BUILD" && find pmpi -name site_wrappers.h | sort | head -n 1)"
mkdir build
cp -p "$TEST_BUILD/Makefile" "$TEST_BUILD/config.status" "$TEST_BUILD/config.h" "$TEST_BUILD/stamp-h1" build
# shellcheck disable=SC2086 # names of files to make
check "the build's awk programs run" to build.out make -C build -s srcdir="$TEST_SRC" top_srcdir="$TEST_SRC" \
	VPATH="$TEST_SRC" AWK="$awks" $made
check "and they make what a build needs" [ "$(echo "$made" | wc -l)" -ge 6 ]
agree "the build"
for file in $made; do
	check "$file is as in the build" cmp "build/$file" "$TEST_BUILD/$file"
done
printf '%s\n' 'a "quoted" \ and & -- not this' >quoted.sql
expect "text of SQL is text of C" "$($awks -v name=quoted -v header=q.h -f "$TEST_SRC/analysis/format/db/sql.awk" quoted.sql | sed -n 5p)" \
	'	"a \"quoted\" \\ and &\n"'
printf '%s\n' "	SELECT 'a  -- ''b'  ||   c -- it's not this" >quoted.sql
expect "a text in quotes stays as it is" "$($awks -v name=quoted -v header=q.h -f "$TEST_SRC/analysis/format/db/sql.awk" quoted.sql | sed -n 5p)" \
	"	\"SELECT 'a  -- ''b' || c\\n\""
agree "SQL"

# ---- the judges: two ranks, 120 messages, who is late by how much is known ----
# op RANK CASE FORM KIND BYTES LATE DELAY POST LEAVE: its line of the log
op() {
	echo "$2 $3 $4 $5 $((64 + $2)) $6 $7 0 $8 $8 $9 $8" >>log."$1"
}
mkdir judged
cd judged || exit 1
i=0
now=7000000000
while [ $i -lt 120 ]; do
	i=$((i + 1)) now=$((now + 10000000)) delay=$((100000 * (i % 7 + 1)))
	from=$((i % 2)) to=$(((i + 1) % 2)) sent=$now received=$now late=none
	case $((i % 4)) in
	2) late=recv received=$((now + delay)) ;;
	3) late=send sent=$((now + delay)) ;;
	esac
	case $((i % 3)) in
	0) form=send bytes=8 ;;
	1) form=send bytes=65536 ;;
	2) form=ssend bytes=8 ;;
	esac
	both=$((sent > received ? sent : received))
	protocol=rendezvous hint=late_receiver ends=$((both + 5000)) waits=$((both - sent))
	[ $form$bytes != send8 ] || protocol=eager hint=flow_control ends=$((sent + 5000)) waits=0
	cause=
	[ $late != send ] || cause=late_sender
	[ $late$waits = recv0 ] || [ $late != recv ] || cause=late_receiver
	op $from $i $form send $bytes $late $delay $sent $ends
	op $to $i $form recv $bytes $late $delay $received $((both + 5000))
	{
		echo "$from|send|$((64 + i))|$((ends - sent))|5000|$waits|$waits|500|$protocol|$hint"
		echo "$to|recv|$((64 + i))|$((both + 5000 - received))|5000|$((both - received))|$((both - received))|500|$protocol|late_sender"
	} >>live
	echo "$from|$((64 + i))|$((waits + both - received))|0|$cause|$protocol|$hint|$sent|$received" >>exact
	late_ns=$((both - received))
	[ $form != ssend ] || late_ns=$((late_ns + waits))
	echo "$from|$((64 + i))|$late_ns|$((sent - 6000000000 + 100))|$((received - 6000000000 + 150))" >>clocks
done
# off ROWS COLUMN: every second row's time is wrong by a tenth of a second.
off() {
	mawk -F'|' -v OFS='|' -v c="$2" 'NR % 2 { $c += 100000000 } { print }' "$1" >"$1-off"
}
off live 7
off exact 3
off clocks 3

# judge WANTED PROGRAM ROWS OPTION...
judge() {
	wanted=$1
	program=$TEST_SRC/tests/mpi/$2.awk
	rows=$3
	shift 3
	$awks "$@" -f "$program" log.0 log.1 "$rows" >figures
	expect "$(basename "$program") on $rows: $(tr '\n' ';' <figures)" "$(grep ^verdict figures)" "verdict $wanted"
}
limits="send 4040 256 isend 4040 256 send_init - -"
judge ok delays-judge live -v limits="$limits" -v verbose=1
judge ok delays-exact exact -v verbose=1
judge ok clocks-judge clocks -v zero=6000000000 -v error=300
agree "judges on true rows"
judge "off: cases false_waits sum" delays-judge live-off -v limits="$limits" -v verbose=1
judge "off: times" delays-exact exact-off -v verbose=1
judge "off: late" clocks-judge clocks-off -v zero=6000000000 -v error=300
agree "judges on wrong rows"
cd ..

# ---- those inside scripts: tests that end soon, with all four as their awk ----
for name in golden/test-gauss-tables golden/test-model rules/test-comments; do
	TEST_TMPDIR='' TEST_AWK=$awks sh "$TEST_SRC/tests/$name.sh" >log.out 2>&1 </dev/null
	rc=$?
	grep -A 4 ^FAILED log.out
	case $rc in
	77) say "$name: $(tail -n 1 log.out)" ;;
	*) expect "$name passes with them" $rc 0 ;;
	esac
	agree $name
done

for program in $(cd "$TEST_SRC" && find analysis contrib include pmpi tests -name '*.awk'); do
	check "$program was among them" grep -q "/$program" "$AWKS_SEEN.all"
done
finish
