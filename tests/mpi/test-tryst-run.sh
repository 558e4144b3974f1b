#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=600
# tryst run is the program: its exit code, signals, input, output; marks tell what was not recorded.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

expect "output and error" "$("$TRYST" run -o a sh -c 'echo out; echo err >&2' 2>&1)" "out
err"
expect "standard input" "$(echo hello | "$TRYST" run -o a cat)" hello
"$TRYST" run -o a sh -c 'exit 42'
expect "exit code" $? 42
sh -c '"$1" run -o a sh -c "kill -TERM \$\$"; echo $?' sh "$TRYST" >got 2>/dev/null
expect "a signal" "$(tail -1 got)" 143
"$TRYST" run -o a sh -c 'echo $$' >got &
pid=$!
wait $pid
expect "the process is the program" "$(cat got)" $pid
expect "arguments come through" "$("$TRYST" run -o a printf '%s|' -o '' 'a b' --)" "-o||a b|--|"
expect "what was preloaded stays" "$(LD_PRELOAD=/no/such.so "$TRYST" run -o a printenv LD_PRELOAD 2>/dev/null)" \
	"$TRYST_LIB:/no/such.so"
expect "the library is preloaded once" \
	"$("$TRYST" run -o a "$TRYST" run -o a printenv LD_PRELOAD)" "$TRYST_LIB"
expect "options become variables" \
	"$("$TRYST" run -o a --max-ops 5k --record off sh -c 'echo $TRYST_MAX_OPS $TRYST_RECORD')" "5k off"
ln -s nowhere/at/all dangling
check "beside a symbolic link to nothing no mark is left" sh -c '"$1" run -o dangling true && test ! -e dangling.started' sh "$TRYST"
check "where nothing shall be recorded no mark is left" sh -c '"$1" run -o off --record off true && test ! -e off.started' sh "$TRYST"
expect "variables stay" "$(TRYST_MAX_OPS=7 "$TRYST" run -o a printenv TRYST_MAX_OPS)" 7
expect "the directory is absolute" "$("$TRYST" run -o a/b printenv TRYST_DIR)" "$PWD/a/b"
check "no directory is made for programs without MPI" test ! -e a/b

# what never came through MPI_Init
"$TRYST" run -o none true
check "a program without MPI is named" sh -c '"$1" report --width 400 none | tr -s "\n " " " |
	grep -q "1 of 1 .*(true)"' sh "$TRYST"
"$TRYST" report -f json none >got
check "and the report is JSON" grep -q '"losses": \[' got
echo 'int main(void) { return 5; }' >s.c
for static in -static -static-pie; do
	if ! "${CC:-cc}" $static s.c -o "program$static" 2>/dev/null; then
		say "no $static program can be built here"
		continue
	fi
	"$TRYST" run -o "out$static" "./program$static" 2>err
	expect "a $static program runs" $? 5
	expect "and the user is told, in one line ($(cat err))" "$(grep -c 'linked statically' err) $(grep -c "" err)" "1 1"
	check "and the report tells" sh -c '"$1" report "$2" | grep -q statically' sh "$TRYST" "out$static"
done
"$TRYST" run -o out --library /no/such.so sh -c 'exit 6' 2>err
expect "without the library the program runs" $? 6
check "and the user is told" grep -q "cannot read '/no/such.so'" err

for mpi in $MPIS; do
	check "$mpi: a program is recorded" mpi_run $mpi 2 "$TRYST" run -o out-$mpi \
		"$(mpi_program $mpi calls)" >log 2>&1
	expect "$mpi: every rank has its file" "$(find out-$mpi -name 'rank-*db' | wc -l)" 2
	expect "$mpi: every mark came home" "$(find out-$mpi/started -type f | wc -l)" 2
	check "$mpi: and none is left" test ! -e out-$mpi.started
	check "$mpi: the report counts them" sh -c '"$1" report "$2" | grep -q "^2 of 2 ranks"' sh \
		"$TRYST" out-$mpi
	# MPICH 5.0 returns MPI_SUCCESS from it, once its error handler was told.
	wrong='
