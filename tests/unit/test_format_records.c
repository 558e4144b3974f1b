/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_records.c: records of every type, made by hand, become the right rows. */
#include "tests/unit/unit.h"

#include <string.h>

#include "functions.h"
#include "record.h"
#include "analysis/format/db/db.h"
#include "analysis/format/rows/rows.h"
#include "tests/unit/record_ring.h"
#include "tests/unit/scratch.h"

static void add_text(uint8_t type, uint32_t id, const char *text, size_t bytes)
{
	_Alignas(8) uint8_t record[64] = { 0 };
	const struct rec_head head = { .type = type, .id = id };

	memcpy(record, &head, sizeof(head));
	memcpy(record + sizeof(head), text, bytes);
	add(record, sizeof(head) + bytes);
}

static struct rec_op blocking(uint64_t op_id, uint16_t flags)
{
	return (struct rec_op){ .type = REC_OP,
		.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING),
		.call = FN_MPI_Recv,
		.flags = flags,
		.op_id = op_id,
		.enter_ticks = ZERO + 10 * op_id,
		.leave_ticks = ZERO + 10 * op_id + 7,
		.bytes = 100,
		.peer = 4,
		.tag = 6,
		.comm = COMM_WORLD_ID,
		.callsite = 2,
		.predicted_ns = 5,
		.class8 = OP_CLASS(PROTOCOL_SHORT, CAUSE_LATE_SENDER),
		.tier = TIER_NODE };
}

static void an_op_is_shown_with_all_that_was_recorded(void)
{
	struct rec_op any = blocking(1, OP_ANY_SOURCE | OP_ANY_TAG | OP_STRIDED);
	struct rec_op null = blocking(2, OP_PROC_NULL);
	struct rec_op2 waited = { .op = blocking(3, OP_WAITED),
		.complete_call = FN_MPI_Waitall,
		.complete_callsite = 9,
		.complete_enter_ticks = ZERO + 100,
		.complete_leave_ticks = ZERO + 200,
		.blocked_ticks = 60,
		.poll_ticks = 11 };
	sqlite3 *db;

	begin();
	add(&any, sizeof(any));
	null.peer = -1;
	null.class8 = 0;
	add(&null, sizeof(null));
	waited.op.type = REC_OP2;
	waited.op.call = FN_MPI_Irecv;
	waited.op.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_NONBLOCKING);
	add(&waited, sizeof(waited));
	db = rows();
	expect(db,
		"SELECT count(*) FROM op WHERE op_id = 1 AND rank = 0 AND thread = 3 AND"
		" kind = 'recv' AND mode = 'standard' AND call = 'MPI_Recv' AND peer = 4 AND"
		" asked_peer IS NULL AND tag = 6 AND asked_tag IS NULL AND comm = 1 AND bytes = 100"
		" AND peer_world IS NULL AND protocol = 'short' AND post_enter_ns = 10 AND"
		" post_leave_ns = 17 AND complete_call = 'MPI_Recv' AND complete_enter_ns = 10 AND"
		" complete_leave_ns = 17 AND blocked_ns = 7 AND predicted_ns = 5 AND excess_ns = 2"
		" AND wait_ns = 0 AND cause_hint = 'late_sender' AND poll_ns = 0 AND callsite = 2 "
		"AND complete_callsite = 2 AND flags = 'any_source,any_tag,strided' AND form = "
		"'blocking' AND tier = 'node' AND op_key = 1",
		1);
	expect(db,
		"SELECT count(*) FROM op WHERE op_id = 2 AND peer IS NULL AND"
		" asked_peer IS NULL AND asked_tag = 6 AND protocol IS NULL AND cause_hint IS NULL"
		" AND flags = 'proc_null'",
		1);
	expect(db,
		"SELECT count(*) FROM op WHERE op_id = 3 AND call = 'MPI_Irecv' AND"
		" complete_call = 'MPI_Waitall' AND complete_callsite = 9 AND"
		" complete_enter_ns = 100 AND complete_leave_ns = 200 AND blocked_ns = 60 AND"
		" excess_ns = 55 AND wait_ns = 55 AND poll_ns = 11 AND flags IS NULL AND"
		" form = 'nonblocking'",
		1);
	/* messages to MPI_PROC_NULL are in no sum of traffic */
	expect(db, "SELECT sum(recv_count) FROM comm_matrix", 2);
	expect(db, "SELECT sum(count) FROM wait_profile", 3);
	sqlite3_close(db);
}

