#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=600
# tryst tune finds the limit that a program's messages need, runs it in turn with the unchanged program, and runs
# nothing where no setting helps. Interrupted, it prints what it knows. How fast the runs are is not judged.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# tune MPI RANKS PROGRAM [ARGUMENT...]: into tuned-MPI, output in `said`
tune() {
	tune_mpi=$1 tune_n=$2
	shift 2
	rm -rf "tuned-$tune_mpi"
	case $tune_mpi in
	openmpi) set -- mpirun.openmpi --oversubscribe -n "$tune_n" "$@" ;;
	mpich) set -- mpiexec.hydra -n "$tune_n" "$@" ;;
	esac
	"$TRYST" tune -o "tuned-$tune_mpi" --try 1 --rounds 3 --least 5 -- "$@" >said
}

mpis_with openmpi mpich
for mpi in $MPIS; do
	case $mpi in
	openmpi) command -v mpirun.openmpi >/dev/null || continue ;;
	mpich) command -v mpiexec.hydra >/dev/null || continue ;;
	esac
	check "$mpi: a program with a rendezvous that waits" tune $mpi 3 "$(mpi_program $mpi eager)" 60 16384
	check "$mpi: a limit of 32 KiB covers it: $(cat said)" \
		grep -q '^\(OMPI_MCA_btl_[a-z]*_eager_limit\|UCX_RNDV_THRESH\)=32768: predicted -' said
	check "$mpi: it is measured in turn with the unchanged program" grep -q 'measured .* in 3 rounds$' said
	expect "$mpi: three runs of each" "$($awk -F, 'NR > 1 && $3 == 0 { n[$2 == "unchanged"]++ }
		END { print n[0], n[1] }' tuned-$mpi/times.csv)" "3 3"
	check "$mpi: the recorded run is kept" "$TRYST" report -s summary tuned-$mpi/run

	# there is no message above S
	check "$mpi: a program that no setting helps" tune $mpi 4 "$(mpi_program $mpi added)" 0
	check "$mpi: it says why: $(cat said)" grep -q '^Waits of all ranks: late_sender ' said
	check "$mpi: and runs nothing" test ! -e tuned-$mpi/times.csv
done

# Programs run by themselves, without tryst, are those of the rounds.
# shellcheck disable=SC2086 # words
set -- $MPIS
mpi=$1
make_launcher flaky "$mpi" 3 '[ $what != program ] || exit 3'
"$TRYST" tune -o flaked --try 1 --rounds 3 --least 5 -- ./flaky "$(mpi_program "$mpi" eager)" 60 16384 >said 2>errors
code=$?
expect "a command that fails in a round: $(cat said errors)" "$code" 1
check "the failure is said" grep -q 'the command ended with 3' errors

# Settings without an effect, and those with which the command fails, are not run.
known_links known.links 50 1
# shellcheck disable=SC2016 # the launcher's variables
make_launcher same "$mpi" 3 '[ $what != calibrate ] || {
	env | grep -qi "bind.*=\(core\|none\)$" && exit 1
	for file; do :; done
	exec cp known.links "$file"
}'
"$TRYST" tune -o same-run -- ./same "$(mpi_program "$mpi" eager)" 10 16384 >said 2>errors
expect "no setting is left: $(cat errors)" "$?" 0
expect "limits have the same S, bindings end with an error" "$($awk -F': ' '/left out/ { n[$NF]++ }
	END { for (why in n) print why }' said | sort)" "it does not change S.
the command ends with an error."
check "it says so: $(cat said)" grep -q '^No setting is left to try: nothing was run\.$' said

# Links are as if each limit were S.
# shellcheck disable=SC2016 # the launcher's variables
make_launcher late "$mpi" 3 '[ $what != run ] || sleep 1
[ $what != calibrate ] || {
	for file; do :; done
	cp known.links "$file"
	S=$(env | sed -n "s/^OMPI_MCA_btl_[a-z]*_eager_limit=//p; s/^UCX_RNDV_THRESH=//p" | head -n 1)
	[ -z "$S" ] || sqlite3 "$file" "UPDATE link_param SET value = $S WHERE name = '\''S'\''"
	exit
}'
"$TRYST" tune -o late-run --time 1 --least 0 -- ./late "$(mpi_program "$mpi" eager)" 60 16384 >said 2>errors
expect "no time for a round: $(cat errors)" "$?" 0
check "it says so: $(cat said)" grep -qx 'No round was run: --time was used up before the first\.' said

