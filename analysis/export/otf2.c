/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * otf2.c: a run as an OTF2 archive, for Vampir, Score-P's tools, otf2-print.
 *
 * A rank is a process, a thread of it a location; calls of MPI are regions within one region that
 * stands for the program. Where a call was made from is an attribute of its Enter ("callsite",
 * and "source" where the line is known); what it waited, and why, are attributes of its Leave.
 * Metrics also have the wait and the prediction, at the time of the Leave.
 */
#include <config.h>

#include "analysis/export/export.h"

#ifdef HAVE_OTF2

#include "analysis/export/comms.h"
#include "analysis/format/db/db.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <otf2/otf2.h>

/* Chunks of the archive [bytes]: a writer keeps one. */
enum { EVENT_CHUNK = 1 << 20, DEFINITION_CHUNK = 4 << 20, THREADS_A_RANK = 1 << 16 };
enum { METRIC_WAIT, METRIC_PREDICTED, METRICS };
enum { ATTRIBUTE_CALLSITE, ATTRIBUTE_SOURCE, ATTRIBUTE_WAIT, ATTRIBUTE_CAUSE };
enum { GROUP_LOCATIONS, GROUP_SELF, GROUPS }; /* then one for each communicator */
enum { COMM_REF_SELF, COMM_REFS };            /* then the communicators */

/*
 * Definitions of a kind are numbered from 0 without gaps. Strings that events refer to come first:
 * places, then causes.
 */
struct otf2 {
	struct export_run *run;
	struct export_comms comms;
	OTF2_Archive *archive;
	OTF2_EvtWriter *writer;
	OTF2_GlobalDefWriter *defs;
	OTF2_AttributeList *attributes;
	uint32_t rank_index;
	uint32_t nstrings; /* given out */
	uint64_t *events;  /* by location, in the order of ranks and threads */
	uint32_t *region;  /* by number of the call */
	uint32_t *source;  /* by number of the place */
	uint32_t program;  /* its region */
	/* of that region on this thread; end_ns grows with the events */
	int64_t begin_ns, end_ns;
	bool entered;
	OTF2_ErrorCode error;
};

static uint32_t cause_string(const struct otf2 *o, uint32_t cause)
{
	return o->run->nplaces + cause;
}

static OTF2_LocationRef location_of(int32_t rank, uint32_t thread)
{
	return (OTF2_LocationRef)rank * THREADS_A_RANK + thread;
}

static bool has_name(const struct export_run *run, uint32_t call)
{
	return call < run->ncalls && run->call_name[call] && *run->call_name[call];
}

/* Numbers of regions and source lines, before the first event. */
static int number_definitions(struct otf2 *o)
{
	uint32_t sources = 0;

	o->region = calloc(o->run->ncalls + 1, sizeof(*o->region));
	o->source = calloc(o->run->nplaces + 1, sizeof(*o->source));
	if (!o->region || !o->source)
		return -ENOMEM;
	for (uint32_t i = 0; i < o->run->ncalls; i++)
		if (has_name(o->run, i))
			o->region[i] = o->program++;
	for (uint32_t i = 0; i < o->run->nplaces; i++)
		if (o->run->place[i].file)
			o->source[i] = sources++;
	return 0;
}

/* A call without a name counts as the program's. Only damaged files have such calls. */
static uint32_t region_of(const struct otf2 *o, uint32_t call)
{
	return has_name(o->run, call) ? o->region[call] : o->program;
}

static OTF2_FlushType pre_flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data;
	(void)type;
	(void)location;
	(void)caller;
	(void) final;
	return OTF2_FLUSH;
}

/* Keeps the first error. */
static void note(struct otf2 *o, OTF2_ErrorCode code)
{
	if (o->error == OTF2_SUCCESS)
		o->error = code;
}

/* Keeps OTF2's first error, instead of OTF2's own lines on stderr for its developers. */
static OTF2_ErrorCode keep_error(void *context, const char *file, uint64_t line,
	const char *function, OTF2_ErrorCode code, const char *format, va_list args)
{
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)args;
	note(context, code);
	return code;
}

/* ---- events */

