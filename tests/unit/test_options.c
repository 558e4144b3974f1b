/* SPDX-License-Identifier: BSD-3-Clause */
/* test_options.c: options of subcommands are read from tables. */
#include <config.h>

#include <string.h>
#include <unistd.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "tests/unit/unit.h"

struct values {
	const char *name;
	int64_t times, bytes;
	double factor, pause_s;
	int format;
	bool loud, quiet;
	const char *raw, *others;
};

static const struct option options[] = { { .name = "name",
						 .letter = 'n',
						 .type = OPT_TEXT,
						 .argument = "WHO",
						 .initial = "you",
						 .at = offsetof(struct values, name),
						 .help = "whom" },
	{ .name = "times",
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "3",
		.lowest = 1,
		.highest = 5000,
		.at = offsetof(struct values, times),
		.help = "how often" },
	{ .name = "size",
		.type = OPT_WHOLE,
		.argument = "BYTES",
		.at = offsetof(struct values, bytes),
		.help = "how much" },
	{ .name = "factor",
		.type = OPT_REAL,
		.argument = "X",
		.initial = "0.5",
		.at = offsetof(struct values, factor),
		.help = "by what" },
	{ .name = "pause",
		.type = OPT_REAL,
		.argument = "TIME",
		.lowest = 0,
		.highest = 100,
		.at = offsetof(struct values, pause_s),
		.help = "before it" },
	{ .name = "format",
		.letter = 'f',
		.type = OPT_CHOICE,
		.argument = "text|csv|json",
		.initial = "csv",
		.at = offsetof(struct values, format),
		.help = "how" },
	{ .name = "loud",
		.letter = 'l',
		.type = OPT_FLAG,
		.at = offsetof(struct values, loud),
		.help = "in capitals" },
	{ .name = "q",
		.type = OPT_FLAG,
		.at = offsetof(struct values, quiet),
		.help = "in silence" },
	{ .name = "others",
		.type = OPT_TEXT,
		.once = true,
		.argument = "WHO,...",
		.at = offsetof(struct values, others),
		.help = "who else" },
	{ .name = "raw",
		.type = OPT_WHOLE,
		.raw = true,
		.argument = "N",
		.initial = "7",
		.at = offsetof(struct values, raw),
		.help = "checked, kept as text" },
	{ 0 } };

static const struct subcommand greet = { .name = "greet",
	.summary = "say hello",
	.arguments = "[A]",
	.options = options,
	.options_size = sizeof(struct values),
	.max_operands = 2 };
static const struct subcommand start = { .name = "start",
	.summary = "run it",
	.arguments = "PROGRAM",
	.options = options,
	.options_size = sizeof(struct values),
	.min_operands = 1,
	.max_operands = -1,
	.stops_at_operand = true };
const struct subcommand *const subcommands[] = { &greet, &start, NULL };

static struct values v;
static char *args[16];
static int noperands, help;

/* Reads words separated by spaces; messages go to /dev/null. */
static int read_words(const struct subcommand *cmd, const char *words)
{
	static char copy[256];
	int n = 0, rc, saved = dup(STDERR_FILENO);
	FILE *null = fopen("/dev/null", "w");

	snprintf(copy, sizeof copy, "%s", words);
	args[n++] = (char *)(uintptr_t)cmd->name;
	for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "))
		args[n++] = p;
	args[n] = NULL;
	fflush(stderr);
	dup2(fileno(null), STDERR_FILENO);
	rc = options_read(cmd, n, args, &v, &noperands, &help);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	fclose(null);
	return rc;
}

static void defaults_are_what_the_help_shows(void)
{
	CU_ASSERT_EQUAL(read_words(&greet, ""), 0);
	CU_ASSERT_STRING_EQUAL(v.name, "you");
	CU_ASSERT_EQUAL(v.times, 3);
	CU_ASSERT_EQUAL(v.bytes, 0);
	CU_ASSERT_EQUAL(v.factor, 0.5);
	CU_ASSERT_EQUAL(v.format, 1);
	CU_ASSERT_FALSE(v.loud);
	CU_ASSERT_PTR_NULL(v.raw);
}

static void every_way_to_write_an_option_is_read(void)
{
	CU_ASSERT_EQUAL(read_words(&greet, "--name=ann --times 4 -lf json --fac 2 -q"), 0);
	CU_ASSERT_STRING_EQUAL(v.name, "ann");
	CU_ASSERT_EQUAL(v.times, 4);
	CU_ASSERT_EQUAL(v.format, 2);
	CU_ASSERT_EQUAL(v.factor, 2);
	CU_ASSERT_TRUE(v.loud);
	CU_ASSERT_TRUE(v.quiet);
	CU_ASSERT_EQUAL(read_words(&greet, "-nbob -l"), 0);
	CU_ASSERT_STRING_EQUAL(v.name, "bob");
}

static void suffixes_are_powers_of_1000_and_of_1024_for_bytes(void)
{
	CU_ASSERT_EQUAL(read_words(&greet, "--times 2k --size 2K"), 0);
	CU_ASSERT_EQUAL(v.times, 2000);
	CU_ASSERT_EQUAL(v.bytes, 2048);
	CU_ASSERT_EQUAL(read_words(&greet, "--size 9999999999G"), CMD_USAGE);
	CU_ASSERT_EQUAL(read_words(&greet, "--times 6k"), CMD_USAGE);
	CU_ASSERT_EQUAL(read_words(&greet, "--times 0"), CMD_USAGE);
	CU_ASSERT_EQUAL(read_words(&greet, "--times 2kk"), CMD_USAGE);
}

