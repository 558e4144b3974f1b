#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=200
# Link parameters of earlier runs are used again where a short check finds them true, else measured.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
OMPI_MCA_mpi_yield_when_idle=0
TRYST_CACHE=$PWD/cache
export OMPI_MCA_mpi_yield_when_idle TRYST_CACHE

# Where the parameters of shared memory came from in a fresh run: measured, cache.
source_now() {
	rm -rf out
	to said shim_run "$1" 2 out "$(mpi_program "$1" delays)" log 10 || cat said.err
	sql out/rank-000000.db "SELECT DISTINCT source FROM link_param WHERE tier = 'node'" | tr '\n' ' '
}

# Launches are at several speeds: so many may be needed until one is at a speed that was met before.
source_soon() {
	for try in 1 2 3 4 5 6; do
		from=$(source_now $mpi)
		[ "$from" != "cache " ] || break
	done
}

# Which files have them; none where there was no time to measure all.
kept() {
	for links in cache/*.links; do
		[ "$(sql "$links" "SELECT value FROM fingerprint WHERE key = 'tier'" 2>&1)" = 1 ] && echo "$links"
	done
}

# All sets with this change.
alter() {
	rm -rf cache
	cp -r good cache
	for links in $(kept); do
		sqlite3 "$links" "$1"
	done
}

slower="UPDATE link_param SET value = 3 * value WHERE unit LIKE 'ns%'"
judged=
for mpi in $MPIS; do
	rm -rf cache
	for try in 1 2 3 4 5; do
		expect "$mpi: without a cache they are measured" "$(source_now $mpi)" "measured "
		[ -z "$(kept)" ] || break
	done
	if [ -z "$(kept)" ]; then
		say "$mpi: in $try runs there was no time to measure all of it"
		continue
	fi
	judged=1
	source_soon
	expect "$mpi: a kept set is used again" "$from" "cache "
	say "$mpi: launch $try found a set of an earlier one true, of $(kept | wc -l)"
	cp -rp cache good
	alter "$slower"
	expect "$mpi: sets three times as slow are not" "$(source_now $mpi)" "measured "
	# that launch kept its own beside them, in the last place or that of the one confirmed before all others
	source_soon
	expect "$mpi: a set is found among those of other speeds" "$from" "cache "
	alter "UPDATE link_param SET value = CAST(value / 2 AS INTEGER) WHERE name IN ('S', 'S_p')"
	expect "$mpi: nor are those with another S" "$(source_now $mpi)" "measured "
	rm -rf good
done
[ -n "$judged" ] || skip "this machine is too busy: two ranks were never in step"
finish
