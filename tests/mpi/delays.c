/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delays.c: messages of which one side is late by a known time, and a log of who entered when.
 *
 *	delays LOG [CASES [SEED [sorted]]]
 *
 * Two ranks on one host. Each case is drawn from a seeded generator that both ranks share: form,
 * length, who is late (half of the cases: nobody), by how much (1 us to 5 ms, log-uniform), and
 * whether the late rank spends that time inside MPI (polling for a message that nobody sends) or
 * outside. With `sorted`, cases of one form and length follow each other, as in a program that
 * repeats its messages: caches hold them. Both start a case at an instant they agreed on.
 * LOG.<rank> gets a line for each op:
 *
 *	case form kind bytes tag late delay inside post_enter block_enter block_leave mpi_enter
 *
 * late: none, send, recv; inside: 0, 1; times are ns of CLOCK_MONOTONIC, the host's own, the same
 * for both (DELAYS_CLOCK=realtime: of CLOCK_REALTIME, also the same in all time name spaces).
 * block_enter is the entry of the call in which the op completes; mpi_enter is when the
 * rank was first inside MPI in this case.
 */
#define _GNU_SOURCE
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum form { SEND, ISEND, IRECV, SSEND, SENDRECV, PERSISTENT, WAITALL, FORMS };
enum late { NOBODY, SENDER, RECEIVER };
enum { MANY = 8, BYTES_MAX = 4 << 20, TAG_START = 1, TAG_NEVER = 2, TAG_CASES = 64 };

static const char *const form_names[] = { "send", "isend", "irecv", "ssend", "sendrecv",
	"persistent", "waitall" };
static const char *const late_names[] = { "none", "send", "recv" };
static const int lengths[] = { 8, 64, 256, 1024, 4096, 8192, 16384, 65536, 262144, 1048576,
	BYTES_MAX };

struct one {
	int number, form, late, inside, bytes, sender;
	double delay_ns;
};

struct entry {
	struct one c;
	int sends, tag;
	long post_enter, block_enter, block_leave, mpi_enter;
};

static int rank;
static char *out_buf, *in_buf;
static struct entry *entries;
static size_t nentries;
static unsigned long long state;
static clockid_t the_clock = CLOCK_MONOTONIC;

