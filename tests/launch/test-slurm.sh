#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=600
# Jobs of Slurm are one run, whether srun, sbatch or a launcher inside an allocation starts the ranks.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/launch/launch.sh"
. "$TEST_SRC/tests/launch/slurm.sh"
slurm_inside

slurm_start "$TEST_TMPDIR/slurm"
say "$(srun --version): $(srun --mpi=list 2>&1 | tr -s '\n\t ' ' ')"
expect "the daemons listen on 127.0.0.1 alone" \
	"$(awk '$4 == "0A" { print substr($2, 1, 9) }' /proc/net/tcp /proc/net/tcp6 | sort -u)" 0100007F:

started=
for mpi in $MPIS; do
	case $mpi in openmpi) plugin=pmix other=pmi2 ;; mpich) plugin=pmi2 other=pmix ;; esac
	program=$(mpi_program $mpi doomed)
	mkdir $mpi
	cd $mpi || exit 1
	ln -s "$program" app

	# a launcher inside an allocation; MPICH's starts its proxies by srun
	launcher=$(launcher $mpi)
	check "$mpi: ${launcher##*/} in an allocation" to log timeout 100 salloc -n 2 "$launcher" -n 2 "$TRYST" run "$program" end 50
	job=$(sed -n 's/.*Granted job allocation //p' log log.err)
	one_run "$mpi: ${launcher##*/} in an allocation" "$(echo "tryst-doomed-$job"*)"
	if ! slurm_offers $plugin; then
		check "$mpi: Debian's Slurm was built without the plugin $plugin" sh -c \
			'! dpkg -L slurm-wlm-basic-plugins 2>/dev/null | grep -q "/mpi_$1\.so"' sh $plugin
		say "skipped: this Slurm has no plugin $plugin, so srun starts no programs of $mpi"
		cd ..
		continue
	fi
	started="$started $mpi"

	check "$mpi: srun tryst run" to log timeout 100 srun --mpi=$plugin -n 2 sh -c \
		'echo $SLURM_JOB_ID.$SLURM_STEP_ID >id; exec "$@"' sh "$TRYST" run "$program" end 50
	one_run "$mpi: srun tryst run" "tryst-doomed-$(cat id)"

	# with a directory that srun would split
	env_line slurm "$PWD/pre,load" >line
	cat line
	check "$mpi: the line of tryst env" to log env SLURM_MPI_TYPE=$plugin timeout 100 sh line
	one_run "$mpi: the line of tryst env" "pre,load"
	check "$mpi: srun --export" to log timeout 100 srun --mpi=$plugin -n 2 \
		"--export=ALL,LD_PRELOAD=$TRYST_LIB,TRYST_DIR=$PWD/export" "$program" end 50
	one_run "$mpi: srun --export" export

	check "$mpi: the job script" to log env SLURM_MPI_TYPE=$plugin timeout 100 sbatch --wait --nodes=1 --ntasks-per-node=2 \
		"$TEST_SRC/contrib/jobs/slurm.sh" ./app end 50
	job=$(sed -n 's/^Submitted batch job //p' log)
	one_run "$mpi: the job script" "tryst-$job"
	check "$mpi: its report" grep -q "^2 of 2 ranks on 1 host" "tryst-$job.txt"
	env SLURM_MPI_TYPE=$plugin timeout 100 sbatch --wait --nodes=1 --ntasks-per-node=2 -o failed.txt \
		"$TEST_SRC/contrib/jobs/slurm.sh" ./app code 50 >log 2>&1
	expect "$mpi: the job script ends as the program" $? 9

	# a job that is cancelled
	timeout 100 srun --mpi=$plugin -n 2 -J cancelled "$TRYST" run -o cancelled "$program" run >log 2>&1 &
	srun=$!
	slurm_wait sh -c 'test "$(find cancelled -name "rank-*.ring" 2>/dev/null | wc -l)" = 2'
	sleep 1
	scancel -n cancelled
	wait $srun
	check "$mpi: the report of a cancelled job has both ranks" sh -c '"$1" report --ended "$2" | grep -q "^2 of 2 ranks"' \
		sh "$TRYST" cancelled
	check "$mpi: and their messages" sh -c 'test "$("$1" sql -f csv "$2" "SELECT count(DISTINCT rank) FROM op
		WHERE kind = '"'recv'"'" | tail -n 1)" = 2' sh "$TRYST" cancelled

	# the plugin that is the other MPI's: an error, or worlds of one rank, which is said
	if slurm_offers $other; then
		timeout 100 srun --mpi=$other -n 2 "$TRYST" run -o other "$program" end 50 >log 2>&1
		code=$?
		check "$mpi: with $other srun ends by itself" [ $code -ne 124 ]
		# srun can end with 0 although it could not launch a task
		check "$mpi: with $other srun fails (exit code $code), or the worlds are said to be apart" sh -c \
			'test $1 -ne 0 || grep -qE "^srun: error|^tryst: 2 processes were started together, but MPI_COMM_WORLD" log' sh $code
		# Open MPI 5 leaves this behind wherever a program runs alone, with or without us
		rm -f /dev/shm/sm_segment.*
	fi
	cd ..
done
slurm_wait sh -c 'test -z "$(squeue -h)"'
# a step ends after its job, on a busy machine much later
slurm_wait sh -c '! cat /proc/[0-9]*/comm 2>/dev/null | grep -q "^slurmstepd$"'
check "leftovers would be seen" sh -c 'echo "$1" | grep -q "^slurmd$" && echo "$1" | grep -q "^socket .*munge"' sh "$(slurm_leftovers)"
slurm_stop
expect "nothing is left" "$(slurm_leftovers)" ""
[ -n "$started" ] || skip "this Slurm starts no program of$MPIS by srun"
finish
