/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * errors.c: calls that fail. Errors that are returned, a handler that is called, one that calls MPI
 * on another stack and jumps out of MPI, truncated messages, MPI_ERR_IN_STATUS. Error classes and
 * messages are printed by each rank to $JOURNAL-independent stdout, so that runs with and without
 * tryst can be compared.
 */
#include <setjmp.h>
#include <ucontext.h>
#include "journal.h"

static jmp_buf out_of_mpi;
static ucontext_t here, aside;
static int handled, failed;

static void count_it(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	handled++;
}

static void call_aside(void)
{
	int rank;

	C(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
	swapcontext(&aside, &here);
}

/* Before, it calls MPI on another stack, from where nothing can be told of this one. */
static void jump_out(MPI_Comm *comm, int *code, ...)
{
	static _Alignas(16) char stack[256 << 10];

	(void)comm;
	(void)code;
	getcontext(&aside);
	aside.uc_stack.ss_sp = stack;
	aside.uc_stack.ss_size = sizeof(stack);
	aside.uc_link = NULL;
	makecontext(&aside, call_aside, 0);
	swapcontext(&here, &aside);
	longjmp(out_of_mpi, 1);
}

/* Counts the calls that return an error. */
static int result(int code)
{
	failed += code != MPI_SUCCESS;
	return code;
}

static void show(const char *what, int code)
{
	int class = 0;

	if (code != MPI_SUCCESS)
		C(MPI_Error_class)(code, &class);
	/* Whether a sound receive was complete or pending beside a failed one is chance. */
	printf("rank %d: %s: %s\n", journal_rank, what,
		class == MPI_SUCCESS || class == MPI_ERR_PENDING ? "success" :
			class == MPI_ERR_TRUNCATE                ? "truncated" :
			class == MPI_ERR_RANK                    ? "rank" :
			class == MPI_ERR_TAG                     ? "tag" :
			class == MPI_ERR_COUNT                   ? "count" :
			class == MPI_ERR_IN_STATUS               ? "in status" :
			class == MPI_ERR_COMM                    ? "comm" :
			class == MPI_ERR_TYPE                    ? "type" :
			class == MPI_ERR_REQUEST                 ? "request" :
								   "other");
}

/* Wrong arguments; none of these is an op. */
static void wrong_arguments(int nranks)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int x = 0;

	show("send to a rank that is not",
		result(C(MPI_Send)(&x, 1, MPI_INT, nranks + 5, 1, MPI_COMM_WORLD)));
	show("send with a negative tag",
		result(C(MPI_Send)(&x, 1, MPI_INT, 0, -55, MPI_COMM_WORLD)));
	show("send of a negative count",
		result(C(MPI_Send)(&x, -2, MPI_INT, 0, 1, MPI_COMM_WORLD)));
	show("send on no communicator", result(C(MPI_Send)(&x, 1, MPI_INT, 0, 1, MPI_COMM_NULL)));
	show("isend of no type",
		result(C(MPI_Isend)(&x, 1, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_WORLD, &request)));
	show("irecv from a rank that is not",
		result(C(MPI_Irecv)(&x, 1, MPI_INT, nranks, 1, MPI_COMM_WORLD, &request)));
	show("waitall over a negative number",
		result(C(MPI_Waitall)(-1, NULL, MPI_STATUSES_IGNORE)));
	show("bcast from a root that is not",
		result(C(MPI_Bcast)(&x, 1, MPI_INT, nranks, MPI_COMM_WORLD)));
}

