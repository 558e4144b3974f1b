#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=600
# However a launcher takes the library to the ranks, all of them are one run.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/launch/launch.sh"

# launch WHAT DIR CMD...: CMD starts the ranks, whose records go to DIR
launch() {
	what=$1 dir=$2
	shift 2
	check "$what" to log timeout 100 "$@"
	expect "$what: both ranks end well" "$(grep -c '^rank [01] done 50$' log)" 2
	one_run "$what" "$dir"
}

for mpi in $MPIS; do
	program=$(mpi_program $mpi doomed)
	run=$(launcher $mpi)
	mkdir $mpi
	cd $mpi || exit 1
	ln -s "$program" app

	check "$mpi: without -o" to log timeout 100 "$run" -n 2 "$TRYST" run "$program" end 50
	one_run "$mpi: without -o" "$(echo tryst-doomed-*)"
	env_line $mpi "$PWD/two words, one comma" | sed "s|^mpi[a-z]*|$run|" >line
	cat line
	check "$mpi: the line of tryst env" to log timeout 100 sh line
	mv "two words, one comma" line-out
	one_run "$mpi: the line of tryst env" line-out
	"$TRYST" env -o "$PWD/evaluated" sh >lines
	launch "$mpi: the lines for sh" evaluated sh -c '. ./lines && exec "$@"' sh "$run" -n 2 ./app end 50
	case $mpi in
	openmpi)
		launch "mpirun -x NAME=VALUE" value "$run" -x LD_PRELOAD="$TRYST_LIB" -x TRYST_DIR="$PWD/value" -n 2 ./app end 50
		launch "mpirun -x NAME" name env LD_PRELOAD="$TRYST_LIB" TRYST_DIR="$PWD/name" "$run" -x LD_PRELOAD \
			-x TRYST_DIR -n 2 ./app end 50
		launch "mpirun --mca" mca "$run" --mca pml ob1 --mca btl_base_verbose 0 -n 2 "$TRYST" run -o mca ./app end 50
		expect "mpirun --mca: the ranks have it" "$("$run" --mca pml ob1 -n 2 "$TRYST" run printenv OMPI_MCA_pml)" "ob1
ob1"
		if command -v prterun >/dev/null; then
			launch "prterun tryst run" prterun prterun --map-by :OVERSUBSCRIBE -n 2 "$TRYST" run -o prterun ./app end 50
			launch "prterun -x" prterun-x prterun --map-by :OVERSUBSCRIBE -x LD_PRELOAD="$TRYST_LIB" \
				-x TRYST_DIR="$PWD/prterun-x" -n 2 ./app end 50
		else
			say "skipped: this Open MPI has no prterun"
		fi ;;
	mpich)
		launch "mpiexec -genv" genv "$run" -genv LD_PRELOAD "$TRYST_LIB" -genv TRYST_DIR "$PWD/genv" -n 2 ./app end 50
		launch "mpiexec -env" env "$run" -n 1 -env LD_PRELOAD "$TRYST_LIB" -env TRYST_DIR "$PWD/env" ./app end 50 : \
			-n 1 -env LD_PRELOAD "$TRYST_LIB" -env TRYST_DIR "$PWD/env" ./app end 50
		launch "mpiexec -genvlist" list env LD_PRELOAD="$TRYST_LIB" TRYST_DIR="$PWD/list" "$run" \
			-genvlist LD_PRELOAD,TRYST_DIR,TRYST_CALIBRATE -n 2 ./app end 50
		launch "mpiexec -launcher fork" fork "$run" -launcher fork -n 2 "$TRYST" run -o fork ./app end 50 ;;
	esac
	cd ..
done
finish
