#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=400
# A file of link parameters is used where it predicts; what it lacks is measured, and that is said.
. "${TEST_SRC:-.}/tests/lib.sh"

need sqlite3 sqlite3
# Before other load where that may be asked for: some launchers start ranks in sessions of their own.
first='{ echo -20 >/proc/self/autogroup; } 2>/dev/null; exec "$@"'
echo text >no-links
sqlite3 foreign.db 'CREATE TABLE t (a); PRAGMA application_id = 7'
for mpi in $MPIS; do
	program=$(mpi_program $mpi doomed)
	for wrong in no-links nowhere foreign.db; do
		check "$mpi: with a wrong file" to under shim_run $mpi 2 wrong-$mpi env TRYST_LINKS=$wrong "$program" end 50
		expect "$mpi: $wrong: it is named and what comes of it" \
			"$(grep -c "^tryst: cannot read '$wrong': .*; link parameters are measured" under.err)" 1
	done
	calibrated=
	for _ in 1 2 3 4; do
		mpi_run $mpi 2 sh -c "$first" sh "$TRYST" calibrate -b 4 -o $mpi.links >calibrate 2>&1 && calibrated=1 && break
	done
	if [ -z "$calibrated" ]; then
		say "$mpi: the machine is too busy to measure two ranks: $(cat calibrate)"
		continue
	fi
	check "$mpi: with the whole file" to under shim_run $mpi 2 whole-$mpi env TRYST_LINKS=$mpi.links "$program" end 50
	expect_sql whole-$mpi/rank-000000.db "SELECT DISTINCT source FROM link_param WHERE tier = 'node' AND
		name <> 'drift'" file
	expect "$mpi: nothing is said" "$(grep -c '^tryst: ' under.err)" 0
	sqlite3 $mpi.links "UPDATE fingerprint SET value = 'Other MPI 1.0' WHERE key = 'mpi_library'"
	check "$mpi: with a file of another MPI" to under shim_run $mpi 2 other-$mpi env TRYST_LINKS=$mpi.links "$program" end 50
	expect "$mpi: whose it is is said" "$(cat under.err)" \
		"tryst: '$mpi.links' was measured with another MPI library (Other MPI 1.0): what it predicts need not hold here"
	sqlite3 $mpi.links "DELETE FROM link_param WHERE tier = 'node'"
	check "$mpi: with a file that knows one tier" to under shim_run $mpi 2 part-$mpi sh -c "$first" sh \
		env TRYST_LINKS=$mpi.links "$program" end 50
	expect "$mpi: what the file lacks is said" "$(grep -c "lacks the times of node links; this run measures them" under.err)" 1
	expect_sql part-$mpi/rank-000000.db "SELECT count(*) > 0 FROM link_param WHERE tier = 'node' AND source <> 'file'" 1
	expect_sql part-$mpi/rank-000000.db "SELECT count(*) FROM link_param WHERE tier = 'self' AND source <> 'file'
		AND source <> 'learned' AND name <> 'drift'" 0
	# what runs take from a file is measured first, and there is time to do it again
	for _ in 1 2 3 4 5 6 7 8; do
		timeout 1.8 sh -c 'while :; do :; done' &
	done
	rm -f late.links late.links.incomplete
	mpi_run $mpi 2 sh -c "$first" sh "$TRYST" calibrate -q -b 6 -o late.links
	# what is measured later may be missing
	[ -f late.links ] || mv late.links.incomplete late.links
	wait
	expect "$mpi: others have the processors when a calibration begins" "$(sqlite3 late.links "SELECT count(DISTINCT name) FROM link_param
		WHERE tier = 'node' AND form IS NULL AND name IN ('S', 'one_way') AND value IS NOT NULL")" 2
done
finish
