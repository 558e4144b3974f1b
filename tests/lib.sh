# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # variables are for those who read this; traps set lib_rc
# What test scripts share. Begin a script with:  . "${TEST_SRC:-.}/tests/lib.sh"
# and end it with `finish`; a script that does not get there has failed.
#
#   $MPIS                      the MPI libraries that are built in: openmpi, mpich
#   $TRYST_LIB $TRYST          the library to preload, the command
#   $TEST_PREFIX               set from outside: an installed tryst, maybe another version's build, that is
#                              tested with this build's programs
#   $TEST_ABI                  set from outside: not empty, the programs are those of the standard ABI, run with the
#                              library of that ABI that each of $MPIS brings
#   $openmpi_sm $openmpi_header  Open MPI's name for shared memory, and the bytes of a header in an eager limit
#   $cc $awk                   the compiler and the awk of this build; TEST_AWK=COMMAND: that is awk instead
#   mpi_run MPI N CMD...       CMD on N ranks; bare
#   shim_run MPI N DIR CMD...  the same with the library preloaded, records in DIR
#   starts_several MPI         whether its launcher can start two programs at once; says so where it cannot
#   mpi_program MPI NAME       where tests/mpi/NAME.c was built
#   mpi_kind MPI               the kind of its shim, and of its programs: MPI, or abi
#   mpi_setting MPI CFLAGS|LIBS  what compiling and linking them takes
#   mpi_library MPI            the file of the library whose functions they call
#   make_launcher FILE MPI N COMMANDS  FILE runs a program on N ranks, after COMMANDS of the shell; $what is run or
#                              calibrate for those of tryst, else program
#   known_links FILE DELAY_US NS_A_BYTE  makes a file of tryst calibrate: links inside a host, and a network's
#   sql DIR|FILE QUERY         rows of all ranks' files (or one), columns separated by |
#   expect WHAT GOT WANTED     compares two texts, goes on
#   expect_sql DIR QUERY WANT  the same for a query's rows
#   check WHAT CMD...          CMD must succeed
#   near WHAT GOT WANTED SHARE MORE  two numbers differ by at most SHARE * WANTED + MORE
#   steal                      seconds that the host took from this virtual machine so far: the program's clocks
#                              have them, the kernel's records do not
#   lacking BEFORE [MORE]      seconds that records may lack: 0.02 and MORE, and what the host took since steal printed
#                              BEFORE
#   check_journal WHAT DIR JOURNAL  rows of all ranks in DIR are what the program noted in JOURNAL
#                              (tests/mpi/journal.h), neither more nor less; nothing is pending
#   check_whole WHAT DIR N     N ranks' files are there, whole, and no ring, spool or temporary file
#   to FILE CMD...             CMD with stdout in FILE, stderr in FILE.err
#   skip REASON                ends the test: this machine cannot do it; the test has failed if a check did
#   say TEXT                   a line into the log
#   missing PROGRAM PACKAGE    skip, but a failure with CI=true: Debian has it, so it must be there
#   need PROGRAM PACKAGE       `missing` unless PROGRAM is there
#   need_fortran MPI           the same for MPI's Fortran compiler, which is $compiler then
#   need_mpi4py                mpi4py is there, in $python
#   need_valgrind              valgrind is there, and reads what this compiler makes
#   processors                 those that this test may run on, one a line
#   need_optimised             skip unless the build is one that budgets are meant for
#   mpis_with GLOB...          only the MPI libraries in both $MPIS and the arguments

TEST_SRC=$(cd "${TEST_SRC:-$(dirname "$0")/../..}" && pwd) || exit 99
if [ -z "$TEST_BUILD" ]; then
	if [ -f config.status ]; then TEST_BUILD=$PWD; else TEST_BUILD=$TEST_SRC/build; fi
fi
if [ -z "$TEST_TMPDIR" ]; then
	TEST_TMPDIR=$(mktemp -d /tmp/tXXXXXX) || exit 99
	lib_owns_tmpdir=1
