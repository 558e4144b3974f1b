#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=200
# Link parameters of earlier runs are used again where a short check finds them true, else measured.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need taskset util-linux
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

# Some launches, as by "$@", until a set is kept.
keep_one() {
	rm -rf cache
	for try in 1 2 3 4 5; do
		from=$("$@")
		[ -z "$(kept)" ] || break
	done
	[ -n "$(kept)" ] || say "$mpi: in $try runs there was no time to measure all of it"
}

# All sets with this change.
alter() {
	rm -rf cache
	cp -r good cache
	for links in $(kept); do
		sqlite3 "$links" "$1"
	done
}

# Both ranks with one processor to run on, the same or two: fingerprints do not tell these apart.
apart() {
	rm -rf out
	to said mpi_run $mpi 1 taskset -c "$1" env LD_PRELOAD="$TRYST_LIB" TRYST_DIR=out "$(mpi_program $mpi delays)" log 1 : \
		-np 1 taskset -c "$2" env LD_PRELOAD="$TRYST_LIB" TRYST_DIR=out "$(mpi_program $mpi delays)" log 1 || cat said.err
	sql out/rank-000000.db "SELECT DISTINCT source FROM link_param WHERE tier = 'node'" | tr '\n' ' '
}

slower="UPDATE link_param SET value = 3 * value WHERE unit LIKE 'ns%'"
cpu=$(processors | head -n 1)
other=$(processors | tail -n 1)
judged=
for mpi in $MPIS; do
	rm -rf good
	keep_one source_now $mpi
	[ -n "$(kept)" ] || continue
	expect "$mpi: without a cache they are measured" "$from" "measured "
	judged=1
	source_soon
	expect "$mpi: a kept set is used again" "$from" "cache "
	say "$mpi: launch $try found a set of an earlier one true, of $(kept | wc -l)"
	rm -rf good
	cp -rp cache good
	alter "$slower"
	expect "$mpi: sets three times as slow are not" "$(source_now $mpi)" "measured "
	alter "UPDATE link_param SET value = CAST(value / 2 AS INTEGER) WHERE name IN ('S', 'S_p')"
	expect "$mpi: nor are those with another S" "$(source_now $mpi)" "measured "
	# true ones beside a slow one, which is in the first place
	rm -rf cache
	cp -rp good cache
	first=$(kept | grep -v -- '-[0-9]\.links$')
	cp "$first" "${first%.links}-3.links"
	sqlite3 "$first" "$slower"
	for links in $(kept); do
		[ "$links" = "$first" ] || sqlite3 "$links" "UPDATE link_param SET reason = 'true' WHERE name = 'S'"
	done
	# a launch at another speed keeps a set of its own, which would be found true, too
	rm -rf mixed
	cp -rp cache mixed
	for try in 1 2 3 4 5 6; do
		rm -rf cache
		cp -rp mixed cache
		from=$(source_now $mpi)
		which=$(sql out/rank-000000.db "SELECT reason FROM link_param WHERE name = 'S' AND tier = 'node' AND form IS NULL")
		[ "$from$which" != "cache true" ] || break
	done
	expect "$mpi: the true one of several sets is found" "$from$which" "cache true"
	[ "$cpu" != "$other" ] || continue
	keep_one apart "$cpu" "$other"
	[ -n "$(kept)" ] || continue
	expect "$mpi: where there is no time to measure, a set that may hold is taken, and told" \
		"$(apart "$cpu" "$cpu")" "unconfirmed "
done
[ -n "$judged" ] || skip "this machine is too busy: two ranks were never in step"
finish
