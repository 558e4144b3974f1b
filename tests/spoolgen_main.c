/* SPDX-License-Identifier: BSD-3-Clause */
/* spoolgen_main.c: writes the files of a simulated run, and prints what must come out of them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/spoolgen.h"

static int usage(void)
{
	fprintf(stderr,
		"usage: spoolgen [-n ranks] [-r rounds] [-s seed] [-l late%%] [-L late-max-ns]"
		" [-a added-ns]"
		" [-b max-bytes]\n\t[-w wildcard%%] [-i nonblocking%%] [-c collective%%]"
		" [-N ranks-per-node] [-k] [-o] DIR\n"
		"\t-k: clocks start apart; -o: as processes leave it that die in a receive\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct spoolgen_truth t;
	struct spoolgen g;
	int option, rc;

	spoolgen_init(&g);
	while ((option = getopt(argc, argv, "n:r:s:l:L:a:b:w:i:c:N:ko")) != -1) {
		uint64_t value = optarg ? strtoull(optarg, NULL, 0) : 0;

		switch (option) {
		case 'n':
			g.ranks = (int32_t)value;
			break;
		case 'r':
			g.rounds = value;
			break;
		case 's':
			g.seed = value;
			break;
		case 'l':
			g.late_percent = (unsigned)value;
			break;
		case 'L':
			g.late_max_ns = value;
			break;
		case 'a':
			g.added_ns = value;
			break;
		case 'b':
			g.max_bytes = value;
			break;
		case 'w':
			g.wildcard_percent = (unsigned)value;
			break;
		case 'i':
			g.nonblocking_percent = (unsigned)value;
			break;
		case 'c':
			g.collective_percent = (unsigned)value;
			break;
		case 'N':
			g.ranks_per_node = (int32_t)value;
			break;
		case 'k':
			g.skewed = true;
			break;
		case 'o':
			g.open = true;
			break;
		default:
			return usage();
		}
	}
	if (optind != argc - 1 || g.ranks < 1)
		return usage();
	g.dir = argv[optind];
	if (mkdir(g.dir, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "spoolgen: cannot make '%s': %s\n", g.dir, strerror(errno));
		return 1;
	}
	rc = spoolgen_write(&g, &t);
	if (rc) {
		fprintf(stderr, "spoolgen: cannot write into '%s': %s\n", g.dir, strerror(-rc));
		return 1;
	}
	printf("ops %" PRIu64 "\nsends %" PRIu64 "\nbytes_sent %" PRIu64 "\ncollectives %" PRIu64
	       "\npending %" PRIu64 "\nexcess_ns %" PRId64 "\nwait_ns %" PRId64 "\n",
		t.ops, t.sends, t.bytes_sent, t.collectives, t.pending, t.excess_ns, t.wait_ns);
	return 0;
}
