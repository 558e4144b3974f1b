/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests.c: every way in which a point-to-point request begins and ends, around a ring.
 *
 * Each rank sends to its right and receives from its left, so that the same code runs on one, two
 * or more ranks (alone it talks to itself). What it did is in its journal; what it received is
 * checked here.
 */
#include "journal.h"

enum { MANY = 64, LARGE = 200000 };

static int nranks, left, right;

static void start(int *argc, char ***argv)
{
	journal_init(argc, argv);
	C(MPI_Comm_size)(MPI_COMM_WORLD, &nranks);
	right = (journal_rank + 1) % nranks;
	left = (journal_rank + nranks - 1) % nranks;
}

static void barrier(void)
{
	C(MPI_Barrier)(MPI_COMM_WORLD);
}

/* Send, Ssend, Rsend and Bsend into receives that were posted before. */
static void blocking_modes(int count, int tag)
{
	long bytes = 4L * count;
	int *out = calloc((size_t)count + 1, sizeof(int));
	int *in = calloc(4 * ((size_t)count + 1), sizeof(int));
	size_t room = (size_t)bytes + MPI_BSEND_OVERHEAD;
	void *buffer = malloc(room);
	MPI_Request request[4];
	long op[4];
	int size;

	for (int i = 0; i < count; i++)
		out[i] = 1000 * journal_rank + i;
	for (int i = 0; i < 4; i++) {
		op[i] = journal_recv("MPI_Irecv", left, tag + i, bytes);
		C(MPI_Irecv)
		(in + i * count, count, MPI_INT, left, tag + i, MPI_COMM_WORLD, &request[i]);
	}
	barrier();
	journal_done(journal_send("standard", "MPI_Send", right, tag, bytes), "MPI_Send");
	C(MPI_Send)(out, count, MPI_INT, right, tag, MPI_COMM_WORLD);
	journal_done(journal_send("synchronous", "MPI_Ssend", right, tag + 1, bytes), "MPI_Ssend");
	C(MPI_Ssend)(out, count, MPI_INT, right, tag + 1, MPI_COMM_WORLD);
	journal_done(journal_send("ready", "MPI_Rsend", right, tag + 2, bytes), "MPI_Rsend");
	C(MPI_Rsend)(out, count, MPI_INT, right, tag + 2, MPI_COMM_WORLD);
	C(MPI_Buffer_attach)(buffer, (int)room);
	journal_done(journal_send("buffered", "MPI_Bsend", right, tag + 3, bytes), "MPI_Bsend");
	C(MPI_Bsend)(out, count, MPI_INT, right, tag + 3, MPI_COMM_WORLD);
	C(MPI_Waitall)(4, request, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 4; i++) {
		journal_done(op[i], "MPI_Waitall");
		for (int k = 0; k < count; k++)
			REQUIRE(in[i * count + k] == 1000 * left + k);
	}
	C(MPI_Buffer_detach)(&buffer, &size);
	REQUIRE(size == (int)room);
	free(buffer);
	free(out);
	free(in);
}

/* Isend, Issend, Irsend and Ibsend, completed by Wait with and without a status. */
static void nonblocking_modes(int count, int tag)
{
	long bytes = 4L * count;
	int *out = calloc((size_t)count + 1, sizeof(int));
	int *in = calloc((size_t)count + 1, sizeof(int));
	size_t room = (size_t)bytes + MPI_BSEND_OVERHEAD;
	void *buffer = malloc(room);
	MPI_Request receive, request[4];
	MPI_Status status;
	long op[4];

	C(MPI_Buffer_attach)(buffer, (int)room);
	op[2] = journal_recv("MPI_Irecv", left, tag + 2, bytes);
	C(MPI_Irecv)(in, count, MPI_INT, left, tag + 2, MPI_COMM_WORLD, &receive);
	barrier();
	journal_send("ready", "MPI_Irsend", right, tag + 2, bytes);
	C(MPI_Irsend)(out, count, MPI_INT, right, tag + 2, MPI_COMM_WORLD, &request[2]);
	C(MPI_Wait)(&receive, &status);
	journal_done(op[2], "MPI_Wait");
	journal_send("standard", "MPI_Isend", right, tag, bytes);
	C(MPI_Isend)(out, count, MPI_INT, right, tag, MPI_COMM_WORLD, &request[0]);
	op[1] = journal_send("synchronous", "MPI_Issend", right, tag + 1, bytes);
	C(MPI_Issend)(out, count, MPI_INT, right, tag + 1, MPI_COMM_WORLD, &request[1]);
	journal_send("buffered", "MPI_Ibsend", right, tag + 3, bytes);
	C(MPI_Ibsend)(out, count, MPI_INT, right, tag + 3, MPI_COMM_WORLD, &request[3]);
	for (int i = 0; i < 4; i++) {
		if (i == 2)
			continue;
		journal_done(journal_recv("MPI_Recv", left, tag + i, bytes), "MPI_Recv");
		C(MPI_Recv)(in, count, MPI_INT, left, tag + i, MPI_COMM_WORLD, &status);
		REQUIRE(status.MPI_SOURCE == left && status.MPI_TAG == tag + i);
	}
	for (int i = 0; i < 4; i++) {
		C(MPI_Wait)(&request[i], i % 2 ? &status : MPI_STATUS_IGNORE);
		REQUIRE(request[i] == MPI_REQUEST_NULL);
	}
	C(MPI_Buffer_detach)(&buffer, &(int){ 0 });
	free(buffer);
	free(out);
	free(in);
}