static void what_cannot_be_predicted_or_compared_is_no_wait(void)
{
	struct rec_op op = blocking(1, OP_NO_PREDICTION);
	struct rec_op2 first = { .op = blocking(2, OP_FIRST | OP_WAITED),
		.complete_call = FN_MPI_Wait,
		.complete_enter_ticks = ZERO + 100,
		.complete_leave_ticks = ZERO + 200,
		.blocked_ticks = 100 };
	sqlite3 *db;

	begin();
	add(&op, sizeof(op));
	first.op.type = REC_OP2;
	add(&first, sizeof(first));
	db = rows();
	expect(db,
		"SELECT count(*) FROM op WHERE op_id = 1 AND predicted_ns IS NULL AND"
		" excess_ns IS NULL AND wait_ns IS NULL AND blocked_ns = 7",
		1);
	expect(db, "SELECT count(*) FROM op WHERE op_id = 2 AND excess_ns = 95 AND wait_ns = 0", 1);
	expect(db, "SELECT sum(wait_ns) FROM wait_profile", 0);
	expect(db, "SELECT sum(excess_ns) FROM wait_profile", 95);
	expect(db, "SELECT count(*) FROM waits", 0);
	sqlite3_close(db);
}

static void ops_come_in_any_order_and_with_gaps(void)
{
	static const uint64_t ids[] = { 70000, 5, 3, 1ULL << 39, 200000, 4, 69999, 70000 + 65536,
		1 };
	sqlite3 *db;

	begin();
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct rec_op op = blocking(ids[i], 0);

		op.enter_ticks = op.leave_ticks = ZERO + i;
		add(&op, sizeof(op));
	}
	db = rows();
	expect(db, "SELECT count(*) FROM op", 9);
	expect(db, "SELECT op_id FROM op ORDER BY op_key DESC LIMIT 1", INT64_C(1) << 39);
	expect(db, "SELECT post_enter_ns FROM op WHERE op_key = 69999", 6);
	expect(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'", 1);
	sqlite3_close(db);
}

static void an_op_that_is_like_another_has_all_of_it_but_number_and_times(void)
{
	struct rec_op first = blocking(7, OP_STRIDED), other = blocking(9, 0);
	struct rec_head filling = { .type = REC_NONE };
	struct rec_again again = { .type = REC_AGAIN,
		.like = sizeof(first) / 8,
		.op_id_more = 3,
		.enter_more = 500,
		.took_ticks = 30 };
	sqlite3 *db;

	first.enter_ticks = ZERO;
	begin();
	add(&other, sizeof(other));
	add(&first, sizeof(first));
	add(&again, sizeof(again));
	add(&filling, sizeof(filling));
	db = rows();
	expect(db, "SELECT count(*) FROM op", 3);
	expect(db, "SELECT count(*) FROM run WHERE key = 'damaged_records'", 0);
	expect(db,
		"SELECT count(*) FROM op AS a JOIN op AS b ON a.op_id = 7 AND b.op_id = 10 AND"
		" b.call = a.call AND b.kind = a.kind AND b.peer = a.peer AND b.tag = a.tag AND"
		" b.comm = a.comm AND b.bytes = a.bytes AND b.callsite = a.callsite AND"
		" b.predicted_ns = a.predicted_ns AND b.flags = a.flags AND"
		" b.protocol = a.protocol AND b.cause_hint = a.cause_hint AND"
		" b.post_enter_ns = 500 AND b.post_leave_ns = 530 AND b.blocked_ns = 30",
		1);
	sqlite3_close(db);
}

