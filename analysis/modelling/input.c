/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input.c: what users of `tryst model` write: times, lists of lengths, maps of ranks to nodes,
 * and patterns of concurrent transfers. Errors are printed, with the text that was read.
 */
#include <config.h>

#include "analysis/base/duration.h"
#include "analysis/text/messages.h"
#include "analysis/modelling/input.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 1 << 20, FLOWS_MAX = 10000, LINE_MAX_ = 256 };

double model_time_of(const char *text)
{
	double ns;

	if (duration_read(text, 1, &ns) && ns >= 0 && ns < 1e18)
		return ns;
	say_error("bad time '%s': a number and ns, us, ms or s", text);
	return NAN;
}

int64_t model_next_bytes(const char **list)
{
	char *end;
	unsigned long long n = strtoull(*list, &end, 10);
	const char *suffix = "kMG", *at = *end ? strchr(suffix, *end == 'K' ? 'k' : *end) : NULL;
	unsigned shift = at ? 10 * (unsigned)(at - suffix + 1) : 0;

	if (end == *list || **list == '-' || n > (1ull << 50) >> shift)
		goto bad;
	end += at != NULL;
	if (*end && *end != ',')
		goto bad;
	*list = *end ? end + 1 : end;
	return (int64_t)(n << shift);
bad:
	say_error("bad list of lengths: '%s'", *list);
	return -1;
}

/* "4x2": ranks 0 and 1 on node 0, 2 and 3 on node 1, ... 0, -1 where it is no such text. */
static int map_blocks(const char *text, int **node_of, int *n)
{
	char *end;
	long nodes = strtol(text, &end, 10), each;

	if (end == text || *end != 'x')
		return -1;
	text = end + 1;
	each = strtol(text, &end, 10);
	if (end == text || *end || nodes < 1 || each < 1 || nodes > RANKS_MAX / each)
		return -1;
	*n = (int)(nodes * each);
	*node_of = malloc((size_t)*n * sizeof(**node_of));
	for (int r = 0; *node_of && r < *n; r++)
		(*node_of)[r] = r / (int)each;
	return 0;
}

static int map_list(const char *text, int **node_of, int *n)
{
	size_t room = 1;

	for (const char *c = text; *c; c++)
		room += *c == ',';
	*node_of = malloc(room * sizeof(**node_of));
	for (*n = 0; *node_of && *text;) {
		char *end;
		long node = strtol(text, &end, 10);

		if (end == text || node < 0 || node > INT_MAX || (*end && *end != ','))
			return -1;
		(*node_of)[(*n)++] = (int)node;
		text = *end ? end + 1 : end;
	}
	return *n > 0 || !*node_of ? 0 : -1;
}

int model_map_read(const char *text, int **node_of, int *n)
{
	*node_of = NULL;
	*n = 0;
	if (map_blocks(text, node_of, n) < 0) {
		free(*node_of);
		if (map_list(text, node_of, n) < 0) {
			free(*node_of);
			*node_of = NULL;
			return say_error(
				       "bad map '%s': the node of each rank (0,0,1,1), or nodes x "
				       "ranks (2x2)",
				       text),
			       -1;
		}
	}
	return *node_of ? 0 : (say_error("out of memory"), -1);
}

/* FROM TO BYTES [START] into *f. 1: nothing in the line; 0; -1. */
static int flow_of(char *line, struct flow *f)
{
	char *word[5], *next = line;
	const char *bytes;
	int words = 0;

	line[strcspn(line, "#\n")] = '\0';
	while (words < 5 && (word[words] = strtok_r(next, " \t\r", &next)))
		words++;
	if (words == 0)
		return 1;
	if (words < 3 || words > 4)
		return say_error("a line of a pattern is: FROM TO BYTES [START]"), -1;
	for (int i = 0; i < 2; i++) {
		char *end;
		long node = strtol(word[i], &end, 10);

		if (*end || end == word[i] || node < 0 || node > INT_MAX)
			return say_error("bad node '%s'", word[i]), -1;
		*(i ? &f->to : &f->from) = (int)node;
	}
	bytes = word[2];
	f->bytes = (uint64_t)model_next_bytes(&bytes);
	f->start_ns = words == 4 ? model_time_of(word[3]) : 0;
	if (f->bytes == UINT64_MAX || isnan(f->start_ns))
		return -1;
	return *bytes ? (say_error("bad length '%s'", word[2]), -1) : 0;
}

int model_pattern_read(const char *path, struct flow **flow, size_t *n)
{
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	char line[LINE_MAX_];
	int rc = 0, at = 0;

	*flow = NULL;
	*n = 0;
	if (!in)
		return say_error("cannot open '%s': %s", path, strerror(errno)), -1;
	while (rc >= 0 && fgets(line, sizeof(line), in)) {
		struct flow f = { .from = 0 }, *more = *flow;

		at++;
		rc = strchr(line, '\n') || feof(in) ? flow_of(line, &f) :
						      (say_error("the line is too long"), -1);
		if (rc < 0)
			say_error("'%s', line %d", path, at);
		if (rc != 0)
			continue;
		if (*n % 64 == 0)
			more = *n < FLOWS_MAX ? realloc(*flow, (*n + 64) * sizeof(**flow)) : NULL;
		if (!more) {
			rc = (say_error("'%s' has more than %d transfers", path, FLOWS_MAX), -1);
			break;
		}
		*flow = more;
		(*flow)[(*n)++] = f;
	}
	if (rc >= 0 && ferror(in))
		rc = (say_error("cannot read '%s': %s", path, strerror(errno)), -1);
	if (rc >= 0 && *n == 0)
		rc = (say_error("'%s' has no transfers: lines of FROM TO BYTES [START]", path), -1);
	if (in != stdin)
		fclose(in);
	return rc < 0 ? -1 : 0;
}
