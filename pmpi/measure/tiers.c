/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers.c: who is joined how, who measures, and that everyone gets the rows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "quick.h"
#include "setting.h"
#include "tags.h"

#define TIER_BUDGET_S 0.3
#define BUDGET_S 1.0
#define SLEEP_NS 200000

static uint64_t hash_text(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3ULL;
	return h;
}

/* Containers and name spaces can share a host's name or its boot id, hardly both, and its clock. */
static struct host own_host(void)
{
	char name[256] = "", boot[64] = "", clock[64];
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	gethostname(name, sizeof(name) - 1);
	if (f) {
		if (!fgets(boot, sizeof(boot), f))
			boot[0] = '\0';
		fclose(f);
	}
	clock_identity(clock, sizeof(clock));
	return (struct host){ hash_text(hash_text(hash_text(0xcbf29ce484222325ULL, name), boot),
		clock), processors > 0 ? (uint32_t)processors : 1, 0 };
}

static int compare_hosts(const void *a, const void *b)
{
	const struct host *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Rank 0 and the first on another host. */
static void choose_network_pair(struct measure *m, const struct host *host)
{
	int other = 1;

	while (other < m->nranks && host[other].key == host[0].key)
		other++;
	if (other < m->nranks) {
		m->pair[TIER_NETWORK][0] = 0;
		m->pair[TIER_NETWORK][1] = other;
	}
}

/* The first two of the host with the lowest rank that is not alone there. Hosts in their order. */
static void choose_node_pair(struct measure *m, const struct host *host)
{
	for (int i = 0; i + 1 < m->nranks; i++) {
		if (host[i].key != host[i + 1].key || (m->pair[TIER_NODE][0] >= 0 &&
				m->pair[TIER_NODE][0] < host[i].rank))
			continue;
		m->pair[TIER_NODE][0] = host[i].rank;
		m->pair[TIER_NODE][1] = host[i + 1].rank;
	}
}

/* More ranks than processors on some host? Hosts in their order. */
static bool crowded(const struct host *host, int nranks)
{
	uint32_t ranks = 0;

	for (int r = 0; r < nranks; r++) {
		ranks = r > 0 && host[r].key == host[r - 1].key ? ranks + 1 : 1;
		if (ranks > host[r].processors)
			return true;
	}
	return false;
}

/* Where one rank failed, all must know, or they would wait for it. */
static int agree(struct measure *m, int error)
{
	if (MPI(m, Allreduce)(MPI_IN_PLACE, &error, 1, H(MPI_INT), H(MPI_MIN), m->comm) !=
			MPI_SUCCESS)
		return -EIO;
	return error;
}

int measure_tiers(struct measure *m)
{
	struct host own = own_host(), *host;
	int rc;

	if (MPI(m, Comm_rank)(m->comm, &m->rank) != MPI_SUCCESS ||
			MPI(m, Comm_size)(m->comm, &m->nranks) != MPI_SUCCESS)
		return -EIO;
	host = malloc((size_t)m->nranks * sizeof(*host));
	m->tier_of = malloc((size_t)m->nranks);
	rc = agree(m, host && m->tier_of ? 0 : -ENOMEM);
	if (rc) {
		free(host);
		return rc;
	}
	rc = -EIO;
	if (MPI(m, Allgather)(&own, (int)sizeof(own), H(MPI_BYTE), host, (int)sizeof(own),
			H(MPI_BYTE), m->comm) == MPI_SUCCESS) {
		for (int t = 0; t < TIER_COUNT; t++)
			m->pair[t][0] = m->pair[t][1] = -1;
		m->pair[TIER_SELF][0] = m->pair[TIER_SELF][1] = 0;
		for (int r = 0; r < m->nranks; r++) {
			host[r].rank = r;
			m->tier_of[r] = r == m->rank ? TIER_SELF :
				host[r].key == own.key ? TIER_NODE : TIER_NETWORK;
		}
		choose_network_pair(m, host);
		rc = host_tree_make(host, m->nranks, m->rank, &m->hosts);
		qsort(host, (size_t)m->nranks, sizeof(*host), compare_hosts);
		choose_node_pair(m, host);
		m->oversubscribed = crowded(host, m->nranks);
	}
	free(host);
	return agree(m, rc);
}

void measure_release(struct measure *m)
{
	free(m->tier_of);
	m->tier_of = NULL;
}

static void doze(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = SLEEP_NS }, NULL);
}