/* The noise of the run's end, or that of the calibration, is not that of the op's moment. */
static void an_op_alone_in_its_call_has_the_wait_that_it_had_live(void)
{
	struct rec_op waited = blocking(7, OP_WAITED), first = blocking(20, OP_FIRST | OP_WAITED);
	struct rec_again again = {
		.type = REC_AGAIN, .op_id_more = 1, .enter_more = 500, .took_ticks = 30
	};
	struct rec_link o = { .head = { .type = REC_LINK, .id = TIER_NODE },
		.name = "o",
		.model = "LogGPS",
		.peer = -1,
		.bytes = UINT64_MAX,
		.value = 1 };
	struct rec_link noise = o;
	sqlite3 *db;

	memcpy(noise.name, "noise", sizeof("noise"));
	memcpy(noise.form, "recv", sizeof("recv"));
	noise.bytes = 100;
	begin();
	add(&waited, sizeof(waited));
	add(&again, sizeof(again));
	again.op_id_more++;
	again.waited = 1;
	add(&again, sizeof(again));
	add(&first, sizeof(first));
	add(&o, sizeof(o));
	add(&noise, sizeof(noise));
	db = rows();
	expect(db, "SELECT count(*) FROM run WHERE key = 'damaged_records'", 0);
	expect(db, "SELECT count(*) FROM op WHERE flags IS NULL", 3);
	expect(db, "SELECT wait_ns FROM op WHERE op_id = 7", 2);
	expect(db, "SELECT wait_ns FROM op WHERE op_id = 8", 0);
	expect(db, "SELECT wait_ns FROM op WHERE op_id = 9", 25);
	expect(db, "SELECT wait_ns FROM op WHERE op_id = 20", 0);
	expect(db, "SELECT sum(wait_ns) FROM wait_profile", 27);
	sqlite3_close(db);
}

static struct rec_op2 requested(uint64_t id, uint16_t flags)
{
	struct rec_op2 op = { .op = blocking(id, flags),
		.complete_call = FN_MPI_Waitall,
		.complete_callsite = 9,
		.complete_enter_ticks = ZERO + 100,
		.complete_leave_ticks = ZERO + 200,
		.blocked_ticks = 60 };

	op.op.type = REC_OP2;
	op.op.call = FN_MPI_Irecv;
	op.op.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_NONBLOCKING);
	return op;
}

static void an_op_that_was_completed_as_another_has_times_and_a_wait_of_its_own(void)
{
	struct rec_op2 first = requested(7, OP_STRIDED | OP_WAITED);
	struct rec_op2_again again = { .type = REC_OP2_AGAIN,
		.op_id_more = 3,
		.enter_more = 500,
		.took_ticks = 30,
		.complete_more = 1000,
		.complete_took_ticks = 90,
		.blocked_ticks = 80,
		.predicted_ns = 79 };
	sqlite3 *db;

	first.op.enter_ticks = ZERO;
	begin();
	add(&first, sizeof(first));
	add(&again, sizeof(again));
	again.op_id_more++;
	again.waited = 1;
	add(&again, sizeof(again));
	db = rows();
	expect(db, "SELECT count(*) FROM run WHERE key = 'damaged_records'", 0);
	expect(db,
		"SELECT count(*) FROM op AS a JOIN op AS b ON a.op_id = 7 AND b.op_id IN (10, 11) "
		"AND b.call = a.call AND b.kind = a.kind AND b.peer = a.peer AND b.tag = a.tag AND"
		" b.comm = a.comm AND b.bytes = a.bytes AND b.callsite = a.callsite AND b.flags = "
		"a.flags AND b.protocol = a.protocol AND b.cause_hint = a.cause_hint AND"
		" b.complete_call = a.complete_call AND b.complete_callsite = a.complete_callsite "
		"AND b.predicted_ns = 79 AND b.post_enter_ns = 500 AND b.post_leave_ns = 530 AND"
		" b.complete_enter_ns = 1500 AND b.complete_leave_ns = 1590 AND b.blocked_ns = 80 "
		"AND b.poll_ns = 0",
		2);
	expect(db, "SELECT wait_ns FROM op WHERE op_id = 7", 55);
	expect(db, "SELECT wait_ns FROM op WHERE op_id = 10", 0);
	expect(db, "SELECT wait_ns FROM op WHERE op_id = 11", 1);
	sqlite3_close(db);
}

