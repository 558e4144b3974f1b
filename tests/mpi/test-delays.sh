#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=600
# Live waits against delays that were put in and logged: over shared memory and over TCP.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

CASES=${DELAYS_CASES:-1200}
OMPI_MCA_mpi_yield_when_idle=0
export OMPI_MCA_mpi_yield_when_idle

# S and S_p of the three send forms as delays-judge.awk wants them
limits() {
	sql "$1/rank-000000.db" "
		WITH form(f) AS (VALUES('send'), ('isend'), ('send_init')),
		got AS (SELECT f, name, coalesce(
			(SELECT value FROM link_param l WHERE l.name = n.name AND l.form = f
				AND tier = 'node' AND peer IS NULL),
			(SELECT value FROM link_param l WHERE l.name = n.name AND l.form IS NULL
				AND tier = 'node' AND peer IS NULL)) AS value
			FROM form, (SELECT 'S' AS name UNION SELECT 'S_p') n)
		SELECT f || ' ' ||
			coalesce((SELECT CAST(value AS INTEGER) FROM got g WHERE g.f = form.f AND name = 'S'), '-')
			|| ' ' ||
			coalesce((SELECT CAST(value AS INTEGER) FROM got g WHERE g.f = form.f AND name = 'S_p'), '-')
		FROM form" | tr '\n' ' '
}

rows() {
	sql "$1" "
		SELECT rank, kind, tag, blocked_ns, predicted_ns, excess_ns, wait_ns, coalesce((
			SELECT value FROM link_param l WHERE l.name = 'noise' AND l.tier = 'node'
			AND l.form = op.kind AND l.bytes <= op.bytes ORDER BY l.bytes DESC LIMIT 1), 0),
			protocol, cause_hint
		FROM op WHERE tag >= 64"
}

# Where other programs hold the processors, two ranks may never be in step within MPI_Init's budget.
measured() {
	sql "$1/rank-000000.db" "SELECT count(*) FROM link_param
		WHERE name = 'S' AND tier = 'node' AND (value IS NOT NULL OR ci_low IS NOT NULL)" |
		grep -qv '^0'
}

delays() {
	say "$1:"
	for _ in 1 2 3 4 5; do
		rm -rf "out-$1"
		check "$1: the program ends well" shim_run "$2" 2 "out-$1" \
			"$(mpi_program "$2" delays)" "log-$1" "$CASES"
		measured "out-$1" && break
		say "nothing could be measured in MPI_Init, once more"
	done
	measured "out-$1" || skip "this machine is too busy to measure in MPI_Init"
	rows "out-$1" >"rows-$1"
	awk -v limits="$(limits "out-$1")" -f "$TEST_SRC/tests/mpi/delays-judge.awk" \
		"log-$1.0" "log-$1.1" "rows-$1" >"figures-$1"
	cat "figures-$1"
	expect "$1: waits, protocols and causes are as the log says" \
		"$(grep ^verdict "figures-$1")" "verdict ok"
}

for mpi in $MPIS; do
	delays "$mpi-memory" "$mpi"
done
case $MPIS in
*openmpi*)
	OMPI_MCA_btl=self,tcp
	export OMPI_MCA_btl
	delays openmpi-tcp openmpi
	;;
esac
finish
