# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # lib.sh and its readers share variables with this
# What the tests under a checker share; read behind tests/lib.sh. Programs run here as they are, with
# an instrumented libtryst.so (tests/sanitize.mk) behind the checker's own library.
#
#   sanitize_with KIND    address or thread: sets MPIS, TRYST_LIB and the checker's variables; reports
#                         go to $PWD/report.*
#   sanitize_reports WHAT no report that names our code has come; all are removed

suppressions=$TEST_SRC/contrib

# The first of the checker's libraries that the compiler has; clang also finds gcc's.
sanitize_runtime() {
	for lib_name; do
		lib_name=$($cc -print-file-name="$lib_name")
		case $lib_name in
		/*) echo "$lib_name" && return ;;
		esac
	done
}

sanitize_with() {
	lib_built=$TEST_BUILD/sanitize/$1
	lib_mpi=$(find "$lib_built" -name 'tryst-*.so' 2>/dev/null | sed -n 's/.*tryst-\(.*\)\.so$/\1/p')
	case $1 in
	address) lib_runtime=$(sanitize_runtime libclang_rt.asan-x86_64.so libasan.so) ;;
	thread) lib_runtime=$(sanitize_runtime libclang_rt.tsan-x86_64.so libtsan.so) ;;
	esac
	{ [ -n "$lib_mpi" ] && [ -n "$lib_runtime" ]; } || skip "this compiler has no checker of kind '$1'"
	mpis_with "$lib_mpi"
	TRYST_LIB=$lib_runtime:$lib_built/libtryst.so
	ASAN_OPTIONS=detect_leaks=0:log_path=$PWD/report:exitcode=66
	UBSAN_OPTIONS=print_stacktrace=1:log_path=$PWD/report
	TSAN_OPTIONS=log_path=$PWD/report:exitcode=66:ignore_noninstrumented_modules=1:suppressions=$suppressions/tsan.supp
	export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
	for lib_name in $MPIS; do
		mpi_run $lib_name 1 env LD_PRELOAD="$lib_runtime" "$(mpi_program $lib_name percall)" none 1 >said 2>&1 ||
			skip "with this compiler's checker of kind '$1' programs of $lib_name do not even run without us"
	done
}

sanitize_reports() {
	# what a checker says of itself, where a program switches stacks
	lib_text=$(cat report.* 2>/dev/null | grep -v "WARNING: ASan doesn't fully support makecontext")
	rm -f report.*
	expect "$1: no report" "$lib_text" ""
}
