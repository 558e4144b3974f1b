/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.c: options read from tables (subcommand.h).
 *
 * Accepted: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, several flags in one -abc, and an
 * unambiguous beginning of a long name. "--" ends the options. Options may follow operands, except
 * where the subcommand runs a program whose own options come then.
 */
#include "analysis/base/duration.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/distance.h"

#define TRY_HELP "; see tryst %s -h"

static int usage_error(
	const struct subcommand *cmd, const char *what, const char *name, const char *more)
{
	say_error("%s%s%s" TRY_HELP, what, name, more, cmd->name);
	return CMD_USAGE;
}

/* Number of words of an OPT_CHOICE. */
static int count_words(const struct option *o)
{
	int n = 1;

	for (const char *p = o->argument; *p; p++)
		n += *p == '|';
	return n;
}

/* The i-th of them, copied to word[size]. */
static void copy_word(const struct option *o, int i, char *word, size_t size)
{
	const char *p = o->argument;

	while (i-- > 0)
		p = strchr(p, '|') + 1;
	snprintf(word, size, "%.*s", (int)strcspn(p, "|"), p);
}

/* Near enough to be what was meant. */
static bool is_near(unsigned d, const char *name)
{
	return d <= 1 || (d <= 3 && d * 3 <= strlen(name) + 2);
}

const char *subcommand_suggest(const char *name)
{
	const char *best = NULL;
	unsigned best_d = DISTANCE_FAR;

	for (int i = 0; subcommands[i]; i++) {
		size_t length = strlen(name);
		/* a beginning is as near as can be */
		unsigned d = length > 1 && strncmp(name, subcommands[i]->name, length) == 0 ?
			0 :
			name_distance(name, length, subcommands[i]->name);

		if (!subcommands[i]->hidden && d < best_d && is_near(d, name)) {
			best = subcommands[i]->name;
			best_d = d;
		}
	}
	return best;
}

static int unknown_option(const struct subcommand *cmd, const char *name)
{
	const struct option *best = NULL;
	unsigned best_d = DISTANCE_FAR;
	char more[128];

	for (const struct option *o = cmd->options; o && !option_is_end(o); o++) {
		unsigned d = option_long(o) && !o->hidden ?
			name_distance(name, strlen(name), o->name) :
			DISTANCE_FAR;

		if (d < best_d && is_near(d, name)) {
			best = o;
			best_d = d;
		}
	}
	if (!best)
		return usage_error(cmd, "unknown option --", name, "");
	snprintf(more, sizeof more, ", did you mean --%s?", best->name);
	return usage_error(cmd, "unknown option --", name, more);
}

/* NULL with *nfound 0 or more than 1. An exact name wins over beginnings. */
static const struct option *find_long(
	const struct subcommand *cmd, const char *name, size_t length, int *nfound)
{
	const struct option *found = NULL;

	*nfound = 0;
	for (const struct option *o = cmd->options; o && !option_is_end(o); o++) {
		if (!option_long(o) || strncmp(o->name, name, length) != 0)
			continue;
		if (o->name[length] == '\0') {
			*nfound = 1;
			return o;
		}
		if (!o->hidden) {
			found = o;
			++*nfound;
		}
	}
	return *nfound == 1 ? found : NULL;
}

static const struct option *find_letter(const struct subcommand *cmd, char letter)
{
	for (const struct option *o = cmd->options; o && !option_is_end(o); o++)
		if (option_letter(o) == letter)
			return o;
	return NULL;
}

static const char *shown_name(const struct option *o, char *buffer, size_t size)
{
	snprintf(buffer, size, option_long(o) ? "--%s" : "-%s", o->name);
	return buffer;
}

static int bad_value(
	const struct subcommand *cmd, const struct option *o, const char *text, const char *wanted)
{
	char name[64];

	say_error(
		"%s '%s': %s" TRY_HELP, shown_name(o, name, sizeof name), text, wanted, cmd->name);
	return CMD_USAGE;
}

static int check_range(
	const struct subcommand *cmd, const struct option *o, const char *text, double value)
{
	char wanted[96];

	if (o->lowest == 0 && o->highest == 0)
		return 0;
	if (value >= o->lowest && value <= o->highest)
		return 0;
	snprintf(wanted, sizeof wanted, "must be from %.15g to %.15g", o->lowest, o->highest);
	return bad_value(cmd, o, text, wanted);
}

static int read_whole(
	const struct subcommand *cmd, const struct option *o, const char *text, int64_t *value)
{
	static const char suffixes[] = "kMG";
	int64_t base = strcmp(o->argument, "BYTES") == 0 ? 1024 : 1000, scale = 1;
	const char *s;
	char *end;
	long long n;

	if (strcmp(text, "off") == 0 && strstr(o->argument, "|off")) {
		*value = 0;
		return 0;
	}
	errno = 0;
	n = strtoll(text, &end, 10);
	if (end == text || errno)
		return bad_value(cmd, o, text, "is not a whole number");
	if (*end && (s = strchr(suffixes, *end == 'K' ? 'k' : *end)) && end[1] == '\0') {
		for (const char *p = suffixes; p <= s; p++)
			scale *= base;
	} else if (*end) {
		return bad_value(cmd, o, text, "is not a whole number (k, M and G may follow it)");
	}
	if (__builtin_mul_overflow((int64_t)n, scale, value))
		return bad_value(cmd, o, text, "is too large");
	return check_range(cmd, o, text, (double)*value);
}

