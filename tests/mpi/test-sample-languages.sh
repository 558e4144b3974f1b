#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=600
# Two functions do work 3 to 1. Their shares of samples are within 3 percentage points of this, in each
# language, in threads without MPI, and where libraries do the work for them.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need g++ g++
need gfortran gfortran

TRYST_SAMPLE=8000 TRYST_CALIBRATE=off OMP_WAIT_POLICY=passive
export TRYST_SAMPLE TRYST_CALIBRATE OMP_WAIT_POLICY

# shares DIR WHO WHERE: samples of both functions agree with the CPU time that WHO printed
shares() {
	samples=$(sql "$1/rank-000000.db" "SELECT total(samples) FILTER (WHERE function GLOB '*heavy*'),
		total(samples) FILTER (WHERE function GLOB '*light*') FROM computation WHERE $3" | tr '|' ' ')
	own=$($awk -v who="$2" '$1 == who { print $2, $3 }' "$1.log")
	# a sample is of 512 bytes of the stack, if there is any, and of more than 32 otherwise
	lost=$(sql "$1/rank-000000.db" "SELECT total(value) / ${TRYST_SAMPLE_STACK:-32} FROM run WHERE key = 'samples_lost_bytes'")
	say "$1: $2: $samples samples, at most $lost lost, $own s"
	# shellcheck disable=SC2086 # two numbers each
	check "$1: $2: shares are within 3 points, and what lost samples can make" $awk 'BEGIN {
		n = ARGV[1] + ARGV[2]
		off = 100 * ARGV[1] / n - 100 * ARGV[3] / (ARGV[3] + ARGV[4])
		# a busy kernel, or one that counts in ticks, takes fewer samples: their shares scatter more
		points = n >= 2000 ? 3 + 100 * ARGV[5] / (n + ARGV[5]) : 12
		exit !(ARGC == 6 && n >= 200 && off <= points && off >= -points) }' $samples $own "$lost"
}

# recorded MPI WHAT CMD...: one rank, and the shares of its first thread
recorded() {
	recorded_mpi=$1 recorded_dir=$1-$2
	shift 2
	check "$recorded_dir: it ends well" to "$recorded_dir.log" shim_run "$recorded_mpi" 1 "$recorded_dir" "$@"
	"$TRYST" collect "$recorded_dir"
	shares "$recorded_dir" main "thread >= 0"
}

# c_program FILE OPTION...: shares.c with these options, for $mpi
c_program() {
	c_program=$1
	shift
	# shellcheck disable=SC2046 # words
	check "$c_program is compiled" $cc -g -O2 $(mpi_setting "$mpi" CFLAGS) "$TEST_SRC/tests/mpi/shares.c" "$@" \
		-o "$c_program" $(mpi_setting "$mpi" LIBS) -lm
}

# charged MPI WHAT CMD...: as recorded, with stacks; nothing is left in a library
charged() {
	TRYST_SAMPLE_STACK=512
	export TRYST_SAMPLE_STACK
	recorded "$@"
	unset TRYST_SAMPLE_STACK
	expect_sql "$1-$2/rank-000000.db" "SELECT total(samples) FILTER (WHERE $in_library) <= 0.01 * total(samples)
		FROM computation" 1
}

to doctor "$TRYST" doctor
grep -q '^ok  *samples ' doctor || skip "$(grep ' samples ' doctor)"
need_mpi4py
in_library="module GLOB '*/libm[.-]*' OR module GLOB '*/libstep*'"
check "a library is compiled" $cc -O2 -fomit-frame-pointer -shared -fPIC -DSTEP_LIBRARY "$TEST_SRC/tests/mpi/shares.c" \
	-o libstep.so
check "a library without unwind tables is compiled" $cc -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables \
	-shared -fPIC -DSTEP_LIBRARY "$TEST_SRC/tests/mpi/shares.c" -o libstep_bare.so
vendor=$("$python" -c 'from mpi4py import MPI; print(MPI.get_vendor()[0])')
sampled=
for mpi in $MPIS; do
	# shellcheck disable=SC2046 # words
	set -- $(mpi_setting "$mpi" CFLAGS)
	c_program "c-$mpi"
	# shellcheck disable=SC2046 # words
	check "$mpi: C++ is compiled" g++ -g -O2 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX "$@" \
		"$TEST_SRC/tests/mpi/shares.cpp" -o "c++-$mpi" $(mpi_setting "$mpi" LIBS)
	need_fortran "$mpi"
	check "$mpi: Fortran is compiled" "$compiler" -g -O2 "$TEST_SRC/tests/mpi/shares.F90" -o "fortran-$mpi"

	recorded "$mpi" c "./c-$mpi"
	expect_sql "$mpi-c/rank-000000.db" "SELECT DISTINCT function FROM computation WHERE function GLOB '*light*'" \
		"light (inlined in main)"
	recorded "$mpi" c++ "./c++-$mpi"
	recorded "$mpi" fortran "./fortran-$mpi"
	case $mpi:$vendor in
	openmpi:Open* | mpich:MPICH)
		c_program "libshares-$mpi.so" -DLIBRARY -shared -fPIC
		recorded "$mpi" python "$python" "$TEST_SRC/tests/mpi/shares.py" "$PWD/libshares-$mpi.so"
		;;
	esac

	# how samples find their functions does not depend on the library
	[ -z "$sampled" ] || continue
	sampled=1
	c_program "omp-$mpi" -fopenmp
	recorded "$mpi" omp "./omp-$mpi"
	shares "$mpi-omp" other "thread < 0"
	expect_sql "$mpi-omp/rank-000000.db" "SELECT DISTINCT function FROM computation WHERE function GLOB '*light*'" \
		"light (inlined in main._omp_fn.0)"

	c_program "exp-$mpi" "-DSTEP(x)=exp(-(x))" -fomit-frame-pointer
	check "$mpi: exp() without stacks ends well" to leaf.log shim_run "$mpi" 1 "$mpi-leaf" "./exp-$mpi"
	expect_sql "$mpi-leaf/rank-000000.db" "SELECT total(samples) FILTER (WHERE $in_library) >= 0.2 * total(samples)
		FROM computation" 1
	charged "$mpi" exp "./exp-$mpi"
	c_program "exp-framed-$mpi" "-DSTEP(x)=exp(-(x))" -fno-omit-frame-pointer
	charged "$mpi" exp-framed "./exp-framed-$mpi"
	for library in step step_bare; do
		c_program "$library-$mpi" "-DSTEP(x)=step(x)" -L. "-l$library" "-Wl,-rpath,$PWD"
		charged "$mpi" "$library" "./$library-$mpi"
	done
	check "$mpi: Fortran with exp() is compiled" "$compiler" -g -O2 "-DSTEP(x)=exp(-(x))" \
		"$TEST_SRC/tests/mpi/shares.F90" -o "fortran-exp-$mpi"
	charged "$mpi" fortran-exp "./fortran-exp-$mpi"
done
finish
