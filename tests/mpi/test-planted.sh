#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=120
# Remedies are tried by replay: what would help brings what the program planted, and what cannot help nothing.
. "${TEST_SRC:-.}/tests/lib.sh"

# gain RUN REMEDY: the most that it brings to one bottleneck [ms]
gain() {
	"$TRYST" report -f csv -s remedies -n 100 "$1" |
		$awk -F, -v remedy="$2" '$6 == remedy && $8 > most { most = $8 } END { printf "%d", most / 1e6 }'
}

for mpi in $MPIS; do
	check "$mpi: ranks with 5 and 15 ms of work, 40 times" shim_run $mpi 2 imbalance-$mpi "$(mpi_program $mpi planted)" imbalance
	ms=$(gain imbalance-$mpi balance_all)
	check "$mpi: equal work saves about 40 times 5 ms: $ms ms" test "$ms" -ge 100 -a "$ms" -le 300
	ms=$(gain imbalance-$mpi receive_later)
	check "$mpi: there is nothing to do before the receive: $ms ms" test "$ms" -le 20
	check "$mpi: a send before a receive that waits anyhow" shim_run $mpi 2 off-$mpi "$(mpi_program $mpi planted)" off_path
	for remedy in raise_S post_early send_nonblocking; do
		ms=$(gain off-$mpi $remedy)
		check "$mpi: $remedy brings nothing there: $ms ms of 200" test "$ms" -le 20
	done
	"$TRYST" report -s verdict,bottlenecks off-$mpi >report
	expect "$mpi: nothing of it is advised" "$(grep -c "do: raise S\|do: post the receive\|do: send with" report)" 0
done
mpis_with openmpi	# three ranks on two processors: who waits has to give way
for mpi in $MPIS; do
	check "$mpi: a rank without work receives" shim_run $mpi 3 idle-$mpi "$(mpi_program $mpi planted)" idle
	ms=$(gain idle-$mpi receive_later)
	check "$mpi: it is not told to work meanwhile: $ms ms" test "$ms" -le 20
done
finish
