#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=600
# Whole runs, bare and under tryst in turns: MPI_Init and MPI_Finalize, memory a rank, LAMMPS's time.
. "${TEST_SRC:-.}/tests/lib.sh"

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# Milliseconds that a command takes.
took() {
	begin=$(date +%s%N)
	"$@" >out 2>err || cat err
	echo $((($(date +%s%N) - begin) / 1000000))
}

show() {
	awk -v w="$1" -v b="$2" -v u="$3" -v unit="$4" 'BEGIN {
		printf "%-44s %10.0f %10.0f %s %8.2f\n", w, b, u, unit, u / (b ? b : 1) }'
}

ROUNDS=${ROUNDS:-5}
printf '%-44s %10s %10s %11s\n' what bare tryst ratio
for mpi in $MPIS; do
	program=$(mpi_program $mpi percall)
	for cache in fresh cached; do
		: >bare
		: >under
		for i in $(seq 1 "$ROUNDS"); do
			[ $cache = cached ] || rm -rf "$HOME/.cache"
			took mpi_run $mpi 2 "$program" none 11 >>bare
			took shim_run $mpi 2 "o-$mpi-$cache-$i" "$program" none 11 >>under
		done
		show "$mpi: Init and Finalize, $cache links" "$(median <bare)" "$(median <under)" ms
	done
	# Peak memory of a rank that sends 2 million messages.
	if [ -x /usr/bin/time ]; then
		peak() {
			/usr/bin/time -f '%M' -o rss "$@" >/dev/null 2>&1
			tail -n 1 rss
		}
		show "$mpi: peak memory, one rank, 1 million rounds" \
			"$(peak "$program" self 1000000)" \
			"$(peak env LD_PRELOAD="$TRYST_LIB" TRYST_DIR="o-$mpi-rss" TRYST_ROWS=later "$program" self 1000000)" kB
	fi
done
if command -v lmp >/dev/null && echo "$MPIS" | grep -q openmpi; then
	: >bare
	: >under
	for i in $(seq 1 "$ROUNDS"); do
		took mpi_run openmpi 2 lmp -in "$TEST_SRC/tests/mpi/melt.lammps" -log none >>bare
		took shim_run openmpi 2 "o-lmp-$i" lmp -in "$TEST_SRC/tests/mpi/melt.lammps" -log none >>under
	done
	show "LAMMPS melt, whole run" "$(median <bare)" "$(median <under)" ms
fi
finish