static void an_op_that_is_like_nothing_is_counted_as_damage(void)
{
	struct rec_op op = blocking(1, 0);
	struct rec_op2 op2 = requested(2, 0);
	struct rec_again again = { .type = REC_AGAIN };
	struct rec_op2_again again2 = { .type = REC_OP2_AGAIN };
	static const uint16_t nowhere[] = { 1, 8, 9, 11, 12, 8191, 65535 };
	sqlite3 *db;

	begin();
	add(&again, sizeof(again));
	add(&op, sizeof(op));
	for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
		again.like = again2.like = nowhere[i];
		add(&again, sizeof(again));
		add(&again2, sizeof(again2));
	}
	/* neither stands for the other */
	again2.like = 2;
	add(&again2, sizeof(again2));
	again.like = (uint16_t)(file.thread.head / 8);
	add(&op2, sizeof(op2));
	add(&again, sizeof(again));
	db = rows();
	expect(db, "SELECT count(*) FROM op", 2);
	expect(db, "SELECT value FROM run WHERE key = 'damaged_records'", 17);
	sqlite3_close(db);
}

static void records_that_make_no_sense_are_counted(void)
{
	struct rec_op no_id = blocking(0, 0), huge_id = blocking(1ULL << 40, 0),
		      no_call = blocking(1, 0), strange_call = blocking(2, 0),
		      no_kind = blocking(3, 0), good = blocking(4, 0);
	sqlite3 *db;

	begin();
	no_call.call = 0;
	strange_call.call = 1024;
	no_kind.kind_mode = 0;
	add(&no_id, sizeof(no_id));
	add(&huge_id, sizeof(huge_id));
	add(&no_call, sizeof(no_call));
	add(&strange_call, sizeof(strange_call));
	add(&no_kind, sizeof(no_kind));
	add(&good, sizeof(good));
	db = rows();
	expect(db, "SELECT count(*) FROM op", 1);
	expect(db, "SELECT value FROM run WHERE key = 'damaged_records'", 5);
	sqlite3_close(db);
}

static void collectives_are_blocking_or_complete_later(void)
{
	struct rec_collective barrier = { .type = REC_COLLECTIVE,
		.call = FN_MPI_Barrier,
		.seq = 7,
		.enter_ticks = ZERO + 1,
		.leave_ticks = ZERO + 5,
		.root = -1,
		.comm = 2,
		.callsite = 8 };
	struct rec_collective2 bcast = { .coll = barrier,
		.complete_call = FN_MPI_Wait,
		.complete_callsite = 4,
		.complete_enter_ticks = ZERO + 10,
		.complete_leave_ticks = ZERO + 30,
		.blocked_ticks = 12 };
	sqlite3 *db;

	begin();
	add(&barrier, sizeof(barrier));
	bcast.coll.type = REC_COLLECTIVE2;
	bcast.coll.call = FN_MPI_Ibcast;
	bcast.coll.root = 0;
	bcast.coll.seq = 8;
	bcast.coll.sent_bytes = 64;
	add(&bcast, sizeof(bcast));
	db = rows();
	expect(db,
		"SELECT count(*) FROM collective WHERE rank = 0 AND seq = 7 AND thread = 3 AND"
		" call = 'MPI_Barrier' AND comm = 2 AND root IS NULL AND enter_ns = 1 AND"
		" leave_ns = 5 AND complete_enter_ns = 1 AND complete_leave_ns = 5 AND"
		" blocked_ns = 4 AND callsite = 8 AND complete_callsite = 8",
		1);
	expect(db,
		"SELECT count(*) FROM collective WHERE seq = 8 AND call = 'MPI_Ibcast' AND"
		" root = 0 AND sent_bytes = 64 AND leave_ns = 5 AND complete_enter_ns = 10 AND"
		" complete_leave_ns = 30 AND blocked_ns = 12 AND complete_callsite = 4",
		1);
	sqlite3_close(db);
}

