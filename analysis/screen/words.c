/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.c: bars of time and of message sizes, and bottlenecks in a line for each question.
 *
 * A few ranks or sizes have a long line each. Many stand side by side, in cells of a fixed width
 * (screen.c).
 */
#include <config.h>

#include "analysis/screen/words.h"

#include <math.h>
#include <stdio.h>

#include "analysis/report/sentences.h"

enum { FEW = 4, WIDE_BAR = 44, KIND_BAR = 30, SIZE_BAR = 20, NARROW_BAR = 9 };

/* How many of `width` signs a share takes; at least one unless it is 0. */
static int signs(double share, int width)
{
	const long n = lround(share * width);

	return share <= 0 ? 0 : n < 1 ? 1 : n > width ? width : (int)n;
}

static void add_signs(struct text *to, char sign, int n)
{
	char one[2] = { sign, '\0' };

	while (n-- > 0)
		text_add(to, one);
}

/* Pads text to `columns`, to the right end; if they are negative, to the left. */
static void add_padded(struct text *to, const char *text, int columns)
{
	text_addf(to, "%*s", columns, text);
}

void say_kind_bar(struct text *to, const struct fact *f)
{
	char time[32];
	const int n = signs(fact_real(f, "share_pct") / 100, KIND_BAR);

	text_addf(to, "%s ", fact_text(f, "letter"));
	add_padded(to, fact_text(f, "kind"), -24);
	add_signs(to, fact_text(f, "letter")[0], n);
	add_signs(to, ' ', KIND_BAR - n);
	text_addf(to, " %5.1f %% %9s", fact_real(f, "share_pct"),
		duration_text(fact_real(f, "time_ns"), time, sizeof time));
}

/* A bar of `width` signs: the parts of a rank's time, in the letters of their kinds. */
static void add_time_bar(struct text *to, const struct fact *f, int width)
{
	static const struct {
		const char *column;
		char letter;
	} parts[] = { { "computing_ns", '#' }, { "asleep_ns", 'z' }, { "message_wait_ns", 'w' },
		{ "collective_wait_ns", 'c' }, { "polling_ns", 'p' }, { "unpredicted_ns", '?' },
		{ "not_returned_ns", '!' }, { "other_ns", 'm' }, { "tool_ns", 't' } };
	const double run_ns = fact_real(f, "run_ns");
	double sum = 0;
	int done = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && run_ns > 0; i++) {
		long end;

		sum += fact_real(f, parts[i].column);
		end = lround(sum / run_ns * width);
		end = end > width ? width : end;
		add_signs(to, parts[i].letter, (int)end - done);
		done = end > done ? (int)end : done;
	}
	add_signs(to, ' ', width - done);
}

void say_rank_bar(struct text *to, const struct fact *f)
{
	const double run_ns = fact_real(f, "run_ns");
	const double pct = run_ns > 0 ? 100 * fact_real(f, "computing_ns") / run_ns : 0;
	const long long rank = fact_int(f, "rank");

	if (fact_int(f, "ranks") <= FEW) {
		text_addf(to, "rank %-5lld", rank);
		add_time_bar(to, f, WIDE_BAR);
		text_addf(to, " %5.1f %% computing", pct);
	} else {
		text_addf(to, "%4lld ", rank);
		add_time_bar(to, f, NARROW_BAR);
		text_addf(to, "%3.0f %%", pct);
	}
}

/* "< 64 KiB", of a power of two */
static void add_below(struct text *to, int64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	char below[32];
	int unit = 0;

	if (bytes == 1) {
		add_padded(to, "0 B", -11);
		return;
	}
	for (; bytes >= 1024 && unit < 6; unit++)
		bytes /= 1024;
	snprintf(below, sizeof below, "< %lld %s", (long long)bytes, units[unit]);
	add_padded(to, below, -11);
}

void say_size_bar(struct text *to, const struct fact *f)
{
	char count[32], bytes[32];
	const double pct = fact_real(f, "share_pct");

	add_below(to, fact_int(f, "below_bytes"));
	count_text(fact_int(f, "count"), count, sizeof count);
	if (fact_int(f, "sizes") <= FEW) {
		const int n = signs(pct / 100, SIZE_BAR);

		add_signs(to, '#', n);
		add_signs(to, ' ', SIZE_BAR - n);
		text_addf(to, " %5.1f %% %14s messages, %s", pct, count,
			bytes_text(fact_real(f, "bytes"), bytes, sizeof bytes));
	} else {
		if (fact_int(f, "count") > 999999)
			snprintf(count, sizeof count, "%.3g M", fact_real(f, "count") / 1e6);
		text_addf(to, "%8s %3.0f %%", count, pct);
	}
}

void say_where_short(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"where: {call} at {where}, {count:,} {protocol} message{count||s} of "
		"{least_bytes}");
	if (fact_int(f, "most_bytes") > fact_int(f, "least_bytes"))
		phrase(to, f, " to {most_bytes}");
	phrase(to, f, "[, waited for in {waited_in} at {waited_at}]");
}

/* Who is late for whom, and by how much. */
void say_why_short(struct text *to, const struct fact *f)
{
	text_add(to, "why:   ");
	phrase(to, f, cause_of(f)->why);
}

/* If advice is withheld, the line on worth says so. */
void say_do_short(struct text *to, const struct fact *f)
{
	if (fact_int(f, "withheld"))
		return;
	text_add(to, "do:    ");
	say_remedy_short(to, f);
}

void say_worth_short(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"{withheld|do: advice is withheld; |}worth: [at most {worth_ns} of "
		"the run's {run_ns}]");
	if (!fact_has(f, "worth_ns"))
		phrase(to, f, "unknown{unsure|, ranks lacked a CPU|}");
	phrase(to, f, fact_has(f, "wait_ns") ? "; {lost_ns} of waits" : "; {lost_ns} of transfers");
}

/* Adds a part of the line on trust behind the parts before it; nothing if its fact is unknown. */
static void add_trust(struct text *to, const struct fact *f, bool *begun, const char *form)
{
	struct text part = { 0 };

	phrase(&part, f, form);
	if (part.length > 0)
		text_addf(to, "%s%s", *begun ? "; " : "Trust: ", part.at);
	*begun |= part.length > 0;
	to->failed |= part.failed;
	text_release(&part);
}

void say_trust(struct text *to, const struct fact *f)
{
	bool begun = false;

	add_trust(to, f, &begun, "[ranks lacked a CPU for {no_cpu_pct:1} % of their time]");
	if (fact_int(f, "messages"))
		add_trust(to, f, &begun,
			fact_real(f, "unpredicted_pct") >= 0.05 ?
				"{unpredicted_pct:1} % of the ranks' time is in messages that are "
				"not predicted" :
				"messages are predicted");
	add_trust(to, f, &begun, "{unconfirmed|link numbers are unconfirmed|}");
	add_trust(to, f, &begun, "[clocks agree within {clock_error_ns}]");
	if (!(fact_real(f, "tool_pct") > OVERHEAD_PCT))
		add_trust(to, f, &begun, "[tryst took {tool_pct:1} %]");
	if (begun)
		text_add(to, ".");
}

void say_next(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"Next: tryst report {cut_short|-s pending (all open calls), |}"
		"{late|-s blame (who is late), |}{tried|-s remedies (all that were tried), |}"
		"-v (everything); man tryst-reading explains the words.");
}
