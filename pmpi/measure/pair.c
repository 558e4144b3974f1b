/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.c: the leader and the follower of pair.h. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "analysis/format/run/proc.h"
#include "pmpi/measure/pair.h"
#include "pmpi/measure/tags.h"

enum {
	SYNC_ROUNDS = 8,
	SYNC_EVERY_NS = 5000000,
	SYNC_EVERY_TRIPS = 60,
	LATE_LIMIT = 16,
	LEAD_GROWS_NS = 200000,
	PATIENCE_NS = 1000000,
	DOZE_NS = 50000,
	MOMENT_NS = 100000, /* less than a time slice of another program */
	MOMENTS_LEAST = 16,
	MOMENTS_MOST_PART = 2
};

/* Requests of the leader; the follower answers each except the last. */
enum word { WORD_SAMPLE, WORD_SYNC, WORD_END };

struct control {
	uint64_t word;
	uint64_t ticks; /* T in the follower's ticks; in answers to WORD_SYNC its clock */
	double ns;      /* in answers to WORD_SAMPLE; -1: was not on time */
	struct step step;
};

static int control_send(struct pair *p, const struct control *c)
{
	int rc = MPI(p->m, Send)(c, (int)sizeof(*c), H(MPI_BYTE), p->peer, TAG_CONTROL, p->m->comm);

	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/*
 * Waits for a message from the other rank. If ranks share a processor, the other may need it to
 * answer. If other programs use the processors, a spinning rank has used up its time slice when the
 * other one runs. A sleeping rank is scheduled again soon, so that both run together about twice as
 * often. But the message after a sleep is slower, so only quick measurements sleep.
 */
static int control_recv(struct pair *p, void *buf, size_t size)
{
	uint64_t begin = clock_ticks();
	int rc = MPI_SUCCESS, found = 0;

	while ((p->m->oversubscribed || p->m->dozes) && rc == MPI_SUCCESS && !found) {
		rc = MPI(p->m, Iprobe)(p->peer, TAG_CONTROL, p->m->comm, &found, MPI_STATUS_IGNORE);
		if (found)
			break;
		if (p->m->oversubscribed)
			sched_yield();
		else if (clock_ticks() - begin > clock_from_ns(PATIENCE_NS))
			nanosleep(&(struct timespec){ .tv_nsec = DOZE_NS }, NULL);
	}
	if (rc == MPI_SUCCESS)
		rc = MPI(p->m, Recv)(buf, (int)size, H(MPI_BYTE), p->peer, TAG_CONTROL, p->m->comm,
			MPI_STATUS_IGNORE);
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/* The leader: finds the follower's clock offset from the fastest of some round trips. */
static int synchronise(struct pair *p)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < SYNC_ROUNDS; i++) {
		struct control c = { .word = WORD_SYNC };
		uint64_t sent = clock_ticks(), back;

		if (control_send(p, &c) || control_recv(p, &c, sizeof(c)))
			return -EIO;
		back = clock_ticks();
		if (back - sent < best) {
			best = back - sent;
			p->ref_own = sent + best / 2;
			p->ref_peer = c.ticks;
		}
	}
	if (p->same_clock)
		p->ref_peer = p->ref_own;
	if (p->lead < best + clock_from_ns(1500))
		p->lead = best + clock_from_ns(1500);
	p->lead_most = 8 * best + clock_from_ns(LEAD_GROWS_NS);
	/* with slow messages, asking takes long, and the offset may be less exact */
	p->ask_again = clock_from_ns(SYNC_EVERY_NS);
	if (p->ask_again < SYNC_EVERY_TRIPS * best)
		p->ask_again = SYNC_EVERY_TRIPS * best;
	p->synchronised = clock_ticks();
	return 0;
}

/*
 * Buffers whose pages are already touched, so that no page fault is timed. They are mapped: freeing
 * so much malloc'ed memory would raise malloc's thresholds for the rest of the program.
 */