losses,calls_failed,"0,1",2,calls'
	[ "$(sql out-$mpi "SELECT sum(errors) FROM call_profile" | sort -u)" != 0 ] || wrong=
	expect "$mpi: nothing was lost, but predictions where links are unknown, and what each rank's wrong call should send" \
		"$("$TRYST" report -f csv -s losses out-$mpi | grep -v messages_not_predicted | sed 's/,"ranks.*//')" \
		"section,loss,ranks,count,unit,text$wrong"
	expect "$mpi: merged op rows are the ranks'" \
		"$("$TRYST" sql -f csv out-$mpi 'SELECT rank, count(*) FROM op GROUP BY 1' | sed 1d)" \
		"$(for r in 0 1; do sqlite3 -separator , out-$mpi/rank-00000$r.db \
			'SELECT rank, count(*) FROM op GROUP BY 1'; done)"
	check "$mpi: the program's calls are in the report, its start and end are not" sh -c '"$1" report -n 1000 -f csv \
		-s calls "$2" >calls.csv && grep -q MPI_Send calls.csv && ! grep -q "MPI_Init\|MPI_Finalize" calls.csv' \
		sh "$TRYST" out-$mpi
	check "$mpi: through a shell script" mpi_run $mpi 2 "$TRYST" run -o script-$mpi \
		sh -c '"$0"; exit $?' "$(mpi_program $mpi calls)" >log 2>&1
	expect "$mpi: it is recorded, too" "$(find script-$mpi -name 'rank-*db' | wc -l)" 2
	check "$mpi: callsites have names" sh -c 'test "$("$1" sql -f csv "$2" "SELECT count(*) FROM callsite
		WHERE frame = 0 AND file LIKE '"'%calls.c'"'" | tail -1)" -gt 0' sh "$TRYST" out-$mpi
done
# what doctor sees of a program
for mpi in $MPIS; do
	case $mpi in openmpi) name='Open MPI' ;; mpich) name=MPICH ;; esac
	COLUMNS=200 "$TRYST" doctor "$(mpi_program $mpi scale)" >doctor.txt
	check "$mpi: doctor names the program's MPI" grep -q "its MPI  *$name (/" doctor.txt
	if ! mpirun --version 2>/dev/null | grep -q "Open MPI\|HYDRA"; then
		continue
	elif mpirun --version 2>/dev/null | grep -q "$(echo $name | sed 's/MPICH/HYDRA/')"; then
		check "$mpi: and that mpirun is its own" grep -q "^ok  *its MPI" doctor.txt
	else
		check "$mpi: and that mpirun is not its own" grep -q "^note  *its MPI .*mpirun is another MPI's" doctor.txt
	fi
	launcher=$(sed -n 's/^Recording should work here: \([^ ]*\) -n [24] tryst run .*scale$/\1/p' doctor.txt)
	check "$mpi: its last line names the program's launcher ($launcher)" sh -c '"$1" --version 2>&1 |
		grep -q "$2"' sh "$launcher" "$(echo $name | sed 's/MPICH/HYDRA/')"
done
COLUMNS=200 "$TRYST" doctor true >doctor.txt
check "doctor sees that a program is not linked to MPI" grep -q "^note  *its MPI .*is not linked to MPI" doctor.txt
check "and its last line doubts that it can be recorded" grep -q "^Recording should work here, if the program uses MPI at all: " doctor.txt

# where neither launcher is its own, none is claimed
mkdir bin
for tool in sh sed cat; do ln -s "$(command -v $tool)" bin; done
printf '#!/bin/sh\necho another MPI\n' >bin/mpirun
chmod +x bin/mpirun
for mpi in $MPIS; do
	PATH=$PWD/bin COLUMNS=200 "$TRYST" doctor "$(mpi_program $mpi scale)" >doctor.txt
	check "$mpi: a launcher that is not there is not advised" grep -q "^Recording should work here, once the launcher" doctor.txt
	check "$mpi: but named" grep -q "^note  *its MPI .*start it with mpirun[.].*, which is not in PATH" doctor.txt
done
# the load is the machine's: well above and well below its processors it is clear what must be said
load=$(awk -v n="$(getconf _NPROCESSORS_ONLN)" '{ print ($1 > n + 1 ? "busy" : $1 < n - 1 ? "idle" : "between") }' /proc/loadavg)
COLUMNS=200 "$TRYST" doctor >doctor.txt
case $load in
busy) check "a busy machine is told" grep -q "they are busy now (load average" doctor.txt ;;
idle) check "an idle machine is not called busy" sh -c '! grep -q "busy now" doctor.txt' ;;
esac

# more ranks than processors
need taskset util-linux
cpu=$(processors | head -n 1)
for mpi in $MPIS; do
	check "$mpi: two ranks on one processor" to log mpi_run $mpi 2 taskset -c "$cpu" "$TRYST" run --calibrate off \
		-o crowd-$mpi "$(mpi_program $mpi percall)" pingpong 55
	expect_sql crowd-$mpi "SELECT value FROM run WHERE key = 'core_map'" "$cpu
$cpu"
	expect "$mpi: and how long they waited for it is known" "$(sql crowd-$mpi "SELECT CAST(value AS INTEGER) > 0
		FROM run WHERE key = 'cpu_wait_ns'" | sort -u)" "$([ -r /proc/self/schedstat ] && echo 1)"
	expect_sql crowd-$mpi/rank-000000.db "SELECT count(*) > 0, count(wait_ns) FROM op WHERE predicted_ns IS NULL AND peer IS NOT NULL
		UNION ALL SELECT count(*) > 0, count(wait_ns) + count(excess_ns) FROM wait_profile WHERE peer IS NOT NULL
		UNION ALL SELECT count(*) > 0, count(wait_ns) FROM wait_by_callsite" "1|0
