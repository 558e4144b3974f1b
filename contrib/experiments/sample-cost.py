#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sample-cost.py TRYST [PAIRS [SECONDS [ARM...]]]: CPU seconds of a computing program with and without samples.

TRYST is the command (build/analysis/tryst), mpicc and mpirun are Open MPI's. Each of two ranks computes for
about SECONDS [2.5]. A round [40] runs the arms in random order. Arms: `off` (--sample off), `bare` (the same,
and each rank opens the event of 200 samples a second itself and reads nothing), a number (--sample NUMBER);
[off bare 200]. In each round, an arm's CPU seconds (user and system, all processes) are divided by those of
`off`, and by those of `bare`. The cost is the mean of these ratios, less 1. Prints user and system seconds
apart, too.
"""
import os
import random
import subprocess
import sys
import tempfile

PROGRAM = r"""
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static volatile double sink;
/* as event_open() of analysis/base/event.c */
static void open_event(unsigned period)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK, .sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME, .exclude_kernel = 1, .exclude_hv = 1,
		.context_switch = 1, .sample_id_all = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC_RAW,
		.write_backward = 1 };
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0 || mmap(NULL, 9 * (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		exit(1);
	close(fd);
}
int main(int argc, char **argv)
{
	double x = 1, sum;
	MPI_Init(&argc, &argv);
	if (strcmp(argv[1], "bare") == 0)
		open_event(5000000);
	for (int round = 0; round < 600 * atof(argv[2]); round++) {
		for (long i = 0; i < 800000; i++)
			x = x * 1.0000001 + 1e-9;
		/* of this rank alone: waiting for the other one would spin, for a random time */
		MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
		sink = sum;
		x = 1;
	}
	MPI_Finalize();
	return 0;
}
"""
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "TRYST_CALIBRATE": "off"}
BOOTSTRAPS = 10000


def cpu_seconds(tryst, directory, arm, length):
    """User and system seconds of the launcher and all that it waited for."""
    out = os.path.join(directory, "out")
    subprocess.run(["rm", "-rf", out], check=True)
    rate = "off" if arm == "bare" else arm
    command = ["mpirun", "--oversubscribe", "-n", "2", tryst, "run", "--sample", rate, "-o", out]
    child = subprocess.Popen(command + [os.path.join(directory, "program"), arm, length],
                             env={**os.environ, **ROOT}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit("the program failed")
    return usage.ru_utime, usage.ru_stime


def interval(values):
    """The mean, and 95 % of the means of resampled values."""
    means = sorted(sum(random.choices(values, k=len(values))) / len(values) for _ in range(BOOTSTRAPS))
    return sum(values) / len(values), means[BOOTSTRAPS // 40], means[-BOOTSTRAPS // 40]


def main():
    tryst = os.path.abspath(sys.argv[1])
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    length = sys.argv[3] if len(sys.argv) > 3 else "2.5"
    arms = sys.argv[4:] or ["off", "bare", "200"]
    ratios = {(arm, over): [] for over in ("off", "bare") if over in arms
              for arm in arms if arm not in ("off", over)}
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "program.c")
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        subprocess.run(["mpicc", "-O1", source, "-o", os.path.join(directory, "program")], check=True)
        for number in range(pairs):
            seconds = {arm: cpu_seconds(tryst, directory, arm, length) for arm in random.sample(arms, len(arms))}
            print(number, *(f"{arm}: {user:.3f} + {system:.3f} s" for arm, (user, system) in seconds.items()),
                  flush=True)
            for (arm, over), values in ratios.items():
                values.append(100 * (sum(seconds[arm]) / sum(seconds[over]) - 1))
    for (arm, over), values in ratios.items():
        mean, low, high = interval(values)
        median = sorted(values)[len(values) // 2]
        print(f"{arm} over {over}: {mean:.3f} % [{low:.3f}, {high:.3f}], median {median:.3f} %")


if __name__ == "__main__":
    main()
