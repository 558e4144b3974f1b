/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * full.c: the program tryst-measure-<mpi>, which `tryst calibrate` becomes under a launcher.
 *
 *	MPI_Init, the quick calibration of all tiers, then rounds: in each, disjoint pairs measure
 *	at the same time and all other ranks sleep. At the end rank 0 has all samples, fits and
 *	writes.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/model/live/live.h"
#include "analysis/base/now.h"
#include "pmpi/measure/cache.h"
#include "pmpi/calibrate/file.h"
#include "pmpi/calibrate/group.h"
#include "pmpi/calibrate/messages.h"
#include "pmpi/calibrate/pair.h"
#include "pmpi/calibrate/plan.h"
#include "pmpi/calibrate/step.h"
#include "pmpi/measure/tags.h"

struct job {
	struct full_options o;
	struct measure m;
	struct full_samples out;
	uint64_t *host;       /* [nranks] lowest rank of each rank's host */
	char (*name)[64];     /* [nranks] host names */
	uint32_t *processors; /* [nranks] of each rank's host */
	struct plan_of_ranks plan;
	int64_t begin_ns; /* of the program */
	/* time of everything before the pairs, including MPI_Init */
	double before_s;
	struct rec_link *links;
	size_t nlinks;
	int known; /* tiers, as bits, whose rows have all values that predictions need */
};

/* A barrier in which no rank spins. Those that measure come to it by `until` [ticks]. */
static int sleeping_barrier(MPI_Comm comm, uint64_t until)
{
	const uint64_t begin = clock_ticks();
	MPI_Request request;
	int done = 0, rc = MPI_Ibarrier(comm, &request);

	while (rc == MPI_SUCCESS && !done) {
		rc = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (!done)
			measure_doze(begin, until);
	}
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

static int make_plan(struct job *j)
{
	struct plan_of_ranks *p = &j->plan;
	int rc = 0;

	*p = (struct plan_of_ranks){
		.nranks = j->m.nranks, .host = j->host, .processors = j->processors
	};
	if (strcmp(j->o.pairs, "all") == 0)
		return plan_all(p);
	if (strcmp(j->o.pairs, "tier") != 0)
		return plan_list(p, j->o.pairs);
	/* one after the other, so that the tiers do not disturb each other */
	for (int t = TIER_NODE; t <= TIER_NETWORK && rc == 0; t++)
		if (j->m.pair[t][0] >= 0)
			rc = plan_add(p, p->nrounds, j->m.pair[t][0], j->m.pair[t][1]);
	return rc;
}

/* Finds the lowest rank of each host, and the hosts' names. */
static int know_hosts(struct job *j)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t processors = online > 0 ? (uint32_t)online : 1;
	char name[64] = "";
	uint64_t lowest = 0;
	int n;

	j->processors = calloc((size_t)j->m.nranks, sizeof(*j->processors));
	j->host = calloc((size_t)j->m.nranks, sizeof(*j->host));
	j->name = calloc((size_t)j->m.nranks, sizeof(*j->name));
	if (!j->host || !j->name || !j->processors)
		return -ENOMEM;
	while (j->m.link_of[lowest] >= TIER_NETWORK)
		lowest++;
	gethostname(name, sizeof(name) - 1);
	n = MPI_Allgather(&lowest, 1, MPI_UINT64_T, j->host, 1, MPI_UINT64_T, j->m.comm);
	if (n == MPI_SUCCESS)
		n = MPI_Allgather(
			name, sizeof(name), MPI_CHAR, j->name, sizeof(name), MPI_CHAR, j->m.comm);
	if (n == MPI_SUCCESS)
		n = MPI_Allgather(
			&processors, 1, MPI_UINT32_T, j->processors, 1, MPI_UINT32_T, j->m.comm);
	return n == MPI_SUCCESS ? 0 : -EIO;
}

/* The most attempts to measure the links. The last of several comes after the pairs. */
static int attempts(const struct job *j)
{
	return j->o.budget_s < 4 ? 1 : j->o.budget_s < 8 ? 2 : 3;
}