static long now_ns(void)
{
	struct timespec t;

	clock_gettime(the_clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static long spin_until(long when)
{
	long now;

	while ((now = now_ns()) < when)
		;
	return now;
}

/* splitmix64, the same numbers on both ranks */
static unsigned long long draw(void)
{
	unsigned long long z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static struct one draw_case(int number)
{
	struct one c = { .number = number };

	c.form = (int)(draw() % FORMS);
	do
		c.bytes = lengths[draw() % (sizeof(lengths) / sizeof(*lengths))];
	while (c.form == WAITALL && c.bytes > BYTES_MAX / MANY);
	c.sender = (int)(draw() & 1);
	c.late = draw() % 2 ? NOBODY : draw() % 2 ? SENDER : RECEIVER;
	c.inside = (int)(draw() & 1);
	c.delay_ns = 1e3 * exp(log(5000) * ((double)(draw() >> 11) / 9007199254740992.0));
	return c;
}

static int by_form_and_length(const void *a, const void *b)
{
	const struct one *x = a, *y = b;

	if (x->form != y->form)
		return x->form - y->form;
	return x->bytes != y->bytes ? x->bytes - y->bytes : x->number - y->number;
}

static struct entry *note(const struct one *c, int sends, int i)
{
	struct entry *e = &entries[nentries++];

	*e = (struct entry){ .c = *c, .sends = sends, .tag = TAG_CASES + c->number * MANY + i };
	return e;
}

/* The rank that is not late enters at `start`, the other one `delay` later. */
static long wait_for_turn(const struct one *c, int late, long start)
{
	long until = start + (late ? (long)c->delay_ns : 0), entered;
	int found;

	entered = spin_until(start);
	if (!late)
		return entered;
	if (!c->inside)
		return spin_until(until);
	while (now_ns() < until)
		MPI_Iprobe(1 - rank, TAG_NEVER, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
	return entered;
}

static void blocking(struct entry *e, int synchronous)
{
	e->post_enter = e->block_enter = now_ns();
	if (!e->sends)
		MPI_Recv(in_buf, e->c.bytes, MPI_BYTE, 1 - rank, e->tag, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
	else if (synchronous)
		MPI_Ssend(out_buf, e->c.bytes, MPI_BYTE, 1 - rank, e->tag, MPI_COMM_WORLD);
	else
		MPI_Send(out_buf, e->c.bytes, MPI_BYTE, 1 - rank, e->tag, MPI_COMM_WORLD);
	e->block_leave = now_ns();
}

static void post(struct entry *e, int offset, MPI_Request *request)
{
	e->post_enter = now_ns();
	if (e->sends)
		MPI_Isend(out_buf + offset, e->c.bytes, MPI_BYTE, 1 - rank, e->tag, MPI_COMM_WORLD,
			request);
	else
		MPI_Irecv(in_buf + offset, e->c.bytes, MPI_BYTE, 1 - rank, e->tag, MPI_COMM_WORLD,
			request);
}

static void complete(struct entry *e, int n, MPI_Request *request)
{
	long enter = now_ns(), leave;

	if (n == 1)
		MPI_Wait(request, MPI_STATUS_IGNORE);
	else
		MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
	leave = now_ns();
	for (int i = 0; i < n; i++) {
		e[i].block_enter = enter;
		e[i].block_leave = leave;
	}
}

static void sendrecv(struct entry *out, struct entry *in)
{
	long enter = now_ns();

	MPI_Sendrecv(out_buf, out->c.bytes, MPI_BYTE, 1 - rank, out->tag, in_buf, in->c.bytes,
		MPI_BYTE, 1 - rank, in->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	out->post_enter = out->block_enter = in->post_enter = in->block_enter = enter;
	out->block_leave = in->block_leave = now_ns();
}

static void run_case(const struct one *c, long start)
{
	int sends = c->sender == rank;
	int late = c->late == (sends ? SENDER : RECEIVER);
	struct entry *first = entries + nentries;
	MPI_Request request[MANY];
	int n = c->form == SENDRECV ? 2 : c->form == WAITALL ? MANY : 1;
	long mpi_enter;

	for (int i = 0; i < n; i++)
		note(c, c->form == SENDRECV ? i == 0 : sends, c->form == SENDRECV ? 0 : i);
	if (c->form == PERSISTENT && sends)
		MPI_Send_init(
			out_buf, c->bytes, MPI_BYTE, 1 - rank, first->tag, MPI_COMM_WORLD, request);
	else if (c->form == PERSISTENT)
		MPI_Recv_init(
			in_buf, c->bytes, MPI_BYTE, 1 - rank, first->tag, MPI_COMM_WORLD, request);
	mpi_enter = wait_for_turn(c, late, start);
	if (c->form == SENDRECV) {
		sendrecv(first, first + 1);
	} else if (c->form == PERSISTENT) {
		first->post_enter = now_ns();
		MPI_Start(request);
		complete(first, 1, request);
		MPI_Request_free(request);
	} else if (c->form == WAITALL) {
		for (int i = 0; i < n; i++)
			post(first + i, i * c->bytes, &request[i]);
		complete(first, n, request);
	} else if ((c->form == ISEND && sends) || (c->form == IRECV && !sends)) {
		post(first, 0, request);
		complete(first, 1, request);
	} else {
		blocking(first, c->form == SSEND);
	}
	for (int i = 0; i < n; i++)
		first[i].mpi_enter =
			mpi_enter < first[i].post_enter ? mpi_enter : first[i].post_enter;
}

/* An instant ahead that both know. */
static long agree_on_start(void)
{
	long start;

	if (rank == 0) {
		start = now_ns() + 80000;
		MPI_Send(&start, sizeof(start), MPI_BYTE, 1, TAG_START, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&start, sizeof(start), MPI_BYTE, 0, TAG_START, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
	}
	return start;
}

static int write_log(const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s.%d", name, rank);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		return 1;
	}
	for (size_t i = 0; i < nentries; i++) {
		const struct entry *e = &entries[i];

		fprintf(f, "%d %s %s %d %d %s %.0f %d %ld %ld %ld %ld\n", e->c.number,
			form_names[e->c.form], e->sends ? "send" : "recv", e->c.bytes, e->tag,
			late_names[e->c.late], e->c.delay_ns, e->c.inside, e->post_enter,
			e->block_enter, e->block_leave, e->mpi_enter);
	}
	return fclose(f) != 0;
}

/* Each rank on a processor of its own, whatever the launcher does by default. */
static void pin(void)
{
	const char *own = getenv("OMPI_COMM_WORLD_RANK");
	cpu_set_t all, one;
	int skip;

	if (!own)
		own = getenv("PMI_RANK");
	if (!own || sched_getaffinity(0, sizeof(all), &all) != 0 || CPU_COUNT(&all) < 2)
		return;
	skip = atoi(own) % CPU_COUNT(&all);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && skip-- == 0) {
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof(one), &one);
		}
}

int main(int argc, char **argv)
{
	int cases = argc > 2 ? atoi(argv[2]) : 2000, nranks, failed;
	struct one *list;

	if (getenv("DELAYS_CLOCK") && strcmp(getenv("DELAYS_CLOCK"), "realtime") == 0)
		the_clock = CLOCK_REALTIME;
	state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	pin();
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	out_buf = malloc(BYTES_MAX);
	in_buf = malloc(BYTES_MAX);
	entries = calloc((size_t)cases * MANY, sizeof(*entries));
	list = calloc((size_t)cases, sizeof(*list));
	if (nranks != 2 || argc < 2 || !out_buf || !in_buf || !entries || !list) {
		fprintf(stderr, "usage: on 2 ranks: delays LOG [CASES [SEED [sorted]]]\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	memset(out_buf, 1, BYTES_MAX);
	memset(in_buf, 1, BYTES_MAX);
	for (int i = 0; i < cases; i++)
		list[i] = draw_case(i);
	if (argc > 4 && strcmp(argv[4], "sorted") == 0)
		qsort(list, (size_t)cases, sizeof(*list), by_form_and_length);
	for (int i = 0; i < cases; i++)
		run_case(&list[i], agree_on_start());
	failed = write_log(argv[1]);
	MPI_Finalize();
	return failed;
}
