# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What tests across hosts share; read behind tests/lib.sh.
#
#   net_needs OPTION...                      skips where there can be no hosts with these options of hosts.sh
#   known_links FILE DELAY_US NS_A_BYTE      makes a file of tryst calibrate: links inside a host, and a network's
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

known_links() {
	sqlite3 "$1" "PRAGMA application_id = 0x7472736c; PRAGMA user_version = 1;
	CREATE TABLE fingerprint (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
	CREATE TABLE link_param (tier TEXT NOT NULL, peer INTEGER, form TEXT, layout TEXT, model TEXT NOT NULL, \
name TEXT NOT NULL, bytes INTEGER, value REAL, unit TEXT, ci_low REAL, ci_high REAL, source TEXT, reason TEXT);
	WITH link(tier, L, o, G, S) AS (VALUES ('node', 1000, 500, 0.3, 4040),
		('network', 1000.0 * $2 + 10000, 10000, $3, 65480))
	INSERT INTO link_param (tier, model, name, value)
	SELECT tier, 'LogGPS', name, value FROM (SELECT tier, 'L' AS name, L AS value FROM link UNION ALL
		SELECT tier, 'o', o FROM link UNION ALL SELECT tier, 'G_s', G FROM link UNION ALL
		SELECT tier, 'G_l', G FROM link UNION ALL SELECT tier, p.column1, p.column2 * S FROM link,
		(VALUES ('s', 1), ('S', 1), ('S_p', 1), ('O_ss', 0), ('O_rs', 0), ('O_sl', 0), ('O_rl', 0)) p)"
}
