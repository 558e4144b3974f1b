#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=120
# Eight ranks on four hosts of known links, placed in two ways. The least disturbed run of each placement predicts
# the other placement. The links are known only where the hosts had their rate: a run that took a tenth longer than
# work and wire need is recorded again.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/net/net.sh"
mbit=50 delay_us=300
rounds=12 bytes=300000 work_us=100000
net_needs -n 4 -r $mbit -d $delay_us
mpis_with openmpi # MPICH 4.0.2's MPI_Finalize takes 20 s over TCP with three hosts

# run POLICY DIR: ranks by slot or by node, recorded in DIR. Eight ranks on two CPUs yield.
# TCP's speed depends on its congestion control. Each host gets the one that every kernel has.
run() {
	rm -rf "$2"
	OMPI_MCA_rmaps_base_mapping_policy=$1 PRTE_MCA_rmaps_default_mapping_policy=$1:oversubscribe \
		OMPI_MCA_mpi_yield_when_idle=1 TRYST_CALIBRATE=off \
		sh "$hosts" -n 4 -p 2 -r $mbit -d $delay_us -l 40 sh -c '{ echo -20 >/proc/self/autogroup; } 2>/dev/null
		echo reno >/proc/sys/net/ipv4/tcp_congestion_control || exit 9
		TRYST_DIR=$1 LD_PRELOAD=$2 exec "$3" "$4" "$5" "$6"' \
		sh "$PWD/$2" "$TRYST_LIB" "$(mpi_program openmpi pairs)" $rounds $bytes $work_us
}

# 1,448 bytes go in a frame of 1,514, and each two frames have an acknowledgement of 66 on the way back.
ns_per_byte="(8000.0 / $mbit * (1514 + 33) / 1448)"
known_links known.links $delay_us "$ns_per_byte"

# predicted RUN MAP: the run time with ranks on other hosts [ns]
predicted() {
	"$TRYST" predict --links known.links --map "$2" -f csv -s run "$1" | $awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "run_after_ns") column = i; next }
		{ print $column }'
}

# measured RUN: its own run time [ns]
measured() {
	sql "$1/run.db" "SELECT value FROM match_info WHERE key = 'path_run_ns'"
}

# as_placed RUN OTHER: OTHER's placement, predicted from RUN, against the recorded run
as_placed() {
	placed=$(measured "$2")
	guess=$(predicted "$1" "$2.map")
	check "from $1: $guess ns as $2, measured $placed ns, within 8 %" $awk -v a="$guess" -v b="$placed" \
		'BEGIN { exit !(a > 0 && b > 0 && a <= 1.08 * b && b <= 1.08 * a) }'
}

# needed POLICY: what the work takes and, where heavy pairs are apart, the bytes of a host's two ranks [ns]
needed() {
	wire=0
	[ "$1" = node ] || wire="2 * $bytes * $ns_per_byte"
	sqlite3 :memory: "SELECT CAST($rounds * (1000 * $work_us + $wire) AS INTEGER)"
}

# undisturbed POLICY: its least run time is at most a tenth above what it needs
undisturbed() {
	[ -d "$1" ] && [ "$(measured "$1")" -le $(($(needed "$1") * 11 / 10)) ]
}

for attempt in 1 2 3 4; do
	for policy in slot node; do
		! undisturbed $policy || continue
		check "ranks by $policy: the program ends well" run $policy new
		check "it is analyzed" "$TRYST" analyze new
		echo "attempt $attempt: $(measured new) ns, $(needed $policy) ns needed"
		if [ ! -d $policy ] || [ "$(measured new)" -lt "$(measured $policy)" ]; then
			rm -rf $policy && mv new $policy
		fi
	done
done
for policy in slot node; do
	undisturbed $policy || [ $lib_failed -gt 0 ] ||
		skip "this machine is too busy: ranks by $policy took $(measured $policy) ns at best"
done
for policy in slot node; do
	sqlite3 -separator ' ' $policy/run.db "SELECT rank, value FROM run WHERE key = 'host' ORDER BY rank" >$policy.map
done
expect "heavy pairs are apart, or together" "$(for policy in slot node; do $awk '{ host[$1] = $2 }
	END { for (i = 0; i < 4; i++) n += host[i] == host[i + 4]; print NR, n }' $policy.map; done)" "8 0
8 4"
as_placed slot node
as_placed node slot
expect "efficiencies have the file's links, too" "$("$TRYST" predict --links known.links -f csv -s efficiency slot |
	$awk -F, '$2 == "transfer" { print ($3 > 0) }')" 1
expect "a search puts heavy pairs together" "$("$TRYST" predict --links known.links --map search -f csv -s map slot |
	$awk -F, 'NR > 1 { host[$2] = $4 } END { for (i = 0; i < 4; i++) n += host[i] == host[i + 4]; print n }')" 4
# ways FILE: how many notes tell of ways into hosts
ways() {
	"$TRYST" predict --links known.links --map "$1" -f csv -s notes slot | grep -c "into a host"
}
$awk '{ print $1, NR % 2 ? "host1" : "host2" }' slot.map >two.map
expect "with three hosts or more notes tell of ways into them" "$(ways node.map) $(ways two.map)" "1 0"
finish
