# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # lib.sh and its readers share variables with this
# What tests of tryst calibrate across hosts share; read behind tests/lib.sh. Skips where there can be no hosts.
#
#   calibrate FILE OPTION... -- ARGUMENT...   options of hosts.sh, arguments of tryst calibrate; FILE has what could
#                                             be measured, whole or not
#   value FILE NAME                           LogGPS's parameter between the hosts, rounded
#   near FILE QUERY WANTED PERCENT            is what a query finds within so many percent of another's?
#   attempts CMD...                           a machine that is busy elsewhere gets a second and a third chance

. "$TEST_SRC/tests/net/net.sh"
# shellcheck disable=SC2119 # no option is wanted here
net_needs

calibrate() {
	file=$1
	shift
	net_options "$@"
	shift $taken
	rm -f "$file" "$file.incomplete"
	# shellcheck disable=SC2086
	sh "$hosts" -l 90 $options sh "$TEST_SRC/tests/net/own-processor" "$TRYST" calibrate -q -o "$PWD/$file" "$@" 2>"$file.err"
	ended=$?
	cat "$file.err"
	# A test looks at a few parameters. Those that others lack on a busy machine are none of its business.
	[ $ended -eq 0 ] || mv "$file.incomplete" "$file"
}

value() {
	sqlite3 "$1" "SELECT CAST(round(value) AS INTEGER) FROM fit WHERE model = 'LogGPS'
		AND name = '$2' AND form IS NULL AND layout IS NULL"
}

near() {
	[ "$(sqlite3 "$1" "SELECT abs(($2) - ($3)) <= ($3) * $4 / 100.0")" = 1 ]
}

# Where even then two ranks are never in step, the machine has no time for this test.
attempts() {
	for _ in 1 2 3; do
		"$@" && return
	done
	if [ $lib_failed -eq 0 ] && grep -q "both ranks were never on time" "$file.err"; then
		skip "this machine is too busy: two ranks were never in step"
	fi
	return 1
}
