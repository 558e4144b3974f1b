# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034 # lib.sh and its readers share variables with this
# A Slurm of one node for the time of a test; read behind tests/lib.sh.
#
#   slurm_inside               the rest of the script runs in name spaces of its own; skips where it cannot
#   slurm_start DIR            starts munged, slurmctld and slurmd, with all their files in DIR
#   slurm_offers PLUGIN        whether `srun --mpi=PLUGIN` exists here
#   slurm_stop                 ends the daemons by their ids
#   slurm_leftovers            prints what is left of them: processes, sockets, shared memory, files
#
# The network name space is joined to no other: nobody outside can reach a daemon, and the ports are free.
# The process name space ends with the test, and all daemons end with it. /dev/shm is empty, and /etc/hosts
# names the one host. The system's own files stay as they are.

slurm_inside() {
	[ -z "$SLURM_INSIDE" ] || { slurm_prepare; return; }
	[ "$(id -u)" = 0 ] || skip "the daemons of Slurm need root"
	need munged munge
	need slurmctld slurmctld
	need slurmd slurmd
	need srun slurm-client
	need unshare util-linux
	need setpriv util-linux
	need mount mount
	need ip iproute2
	need hostname hostname
	why=$(unshare --mount --net --uts --pid --fork --mount-proc true 2>&1) || skip "no name spaces: $why"
	# unshare itself lets signals wait until its child ends
	SLURM_INSIDE=1 setpriv --pdeathsig KILL unshare --mount --net --uts --pid --fork --kill-child --mount-proc \
		sh "$0"
	lib_rc=$?
	lib_finished=1
	exit $lib_rc
}

slurm_must() {
	slurm_why=$("$@" 2>&1) || { fail "cannot prepare a host: $*: $slurm_why"; finish; }
}

# The daemons listen on 127.0.0.1. With that address alone getaddrinfo() resolves nothing, and Open MPI's
# mpirun does not start: hence a pair of devices that ends nowhere.
slurm_prepare() {
	printf '127.0.0.1 localhost node1\n' >hosts
	slurm_must hostname node1
	slurm_must ip link set lo up
	slurm_must ip link add eth0 type veth peer name end0
	slurm_must ip address add 10.77.0.1/24 dev eth0
	slurm_must ip link set eth0 up
	slurm_must ip link set end0 up
	slurm_must mount --bind hosts /etc/hosts
	slurm_must mount -t tmpfs tmpfs /dev/shm
}

# munged serves users who can reach its socket, so it insists on x for all in the folders above.
slurm_start() {
	slurm_dir=$1
	mkdir -p "$slurm_dir/state" "$slurm_dir/spool" && chmod 711 "$TEST_TMPDIR" "$slurm_dir" || return
	: >"$slurm_dir/started"
	(umask 077 && head -c 128 /dev/urandom >"$slurm_dir/key")
	cat >"$slurm_dir/slurm.conf" <<-END
	ClusterName=test
	SlurmctldHost=node1(127.0.0.1)
	NodeName=node1 NodeAddr=127.0.0.1 CPUs=4
	PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP
	AuthType=auth/munge
	AuthInfo=socket=$slurm_dir/munge.socket
	CredType=cred/munge
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	SlurmUser=root
	SlurmdUser=root
	SlurmdParameters=config_overrides
	ReturnToService=2
	KillWait=2
	CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
	StateSaveLocation=$slurm_dir/state
	SlurmdSpoolDir=$slurm_dir/spool
	SlurmctldPidFile=$slurm_dir/slurmctld.pid
	SlurmdPidFile=$slurm_dir/slurmd.pid
	SlurmctldLogFile=$slurm_dir/slurmctld.log
	SlurmdLogFile=$slurm_dir/slurmd.log
	END
	# No control group is touched. Before 23.02 nobody could say so.
	case $(slurmd -V) in
	*' 22.'*) ;;
	*) echo CgroupPlugin=disabled >"$slurm_dir/cgroup.conf" ;;
	esac
	SLURM_CONF=$slurm_dir/slurm.conf
	export SLURM_CONF
	slurm_daemon munged --foreground --key-file="$slurm_dir/key" --socket="$slurm_dir/munge.socket" \
		--pid-file="$slurm_dir/munged.pid" --log-file="$slurm_dir/munged.log" --seed-file="$slurm_dir/seed"
	slurm_wait test -S "$slurm_dir/munge.socket"
	slurm_daemon slurmctld -D
	slurm_daemon slurmd -D
	slurm_wait sh -c 'sinfo -h -o %t 2>&1 | grep -qx idle'
}

# Even by hand no daemon outlives ten minutes.
slurm_daemon() {
	timeout 600 "$@" >"$slurm_dir/$1.out" 2>&1 &
	slurm_ids="$! $slurm_ids"
}

slurm_wait() {
	for slurm_try in $(seq 300); do
		"$@" && return
		sleep 0.2
	done
	tail -n 20 "$slurm_dir"/*.out "$slurm_dir"/*.log
	fail "Slurm does not start: $*"
	finish
}

slurm_offers() {
	srun --mpi=list 2>&1 | tr -d '\t ' | grep -qx "$1"
}

# Those that were started last end first: slurmctld asks slurmd, and all ask munged.
slurm_stop() {
	for slurm_id in $slurm_ids; do
		kill "$slurm_id"
		wait "$slurm_id"
	done
	slurm_ids=
}

# The kernel's own threads are in another process name space. 0A is the state of a socket that listens.
slurm_leftovers() {
	for slurm_proc in /proc/[0-9]*; do
		case $(cat "$slurm_proc/comm" 2>/dev/null) in
		slurm* | munge* | srun | sbatch | salloc | timeout | prte* | orted | hydra* | tryst) cat "$slurm_proc/comm" ;;
		esac
	done
	awk '$4 == "0A" { print "listens at", $2 }' /proc/net/tcp /proc/net/tcp6
	awk 'NR > 1 && $8 != "" { print "socket", $8 }' /proc/net/unix
	ls /dev/shm
	# MPICH 4.2's launcher sometimes leaves what it read of the processors
	find /tmp /var/tmp -maxdepth 1 -newer "$slurm_dir/started" ! -name 'hydra_hwloc_xmlfile_*' \
		\( -name '*slurm*' -o -name '*munge*' -o -name '*pmix*' -o -name '*prte*' -o -name 'ompi*' -o -name 'hydra*' \)
	find /run /var/spool /var/lib /var/log /etc -xdev -newer "$slurm_dir/started" \
		\( -path '*slurm*' -o -path '*munge*' -o -path '*pmix*' \)
}