fi
export TEST_SRC TEST_BUILD TEST_TMPDIR
TMPDIR=$TEST_TMPDIR
HOME=$TEST_TMPDIR/home
mkdir -p "$HOME"
export TMPDIR HOME
for lib_name in $(env | sed -n 's/^\(TRYST_[A-Z_]*\)=.*/\1/p') LD_PRELOAD XDG_CACHE_HOME; do
	unset "$lib_name"
done
LC_ALL=C
export LC_ALL

# Open MPI's transport over shared memory, and how much of an eager limit a header takes.
openmpi_sm=sm openmpi_header=80
# Open MPI: run as root and with more ranks than cores, also spawned ones, without spinning each other out.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
case $(mpirun.openmpi --version 2>/dev/null || mpirun --version 2>/dev/null) in
*" 4."*)
	openmpi_sm=vader openmpi_header=56
	export OMPI_MCA_rmaps_base_oversubscribe=1
	;;
*" 5."*)
	export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
	# It says so on stderr where no interface but lo reaches the own host.
	export OMPI_MCA_btl_tcp_if_include=lo
	;;
*" 6."*)
	export PRTE_MCA_mapby=:oversubscribe
	# 6.0rc2's prints an error in MPI_Finalize of each program.
	export OMPI_MCA_osc=^ucx
	;;
esac

cd "$TEST_TMPDIR" || exit 99

for lib_name in "$TEST_BUILD/pmpi/libtryst.so" \
	${TEST_PREFIX:+"$TEST_PREFIX/lib/libtryst.so"}; do
	[ -f "$lib_name" ] && TRYST_LIB=$lib_name
done
for lib_name in "$TEST_BUILD/tryst" "$TEST_BUILD/analysis/tryst" ${TEST_PREFIX:+"$TEST_PREFIX/bin/tryst"}; do
	[ -x "$lib_name" ] && TRYST=$lib_name
done
MPIS=
for lib_name in openmpi mpich; do
	[ -d "$TEST_BUILD/tests/mpi/$lib_name" ] && MPIS="$MPIS $lib_name"
done
MPIS=${TEST_MPIS:-$MPIS}
MPIS=${MPIS% }

# The library whose functions the programs of $1 call.
mpi_library() {
	if [ -n "$TEST_ABI" ]; then
		readlink "$TEST_TMPDIR/abi-$1/libmpi_abi.so.1"
	else
		ldd "$TEST_BUILD/tests/mpi/$1/calls" | sed -n 's/.*libmpi\(ch\)*\.so[^ ]* => \(\/[^ ]*\) .*/\2/p' | head -n 1
	fi
}

