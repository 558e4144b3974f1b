/* SPDX-License-Identifier: BSD-3-Clause */
/* sql_functions.c: SQL functions that make sentences of numbers. */
#include "analysis/text/sql_functions.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/text/causes.h"
#include "analysis/text/table.h"
#include "fnv.h"
#include "functions.h"
#include "layouts.h"

enum { CPUS_MAX = 8192 };

/* short_file(path): its last part. */
static void short_file(sqlite3_context *context, int n, sqlite3_value **value)
{
	const char *path = (const char *)sqlite3_value_text(value[0]), *slash;

	(void)n;
	if (!path)
		return;
	slash = strrchr(path, '/');
	sqlite3_result_text(context, slash ? slash + 1 : path, -1, SQLITE_TRANSIENT);
}

static void duration(sqlite3_context *context, int n, sqlite3_value **value)
{
	char text[32];

	(void)n;
	if (sqlite3_value_type(value[0]) != SQLITE_NULL)
		sqlite3_result_text(context,
			duration_text(sqlite3_value_double(value[0]), text, sizeof text), -1,
			SQLITE_TRANSIENT);
}

static void size_of(sqlite3_context *context, int n, sqlite3_value **value)
{
	char text[32];

	(void)n;
	if (sqlite3_value_type(value[0]) != SQLITE_NULL)
		sqlite3_result_text(context,
			bytes_text(sqlite3_value_double(value[0]), text, sizeof text), -1,
			SQLITE_TRANSIENT);
}

/* The remedy in a few words. `name`: a cause, other advice, or a remedy that was replayed. */
static const char *helps_in_words(const char *name)
{
	static const struct {
		const char *advice, *helps;
	} all[] = {
		{ "stay_awake", "shorten the sleep" },
		{ "balance", "balance the work" },
		{ "steady", "steady the work" },
		{ "send_first", "send it first" },
		{ "raise_S", "raise S" },
		{ "post_early", "post receive earlier" },
		{ "call_meanwhile", "call MPI more often" },
		{ "balance_all", "balance all work" },
		{ "send_nonblocking", "MPI_Isend" },
		{ "receive_next_first", "work on what came" },
		{ "receive_later", "MPI_Irecv" },
		{ "not_predicted", "(at most) --links" },
	};

	for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
		if (strcmp(all[i].advice, name) == 0)
			return all[i].helps;
	return cause_find(name)->helps;
}

static void helps(sqlite3_context *context, int n, sqlite3_value **value)
{
	(void)n;
	sqlite3_result_text(context, helps_in_words((const char *)sqlite3_value_text(value[0])), -1,
		SQLITE_STATIC);
}

/* 1 where the call is MPI_ and one of these names, else 0. */
static void is_one_of(
	sqlite3_context *context, sqlite3_value *value, const char *const *names, size_t n)
{
	const char *call = (const char *)sqlite3_value_text(value);
	int found = 0;

	for (size_t i = 0; call && strncmp(call, "MPI_", 4) == 0 && i < n; i++)
		found |= strcmp(call + 4, names[i]) == 0;
	sqlite3_result_int(context, found);
}

/* is_polling('MPI_Iprobe'): 1: it returns whether or not what it asks for is there. */
static void is_polling(sqlite3_context *context, int n, sqlite3_value **value)
{
	static const char *const names[] = { "Iprobe", "Improbe", "Test", "Testall", "Testany",
		"Testsome", "Request_get_status", "Request_get_status_all",
		"Request_get_status_any", "Request_get_status_some", "Parrived", "Win_test" };

	(void)n;
	is_one_of(context, value[0], names, sizeof names / sizeof *names);
}

