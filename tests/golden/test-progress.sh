#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Long exports and comparisons show on a terminal how far they are, and wipe the line in the end. In a log they say nothing.
. "${TEST_SRC:-.}/tests/lib.sh"
need python3 python3

cat >terminal.py <<'END'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    text += more
print(text.decode().replace("\r", "\n"))
END
# A clock that runs ten thousand times as fast, so that each export is long, also on a fast machine.
cat >fast.c <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *t)
{
	const int rc = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock == CLOCK_MONOTONIC) {
		t->tv_sec = t->tv_sec * 10000 + t->tv_nsec / 100000;
		t->tv_nsec = t->tv_nsec % 100000 * 10000;
	}
	return rc;
}
END
check "the clock is built" $cc -shared -fPIC -o fast.so fast.c
check "a run is simulated" "$TEST_BUILD/tests/spoolgen" -n 2 -r 20000 -s 7 -N 2 run >/dev/null
check "it is merged" to merged "$TRYST" merge run
check "it is exported in a log" to log env LD_PRELOAD="$PWD/fast.so" "$TRYST" export -f chrome -o log.json run
expect "which has no progress" "$(cat log log.err | grep -c percent)" 0
check "it is exported on a terminal" to lines env LD_PRELOAD="$PWD/fast.so" python3 terminal.py "$TRYST" export -f chrome -o shown.json run
sed -n 's/^tryst: reading calls, percent \([0-9]*\) of 100.*/\1/p' lines >percents
check "which shows how far it is" [ "$(wc -l <percents)" -gt 3 ]
check "the numbers rise" sort -nc percents
check "some are near the end" [ "$(tail -n 1 percents)" -gt 70 ]
check "there is an estimate" grep -q "percent.* of 100, about [0-9]* [a-z]* left" lines
expect "nothing of it stays" "$(tail -n 2 lines | grep -c percent)" 0

check "so is a schedule" to lines env LD_PRELOAD="$PWD/fast.so" python3 terminal.py "$TRYST" export -f goal -o shown.goal run
for what in 'reading calls of rank' 'making the schedule of call' 'writing operation'; do
	check "which shows: $what" grep -q "^tryst: $what [0-9]* of [0-9]*" lines
done
check "with an estimate" grep -q "operation [0-9]* of [0-9]*, about [0-9]* [a-z]* left" lines
expect "nothing of it stays, either" "$(tail -n 2 lines | grep -c operation)" 0
check "two runs are compared on a terminal" to lines env LD_PRELOAD="$PWD/fast.so" python3 terminal.py "$TRYST" diff run run
check "that shows how far it is" grep -q "^tryst: reading run 2, part [0-9] of 9, about [0-9]* [a-z]* left" lines
expect "nothing of this is between the results" "$(sed -n '/^TIME/,$p' lines | grep -c '^tryst:')" 0
finish