# The library of the standard ABI that comes with $1, beside that of its own.
lib_abi_library() {
	lib_name=$(TEST_ABI='' mpi_library "$1")
	lib_name=${lib_name%/*}
	for lib_name in "$lib_name/libmpi_abi_$1.so.1"* "$lib_name/libmpi_abi.so.1"; do
		[ -f "$lib_name" ] && echo "$lib_name" && return
	done
}

# Sets $MPIS to those that bring such a library, which mpi_run finds in $TEST_TMPDIR/abi-MPI.
lib_use_abi() {
	lib_kept=
	for lib_mpi in $MPIS; do
		lib_name=$(lib_abi_library "$lib_mpi")
		if [ -z "$lib_name" ] || [ ! -d "$TEST_BUILD/tests/mpi/abi" ]; then
			continue
		fi
		mkdir -p "$TEST_TMPDIR/abi-$lib_mpi"
		ln -sf "$lib_name" "$TEST_TMPDIR/abi-$lib_mpi/libmpi_abi.so.1"
		lib_kept="$lib_kept $lib_mpi"
	done
	MPIS=$lib_kept
}
[ -z "$TEST_ABI" ] || lib_use_abi

# make_setting NAME: what the build has for it
make_setting() {
	sed -n "s/^$1 = //p" "$TEST_BUILD/Makefile" 2>/dev/null
}

cc=$(make_setting CC) awk=$(make_setting AWK)
if [ -n "$TEST_AWK" ]; then
	mkdir -p "$HOME/bin"
	printf '#!/bin/sh\nexec %s "$@"\n' "$TEST_AWK" >"$HOME/bin/awk"
	chmod +x "$HOME/bin/awk"
	PATH=$HOME/bin:$PATH
	awk="awk"
fi

# What MPI programs want in a build under a checker. With the address checker they bring its runtime along,
# behind our library; what MPI libraries leak, and how their threads agree, is theirs. UCX's hooks into malloc
# crash with the thread checker's own. hwloc's look for OpenCL devices opens a library in C++ that throws before
# the address checker, in a program in C, has found out how.
case $(make_setting CFLAGS) in
*-fsanitize=address*)
	lib_under='env HWLOC_COMPONENTS=-opencl ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0'
	;;
*-fsanitize=thread*)
	lib_under="env UCX_MEM_EVENTS=n
		TSAN_OPTIONS=ignore_noninstrumented_modules=1:suppressions=$TEST_SRC/contrib/tsan.supp" ;;
*) lib_under= ;;
esac

lib_failed=0
lib_finished=
trap 'lib_rc=$?; lib_end' EXIT

lib_end() {
	[ -z "$lib_owns_tmpdir" ] || [ -n "$KEEP" ] || { cd /; rm -rf "$TEST_TMPDIR"; }
	if [ $lib_rc -eq 0 ] && [ -z "$lib_finished" ]; then
		echo "FAILED: the test ended before its last line"
		exit 1
	fi
}

to() {
	lib_to=$1
	shift
	"$@" >"$lib_to" 2>"$lib_to.err"
}

say() {
	printf '%s\n' "$*"
}

fail() {
	printf 'FAILED: %s\n' "$*"
	lib_failed=$((lib_failed + 1))
}

finish() {
	lib_finished=1
	[ $lib_failed -eq 0 ] || { echo "$lib_failed failed"; exit 1; }
	exit 0
}

skip() {
	lib_finished=1
	echo "$*"
	[ "$lib_failed" -eq 0 ] || exit 1
	exit 77
}

missing() {
	if [ "$CI" = true ]; then
		echo "$1 is missing, and must not be here (Debian: $2)"
		exit 1
	fi
	skip "$1 is not installed (Debian: $2)"
}

need() {
	command -v "$1" >/dev/null 2>&1 || missing "$1" "$2"
}

need_mpi4py() {
	for python in /usr/bin/python3 python3 ''; do
		[ -n "$python" ] || missing mpi4py python3-mpi4py
		"$python" -c 'import mpi4py.MPI' 2>/dev/null && break
	done
}

# Debian's valgrind does not know all that newer compilers write.
need_valgrind() {
	need valgrind valgrind
	lib_text=$(valgrind -q --tool=none "$TRYST" --version 2>&1 >/dev/null)
	case $lib_text in
	*unhandled*) skip "this valgrind cannot read what this compiler says for debuggers" ;;
	esac
}

# taskset says "0,2-3".
processors() {
	taskset -cp $$ | sed 's/.*: *//' | tr , '\n' | while IFS=- read -r lib_first lib_last; do
		seq "$lib_first" "${lib_last:-$lib_first}"
	done
}

need_optimised() {
	lib_flags=$(make_setting CFLAGS)
	case $lib_flags in
	*-fsanitize*) ;;
	*-O[23s]*) return ;;
	esac
	skip "budgets are for optimised builds, not for '$lib_flags'"
}

need_fortran() {
	case $1 in
	openmpi) compiler=$(lib_launcher mpifort.openmpi mpifort) lib_package=libopenmpi-dev ;;
	mpich) compiler=$(lib_launcher mpifort.mpich mpifort) lib_package=libmpich-dev ;;
	esac
	[ -n "$compiler" ] || missing "mpifort.$1" $lib_package
}

# wait_until SECONDS COMMAND...: runs it each tenth of a second until it succeeds; false if it never does.
wait_until() {
	lib_tries=$(($1 * 10))
	shift
	until "$@"; do
		[ $lib_tries -gt 0 ] || return 1
		lib_tries=$((lib_tries - 1))
		sleep 0.1
	done
}