/* Three rounds of persistent requests, by Start and by Startall. */
static void persistent(int count, int tag)
{
	static const char *const mode[] = { "standard", "synchronous", "ready", "buffered" };
	long bytes = 4L * count;
	int *out = calloc((size_t)count + 1, sizeof(int));
	int *in = calloc(4 * ((size_t)count + 1), sizeof(int));
	size_t room = 4 * ((size_t)bytes + MPI_BSEND_OVERHEAD);
	void *buffer = malloc(room);
	MPI_Request request[8];
	long op[8];

	C(MPI_Buffer_attach)(buffer, (int)room);
	for (int i = 0; i < 4; i++)
		C(MPI_Recv_init)
	(in + i * count, count, MPI_INT, left, tag + i, MPI_COMM_WORLD, &request[i]);
	C(MPI_Send_init)(out, count, MPI_INT, right, tag, MPI_COMM_WORLD, &request[4]);
	C(MPI_Ssend_init)(out, count, MPI_INT, right, tag + 1, MPI_COMM_WORLD, &request[5]);
	C(MPI_Rsend_init)(out, count, MPI_INT, right, tag + 2, MPI_COMM_WORLD, &request[6]);
	C(MPI_Bsend_init)(out, count, MPI_INT, right, tag + 3, MPI_COMM_WORLD, &request[7]);
	for (int round = 0; round < 3; round++) {
		int done = 0;

		for (int i = 0; i < 4; i++) {
			op[i] = journal_recv(
				round == 1 ? "MPI_Startall" : "MPI_Start", left, tag + i, bytes);
			if (round != 1)
				C(MPI_Start)(&request[i]);
		}
		if (round == 1)
			C(MPI_Startall)(4, request);
		barrier();
		for (int i = 4; i < 8; i++) {
			op[i] = journal_op("send", mode[i - 4],
				round == 1 ? "MPI_Startall" : "MPI_Start", right, tag + i - 4,
				bytes);
			if (round != 1)
				C(MPI_Start)(&request[i]);
		}
		if (round == 1)
			C(MPI_Startall)(4, request + 4);
		if (round == 0) {
			C(MPI_Waitall)(8, request, MPI_STATUSES_IGNORE);
			for (int i = 0; i < 6; i++)
				journal_done(op[i], i == 4 ? NULL : "MPI_Waitall");
		} else if (round == 1) {
			for (int i = 0; i < 8; i++)
				C(MPI_Wait)(&request[i], MPI_STATUS_IGNORE);
		} else {
			while (!done)
				C(MPI_Testall)(8, request, &done, MPI_STATUSES_IGNORE);
			for (int i = 0; i < 4; i++)
				journal_done(op[i], "MPI_Testall");
		}
		for (int i = 0; i < 8; i++)
			REQUIRE(request[i] != MPI_REQUEST_NULL);
	}
	/* An inactive request is complete at once, and no op. */
	C(MPI_Wait)(&request[0], MPI_STATUS_IGNORE);
	for (int i = 0; i < 8; i++)
		C(MPI_Request_free)(&request[i]);
	C(MPI_Buffer_detach)(&buffer, &(int){ 0 });
	free(buffer);
	free(out);
	free(in);
}

