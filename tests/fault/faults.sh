# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # lib.sh and its readers share variables with this
# What the tests that inject faults (faults.c) share; read behind tests/lib.sh.
#
#   sweep WHAT FAULT   `tried FAULT` with the fault at the first, second, ... call of its kind until
#                      none is left or $FAULTS_MAX were tried; FAULT is call[:what][:all], and with
#                      `:all` every call from that one on fails. tried() sets $hit if a fault came.
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip "the library that makes faults is for newer system calls" ;;
esac
faults_library=$TEST_BUILD/tests/fault/libfaults.so
: "${FAULTS_MAX:=2}"

sweep() {
	sweep_call=${2%%:*}
	sweep_rest=${2#"$sweep_call"}
	sweep_all=
	case $sweep_rest in
	*:all) sweep_all=+ sweep_rest=${sweep_rest%:all} ;;
	esac
	sweep_at=1 sweep_step=1 sweep_tries=0
	while [ $sweep_tries -lt "$FAULTS_MAX" ]; do
		tried "$sweep_call:$sweep_at$sweep_all$sweep_rest"
		[ -n "$hit" ] || break
		sweep_tries=$((sweep_tries + 1))
		# all of the first ones, then ever larger steps
		[ $sweep_tries -le $((FAULTS_MAX / 2)) ] || sweep_step=$((sweep_step + sweep_step / 2 + 1))
		sweep_at=$((sweep_at + sweep_step))
	done
	printf '%s, %s: %d tried\n' "$1" "$2" $sweep_tries
	[ $sweep_tries -gt 0 ] || [ -n "${FAULTS-}" ] || fail "$1, $2: there is no such call"
}
