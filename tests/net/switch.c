/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switch.c: an Ethernet switch between TAP devices, with wires of a known rate and delay.
 *
 *	switch DELAY_US BIT_A_SECOND NAME...
 *
 * A frame occupies the wire of the device that it comes from for as long as its bytes need (14 of
 * header among them; 0 bit/s: no time), after those before it, and arrives DELAY_US later, whole.
 *
 * Makes a TAP device of each name in this network name space (they may be moved to others
 * afterwards), says "ready", and switches until it is ended. Frames keep their order. A frame that
 * finds no room, MANY frames being on their way, is dropped, as on a real network. The delay is
 * counted from when the frame is read, so this process asks for a real-time priority.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { PORTS_MAX = 64, FRAME_MAX = 2048, MANY = 16384, KNOWN_MAX = 256, MAC = 6, NOWHERE = -1 };

struct frame {
	int64_t due_ns;
	int from;
	int bytes;
	unsigned char data[FRAME_MAX];
};

static struct pollfd port[PORTS_MAX];
static int64_t wire_free_ns[PORTS_MAX];
static int nports;
static double ns_a_byte;
static int64_t delay_ns;

/* Frames on their way, a ring for each port they come from: [head, head + n). */
static struct line {
	struct frame *frame;
	unsigned head, n;
} line[PORTS_MAX];

/* Who sits where, from the frames that came from there. */
static struct {
	unsigned char mac[MAC];
	int port;
} known[KNOWN_MAX];
static int nknown;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int open_tap(const char *name)
{
	struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (fd >= 0 && ioctl(fd, TUNSETIFF, &request) == 0)
		return fd;
	fprintf(stderr, "switch: %s: %s\n", name, strerror(errno));
	exit(1);
}

static int where(const unsigned char *mac)
{
	for (int i = 0; i < nknown; i++)
		if (memcmp(known[i].mac, mac, MAC) == 0)
			return known[i].port;
	return NOWHERE;
}

static void learn(const unsigned char *mac, int from)
{
	if (where(mac) != NOWHERE || nknown == KNOWN_MAX || (mac[0] & 1))
		return;
	memcpy(known[nknown].mac, mac, MAC);
	known[nknown++].port = from;
}

static void deliver(const struct frame *f)
{
	int to = f->data[0] & 1 ? NOWHERE : where(f->data);

	for (int i = 0; i < nports; i++)
		if (i != f->from && (to == NOWHERE || to == i) &&
			write(port[i].fd, f->data, (size_t)f->bytes) < 0 && errno == ENOMEM)
			return; /* lost, as frames are */
}

static void take_all(int from)
{
	struct line *l = &line[from];

	for (;;) {
		struct frame *f = &l->frame[(l->head + l->n) % MANY];
		unsigned char spare[FRAME_MAX];
		ssize_t got = read(port[from].fd, l->n < MANY ? f->data : spare, FRAME_MAX);
		int64_t now = now_ns(), *wire = &wire_free_ns[from];

		if (got < 2 * MAC)
			return;
		if (l->n == MANY)
			continue;
		*wire = (*wire > now ? *wire : now) + (int64_t)((double)got * ns_a_byte);
		f->due_ns = *wire + delay_ns;
		f->from = from;
		f->bytes = (int)got;
		learn(f->data + MAC, from);
		l->n++;
	}
}

/* Returns when the next one is due [ns]. */
static int64_t deliver_due(void)
{
	int64_t next = INT64_MAX;

	for (int i = 0; i < nports; i++) {
		struct line *l = &line[i];

		while (l->n && l->frame[l->head].due_ns <= now_ns()) {
			deliver(&l->frame[l->head]);
			l->head = (l->head + 1) % MANY;
			l->n--;
		}
		if (l->n && l->frame[l->head].due_ns < next)
			next = l->frame[l->head].due_ns;
	}
	return next;
}

int main(int argc, char **argv)
{
	double delay_us = argc > 1 ? atof(argv[1]) : -1, rate = argc > 2 ? atof(argv[2]) : -1;
	struct sched_param first = { .sched_priority = 10 };
	int64_t next;

	if (argc < 4 || argc - 3 > PORTS_MAX || delay_us < 0 || rate < 0) {
		fprintf(stderr, "usage: switch DELAY_US BIT_A_SECOND NAME...\n");
		return 2;
	}
	delay_ns = (int64_t)(delay_us * 1e3);
	ns_a_byte = rate > 0 ? 8e9 / rate : 0;
	for (nports = 0; nports < argc - 3; nports++) {
		line[nports].frame = malloc(MANY * sizeof(struct frame));
		if (!line[nports].frame)
			return 1;
		port[nports] =
			(struct pollfd){ .fd = open_tap(argv[nports + 3]), .events = POLLIN };
	}
	/* without it, delays are longer where others have the processors */
	sched_setscheduler(0, SCHED_FIFO, &first);
	prctl(PR_SET_TIMERSLACK, 1UL);
	puts("ready");
	fflush(stdout);
	while ((next = deliver_due()) > 0) {
		int64_t wait = next == INT64_MAX ? 1000000000 : next - now_ns();
		struct timespec limit = { .tv_sec = wait > 0 ? wait / 1000000000 : 0,
			.tv_nsec = wait > 0 ? wait % 1000000000 : 0 };

		if (ppoll(port, (nfds_t)nports, &limit, NULL) > 0)
			for (int i = 0; i < nports; i++)
				if (port[i].revents)
					take_all(i);
	}
	return 0;
}