static bool all_known(const struct job *j)
{
	return j->known == (1 << TIER_COUNT) - 1;
}

/*
 * Seconds for a pair. With one pair a tier, the pair's budget also pays for the tier's part of the
 * time before, and for fits, file and launcher.
 */
static double time_for(const struct job *j)
{
	double s = (all_known(j) || attempts(j) == 1 ? 0.9 : 0.6) * j->o.budget_s;

	if (strcmp(j->o.pairs, "tier") == 0)
		s -= j->before_s / j->plan.n;
	return s > 0.3 * j->o.budget_s ? s : 0.3 * j->o.budget_s;
}

/* One appointment, on either of its ranks. */
static int keep_appointment(struct job *j, int which)
{
	const struct appointment *a = &j->plan.at[which];
	unsigned tier = plan_tier(&j->plan, which);
	bool leads = j->m.rank == a->from;
	uint64_t deadline = clock_ticks() + clock_from_ns((uint64_t)(1e9 * time_for(j)));
	const double S = full_tier_S(j->links, j->nlinks, tier);
	size_t first = j->out.n;
	char label[64];
	struct pair p;
	int rc;

	j->m.slot = a->slot;
	rc = pair_open(&p, &j->m, leads ? a->to : a->from, leads, deadline);
	snprintf(label, sizeof(label), "%s, ranks %d and %d",
		tier == TIER_NODE ? "node" : "network", a->from, a->to);
	if (rc == 0 && leads) {
		rc = full_pair(
			&p, &j->o, a->from == 0 ? label : NULL, S > 0 ? (uint64_t)S : 0, &j->out);
		if (pair_end(&p) && rc == 0)
			rc = -EIO;
	} else if (rc == 0) {
		rc = pair_serve(&p);
	}
	pair_close(&p);
	for (size_t i = first; i < j->out.n; i++) {
		j->out.s[i].from = a->from;
		j->out.s[i].to = a->to;
	}
	return rc;
}

static int keep_all(struct job *j)
{
	int rc = 0;

	j->before_s = 1e-9 * (double)(now_ns(CLOCK_MONOTONIC) - j->begin_ns);
	for (int round = 0; round < j->plan.nrounds && rc == 0; round++) {
		const uint64_t until = clock_ticks() + clock_from_ns((uint64_t)(1e9 * time_for(j)));

		for (int i = 0; i < j->plan.n && rc == 0; i++) {
			const struct appointment *a = &j->plan.at[i];

			if (a->round == round && (a->from == j->m.rank || a->to == j->m.rank))
				rc = keep_appointment(j, i);
		}
		if (rc == 0)
			rc = sleeping_barrier(j->m.comm, until);
	}
	if (j->m.rank == 0 && full_progress(&j->o))
		fprintf(full_progress(&j->o), "\r\033[K");
	return rc;
}

/* Sends all ranks' samples to rank 0, in the order of ranks. */
static int gather(struct job *j)
{
	const size_t part = 1 << 20;

	for (int r = 1; r < j->m.nranks; r++) {
		uint64_t n = j->out.n;

		if (j->m.rank == r) {
			if (MPI_Send(&n, 1, MPI_UINT64_T, 0, TAG_CONTROL, j->m.comm) != MPI_SUCCESS)
				return -EIO;
			for (size_t i = 0; i < n; i += part)
				if (MPI_Send(j->out.s + i,
					    (int)((n - i < part ? n - i : part) *
						    sizeof(*j->out.s)),
					    MPI_BYTE, 0, TAG_CONTROL, j->m.comm) != MPI_SUCCESS)
					return -EIO;
		} else if (j->m.rank == 0) {
			struct sample *got;

			if (MPI_Recv(&n, 1, MPI_UINT64_T, r, TAG_CONTROL, j->m.comm,
				    MPI_STATUS_IGNORE) != MPI_SUCCESS)
				return -EIO;
			got = malloc((n + 1) * sizeof(*got));
			if (!got)
				return -ENOMEM;
			for (size_t i = 0; i < n; i += part)
				MPI_Recv(got + i,
					(int)((n - i < part ? n - i : part) * sizeof(*got)),
					MPI_BYTE, r, TAG_CONTROL, j->m.comm, MPI_STATUS_IGNORE);
			for (size_t i = 0; i < n; i++)
				full_add(&j->out, &got[i], &got[i].value_ns, 1);
			free(got);
		}
	}
	return 0;
}

