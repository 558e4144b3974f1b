#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sample-cost.py TRYST [PAIRS]: CPU seconds of a computing program with and without samples.

TRYST is the command (build/analysis/tryst), mpicc and mpirun are Open MPI's. A round runs three arms in
random order: --sample off, 200, and 10000 samples a second. In each round, an arm's CPU seconds (user and
system, all processes) are divided by those of `off`. The arm's cost is the mean of these ratios, less 1.
"""
import os
import random
import subprocess
import sys
import tempfile

PROGRAM = r"""
#include <mpi.h>
static volatile double sink;
int main(int argc, char **argv)
{
	double x = 1, sum;
	MPI_Init(&argc, &argv);
	for (int round = 0; round < 500; round++) {
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
ARMS = ("off", "200", "10000")
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "TRYST_CALIBRATE": "off"}
BOOTSTRAPS = 10000


def cpu_seconds(tryst, directory, rate):
    """Of the launcher and all that it waited for."""
    out = os.path.join(directory, "out")
    subprocess.run(["rm", "-rf", out], check=True)
    command = ["mpirun", "--oversubscribe", "-n", "2", tryst, "run", "--sample", rate, "-o", out]
    child = subprocess.Popen(command + [os.path.join(directory, "program")],
                             env={**os.environ, **ROOT}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit("the program failed")
    return usage.ru_utime + usage.ru_stime


def interval(values):
    """The mean, and 95 % of the means of resampled values."""
    means = sorted(sum(random.choices(values, k=len(values))) / len(values) for _ in range(BOOTSTRAPS))
    return sum(values) / len(values), means[BOOTSTRAPS // 40], means[-BOOTSTRAPS // 40]


def main():
    tryst = os.path.abspath(sys.argv[1])
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    ratios = {arm: [] for arm in ARMS[1:]}
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "program.c")
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        subprocess.run(["mpicc", "-O1", source, "-o", os.path.join(directory, "program")], check=True)
        for number in range(pairs):
            seconds = {arm: cpu_seconds(tryst, directory, arm) for arm in random.sample(ARMS, len(ARMS))}
            print(number, *(f"{arm}: {seconds[arm]:.3f} s" for arm in ARMS), flush=True)
            for arm, values in ratios.items():
                values.append(100 * (seconds[arm] / seconds["off"] - 1))
    for arm, values in ratios.items():
        mean, low, high = interval(values)
        median = sorted(values)[len(values) // 2]
        part = 200 / int(arm)
        print(f"{arm} a second: {mean:.3f} % [{low:.3f}, {high:.3f}], median {median:.3f} %; "
              f"for 200 a second {mean * part:.4f} % [{low * part:.4f}, {high * part:.4f}]")


if __name__ == "__main__":
    main()