static OTF2_CollectiveOp collective_op(const char *call)
{
	static const struct {
		const char *name;
		OTF2_CollectiveOp op;
	} ops[] = {
		{ "barrier", OTF2_COLLECTIVE_OP_BARRIER },
		{ "bcast", OTF2_COLLECTIVE_OP_BCAST },
		{ "gather", OTF2_COLLECTIVE_OP_GATHER },
		{ "gatherv", OTF2_COLLECTIVE_OP_GATHERV },
		{ "scatter", OTF2_COLLECTIVE_OP_SCATTER },
		{ "scatterv", OTF2_COLLECTIVE_OP_SCATTERV },
		{ "allgather", OTF2_COLLECTIVE_OP_ALLGATHER },
		{ "allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV },
		{ "alltoall", OTF2_COLLECTIVE_OP_ALLTOALL },
		{ "alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV },
		{ "alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW },
		{ "allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE },
		{ "reduce", OTF2_COLLECTIVE_OP_REDUCE },
		{ "reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER },
		{ "reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK },
		{ "scan", OTF2_COLLECTIVE_OP_SCAN },
		{ "exscan", OTF2_COLLECTIVE_OP_EXSCAN },
	};
	char name[64];
	size_t n;

	if (!call || strncmp(call, "MPI_", 4) != 0)
		return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
	snprintf(name, sizeof name, "%s", call + 4);
	n = strlen(name);
	if (n > 2 && strcmp(name + n - 2, "_c") == 0)
		name[n - 2] = '\0';
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (strcasecmp(name, ops[i].name) == 0 ||
			(name[0] == 'I' && strcasecmp(name + 1, ops[i].name) == 0))
			return ops[i].op;
	return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
}

static const char *call_name(const struct otf2 *o, uint32_t call)
{
	return has_name(o->run, call) ? o->run->call_name[call] : "";
}

static OTF2_ErrorCode write_enter(struct otf2 *o, const struct export_event *e)
{
	const struct export_place *place = &o->run->place[e->place];

	if (e->place) {
		note(o,
			OTF2_AttributeList_AddStringRef(
				o->attributes, ATTRIBUTE_CALLSITE, e->place));
		if (place->file)
			note(o,
				OTF2_AttributeList_AddSourceCodeLocationRef(
					o->attributes, ATTRIBUTE_SOURCE, o->source[e->place]));
	}
	return OTF2_EvtWriter_Enter(
		o->writer, o->attributes, (OTF2_TimeStamp)e->at_ns, region_of(o, e->call));
}

/* A value at the end of a call. */
static void write_metric(struct otf2 *o, const struct export_event *e, uint32_t metric, int64_t ns)
{
	const OTF2_Type type = OTF2_TYPE_INT64;
	const OTF2_MetricValue value = { .signed_int = ns };

	note(o,
		OTF2_EvtWriter_Metric(
			o->writer, NULL, (OTF2_TimeStamp)e->at_ns, metric, 1, &type, &value));
}

/* For calls that complete messages, and collectives that waited. */
static void write_metrics(struct otf2 *o, const struct export_event *e)
{
	int64_t wait_ns = e->wait_ns > 0 ? e->wait_ns : 0;

	for (uint32_t i = 0; i < e->nwaits; i++)
		wait_ns += e->wait[i].until_ns - e->wait[i].from_ns;
	if (e->blocked_ns >= 0 || wait_ns > 0)
		write_metric(o, e, METRIC_WAIT, wait_ns);
	if (e->predicted_ns >= 0)
		write_metric(o, e, METRIC_PREDICTED, e->predicted_ns);
}

static OTF2_ErrorCode write_leave(struct otf2 *o, const struct export_event *e)
{
	write_metrics(o, e);
	if (e->wait_ns > 0) {
		note(o, OTF2_AttributeList_AddInt64(o->attributes, ATTRIBUTE_WAIT, e->wait_ns));
		if (e->cause && e->cause < o->run->ncauses)
			note(o,
				OTF2_AttributeList_AddStringRef(
					o->attributes, ATTRIBUTE_CAUSE, cause_string(o, e->cause)));
	}
	return OTF2_EvtWriter_Leave(
		o->writer, o->attributes, (OTF2_TimeStamp)e->at_ns, region_of(o, e->call));
}

/* The communicator of an event as OTF2 numbers it, and the peer's (or root's) rank in it. */
static OTF2_CommRef comm_of(const struct otf2 *o, const struct export_event *e, uint32_t *peer)
{
	uint32_t comm = export_comm_of(&o->comms, o->rank_index, e->comm);
	int32_t rank;

	*peer = OTF2_UNDEFINED_UINT32;
	if (comm == EXPORT_COMM_SELF) {
		if (e->peer >= 0)
			*peer = 0;
		return COMM_REF_SELF;
	}
	rank = e->peer < 0 ? -1 : export_comm_rank(&o->comms, comm, e->peer);
	/* as far as is known, the peer is no member */
	if (e->peer >= 0 && rank < 0) {
		comm = EXPORT_COMM_WORLD;
		rank = export_comm_rank(&o->comms, comm, e->peer);
	}
	if (rank >= 0)
		*peer = (uint32_t)rank;
	return COMM_REFS + comm;
}

static OTF2_ErrorCode write_message(struct otf2 *o, const struct export_event *e)
{
	const OTF2_TimeStamp at = (OTF2_TimeStamp)e->at_ns;
	const uint32_t tag = (uint32_t)e->tag;
	uint32_t peer;
	const OTF2_CommRef comm = comm_of(o, e, &peer);

	switch (e->kind) {
	case EXPORT_SEND:
		return OTF2_EvtWriter_MpiSend(o->writer, NULL, at, peer, comm, tag, e->bytes);
	case EXPORT_RECV:
		return OTF2_EvtWriter_MpiRecv(o->writer, NULL, at, peer, comm, tag, e->bytes);
	case EXPORT_SEND_POST:
		return OTF2_EvtWriter_MpiIsend(
			o->writer, NULL, at, peer, comm, tag, e->bytes, e->request);
	case EXPORT_SEND_DONE:
		return OTF2_EvtWriter_MpiIsendComplete(o->writer, NULL, at, e->request);
	case EXPORT_RECV_POST:
		return OTF2_EvtWriter_MpiIrecvRequest(o->writer, NULL, at, e->request);
	case EXPORT_RECV_DONE:
		return OTF2_EvtWriter_MpiIrecv(
			o->writer, NULL, at, peer, comm, tag, e->bytes, e->request);
	default:
		return OTF2_EvtWriter_MpiRequestCancelled(o->writer, NULL, at, e->request);
	}
}

static OTF2_ErrorCode write_collective(struct otf2 *o, const struct export_event *e)
{
	const OTF2_TimeStamp at = (OTF2_TimeStamp)e->at_ns;
	const OTF2_CollectiveOp op = collective_op(call_name(o, e->call));
	uint32_t root;
	const OTF2_CommRef comm = comm_of(o, e, &root);

	switch (e->kind) {
	case EXPORT_COLL_BEGIN:
		return OTF2_EvtWriter_MpiCollectiveBegin(o->writer, NULL, at);
	case EXPORT_COLL_END:
		return OTF2_EvtWriter_MpiCollectiveEnd(
			o->writer, NULL, at, op, comm, root, e->bytes, e->recv_bytes);
	case EXPORT_COLL_POST:
		return OTF2_EvtWriter_NonBlockingCollectiveRequest(o->writer, NULL, at, e->request);
	default:
		return OTF2_EvtWriter_NonBlockingCollectiveComplete(
			o->writer, NULL, at, op, comm, root, e->bytes, e->recv_bytes, e->request);
	}
}

/* The program's region begins no later than its first call. */
static void enter_program(struct otf2 *o, int64_t at_ns)
{
	if (!o->entered)
		note(o, OTF2_EvtWriter_Enter(o->writer, NULL, (OTF2_TimeStamp)at_ns, o->program));
	o->entered = true;
}

static int write_event(void *context, const struct export_event *e)
{
	struct otf2 *o = context;

	enter_program(o, e->at_ns < o->begin_ns ? e->at_ns : o->begin_ns);
	if (e->at_ns > o->end_ns)
		o->end_ns = e->at_ns;
	switch (e->kind) {
	case EXPORT_ENTER:
		note(o, write_enter(o, e));
		break;
	case EXPORT_LEAVE:
		note(o, write_leave(o, e));
		break;
	case EXPORT_COLL_BEGIN:
	case EXPORT_COLL_END:
	case EXPORT_COLL_POST:
	case EXPORT_COLL_DONE:
		note(o, write_collective(o, e));
		break;
	default:
		note(o, write_message(o, e));
	}
	return o->error == OTF2_SUCCESS ? 0 : -EIO;
}

/* Readers of the archive expect a file of each location, also of a rank that left nothing. */
static void write_nothing(struct otf2 *o, OTF2_LocationRef location)
{
	OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(o->archive, location);

	note(o, w ? OTF2_Archive_CloseEvtWriter(o->archive, w) : OTF2_ERROR_PROCESSED_WITH_FAULTS);
}

/*
 * One location's file. The program's region lasts from the end of MPI_Init to the rank's end. If a
 * part is exported, it lasts as long as the part and the calls that reach beyond: outside, nothing
 * is known to be computation.
 */
static int write_thread(
	struct otf2 *o, const struct export_rank *rank, uint32_t thread, uint64_t *events)
{
	uint32_t index = (uint32_t)(rank - o->run->rank);
	int rc;

	o->rank_index = index;
	o->entered = false;
	o->begin_ns = export_time(o->run, index, 0);
	if (o->begin_ns < o->run->from_ns)
		o->begin_ns = o->run->from_ns;
	o->end_ns = rank->end_ns;
	if (o->run->to_ns && o->end_ns > o->run->to_ns)
		o->end_ns = o->run->to_ns;
	if (o->end_ns < o->begin_ns)
		o->end_ns = o->begin_ns;
	if (rank->left_out) {
		write_nothing(o, location_of(rank->rank, thread));
		return o->error == OTF2_SUCCESS ? 0 : -EIO;
	}
	o->writer = OTF2_Archive_GetEvtWriter(o->archive, location_of(rank->rank, thread));
	if (!o->writer) {
		note(o, OTF2_ERROR_PROCESSED_WITH_FAULTS);
		return -EIO;
	}
	rc = export_thread(o->run, rank, thread, write_event, o);
	enter_program(o, o->begin_ns);
	note(o, OTF2_EvtWriter_Leave(o->writer, NULL, (OTF2_TimeStamp)o->end_ns, o->program));
	note(o, OTF2_EvtWriter_GetNumberOfEvents(o->writer, events));
	note(o, OTF2_Archive_CloseEvtWriter(o->archive, o->writer));
	return rc ? rc : o->error == OTF2_SUCCESS ? 0 : -EIO;
}

static int write_events(struct otf2 *o)
{
	uint32_t n = 0;
	int rc = 0;

	for (uint32_t i = 0; i < o->run->nranks; i++)
		n += o->run->rank[i].nthreads;
	o->events = calloc(n + 1, sizeof(*o->events));
	if (!o->events)
		return -ENOMEM;
	note(o, OTF2_Archive_OpenEvtFiles(o->archive));
	n = 0;
	for (uint32_t i = 0; i < o->run->nranks && !rc; i++)
		for (uint32_t t = 0; t < o->run->rank[i].nthreads && !rc; t++)
			rc = write_thread(
				o, &o->run->rank[i], o->run->rank[i].thread[t], &o->events[n++]);
	for (uint32_t rank = 0; rank < o->comms.world_size && !rc; rank++)
		if (export_rank_index(o->run, rank) < 0)
			write_nothing(o, location_of((int32_t)rank, 0));
	note(o, OTF2_Archive_CloseEvtFiles(o->archive));
	return rc;
}

/* ---- definitions */

static uint32_t add_string(struct otf2 *o, const char *text)
{
	note(o, OTF2_GlobalDefWriter_WriteString(o->defs, o->nstrings, text));
	return o->nstrings++;
}

/* The strings that events refer to: places, then causes. */
static void write_event_strings(struct otf2 *o)
{
	for (uint32_t i = 0; i < o->run->nplaces; i++)
		add_string(o, o->run->place[i].text);
	for (uint32_t i = 0; i < o->run->ncauses; i++)
		add_string(o, o->run->cause_name[i] ? o->run->cause_name[i] : "");
}

static void write_attributes(struct otf2 *o)
{
	static const struct {
		const char *name, *about;
		OTF2_Type type;
	} all[] = {
		[ATTRIBUTE_CALLSITE] = { "callsite", "Function and line that made the call",
			OTF2_TYPE_STRING },
		[ATTRIBUTE_SOURCE] = { "source", "Where the call stands in the source",
			OTF2_TYPE_SOURCE_CODE_LOCATION },
		[ATTRIBUTE_WAIT] = { "wait_ns", "Time blocked beyond the prediction [ns]",
			OTF2_TYPE_INT64 },
		[ATTRIBUTE_CAUSE] = { "cause",
			"What the wait was for, after tryst analyze from both sides",
			OTF2_TYPE_STRING },
	};

	for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) {
		uint32_t name = add_string(o, all[i].name), about = add_string(o, all[i].about);

		note(o, OTF2_GlobalDefWriter_WriteAttribute(o->defs, i, name, about, all[i].type));
	}
	for (uint32_t i = 1; i < o->run->nplaces; i++) {
		if (!o->run->place[i].file)
			continue;
		note(o,
			OTF2_GlobalDefWriter_WriteSourceCodeLocation(o->defs, o->source[i],
				add_string(o, o->run->place[i].file), o->run->place[i].line));
	}
}

/* Each is a metric class of its own: a call may have one and not the other. */
static void write_metric_classes(struct otf2 *o)
{
	static const char *const all[METRICS][2] = {
		[METRIC_WAIT] = { "wait", "Time of the call that was waiting [ns]" },
		[METRIC_PREDICTED] = { "predicted",
			"Predicted time of the messages that the call completes [ns]" },
	};
	const uint32_t unit = add_string(o, "ns");

	for (uint32_t i = 0; i < METRICS; i++) {
		uint32_t name = add_string(o, all[i][0]), about = add_string(o, all[i][1]);
		OTF2_MetricMemberRef member = i;

		note(o,
			OTF2_GlobalDefWriter_WriteMetricMember(o->defs, i, name, about,
				OTF2_METRIC_TYPE_USER, OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_INT64,
				OTF2_BASE_DECIMAL, 0, unit));
		note(o,
			OTF2_GlobalDefWriter_WriteMetricClass(o->defs, i, 1, &member,
				OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
	}
}

static OTF2_RegionRole role_of(const char *call)
{
	if (collective_op(call) == OTF2_COLLECTIVE_OP_BARRIER)
		return OTF2_REGION_ROLE_BARRIER;
	if (collective_op(call) != OTF2_COLLECTIVE_OP_CREATE_HANDLE)
		return OTF2_REGION_ROLE_COLL_OTHER;
	if (strstr(call, "send") || strstr(call, "recv") || strstr(call, "Send") ||
		strstr(call, "Recv"))
		return OTF2_REGION_ROLE_POINT2POINT;
	if (strncmp(call, "MPI_File", 8) == 0)
		return OTF2_REGION_ROLE_FILE_IO;
	return OTF2_REGION_ROLE_FUNCTION;
}

static void write_region(struct otf2 *o, uint32_t id, const char *text, OTF2_RegionRole role,
	OTF2_Paradigm paradigm, uint32_t empty)
{
	uint32_t name = add_string(o, text);

	note(o,
		OTF2_GlobalDefWriter_WriteRegion(o->defs, id, name, name, empty, role, paradigm,
			OTF2_REGION_FLAG_NONE, empty, 0, 0));
}

static void write_regions(struct otf2 *o, uint32_t empty)
{
	for (uint32_t i = 0; i < o->run->ncalls; i++)
		if (has_name(o->run, i))
			write_region(o, o->region[i], o->run->call_name[i],
				role_of(o->run->call_name[i]), OTF2_PARADIGM_MPI, empty);
	write_region(o, o->program, o->run->program, OTF2_REGION_ROLE_ARTIFICIAL,
		OTF2_PARADIGM_USER, empty);
}

/* The node of a rank's host. The host's first rank defines the node. */
static uint32_t node_of(struct otf2 *o, const struct export_rank *rank, uint32_t class,
	const struct export_rank **first, uint32_t *nodes)
{
	if (!rank || !*rank->host)
		return 0;
	for (uint32_t i = 1; i < *nodes; i++)
		if (strcmp(first[i]->host, rank->host) == 0)
			return i;
	first[*nodes] = rank;
	note(o,
		OTF2_GlobalDefWriter_WriteSystemTreeNode(
			o->defs, *nodes, add_string(o, rank->host), class, 0));
	return (*nodes)++;
}

/* The machine, its hosts, a process a rank. Ranks that left no file have no events. */
static int write_system(struct otf2 *o)
{
	uint32_t machine = add_string(o, "machine"), class = add_string(o, "node"), nodes = 1;
	const struct export_rank **first = calloc(o->run->nranks + 1, sizeof(*first));
	uint64_t *events = o->events;

	if (!first)
		return -ENOMEM;
	note(o,
		OTF2_GlobalDefWriter_WriteSystemTreeNode(
			o->defs, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t rank = 0; rank < o->comms.world_size; rank++) {
		int64_t at = export_rank_index(o->run, rank);
		const struct export_rank *r = at >= 0 ? &o->run->rank[at] : NULL;
		uint32_t parent = node_of(o, r, class, first, &nodes), name;
		char text[64];

		snprintf(text, sizeof text, "MPI Rank %u", rank);
		name = add_string(o, text);
		note(o,
			OTF2_GlobalDefWriter_WriteLocationGroup(o->defs, rank, name,
				OTF2_LOCATION_GROUP_TYPE_PROCESS, parent,
				OTF2_UNDEFINED_LOCATION_GROUP));
		for (uint32_t t = 0; t < (r ? r->nthreads : 1); t++) {
			uint32_t thread = r ? r->thread[t] : 0;

			snprintf(text, sizeof text, "Thread %u", thread);
			note(o,
				OTF2_GlobalDefWriter_WriteLocation(o->defs,
					location_of((int32_t)rank, thread),
					thread ? add_string(o, text) : name,
					OTF2_LOCATION_TYPE_CPU_THREAD, r ? *events++ : 0, rank));
		}
	}
	free(first);
	return 0;
}

static int write_comms(struct otf2 *o, uint32_t empty)
{
	uint64_t *members = calloc(o->comms.world_size, sizeof(*members));

	if (!members)
		return -ENOMEM;
	for (uint32_t i = 0; i < o->comms.world_size; i++)
		members[i] = location_of((int32_t)i, 0);
	note(o,
		OTF2_GlobalDefWriter_WriteGroup(o->defs, GROUP_LOCATIONS, empty,
			OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
			o->comms.world_size, members));
	note(o,
		OTF2_GlobalDefWriter_WriteGroup(o->defs, GROUP_SELF, empty,
			OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0,
			NULL));
	note(o,
		OTF2_GlobalDefWriter_WriteComm(o->defs, COMM_REF_SELF,
			add_string(o, "MPI_COMM_SELF"), GROUP_SELF, OTF2_UNDEFINED_COMM,
			OTF2_COMM_FLAG_NONE));
	for (uint32_t c = 0; c < o->comms.n; c++) {
		const struct export_comm *comm = &o->comms.comm[c];

		for (uint32_t i = 0; i < comm->size; i++)
			members[i] = comm->world[i] >= 0 ? (uint64_t)comm->world[i] : 0;
		note(o,
			OTF2_GlobalDefWriter_WriteGroup(o->defs, GROUPS + c, empty,
				OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
				comm->size, members));
		note(o,
			OTF2_GlobalDefWriter_WriteComm(o->defs, COMM_REFS + c,
				add_string(o, comm->name), GROUPS + c,
				c ? COMM_REFS : OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	}
	free(members);
	return 0;
}

static void write_local(struct otf2 *o, uint32_t rank, uint32_t thread)
{
	OTF2_DefWriter *w =
		OTF2_Archive_GetDefWriter(o->archive, location_of((int32_t)rank, thread));

	note(o, w ? OTF2_Archive_CloseDefWriter(o->archive, w) : OTF2_ERROR_PROCESSED_WITH_FAULTS);
}

/* Each location needs a file of its own definitions, also where it is empty. */
static void write_local_definitions(struct otf2 *o)
{
	note(o, OTF2_Archive_OpenDefFiles(o->archive));
	for (uint32_t rank = 0; rank < o->comms.world_size && o->error == OTF2_SUCCESS; rank++) {
		int64_t at = export_rank_index(o->run, rank);
		const struct export_rank *r = at >= 0 ? &o->run->rank[at] : NULL;

		for (uint32_t t = 0; t < (r ? r->nthreads : 1); t++)
			write_local(o, rank, r ? r->thread[t] : 0);
	}
	note(o, OTF2_Archive_CloseDefFiles(o->archive));
}

/* Nanoseconds since 1970 at the export's 0: of the lowest rank, whose clock is the common one. */
static uint64_t date_of_begin(const struct export_run *run)
{
	int64_t zero =
		run->nranks ? db_run_int(run->db, run->rank[0].rank, "zero_realtime_ns", 0) : 0;

	/* a damaged file may say anything */
	return zero > 0 && zero < INT64_MAX / 2 && run->base_ns > -zero ?
		(uint64_t)zero + (uint64_t)run->base_ns :
		OTF2_UNDEFINED_TIMESTAMP;
}

static int write_definitions(struct otf2 *o)
{
	uint32_t empty;
	int rc;

	write_local_definitions(o);
	o->defs = OTF2_Archive_GetGlobalDefWriter(o->archive);
	if (!o->defs) {
		note(o, OTF2_ERROR_PROCESSED_WITH_FAULTS);
		return -EIO;
	}
	note(o,
		OTF2_GlobalDefWriter_WriteClockProperties(o->defs, 1000000000, 0,
			(uint64_t)o->run->end_ns + 1, date_of_begin(o->run)));
	write_event_strings(o);
	empty = add_string(o, "");
	note(o,
		OTF2_GlobalDefWriter_WriteParadigm(o->defs, OTF2_PARADIGM_MPI, add_string(o, "MPI"),
			OTF2_PARADIGM_CLASS_PROCESS));
	write_attributes(o);
	write_regions(o, empty);
	write_metric_classes(o);
	rc = write_system(o);
	if (!rc)
		rc = write_comms(o, empty);
	note(o, OTF2_Archive_CloseGlobalDefWriter(o->archive, o->defs));
	return rc;
}

/* ---- the archive */

static int write_archive(struct otf2 *o, const char *target)
{
	static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = pre_flush };
	int rc;

	o->archive = OTF2_Archive_Open(target, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK,
		DEFINITION_CHUNK, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	o->attributes = OTF2_AttributeList_New();
	if (!o->archive || !o->attributes) {
		note(o, OTF2_ERROR_PROCESSED_WITH_FAULTS);
		return -EIO;
	}
	note(o, OTF2_Archive_SetFlushCallbacks(o->archive, &flush, NULL));
	note(o, OTF2_Archive_SetSerialCollectiveCallbacks(o->archive));
	note(o, OTF2_Archive_SetCreator(o->archive, PACKAGE_STRING));
	note(o, OTF2_Archive_SetDescription(o->archive, o->run->program));
	rc = o->error == OTF2_SUCCESS ? write_events(o) : -EIO;
	if (!rc)
		rc = export_check_part(o->run);
	if (!rc)
		rc = write_definitions(o);
	note(o, OTF2_Archive_Close(o->archive));
	o->archive = NULL;
	return rc ? rc : o->error == OTF2_SUCCESS ? 0 : -EIO;
}

static int write_otf2(struct export_run *run, const char *target)
{
	struct otf2 o = { .run = run, .error = OTF2_SUCCESS };
	int rc = export_comms_read(run, &o.comms);

	if (rc)
		return rc;
	OTF2_Error_RegisterCallback(keep_error, &o);
	rc = number_definitions(&o);
	if (!rc)
		rc = write_archive(&o, target);
	if (rc == -ENOMEM)
		say_line(run->say, "out of memory");
	else if (o.error != OTF2_SUCCESS) /* errors of reading were printed before */
		say_line(run->say, "cannot write '%s': %s", target,
			OTF2_Error_GetDescription(o.error));
	if (o.archive)
		OTF2_Archive_Close(o.archive);
	OTF2_AttributeList_Delete(o.attributes);
	OTF2_Error_RegisterCallback(NULL, NULL);
	export_comms_release(&o.comms, run);
	free(o.events);
	free(o.region);
	free(o.source);
	return rc;
}

const struct export_format export_otf2 = { .name = "otf2",
	.suffix = ".otf2",
	.is_directory = true,
	.of_parts = true,
	.write = write_otf2 };

#else

const struct export_format export_otf2 = { .name = "otf2",
	.suffix = ".otf2",
	.absent = "this tryst was built without OTF2 (Debian: libopen-trace-format2-dev, then"
		  " configure and make again)" };

#endif
