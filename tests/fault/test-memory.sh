#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# The kernel kills a rank whose memory control group is full: no op whose call had returned is lost, and
# the report says in one line that the rank ended.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# A group of our own of at most 512 MiB: by version 1 or 2, where the kernel lets us.
make_group() {
	mounted=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' /proc/self/mounts)
	if [ -n "$mounted" ]; then
		group=$mounted/tryst-test-$$
		mkdir "$group" 2>/dev/null && echo 512M 2>/dev/null >"$group/memory.limit_in_bytes" || return
		# memory and swap together where the kernel counts that, else no swap as far as it lets us
		if [ -e "$group/memory.memsw.limit_in_bytes" ]; then
			echo 512M 2>/dev/null >"$group/memory.memsw.limit_in_bytes"
		else
			echo 0 2>/dev/null >"$group/memory.swappiness" || :
		fi
		return
	fi
	mounted=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
	group=$mounted/tryst-test-$$
	[ -n "$mounted" ] && mkdir "$group" 2>/dev/null && [ -e "$group/memory.max" ] &&
		echo 512M 2>/dev/null >"$group/memory.max" && echo 0 2>/dev/null >"$group/memory.swap.max"
}
remove_group() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		rmdir "$group" 2>/dev/null && break
		[ -d "$group" ] || break
		sleep 0.2
	done
}
group=
trap 'lib_rc=$?; remove_group; lib_end' EXIT
make_group || skip "no memory control group can be made here"

n=500
for mpi in $MPIS; do
	DOOMED=$PWD/d-$mpi
	export DOOMED
	mkdir "$DOOMED"
	# shellcheck disable=SC2016
	to under shim_run $mpi 2 out-$mpi sh -c 'echo $$ >"$0" || exit 98; exec "$@"' "$group/cgroup.procs" \
		"$(mpi_program $mpi doomed)" eat $n
	code=$?
	[ $code -ne 98 ] || skip "processes may not enter a memory control group here"
	check "$mpi: it was killed ($code)" [ $code -ne 0 ]
	expect "$mpi: nothing is said by the library" "$(grep -c '^tryst: ' under.err)" 0
	check "$mpi: collect" to collect "$TRYST" collect out-$mpi
	expect_sql out-$mpi "PRAGMA integrity_check" "ok
ok"
	expect_sql out-$mpi/rank-000000.db "SELECT count(*), sum(complete_leave_ns IS NOT NULL) FROM op" "$((2 * n))|$((2 * n))"
	expect_sql out-$mpi/rank-000001.db "SELECT count(*) FROM op WHERE tag <> 4242" "$((2 * n))"
	"$TRYST" report --width 999 -s losses out-$mpi >losses 2>&1
	expect "$mpi: the report says so ($(cat losses))" "$(grep -c '^! ranks* 0.*ended without MPI_Finalize' losses)" 1
done
finish
