/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers.c: the tiers between ranks, the ranks that measure them, and the rows for all ranks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/format/run/proc.h"
#include "pmpi/measure/check.h"
#include "pmpi/measure/quick.h"
#include "pmpi/measure/setting.h"
#include "pmpi/measure/tags.h"
#include "fnv.h"

#define TIER_BUDGET_S 0.3
#define BUDGET_S 1.0
#define SLEEP_NS 200000
#define SLEEP_MOST_NS 100000000

/* Different hosts may share a name or a boot id (containers), but hardly both, and the clock. */
static struct host own_host(void)
{
	char name[256] = "", boot[64] = "", clock[64], cpu[256] = "";
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct host own = { .processors = processors > 0 ? (uint32_t)processors : 1 };

	gethostname(name, sizeof(name) - 1);
	if (f) {
		if (!fgets(boot, sizeof(boot), f))
			boot[0] = '\0';
		fclose(f);
	}
	clock_identity(clock, sizeof(clock));
	own.key = fnv_text(fnv_text(fnv_text(FNV_START, name), boot), clock);
	f = fopen("/proc/cpuinfo", "re");
	if (f) {
		proc_cpu_name(f, cpu, sizeof(cpu));
		fclose(f);
	}
	own.kind = fnv_text(FNV_START ^ own.processors, cpu);
	return own;
}

/* If one rank failed, all must know, or they would wait for it. */
static int agree(struct measure *m, int error)
{
	if (MPI(m, Allreduce)(MPI_IN_PLACE, &error, 1, H(MPI_INT), H(MPI_MIN), m->comm) !=
		MPI_SUCCESS)
		return -EIO;
	return error;
}

/* Sets tiers and links from the hosts of all ranks. */
static int place_ranks(struct measure *m, struct host *host)
{
	int rc = link_kinds_make(host, m->nranks, &m->joins);

	if (rc == 0)
		rc = host_tree_make(host, m->nranks, m->rank, &m->hosts);
	if (rc)
		return rc;
	m->kind = (int)host[m->rank].kind;
	m->oversubscribed = m->joins.crowded;
	for (int r = 0; r < m->nranks; r++)
		m->link_of[r] = r == m->rank ?
			TIER_SELF :
			host[r].key == host[m->rank].key ?
			TIER_NODE :
			(uint8_t)link_kinds_link(&m->joins, m->kind, (int)host[r].kind);
	for (int t = 0; t < TIER_COUNT; t++)
		m->pair[t][0] = m->pair[t][1] = -1;
	for (int i = m->joins.n; i-- > 0;)
		memcpy(m->pair[m->joins.join[i].tier], m->joins.join[i].rank, sizeof(m->pair[0]));
	return 0;
}

int measure_tiers(struct measure *m)
{
	struct host own = own_host(), *host;
	int rc;

	if (MPI(m, Comm_rank)(m->comm, &m->rank) != MPI_SUCCESS ||
		MPI(m, Comm_size)(m->comm, &m->nranks) != MPI_SUCCESS)
		return -EIO;
	if (!m->tells_kinds)
		own.kind = 0;
	host = malloc((size_t)m->nranks * sizeof(*host));
	m->link_of = malloc((size_t)m->nranks);
	rc = agree(m, host && m->link_of ? 0 : -ENOMEM);
	if (rc) {
		free(host);
		return rc;
	}
	rc = -EIO;
	if (MPI(m, Allgather)(&own, (int)sizeof(own), H(MPI_BYTE), host, (int)sizeof(own),
		    H(MPI_BYTE), m->comm) == MPI_SUCCESS)
		rc = place_ranks(m, host);
	free(host);
	return agree(m, rc);
}

void measure_release(struct measure *m)
{
	free(m->link_of);
	m->link_of = NULL;
}

void measure_doze(uint64_t begin, uint64_t until)
{
	const uint64_t now = clock_ticks();
	const uint64_t left = now < until ? clock_ns(until - now) : 0;
	uint64_t ns = clock_ns(now - begin) / 8;

	ns = ns < left ? ns : left;
	ns = ns < SLEEP_NS ? SLEEP_NS : ns < SLEEP_MOST_NS ? ns : SLEEP_MOST_NS;
	nanosleep(&(struct timespec){ .tv_nsec = (long)ns }, NULL);
}