static void times_are_in_seconds_or_have_a_unit(void)
{
	static const struct {
		const char *words;
		double s;
	} cases[] = { { "--pause 1.5", 1.5 }, { "--pause 1.5s", 1.5 }, { "--pause 1500ms", 1.5 },
		{ "--pause 4us", 4e-6 }, { "--pause 2ns", 2e-9 }, { "--pause 0.05", 0.05 } };
	static const char *const wrong[] = { "--pause s", "--pause 1h", "--pause 1S", "--pause 1s2",
		"--pause nan", "--pause infs", "--pause -1ms", "--pause 101s", "--factor 1s" };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CU_ASSERT_EQUAL(read_words(&greet, cases[i].words), 0);
		CU_ASSERT_DOUBLE_EQUAL(v.pause_s, cases[i].s, 1e-15);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CU_ASSERT_EQUAL(read_words(&greet, wrong[i]), CMD_USAGE);
}

static void raw_options_are_checked_and_kept_as_text(void)
{
	CU_ASSERT_EQUAL(read_words(&greet, "--raw 12k"), 0);
	CU_ASSERT_STRING_EQUAL(v.raw, "12k");
	CU_ASSERT_EQUAL(read_words(&greet, "--raw x"), CMD_USAGE);
}

static void operands_keep_their_order_among_options(void)
{
	CU_ASSERT_EQUAL(read_words(&greet, "one -l two"), 0);
	CU_ASSERT_EQUAL(noperands, 2);
	CU_ASSERT_STRING_EQUAL(args[1], "one");
	CU_ASSERT_STRING_EQUAL(args[2], "two");
	CU_ASSERT_PTR_NULL(args[3]);
	CU_ASSERT_EQUAL(read_words(&greet, "-- -l --bogus"), 0);
	CU_ASSERT_EQUAL(noperands, 2);
	CU_ASSERT_FALSE(v.loud);
	CU_ASSERT_EQUAL(read_words(&greet, "one two three"), CMD_USAGE);
}

static void a_program_keeps_its_own_options(void)
{
	CU_ASSERT_EQUAL(read_words(&start, "-l app -l -- --help"), 0);
	CU_ASSERT_EQUAL(noperands, 4);
	CU_ASSERT_EQUAL(help, 0);
	CU_ASSERT_STRING_EQUAL(args[2], "-l");
	CU_ASSERT_STRING_EQUAL(args[3], "--");
	CU_ASSERT_EQUAL(read_words(&start, "-l"), CMD_USAGE);
}

static void nonsense_is_refused(void)
{
	static const char *const words[] = { "--bogus", "-x", "--n", "--times", "-f",
		"--format xml", "--loud=yes", "--factor nan", "--factor 1x", "--times 1.5" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		CU_ASSERT_EQUAL(read_words(&greet, words[i]), CMD_USAGE);
}

/* A second name replaces the first; a second list would lose the first one's values. */
static void lists_are_given_once(void)
{
	CU_ASSERT_EQUAL(read_words(&greet, "--name a --name b"), 0);
	CU_ASSERT_STRING_EQUAL(v.name, "b");
	CU_ASSERT_EQUAL(read_words(&greet, "--others a,b"), 0);
	CU_ASSERT_STRING_EQUAL(v.others, "a,b");
	CU_ASSERT_EQUAL(read_words(&greet, "--others a,b --others a,b"), 0);
	CU_ASSERT_EQUAL(read_words(&greet, "--others a --others b"), CMD_USAGE);
}

static void help_wins_over_what_is_missing(void)
{
	CU_ASSERT_EQUAL(read_words(&start, "-h"), 0);
	CU_ASSERT_EQUAL(help, 'h');
	CU_ASSERT_EQUAL(read_words(&start, "--help"), 0);
	CU_ASSERT_EQUAL(help, 'H');
}

static void a_mistyped_subcommand_is_recognised(void)
{
	CU_ASSERT_STRING_EQUAL(subcommand_suggest("gret"), "greet");
	CU_ASSERT_STRING_EQUAL(subcommand_suggest("strat"), "start");
	CU_ASSERT_PTR_NULL(subcommand_suggest("merge"));
}

static const struct unit_test tests[] = { { "defaults are what the help shows",
						  defaults_are_what_the_help_shows },
	{ "every way to write an option is read", every_way_to_write_an_option_is_read },
	{ "suffixes are powers of 1000 and of 1024 for bytes",
		suffixes_are_powers_of_1000_and_of_1024_for_bytes },
	{ "times are in seconds or have a unit", times_are_in_seconds_or_have_a_unit },
	{ "raw options are checked and kept as text", raw_options_are_checked_and_kept_as_text },
	{ "operands keep their order among options", operands_keep_their_order_among_options },
	{ "a program keeps its own options", a_program_keeps_its_own_options },
	{ "nonsense is refused", nonsense_is_refused },
	{ "lists are given once", lists_are_given_once },
	{ "help wins over what is missing", help_wins_over_what_is_missing },
	{ "a mistyped subcommand is recognised", a_mistyped_subcommand_is_recognised },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("options", tests);
}