static struct rec_transfer transfer(void)
{
	return (struct rec_transfer){ .type = REC_RMA,
		.call = FN_MPI_Put,
		.seq = TRANSFER_ALONE,
		.enter_ticks = ZERO + 1,
		.leave_ticks = ZERO + 4,
		.bytes = 9,
		.object = 2,
		.peer = 1,
		.callsite = 3 };
}

static struct rec_transfer2 transfer_to_wait_for(void)
{
	struct rec_transfer2 rput = { .transfer = transfer(),
		.complete_call = FN_MPI_Wait,
		.complete_callsite = 9,
		.complete_enter_ticks = ZERO + 10,
		.complete_leave_ticks = ZERO + 20,
		.blocked_ticks = 7 };

	rput.transfer.type = REC_RMA2;
	rput.transfer.call = FN_MPI_Rput;
	return rput;
}

static void transfers_and_windows_have_their_tables(void)
{
	struct rec_transfer put = transfer(), read = transfer();
	struct rec_transfer2 rput = transfer_to_wait_for();
	union {
		char bytes[sizeof(struct rec_object) + 8];
		struct rec_object object;
	} window = { { 0 } };
	sqlite3 *db;

	begin();
	add(&put, sizeof(put));
	add(&rput, sizeof(rput));
	window.object = (struct rec_object){ .head = { .type = REC_WINDOW, .id = 2 },
		.uid = 77,
		.comm = 1,
		.maker = FN_MPI_Win_create,
		.bytes = 64,
		.detail = 8 };
	add(&window, sizeof(window));
	add_text(REC_WINDOW_NAME, 2, "halo", 5);
	read.type = REC_IO;
	read.call = FN_MPI_File_read;
	read.seq = 0;
	read.peer = -1;
	add(&read, sizeof(read));
	add(&put, sizeof(put));
	db = rows();
	expect(db,
		"SELECT count(*) = 2 FROM rma WHERE call = 'MPI_Put' AND window = 2 AND peer = 1 "
		"AND bytes = 9 AND enter_ns = 1 AND leave_ns = 4 AND thread = 3 AND callsite = 3 "
		"AND seq IS NULL AND complete_call = call AND blocked_ns = 3 AND complete_callsite "
		"= 3",
		1);
	expect(db,
		"SELECT count(*) FROM rma WHERE call = 'MPI_Rput' AND complete_call = 'MPI_Wait' "
		"AND complete_enter_ns = 10 AND complete_leave_ns = 20 AND blocked_ns = 7 AND"
		" complete_callsite = 9",
		1);
	expect(db,
		"SELECT count(*) FROM rma_window WHERE window = 2 AND uid = 77 AND comm = 1 AND"
		" maker = 'MPI_Win_create' AND bytes = 64 AND disp_unit = 8 AND name = 'halo'",
		1);
	expect(db,
		"SELECT count(*) FROM io WHERE call = 'MPI_File_read' AND file = 2 AND"
		" bytes = 9 AND seq = 0",
		1);
	sqlite3_close(db);
}

enum { RINGS = 20, RING_RECORDS = 1000 };

/* The last ring is written long after the first ones, though its calls came before theirs. */
static struct {
	struct ring_file header;
	uint8_t pad[RING_HEADER_BYTES - sizeof(struct ring_file)];
	struct thread_region thread[RINGS];
} rings;