/* Asleep until the leader wants this rank. */
static int sleep_until_woken(struct measure *m, int leader)
{
	int found = 0, rc = MPI_SUCCESS;

	while (rc == MPI_SUCCESS && !found) {
		rc = MPI(m, Iprobe)(leader, TAG_WAKE, m->comm, &found, MPI_STATUS_IGNORE);
		if (!found)
			doze();
	}
	if (rc == MPI_SUCCESS)
		rc = MPI(m, Recv)(&found, 0, H(MPI_BYTE), leader, TAG_WAKE, m->comm,
			MPI_STATUS_IGNORE);
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/* A broadcast for which nobody spins. */
static int broadcast(struct measure *m, void *buf, size_t bytes, int root)
{
	MPI_Request request;
	int done = 0, rc;

	rc = MPI(m, Ibcast)(buf, (int)bytes, H(MPI_BYTE), root, m->comm, &request);
	while (rc == MPI_SUCCESS && !done) {
		rc = MPI(m, Test)(&request, &done, MPI_STATUS_IGNORE);
		if (!done)
			doze();
	}
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/* Why nothing of a tier is known: a row that comes from nowhere. */
static void say_why(struct rec_link *rows, size_t *n, int tier, const char *why)
{
	rows[0] = live_row(tier, "", "S", UINT64_MAX, "B", "");
	snprintf(rows[0].reason, sizeof(rows[0].reason), "%s", why);
	*n = 1;
}

static void take_stored(const struct stored_set *set, const char *source, struct rec_link *rows,
	size_t *n)
{
	*n = set->n < MEASURE_ROWS_MAX ? set->n : MEASURE_ROWS_MAX;
	memcpy(rows, set->row, *n * sizeof(*rows));
	for (size_t i = 0; i < *n; i++)
		snprintf(rows[i].source, sizeof(rows[i].source), "%s", source);
}

/*
 * From a stored set that still holds, or from measuring; where there is no time to measure, from one
 * that may hold. The leader of a tier's pair.
 */
static int lead(struct measure *m, const struct measure_options *o, int tier, struct pair *p,
	uint64_t deadline, struct rec_link *rows, size_t *n)
{
	struct live_measured in = { .tier = tier, .source = "measured" };
	struct findings f = { 0 };
	struct stored_set set[MEASURE_SETS_MAX];
	size_t nsets = o->stored ? o->stored(tier, m->transport, set, o->arg) : 0;
	int unsure = -1;
	int rc = p ? check_pair(p, set, nsets, tier, &unsure) : check_self(set, nsets, tier);

	if (rc >= 0) {
		take_stored(&set[rc], "cache", rows, n);
		o->confirmed((size_t)rc, o->arg);
		return 0;
	}
	if (rc != -ENOENT)
		return rc;
	rc = findings_init(&f);
	if (rc == 0)
		rc = p ? quick_pair(p, &f) : quick_self(m, deadline, &f);
	if (rc == 0) {
		in.point = f.point;
		in.npoints = f.npoints;
		in.sample = f.sample;
		in.nsamples = f.nsamples;
		memcpy(in.border, f.border, sizeof(in.border));
		rc = live_fit(&in, rows, MEASURE_ROWS_MAX, n);
		if (rc == 0 && tier != TIER_SELF)
			measure_setting(m, tier, rows, MEASURE_ROWS_MAX, n);
	}
	if (rc == 0 && !f.usable && unsure >= 0)
		take_stored(&set[unsure], "unconfirmed", rows, n);
	else if (rc == 0 && f.npoints == 0)
		say_why(rows, n, tier, m->oversubscribed ? "ranks share processors: no two in time"
			: "no time left");
	else if (rc == 0 && f.complete && !(p && pair_was_disturbed(p)) && o->store)
		o->store(rows, *n, o->arg);
	findings_release(&f);
	return rc;
}

/* One tier: two ranks measure, or one by itself; *n is set on the leader. */
static int measure_tier(struct measure *m, const struct measure_options *o, int tier,
	uint64_t deadline, struct rec_link *rows, size_t *n)
{
	int leader = m->pair[tier][0], follower = m->pair[tier][1], peer, rc;
	struct pair p;

	*n = 0;
	if (leader == follower)
		return m->rank == leader ? lead(m, o, tier, NULL, deadline, rows, n) : 0;
	if (m->rank != leader && m->rank != follower)
		return 0;
	peer = m->rank == leader ? follower : leader;
	if (m->rank == leader)
		rc = MPI(m, Send)(rows, 0, H(MPI_BYTE), peer, TAG_WAKE, m->comm) == MPI_SUCCESS ?
			0 : -EIO;
	else
		rc = sleep_until_woken(m, leader);
	if (rc)
		return rc;
	rc = pair_open(&p, m, peer, m->rank == leader, deadline);
	if (rc == 0 && m->rank == follower)
		rc = pair_serve(&p);
	if (rc == 0 && m->rank == leader) {
		rc = lead(m, o, tier, &p, deadline, rows, n);
		if (pair_end(&p) && rc == 0)
			rc = -EIO;
	}
	pair_close(&p);
	return rc;
}

int measure_quick(struct measure *m, const struct measure_options *o, struct rec_link *rows,
	size_t max, size_t *n)
{
	double tier_s = o->tier_budget_s > 0 ? o->tier_budget_s : TIER_BUDGET_S;
	double all_s = o->budget_s > 0 ? o->budget_s : BUDGET_S;
	int rc = 0;

	*n = 0;
	if (max < TIER_COUNT * MEASURE_ROWS_MAX)
		return -ENOMEM;
	m->deadline = clock_ticks() + clock_from_ns((uint64_t)(0.9e9 * all_s));
	m->dozes = true;
	for (int tier = 0; tier < TIER_COUNT && rc == 0; tier++) {
		uint64_t deadline = clock_ticks() + clock_from_ns((uint64_t)(0.9e9 * tier_s));
		struct { int64_t rc; uint64_t n; } result = { 0, 0 };
		struct rec_link *own = rows + *n;
		size_t got = 0;

		if (m->pair[tier][0] < 0 || o->known_tiers & 1u << tier)
			continue;
		if ((int64_t)(deadline - m->deadline) > 0)
			deadline = m->deadline;
		result.rc = measure_tier(m, o, tier, deadline, own, &got);
		result.n = got;
		rc = broadcast(m, &result, sizeof(result), m->pair[tier][0]);
		if (rc == 0 && result.rc < 0)
			say_why(own, &got, tier, result.rc == -ENOMEM ? "no memory" :
				"MPI reported an error");
		else if (rc == 0)
			rc = broadcast(m, own, result.n * sizeof(*own), m->pair[tier][0]);
		if (rc == 0 && result.rc == 0)
			got = result.n;
		*n += got;
	}
	m->dozes = false;
	return rc;
}
