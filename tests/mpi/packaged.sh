# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# packaged.sh: one program from a package on 2 and 4 ranks, bare, preloaded, and by `tryst run`.
# Read by test-packaged-*.sh after tests/lib.sh.
#
#   packaged NAME MPI RUNS_IN CMD...   for each count of ranks: runs CMD in a copy of the directory
#                                      RUNS_IN; then expects the same exit code and, after `mask`, the same
#                                      lines of stdout, of stderr and of the files named in $KEPT
#   mask                               the caller's filter: stdin to stdout, without what differs from
#                                      run to run
#   $RANKS                             [2 4]

packaged_look() {
	{
		echo "exit code $(cat "$1/rc")"
		mask <"$1/stdout"
		mask <"$1/stderr"
		for packaged_file in $KEPT; do
			echo "$packaged_file:"
			mask <"$1/$packaged_file"
		done
	} >"$1.look"
}

# packaged_run DIR TEMPLATE CMD...: CMD in a copy of TEMPLATE; leaves stdout, stderr and rc there.
packaged_run() {
	packaged_dir=$1
	cp -r "$2" "$1"
	shift 2
	(
		cd "$packaged_dir" || exit 1
		"$@" >stdout 2>stderr </dev/null
		echo $? >rc
	)
	packaged_look "$packaged_dir"
}

packaged() {
	packaged_name=$1
	packaged_mpi=$2
	packaged_template=$3
	shift 3
	for packaged_n in ${RANKS:-2 4}; do
		packaged_at=$packaged_name-$packaged_mpi-$packaged_n
		packaged_run "$packaged_at-bare" "$packaged_template" mpi_run "$packaged_mpi" "$packaged_n" "$@"
		packaged_run "$packaged_at-preload" "$packaged_template" \
			shim_run "$packaged_mpi" "$packaged_n" "$PWD/$packaged_at-p.out" "$@"
		packaged_run "$packaged_at-run" "$packaged_template" \
			mpi_run "$packaged_mpi" "$packaged_n" "$TRYST" run -o "$PWD/$packaged_at-r.out" "$@"
		expect "$packaged_at: bare, it works here" "$(head -n 1 "$packaged_at-bare.look")" "exit code 0"
		for packaged_way in preload run; do
			expect "$packaged_at: $packaged_way: same exit code and output" \
				"$(diff "$packaged_at-bare.look" "$packaged_at-$packaged_way.look" | head -n 20)" ""
		done
		for packaged_out in "$packaged_at-p.out" "$packaged_at-r.out"; do
			check_whole "$packaged_out" "$packaged_out" "$packaged_n"
			expect "$packaged_out: all ranks ended well, nothing was dropped" \
				"$(sql "$packaged_out" "SELECT DISTINCT key, value FROM run
					WHERE key IN ('clean_finalize', 'dropped') ORDER BY key" | sort -u)" "clean_finalize|1
dropped|0"
			expect "$packaged_out: nothing is pending" \
				"$(sql "$packaged_out" 'SELECT count(*) FROM pending' | sort -u)" 0
			expect "$packaged_out: messages were sent, and each was received" \
				"$(sql "$packaged_out" "SELECT kind, count, bytes FROM wait_profile WHERE peer IS NOT NULL
					AND call NOT LIKE '%sendrecv_replace'" |
					awk -F'|' '{ n[$1] += $2; b[$1] += $3 }
					END { print (n["send"] > 0), n["send"] - n["recv"], b["send"] - b["recv"] }')" "1 0 0"
		done
		check "$packaged_at: tryst report" to report "$TRYST" report -v "$packaged_at-r.out"
		expect "$packaged_at: each operation is matched, or it is said why not, and none counts twice" \
			"$(sql "$packaged_at-r.out/run.db" "SELECT
				(SELECT sum(ops) FROM match_summary) = (SELECT sum(value) FROM run WHERE key = 'ops'),
				(SELECT count(*) FROM match_summary WHERE NOT matched AND reason IS NULL),
				count(*) = count(DISTINCT send_key) AND count(*) = count(DISTINCT recv_key),
				2 * count(*) = (SELECT sum(ops) FROM match_summary WHERE matched) FROM match")" "1|0|1|1"
	done
}