static void fill_ring(struct thread_region *t, uint8_t type)
{
	uint64_t enter = ZERO + 10 + (t == &rings.thread[RINGS - 1] ? 0 : 100000);

	for (int i = 0; i < RING_RECORDS; i++, enter += 20) {
		struct rec_transfer put = transfer();
		struct rec_collective barrier = { .type = type,
			.call = FN_MPI_Barrier,
			.comm = 2,
			.root = -1,
			.enter_ticks = enter,
			.leave_ticks = enter + 5 };
		struct rec_head *head = (struct rec_head *)(t->ring + t->head);

		put.type = type;
		put.enter_ticks = enter;
		put.leave_ticks = enter + 5;
		if (type == REC_COLLECTIVE)
			memcpy(head, &barrier, sizeof(barrier));
		else
			memcpy(head, &put, sizeof(put));
		head->words = (type == REC_COLLECTIVE ? sizeof(barrier) : sizeof(put)) / 8;
		t->head += head->words * 8u;
	}
}

static void rows_are_numbered_in_order_of_time(void)
{
	static const struct {
		uint8_t type;
		const char *sql;
	} table[] = {
		{ REC_COLLECTIVE,
			"SELECT id, post, lag(post) OVER (ORDER BY id) AS last FROM coll_row" },
		{ REC_RMA, "SELECT id, enter, lag(enter) OVER (ORDER BY id) AS last FROM rma_row" },
		{ REC_IO, "SELECT id, enter, lag(enter) OVER (ORDER BY id) AS last FROM io_row" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char sql[200];
		sqlite3 *db;

		begin();
		memcpy(&rings.header, &file.header, sizeof(rings.header));
		memset(rings.thread, 0, sizeof(rings.thread));
		rings.header.nregions = RINGS;
		for (int t = 0; t < RINGS; t++) {
			rings.header.regions[t] = (struct ring_region){ REGION_THREAD, (uint32_t)t,
				RING_HEADER_BYTES + t * sizeof(struct thread_region),
				sizeof(struct thread_region) };
			rings.thread[t].thread = (uint32_t)t;
			fill_ring(&rings.thread[t], table[i].type);
		}
		db = rows_of(&rings, sizeof(rings));
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM (%s) WHERE last > %s",
			table[i].sql, i == 0 ? "post" : "enter");
		expect(db, sql, 0);
		snprintf(sql, sizeof(sql),
			"SELECT count(*) * (min(id) = 1) * (max(id) = count(*))"
			" FROM (%s)",
			table[i].sql);
		expect(db, sql, RINGS * RING_RECORDS);
		sqlite3_close(db);
	}
}

static void intervals_and_clocks_have_their_tables(void)
{
	struct rec_busy busy = { { .type = REC_BUSY }, ZERO + 5, ZERO + 9 };
	struct rec_clock_offset clock = { { .type = REC_CLOCK_OFFSET }, ZERO + 50, -12, 3 };
	sqlite3 *db;

	begin();
	add(&busy, sizeof(busy));
	add(&clock, sizeof(clock));
	file.thread.busy_enter_ticks = ZERO + 60;
	file.thread.busy_leave_ticks = ZERO + 65;
	db = rows();
	expect(db, "SELECT sum(leave_ns - enter_ns) FROM busy WHERE thread = 3", 9);
	/* calls without rows of their own may be the last thing that is known */
	expect(db, "SELECT value FROM run WHERE key = 'end_ns'", 65);
	expect(db,
		"SELECT count(*) FROM clock WHERE at_ns = 50 AND offset_ns = -12 AND"
		" error_ns = 3",
		1);
	sqlite3_close(db);
}

