/* SPDX-License-Identifier: BSD-3-Clause */
/* params.c: link parameters of this run. */
#include "pmpi/start/params.h"

#include "pmpi/call/comm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/format/links/row.h"
#include "pmpi/measure/fingerprint.h"
#include "pmpi/dispatch/handles.h"
#include "pmpi/measure/cache.h"
#include "next.h"

static struct link_file rows;
/* lowest rank on hosts of this rank's kind; -1: all hosts are alike */
static int32_t host_kind = -1;

/* Messages of links_read(). */
static void say_instead(void *context, const char *text)
{
	(void)context;
	shim_say("%s; link parameters are %s", text,
		shim.settings.calibrate == CALIBRATE_OFF ? "learned from the messages" :
							   "measured");
}

/* Warns of another machine's parameters: they may be intended, or a mistake. */
static void say_foreign(void)
{
	static const struct {
		const char *key, *what;
	} must[] = { { "cpu", "on another processor" },
		{ "mpi_library", "with another MPI library" },
		{ "settings", "with other settings of the transport" } };
	struct fingerprint here;
	char there[128];

	fingerprint_take(&here, TIER_SELF, "", 0, 1, fingerprint_cpus());
	for (size_t i = 0; i < sizeof(must) / sizeof(*must); i++)
		for (size_t k = 0; k < here.nkeys; k++)
			if (strcmp(here.key[k].key, must[i].key) == 0 &&
				links_differ(
					shim.settings.links, &here.key[k], there, sizeof(there)))
				shim_say("'%s' was measured %s (%s): what it predicts need not "
					 "hold here",
					shim.settings.links, must[i].what,
					there[0] ? there : "none");
}

/* Rank 0 reads the user's file and sends its rows to all; if it cannot, it prints why. */
static void from_file(void)
{
	struct link_file file = { .nlinks = 0 };
	int32_t n = -1;

	if (shim.rank == 0) {
		const struct say instead = { .line = say_instead };
		int error = links_read(shim.settings.links, NULL, 0, &file, &instead);

		if (error == 0) {
			n = (int32_t)file.nlinks;
			say_foreign();
		} else if (error == -ENOENT) {
			say_line(&instead, "cannot read '%s': %s", shim.settings.links,
				strerror(-error));
		}
		for (int32_t i = 0; i < n; i++)
			snprintf(file.link[i].source, sizeof(file.link[i].source), "file");
	}
	pnext.MPI_Bcast(&n, 1, H(MPI_INT32_T), 0, comm_all);
	if (n < 0)
		return;
	if (shim.rank != 0) {
		file.link = calloc((size_t)n + 1, sizeof(*file.link));
		file.nlinks = file.link ? (size_t)n : 0;
	}
	/* A rank without memory for a few rows still takes part in the collective calls. */
	for (int32_t i = 0; i < n; i++) {
		struct rec_link row = { .value = 0 };

		if (shim.rank == 0)
			row = file.link[i];
		pnext.MPI_Bcast(&row, sizeof(row), H(MPI_BYTE), 0, comm_all);
		if (file.link)
			file.link[i] = row;
	}
	rows = file;
}

/* If the user named the folder and it cannot be made, one line says so. */
static void look_at_cache(struct measure_cache *cache)
{
	int error;

	if (shim.rank != 0 || !shim.settings.cache)
		return;
	measure_cache_find(cache, TIER_SELF, "", 0);
	error = links_cache_make(&cache->place);
	if (error)
		shim_say("cannot keep link parameters in '%s': %s; they are measured in each run",
			shim.settings.cache, strerror(-error));
}

/* The tiers that these rows can predict, as bits; rank 0's answer holds for all ranks. */
static unsigned tiers_known(const struct measure *m)
{
	unsigned known = 0;

	for (int tier = 0; tier < TIER_COUNT; tier++)
		if (rows.nlinks &&
			live_link_from_rows(rows.link, rows.nlinks, tier, &shim.link[tier]) == 0 &&
			shim.link[tier].flags & LIVE_KNOWN_TIME)
			known |= 1u << tier;
	pnext.MPI_Bcast(&known, sizeof(known), H(MPI_BYTE), 0, m->comm);
	for (int tier = 0; shim.rank == 0 && rows.nlinks && tier < TIER_COUNT; tier++)
		if (m->pair[tier][0] >= 0 && !(known & 1u << tier))
			shim_say("'%s' lacks the times of %s links; this run measures them",
				shim.settings.links, link_tier_name((uint32_t)tier));
	return known;
}

