/* SPDX-License-Identifier: BSD-3-Clause */
/* test_top_rows.c: a look as text and as data: columns, order, filters (analysis/top/rows.h). */
#include <config.h>

#include <link.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/shown.h"
#include "analysis/top/rows.h"
#include "functions.h"
#include "tests/unit/unit.h"

enum { RANKS = 6, SITE = 5 };

static struct rank rank[RANKS];
static struct rank *by_rank[RANKS];
static struct waiter waiter[RANKS];
static struct top t;
static int32_t all[RANKS] = { 0, 1, 2, 3, 4, 5 };

/* The place of the ranks. */
static ONE_COPY void exchange(void)
{
	all[0] = 0;
}

static int keep_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uintptr_t *)base = info->dlpi_addr;
	return 1; /* the first is the program */
}

/* Defines callsite SITE of a rank: in the function above. */
static void define_place(struct rank *r)
{
	struct {
		struct rec_module module;
		char path[4096];
	} m = { .module = { .head = { .type = REC_MODULE, .id = 1 } } };
	struct {
		struct rec_callsite site;
		struct callsite_frame frame;
	} s = { .site = { .head = { .type = REC_CALLSITE, .id = SITE }, .nframes = 1 } };
	uintptr_t base = 0;

	dl_iterate_phdr(keep_base, &base);
	CU_ASSERT(readlink("/proc/self/exe", m.module.path, sizeof(m.path) - 1) > 0);
	s.frame = (struct callsite_frame){ .module = 1, .offset = (uintptr_t)exchange + 1 - base };
	CU_ASSERT_EQUAL(names_take(t.looker.names, &r->names, &m.module.head), 0);
	CU_ASSERT_EQUAL(names_take(t.looker.names, &r->names, &s.site.head), 0);
}

/*
 * Rank 0 waits for five ranks, of which the text names three. 1 is in a call, 2 computes, and 3 has
 * no CPU. 4 computes after a wait with an unknown cause. 5 died.
 */
static void make_ranks(void)
{
	static const enum rank_state states[RANKS] = { RANK_WAITING, RANK_IN_MPI, RANK_COMPUTING,
		RANK_NO_CPU, RANK_COMPUTING, RANK_DIED };

	memset(rank, 0, sizeof(rank));
	memset(waiter, 0, sizeof(waiter));
	t = (struct top){ .dir = "run", .rank = by_rank, .nranks = RANKS, .waiter = waiter };
	t.looker.names = names_new();
	t.waits.wanted = all;
	for (int i = 0; i < RANKS; i++) {
		struct rank *r = by_rank[i] = &rank[i];

		r->live = (struct live){ .dir = ".",
			.rank = i,
			.state = LIVE_RUNS,
			.pid = 100 + i,
			.host = "node",
			.functions_hash = function_names_hash() };
		r->state = states[i];
		r->for_ns = 3000000000;
		r->known_ns = -1;
		r->callsite = SITE;
		r->peer = r->tag = -1;
		r->wait_share = r->unpredicted_share = i / 10.0;
		r->mpi_share = 0.5 - i / 20.0;
		r->collective_share = r->no_cpu_share = -1;
		r->cpu_share = (i * 7 % 5) / 5.0;
		r->calls_per_s = i * 5 % 3 * 1000000;
		r->bytes_per_s = 0;
		waiter[i] = (struct waiter){ .rank = i, .origin = i, .ring = -1 };
		define_place(r);
	}
	rank[0].call = FN_MPI_Ineighbor_alltoallw;
	rank[0].cause = CAUSE_COLLECTIVE_SKEW;
	waiter[0].nwanted = 5;
	waiter[0].first = 1;
	rank[1].call = FN_MPI_Sendrecv;
	rank[4].late[0] = (struct peer_wait){ 2, CAUSE_NONE, 1000 };
}

static char *print(struct top_view view, enum table_format format, int columns)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_EQUAL_FATAL(top_print(out, &t, &view, format, columns), 0);
	fclose(out);
	return text;
}

/* The table begins behind the lines about the run. */
static const char *table_of(const char *text)
{
	const char *titles = strstr(text, "rank  state");

	CU_ASSERT_PTR_NOT_NULL_FATAL(titles);
	return titles;
}