static void phases_have_their_table_and_part_the_waits(void)
{
	struct rec_transfer put = transfer();
	struct rec_transfer2 rput = transfer_to_wait_for();
	union {
		char bytes[sizeof(struct rec_phase) + 8];
		struct rec_phase phase;
	} phase = { { 0 } };
	sqlite3 *db;

	begin();
	add(&put, sizeof(put));
	add(&rput, sizeof(rput));
	phase.phase = (struct rec_phase){
		.head = { .type = REC_PHASE, .id = 2 }, .ticks = ZERO + 6, .level = 7
	};
	strcpy(phase.phase.text, "solve");
	add(&phase, sizeof(phase));
	add(&put, sizeof(put));
	phase.phase.head.pad = PHASE_END;
	phase.phase.ticks = ZERO + 8;
	add(&phase, sizeof(struct rec_phase) + 8);
	db = rows();
	expect(db,
		"SELECT count(*) FROM phase WHERE enter_ns = 6 AND leave_ns = 8 AND level = 7 AND"
		" name = 'solve' AND thread = 3 AND seq = 2",
		1);
	expect(db,
		"SELECT sum(blocked_ns) FROM wait_by_phase WHERE phase = 'solve' AND kind = 'rma' "
		"AND count = 1 AND bytes = 9",
		3);
	expect(db, "SELECT count FROM wait_by_phase WHERE phase IS NULL AND kind = 'rma'", 2);
	sqlite3_close(db);
}

/* Of a phase in which nothing was predicted it is not known what was waited for there. */
static void waits_of_phases_are_known_where_something_was_predicted(void)
{
	const struct rec_op predicted = blocking(1, 0);
	struct rec_op unknown = blocking(2, OP_NO_PREDICTION);
	union {
		char bytes[sizeof(struct rec_phase) + 8];
		struct rec_phase phase;
	} phase = { { 0 } };
	sqlite3 *db;

	begin();
	add(&predicted, sizeof(predicted));
	add(&unknown, sizeof(unknown));
	phase.phase = (struct rec_phase){
		.head = { .type = REC_PHASE, .id = 2 }, .ticks = ZERO + 25, .level = 7
	};
	strcpy(phase.phase.text, "solve");
	add(&phase, sizeof(phase));
	unknown = blocking(3, OP_NO_PREDICTION);
	add(&unknown, sizeof(unknown));
	db = rows();
	expect(db,
		"SELECT count FROM wait_by_phase WHERE phase IS NULL AND wait_ns = 0 AND "
		"max_wait_ns = 0",
		2);
	expect(db,
		"SELECT count FROM wait_by_phase WHERE phase = 'solve' AND wait_ns IS NULL AND "
		"max_wait_ns IS NULL",
		1);
	sqlite3_close(db);
}

static void communicators_get_names_before_or_after_they_are_known(void)
{
	struct rec_comm comm = { .head = { .type = REC_COMM, .id = 5 },
		.uid = 0x8000000000000001,
		.parent = 1,
		.maker = FN_MPI_Intercomm_create,
		.size = 4,
		.my_rank = 2,
		.remote_size = 3,
		.peer_world = 1 };
	struct rec_op op = blocking(1, OP_COMM_PEER);
	sqlite3 *db;

	begin();
	add_text(REC_COMM_NAME, 5, "early", 6);
	add(&comm, sizeof(comm));
	comm.head.id = 6;
	add(&comm, sizeof(comm));
	add_text(REC_COMM_NAME, 6, "late", 5);
	op.comm = 5;
	add(&op, sizeof(op));
	add_text(REC_KEY, 0, "number\00042", 10);
	add_text(REC_KEY, 0, "text\000042", 9);
	db = rows();
	expect(db,
		"SELECT count(*) FROM communicator WHERE uid = -9223372036854775807 AND"
		" parent = 1 AND maker = 'MPI_Intercomm_create' AND size = 4 AND my_rank = 2 AND"
		" remote_size = 3 AND peer_world = 1 AND name = CASE comm WHEN 5 THEN 'early' ELSE"
		" 'late' END",
		2);
	expect(db, "SELECT peer_world FROM op", 1);
	expect(db, "SELECT peer_world FROM wait_profile", 1);
	expect(db, "SELECT count(*) FROM run WHERE key = 'number' AND typeof(value) = 'integer'",
		1);
	expect(db, "SELECT count(*) FROM run WHERE key = 'text' AND typeof(value) = 'text'", 1);
	sqlite3_close(db);
}

