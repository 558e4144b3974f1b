#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# libtryst.so alone: processes without MPI, libraries that are hidden, unknown, missing or broken.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

mkdir empty

# Runs a shell command bare and preloaded: same exit code, same output, no files made.
same() {
	# a launcher that is killed by a signal, which one of MPICH was on a busy machine, says nothing of us
	for _ in 1 2 3; do
		(cd empty && sh -c "$1" >../bare.out 2>../bare.err; echo "exit code $?" >>../bare.out)
		grep -q '^exit code 1[3-9][0-9]' bare.out || break
	done
	(
		cd empty || exit
		LD_PRELOAD=$TRYST_LIB sh -c "$1" >../ours.out 2>../ours.err
		echo "exit code $?" >>../ours.out
	)
	expect "as without us: $1" "$(cat ours.out ours.err)" "$(cat bare.out bare.err)"
}

same true
same 'ls /nonexistent'
same 'bash -c "echo \$0; exit 7"'
same 'ls | wc -l; exec 2>&1; cat nothing'
same '/usr/bin/python3 -c "import sys; print(1); sys.exit(4)"'
for mpi in $MPIS; do
	for launcher in mpirun.$mpi mpiexec.$mpi; do
		command -v "$launcher" >/dev/null && same "$launcher --version"
	done
	same "$(lib_launcher "mpirun.$mpi" mpirun) -np 2 sh -c 'echo out; echo err >&2; exit 0'"
done
expect "no files were made" "$(ls -A empty)" ""

# ---- programs without a library, or with one that lacks the function ----

cat >weak.c <<'END'
#include <stdio.h>
int MPI_Initialized(int *) __attribute__((weak));
int main(void)
{
	int flag = 0;
	if (MPI_Initialized && MPI_Initialized(&flag) != 0)
		return 2;
	printf("initialized: %d\n", flag);
	return 0;
}
END
$cc weak.c -o weak || exit 1
same ../weak
# ---- libraries that lack the function, or are not MPI as we know it ----

# Linked with a whole library, run with what is in another directory.
cat >program.c <<'END'
int MPI_Init(void *, void *);
int MPI_Send(void);
int main(int argc, char **argv)
{
	(void)argv;
	return argc > 1 ? MPI_Init(0, 0) : MPI_Send();
}
END
cat >other.c <<'END'
#include <string.h>
int nothing;
#ifdef INIT
int MPI_Init(void *c, void *v) { (void)c; (void)v; return 33; }
#endif
#ifdef VERSION
int PMPI_Get_library_version(char *text, int *n) { strcpy(text, VERSION); *n = 1; return 0; }
#endif
#ifdef SEND
int MPI_Send(void) { return 0; }
#endif
END
mkdir whole hollow silent named
other_library() {
	dir=$1
	shift
	$cc -shared -fPIC "$@" other.c -o "$dir/libother.so" || exit 1
}
other_library whole -DINIT -DSEND
other_library hollow
other_library silent -DINIT
other_library named -DINIT -DVERSION='"Other MPI 1.0, built today"'
$cc program.c -o other -Lwhole -lother -Wl,-z,lazy || exit 1
same 'LD_LIBRARY_PATH=../hollow ../other'
for dir in silent named; do
	LD_LIBRARY_PATH=$dir LD_PRELOAD=$TRYST_LIB ./other init 2>err
	expect "a library that is $dir: its function is called" $? 33
	[ $dir = silent ] && why="it does not say what it is" || why="Other MPI 1.0"
	expect "a library that is $dir: one line says so" "$(cat err)" \
		"tryst: nothing is recorded: the MPI library is neither Open MPI nor of the MPICH family, nor has it the standard ABI: $why"
	LD_LIBRARY_PATH=$dir LD_PRELOAD=$TRYST_LIB TRYST_MESSAGES=quiet ./other init 2>err
	expect "a library that is $dir: nothing is said if so wanted" "$(cat err)" ""
	LD_LIBRARY_PATH=$dir LD_PRELOAD=$TRYST_LIB TRYST_RECORD=off ./other init 2>err
	expect "a library that is $dir: nothing is said with TRYST_RECORD=off" "$(cat err)" ""
done
LD_LIBRARY_PATH=named LD_PRELOAD=$TRYST_LIB TRYST_RECORD=off ./other 2>err
expect "a function that the library lacks ends the program as it would without us: exit code" $? 127
expect "a function that the library lacks ends the program as it would without us: message" \
	"$(cat err)" "./other: symbol lookup error: ./other: undefined symbol: MPI_Send"