static int read_real(
	const struct subcommand *cmd, const struct option *o, const char *text, double *value)
{
	char *end;

	if (strcmp(o->argument, "TIME") == 0) {
		if (!duration_read(text, 1e9, value))
			return bad_value(cmd, o, text, "is no time: seconds, or 10ms, 1.5s");
		return check_range(cmd, o, text, *value);
	}
	*value = strtod(text, &end);
	if (end == text || *end || !isfinite(*value))
		return bad_value(cmd, o, text, "is not a number");
	return check_range(cmd, o, text, *value);
}

static int read_choice(
	const struct subcommand *cmd, const struct option *o, const char *text, int *value)
{
	char wanted[256];

	for (int i = 0; i < count_words(o); i++) {
		char word[64];

		copy_word(o, i, word, sizeof word);
		if (strcmp(word, text) == 0) {
			*value = i;
			return 0;
		}
	}
	snprintf(wanted, sizeof wanted, "must be one of %s", o->argument);
	return bad_value(cmd, o, text, wanted);
}

/* Would the value hide an earlier one of an option that is given once? */
static bool hides_another(const struct option *o, const char *text, const char *already)
{
	return o->once && already && strcmp(already, text) != 0;
}

/* One value of one option, from text. Returns 0, or CMD_USAGE with a message printed. */
static int store(
	const struct subcommand *cmd, const struct option *o, const char *text, void *values)
{
	char *at = (char *)values + o->at;
	int64_t whole = 0;
	double real = 0;
	int choice = 0, rc = 0;

	switch (o->type) {
	case OPT_FLAG:
		break;
	case OPT_TEXT:
		if (hides_another(o, text, *(const char **)at))
			return usage_error(cmd, "--", o->name,
				" is given twice: separate several values by commas");
		break;
	case OPT_WHOLE:
		rc = read_whole(cmd, o, text, &whole);
		break;
	case OPT_REAL:
		rc = read_real(cmd, o, text, &real);
		break;
	case OPT_CHOICE:
		rc = read_choice(cmd, o, text, &choice);
		break;
	}
	if (rc)
		return rc;
	if (o->type == OPT_FLAG)
		*(bool *)at = true;
	else if (o->type == OPT_TEXT || o->raw)
		*(const char **)at = text;
	else if (o->type == OPT_WHOLE)
		*(int64_t *)at = whole;
	else if (o->type == OPT_REAL)
		*(double *)at = real;
	else
		*(int *)at = choice;
	return 0;
}

/* argv[i] is "--name" or "--name=value". Moves *i on where the value is the next argument. */
static int read_long(const struct subcommand *cmd, int argc, char **argv, int *i, void *values)
{
	const char *name = argv[*i] + 2, *value = strchr(name, '=');
	size_t length = value ? (size_t)(value - name) : strlen(name);
	int nfound;
	const struct option *o = find_long(cmd, name, length, &nfound);
	char shown[64];

	snprintf(shown, sizeof shown, "%.*s", (int)length, name);
	if (!o)
		return nfound ? usage_error(cmd, "ambiguous option --", shown, "") :
				unknown_option(cmd, shown);
	if (o->type == OPT_FLAG && value)
		return usage_error(cmd, "takes no value: --", o->name, "");
	if (o->type == OPT_FLAG)
		return store(cmd, o, NULL, values);
	if (!value && *i + 1 >= argc)
		return usage_error(cmd, "needs a value: --", o->name, "");
	return store(cmd, o, value ? value + 1 : argv[++*i], values);
}

/* argv[i] is "-abc", "-n", "-nVALUE". */
static int read_letters(
	const struct subcommand *cmd, int argc, char **argv, int *i, void *values, int *help)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		const struct option *o = find_letter(cmd, *p);
		char shown[2] = { *p, '\0' };
		int rc;

		if (!o && *p == 'h') {
			*help = 'h';
			continue;
		}
		if (!o)
			return usage_error(cmd, "unknown option -", shown, "");
		if (o->type != OPT_FLAG) {
			if (!p[1] && *i + 1 >= argc)
				return usage_error(cmd, "needs a value: -", shown, "");
			return store(cmd, o, p[1] ? p + 1 : argv[++*i], values);
		}
		rc = store(cmd, o, NULL, values);
		if (rc)
			return rc;
	}
	return 0;
}

static int check_operands(const struct subcommand *cmd, int n, char **operands)
{
	if (n < cmd->min_operands) {
		say_error("something is missing: tryst %s %s" TRY_HELP, cmd->name, cmd->arguments,
			cmd->name);
		return CMD_USAGE;
	}
	if (cmd->max_operands >= 0 && n > cmd->max_operands)
		return usage_error(cmd, "one argument too many: ", operands[cmd->max_operands], "");
	return 0;
}

int options_read(const struct subcommand *cmd, int argc, char **argv, void *values, int *noperands,
	int *help)
{
	bool ended = false;
	int n = 0, rc;

	*help = 0;
	if (cmd->options_size)
		memset(values, 0, cmd->options_size);
	for (const struct option *o = cmd->options; o && !option_is_end(o); o++)
		if (o->initial && !o->raw && (rc = store(cmd, o, o->initial, values)))
			return rc;
	for (int i = 1; i < argc; i++) {
		if (ended || argv[i][0] != '-' || argv[i][1] == '\0') {
			argv[1 + n++] = argv[i];
			ended = ended || cmd->stops_at_operand;
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			ended = true;
			rc = 0;
		} else if (strcmp(argv[i], "--help") == 0) {
			*help = 'H';
			rc = 0;
		} else if (argv[i][1] == '-') {
			rc = read_long(cmd, argc, argv, &i, values);
		} else {
			rc = read_letters(cmd, argc, argv, &i, values, help);
		}
		if (rc)
			return rc;
		if (*help)
			return 0;
	}
	*noperands = n;
	argv[1 + n] = NULL;
	return check_operands(cmd, n, argv + 1);
}