/* The tiers, as bits, whose rows have all values that predictions need, on all ranks. */
static int find_known(struct job *j)
{
	int known = 1 << TIER_SELF; /* nothing needs its rows */

	for (unsigned t = TIER_NODE; t <= TIER_NETWORK; t++)
		if (j->m.pair[t][0] < 0 || full_links_suffice(j->links, j->nlinks, t, false))
			known |= 1 << t;
	/* ranks on hosts of several kinds have different links: all must know theirs */
	return MPI_Allreduce(&known, &j->known, 1, MPI_INT, MPI_BAND, j->m.comm) == MPI_SUCCESS ?
		0 :
		-EIO;
}

/* Measures the tiers that are not known yet, and keeps the rows of the others. */
static int measure_unknown(struct job *j, double budget_s)
{
	struct measure_options options = { .budget_s = budget_s,
		.known_tiers = (unsigned)j->known };
	const int tiers = TIER_COUNT - __builtin_popcount(options.known_tiers);
	size_t kept = 0, n = 0;
	int rc;

	options.tier_budget_s = budget_s / tiers;
	for (size_t i = 0; i < j->nlinks; i++)
		if (j->known & 1 << j->links[i].head.id)
			j->links[kept++] = j->links[i];
	rc = measure_quick(&j->m, &options, j->links + kept, MEASURE_ROWS_ALL, &n);
	j->nlinks = kept + n;
	return rc ? rc : find_known(j);
}

/*
 * Measures the values without which runs cannot use the file. Other programs may use the processors
 * at that moment, and networks may be slow. So a larger budget allows two or three attempts, each
 * up to twice as long as the one before. The last one follows the pairs, when other programs may
 * have ended. It has the budget that is left, but at least 1 s.
 */
static int quick(struct job *j, bool behind_pairs)
{
	double budget_s = 0.15 * fmax(j->o.budget_s, 10);
	const int tries = attempts(j);
	int rc = 0;

	for (int i = 0; i < tries && rc == 0 && !all_known(j); i++) {
		if ((i > 0 && i == tries - 1) == behind_pairs) {
			const double left = 0.9 * j->o.budget_s * j->plan.n -
				1e-9 * (double)(now_ns(CLOCK_MONOTONIC) - j->begin_ns);

			if (behind_pairs)
				budget_s = fmax(fmin(budget_s, left), 1);
			rc = measure_unknown(j, budget_s);
		}
		budget_s *= 2;
	}
	return rc;
}

/* Stores the rows for launches that cannot measure. A cache that cannot be written is ignored. */
static void leave_in_cache(const struct job *j)
{
	const char *dir = getenv("TRYST_CACHE");
	struct measure_cache cache;

	measure_cache_init(&cache, dir && *dir ? dir : NULL, &j->m);
	if (!measure_cache_off(dir))
		measure_cache_leave(&cache, &j->m, j->links, j->nlinks);
	measure_cache_release(&cache);
}

static int write_file(struct job *j)
{
	struct full_pair_name *pairs = calloc((size_t)j->plan.n + 1, sizeof(*pairs));
	int rc = -ENOMEM;

	for (int i = 0; pairs && i < j->plan.n; i++)
		pairs[i] = (struct full_pair_name){ j->plan.at[i].from, j->plan.at[i].to,
			plan_tier(&j->plan, i) };
	if (pairs)
		rc = full_write(&j->o, j->links, j->nlinks, pairs, (size_t)j->plan.n,
			(const char(*)[64])j->name, j->m.nranks, &j->out);
	free(pairs);
	return rc;
}

