/* SPDX-License-Identifier: BSD-3-Clause */
/* wrappers.c: all wrappers of one MPI. */
#include "pmpi/wrap/recording.h"
#include "pmpi/call/call.h"
#include "pmpi/dispatch/handles.h"
#include "next.h"
#include "pmpi/dispatch/next_fill.h"
#include "pmpi/call/object.h"
#include "pmpi/wrap/collective.h"
#include "pmpi/wrap/communicator.h"
#include "pmpi/wrap/environment.h"
#include "pmpi/wrap/matched.h"
#include "pmpi/wrap/p2p.h"
#include "pmpi/wrap/request.h"
#include "pmpi/site/site.h"

#include "wrap_full.h"
#include "wrappers.h"

bool unframed_inside;

enum { COST_CALLS = 40, COST_BATCHES = 8 };

typedef int rank_function(MPI_Comm, int *);
typedef int send_function(const void *, int, MPI_Datatype, int, int, MPI_Comm);

/*
 * The time of wrapped calls beyond the time that they record for themselves [ticks]. The fastest
 * batch counts, since the operating system disturbs the others.
 */
static uint64_t time_calls(
	const struct thread *t, rank_function *rank, send_function *send, int batches, int calls)
{
	uint64_t best = UINT64_MAX;
	int mine;

	for (int batch = 0; batch < batches; batch++) {
		uint64_t ticks = clock_ticks(), own = t->sum ? t->sum->ticks : 0;

		for (int i = 0; i < calls; i++) {
			if (rank)
				rank(comm_all, &mine);
			else
				send(NULL, 0, H(MPI_BYTE), MPI_PROC_NULL, 0, comm_all);
		}
		ticks = clock_ticks() - ticks;
		own = t->sum->ticks - own;
		if (ticks - own < best)
			best = ticks - own;
	}
	return best;
}

/* After a first call from the same place, which makes the callsite. */
static double cost_ns(const struct thread *t, rank_function *rank, send_function *send)
{
	return (double)clock_ns(time_calls(t, rank, send, COST_BATCHES, COST_CALLS)) / COST_CALLS;
}

void wrappers_cost(struct thread *t, double *call_ns, double *op_ns)
{
	uint64_t head, ops = ring_file->ops;
	uint32_t rows = t->in_ring[TABLE_OP];
	const uint64_t room = (COST_CALLS * COST_BATCHES + 64) * sizeof(struct rec_op);

	*call_ns = *op_ns = 0;
	if (t->head + room > t->limit)
		ring_flush(t);
	if (t->head + room > t->limit)
		return;
	/*
	 * New callsites and modules stay defined; the calls themselves are taken back. They use the
	 * PMPI entries, so that a tool behind us does not count them.
	 */
	time_calls(t, PMPI_Comm_rank_w, NULL, 1, 1);
	*call_ns = cost_ns(t, PMPI_Comm_rank_w, NULL);
	memset(t->sum, 0, sizeof(*t->sum));
	time_calls(t, NULL, PMPI_Send_w, 1, 1);
	head = t->head - sizeof(struct rec_op);
	*op_ns = cost_ns(t, NULL, PMPI_Send_w);
	memset(t->sum, 0, sizeof(*t->sum));
	t->head = head;
	t->in_ring[TABLE_OP] = rows;
	t->shapes_epoch++;
	ring_file->ops = ops;
	record_commit(t, 0);
}

__attribute__((visibility("default"))) int tryst_shim_load(
	const struct shim_host *host, const struct shim_entry **entries, size_t *count)
{
	struct shim_entry *chosen = shim_entries;

	if (host->version != SHIM_VERSION || host->functions_hash != function_names_hash())
		return SHIM_OTHER_VERSION;
	next_fill(host->function);
	if (handles_fill(host->data) != 0)
		return SHIM_NO_HANDLE;
	if (site_is_wanted()) {
		chosen = site_entries(count);
	} else {
		phase_lend(host->marks);
		*count = sizeof(shim_entries) / sizeof(*shim_entries);
	}
	next_drop(chosen, *count);
	*entries = chosen;
	return SHIM_OK;
}