expect() {
	if [ "$2" = "$3" ]; then
		printf 'ok: %s\n' "$1"
	else
		printf 'FAILED: %s\n  got:    %s\n  wanted: %s\n' "$1" "$2" "$3"
		lib_failed=$((lib_failed + 1))
	fi
}

check() {
	lib_what=$1
	shift
	if "$@"; then
		printf 'ok: %s\n' "$lib_what"
	else
		printf 'FAILED: %s (exit code %d): %s\n' "$lib_what" $? "$*"
		[ "$1" != to ] || tail -n 20 "$lib_to.err"
		lib_failed=$((lib_failed + 1))
	fi
}

near() {
	say "$1: $2, wanted $3"
	check "$1" $awk -v got="$2" -v wanted="$3" -v share="$4" -v more="$5" 'BEGIN {
		off = got - wanted
		exit !(got != "" && wanted != "" && (off < 0 ? -off : off) <= share * wanted + more) }'
}

steal() {
	$awk '$1 == "cpu" { print ($9 + 0) / '"$(getconf CLK_TCK)"' }' /proc/stat
}

lacking() {
	$awk -v before="$1" -v after="$(steal)" -v more="${2:-0}" 'BEGIN { print 0.02 + after - before + more }'
}

# Compares one rank's ops and calls with its journal; prints what differs, at most 10 lines of each.
lib_compare_journal() {
	sqlite3 -batch :memory: <<-END
	ATTACH '$1' AS r;
	CREATE TABLE want(op_id INTEGER, kind, mode, call, peer, tag, bytes, complete_call, flag);
	CREATE TABLE want_call(call, count INTEGER);
	.separator |
	.import $2 want
	.import $3 want_call
	CREATE TABLE got(op_id INTEGER PRIMARY KEY, kind, mode, call, peer, tag, bytes, complete_call, flags);
	INSERT INTO got SELECT row_number() OVER (ORDER BY op_id), kind, mode, call, coalesce(CAST(peer AS TEXT), 'null'),
		CAST(tag AS TEXT), CAST(bytes AS TEXT), complete_call, ',' || coalesce(flags, '') || ',' FROM r.op;
	SELECT 'op ' || w.op_id || ': wanted', w.kind, w.mode, w.call, w.peer, w.tag, w.bytes,
		w.complete_call, w.flag, ' got', g.kind, g.mode, g.call, g.peer, g.tag, g.bytes, g.complete_call,
		g.flags
	FROM want w LEFT JOIN got g ON g.op_id = w.op_id
	WHERE g.kind IS NOT w.kind OR g.mode IS NOT w.mode OR g.call IS NOT w.call
		OR (w.peer <> '-' AND g.peer <> w.peer) OR (w.tag <> '-' AND g.tag <> w.tag)
		OR (w.bytes <> '-' AND g.bytes <> w.bytes)
		OR (w.complete_call <> '-' AND g.complete_call IS NOT w.complete_call)
		OR (w.flag <> '-' AND instr(g.flags, ',' || w.flag || ',') = 0)
	ORDER BY w.op_id LIMIT 10;
	SELECT 'ops: wanted ' || (SELECT count(*) FROM want) || ', got ' || (SELECT count(*) FROM got)
	WHERE (SELECT count(*) FROM want) <> (SELECT count(*) FROM got);
	SELECT 'pending: ' || call, op_id FROM r.pending LIMIT 10;
	CREATE TABLE got_call AS SELECT call, sum(count) AS count FROM r.call_profile
		WHERE call NOT IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize') GROUP BY call;
	SELECT 'calls of ' || w.call || ': wanted ' || w.count || ', got ' || coalesce(g.count, 0)
	FROM want_call w LEFT JOIN got_call g ON g.call = w.call WHERE g.count IS NOT w.count LIMIT 10;
	SELECT 'calls of ' || call || ': wanted none, got ' || count FROM got_call
	WHERE call NOT IN (SELECT call FROM want_call) LIMIT 10;
	END
}