/* A message that is too long for its receive. */
static void truncation(int left, int right)
{
	int in[4], out[8] = { 0 };
	MPI_Request request[2];
	MPI_Status status[2];
	MPI_Message message;
	long op[2];
	int code;

	op[0] = journal_recv("MPI_Irecv", left, 1, -1);
	op[1] = journal_recv("MPI_Irecv", left, 2, 4);
	C(MPI_Irecv)(in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request[0]);
	C(MPI_Irecv)(in + 1, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &request[1]);
	C(MPI_Barrier)(MPI_COMM_WORLD);
	journal_send("standard", "MPI_Send", right, 1, 32);
	C(MPI_Send)(out, 8, MPI_INT, right, 1, MPI_COMM_WORLD);
	journal_send("standard", "MPI_Send", right, 2, 4);
	C(MPI_Send)(out, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
	code = result(C(MPI_Waitall)(2, request, status));
	show("waitall with one truncated", code);
	if (code == MPI_ERR_IN_STATUS) {
		show("  the first", status[0].MPI_ERROR);
		show("  the second", status[1].MPI_ERROR);
	}
	journal_flag(op[0], "failed");
	for (int i = 0; i < 2; i++)
		if (request[i] != MPI_REQUEST_NULL)
			result(C(MPI_Wait)(&request[i], &status[i]));
	journal_send("standard", "MPI_Send", right, 3, 32);
	C(MPI_Send)(out, 8, MPI_INT, right, 3, MPI_COMM_WORLD);
	journal_flag(journal_recv("MPI_Recv", left, 3, -1), "failed");
	show("truncated recv",
		result(C(MPI_Recv)(in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)));
	journal_send("standard", "MPI_Send", right, 4, 32);
	C(MPI_Send)(out, 8, MPI_INT, right, 4, MPI_COMM_WORLD);
	C(MPI_Mprobe)(left, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	journal_flag(journal_recv("MPI_Mrecv", left, 4, -1), "failed");
	show("truncated mrecv", result(C(MPI_Mrecv)(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE)));
}

/*
 * The same, completed alone; the library may give the handle to the next request at once, which is
 * then another op.
 */
static void truncation_alone(int left, int right)
{
	int in[2], out[8] = { 0 };

	for (int i = 0; i < 4; i++) {
		int index = 0, code = MPI_SUCCESS;
		MPI_Request request;
		long op;

		op = journal_recv("MPI_Irecv", left, 30, -1);
		C(MPI_Irecv)(in, 1, MPI_INT, left, 30, MPI_COMM_WORLD, &request);
		journal_send("standard", "MPI_Send", right, 30, i % 2 ? 4 : 32);
		C(MPI_Send)(out, i % 2 ? 1 : 8, MPI_INT, right, 30, MPI_COMM_WORLD);
		if (i < 2)
			code = result(C(MPI_Wait)(&request, MPI_STATUS_IGNORE));
		else
			code = result(C(MPI_Waitany)(1, &request, &index, MPI_STATUS_IGNORE));
		show(i % 2 ? "a sound message" : "a message too long for its request", code);
		journal_done(op, i < 2 ? "MPI_Wait" : "MPI_Waitany");
		if (i % 2 == 0)
			journal_flag(op, "failed");
	}
}

/* The same under a persistent request, which stays what it is, beside another one. */
static void truncation_persistent(int left, int right)
{
	int in[4], out[8] = { 0 };

	for (int test = 0; test < 2; test++) {
		const char *call = test ? "MPI_Testany" : "MPI_Waitany";
		int index = -1, flag = 0, code = MPI_SUCCESS;
		MPI_Request request[2];
		long op[2];

		for (int i = 0; i < 2; i++) {
			C(MPI_Recv_init)
			(in + i, 1, MPI_INT, left, 40 + i, MPI_COMM_WORLD, &request[i]);
			op[i] = journal_recv("MPI_Start", left, 40 + i, i ? 4 : -1);
			C(MPI_Start)(&request[i]);
		}
		C(MPI_Barrier)(MPI_COMM_WORLD);
		for (int i = 0; i < 2; i++) {
			journal_send("standard", "MPI_Send", right, 40 + i, i ? 4 : 32);
			C(MPI_Send)(out, i ? 1 : 8, MPI_INT, right, 40 + i, MPI_COMM_WORLD);
			for (index = -1, code = MPI_SUCCESS; index < 0 && code == MPI_SUCCESS;)
				code = result(test ? C(MPI_Testany)(2, request, &index, &flag,
							     MPI_STATUS_IGNORE) :
						     C(MPI_Waitany)(2, request, &index,
							     MPI_STATUS_IGNORE));
			show(i ? "a sound message" : "a message too long for a persistent request",
				code);
			printf("rank %d:   its index %d\n", journal_rank, index);
			journal_done(op[i], call);
			/* MPI_Testany of Open MPI does not say so */
			if (code != MPI_SUCCESS)
				journal_flag(op[i], "failed");
		}
		for (int i = 0; i < 2; i++)
			result(C(MPI_Request_free)(&request[i]));
	}
}

/*
 * MPICH takes a message of nothing and of no type, and it is an op. What we ask about the type must
 * call no handler.
 */
static void nothing_of_no_type(int left, int right)
{
	if (result(C(MPI_Send)(NULL, 0, MPI_DATATYPE_NULL, right, 50, MPI_COMM_WORLD)) !=
		MPI_SUCCESS)
		return;
	journal_send("standard", "MPI_Send", right, 50, 0);
	journal_recv("MPI_Recv", left, 50, 0);
	C(MPI_Recv)(NULL, 0, MPI_DATATYPE_NULL, left, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* As the program, and as a library in it: both calls count. */
static __attribute__((noinline)) void call_deeper(int depth)
{
	volatile char frame[256];
	int rank;

	frame[depth] = 0;
	if (depth > 0) {
		call_deeper(depth - 1);
	} else {
		journal_call("MPI_Comm_rank");
		PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
		C(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
	}
	frame[depth]++;
}

int main(int argc, char **argv)
{
	int nranks, left, right, x = 0;
	volatile int jumps = 0;
	MPI_Errhandler counting, jumping;

	journal_init(&argc, &argv);
	C(MPI_Comm_size)(MPI_COMM_WORLD, &nranks);
	right = (journal_rank + 1) % nranks;
	left = (journal_rank + nranks - 1) % nranks;
	C(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	C(MPI_Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	wrong_arguments(nranks);
	truncation(left, right);
	truncation_alone(left, right);
	truncation_persistent(left, right);
	C(MPI_Comm_create_errhandler)(count_it, &counting);
	C(MPI_Comm_create_errhandler)(jump_out, &jumping);
	C(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, counting);
	C(MPI_Comm_set_errhandler)(MPI_COMM_SELF, counting);
	result(C(MPI_Send)(&x, 1, MPI_INT, nranks + 1, 1, MPI_COMM_WORLD));
	nothing_of_no_type(left, right);
	printf("rank %d: handled %d\n", journal_rank, handled);
	C(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, jumping);
	/* A call that never returns is counted, too. */
	for (volatile int i = 0; i < 10; i++) {
		if (setjmp(out_of_mpi) == 0)
			C(MPI_Send)(&x, 1, MPI_INT, nranks + 1, 1, MPI_COMM_WORLD);
		else
			jumps++;
		/* deeper in the stack than the frame that was left */
		call_deeper(8);
	}
	printf("rank %d: jumped %d\nfailed of %d: %d\n", journal_rank, jumps, journal_rank, failed);
	C(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	/* Calls after a jump are outermost again: these must be counted and be ops. */
	for (int i = 0; i < 5; i++) {
		journal_done(
			journal_send("standard", "MPI_Sendrecv", right, 20, 4), "MPI_Sendrecv");
		journal_recv("MPI_Sendrecv", left, 20, 4);
		C(MPI_Sendrecv)
		(&(int){ i }, 1, MPI_INT, right, 20, &x, 1, MPI_INT, left, 20, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
	}
	C(MPI_Errhandler_free)(&counting);
	C(MPI_Errhandler_free)(&jumping);
	C(MPI_Barrier)(MPI_COMM_WORLD);
	journal_write();
	MPI_Finalize();
	return 0;
}
