#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=600
# What ranks compute, and when they have no CPU, is what their own clocks say.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# run MPI N DIR CMD...: 2000 samples a second; the ranks' own clocks in DIR.log
run() {
	run_dir=$3
	export TRYST_SAMPLE=2000 TRYST_CALIBRATE=off
	to "$run_dir.log" shim_run "$@"
	run_rc=$?
	unset TRYST_SAMPLE TRYST_CALIBRATE
	return $run_rc
}

# own DIR RANK COLUMN: what the rank said in its line of the log
own() {
	$awk -v rank="$2" -v column="$3" '$1 == rank && NF == 4 { print $column }' "$1.log"
}

# off DIR RANK WHAT: seconds without a CPU in such times
off() {
	sql "$1/rank-00000$2.db" "SELECT total(off_ns) / 1e9 FROM off_cpu WHERE what = '$3'"
}

# three_to_one DIR: samples of both functions are as the CPU time in them
three_to_one() {
	check "$1: functions are named" "$TRYST" collect "$1"
	for rank in 0 1; do
		near "$1: rank $rank: share of heavy [%]" "$(sql "$1/rank-00000$rank.db" "SELECT 100.0 *
			total(samples) FILTER (WHERE function GLOB 'heavy*') /
			sum(samples) FROM computation")" \
			"$($awk -v rank=$rank '$1 == rank && NF == 4 { print 100 * $2 / ($2 + $3) }' "$1.log")" 0 3
		near "$1: rank $rank: CPU seconds" "$(sql "$1/rank-00000$rank.db" "SELECT sum(cpu_ns) / 1e9 FROM computation")" \
			"$($awk -v rank=$rank '$1 == rank && NF == 4 { print $2 + $3 }' "$1.log")" 0.05 0.01
	done
}

# refused MPI: nothing is said in a run whose kernel refuses, and the setting is named
refused() {
	check "$1: a run without samples ends well" run "$1" 2 "$1-refused" \
		env LD_PRELOAD="${TRYST_LIB}:$PWD/refuse.so" "$(mpi_program "$1" sample)" work
	expect "$1: nothing is said about it" "$(grep tryst "$1-refused.log.err")" ""
	expect_sql "$1-refused/rank-000001.db" "SELECT value > '' FROM run WHERE key = 'samples_refused'" 1
	expect_sql "$1-refused/rank-000001.db" "SELECT (SELECT count(*) FROM computation) + (SELECT count(*) FROM off_cpu)" 0
}

cat >refuse.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
long syscall(long number, ...)
{
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long a[6];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number != SYS_perf_event_open)
		return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	errno = EACCES;
	return -1;
}
END
check "a library that refuses is built" $cc -shared -fPIC -o refuse.so refuse.c -ldl
for mpi in $MPIS; do
	refused "$mpi"
done
# A library that replaces the file of the kernel's limit of locked memory, and says that there are two CPUs,
# and pages of $PAGE bytes.
cat >limit.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int openat(int dir, const char *path, int flags, ...)
{
	int (*next)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
	va_list list;
	va_start(list, flags);
	mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
	va_end(list);
	return next(dir, strcmp(path, "/proc/sys/kernel/perf_event_mlock_kb") == 0 ? getenv("LIMIT") : path, flags, mode);
}
long sysconf(int name)
{
	long (*next)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
	const char *page = getenv("PAGE");
	if (page && name == _SC_PAGESIZE)
		return atol(page);
	return name == _SC_NPROCESSORS_ONLN ? 2 : next(name);
}
END
check "a library with a limit is built" $cc -shared -fPIC -o limit.so limit.c -ldl
LIMIT=$PWD/limit
export LIMIT

# limited MPI KB: a run with this limit in KiB for each of two CPUs
limited() {
	echo "$2" >limit
	TRYST_SAMPLE=10000 TRYST_CALIBRATE=off
	export TRYST_SAMPLE TRYST_CALIBRATE
	check "$1: $2 KiB: the program ends well" to "$1-$2.log" shim_run "$1" 2 "$1-$2" \
		env LD_PRELOAD="${TRYST_LIB}:$PWD/limit.so" "$(mpi_program "$1" sample)" work
	unset TRYST_SAMPLE TRYST_CALIBRATE
	check "$1: $2 KiB: the report is made" to "$1-$2.report" "$TRYST" report --width 300 -s losses "$1-$2"
}

LD_PRELOAD="$PWD/refuse.so" to doctor "$TRYST" doctor
check "the doctor says so" grep -q '^note  *samples  *the kernel refuses them (' doctor

to doctor "$TRYST" doctor
grep -q '^ok  *samples ' doctor || skip "$(grep ' samples ' doctor)"
for kb in 24 4; do
	echo $kb >limit
	LD_PRELOAD="$PWD/limit.so" to doctor "$TRYST" doctor
	tr -s '\n ' ' ' <doctor >doctor-$kb
done
check "the doctor says that buffers are small" \
	grep -q 'note samples .* users may lock little memory .* samples between distant calls are lost' doctor-24
