#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=100
# Full chunks stand at multiples of their size in the spool, where writing them costs least, and what fills
# them up is no row and no damage.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	out=out-$mpi
	check "$mpi: the run ends well" shim_run $mpi 1 $out env TRYST_ROWS=later TRYST_CALIBRATE=off \
		"$(mpi_program $mpi percall)" self 33000
	spool=$(echo $out/rank-*.spool)
	chunks=0
	aligned=0
	at=65536
	size=$(stat -c %s "$spool")
	while [ $at -lt "$size" ]; do
		chunks=$((chunks + 1))
		[ "$(dd if="$spool" bs=1 skip=$at count=4 2>/dev/null)" = CHNK ] && aligned=$((aligned + 1))
		at=$((at + 65536))
	done
	check "$mpi: there are some" test $chunks -gt 3
	expect "$mpi: chunks at multiples of 64 KiB" $aligned $chunks
	check "$mpi: rows are made of them" "$TRYST" collect $out
	expect_sql $out "SELECT count(*) FROM op" 66000
	expect_sql $out "SELECT count(*) FROM run WHERE key LIKE 'damaged%'" 0
done
finish
