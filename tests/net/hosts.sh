#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Several hosts on one machine, joined by a network of known rate and delay, and an MPI program across
# them.
#
#   hosts.sh [OPTION...] CMD...
#     -m MPI       openmpi [the default] or mpich; none: CMD runs once, on the first host
#     -n HOSTS     [2]
#     -p RANKS     on each host [1]
#     -r MBIT      rate at which each host sends, in Mbit/s; what comes to a host is not limited [as fast as it goes]
#     -d US        every frame arrives so much later [no delay]; 0: the same switch, no delay
#     -c SECONDS,...   offset of CLOCK_MONOTONIC of each host, by a time name space [none]
#     -l SECONDS   the longest that all this may take [120]
#     -u WORDS     a command that is given the launcher's whole command, e.g. tryst tune --
#
#   host1 --- eth0 ---.                     Hosts are name spaces (net, uts, mount, time) with
#   host2 --- eth0 ---+--- bridge or        addresses 10.77.0.1, ... and their own names. Without -d
#   host3 --- eth0 ---'    switch           the wire is a bridge between veth pairs; with it
#                                           tests/net/switch.c between TAP devices. The bridge's
#                                           rate is a token bucket's (tc tbf), which lets a first
#                                           frame pass at once; the switch's is a wire's.
#
# Everything lives in name spaces of this process, processes too: whatever ends it, also SIGKILL,
# ends them all, and nothing outside is touched. Exit code: that of the launcher; 77 where name
# spaces cannot be made, with the reason.

usage() {
	sed -n '3,/^#     -u/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

give_up() {
	echo "$1"
	exit 77
}

# Stage 1: outside. Stage 2 becomes process 1 of name spaces that end with it.
if [ "$1" != --inside ]; then
	case $1 in '' | -h | --help) usage ;; esac
	[ "$(id -u)" = 0 ] || give_up "name spaces for hosts need root"
	for tool in unshare nsenter setpriv ip tc mount hostname; do
		command -v $tool >/dev/null || give_up "hosts need $tool"
	done
	why=$(unshare --mount --net --pid --uts --fork --mount-proc true 2>&1) ||
		give_up "no name spaces: $why"
	dir=$(mktemp -d "${TMPDIR:-/tmp}/hosts-XXXXXX") || exit 1
	trap 'rm -rf "$dir"' EXIT
	# unshare itself lets signals wait until its child ends
	setpriv --pdeathsig KILL unshare --mount --net --pid --fork --kill-child --mount-proc \
		sh "$0" --inside "$(cd "$(dirname "$0")" && pwd)" "$dir" "$@" <&0 &
	inside=$!
	trap 'kill -KILL $inside; exit 130' INT TERM HUP
	wait $inside
	exit
fi
here=$2 dir=$3
shift 3

mpi=openmpi hosts=2 ranks=1 rate='' delay='' clocks='' limit=120 under=''
while getopts m:n:p:r:d:c:l:u: option; do
	case $option in
	m) mpi=$OPTARG ;;
	n) hosts=$OPTARG ;;
	p) ranks=$OPTARG ;;
	r) rate=$OPTARG ;;
	d) delay=$OPTARG ;;
	c) clocks=$OPTARG ;;
	l) limit=$OPTARG ;;
	u) under=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage

must() {
	"$@" >>"$dir/log" 2>&1 || give_up "cannot make hosts: $*: $(tail -n 1 "$dir/log")"
}

# A host is kept by a process that sleeps in its name spaces.
make_host() {
	host_clock=$(echo "$clocks" | cut -d , -f "$1")
	unshare --mount --net --uts ${host_clock:+--time --monotonic "$host_clock"} --fork sh -c '
		mount -t sysfs none /sys 2>/dev/null
		hostname "$1" && ip link set lo up && echo $$ >"$2.new" && mv "$2.new" "$2"
		exec sleep 100000' sh "host$1" "$dir/host$1" &
	for try in 1 2 3 4 5 6 7 8 9 10 20 30 40 50; do
		[ -f "$dir/host$1" ] && break
		sleep 0.$((try % 10))
	done
	must test -f "$dir/host$1"
	echo "10.77.0.$1 host$1" >>"$dir/hosts"
}

