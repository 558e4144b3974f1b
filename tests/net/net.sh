# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What tests across hosts share; read behind tests/lib.sh.
#
#   net_needs OPTION...                      skips where there can be no hosts with these options of hosts.sh
#   net_options OPTION... -- ARGUMENT...     $options are those of hosts.sh; `shift $taken` leaves the arguments

hosts="$TEST_SRC/tests/net/hosts.sh"
OMPI_MCA_mpi_yield_when_idle=0
export OMPI_MCA_mpi_yield_when_idle

net_needs() {
	need sqlite3 sqlite3
	need ip iproute2
	need mount mount
	[ "$(nproc)" -ge 2 ] || skip "two ranks need two processors"
	why=$(sh "$hosts" -m none "$@" true) || skip "$why"
}

net_options() {
	options=
	taken=1
	while [ "$1" != -- ]; do
		options="$options $1"
		taken=$((taken + 1))
		shift
	done
}
