#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Site mode: one JSON file a job with exact counts, whatever ends the job; nothing else is written.
. "${TEST_SRC:-.}/tests/lib.sh"
need python3 python3
python3 -c 'import jsonschema' 2>/dev/null || missing jsonschema python3-jsonschema

for batch in SLURM_JOB_ID PBS_JOBID LSB_JOBID FLUX_JOB_ID PJM_JOBID COBALT_JOBID JOB_ID; do
	unset $batch
done

# site_run MPI N DIR CMD...: CMD on N ranks in site mode, in the directory of the test
site_run() {
	site_mpi=$1 site_n=$2 site_dir=$3
	shift 3
	mpi_run "$site_mpi" "$site_n" env LD_PRELOAD="$TRYST_LIB" TRYST_RECORD=profile TRYST_SITE_DIR="$site_dir" "$@"
}

# The calls of the record must be what site.c does: rounds R on N ranks.
cat >record.py <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
if len(sys.argv) > 2:
    n, rounds = int(sys.argv[2]), int(sys.argv[3])
    every, pairs, gather = n * rounds, n // 2 * rounds, (n - 1) * rounds
    wanted = {"MPI_Irecv": (every, None), "MPI_Isend": (every, 800 * every), "MPI_Waitall": (every, None),
        "MPI_Sendrecv": (every, 8 * every), "MPI_Send": (pairs + every, 12 * pairs), "MPI_Recv": (pairs, 12 * pairs),
        "MPI_Bcast": (every, 20 * every), "MPI_Allreduce": (every, 28 * every), "MPI_Gather": (every, 8 * gather),
        "MPI_Scatter": (every, 8 * gather), "MPI_Alltoall": (every, 8 * n * every),
        "MPI_Alltoallv": (every, 8 * n * every), "MPI_Barrier": (n, None), "MPI_Comm_rank": (n, None),
        "MPI_Comm_size": (n, None), "MPI_Wtime": (n, None)}
    got = {c["call"]: (c["count"], c["bytes"]) for c in r["calls"]}
    for call in sorted(set(wanted) | set(got)):
        if wanted.get(call) != got.get(call):
            print(call, "wanted", wanted.get(call), "got", got.get(call))
    sizes = [(m["from_bytes"], m["to_bytes"], m["count"], m["bytes"]) for m in r["messages"]]
    wanted = [(8, 15, every + pairs, 8 * every + 12 * pairs), (512, 1023, every, 800 * every)]
    if sizes != wanted:
        print("messages: wanted", wanted, "got", sizes)
    for c in r["calls"]:
        if not c["max_ns"] <= c["time_ns"] <= n * c["max_ns"]:
            print(c["call"], "times", c)
    if sum(c["time_ns"] for c in r["calls"]) != r["mpi_ns"]:
        print("the calls' times are not the time in MPI")
    if not r["mpi_ns"] <= n * r["run_ns"]:
        print("more time in MPI than in the run")
print(r["program"], r["state"], r["ranks"], r["ranks_counted"], r["hosts"])
END
mkdir kept
record() {
	cp "$1" "$(mktemp "$TEST_TMPDIR/kept/XXXXXX")"
	python3 record.py "$@" 2>&1
}

