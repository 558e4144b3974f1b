/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io.c FILE: every kind of file call. Each rank writes its calls on files in the order in which
 * they are made: $JOURNAL/io-NNNNNN.txt, lines `call|file|seq|bytes|complete_call`, `-` for none.
 */
#include "journal.h"

enum { N = 100, NONE = -1 };

static FILE *rows;
static int me, n;
static int seq[8]; /* collective calls on each file so far */

static void line(const char *call, int file, int number, long bytes, const char *end)
{
	if (!rows)
		return;
	fprintf(rows, "%s|", call);
	journal_put(rows, file, NONE);
	journal_put(rows, number, NONE);
	fprintf(rows, "%ld|%s\n", bytes, end);
}

/* The call that follows: by this rank alone, by all, or one whose request ends in Wait. */
#define ALONE(f, file, bytes) (line(#f, file, NONE, bytes, #f), C(f))
#define ALL(f, file, bytes) (line(#f, file, seq[file]++, bytes, #f), C(f))
#define POST(f, file, bytes) (line(#f, file, NONE, bytes, "MPI_Wait"), C(f))
#define POST_ALL(f, file, bytes) (line(#f, file, seq[file]++, bytes, "MPI_Wait"), C(f))

/* Ranks read and write their own part of one file. */
static void together(const char *name)
{
	int out[N], in[N] = { 0 };
	MPI_Offset mine = (MPI_Offset)me * sizeof(out), size;
	MPI_Request r;
	MPI_Status s;
	MPI_File f;

	for (int i = 0; i < N; i++)
		out[i] = me + i;
	ALL(MPI_File_open, 1, 0)
	(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	ALL(MPI_File_set_size, 1, 0)(f, 0);
	ALL(MPI_File_set_view, 1, 0)(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	ALL(MPI_File_set_view, 1, 0)(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	ALONE(MPI_File_write_at, 1, 400)(f, mine, out, N, MPI_INT, &s);
	ALL(MPI_File_sync, 1, 0)(f);
	C(MPI_Barrier)(MPI_COMM_WORLD);
	ALONE(MPI_File_read_at, 1, 400)(f, mine, in, N, MPI_INT, MPI_STATUS_IGNORE);
	REQUIRE(in[7] == me + 7);
	ALL(MPI_File_write_at_all, 1, 200)(f, mine, out, N / 2, MPI_INT, MPI_STATUS_IGNORE);
	ALL(MPI_File_read_at_all, 1, 400)(f, mine, in, N, MPI_INT, &s);
	C(MPI_File_seek)(f, mine, MPI_SEEK_SET);
	ALONE(MPI_File_write, 1, 40)(f, out, 10, MPI_INT, &s);
	C(MPI_File_seek)(f, mine, MPI_SEEK_SET);
	ALL(MPI_File_read_all, 1, 40)(f, in, 10, MPI_INT, &s);
	ALL(MPI_File_write_all_begin, 1, 0)(f, out, 20, MPI_INT);
	ALL(MPI_File_write_all_end, 1, 80)(f, out, &s);
	ALL(MPI_File_read_at_all_begin, 1, 0)(f, mine, in, 10, MPI_INT);
	ALL(MPI_File_read_at_all_end, 1, 40)(f, in, MPI_STATUS_IGNORE);
	POST(MPI_File_iwrite_at, 1, 400)(f, mine, out, N, MPI_INT, &r);
	C(MPI_Wait)(&r, MPI_STATUS_IGNORE);
	ALL(MPI_File_sync, 1, 0)(f);
	C(MPI_Barrier)(MPI_COMM_WORLD);
	POST(MPI_File_iread_at, 1, 400)(f, mine, in, N, MPI_INT, &r);
	C(MPI_Wait)(&r, &s);
	POST_ALL(MPI_File_iwrite_at_all, 1, 400)(f, mine, out, N, MPI_INT, &r);
	C(MPI_Wait)(&r, &s);
	ALONE(MPI_File_get_size, 1, 0)(f, &size);
	REQUIRE(size == (MPI_Offset)n * (MPI_Offset)sizeof(out));
	/* only half of it is there; Open MPI 4.1.4 does not end an iread of that */
	C(MPI_Barrier)(MPI_COMM_WORLD);
	ALONE(MPI_File_read_at, 1, 200)(f, size - 200, in, N, MPI_INT, &s);
#if MPI_VERSION >= 4
	ALONE(MPI_File_read_at_c, 1, 400)(f, mine, in, N, MPI_INT, &s);
	ALL(MPI_File_write_at_all_c, 1, 400)(f, mine, out, N, MPI_INT, MPI_STATUS_IGNORE);
#endif
	ALL(MPI_File_close, 1, 0)(&f);
}

/* A file that is one rank's own. */
static void apart(const char *name)
{
	char mine[4096];
	double x[3] = { 1, 2, 3 };
	MPI_File f;

	snprintf(mine, sizeof(mine), "%s.%d", name, me);
	ALL(MPI_File_open, 2, 0)
	(MPI_COMM_SELF, mine, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	ALONE(MPI_File_write_shared, 2, 24)(f, x, 3, MPI_DOUBLE, MPI_STATUS_IGNORE);
	ALL(MPI_File_write_ordered, 2, 16)(f, x, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
	ALL(MPI_File_seek_shared, 2, 0)(f, 0, MPI_SEEK_SET);
	ALONE(MPI_File_read_shared, 2, 24)(f, x, 3, MPI_DOUBLE, MPI_STATUS_IGNORE);
	ALL(MPI_File_close, 2, 0)(&f);
	ALONE(MPI_File_delete, NONE, 0)(mine, MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
	journal_init(&argc, &argv);
	me = journal_rank;
	C(MPI_Comm_size)(MPI_COMM_WORLD, &n);
	REQUIRE(argc == 2);
	if (getenv("JOURNAL"))
		rows = journal_open("io");
	together(argv[1]);
	apart(argv[1]);
	if (rows)
		REQUIRE(fclose(rows) == 0);
	journal_write();
	MPI_Finalize();
	return 0;
}