# Interrupted in a round, it prints what it knows, and begins no more runs. The runs' environment is the user's, but
# for the setting that is tried; no file of the user changes.
mkdir user
make_launcher interrupted "$mpi" 3 '[ $what != program ] || {
	env | grep -E "^(OMPI_MCA_|PRTE_|UCX_|HYDRA_|MPIR_)" | sort >>settings
	echo end >>settings
	[ "$(grep -c end settings)" -lt 5 ] && exit
	sleep 60 &
	echo $! >fifth
	wait
	exit
}'
env | grep -E '^(OMPI_MCA_|PRTE_|UCX_|HYDRA_|MPIR_)' | sort >own-settings
HOME=$PWD/user "$TRYST" tune -o stopped --try 1 --rounds 1000 --least 0 -- \
	./interrupted "$(mpi_program "$mpi" eager)" 60 16384 >said 2>errors &
tuner=$!
check "the fifth run begins" wait_until 100 test -s fifth
kill -INT $tuner
wait $tuner
expect "its exit code tells of the signal" "$?" 130
check "it says that it was interrupted" grep -q '^Interrupted' said
check "the command's child has ended" wait_until 5 \
	sh -c '! grep -q sleep "/proc/$(cat fifth)/cmdline" 2>"$0"' errors
check "it prints what it measured: $(cat said errors)" grep -q 'measured .* in 2 rounds$' said
expect "no run begins after that" "$(grep -c end settings)" 5
expect "in whole rounds half of the runs have the user's settings alone" "$($awk '
	FILENAME == "own-settings" { own = own $0 "\n"; next }
	/^end/ { n[run == own]++; if (++runs == 4) exit; run = ""; next }
	{ run = run $0 "\n" }
	END { print n[0], n[1] }' own-settings settings)" "2 2"
expect "no file of the user is made" "$(find user -type f | grep -v '/\.cache/')" ""

# interrupted FILE SCRIPT: interrupts tune when the script has made FILE
interrupted() {
	rm -f "$1"
	"$TRYST" tune -o "$2-run" -- "./$2" "$(mpi_program "$mpi" eager)" 60 16384 >said 2>errors &
	tuner=$!
	check "$2: in time" wait_until 100 test -e "$1"
	kill -INT $tuner
	wait $tuner
	expect "$2: its exit code tells of the signal" "$?" 130
}

printf '#!/bin/sh\n: >waits\nexec sleep 60\n' >unrecorded
chmod +x unrecorded
interrupted waits unrecorded
check "before tryst run begins there is no recorded run: $(cat errors)" \
	grep -q 'interrupted before anything was recorded' errors
check "and no directory" test ! -e unrecorded-run

printf '#!/bin/sh\necho no such option\nexit 3\n' >failing
printf '#!/bin/sh\nexec "$@"\n' >direct
chmod +x failing direct
"$TRYST" tune -o none -- ./direct --map-by node -x PATH >out 2>&1
expect "a command without a program is refused" "$?" 2
check "and nothing is made" test ! -e none
"$TRYST" tune -o none -- ./missing -n 2 true >out 2>&1
expect "a launcher that is missing" "$?: $(cat out)" "1: tryst tune: cannot run './missing': No such file or directory"
check "and nothing is made" test ! -e none
"$TRYST" tune -o none -- ./failing true >out 2>&1
expect "a launcher that fails, and what it says" "$?: $(cat out)" \
	"1: no such option
tryst tune: the command ended with 3, and nothing was recorded"
check "nothing is left" test ! -e none
"$TRYST" tune -o none -- ./direct true >out 2>&1
expect "a program that does not call MPI_Init" "$?: $(cat out)" "1: tryst tune: nothing was recorded: tryst doctor tells why"
check "nothing is left" test ! -e none
"$TRYST" tune -o none --links missing -- ./direct sh -c 'exec touch ran' >out 2>&1
expect "a file of links that is missing" "$?" 1
check "is named before anything runs: $(cat out)" grep -q "'missing'" out
check "and nothing is made" test ! -e none
finish