first=
for mpi in $MPIS; do
	first=${first:-$mpi}
	program=$(mpi_program $mpi site)
	mkdir $mpi $mpi/records
	chmod 1777 $mpi/records
	cd $mpi || exit 1
	cp ../record.py .
	check "$mpi: a job of four ranks" to said site_run $mpi 4 "$PWD/records" "$program" 25 none marked
	expect "$mpi: nothing is said" "$(cat said.err)" ""
	expect "$mpi: one file a job, and nothing else" "$(find records -mindepth 1 | wc -l) $(find . -mindepth 1 -maxdepth 1 |
		sort | tr '\n' ' ')" "1 ./record.py ./records ./said ./said.err "
	expect "$mpi: calls, bytes and messages" "$(record records/*.json 4 25)" "site finalized 4 4 1"
	expect "$mpi: its mode" "$(stat -c %a records/*.json)" 640
	check "$mpi: no argument, no path" sh -c '! grep -e "$PWD" -e /site -e marked records/*.json'
	for place in records records/*.json; do
		to got "$TRYST" report "$place"
		expect "$mpi: tryst report says in one line what $place is" \
			"$? $(grep -c . got.err) $(grep -c 'site mode: JSON.* tryst run --record on$' got.err)" "1 1 1"
	done
	rm records/* got got.err

	# MPI_Init waits for nobody, MPI_Finalize for 10 s: the jobs below run meanwhile.
	# Open MPI 4.1's mpirun fails if another one makes the directory of sessions at the same time.
	cat >half.sh <<-END
		rank=\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}
		[ \$rank = 1 ] || export LD_PRELOAD="$TRYST_LIB"
		exec "\$@"
	END
	mkdir half-records half-sessions
	(TMPDIR=$PWD/half-sessions; to half mpi_run $mpi 3 env TRYST_RECORD=profile TRYST_SITE_DIR="$PWD/half-records" \
		timeout -k 5 60 sh half.sh "$program" 5) &
	half=$!

	site_run $mpi 2 "$PWD/records" "$program" 5 session >said 2>&1
	expect "$mpi: calls of a session before MPI_Init do not count" "$(record records/*.json 2 5)" "site finalized 2 2 1"
	rm records/*
	site_run $mpi 2 "$PWD/records" "$program" 5 jump >said 2>&1
	expect "$mpi: calls after a jump out of MPI count" "$(grep -c '"MPI_Alltoallv", "count": 10,' records/*)" 1
	rm records/*
	check "$mpi: a type of 4 GiB, and a call that ignores its origin" to said site_run $mpi 2 "$PWD/records" "$program" 5 odd
	expect "$mpi: their bytes" "$(sed -n 's/.*"MPI_\(Bcast\|Get_accumulate\)", "count": \([0-9]*\), "bytes": \([0-9]*\).*/\1 \2 \3/p' \
		records/*)" "Bcast 12 8589934792