enum way { WAITALL, WAITANY, WAITSOME, TESTALL, TESTANY, TESTSOME, WAIT, TEST, WAYS };
static const char *const way_call[WAYS] = { "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome",
	"MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Wait", "MPI_Test" };

/* Ends all n requests in one way. */
static void finish(enum way way, int n, MPI_Request *request)
{
	int indices[2 * MANY], flag = 0, left_over = n, some, index;

	if (way == WAITALL)
		C(MPI_Waitall)(n, request, MPI_STATUSES_IGNORE);
	while (way == TESTALL && !flag)
		C(MPI_Testall)(n, request, &flag, MPI_STATUSES_IGNORE);
	for (int i = 0; i < n && way == WAIT; i++)
		C(MPI_Wait)(&request[i], MPI_STATUS_IGNORE);
	for (int i = 0; i < n && way == TEST; i++)
		for (flag = 0; !flag;)
			C(MPI_Test)(&request[i], &flag, MPI_STATUS_IGNORE);
	if (way == WAITALL || way == TESTALL || way == WAIT || way == TEST)
		left_over = 0;
	while (left_over > 0) {
		flag = 1;
		some = 1;
		if (way == WAITANY)
			C(MPI_Waitany)(n, request, &index, MPI_STATUS_IGNORE);
		else if (way == TESTANY)
			C(MPI_Testany)(n, request, &index, &flag, MPI_STATUS_IGNORE);
		else if (way == WAITSOME)
			C(MPI_Waitsome)(n, request, &some, indices, MPI_STATUSES_IGNORE);
		else
			C(MPI_Testsome)(n, request, &some, indices, MPI_STATUSES_IGNORE);
		REQUIRE(some != MPI_UNDEFINED);
		left_over -= flag ? some : 0;
	}
	for (int i = 0; i < n; i++)
		REQUIRE(request[i] == MPI_REQUEST_NULL);
	/* Nothing is left: the call returns at once. */
	if (way == WAITANY) {
		C(MPI_Waitany)(n, request, &index, MPI_STATUS_IGNORE);
		REQUIRE(index == MPI_UNDEFINED);
	}
}

/* Many sends pending at once (small ones may share a handle), ended in each way. */
static void many_pending(enum way way, int count, int tag)
{
	int *out = calloc((size_t)count + 1, sizeof(int));
	int *in = calloc(MANY * ((size_t)count + 1), sizeof(int));
	long bytes = 4L * count;
	MPI_Request request[2 * MANY];
	long op[MANY];

	for (int i = 0; i < MANY; i++) {
		journal_send("standard", "MPI_Isend", right, tag + i, bytes);
		C(MPI_Isend)
		(out, count, MPI_INT, right, tag + i, MPI_COMM_WORLD, &request[MANY + i]);
	}
	barrier();
	for (int i = 0; i < MANY; i++) {
		op[i] = journal_recv("MPI_Irecv", left, tag + i, bytes);
		C(MPI_Irecv)
		(in + i * count, count, MPI_INT, left, tag + i, MPI_COMM_WORLD, &request[i]);
	}
	finish(way, 2 * MANY, request);
	for (int i = 0; i < MANY; i++)
		journal_done(op[i], NULL);
	free(out);
	free(in);
}

/* A receive that is not there yet when it is posted must end in the call that ended it. */
static void late_receives(enum way way, int tag)
{
	int in[8], out[8] = { 0 };
	MPI_Request request[8];
	long op[8];

	for (int i = 0; i < 8; i++) {
		op[i] = journal_recv("MPI_Irecv", left, tag + i, 4);
		C(MPI_Irecv)(&in[i], 1, MPI_INT, left, tag + i, MPI_COMM_WORLD, &request[i]);
	}
	barrier();
	for (int i = 7; i >= 0; i--) {
		journal_done(journal_send("standard", "MPI_Send", right, tag + i, 4), "MPI_Send");
		C(MPI_Send)(&out[i], 1, MPI_INT, right, tag + i, MPI_COMM_WORLD);
	}
	finish(way, 8, request);
	for (int i = 0; i < 8; i++)
		journal_done(op[i], way_call[way]);
}

