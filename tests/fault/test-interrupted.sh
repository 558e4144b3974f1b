#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# A command that a signal ends leaves no part of what it was writing. Started again, it writes the same bytes.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/fault/faults.sh"
need sqlite3 sqlite3

"$TEST_BUILD/tests/spoolgen" -n 2 -r 120 -s 11 whole >/dev/null || exit 1
"$TRYST" collect whole >/dev/null
cp -rp whole analyzed
"$TRYST" analyze analyzed >/dev/null

# struck FAULT SIGNAL: $command ends by the signal if the call of the fault comes. False: it does not come.
struck() {
	rm -f log
	# shellcheck disable=SC2086
	LD_PRELOAD=$faults_library FAULT=$1:SIG$2 FAULT_LOG=$PWD/log timeout 60 "$TRYST" $command >out 2>err
	code=$?
	case $2 in
	INT) wanted=130 ;;
	TERM) wanted=143 ;;
	HUP) wanted=129 ;;
	esac
	[ -s log ] || wanted=0
	[ $code = $wanted ] || fail "tryst $command, $1:SIG$2: exit code $code instead of $wanted: $(head -c 300 err)"
	[ -s log ]
}

# strike CALL SIGNAL: the signal at the first, fourth, sixteenth, ... call; judge() looks at what is left.
strike() {
	at=1 strikes=0
	while struck "$1:$at" "$2"; do
		judge "$1:$at:SIG$2"
		at=$((4 * at)) strikes=$((strikes + 1))
	done
	judge "no signal"
	[ $strikes -gt 0 ] || fail "tryst $command: there is no call of $1"
	say "tryst $command: SIG$2 at $strikes calls of $1"
}

# new/ has nothing, or only the whole target if the signal came after the renaming. OTF2 gives each
# archive an identifier, in traces.otf2.
judge() {
	case $(ls new) in
	'') ;;
	"$target") diff -r -x traces.otf2 "new/$target" reference >differ 2>&1 || fail "tryst $command, $1: half of it: $(head -n 1 differ)" ;;
	*) fail "tryst $command, $1: left behind: $(ls new)" ;;
	esac
	[ "$1" != "no signal" ] || [ -e "new/$target" ] || fail "tryst $command: without a signal nothing is written"
	rm -rf new/*
}

mkdir new
for work in 'csv export -f csv' 'otf2 export -f otf2' 'chrome export -f chrome' 'goal export -f goal' 'pack pack' \
	'html report -f html'; do
	name=${work%% *}
	target=result
	[ $name != pack ] || target=result.gz
	command="${work#* } -o new/$target analyzed"
	rm -rf reference
	# shellcheck disable=SC2086
	if ! "$TRYST" $command >out 2>err; then
		grep -q "was built without\|no HTML" err || fail "tryst $command: $(cat err)"
		continue
	fi
	mv "new/$target" reference
	strike open INT
	strike read TERM
	case $name in
	otf2) ;; # OTF2 writes with stdio
	*) strike write HUP ;;
	esac
	case $name in
	csv | otf2) # "new" is made first, then the temporary name, and in the end it gets the name that was asked for
		last=1 # of csv, each file within gets its name before
		[ $name != csv ] || last=$(($(find reference -type f | wc -l) + 1))
		for call in mkdir:1 mkdir:2 renameat2:$last; do
			struck $call TERM || fail "tryst $command: makes no directory"
			left=$(ls new)
			judge $call
		done
		expect "$name: the signal in the end comes when all is done" "$left" result
		;;
	esac
done

# Some network file systems cannot rename without replacing.
for format in csv chrome; do
	rm -rf reference
	"$TRYST" export -f $format -o reference analyzed >/dev/null
	command="export -f $format -o new/result analyzed"
	rm -f log
	# shellcheck disable=SC2086
	LD_PRELOAD=$faults_library FAULT=renameat2:1:EINVAL FAULT_LOG=$PWD/log "$TRYST" $command >out 2>err
	expect "$format without renameat2" "$? $(cat log)" "0 fault"
	# shellcheck disable=SC2218 # the one above; there is another one below
	judge "no signal"
done

# An archive that is too large never gets its name: the first renaming is that of the smaller one.
if "$TRYST" pack -o large.gz analyzed >/dev/null 2>&1; then
	bytes=$(($(wc -c <large.gz) - 1))
	command="pack --size $bytes -o new/small.gz analyzed"
	struck renameat2:1 TERM || fail "tryst $command: names nothing"
	expect "the archive that has its name is small enough" "$(($(wc -c <new/small.gz) <= bytes))" 1
	rm -f new/small.gz
	# shellcheck disable=SC2086
	"$TRYST" $command >out 2>err # removes the scratch directory of the one that was ended
	rm -f new/small.gz
fi

# A signal that is ignored, as SIGHUP under nohup, changes nothing.
command='export -f csv -o new/result analyzed'
target=result
rm -rf reference
# shellcheck disable=SC2086
"$TRYST" $command >/dev/null
mv new/result reference
(
	trap '' HUP
	# shellcheck disable=SC2086
	LD_PRELOAD=$faults_library FAULT=write:4:SIGHUP FAULT_LOG=$PWD/log "$TRYST" $command >out 2>err
)
expect "an export under nohup goes on" $? 0
# shellcheck disable=SC2218 # the one above; there is another one below
judge "no signal"

# Existing files are never replaced.
for what in file folder; do
	case $what in
	file) echo mine >new/result ;;
	folder) mkdir new/result ;;
	esac
	for format in csv chrome; do
		"$TRYST" export -f $format -o new/result analyzed >out 2>err
		expect "$format: a $what is in the way" $? 1
		expect "$format: the $what stays" "$(ls new)$(cat new/result 2>/dev/null)" "result$([ $what = folder ] || echo mine)"
	done
	rm -rf new/result
done

# run.db has the whole matching or none of it. A second analysis writes the same run.db as an undisturbed one.
rows() { sqlite3 -batch "$1" .dump; }
cp -rp whole run
"$TRYST" analyze run >/dev/null
rows run/run.db >reference.sql
judge() {
	if [ -e run/run.db ] && [ "$(sqlite3 -batch run/run.db 'SELECT count(*) > 0 FROM match_info')" = 1 ]; then
		rows run/run.db >got.sql
		cmp -s got.sql reference.sql || fail "tryst $command, $1: half of it looks whole"
	fi
	"$TRYST" analyze run >out 2>err || fail "tryst $command, after $1: $(cat err)"
	rows run/run.db >got.sql
	cmp -s got.sql reference.sql || fail "tryst $command, after $1: run.db is another one: $(diff got.sql reference.sql | head -n 3)"
	expect "$1: what is left in the run" "$(ls run)" "$(ls analyzed)"
	rm -rf run
	cp -rp whole run
}
rm -rf run
cp -rp whole run
command='analyze run'
strike write TERM
strike read INT
strike rename HUP
expect "no scratch directory is left" "$(find "$TMPDIR" -name '.tryst-scratch-*')" ""
finish