/* Has each rank's line these words, whole, and none of `without`? */
static void expect_whole(int columns, const char *const *words, const char *without)
{
	char *text = print((struct top_view){ 0 }, TABLE_TEXT, columns);
	const char *table = table_of(text);

	for (; *words; words++)
		if (!strstr(table, *words)) {
			CU_FAIL("a word is missing");
			fprintf(stderr, "no '%s' at %d columns:\n%s\n", *words, columns, text);
		}
	CU_ASSERT_PTR_NULL(strstr(table, without));
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		CU_ASSERT((int)strcspn(line, "\n") <= columns);
	free(text);
}

static void columns_that_are_not_needed_go_first(void)
{
	static const char *const wide[] = { "waiting", "MPI_Ineighbor_alltoallw",
		"1,2,3 and 2 more", "collective_skew", "exchange test_top_rows.c:", "no CPU",
		"  calls per s  ", "  cpu  ", "  wait  ", NULL };
	static const char *const hundred[] = { "  waiting    3.00 s  MPI_Ineighbor_alltoallw",
		"1,2,3 and 2 more  exchange test_top_rows.c:", "no CPU", NULL };
	static const char *const eighty[] = { "  waiting    3.00 s  MPI_Allreduce  1  ",
		"  exchange test_top_rows.c:", "no CPU", NULL };
	static const char *const narrow[] = { "waiting", "  1,2,3 and 2 more  ",
		"..test_top_rows.c:", NULL };

	make_ranks();
	expect_whole(200, wide, "..");
	expect_whole(100, hundred, "cause");
	/* a function's name goes before its file, its line, and ranks */
	expect_whole(80, narrow, "exchange");
	rank[0].call = FN_MPI_Allreduce;
	waiter[0].nwanted = 1;
	expect_whole(80, eighty, "..");
}

/* The ranks of a look as "0,3,", by their lines of CSV. */
static void expect_ranks(enum top_sort sort, enum top_show show, int64_t most, const char *wanted)
{
	char *text = print((struct top_view){ sort, show, most }, TABLE_CSV, 0);
	char got[64] = "";
	size_t used = 0;

	for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1)
		used += (size_t)snprintf(
			got + used, sizeof(got) - used, "%.*s,", (int)strcspn(line, ","), line);
	CU_ASSERT_STRING_EQUAL(got, wanted);
	free(text);
}

static void ranks_come_in_the_order_that_was_asked_for(void)
{
	make_ranks();
	expect_ranks(SORT_RANK, SHOW_ALL, 0, "0,1,2,3,4,5,");
	/* the dead one, the one that waits now, then by shares */
	expect_ranks(SORT_WAIT, SHOW_ALL, 0, "5,0,4,3,2,1,");
	expect_ranks(SORT_MPI, SHOW_ALL, 0, "0,1,2,3,4,5,");
	expect_ranks(SORT_CPU, SHOW_ALL, 0, "2,4,1,3,0,5,");
	expect_ranks(SORT_CALLS, SHOW_ALL, 0, "1,4,2,5,0,3,");
	/* what is unknown comes last */
	rank[1].calls_per_s = -1;
	expect_ranks(SORT_CALLS, SHOW_ALL, 0, "4,2,5,0,3,1,");
}

static void a_filter_leaves_ranks_of_a_state(void)
{
	make_ranks();
	expect_ranks(SORT_RANK, SHOW_WAITING, 0, "0,");
	expect_ranks(SORT_RANK, SHOW_COMPUTING, 0, "2,3,4,");
	expect_ranks(SORT_RANK, SHOW_RUNNING, 0, "0,1,2,3,4,");
	expect_ranks(SORT_RANK, SHOW_ENDED, 0, "5,");
	/* the worst ones, in any order */
	expect_ranks(SORT_RANK, SHOW_ALL, 3, "0,4,5,");
	expect_ranks(SORT_WAIT, SHOW_RUNNING, 2, "0,4,");
	expect_ranks(SORT_RANK, SHOW_ENDED, 3, "5,");
}

/* The part of JSON that begins with `"rank": N`. */
static const char *json_of(const char *text, int n)
{
	char key[32];
	const char *at;

	snprintf(key, sizeof(key), "{\"rank\": %d,", n);
	at = strstr(text, key);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	return at;
}