/* Ops without rows: sums in the mapped table and partial sums in the spool. */
static void folded_ops_add_up_with_those_that_have_rows(void)
{
	const struct wait_sum sum = { .callsite = 2,
		.peer = 4,
		.comm = COMM_WORLD_ID,
		.call = FN_MPI_Recv,
		.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING),
		.class8 = OP_CLASS(PROTOCOL_SHORT, CAUSE_LATE_SENDER),
		.bytes_log2 = 7,
		.used = 1,
		.count = 10,
		.bytes = 1000,
		.blocked_ns = 100,
		.predicted_ns = 30,
		.excess_ns = 70,
		.wait_ns = 60,
		.max_wait_ns = 50 };
	struct {
		struct rec_head head;
		struct wait_sum sum;
	} wait = { { .type = REC_WAIT_SUM }, sum };
	struct {
		struct rec_head head;
		struct call_sum sum;
	} call = { { .type = REC_CALL_SUM, .id = 1 }, { 2, FN_MPI_Recv, 4, 400, 4, 2, 1, 3 } };
	struct rec_op op = blocking(1, 0);
	sqlite3 *db;

	begin();
	add(&op, sizeof(op));
	wait.sum.max_wait_ns = 55;
	add(&wait, sizeof(wait));
	add(&call, sizeof(call));
	add(&call, sizeof(call));
	file.wait[2] = sum;
	file.header.dropped_ops = 20;
	db = rows();
	expect(db,
		"SELECT count(*) FROM wait_profile WHERE count = 21 AND bytes = 2100 AND"
		" blocked_ns = 207 AND predicted_ns = 65 AND excess_ns = 142 AND wait_ns = 120 AND"
		" max_wait_ns = 55 AND bytes_log2 = 7 AND kind = 'recv' AND peer = 4",
		1);
	expect(db,
		"SELECT count(*) FROM call_profile WHERE thread = 1 AND count = 8 AND"
		" bytes = 800 AND time_ns = 8 AND max_ns = 2 AND tool_ns = 2 AND errors = 6",
		1);
	expect(db, "SELECT value FROM run WHERE key = 'dropped'", 20);
	sqlite3_close(db);
}

static const struct unit_test tests[] = { { "an op is shown with all that was recorded",
						  an_op_is_shown_with_all_that_was_recorded },
	{ "what cannot be predicted or compared is no wait",
		what_cannot_be_predicted_or_compared_is_no_wait },
	{ "ops come in any order and with gaps", ops_come_in_any_order_and_with_gaps },
	{ "an op that is like another has all of it but number and times",
		an_op_that_is_like_another_has_all_of_it_but_number_and_times },
	{ "an op alone in its call has the wait that it had live",
		an_op_alone_in_its_call_has_the_wait_that_it_had_live },
	{ "an op that was completed as another has times and a wait of its own",
		an_op_that_was_completed_as_another_has_times_and_a_wait_of_its_own },
	{ "an op that is like nothing is counted as damage",
		an_op_that_is_like_nothing_is_counted_as_damage },
	{ "records that make no sense are counted", records_that_make_no_sense_are_counted },
	{ "collectives are blocking or complete later",
		collectives_are_blocking_or_complete_later },
	{ "rows are numbered in order of time", rows_are_numbered_in_order_of_time },
	{ "transfers and windows have their tables", transfers_and_windows_have_their_tables },
	{ "intervals and clocks have their tables", intervals_and_clocks_have_their_tables },
	{ "phases have their table and part the waits",
		phases_have_their_table_and_part_the_waits },
	{ "waits of phases are known where something was predicted",
		waits_of_phases_are_known_where_something_was_predicted },
	{ "communicators get names before or after they are known",
		communicators_get_names_before_or_after_they_are_known },
	{ "folded ops add up with those that have rows",
		folded_ops_add_up_with_those_that_have_rows },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("records", tests);
	scratch_remove(dir);
	return failed;
}