check "the doctor says that there are none" grep -q 'ranks get none' doctor-4
echo 516 >limit
LD_PRELOAD="$PWD/limit.so" PAGE=65536 to doctor "$TRYST" doctor
check "the kernel's usual limit is enough with pages of 64 KiB" grep -q '^ok  *samples ' doctor
cpu=$(processors | head -n 1)
for mpi in $MPIS; do
	check "$mpi: the program ends well" run "$mpi" 2 "$mpi-work" "$(mpi_program "$mpi" sample)" work
	three_to_one "$mpi-work"
	expect_sql "$mpi-work/rank-000001.db" "SELECT value FROM run WHERE key = 'sample_period_ns'" 500000

	stolen=$(steal)
	check "$mpi: a rank beside a busy process ends well" run "$mpi" 2 "$mpi-loss" \
		"$(mpi_program "$mpi" sample)" loss "$cpu"
	near "$mpi: seconds that others took" "$(off "$mpi-loss" 0 preempted)" "$(own "$mpi-loss" 0 4)" 0.02 "$(lacking "$stolen")"
	expect_sql "$mpi-loss/rank-000000.db" "SELECT loss_ns > 100000000, count > 0, longest_ns <= loss_ns, count =
		below_100us + below_1ms + below_10ms + below_100ms + longer,
		count = 1 + since_1ms + since_10ms + since_100ms + since_1s + since_longer
		FROM cpu_loss" "1|1|1|1|1"

	stolen=$(steal)
	check "$mpi: ranks that yield end well" run "$mpi" 4 "$mpi-yield" "$(mpi_program "$mpi" sample)" yield "$cpu"
	lacking=$(lacking "$stolen")
	for rank in 0 1 2 3; do
		near "$mpi: rank $rank: polling is no loss" "$(off "$mpi-yield" $rank preempted)" \
			"$(own "$mpi-yield" $rank 4)" 0.05 "$lacking"
	done

	# The rest is the kernel's and the compiler's: one library is enough.
	[ "$mpi" = "${MPIS##* }" ] || continue

	for level in 0 2; do
		# shellcheck disable=SC2046 # words
		check "$mpi: it is built with -O$level" $cc -g -O$level $(mpi_setting "$mpi" CFLAGS) \
			"$TEST_SRC/tests/mpi/sample.c" -o "sample-$mpi-O$level" $(mpi_setting "$mpi" LIBS)
		check "$mpi: -O$level ends well" run "$mpi" 2 "$mpi-O$level" "./sample-$mpi-O$level" work
		three_to_one "$mpi-O$level"
	done
	expect_sql "$mpi-O2/rank-000000.db" "SELECT count(*) > 0 FROM computation WHERE function LIKE '%(inlined in %'" 1

	# Beside other work 5 to 9 % of the ticks in the kernel are seen at the return to the program.
	check "$mpi: a rank in the kernel ends well" run "$mpi" 1 "$mpi-kernel" "$(mpi_program "$mpi" sample)" kernel
	near "$mpi: seconds in the kernel" "$(sql "$mpi-kernel/rank-000000.db" "SELECT kernel_ns / 1e9 FROM cpu_time")" \
		"$(own "$mpi-kernel" 0 3)" 0.12 0.01
	near "$mpi: seconds outside of it" "$(sql "$mpi-kernel/rank-000000.db" "SELECT outside_ns / 1e9 FROM cpu_time")" \
		"$(own "$mpi-kernel" 0 2)" 0.12 0.01

	check "$mpi: a sleeper ends well" run "$mpi" 2 "$mpi-sleep" "$(mpi_program "$mpi" sample)" sleep
	near "$mpi: seconds asleep" "$(off "$mpi-sleep" 1 gave_up)" "$(own "$mpi-sleep" 1 4)" 0.05 0.01

	run "$mpi" 2 "$mpi-kill" "$(mpi_program "$mpi" sample)" kill
	check "$mpi: the records of a killed rank are collected" "$TRYST" collect "$mpi-kill"
	near "$mpi: a killed rank: CPU seconds" "$(sql "$mpi-kill/rank-000001.db" "SELECT sum(cpu_ns) / 1e9
		FROM computation")" "$($awk '$1 == 1 && NF == 4 { print $2 + $3 }' "$mpi-kill.log")" 0.1 0.01

	check "$mpi: the report is made" to "$mpi.report" "$TRYST" report --width 300 -s path "$mpi-work"
	check "$mpi: it names the function" grep -q 'of the CPU time in heavy sample.c:' "$mpi.report"

	limited "$mpi" 24
	expect_sql "$mpi-24/rank-000001.db" "SELECT group_concat(key, ' ') FROM (SELECT key FROM run
		WHERE value > 0 AND key IN ('small_buffers', 'samples_lost_bytes', 'unsampled_threads') ORDER BY key)" \
		"samples_lost_bytes small_buffers"
	check "$mpi: it tells of lost samples" grep -q 'samples were overwritten .*perf_event_mlock_kb' "$mpi-24.report"
	limited "$mpi" 4
	expect_sql "$mpi-4/rank-000001.db" "SELECT group_concat(key, ' ') FROM (SELECT key FROM run
		WHERE value > 0 AND key IN ('small_buffers', 'samples_lost_bytes', 'unsampled_threads', 'unlocked_threads') ORDER BY key)" \
		"unlocked_threads unsampled_threads"
	check "$mpi: it tells of threads without samples" grep -q 'threads* ha[a-z]* no samples, .* because users' "$mpi-4.report"

	for setting in sample:off stack_depth:0; do
		name=TRYST_$(echo "${setting%:*}" | tr '[:lower:]' '[:upper:]')
		export "$name=${setting#*:}"
		check "$mpi: $setting ends well" to off.log shim_run "$mpi" 2 "$mpi-$name" \
			"$(mpi_program "$mpi" sample)" sleep
		unset "$name"
		expect_sql "$mpi-$name/rank-000000.db" "SELECT (SELECT count(*) FROM computation) + (SELECT count(*) FROM off_cpu) +
			(SELECT count(*) FROM run WHERE key GLOB 'sample*')" 0
	done
done
finish