/* is_query('MPI_Comm_rank'): 1: it only asks the library. */
static void is_query(sqlite3_context *context, int n, sqlite3_value **value)
{
	static const char *const names[] = { "Wtime", "Wtick", "Initialized", "Finalized",
		"Query_thread", "Is_thread_main", "Get_processor_name", "Get_version", "Comm_rank",
		"Comm_size", "Comm_remote_size", "Comm_compare", "Comm_test_inter", "Comm_get_attr",
		"Comm_get_name", "Group_rank", "Group_size", "Group_compare",
		"Group_translate_ranks", "Cart_coords", "Cart_get", "Cart_rank", "Cart_shift",
		"Cartdim_get", "Topo_test", "Get_count", "Get_count_c", "Get_elements",
		"Get_elements_c", "Get_elements_x", "Status_get_source", "Status_get_tag",
		"Status_get_error", "Test_cancelled", "Get_address", "Aint_add", "Aint_diff",
		"Type_size", "Type_size_c", "Type_size_x", "Type_extent", "Type_get_extent",
		"Type_get_extent_c", "Type_get_extent_x", "Type_get_true_extent",
		"Type_get_true_extent_c" };

	(void)n;
	is_one_of(context, value[0], names, sizeof names / sizeof *names);
}

static enum function_kind kind_of(sqlite3_value *value)
{
	const char *call = (const char *)sqlite3_value_text(value);

	return call ? function_kind(function_by_name(call)) : FUNCTION_OTHER;
}

/*
 * is_other('MPI_Win_fence'): 1. The function is one-sided, works on files, frees a communicator, or
 * makes one without a parent.
 */
static void is_other(sqlite3_context *context, int n, sqlite3_value **value)
{
	enum function_kind kind = kind_of(value[0]);

	(void)n;
	sqlite3_result_int(context,
		kind == FUNCTION_ONE_SIDED || kind == FUNCTION_FILE || kind == FUNCTION_COMM);
}

/*
 * is_collective('MPI_Ialltoallv'): 1. The forms _c and _init, nonblocking ones, and MPI_Comm_dup
 * count too.
 */
static void is_collective(sqlite3_context *context, int n, sqlite3_value **value)
{
	(void)n;
	sqlite3_result_int(context, kind_of(value[0]) == FUNCTION_COLLECTIVE);
}

/* rank_list(rank): "0-3,7,9" of the ranks of a group that come in ascending order. */
struct ranks {
	int64_t first, last; /* the range at hand */
	int n;               /* of ranks */
	char text[64];       /* the ranges before */
	bool cut;
};

static void close_range(struct ranks *r)
{
	size_t at = strlen(r->text);
	char range[48];

	if (r->first == r->last)
		snprintf(range, sizeof range, "%s%lld", at ? "," : "", (long long)r->first);
	else
		snprintf(range, sizeof range, "%s%lld%s%lld", at ? "," : "", (long long)r->first,
			r->last == r->first + 1 ? "," : "-", (long long)r->last);
	if (r->cut || at + strlen(range) + 4 > sizeof r->text) {
		r->cut = true;
		return;
	}
	strcat(r->text, range);
}

static void rank_list_step(sqlite3_context *context, int n, sqlite3_value **value)
{
	struct ranks *r = sqlite3_aggregate_context(context, sizeof *r);
	int64_t rank = sqlite3_value_int64(value[0]);

	(void)n;
	if (!r || (r->n && rank == r->last))
		return;
	if (r->n++ == 0) {
		r->first = r->last = rank;
	} else if (rank > r->last && rank - 1 == r->last) {
		r->last = rank;
	} else {
		close_range(r);
		r->first = r->last = rank;
	}
}

static void rank_list_final(sqlite3_context *context)
{
	struct ranks *r = sqlite3_aggregate_context(context, 0);

	if (!r)
		return;
	close_range(r);
	if (r->cut)
		strcat(r->text, "...");
	sqlite3_result_text(context, r->text, -1, SQLITE_TRANSIENT);
}

/* cpu_count(core_map): how many processors stand in any of a group's lists "0-3,8". */
struct cpus {
	uint64_t seen[CPUS_MAX / 64];
};

static void cpu_count_step(sqlite3_context *context, int n, sqlite3_value **value)
{
	struct cpus *c = sqlite3_aggregate_context(context, sizeof *c);
	const char *list = (const char *)sqlite3_value_text(value[0]);

	(void)n;
	while (c && list && *list) {
		char *end;
		long first = strtol(list, &end, 10),
		     last = *end == '-' ? strtol(end + 1, &end, 10) : first;

		for (long i = first; i >= 0 && i <= last && i < CPUS_MAX; i++)
			c->seen[i / 64] |= (uint64_t)1 << i % 64;
		list = *end == ',' ? end + 1 : "";
	}
}

