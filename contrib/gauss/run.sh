#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The experiment of the LogGPS paper: Gaussian elimination, original and fragmented, measured over a network of known
# rate and delay, and predicted from one recorded run by LogGPS, LogGP-1 and LogGP-2. As root, in a built tree:
#
#   run.sh [OPTION...] BUILD
#     -n N,...   sizes of the matrix [256,512,1024,2048]
#     -p HOSTS   hosts, with one rank each [2]
#     -r MBIT    rate of each host's link [100]
#     -d US      every frame arrives so much later; none: no delay, hosts on a bridge [50]. A delay needs a processor
#                beside those of the hosts.
#     -k RUNS    of each program and S, and recorded; medians are taken [5]
#     -b SECONDS budget of tryst calibrate [20]
#     -o DIR     what was measured [./gauss-results]
#
# DIR gets results.csv, tables.txt (in the form of Tables 7 and 10) and breakdown.svg (in the form of Fig. 6; needs
# gnuplot, else breakdown.dat alone).
set -u
sizes=256,512,1024,2048 ranks=2 rate=100 delay=50 runs=5 budget=20 out=gauss-results
while getopts n:p:r:d:k:b:o: option; do
	case $option in
	n) sizes=$OPTARG ;;
	p) ranks=$OPTARG ;;
	r) rate=$OPTARG ;;
	d) delay=$OPTARG ;;
	k) runs=$OPTARG ;;
	b) budget=$OPTARG ;;
	o) out=$OPTARG ;;
	*) sed -n '3,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || { sed -n '3,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
if [ "$delay" != none ] && [ "$(nproc)" -le "$ranks" ]; then
	echo "run.sh: a delay needs a processor beside those of $ranks hosts, and here are $(nproc): -d none" >&2
	exit 1
fi
build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
hosts=$here/../../tests/net/hosts.sh
tryst=$build/analysis/tryst
mkdir -p "$out" && cd "$out" || exit 1
out=$PWD
export TEST_BUILD="$build" TRYST_LIBRARY="$build/pmpi/libtryst.so"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Hosts share this machine's processors. A rank that waits must let others run if they are more than these.
[ "$ranks" -le "$(nproc)" ]
export OMPI_MCA_mpi_yield_when_idle=$?

mpicc=$(command -v mpicc.openmpi || command -v mpicc) || { echo "no mpicc" >&2 && exit 1; }
"$mpicc" -O2 -g -o gauss "$here/gauss.c" || exit 1
wire="-r $rate"
if [ "$delay" != none ]; then
	wire="$wire -d $delay"
	make -C "$build" -s tests/net/switch || exit 1
fi

# across S CMD...: CMD on each host, where messages above S bytes go by rendezvous. Open MPI's limit counts its header.
across() {
	OMPI_MCA_btl_tcp_eager_limit=$(($1 + 56))
	OMPI_MCA_btl_tcp_rndv_eager_limit=$OMPI_MCA_btl_tcp_eager_limit
	export OMPI_MCA_btl_tcp_eager_limit OMPI_MCA_btl_tcp_rndv_eager_limit
	shift
	# shellcheck disable=SC2086
	sh "$hosts" -n "$ranks" $wire -l 900 sh "$here/../../tests/net/own-processor" "$@"
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# predicted FILE OPTION...: seconds; the breakdown goes to FILE
predicted() {
	predicted_file=$1
	shift
	"$tryst" predict -f csv -s run "$@" >predict.out || return
	"$tryst" predict -f csv -s ranks "$@" >ranks.out || return
	"$tryst" predict -f csv -s waits "$@" >waits.out || return
	# hundredths of all ranks' time: computation, communication, waits for senders, for receivers
	awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		FILENAME == "ranks.out" { compute += $c["computation_after_ns"]; inside += $c["inside_after_ns"] }
		FILENAME == "waits.out" { wait[$c["cause"]] += $c["wait_after_ns"] }
		END {
			all = (compute + inside) / 100
			if (all <= 0) all = 1
			s = wait["late_sender"]; r = wait["late_receiver"]
			printf "%.1f %.1f %.1f %.1f\n", compute / all, (inside - s - r) / all, s / all, r / all
		}' ranks.out waits.out >"$predicted_file"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { printf "%.6f\n", $c["run_after_ns"] / 1e9 }' predict.out
}

# row N PROGRAM S MODEL SECONDS
row() {
	echo "$1,$2,$3,$4,$5" >>results.csv
	echo "n = $1, $2 code, S = $3, $4: $5 s"
}

echo "n,program,S,model,seconds" >results.csv
: >breakdown.dat
if [ ! -s links ]; then
	across 16383 "$tryst" calibrate -q -b "$budget" --max-bytes 64k -o "$out/links" 2>calibrate.log ||
		{ cat calibrate.log >&2 && exit 1; }
fi
for n in $(echo "$sizes" | tr , ' '); do
	# A recorded run and all programs in turn, so that disturbances are shared.
	rm -rf "recorded-$n" recording-* measured-* records
	i=0
	while [ $i -lt "$runs" ]; do
		{ across 16383 "$tryst" run --links "$out/links" -o "$out/recording-$i" "$out/gauss" "$n" >record.out &&
			echo "$(cat record.out) recording-$i" >>records; } 2>record.log || { cat record.log >&2 && exit 1; }
		across 16383 "$out/gauss" "$n" >>measured-original-16383 || exit 1
		across 65536 "$out/gauss" "$n" >>measured-original-65536 || exit 1
		across 16383 "$out/gauss" "$n" 16383 >>measured-fragmented-16383 || exit 1
		i=$((i + 1))
	done
	# The recorded run whose time is the median.
	mv "$(sort -n records | sed -n "$(((runs + 1) / 2))s/.* //p")" "recorded-$n" && rm -rf recording-* || exit 1
	[ "$(cut -d, -f2 measured-* | sort -u | wc -l)" = 1 ] || { echo "checksums differ" >&2 && exit 1; }
	for what in original-16383 original-65536 fragmented-16383; do
		program=${what%-*} S=${what#*-}
		case $what in
		original-16383) change= ;;
		original-65536) change='--set S=65536' ;;
		fragmented-16383) change='--fragment --set S=16383' ;;
		esac
		row "$n" "$program" "$S" measured "$(median <"measured-$what")"
		for model in replay LogGPS LogGP-1 LogGP-2; do
			by="--model $model"
			[ $model = replay ] && by=
			# shellcheck disable=SC2086
			seconds=$(predicted breakdown $change $by "recorded-$n") || exit 1
			row "$n" "$program" "$S" $model "$seconds"
			[ $model != LogGPS ] || echo "$n $what $(cat breakdown)" >>breakdown.dat
		done
	done
done
{
	echo "$(date +%F), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs; $("$mpicc" --showme:version 2>/dev/null | head -n 1)"
	echo "$ranks hosts on this machine, one rank each; links of $rate Mbit/s, delay in us: $delay; medians of $runs runs; load $(cut -d' ' -f1 /proc/loadavg)"
	awk -F, -f "$here/tables.awk" results.csv
} >tables.txt
cat tables.txt
if command -v gnuplot >/dev/null; then
	gnuplot -e "out='breakdown.svg'" "$here/breakdown.gp"
else
	echo "no gnuplot: breakdown.dat has what would be drawn" >&2
fi