1|0
1|0"
	# Where the kernel tells when ranks had no CPU, the share of the waits is no guess.
	expect "$mpi: the report says that they take turns" "$("$TRYST" report -s summary --width 400 crowd-$mpi |
		sed -n 's/^Ranks take turns: 2 share 1 processor on [^:]*/turns/p')" \
		"turns$(sql crowd-$mpi/run.db "SELECT iif(count(*) < 2, ': waits are partly the scheduler''s', '')
			FROM run WHERE key = 'sample_period_ns'")"
	sqlite3 crowd-$mpi/rank-000000.db "UPDATE run SET value = (SELECT value FROM run WHERE key = 'end_ns') / 2
		WHERE key = 'cpu_wait_ns'"
	check "$mpi: and how long, where it is long" sh -c '"$1" report -s verdict --width 400 "$2" |
		grep -q "^Verdict: of 1 of 2 ranks nothing is known; of the others: CPU shortage: ranks were ready to run but had\
 no CPU for .* (50 % of their time)"' sh "$TRYST" \
		crowd-$mpi/rank-000000.db
done
check "a rank with a processor takes no turns" sh -c '! "$1" report -s summary crowd-"$2"/rank-000000.db |
	grep "take turns"' sh "$TRYST" "${MPIS##* }"

# Under the launcher of the other MPI each process is a run of its own. Open MPI 6.0's starts no MPICH, bare or not.
case $MPIS in *openmpi*mpich*)
	if ! mpi_run openmpi 2 "$(mpi_program mpich scale)" messages 5 >bare 2>&1; then
		say "no program of MPICH runs under Open MPI's launcher"
	else
		mpi_run openmpi 2 "$TRYST" run -o apart --calibrate off "$(mpi_program mpich scale)" messages 5 >log 2>&1
		expect "a wrongly launched program says so, once" "$(grep -c '^tryst: 2 processes were started together' log)" 1
		expect "nothing of a wrongly launched program is lost" "$(find apart* -name rank-000000.db | wc -l)" 2
		for dir in apart apart.2; do
			check "$dir: the report names the launcher" sh -c '"$1" report --width 400 -s losses "$2" | grep -q \
				"2 processes were started and each took itself for rank 0 of 1: is the launcher that of another MPI.*MPICH"' \
				sh "$TRYST" $dir
			check "$dir: so does merge" sh -c '"$1" merge "$2" 2>&1 | grep -q "each took itself for rank 0 of 1"' sh "$TRYST" $dir
		done
	fi ;;
esac
mpi_run "${MPIS##* }" 2 "$TRYST" run -o near --calibrate off "$(mpi_program ${MPIS##* } scale)" messages 5 >log 2>&1
expect "one that was launched rightly does not" "$(grep -c 'started together' log)" 0
check "a run of one process is none of those" sh -c '! "$1" merge out-"$2" 2>&1 | grep "took itself"' sh "$TRYST" "${MPIS##* }"

# two programs in one launch, each with a directory: there is one run
for mpi in $MPIS; do
	starts_several $mpi || continue
	program=$(mpi_program $mpi scale)
	check "$mpi: two programs with two directories" to log mpi_run $mpi 1 "$TRYST" run -o one-$mpi --calibrate off \
		"$program" messages 5 : -np 1 "$TRYST" run -o two-$mpi --calibrate off "$program" messages 5
	expect "$mpi: both ranks are in the first" "$(echo one-$mpi/rank-*.db) $(echo two-$mpi*)" \
		"one-$mpi/rank-000000.db one-$mpi/rank-000001.db two-$mpi*"
	expect "$mpi: and who asked for another one reads so" "$(cat log log.err | grep "^tryst: ")" "tryst: rank 1 was given the \
directory '$PWD/two-$mpi', but rank 0 decides: the records of all ranks are in '$PWD/one-$mpi'"
	check "$mpi: two programs with one directory" to log mpi_run $mpi 1 "$TRYST" run -o both-$mpi --calibrate off \
		"$program" messages 5 : -np 1 "$TRYST" run -o both-$mpi --calibrate off "$program" messages 5
	expect "$mpi: of which there is nothing to say" "$(cat log log.err | grep "^tryst: ")" ""
done

for mpi in $MPIS; do
	check "$mpi: a run with a budget of rows" to under mpi_run $mpi 2 "$TRYST" run -o few-$mpi --max-ops 10 \
		--calibrate off "$(mpi_program $mpi doomed)" end 50
	expect_sql few-$mpi "SELECT count(*) FROM op" "10
10"
	expect_sql few-$mpi "SELECT sum(count) FROM wait_profile" "100
100"
	expect_sql few-$mpi "SELECT value FROM run WHERE key = 'dropped_ops'" "90
90"
done
finish