static char *touched(size_t bytes)
{
	char *buf = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (buf == MAP_FAILED)
		return NULL;
	memset(buf, 1, bytes);
	return buf;
}

static void unmap(char *buf, size_t bytes)
{
	if (buf)
		munmap(buf, bytes);
}

/*
 * The leader takes the first processor that it may use, the follower the last. If more pairs
 * measure on the host, each takes the next one from there.
 */
static void pin(struct pair *p, bool leader)
{
	cpu_set_t one;
	int count, place, chosen = -1;

	if (sched_getaffinity(0, sizeof(p->processors), &p->processors) != 0)
		return;
	count = CPU_COUNT(&p->processors);
	if (count < 2 * (p->m->slot + 1))
		return;
	place = leader ? p->m->slot : count - 1 - p->m->slot;
	for (int cpu = 0; cpu < CPU_SETSIZE && place >= 0; cpu++)
		if (CPU_ISSET(cpu, &p->processors) && place-- == 0)
			chosen = cpu;
	CPU_ZERO(&one);
	CPU_SET(chosen, &one);
	p->pinned = sched_setaffinity(0, sizeof(one), &one) == 0;
}

int pair_open(struct pair *p, struct measure *m, int peer, bool leader, uint64_t deadline)
{
	struct {
		double ns_per_tick;
		uint64_t have_memory;
	} own, other;

	*p = (struct pair){ .m = m, .peer = peer, .deadline = deadline };
	if (m->link_of[peer] == TIER_NODE)
		pin(p, leader);
	p->buffer_bytes = m->more ? m->more->buffer_bytes : PAIR_BUFFER_BYTES;
	p->send_buf = touched(p->buffer_bytes);
	p->recv_buf = touched(p->buffer_bytes);
	own.ns_per_tick = shim_clock.ns_per_tick;
	own.have_memory = p->send_buf && p->recv_buf;
	/* each tells the other whether it can continue; the follower is second */
	for (int turn = 0; turn < 2; turn++) {
		int rc;

		if (leader == (turn == 0))
			rc = MPI(m, Send)(&own, (int)sizeof(own), H(MPI_BYTE), peer, TAG_CONTROL,
				     m->comm) == MPI_SUCCESS ?
				0 :
				-EIO;
		else
			rc = control_recv(p, &other, sizeof(other));
		if (rc)
			return rc;
	}
	p->peer_rate = shim_clock.ns_per_tick / other.ns_per_tick;
	p->same_clock = m->link_of[peer] == TIER_NODE;
	return own.have_memory && other.have_memory ? 0 : -ENOMEM;
}

void pair_close(struct pair *p)
{
	if (p->pinned)
		sched_setaffinity(0, sizeof(p->processors), &p->processors);
	p->pinned = false;
	unmap(p->send_buf, p->buffer_bytes);
	unmap(p->recv_buf, p->buffer_bytes);
	p->send_buf = p->recv_buf = NULL;
}

/* T of the next sample, in the follower's ticks. */
static uint64_t to_peer(const struct pair *p, uint64_t ticks)
{
	return p->ref_peer +
		(uint64_t)(int64_t)((double)(int64_t)(ticks - p->ref_own) * p->peer_rate);
}

/* How often this thread lost its CPU so far, also by yielding it to another thread. */
static long preemptions(void)
{
	struct rusage use;

	return getrusage(RUSAGE_THREAD, &use) == 0 ? use.ru_nivcsw : 0;
}

/* How long the thread has been without a CPU since this was asked last; INT64_MAX: unknown [ns]. */
static int64_t lost_ns(struct pair *p)
{
	const int64_t before = p->waited_ns;
	struct proc_cpu cpu;

	p->preemptions = preemptions();
	if (!proc_cpu_of_thread((pid_t)syscall(SYS_gettid), &cpu))
		return INT64_MAX;
	p->waited_ns = cpu.waited_ns;
	return cpu.waited_ns - before;
}

