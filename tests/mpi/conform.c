/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform.c MODE: what a program may do with MPI and with its process. Every rank prints what it
 * saw, so that a run with tryst can be compared with a bare one.
 *
 *	queries		MPI_Initialized, MPI_Finalized, versions before, between and after
 *	callbacks	MPI called from attribute functions, user operations, error handlers
 *	finalize	the same from attributes that MPI_Finalize deletes
 *	fatal		a wrong argument with MPI_ERRORS_ARE_FATAL
 *	early		MPI_Comm_rank before MPI_Init
 *	late		MPI_Comm_rank after MPI_Finalize
 *	twice		MPI_Init after MPI_Init
 *	atexit		MPI_Finalize from an exit handler
 *	thread		MPI_Init and MPI_Finalize on a thread that is not the first
 *	cancelled	threads that are to end go on to send until a cancellation point of the
 *			program's own
 *	closed		all descriptors from 64 on are closed before MPI_Init, all files after it
 *	pipes		files of its own under the numbers of all pipes, which it closed
 *	user		another user from MPI_Init on (root only)
 *	children	fork, system and popen between messages
 *	environment	takes all TRYST_ variables and LD_PRELOAD away after MPI_Init
 */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int me = -1, nranks, errors_seen, deleted;

static void show(const char *what, long value)
{
	printf("rank %d: %s %ld\n", me, what, value);
	fflush(stdout);
}

static void begin(void)
{
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
}

/* A message to the right, one from the left. */
static void exchange(int n)
{
	int right = (me + 1) % nranks, left = (me + nranks - 1) % nranks, in = -1;

	for (int i = 0; i < n; i++)
		MPI_Sendrecv(&i, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
	show("exchanged", in);
}

static void queries(void)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int flag, version, subversion, length;

	for (int when = 0; when < 3; when++) {
		if (when == 1)
			begin();
		if (when == 2)
			MPI_Finalize();
		MPI_Initialized(&flag);
		show("initialized", flag);
		MPI_Finalized(&flag);
		show("finalized", flag);
		MPI_Get_version(&version, &subversion);
		show("version", version * 100 + subversion);
		MPI_Get_library_version(text, &length);
		show("library's name", length);
	}
}