/*
 * Rank 0 checks, before anything is measured, that the file can be made. 0 or -EACCES on all ranks.
 */
static int check_output(struct job *j)
{
	char dir[4096];
	char *slash;
	int rc = 0;

	snprintf(dir, sizeof(dir), "%s", j->o.output);
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	if (j->m.rank == 0 && access(slash ? dir : ".", W_OK) < 0) {
		say_line(&full_stderr, "cannot make '%s': %s", j->o.output, strerror(errno));
		rc = -EACCES;
	}
	return MPI_Bcast(&rc, 1, MPI_INT, 0, j->m.comm) == MPI_SUCCESS ? rc : -EIO;
}

/* All that happens between MPI_Init and MPI_Finalize. 0 or a negative errno. */
static int calibrate(struct job *j)
{
	int rc;

	j->m.comm = MPI_COMM_WORLD;
	j->m.more = &full_steps;
	MPI_Comm_set_errhandler(j->m.comm, MPI_ERRORS_RETURN);
	rc = measure_tiers(&j->m);
	if (rc == 0 && j->m.nranks < 2) {
		fprintf(stderr,
			"tryst calibrate: needs at least two ranks: mpirun -n 2 tryst "
			"calibrate\n");
		return -EINVAL;
	}
	if (rc == 0)
		rc = check_output(j);
	if (rc == 0)
		rc = know_hosts(j);
	if (rc == 0)
		rc = make_plan(j);
	if (rc == 0 && !(j->links = calloc(2 * MEASURE_ROWS_ALL, sizeof(*j->links))))
		rc = -ENOMEM;
	if (rc == -EINVAL && j->m.rank == 0)
		say_line(&full_stderr, "bad list of pairs '%s' for %d ranks", j->o.pairs,
			j->m.nranks);
	if (rc == 0)
		rc = full_buffer_attach();
	if (rc == 0)
		rc = quick(j, false);
	if (rc == 0)
		rc = keep_all(j);
	if (rc == 0)
		rc = quick(j, true);
	if (rc == 0)
		rc = full_group(&j->m, &j->o, j->host, &j->out);
	if (rc == 0)
		rc = gather(j);
	full_buffer_detach();
	if (rc == 0 && j->out.lost && j->m.rank == 0)
		fprintf(stderr, "tryst calibrate: out of memory, some samples are missing\n");
	if (rc == 0 && j->m.rank == 0)
		rc = full_add_cuts(&j->out, j->links, &j->nlinks, 2 * MEASURE_ROWS_ALL);
	if (rc == 0 && j->m.rank == 0) {
		if (all_known(j))
			leave_in_cache(j);
		rc = write_file(j);
	}
	return rc;
}

int main(int argc, char **argv)
{
	struct job j = { .nlinks = 0 };
	int rc;

	j.begin_ns = now_ns(CLOCK_MONOTONIC);
	if (full_options_read(&j.o, argc, argv, PAIR_BYTES_MAX) < 0) {
		fprintf(stderr, "%s: run by `tryst calibrate`, which knows its options\n", argv[0]);
		return 2;
	}
	if (PMPI_Init(&argc, &argv) != MPI_SUCCESS)
		return 1;
	clock_start(0);
	clock_measure_rate();
	rc = calibrate(&j);
	/* if one rank gave up, others wait for it: end them all (all ranks have seen a bad list) */
	if (rc == -EIO ||
		(rc < 0 && rc != -EINVAL && j.m.nranks > 1 && j.plan.nrounds > 0 &&
			j.m.rank != 0)) {
		fprintf(stderr, "tryst calibrate: rank %d: %s\n", j.m.rank, strerror(-rc));
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	free(j.host);
	free(j.name);
	plan_release(&j.plan);
	free(j.processors);
	free(j.links);
	free(j.out.s);
	measure_release(&j.m);
	PMPI_Finalize();
	return rc == 0 ? 0 : 1;
}