/* Any source, any tag, and nobody looks at the status. */
static void wildcards(int tag)
{
	int in[6], flag = 0, out[6] = { 0 };
	MPI_Request request[2], send[6];
	MPI_Status status;
	long op[2];

	for (int i = 0; i < 6; i++) {
		journal_send("standard", "MPI_Isend", right, tag + i, 4 * i);
		C(MPI_Isend)(out, i, MPI_INT, right, tag + i, MPI_COMM_WORLD, &send[i]);
	}
	journal_flag(journal_recv("MPI_Recv", left, tag, 0), "any_source");
	C(MPI_Recv)(in, 6, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	journal_flag(journal_recv("MPI_Recv", left, tag + 1, 4), "any_tag");
	C(MPI_Recv)(in, 6, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
	REQUIRE(status.MPI_SOURCE == left && status.MPI_TAG == tag + 1);
	op[0] = journal_recv("MPI_Irecv", left, tag + 2, 8);
	C(MPI_Irecv)(in, 6, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]);
	C(MPI_Wait)(&request[0], MPI_STATUS_IGNORE);
	journal_done(op[0], "MPI_Wait");
	journal_flag(op[0], "any_source");
	op[0] = journal_recv("MPI_Irecv", left, tag + 3, 12);
	C(MPI_Irecv)(in, 6, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]);
	while (!flag)
		C(MPI_Test)(&request[0], &flag, MPI_STATUS_IGNORE);
	journal_done(op[0], "MPI_Test");
	for (int i = 0; i < 2; i++) {
		op[i] = journal_recv("MPI_Irecv", left, tag + 4 + i, 4 * (4 + i));
		C(MPI_Irecv)
		(in, 6, MPI_INT, MPI_ANY_SOURCE, i ? tag + 5 : MPI_ANY_TAG, MPI_COMM_WORLD,
			&request[i]);
		C(MPI_Waitall)(1, &request[i], MPI_STATUSES_IGNORE);
		journal_done(op[i], "MPI_Waitall");
	}
	C(MPI_Waitall)(6, send, MPI_STATUSES_IGNORE);
}