Get_accumulate 4 8"
	rm records/*

	# Threads call at once: 4 threads of 2 ranks, 500 rounds, as threads.c says.
	check "$mpi: threads" to said site_run $mpi 2 "$PWD/records" "$(mpi_program $mpi threads)" 4 500
	if grep -q "^threads" said; then
		expect "$mpi: all calls of all threads count, each once" "$(sed -n \
			's/.*"MPI_\(Isend\|Recv\|Send\|Irecv\|Wait\)", "count": \([0-9]*\), "bytes": \([0-9nul]*\).*/\1 \2 \3/p' records/*.json |
			sort | tr '\n' ' ')" "Irecv 8 null Isend 4000 16000 Recv 4000 16000 Send 8 32 Wait 4008 null "
		expect "$mpi: time in MPI of threads at once is no part of the run time" \
			"$(grep -c -e '"mpi_pct": null' -e '"load_imbalance_pct": null' -e '"slowest_rank": null' records/*.json)" 3
		expect "$mpi: the record is whole" "$(record records/*.json)" "threads finalized 2 2 1"
	fi
	rm records/*

	site_run $mpi 3 "$PWD/records" "$program" 5 abort >said 2>&1
	expect "$mpi: MPI_Abort leaves the record of rank 0" "$(record records/*.json)" "site aborted 3 1 None"
	rm records/*
	site_run $mpi 3 "$PWD/records" "$program" 5 kill 2 >said 2>&1
	expect "$mpi: a killed job leaves what rank 0 knew" "$(record records/*.json)" "site running 3 1 None"
	check "$mpi: with its calls" grep -q '"call": "MPI_Alltoallv", "count": 5,' records/*.json
	expect "$mpi: and nothing more" "$(find records -mindepth 1 | wc -l)" 1
	rm records/*
	# One that hangs at once, and is killed within a second.
	site_run $mpi 2 "$PWD/records" "$program" 0 hang 1 >said 2>&1
	expect "$mpi: a job that hangs at once has a record" "$(record records/*.json)" "site running 2 1 None"
	check "$mpi: with the call that rank 0 is in" grep -q '"in_call": "MPI_Recv"' records/*.json
	check "$mpi: the calls before" grep -q '"call": "MPI_Barrier", "count": 1,' records/*.json
	check "$mpi: when it was written" grep -q '"written": "20' records/*.json
	check "$mpi: and whether CPUs were short" grep -q '"no_cpu_ns": [0-9]' records/*.json
	rm records/*
	# One that hangs long after the first looks, and has no end of its own.
	site_run $mpi 2 "$PWD/records" "$program" 20 hang 1 >said 2>&1
	expect "$mpi: a job that hangs later has a record" "$(record records/*.json)" "site running 2 1 None"
	case $(stat -f -c %T records) in
	ext2/ext3 | xfs | tmpfs | nfs | overlayfs)
		check "$mpi: with the call that rank 0 began last" grep -q '"in_call": "MPI_Recv", ' records/*.json
		;;
	esac
	expect "$mpi: begun when or after the record was written" "$($awk '$1 == "\"in_call_begin_ns\":" { begin = $2 + 0 }
		$1 == "\"run_ns\":" { print begin >= $2 + 0 ? "later" : "before" }' records/*.json)" later
	rm records/*
	check "$mpi: a job with a late rank" to said site_run $mpi 3 "$PWD/records" "$program" 5 late 3
	expect "$mpi: waits for it" "$(record records/*.json)" "site finalized 3 3 1"
	rm records/*

	wait $half
	expect "$mpi: a rank without the library hangs nobody" $? 0
	expect "$mpi: the record has rank 0" "$(record half-records/*.json)" "site finalized 3 1 None"
	check "$mpi: a line says why" grep -q "record has only rank 0's calls" half.err

	check "$mpi: memory" to said site_run $mpi 2 "$PWD/records" "$program" 100 memory
	cat said
	expect "$mpi: pages of its own are below 1 MiB a rank" \
		"$($awk '$1 == "memory" && $2 > 0 && $2 < 1048576' said | grep -c .)" 2
	cd ..
done

# What files are written, and how, is the same of each library.
for mpi in $first; do
	program=$(mpi_program $mpi site)
	cd $mpi || exit 1
	rm -rf records/*

	# Two jobs at once with one job id; the directory is relative to that of MPI_Init.
	# Open MPI 4.1's mpirun fails if another one makes the directory of sessions at the same time.
	mkdir sessions
	(umask 077; TMPDIR=$PWD/sessions; site_run $mpi 2 records env SLURM_JOB_ID=77 "$program" 5 >one 2>&1) &
	site_run $mpi 2 records env SLURM_JOB_ID=77 "$program" 6 >two 2>&1
	wait
	rm -rf sessions
	expect "$mpi: two jobs of one id end well" "$(cat one two)" "done
done"
	expect "$mpi: two jobs of one id have two files" "$(find records -mindepth 1 | sed 's/77\..*Z/77.OWN/' | sort | tr '\n' ' ')" \
		"records/77.OWN.json records/77.json "
	expect "$mpi: both are whole" "$(for place in records/*; do record "$place"; done)" "site finalized 2 2 1
site finalized 2 2 1"
	expect "$mpi: the job id is told" "$(grep -l '"job": "77"' records/* | grep -c .)" 2
	expect "$mpi: the mode does not depend on the umask" "$(stat -c %a records/*.json | sort -u)" 640
	rm records/*

	# Links of another user are not followed. Other files of his are not opened, and are not in the way.
	ln -s "$PWD/prey" records/77.json
	site_run $mpi 2 "$PWD/records" env SLURM_JOB_ID=77 "$program" 5 >said 2>&1
	expect "$mpi: no symbolic link is followed" "$(record records/77.*.json) $(test -e prey && echo there)" "site finalized 2 2 1 "
	rm records/*
	mkdir records/.77.json.new
	site_run $mpi 2 "$PWD/records" env SLURM_JOB_ID=77 "$program" 5 >said 2>&1
	expect "$mpi: another name is taken for the next record" "$(record records/77.json) $(find records -name '.77*' | grep -c .)" \
		"site finalized 2 2 1 1"
	rm -r records/* records/.77*

	for place in "$PWD/none" "$PWD/record.py"; do
		check "$mpi: without a directory the job goes on" to said site_run $mpi 2 "$place" "$program" 5
		expect "$mpi: and one line says why" "$(grep -c . said.err) $(grep -c "cannot write the job's record in '$place'" \
			said.err) $(cat said)" "1 1 done"
	done
	check "$mpi: without the setting the job goes on" to said mpi_run $mpi 2 env LD_PRELOAD="$TRYST_LIB" \
		TRYST_RECORD=profile "$program" 5
	expect "$mpi: and one line says so" "$(grep -c . said.err) $(grep -c TRYST_SITE_DIR said.err)" "1 1"

	# A directory in which not even root can make a file.
	check "$mpi: where no file can be made the job goes on" to said site_run $mpi 2 /proc/self "$program" 5
	expect "$mpi: and one line says why" "$(grep -c . said.err) $(grep -c "cannot write the job's record in '/proc/self'" \
		said.err) $(cat said)" "1 1 done"

	# The disk is full from the library's Nth write on: the record before stays, or there is none.
	if [ -f "$TEST_BUILD/tests/fault/libfaults.so" ]; then
		for write in 1 2 3 4; do
			check "$mpi: the disk is full from write $write on, and the job goes on" to said mpi_run $mpi 2 env \
				FAULT=write:$write+:ENOSPC LD_PRELOAD="$TEST_BUILD/tests/fault/libfaults.so:$TRYST_LIB" \
				TRYST_RECORD=profile TRYST_SITE_DIR="$PWD/records" "$program" 5
			expect "$mpi: full from write $write on: one line says why" "$(grep -c . said.err) $(grep -c \
				"cannot write the job's record in '$PWD/records': No space left" said.err) $(cat said)" "1 1 done"
			case $write in
			1) expect "$mpi: no record, no part of one" "$(find records -mindepth 1)" "" ;;
			*) expect "$mpi: full from write $write on: the record is whole, and alone" \
				"$(record records/*.json | sed 's/running 2 1 None/RUNNING/') $(find records -mindepth 1 | wc -l)" "site RUNNING 1" ;;
			esac
			rm -f records/*
		done
	fi

	check "$mpi: tryst run has the options" to said mpi_run $mpi 2 "$TRYST" run --record profile --site-dir "$PWD/made" \
		"$program" 5
	expect "$mpi: and leaves no mark" "$(find . -name '*started*') $(cat said)" " done"
	cd ..
done

# All records that were looked at keep to their schema.
cat >valid.py <<'END'
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
for name in sys.argv[2:]:
    r = json.load(open(name))
    for e in Draft202012Validator(schema).iter_errors(r):
        print(r["program"], r["state"], list(e.absolute_path), e.message)
print(len(sys.argv) > 10)
END
expect "records are valid" "$(python3 valid.py "$TEST_SRC/include/schemas/site.schema.json" kept/* 2>&1)" True

# A user to whom a site's module gives site mode.
export TRYST_RECORD=profile TRYST_SITE_DIR="$PWD"
expect "tryst run -o says that no records come" "$("$TRYST" run -o out true 2>&1)" \
	"tryst run: TRYST_RECORD=profile: no records go to 'out'; --record on makes them"
expect "also where it is asked to write none" "$("$TRYST" run -o out --record profile true 2>&1)" \
	"tryst run: --record profile: no records go to 'out', only a JSON file to --site-dir"
expect "with --record on it says nothing" "$("$TRYST" run -o out --record on true 2>&1)" ""
rm -rf out.started
check "tryst report names the reason" sh -c '"$1" report 2>&1 | grep -q "no run lies here.*TRYST_RECORD=profile"' sh "$TRYST"
check "tryst doctor tells" sh -c '"$1" doctor | tr -s "\n " " " | grep -q "note site mode TRYST_RECORD=profile: jobs leave one JSON"' \
	sh "$TRYST"
check "also where the directory is missing" sh -c 'TRYST_SITE_DIR=/none "$1" doctor 2>/dev/null | grep -q "PROBLEM  *site mode"' \
	sh "$TRYST"
finish