/* Keeps the file's rows of the tiers it knows, before the measured rows of the others. */
static void keep_known(struct link_file *file, unsigned known)
{
	size_t n = 0;

	for (size_t i = 0; file->link && i < file->nlinks; i++)
		if (file->link[i].head.id < TIER_COUNT && known & 1u << file->link[i].head.id)
			file->link[n++] = file->link[i];
	file->nlinks = n;
}

/*
 * The leader of each tier reads the cache, so several leaders may meet the same fault. Only the
 * lowest of these ranks prints, and only its first message.
 */
static void say_of_cache(const struct measure *m, const struct say_list *heard)
{
	const int own = heard->used ? m->rank : m->nranks;
	int speaker = own;

	pnext.MPI_Allreduce(&own, &speaker, 1, H(MPI_INT), H(MPI_MIN), m->comm);
	if (heard->used && speaker == own)
		shim_say("%s", say_list_next(heard, NULL));
}

/* Returns the tiers that were not measured, as bits: the file has them, or an error occurred. */
static unsigned measure(struct measure *m, const struct say *say)
{
	struct measure_cache cache;
	struct say_list heard;
	struct measure_options options = { .arg = &cache, .known_tiers = tiers_known(m) };
	size_t max = MEASURE_ROWS_ALL, n = 0;
	struct rec_link *fresh;
	int error;

	measure_cache_init(&cache, shim.settings.cache, m);
	say_list_init(&heard);
	cache.say = &heard.say;
	cache.write_say = shim.settings.messages == MESSAGES_VERBOSE ? say : NULL;
	if (!measure_cache_off(shim.settings.cache)) {
		look_at_cache(&cache);
		options.stored = measure_cache_stored;
		options.confirmed = measure_cache_confirmed;
		options.store = measure_cache_store;
	}
	/* All ranks must take part: if one has no memory for the rows, none measures. */
	keep_known(&rows, options.known_tiers);
	fresh = realloc(rows.link, (rows.nlinks + max) * sizeof(*rows.link));
	if (fresh) {
		memset(fresh + rows.nlinks, 0, max * sizeof(*fresh));
		rows.link = fresh;
	}
	error = fresh ? 0 : -ENOMEM;
	pnext.MPI_Allreduce(MPI_IN_PLACE, &error, 1, H(MPI_INT), H(MPI_MIN), m->comm);
	if (error == 0)
		error = measure_quick(m, &options, rows.link + rows.nlinks, max, &n);
	measure_cache_release(&cache);
	say_of_cache(m, &heard);
	if (error == 0)
		rows.nlinks += n;
	else if (shim.rank == 0)
		shim_say("link parameters could not be measured (%s); waits are not predicted",
			strerror(-error));
	fresh = realloc(rows.link, (rows.nlinks + 1) * sizeof(*rows.link));
	if (fresh)
		rows.link = fresh;
	return error ? ~0u : options.known_tiers;
}

/*
 * The links to other kinds of hosts are known only if the network was measured. Otherwise one link
 * stands for all other hosts.
 */
static void take_links(const struct measure *m, bool measured_network)
{
	for (int r = 0; r < shim.nranks; r++)
		if (!measured_network && shim.peer[r] > TIER_NETWORK)
			shim.peer[r] = TIER_NETWORK;
	for (unsigned link = 0; link < LINK_COUNT; link++) {
		shim.link_peer[link] = measured_network ? measure_link_peer(m, link) : -1;
		shim.have_link[link] = rows.nlinks &&
			(link < TIER_COUNT || shim.link_peer[link] >= 0) &&
			live_link_to(rows.link, rows.nlinks, (int)link_tier_of(link),
				shim.link_peer[link], &shim.link[link]) == 0;
	}
}

int params_start(MPI_Comm own, const struct say *say, struct host_tree *hosts)
{
	bool measures = own != H(MPI_COMM_NULL);
	struct measure m = {
		.mpi = &pnext, .comm = measures ? own : comm_all, .tells_kinds = true
	};
	unsigned known = 1u << TIER_NETWORK;
	int error = measure_tiers(&m);

	if (error)
		return -1;
	shim.peer = m.link_of;
	*hosts = m.hosts;
	if (shim.settings.links)
		from_file();
	if (measures)
		known = measure(&m, say);
	take_links(&m, !(known & 1u << TIER_NETWORK));
	if (m.joins.nkinds > 1)
		host_kind = m.joins.kind_rank[m.kind];
	m.link_of = NULL; /* ours now */
	measure_release(&m);
	return 0;
}

void params_emit(struct thread *t)
{
	for (size_t i = 0; i < rows.nlinks; i++)
		record_append(t, &rows.link[i]);
	if (host_kind >= 0)
		record_key_number(t, "host_kind", host_kind);
}