static void expect_json(int n, const char *pair, bool wanted)
{
	char *text = print((struct top_view){ 0 }, TABLE_JSON, 0);
	char *object = strndup(json_of(text, n), strcspn(json_of(text, n), "}"));

	CU_ASSERT_EQUAL(strstr(object, pair) != NULL, wanted);
	if ((strstr(object, pair) != NULL) != wanted)
		fprintf(stderr, "\n%s\n", object);
	free(object);
	free(text);
}

static void a_wait_without_a_cause_names_its_rank_alone(void)
{
	make_ranks();
	expect_json(4, "\"waits_for\": \"2\", \"cause\": null", true);
	expect_json(0, "\"cause\": \"collective_skew\"", true);
	expect_json(0, "\"waits_for\": \"1,2,3,4,5\"", true);
}

static void an_unknown_share_is_null_and_none_is_zero(void)
{
	make_ranks();
	rank[1].unpredicted_share = -1;
	rank[2].unpredicted_share = 0.0004;
	rank[3].no_cpu_share = 0.75;
	expect_json(0, "\"unpredicted_pct\": 0,", true);
	expect_json(1, "\"unpredicted_pct\": null,", true);
	expect_json(2, "\"unpredicted_pct\": 0,", true);
	expect_json(3, "\"unpredicted_pct\": 30,", true);
	expect_json(3, "\"no_cpu_pct\": 75,", true);
	expect_json(2, "\"no_cpu_pct\": null,", true);
}

/* A file name of six characters, of which each takes two columns, and é, which takes one. */
static void names_with_wide_characters_keep_the_columns(void)
{
	const char *end;

	CU_ASSERT_PTR_NOT_NULL_FATAL(setlocale(LC_CTYPE, "C.UTF-8"));
	CU_ASSERT_EQUAL(shown_columns("計", &end), 2);
	CU_ASSERT_EQUAL(shown_width("計算.c é"), 8);
	CU_ASSERT_EQUAL(shown_width("e\u0301"), 1);
	make_ranks();
	t.far = true;
	snprintf(rank[1].live.host, sizeof(rank[1].live.host), "節点一");
	snprintf(rank[2].live.host, sizeof(rank[2].live.host), "abcdef");
	{
		char *text = print((struct top_view){ 0 }, TABLE_TEXT, 300);
		const char *wide = strstr(text, "\n   1  節点一      -  in MPI  ");
		const char *plain = strstr(text, "\n   2  abcdef      -  computing");

		CU_ASSERT_PTR_NOT_NULL(wide);
		CU_ASSERT_PTR_NOT_NULL(plain);
		if (!wide || !plain)
			fprintf(stderr, "\n%s\n", text);
		free(text);
	}
}

static void no_rank_of_a_circle_is_the_one_waited_for(void)
{
	static int32_t wanted[2] = { 1, 0 };
	char *text;

	make_ranks();
	t.waits.wanted = wanted;
	for (int i = 0; i < 2; i++) {
		waiter[i].waits = true;
		waiter[i].nwanted = 1;
		waiter[i].first = (uint32_t)i;
		waiter[i].origin = 0;
	}
	waiter[0].behind = 1;
	text = print((struct top_view){ 0 }, TABLE_TEXT, 300);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "\nranks 0,1 wait for each other, for 3.00 s so far\nrank 0: "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nrank 1: "));
	CU_ASSERT_PTR_NULL(strstr(text, "1 rank waits for rank 0"));
	free(text);
}

static const struct unit_test tests[] = { { "columns that are not needed go first",
						  columns_that_are_not_needed_go_first },
	{ "ranks come in the order that was asked for",
		ranks_come_in_the_order_that_was_asked_for },
	{ "a filter leaves ranks of a state", a_filter_leaves_ranks_of_a_state },
	{ "a wait without a cause names its rank alone",
		a_wait_without_a_cause_names_its_rank_alone },
	{ "an unknown share is null, and none is zero", an_unknown_share_is_null_and_none_is_zero },
	{ "no rank of a circle is the one that others wait for",
		no_rank_of_a_circle_is_the_one_waited_for },
	{ "names with wide characters keep the columns",
		names_with_wide_characters_keep_the_columns },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("top_rows", tests);
}