check_journal() {
	lib_differs=
	lib_seen=0
	for lib_ops in "$3"/ops-*.txt; do
		lib_number=${lib_ops##*/ops-}
		lib_number=${lib_number%.txt}
		[ -f "$lib_ops" ] || continue
		lib_seen=$((lib_seen + 1))
		if [ ! -f "$2/rank-$lib_number.db" ]; then
			lib_differs="$lib_differs no $2/rank-$lib_number.db"
			continue
		fi
		lib_text=$(lib_compare_journal "$2/rank-$lib_number.db" "$lib_ops" "$3/calls-$lib_number.txt" 2>&1)
		[ -z "$lib_text" ] || lib_differs="$lib_differs
rank $lib_number
$lib_text"
	done
	[ $lib_seen -gt 0 ] || lib_differs="no journal in $3"
	expect "$1" "$lib_differs" ""
}

check_whole() {
	expect "$1: one database a rank" "$(find "$2" -name 'rank-*.db' | wc -l)" "$3"
	expect "$1: all are whole" "$(sql "$2" 'PRAGMA integrity_check' 2>&1 | sort -u)" ok
	expect "$1: and nothing else is left" "$(find "$2" -type f ! -name 'rank-*.db' ! -name run.db ! -name tryst.run \
		! -path '*/started/*')" ""
}

mpi_kind() {
	if [ -n "$TEST_ABI" ]; then echo abi; else echo "$1"; fi
}

mpi_setting() {
	make_setting "$(mpi_kind "$1" | tr '[:lower:]' '[:upper:]')_$2"
}

mpi_program() {
	echo "$TEST_BUILD/tests/mpi/$(mpi_kind "$1")/$2"
}

mpi_run() {
	lib_mpi=$1
	lib_ranks=$2
	shift 2
	lib_abi=
	[ -z "$TEST_ABI" ] || lib_abi="env LD_LIBRARY_PATH=$TEST_TMPDIR/abi-$lib_mpi${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
	case $lib_mpi in
	openmpi) $lib_abi $lib_under "$(lib_launcher mpirun.openmpi orterun mpirun)" -np "$lib_ranks" "$@" ;;
	mpich) $lib_abi $lib_under "$(lib_launcher mpirun.mpich mpiexec.hydra mpirun)" -np "$lib_ranks" "$@" ;;
	esac
}

# Open MPI 5.0.7's launcher crashes there, with any programs.
starts_several() {
	mpi_run "$1" 1 true : -np 1 true >/dev/null 2>&1 || {
		say "$1: its launcher cannot start two programs at once"
		return 1
	}
}

lib_launcher() {
	for lib_name; do
		command -v "$lib_name" && return
	done
}

make_launcher() {
	case $2 in
	openmpi) lib_command="$(lib_launcher mpirun.openmpi mpirun) --oversubscribe -n $3" ;;
	mpich) lib_command="$(lib_launcher mpiexec.hydra mpiexec) -n $3" ;;
	esac
	cat >"$1" <<EOF
#!/bin/sh
case \$2 in
run | calibrate) what=\$2 ;;
*) what=program ;;
esac
$4
exec $lib_command "\$@"
EOF
	chmod +x "$1"
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

shim_run() {
	lib_mpi=$1
	lib_ranks=$2
	lib_dir=$3
	shift 3
	mpi_run "$lib_mpi" "$lib_ranks" env LD_PRELOAD="$TRYST_LIB" TRYST_DIR="$lib_dir" "$@"
}

sql() {
	if [ -d "$1" ]; then
		for lib_file in $(find "$1" -name 'rank-*.db' | sort); do
			sqlite3 -readonly -batch "$lib_file" "$2" || return
		done
	else
		sqlite3 -readonly -batch "$1" "$2"
	fi
}

expect_sql() {
	expect "$2" "$(sql "$1" "$2" 2>&1)" "$3"
}

mpis_with() {
	lib_kept=
	for lib_mpi in $MPIS; do
		case " $* " in *" $lib_mpi "*) lib_kept="$lib_kept $lib_mpi" ;; esac
	done
	MPIS=$lib_kept
	[ -n "$MPIS" ] || skip "needs MPI library: $*"
}