/* Talks to itself: MPI inside MPI. */
static void talk(const char *where)
{
	int out = 7, in = 0, rank = -1;
	MPI_Request request;

	MPI_Irecv(&in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
	MPI_Send(&out, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_rank(MPI_COMM_SELF, &rank);
	show(where, in + rank);
}

static int copy_attribute(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
	(void)comm, (void)key, (void)extra;
	talk("in a copy function");
	*(void **)out = in;
	*flag = 1;
	return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra)
{
	int flag = -1;

	(void)comm, (void)key, (void)value, (void)extra;
	MPI_Finalized(&flag);
	show("in a delete function, finalized", flag);
	talk("in a delete function");
	deleted++;
	return MPI_SUCCESS;
}

static void add(void *in, void *out, int *n, MPI_Datatype *type)
{
	int bytes = 0;

	MPI_Type_size(*type, &bytes);
	for (int i = 0; i < *n; i++)
		((int *)out)[i] += ((int *)in)[i] * bytes / 4;
}

static void handler(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	int length, rank;

	MPI_Comm_rank(*comm, &rank);
	MPI_Error_string(*code, text, &length);
	talk("in an error handler");
	errors_seen += length > 0;
}

static void callbacks(void)
{
	MPI_Errhandler errhandler;
	MPI_Comm comm;
	MPI_Op op;
	int key, sum = 0, x = 0;

	MPI_Comm_create_keyval(copy_attribute, delete_attribute, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, key, &x);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_free(&comm);
	MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
	MPI_Comm_free_keyval(&key);
	show("deleted", deleted);
	MPI_Op_create(add, 1, &op);
	MPI_Allreduce(&nranks, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
	show("sum", sum);
	MPI_Op_free(&op);
	MPI_Comm_create_errhandler(handler, &errhandler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
	for (int i = 0; i < 3; i++)
		MPI_Send(&x, 1, MPI_INT, nranks + 1, 1, MPI_COMM_WORLD);
	show("errors handled", errors_seen);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&errhandler);
	exchange(10);
}

static void attribute_for_finalize(void)
{
	static int value;
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
}

static void finalize_at_exit(void)
{
	int flag = 1;

	MPI_Finalized(&flag);
	show("at exit, finalized", flag);
	MPI_Finalize();
	/* a launcher that sees an exit code kills the other ranks, wherever they are */
	if (me == nranks - 1)
		sleep(1);
}

static void *all_of_it(void *arg)
{
	(void)arg;
	begin();
	exchange(100);
	MPI_Finalize();
	return NULL;
}

static void close_from(int lowest, int files_only)
{
	for (int fd = lowest; fd < 4096; fd++) {
		struct stat st;

		if (fstat(fd, &st) == 0 && (!files_only || S_ISREG(st.st_mode)))
			close(fd);
	}
}

static void children(void)
{
	char line[64] = "";
	int status = -1;
	FILE *f;

	fflush(stdout);
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			/* the library's state is the parent's; the child leaves MPI alone */
			if (write(1, "child\n", 6) != 6)
				_exit(1);
			exit(4);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			exit(9);
		show("a child's exit code", WEXITSTATUS(status));
		exchange(20);
	}
	show("system", system("test -d / && exit 3"));
	f = popen("echo from a child", "r");
	if (!f || !fgets(line, sizeof(line), f))
		exit(9);
	show("popen", (long)strlen(line) + pclose(f));
	exchange(20);
}

/* Sends that bare libraries look at nothing of but the rank. */
static void *sends_and_ends(void *sent)
{
	pthread_cancel(pthread_self());
	for (int i = 0; i < 5000; i++, ++*(int *)sent)
		MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
	pthread_testcancel();
	return NULL;
}

static void cancelled(void)
{
	pthread_t thread;
	void *result;

	for (int i = 0; i < 3; i++) {
		int sent = 0;

		pthread_create(&thread, NULL, sends_and_ends, &sent);
		pthread_join(thread, &result);
		show("sent by a thread", sent);
		show("cancelled", result == PTHREAD_CANCELED);
	}
}

/* Each depth is a stack that nobody has walked yet, on pages of its own. */
__attribute__((noinline)) static int exchange_at(int depth)
{
	volatile char page[8192];

	page[0] = (char)depth;
	if (depth > 0)
		return exchange_at(depth - 1) + page[0];
	MPI_Sendrecv(&depth, 1, MPI_INT, me, 1, &depth, 1, MPI_INT, me, 1, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	return page[0];
}

static void pipes(void)
{
	static const char text[] = "what the program wrote";
	char got[sizeof(text)];
	int own[64], nown = 0, changed = 0;
	struct stat st;
	char name[32];

	for (int fd = 3; fd < 4096 && nown < 64; fd++)
		if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode)) {
			snprintf(name, sizeof(name), "own-%d-%d", me, fd);
			own[nown] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
			if (write(own[nown], text, sizeof(text)) != sizeof(text) ||
				lseek(own[nown], 4, SEEK_SET) != 4)
				exit(9);
			dup2(own[nown], fd);
			nown++;
		}
	for (int depth = 0; depth < 20; depth++)
		exchange_at(depth);
	for (int i = 0; i < nown; i++)
		changed += lseek(own[i], 0, SEEK_CUR) != 4 ||
			pread(own[i], got, sizeof(got), 0) != sizeof(got) ||
			memcmp(got, text, sizeof(got)) != 0;
	show("own files changed", changed);
}

static void forget_environment(void)
{
	extern char **environ;
	static char *nothing[] = { NULL };

	environ = nothing;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "callbacks";
	pthread_t thread;
	int rank = -1;

#define IS(name) (strcmp(mode, name) == 0)
	if (IS("queries")) {
		queries();
		return 0;
	}
	if (IS("early"))
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (IS("thread")) {
		pthread_create(&thread, NULL, all_of_it, NULL);
		pthread_join(thread, NULL);
		return 0;
	}
	if (IS("closed"))
		close_from(64, 0);
	begin();
	if (IS("twice"))
		MPI_Init(NULL, NULL);
	if (IS("closed"))
		close_from(3, 1);
	if (IS("user") && setgid(65534) == 0 && setuid(65534) != 0)
		return 8;
	if (IS("environment"))
		forget_environment();
	if (IS("callbacks"))
		callbacks();
	if (IS("children"))
		children();
	if (IS("pipes"))
		pipes();
	if (IS("cancelled"))
		cancelled();
	exchange(100);
	if (IS("fatal"))
		MPI_Send(&rank, 1, MPI_INT, nranks + 3, 1, MPI_COMM_WORLD);
	if (IS("finalize"))
		attribute_for_finalize();
	if (IS("atexit")) {
		atexit(finalize_at_exit);
		exit(me == nranks - 1 ? 6 : 0);
	}
	MPI_Finalize();
	show("deleted", deleted);
	if (IS("late"))
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return 0;
}