/*
 * The rank lost its CPU in a sample of `ns`: does this spoil the sample? Where most samples lose it
 * for a moment, what moves the messages takes it: a thread of the library, or a network in
 * software. This belongs to the link. Long messages may also lose a quarter of their time.
 */
static bool is_spoilt(struct pair *p, double ns)
{
	const int64_t lost = lost_ns(p);

	if (lost > MOMENT_NS && 4 * (double)lost > ns)
		return true;
	p->moments++;
	return p->moments < MOMENTS_LEAST || p->moments < MOMENTS_MOST_PART * p->undisturbed;
}

/*
 * One side of a sample. The sample is useless if this rank lost its CPU, even inside MPI: its time
 * is a scheduler's then, not the link's; but see is_spoilt(). Ranks that share a CPU yield it to
 * each other all the time.
 */
static int timed_step(struct pair *p, const struct step *s, uint64_t start, double *ns,
	int (*step)(struct pair *p, const struct step *s, uint64_t start, double *ns))
{
	int rc;

	if (!p->m->oversubscribed && preemptions() != p->preemptions)
		(void)lost_ns(p);
	p->overslept = false;
	rc = step(p, s, start, ns);
	if (rc || p->m->oversubscribed)
		return rc;
	if (preemptions() == p->preemptions)
		p->undisturbed++;
	else
		p->overslept |= is_spoilt(p, *ns);
	return 0;
}

int pair_sample(struct pair *p, const struct step *s, double *sender_ns, double *receiver_ns)
{
	struct control c = { .word = WORD_SAMPLE, .step = *s };
	uint64_t start, age = clock_ticks() - p->synchronised;
	int late;

	if ((p->synchronised == 0 || (!p->same_clock && age > p->ask_again)) && synchronise(p))
		return -EIO;
	start = clock_ticks() + p->lead + p->idle;
	/* both sides would spin for the whole delay, past the deadline */
	if ((int64_t)(start + clock_from_ns(s->delay_ns) - p->deadline) > 0)
		return 1;
	c.ticks = to_peer(p, start);
	if (control_send(p, &c))
		return -EIO;
	late = (int64_t)(clock_ticks() - start) > 0;
	p->samples++;
	if (timed_step(p, s, start, sender_ns, step_send) || control_recv(p, &c, sizeof(c)))
		return -EIO;
	late |= p->overslept;
	*receiver_ns = c.ns;
	if (!late && c.ns >= 0) {
		p->late_in_row = 0;
		return 0;
	}
	p->late++;
	/* the request takes longer than assumed, or a rank lost its CPU */
	if (++p->late_in_row % 4 == 0 && p->lead < p->lead_most)
		p->lead += p->lead / 2;
	return 1;
}

int pair_step(struct pair *p, const struct step *s, unsigned samples, struct step_times *out)
{
	unsigned late = 0;

	out->n = 0;
	while (out->n < samples && late < LATE_LIMIT &&
		(int64_t)(clock_ticks() - p->deadline) < 0) {
		int rc = pair_sample(p, s, &out->sender_ns[out->n], &out->receiver_ns[out->n]);

		if (rc < 0)
			return rc;
		if (rc == 0)
			out->n++;
		else
			late++;
	}
	return 0;
}

int pair_end(struct pair *p)
{
	struct control c = { .word = WORD_END };

	return control_send(p, &c);
}

int pair_serve(struct pair *p)
{
	struct control c;
	int rc;

	while ((rc = control_recv(p, &c, sizeof(c))) == 0 && c.word != WORD_END) {
		if (c.word == WORD_SYNC) {
			c.ticks = clock_ticks();
		} else {
			int late = (int64_t)(clock_ticks() - c.ticks) > 0;

			if (timed_step(p, &c.step, c.ticks, &c.ns, step_recv))
				return -EIO;
			if (late || p->overslept)
				c.ns = -1;
		}
		if (control_send(p, &c))
			return -EIO;
	}
	return rc;
}