# ---- the shim missing, broken, hidden ----

mkdir alone
cp "$TRYST_LIB" alone/libtryst.so
for mpi in $MPIS; do
	program=$(mpi_program "$mpi" calls)
	shim=tryst-$(mpi_kind "$mpi").so
	mpi_run "$mpi" 2 env LD_PRELOAD="$PWD/alone/libtryst.so" "$program" file >out 2>err
	expect "$mpi: without its shim the program runs" "$? $(cat out)" "0 done"
	expect "$mpi: rank 0 alone says that the shim is missing" "$(cat err)" \
		"tryst: nothing is recorded: '$PWD/alone/tryst/$shim' is not installed"
	mkdir -p alone/tryst
	echo nonsense >"alone/tryst/$shim"
	mpi_run "$mpi" 2 env LD_PRELOAD="$PWD/alone/libtryst.so" "$program" file >out 2>err
	expect "$mpi: with a broken shim the program runs" "$? $(cat out)" "0 done"
	expect "$mpi: rank 0 alone says that the shim is broken" \
		"$(sed 's/so: .*/so/' err)" "tryst: nothing is recorded: $PWD/alone/tryst/$shim"
	rm -r alone/tryst
	mpi_run "$mpi" 2 env LD_PRELOAD="$TRYST_LIB" TRYST_RECORD=off "$program" file >out 2>err
	expect "$mpi: TRYST_RECORD=off is silent" "$? $(cat out err)" "0 done"
done

# ---- libmpi behind dlopen(RTLD_LOCAL), a lock held in a constructor, many threads, errno ----

cat >plugin.c <<'END'
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
#ifdef CONSTRUCTOR
__attribute__((constructor)) static void begin(void)
{
	int flag;
	usleep(300000);
	MPI_Initialized(&flag);
}
#else
int plugin(void)
{
	int size = 0, flag, version[2];
	errno = 77;
	MPI_Initialized(&flag);
	if (errno != 77)
		perror("errno");
	MPI_Init(NULL, NULL);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Get_version(&version[0], &version[1]);
	MPI_Finalize();
	return size;
}
#endif
END
cat >host.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int (*initialized)(int *);
static void *open_it(void *path)
{
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}
static void *ask(void *unused)
{
	int flag;
	initialized(&flag);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t thread[16];
	void *handle = open_it(argv[1]);
	int (*plugin)(void) = handle ? (int (*)(void))dlsym(handle, "plugin") : NULL;
	if (!plugin)
		return puts(dlerror());
	if (argc > 2 && strcmp(argv[2], "threads") == 0) {
		initialized = (int (*)(int *))dlsym(RTLD_DEFAULT, "MPI_Initialized");
		for (int i = 0; i < 16; i++)
			pthread_create(&thread[i], NULL, initialized ? ask : open_it, argv[1]);
		for (int i = 0; i < 16; i++)
			pthread_join(thread[i], NULL);
	} else if (argc > 2) {
		pthread_create(&thread[0], NULL, open_it, argv[2]);
		usleep(100000);
	}
	printf("size %d\n", plugin());
	return 0;
}
END
$cc host.c -o host -ldl -lpthread || exit 1
for mpi in $MPIS; do
	flags="$(mpi_setting "$mpi" CFLAGS) $(mpi_setting "$mpi" LIBS)"
	# shellcheck disable=SC2086
	$cc -shared -fPIC plugin.c -o "$mpi.so" $flags || exit 1
	# shellcheck disable=SC2086
	$cc -shared -fPIC -DCONSTRUCTOR plugin.c -o "$mpi-constructor.so" $flags || exit 1
	for also in "" threads "./$mpi-constructor.so"; do
		# shellcheck disable=SC2086
		mpi_run "$mpi" 2 env LD_PRELOAD="$TRYST_LIB" TRYST_DIR=out-$mpi-${#also} \
			./host ./$mpi.so $also >out 2>err
		expect "$mpi: libmpi opened with RTLD_LOCAL ${also:+and $also}: exit code" $? 0
		expect "$mpi: libmpi opened with RTLD_LOCAL ${also:+and $also}: output" \
			"$(tr '\n' ' ' <out)$(cat err)" "size 2 size 2 "
		expect_sql out-$mpi-${#also} \
			"SELECT sum(count) FROM call_profile WHERE call = 'MPI_Get_version'" "1
1"
	done
done
finish