inside() {
	inside_host=$1
	shift
	nsenter -t "$(cat "$dir/host$inside_host")" --net --uts --mount --root ${clocks:+--time} --wd="$PWD" -- "$@"
}

# The far end of host $1's link is here, and called port$1.
plug_in() {
	if [ -n "$delay" ]; then
		must ip link set "port$1" netns "$(cat "$dir/host$1")" name eth0
	else
		must ip link add "port$1" type veth peer name eth0 netns "$(cat "$dir/host$1")"
		must ip link set "port$1" master wire up
	fi
	must inside "$1" ip addr add "10.77.0.$1/24" dev eth0
	must inside "$1" ip link set eth0 up txqueuelen 10000
	[ -z "$rate" ] || [ -n "$delay" ] ||
		must inside "$1" tc qdisc add dev eth0 root tbf rate "${rate}mbit" burst 1600 latency 2s
}

echo "127.0.0.1 localhost" >"$dir/hosts"
must ip link set lo up
i=1 ports='' list=
while [ $i -le "$hosts" ]; do
	make_host $i
	ports="$ports port$i"
	list="$list,host$i:$ranks"
	i=$((i + 1))
done
if [ -n "$delay" ]; then
	[ -c /dev/net/tun ] || give_up "no /dev/net/tun for TAP devices"
	# shellcheck disable=SC2086
	"${TEST_BUILD:-$here/../../build}/tests/net/switch" "$delay" "${rate:-0}${rate:+e6}" $ports >"$dir/ready" 2>>"$dir/log" &
	for try in 1 2 3 4 5 6 7 8 9 10 20 30 40 50; do
		[ -s "$dir/ready" ] && break
		sleep 0.$((try % 10))
	done
	must grep -q ready "$dir/ready"
else
	must ip link add wire type bridge
	must ip link set wire up
fi
i=1
while [ $i -le "$hosts" ]; do
	must inside $i mount --bind "$dir/hosts" /etc/hosts
	plug_in $i
	i=$((i + 1))
done

# What launchers call instead of ssh: [options] HOST COMMAND
cat >"$dir/enter" <<END
#!/bin/sh
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
host=\$1
shift
exec nsenter -t "\$(cat "$dir/\$host")" --net --uts --mount --root ${clocks:+--time} --wd="$PWD" -- sh -c "\$*"
END
chmod +x "$dir/enter"

launcher() {
	for name; do
		command -v "$name" && return
	done
}

set -- timeout -k 5 "$limit" "$@"
case $mpi in
openmpi)
	shift 4
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent="$dir/enter" OMPI_MCA_plm_rsh_no_tree_spawn=1
	# the same for the launcher of Open MPI 5 and later
	export PRTE_MCA_plm=ssh PRTE_MCA_plm_ssh_agent="$dir/enter" PRTE_MCA_plm_ssh_no_tree_spawn=1
	export PRTE_MCA_prte_if_include=eth0 PMIX_MCA_ptl_tcp_if_include=lo,eth0
	export OMPI_MCA_routed=direct OMPI_MCA_oob_tcp_if_include=eth0
	export OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_pml=ob1
	export OMPI_MCA_btl="${OMPI_MCA_btl:-tcp,vader,self}"
	# Open MPI believes that these hosts have CPUs of their own. Without this, waiting ranks poll
	# and keep the CPUs, and other ranks wake up 4 to 20 ms late.
	export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}"
	# shellcheck disable=SC2086
	inside 1 timeout -k 5 "$limit" $under "$(launcher mpirun.openmpi mpirun)" --bind-to none \
		--oversubscribe -np $((hosts * ranks)) --host "${list#,}" "$@"
	;;
mpich)
	shift 4
	export UCX_TLS="${UCX_TLS:-tcp,self}" UCX_NET_DEVICES="${UCX_NET_DEVICES:-eth0}"
	# shellcheck disable=SC2086
	inside 1 timeout -k 5 "$limit" $under "$(launcher mpiexec.mpich mpiexec.hydra mpiexec)" \
		-launcher ssh -launcher-exec "$dir/enter" -iface eth0 -hosts "${list#,}" \
		-np $((hosts * ranks)) "$@"
	;;
none)
	inside 1 "$@"
	;;
*)
	usage
	;;
esac