static void no_peer(void)
{
	static const int tag = 77;
	MPI_Message message;
	MPI_Request request[4];
	MPI_Status status;
	int x = 0, flag = 0;
	long op;

	journal_flag(journal_send("standard", "MPI_Send", MPI_PROC_NULL, tag, 4), "proc_null");
	C(MPI_Send)(&x, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
	journal_flag(journal_send("synchronous", "MPI_Ssend", MPI_PROC_NULL, tag, 4), "proc_null");
	C(MPI_Ssend)(&x, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
	journal_flag(journal_recv("MPI_Recv", MPI_PROC_NULL, JOURNAL_OPEN, -1), "proc_null");
	C(MPI_Recv)(&x, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &status);
	REQUIRE(status.MPI_SOURCE == MPI_PROC_NULL);
	journal_flag(journal_send("standard", "MPI_Isend", MPI_PROC_NULL, tag, 4), "proc_null");
	C(MPI_Isend)(&x, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &request[0]);
	journal_flag(journal_recv("MPI_Irecv", MPI_PROC_NULL, JOURNAL_OPEN, -1), "proc_null");
	C(MPI_Irecv)(&x, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &request[1]);
	C(MPI_Waitall)(2, request, MPI_STATUSES_IGNORE);
	op = journal_send("standard", "MPI_Sendrecv", MPI_PROC_NULL, tag, 4);
	journal_flag(op, "proc_null");
	journal_flag(journal_recv("MPI_Sendrecv", MPI_PROC_NULL, JOURNAL_OPEN, -1), "proc_null");
	C(MPI_Sendrecv)
	(&x, 1, MPI_INT, MPI_PROC_NULL, tag, &x, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	C(MPI_Send_init)(&x, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &request[0]);
	journal_flag(journal_send("standard", "MPI_Start", MPI_PROC_NULL, tag, 4), "proc_null");
	C(MPI_Start)(&request[0]);
	C(MPI_Wait)(&request[0], MPI_STATUS_IGNORE);
	C(MPI_Request_free)(&request[0]);
	C(MPI_Probe)(MPI_PROC_NULL, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	C(MPI_Iprobe)(MPI_PROC_NULL, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	REQUIRE(flag);
	C(MPI_Mprobe)(MPI_PROC_NULL, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	REQUIRE(message == MPI_MESSAGE_NO_PROC);
	journal_flag(journal_recv("MPI_Mrecv", MPI_PROC_NULL, JOURNAL_OPEN, -1), "proc_null");
	C(MPI_Mrecv)(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	C(MPI_Improbe)(MPI_PROC_NULL, tag, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
	REQUIRE(flag && message == MPI_MESSAGE_NO_PROC);
	journal_flag(journal_recv("MPI_Imrecv", MPI_PROC_NULL, JOURNAL_OPEN, -1), "proc_null");
	C(MPI_Imrecv)(&x, 1, MPI_INT, &message, &request[0]);
	C(MPI_Wait)(&request[0], MPI_STATUS_IGNORE);
	request[0] = MPI_REQUEST_NULL;
	C(MPI_Wait)(&request[0], MPI_STATUS_IGNORE);
	C(MPI_Waitall)(0, NULL, MPI_STATUSES_IGNORE);
}

/* A type that is freed between post and Wait, on both sides; receives larger than the message. */
static void datatypes(int tag)
{
	MPI_Datatype type;
	MPI_Request request[2];
	double grid[64];
	long op;

	for (int i = 0; i < 64; i++)
		grid[i] = i;
	for (int count = 0; count < 3; count++) {
		double in[200];

		C(MPI_Type_vector)(8, 1, 8, MPI_DOUBLE, &type);
		C(MPI_Type_commit)(&type);
		op = journal_recv("MPI_Irecv", left, tag + count, count ? 64 : 0);
		C(MPI_Irecv)
		(in, count ? 1 : 0, type, left, tag + count, MPI_COMM_WORLD, &request[0]);
		journal_send("standard", "MPI_Isend", right, tag + count, count ? 64 : 0);
		C(MPI_Isend)
		(grid, count ? 1 : 0, type, right, tag + count, MPI_COMM_WORLD, &request[1]);
		C(MPI_Type_free)(&type);
		C(MPI_Waitall)(2, request, MPI_STATUSES_IGNORE);
		journal_done(op, "MPI_Waitall");
		if (count)
			REQUIRE(in[8] == 8 && in[56] == 56);
	}
	op = journal_recv("MPI_Irecv", left, tag + 9, 24);
	C(MPI_Irecv)(grid, 64, MPI_DOUBLE, left, tag + 9, MPI_COMM_WORLD, &request[0]);
	journal_send("standard", "MPI_Send", right, tag + 9, 24);
	C(MPI_Send)(grid + 32, 24, MPI_BYTE, right, tag + 9, MPI_COMM_WORLD);
	C(MPI_Wait)(&request[0], MPI_STATUS_IGNORE);
	journal_done(op, "MPI_Wait");
}

/* Completes both by one call or another. */
static const char *complete_pair(int way, MPI_Request pair[2])
{
	int done = 0, index;

	switch (way) {
	case 0:
		while (!done)
			C(MPI_Testall)(2, pair, &done, MPI_STATUSES_IGNORE);
		return "MPI_Testall";
	case 1:
		for (int i = 0; i < 2; i++)
			C(MPI_Waitany)(2, pair, &index, MPI_STATUS_IGNORE);
		return "MPI_Waitany";
	default:
		C(MPI_Waitall)(2, pair, MPI_STATUSES_IGNORE);
		return "MPI_Waitall";
	}
}

/*
 * The same lines again and again, through several chunks of records, while handles of types and
 * communicators come back with another meaning, messages differ in what is received and calls in
 * what completes them.
 */
static void repeated(int tag)
{
	enum { ROOM = 64 };
	/* libraries that never yield need a turn of the scheduler for each message between ranks */
	int rounds = nranks == 1 ? 3000 : 200;
	int out[ROOM] = { 0 }, in[ROOM];
	MPI_Comm comm = MPI_COMM_WORLD;
	MPI_Datatype type = MPI_INT;
	MPI_Request request, pair[2];
	long op;

	for (int i = 0; i < rounds; i++) {
		int words = i % 7 == 3 ? 3 : 1, count = words;

		if (i % (rounds / 4) == rounds / 4 - 1) {
			if (comm != MPI_COMM_WORLD)
				C(MPI_Comm_free)(&comm);
			C(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
		}
		if (i % 40 == 0) {
			words = 2 + i % 3;
			count = 1;
			C(MPI_Type_contiguous)(words, MPI_INT, &type);
			C(MPI_Type_commit)(&type);
		}
		out[0] = i;
		/* not all libraries send to themselves before they receive */
		op = journal_recv("MPI_Irecv", left, tag, 4L * words);
		C(MPI_Irecv)(in, ROOM, MPI_INT, left, tag, comm, &request);
		journal_done(
			journal_send("standard", "MPI_Send", right, tag, 4L * words), "MPI_Send");
		C(MPI_Send)(out, count, type, right, tag, comm);
		C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
		journal_done(op, "MPI_Wait");
		journal_send("standard", "MPI_Isend", right, tag, 4L * words);
		C(MPI_Isend)(out, count, type, right, tag, comm, &request);
		journal_done(journal_recv("MPI_Recv", left, tag, 4L * words), "MPI_Recv");
		C(MPI_Recv)(in, ROOM, MPI_INT, left, tag, comm, MPI_STATUS_IGNORE);
		REQUIRE(in[0] == i);
		C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
		op = journal_recv("MPI_Irecv", left, tag + 1, 4L * words);
		C(MPI_Irecv)(in, ROOM, MPI_INT, left, tag + 1, comm, &pair[0]);
		journal_send("standard", "MPI_Isend", right, tag + 1, 4L * words);
		C(MPI_Isend)(out, count, type, right, tag + 1, comm, &pair[1]);
		journal_done(op, complete_pair(i % 11, pair));
		REQUIRE(in[0] == i);
		if (i % 40 == 0)
			C(MPI_Type_free)(&type);
		type = MPI_INT;
	}
	C(MPI_Comm_free)(&comm);
}

static void sendrecv(int count, int tag)
{
	int *out = calloc((size_t)count + 1, sizeof(int));
	int *in = calloc((size_t)count + 1, sizeof(int));
	long bytes = 4L * count;
	MPI_Status status;

	journal_done(journal_send("standard", "MPI_Sendrecv", right, tag, bytes), "MPI_Sendrecv");
	journal_flag(journal_recv("MPI_Sendrecv", left, tag, bytes), "sendrecv");
	C(MPI_Sendrecv)
	(out, count, MPI_INT, right, tag, in, count, MPI_INT, left, tag, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	journal_send("standard", "MPI_Sendrecv", right, tag + 1, bytes);
	journal_recv("MPI_Sendrecv", left, tag + 1, bytes);
	C(MPI_Sendrecv)
	(out, count, MPI_INT, right, tag + 1, in, count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
		MPI_COMM_WORLD, &status);
	REQUIRE(status.MPI_SOURCE == left && status.MPI_TAG == tag + 1);
	out[0] = journal_rank;
	journal_send("standard", "MPI_Sendrecv_replace", right, tag + 2, bytes);
	journal_recv("MPI_Sendrecv_replace", left, tag + 2, bytes);
	C(MPI_Sendrecv_replace)
	(out, count, MPI_INT, right, tag + 2, left, tag + 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	REQUIRE(count == 0 || out[0] == left);
	free(out);
	free(in);
}

static void probes(int count, int tag)
{
	int *out = calloc((size_t)count + 1, sizeof(int));
	int *in = calloc((size_t)count + 1, sizeof(int));
	long bytes = 4L * count, op[4];
	MPI_Request send[4], request;
	MPI_Message message;
	MPI_Status status;
	int flag = 0;

	for (int i = 0; i < 4; i++) {
		journal_send("standard", "MPI_Isend", right, tag + i, bytes);
		C(MPI_Isend)(out, count, MPI_INT, right, tag + i, MPI_COMM_WORLD, &send[i]);
	}
	C(MPI_Probe)(left, tag, MPI_COMM_WORLD, &status);
	op[0] = journal_recv("MPI_Recv", left, tag, bytes);
	journal_flag(op[0], "probed");
	C(MPI_Recv)(in, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
	while (!flag)
		C(MPI_Iprobe)(MPI_ANY_SOURCE, tag + 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	journal_recv("MPI_Recv", left, tag + 1, bytes);
	C(MPI_Recv)(in, count, MPI_INT, left, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	C(MPI_Mprobe)(MPI_ANY_SOURCE, tag + 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	op[2] = journal_recv("MPI_Mrecv", left, tag + 2, bytes);
	journal_flag(op[2], "mprobe");
	C(MPI_Mrecv)(in, count, MPI_INT, &message, MPI_STATUS_IGNORE);
	for (flag = 0; !flag;)
		C(MPI_Improbe)(left, tag + 3, MPI_COMM_WORLD, &flag, &message, &status);
	op[3] = journal_recv("MPI_Imrecv", left, tag + 3, bytes);
	journal_flag(op[3], "mprobe");
	C(MPI_Imrecv)(in, count, MPI_INT, &message, &request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	C(MPI_Waitall)(4, send, MPI_STATUSES_IGNORE);
	free(out);
	free(in);
}

/* Receives that nobody answers are cancelled; a send is freed while it may be under way. */
static void cancel_and_free(int tag)
{
	static int out[LARGE], in[LARGE];
	MPI_Request request;
	MPI_Status status;
	int flag = 0;
	long op;

	op = journal_recv("MPI_Irecv", JOURNAL_OPEN, JOURNAL_OPEN, -1);
	C(MPI_Irecv)(in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &request);
	C(MPI_Cancel)(&request);
	C(MPI_Wait)(&request, &status);
	C(MPI_Test_cancelled)(&status, &flag);
	REQUIRE(flag);
	journal_flag(op, "cancelled");
	op = journal_recv("MPI_Irecv", JOURNAL_OPEN, JOURNAL_OPEN, -1);
	C(MPI_Irecv)(in, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request);
	C(MPI_Cancel)(&request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	journal_flag(op, "cancelled");
	/* A persistent receive that was cancelled can be started again. */
	C(MPI_Recv_init)(in, 1, MPI_INT, left, tag + 3, MPI_COMM_WORLD, &request);
	op = journal_recv("MPI_Start", JOURNAL_OPEN, JOURNAL_OPEN, -1);
	C(MPI_Start)(&request);
	C(MPI_Cancel)(&request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	journal_flag(op, "cancelled");
	barrier();
	op = journal_recv("MPI_Start", left, tag + 3, 4);
	C(MPI_Start)(&request);
	journal_send("standard", "MPI_Send", right, tag + 3, 4);
	C(MPI_Send)(out, 1, MPI_INT, right, tag + 3, MPI_COMM_WORLD);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	journal_done(op, "MPI_Wait");
	C(MPI_Request_free)(&request);
	for (int i = 0; i < 2; i++) {
		int count = i ? LARGE : 1;

		journal_send("standard", "MPI_Isend", right, tag + 1 + i, 4L * count);
		C(MPI_Isend)(out, count, MPI_INT, right, tag + 1 + i, MPI_COMM_WORLD, &request);
		if (i)
			journal_flag(journal_nops - 1, "freed");
		C(MPI_Request_free)(&request);
		REQUIRE(request == MPI_REQUEST_NULL);
		journal_recv("MPI_Recv", left, tag + 1 + i, 4L * count);
		C(MPI_Recv)
		(in, count, MPI_INT, left, tag + 1 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* Looking at a request does not end it. */
static void get_status(int tag)
{
	MPI_Request request;
	int in = 0, flag = 1, out = 5;
	long op;

	op = journal_recv("MPI_Irecv", left, tag, 4);
	C(MPI_Irecv)(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &request);
	C(MPI_Request_get_status)(request, &flag, MPI_STATUS_IGNORE);
	REQUIRE(!flag);
	barrier();
	journal_send("standard", "MPI_Send", right, tag, 4);
	C(MPI_Send)(&out, 1, MPI_INT, right, tag, MPI_COMM_WORLD);
	while (!flag)
		C(MPI_Request_get_status)(request, &flag, MPI_STATUS_IGNORE);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	journal_done(op, "MPI_Wait");
	REQUIRE(in == 5);
}

int main(int argc, char **argv)
{
	static const int counts[] = { 0, 2, 100, 3000, 30000 };
	int tag = 100;

	start(&argc, &argv);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (nranks > 1 || counts[i] < 1000)
			blocking_modes(counts[i], tag += 100);
		nonblocking_modes(counts[i], tag += 100);
		persistent(counts[i], tag += 100);
		sendrecv(counts[i], tag += 100);
		probes(counts[i], tag += 100);
	}
	for (int way = 0; way < WAYS; way++) {
		many_pending(way, 2, tag += 100);
		many_pending(way, 2000, tag += 100);
		late_receives(way, tag += 100);
	}
	repeated(tag += 100);
	barrier();
	wildcards(tag += 100);
	barrier();
	no_peer();
	datatypes(tag += 100);
	cancel_and_free(tag += 100);
	get_status(tag += 100);
	barrier();
	journal_write();
	MPI_Finalize();
	return 0;
}
