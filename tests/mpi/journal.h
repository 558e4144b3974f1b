/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal.h: what a test program knows of its own MPI calls, for comparison with tryst's rows.
 *
 * C(MPI_Send)(...) calls MPI_Send and counts it. Each op gets a line at its post, in the order of
 * posts, so line n is the n-th op_id of a rank with one thread; what is not known is left open. At
 * the end journal_write() leaves, in the directory $JOURNAL (nothing is written where that is not
 * set):
 *
 *	ops-000003.txt	op_id|kind|mode|call|peer|tag|bytes|complete_call|flag, `-` where open
 *	calls-000003.txt	call|count
 *
 * check_journal in tests/lib.sh does the comparing. Not for several threads.
 */
#ifndef TRYST_JOURNAL_H
#define TRYST_JOURNAL_H

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define C(function) (journal_call(#function), function)
#define REQUIRE(condition) ((condition) ? (void)0 : journal_fail(__FILE__, __LINE__, #condition))

enum { JOURNAL_OPEN = INT_MIN }; /* a peer or tag that is not known, or not said */

struct journal_op {
	const char *kind;
	const char *mode;
	const char *call;
	int peer; /* rank in MPI_COMM_WORLD */
	int tag;
	long long bytes;           /* -1: open */
	const char *complete_call; /* NULL: open */
	/* one word that must be among the op's flags; NULL: none asked */
	const char *flag;
};

struct journal_count {
	const char *call;
	long count;
};

static struct journal_op *journal_ops;
static long journal_nops, journal_room;
static struct journal_count journal_counts[256];
static int journal_ncounts;
static int journal_rank = -1;

static inline void journal_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: rank %d: not so: %s\n", file, line, journal_rank, condition);
	fflush(stderr);
	_Exit(3);
}

static inline void journal_call(const char *call)
{
	int i = 0;

	while (i < journal_ncounts && strcmp(journal_counts[i].call, call) != 0)
		i++;
	if (i == journal_ncounts) {
		REQUIRE(i < (int)(sizeof(journal_counts) / sizeof(journal_counts[0])));
		journal_counts[i].call = call;
		journal_counts[i].count = 0;
		journal_ncounts++;
	}
	journal_counts[i].count++;
}

/* Notes an op at its post; returns its number for journal_done(). Negative bytes are open. */
static inline long journal_op(
	const char *kind, const char *mode, const char *call, int peer, int tag, long long bytes)
{
	if (journal_nops == journal_room) {
		journal_room = journal_room ? 2 * journal_room : 1024;
		journal_ops = realloc(journal_ops, (size_t)journal_room * sizeof(*journal_ops));
		REQUIRE(journal_ops);
	}
	journal_ops[journal_nops] =
		(struct journal_op){ kind, mode, call, peer, tag, bytes, NULL, NULL };
	return journal_nops++;
}

/* Notes that op `n` was seen complete in `call`, and for receives from whom and how much. */
static inline void journal_done(long n, const char *call)
{
	journal_ops[n].complete_call = call;
}

static inline void journal_from(long n, int peer, int tag, long long bytes)
{
	journal_ops[n].peer = peer;
	journal_ops[n].tag = tag;
	journal_ops[n].bytes = bytes;
}

static inline void journal_flag(long n, const char *flag)
{
	journal_ops[n].flag = flag;
}

/* A blocking op, or one whose completion call is said at once. Returns its number. */
static inline long journal_send(
	const char *mode, const char *call, int peer, int tag, long long bytes)
{
	return journal_op("send", mode, call, peer, tag, bytes);
}

static inline long journal_recv(const char *call, int peer, int tag, long long bytes)
{
	return journal_op("recv", "standard", call, peer, tag, bytes);
}

static inline FILE *journal_open(const char *what)
{
	const char *dir = getenv("JOURNAL");
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s-%06d.txt", dir, what, journal_rank);
	out = fopen(path, "w");
	REQUIRE(out);
	return out;
}

static inline void journal_put(FILE *out, long long value, long long open)
{
	if (value == open)
		fprintf(out, "-|");
	else
		fprintf(out, "%lld|", value);
}

/*
 * Writes both files. Call it before MPI_Finalize; rows of calls not made through C() are not
 * compared.
 */
static inline void journal_write(void)
{
	FILE *out;

	if (!getenv("JOURNAL"))
		return;
	out = journal_open("ops");
	for (long i = 0; i < journal_nops; i++) {
		const struct journal_op *op = &journal_ops[i];

		fprintf(out, "%ld|%s|%s|%s|", i + 1, op->kind, op->mode, op->call);
		if (op->peer == MPI_PROC_NULL)
			fprintf(out, "null|");
		else
			journal_put(out, op->peer, JOURNAL_OPEN);
		journal_put(out, op->tag, JOURNAL_OPEN);
		journal_put(out, op->bytes < 0 ? -1 : op->bytes, -1);
		fprintf(out, "%s|%s\n", op->complete_call ? op->complete_call : "-",
			op->flag ? op->flag : "-");
	}
	REQUIRE(fclose(out) == 0);
	out = journal_open("calls");
	for (int i = 0; i < journal_ncounts; i++)
		fprintf(out, "%s|%ld\n", journal_counts[i].call, journal_counts[i].count);
	REQUIRE(fclose(out) == 0);
}

static inline void journal_init(int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &journal_rank);
	journal_call("MPI_Comm_rank");
}

#endif
