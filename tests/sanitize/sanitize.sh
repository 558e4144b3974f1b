# SPDX-License-Identifier: BSD-3-Clause
# What the tests under a checker share; read behind tests/lib.sh. Programs run here as they are, with
# an instrumented libtryst.so (tests/sanitize.mk) behind the checker's own library.
#
#   sanitize_with KIND    address or thread: sets MPIS, TRYST_LIB and the checker's variables; reports
#                         go to $PWD/report.*
#   sanitize_reports WHAT no report that names our code has come; all are removed

suppressions=$TEST_SRC/contrib
sanitize_cc=$(sed -n 's/^CC = //p' "$TEST_BUILD/Makefile")

# The first of the checker's libraries that the compiler has.
sanitize_runtime() {
	for lib_name; do
		lib_name=$($sanitize_cc -print-file-name="$lib_name")
		case $lib_name in
		/*) echo "$lib_name" && return ;;
		esac
	done
}

sanitize_with() {
	lib_built=$TEST_BUILD/sanitize/$1
	lib_mpi=$(ls "$lib_built" 2>/dev/null | sed -n 's/^tryst-\(.*\)\.so$/\1/p')
	case $1 in
	address) lib_runtime=$(sanitize_runtime libasan.so libclang_rt.asan-x86_64.so) ;;
	thread) lib_runtime=$(sanitize_runtime libtsan.so libclang_rt.tsan-x86_64.so) ;;
	esac
	[ -n "$lib_mpi" ] && [ -n "$lib_runtime" ] || skip "this compiler has no checker of kind '$1'"
	# what is instrumented finds all of the checker in its library, which runs here
	for lib_name in $lib_mpi; do
		LD_BIND_NOW=1 LD_PRELOAD=$lib_runtime:$lib_built/tryst-$lib_name.so "$(command -v true)" >said 2>&1 ||
			skip "this compiler's checker of kind '$1' cannot be preloaded here: $(head -n 1 said)"
	done
	mpis_with "$lib_mpi"
	TRYST_LIB=$lib_runtime:$lib_built/libtryst.so
	ASAN_OPTIONS=detect_leaks=0:log_path=$PWD/report:exitcode=66
	UBSAN_OPTIONS=print_stacktrace=1:log_path=$PWD/report
	TSAN_OPTIONS=log_path=$PWD/report:exitcode=66:ignore_noninstrumented_modules=1:suppressions=$suppressions/tsan.supp
	export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
}

sanitize_reports() {
	# what a checker says of itself, where a program switches stacks
	lib_text=$(cat report.* 2>/dev/null | grep -v "WARNING: ASan doesn't fully support makecontext")
	rm -f report.*
	expect "$1: no report" "$lib_text" ""
}