static void cpu_count_final(sqlite3_context *context)
{
	struct cpus *c = sqlite3_aggregate_context(context, 0);
	int n = 0;

	for (int i = 0; c && i < CPUS_MAX; i++)
		n += (int)(c->seen[i / 64] >> i % 64 & 1);
	sqlite3_result_int(context, n);
}

static uint64_t hash(uint64_t seed, const void *data, size_t bytes)
{
	const uint64_t h = fnv_bytes(seed, data, bytes);

	return h ^ h >> 29;
}

/* link_key(name, value, source): equal for groups whose parameters in the report are equal. */
struct link_key {
	uint64_t sum;
	uint64_t sources; /* a set */
};

static void link_key_step(sqlite3_context *context, int n, sqlite3_value **value)
{
	static const char *const shown[] = { "o", "one_way", "rendezvous", "G_s", "G_l", "s", "S_p",
		"S" };
	struct link_key *k = sqlite3_aggregate_context(context, sizeof *k);
	const char *name = (const char *)sqlite3_value_text(value[0]);
	const char *source = (const char *)sqlite3_value_text(value[2]);
	double x = sqlite3_value_double(value[1]);

	(void)n;
	if (!k)
		return;
	if (source)
		k->sources |= (uint64_t)1 << hash(1, source, strlen(source)) % 64;
	if (!name || sqlite3_value_type(value[1]) == SQLITE_NULL)
		return;
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (strcmp(name, shown[i]) == 0)
			k->sum += hash(i + 2, &x, sizeof x);
}

static void link_key_final(sqlite3_context *context)
{
	struct link_key *k = sqlite3_aggregate_context(context, 0);

	if (k)
		sqlite3_result_int64(
			context, (int64_t)(k->sum ^ hash(1, &k->sources, sizeof k->sources)));
}

/* first_id(rank), last_id(rank): the lowest and the highest id of the rank's rows with an op_key.
 */
static void id_of_rank(sqlite3_context *context, int n, sqlite3_value **value)
{
	const bool *is_last = sqlite3_user_data(context);
	int64_t rank = sqlite3_value_int64(value[0]);

	(void)n;
	if (sqlite3_value_type(value[0]) != SQLITE_NULL)
		sqlite3_result_int64(context,
			(int64_t)((uint64_t)rank << OP_KEY_RANK_AT) |
				(*is_last ? OP_KEY_N_MASK : 0));
}

/* rank_of(id): the rank of a row with that id. */
static void rank_of(sqlite3_context *context, int n, sqlite3_value **value)
{
	(void)n;
	if (sqlite3_value_type(value[0]) != SQLITE_NULL)
		sqlite3_result_int64(context, op_key_rank(sqlite3_value_int64(value[0])));
}

/* power_of_two(n), n of 0 to 62. */
static void power_of_two(sqlite3_context *context, int n, sqlite3_value **value)
{
	int64_t power = sqlite3_value_int64(value[0]);

	(void)n;
	sqlite3_result_int64(context, power >= 0 && power < 63 ? INT64_C(1) << power : 0);
}

int sql_functions_add(sqlite3 *db)
{
	static bool first = false, last = true;
	static const struct db_function functions[] = {
		{ "short_file", 1, .call = short_file },
		{ "duration", 1, .call = duration },
		{ "size", 1, .call = size_of },
		{ "helps", 1, .call = helps },
		{ "is_collective", 1, .call = is_collective },
		{ "is_query", 1, .call = is_query },
		{ "is_polling", 1, .call = is_polling },
		{ "is_other", 1, .call = is_other },
		{ "cpu_count", 1, .step = cpu_count_step, .end = cpu_count_final },
		{ "link_key", 3, .step = link_key_step, .end = link_key_final },
		{ "rank_list", 1, .step = rank_list_step, .end = rank_list_final },
		{ "first_id", 1, .call = id_of_rank, .context = &first },
		{ "last_id", 1, .call = id_of_rank, .context = &last },
		{ "rank_of", 1, .call = rank_of },
		{ "power_of_two", 1, .call = power_of_two },
		{ .name = NULL },
	};

	return db_add_functions(db, functions);
}
