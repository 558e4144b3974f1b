# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Read by tests that try packages on a machine that was just installed (tests/systems/fresh).
#
#   need_systems           skip unless this machine can make one
#   in_system DIR CMD...   CMD in a system of this release, which has a copy of DIR as its current directory

need_systems() {
	[ "$(id -u)" -eq 0 ] || skip "only root can make a system"
	[ -x "$TEST_SRC/tests/systems/fresh" ] || skip "tests/systems/fresh is not here"
	need mmdebstrap mmdebstrap
	need git git
	need apt-get apt
	# shellcheck disable=SC1091 # every Debian has it
	case $(. /etc/os-release && echo "$ID") in
	debian) ;;
	*) skip "this is not Debian" ;;
	esac
}

# fresh takes a clone of the repository that it lies in: here one that holds DIR alone.
in_system() {
	mkdir -p "$1/tests/systems"
	cp "$TEST_SRC/tests/systems/fresh" "$1/tests/systems"
	(
		cd "$1" && git init -q . && git add -f . &&
			git -c user.name=test -c user.email=test@test.invalid commit -q -m test
	) || return
	system_fresh=$1/tests/systems/fresh
	shift
	"$system_fresh" "$@"
}