/* Sleeps until the leader needs this rank. */
static int sleep_until_woken(struct measure *m, int leader, uint64_t until)
{
	const uint64_t begin = clock_ticks();
	int found = 0, rc = MPI_SUCCESS;

	while (rc == MPI_SUCCESS && !found) {
		rc = MPI(m, Iprobe)(leader, TAG_WAKE, m->comm, &found, MPI_STATUS_IGNORE);
		if (!found)
			measure_doze(begin, until);
	}
	if (rc == MPI_SUCCESS)
		rc = MPI(m, Recv)(
			&found, 0, H(MPI_BYTE), leader, TAG_WAKE, m->comm, MPI_STATUS_IGNORE);
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

int measure_broadcast(struct measure *m, void *buf, size_t bytes, int root, uint64_t until)
{
	const uint64_t begin = clock_ticks();
	MPI_Request request;
	int done = 0, rc;

	rc = MPI(m, Ibcast)(buf, (int)bytes, H(MPI_BYTE), root, m->comm, &request);
	while (rc == MPI_SUCCESS && !done) {
		rc = MPI(m, Test)(&request, &done, MPI_STATUS_IGNORE);
		if (!done)
			measure_doze(begin, until);
	}
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

/* A row without a source, whose reason says why the tier is unknown. */
static void say_why(struct rec_link *rows, size_t *n, int tier, const char *why)
{
	rows[0] = live_row(tier, "", "S", UINT64_MAX, "B", "");
	snprintf(rows[0].reason, sizeof(rows[0].reason), "%s", why);
	*n = 1;
}

/* Copies a stored set, and adds a row with its age and who measured it. */
static void take_stored(const struct stored_set *set, int tier, const char *source,
	struct rec_link *rows, size_t *n)
{
	*n = set->n < MEASURE_ROWS_MAX - 1 ? set->n : MEASURE_ROWS_MAX - 1;
	memcpy(rows, set->row, *n * sizeof(*rows));
	rows[*n] = live_row(tier, "", "age", UINT64_MAX, "s", source);
	rows[*n].value = set->age_s;
	snprintf(rows[*n].reason, sizeof(rows[*n].reason), "%s", set->by);
	++*n;
	for (size_t i = 0; i < *n; i++)
		snprintf(rows[i].source, sizeof(rows[i].source), "%s", source);
}

/*
 * On the leader of a tier's pair: gets rows from a stored set that still holds, or by measuring. If
 * measuring is not possible, from a set that may hold, marked as unconfirmed.
 */
static int lead(struct measure *m, const struct measure_options *o, const struct link_pair *j,
	struct pair *p, uint64_t deadline, struct rec_link *rows, size_t *n)
{
	const int tier = j->tier;
	const uint64_t other = j->kind[0] == j->kind[1] ? 0 : m->joins.kind_key[j->kind[1]];
	struct live_measured in = { .tier = tier, .source = "measured" };
	struct findings f = { 0 };
	struct stored_set set[MEASURE_SETS_MAX];
	size_t nsets = o->stored ? o->stored(tier, m->transport, other, set, o->arg) : 0;
	int likely = -1;
	int rc = p ? check_pair(p, set, nsets, tier, &likely) : check_self(set, nsets, tier);

	if (rc >= 0) {
		take_stored(&set[rc], tier, "cache", rows, n);
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
	if (rc == 0 && !f.usable && likely >= 0)
		take_stored(&set[likely], tier, "unconfirmed", rows, n);
	else if (rc == 0 && f.npoints == 0)
		say_why(rows, n, tier,
			m->oversubscribed ? "ranks share processors: no two in time" :
					    "no time left");
	else if (rc == 0 && f.complete && !(p && pair_was_disturbed(p)) && o->store)
		o->store(rows, *n, o->arg);
	findings_release(&f);
	return rc;
}

/* One join: two ranks measure, or one with itself; *n is set on the leader. */
static int measure_join(struct measure *m, const struct measure_options *o,
	const struct link_pair *j, uint64_t deadline, struct rec_link *rows, size_t *n)
{
	int leader = j->rank[0], follower = j->rank[1], peer, rc;
	struct pair p;

	if (leader == follower)
		return lead(m, o, j, NULL, deadline, rows, n);
	peer = m->rank == leader ? follower : leader;
	if (m->rank == leader)
		rc = MPI(m, Send)(rows, 0, H(MPI_BYTE), peer, TAG_WAKE, m->comm) == MPI_SUCCESS ?
			0 :
			-EIO;
	else
		rc = sleep_until_woken(m, leader, deadline);
	if (rc)
		return rc;
	rc = pair_open(&p, m, peer, m->rank == leader, deadline);
	if (rc == 0 && m->rank == follower)
		rc = pair_serve(&p);
	if (rc == 0 && m->rank == leader) {
		rc = lead(m, o, j, &p, deadline, rows, n);
		if (pair_end(&p) && rc == 0)
			rc = -EIO;
	}
	pair_close(&p);
	return rc;
}

/* The result of a leader. */
struct result {
	int64_t rc;
	uint64_t n;
};

/* True if ranks on hosts of this kind use such a join. */
static bool concerns(const struct link_pair *j, int kind)
{
	return j->kind[0] == kind || j->kind[1] == kind;
}

/*
 * Sends the rows of a join to all ranks; ranks that use it add them to rows[*n]. `found` belongs to
 * the leader, who has them by the deadline.
 */
static int share_rows(struct measure *m, const struct link_pair *j, uint64_t deadline,
	struct result result, const struct rec_link *found, struct rec_link *rows, size_t *n)
{
	const unsigned link = j->tier < TIER_NETWORK || !concerns(j, m->kind) ?
		j->tier :
		link_kinds_link(
			&m->joins, m->kind, j->kind[0] == m->kind ? j->kind[1] : j->kind[0]);
	struct rec_link *own = rows + *n;
	size_t got = 0;
	int rc = measure_broadcast(m, &result, sizeof(result), j->rank[0], deadline);

	if (rc)
		return rc;
	if (result.rc < 0) {
		say_why(own, &got, j->tier,
			result.rc == -ENOMEM ? "no memory" : "MPI reported an error");
	} else {
		got = result.n;
		if (m->rank == j->rank[0])
			memcpy(own, found, got * sizeof(*own));
		rc = measure_broadcast(m, own, got * sizeof(*own), j->rank[0], deadline);
	}
	for (size_t i = 0; i < got; i++)
		own[i].peer = measure_link_peer(m, link);
	if (concerns(j, m->kind))
		*n += got;
	return rc;
}

int32_t measure_link_peer(const struct measure *m, unsigned link)
{
	const int kind = link_kinds_other(&m->joins, m->kind, link);

	return link < TIER_COUNT || kind >= m->joins.nkinds ? -1 : m->joins.kind_rank[kind];
}

/* The number of rounds with measurements, from this one on. */
static int rounds_left(const struct measure *m, const struct measure_options *o, int round)
{
	bool used[JOIN_ROUNDS] = { false };
	int n = 0;

	for (int i = 0; i < m->joins.n; i++)
		used[m->joins.join[i].round] |= !(o->known_tiers & 1u << m->joins.join[i].tier);
	for (; round < JOIN_ROUNDS; round++)
		n += used[round];
	return n;
}

/*
 * The deadline of a round, if `left` rounds share the time up to `end`: each gets an equal part, at
 * most `most`. A round may end late (by 240 ms if TCP waits for a timer); later rounds still get at
 * least `least`.
 */
static uint64_t round_end(uint64_t now, uint64_t end, int left, uint64_t most, uint64_t least)
{
	int64_t part = (int64_t)(end - now) / left;

	part = part < (int64_t)most ? part : (int64_t)most;
	return now + (part > (int64_t)least ? (uint64_t)part : least);
}

int measure_quick(struct measure *m, const struct measure_options *o, struct rec_link *rows,
	size_t max, size_t *n)
{
	double tier_s = o->tier_budget_s > 0 ? o->tier_budget_s : TIER_BUDGET_S;
	double all_s = o->budget_s > 0 ? o->budget_s : BUDGET_S;
	const uint64_t most = clock_from_ns((uint64_t)(0.9e9 * tier_s)),
		       all = clock_from_ns((uint64_t)(0.9e9 * all_s));
	const uint64_t end_of_all = clock_ticks() + all;
	const int rounds = rounds_left(m, o, 0);
	struct rec_link *found = rows + max - MEASURE_ROWS_MAX;
	int rc = 0, left;

	*n = 0;
	if (max < MEASURE_ROWS_ALL)
		return -ENOMEM;
	m->dozes = true;
	for (int round = 0; rc == 0 && (left = rounds_left(m, o, round)) > 0; round++) {
		const struct link_pair *end = m->joins.join + m->joins.n;
		const uint64_t deadline = round_end(
			clock_ticks(), end_of_all, left, most, all / 2 / (unsigned)rounds);
		struct result result = { 0, 0 };
		size_t nfound = 0;

		for (const struct link_pair *j = m->joins.join; j < end; j++)
			if (j->round == round && !(o->known_tiers & 1u << j->tier) &&
				(m->rank == j->rank[0] || m->rank == j->rank[1]))
				result.rc = measure_join(m, o, j, deadline, found, &nfound);
		result.n = nfound;
		for (const struct link_pair *j = m->joins.join; j < end && rc == 0; j++)
			if (j->round == round && !(o->known_tiers & 1u << j->tier))
				rc = share_rows(m, j, deadline, result, found, rows, n);
	}
	m->dozes = false;
	return rc;
}
