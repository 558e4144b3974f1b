/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune.c: `tryst tune`: finds a setting of the MPI library that makes a program faster.
 *
 *	run of the command, recorded --> candidates --calibrate, replay--> predicted changes
 *	the best ones, and the unchanged command, in turn --> measured changes
 */
#include <config.h>

#include "analysis/format/db/db.h"
#include "analysis/dataset/analyzed.h"
#include "analysis/dataset/dataset.h"
#include "analysis/doctor/program.h"
#include "analysis/mapping/mapping.h"
#include "analysis/options/subcommand.h"
#include "analysis/replay/load.h"
#include "analysis/replay/path.h"
#include "analysis/replay/run.h"
#include "analysis/text/messages.h"
#include "analysis/text/progress.h"
#include "analysis/text/table.h"
#include "analysis/text/target.h"
#include "analysis/tune/candidates.h"
#include "analysis/tune/judge.h"
#include "analysis/tune/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/base/now.h"
#include "analysis/base/text.h"
#include "analysis/format/links/links.h"

enum { INTERRUPTED = 130 }; /* exit code */
enum { ROUNDS_MAX = 1000, TRIED_MAX = 4, LEAST_ROUNDS = 3 };

struct tune_options {
	const char *output, *links;
	int64_t rounds, seconds, tried;
	double least_pct;
};

/* A candidate, what was predicted for it, and what was measured. */
struct trial {
	struct candidate candidate;
	bool calibrated;       /* its links were measured; if not, S is the candidate's */
	bool same_S;           /* they have S of the unchanged command's links */
	bool blind;            /* nothing is predicted: links of messages are unknown */
	bool failed;           /* one of its runs failed */
	uint64_t S;            /* [B]; 0: unchanged or unknown */
	double predicted, off; /* change of the run time, and half the width of its interval; NAN:
				  unknown [s] */
	double *seconds;       /* by round */
};

struct tuning {
	const struct tune_options *o;
	struct launch launch;
	char self[PATH_MAX], dir[PATH_MAX], log[PATH_MAX + 16];
	int64_t begin;  /* when tuning began, by CLOCK_MONOTONIC [ns] */
	sqlite3 *links; /* --links; NULL: none */
	double run;     /* the recorded run's time from MPI_Init on [s] */
	struct trial trial[CANDIDATES_MAX];
	int ntrials, ntried, ncalibrated;
	struct text notes; /* lines on candidates that are left out */
	double *unchanged; /* by round [s] */
	size_t rounds;
	bool broke; /* the unchanged command failed in a round */
	FILE *results;
};

static const struct option options[] = {
	{ .name = "output",
		.letter = 'o',
		.type = OPT_TEXT,
		.argument = "DIR",
		.initial = "tryst-tune",
		.at = offsetof(struct tune_options, output),
		.help = "directory for the recorded run, links, output and times; must not exist" },
	{ .name = "links",
		.type = OPT_TEXT,
		.argument = "FILE",
		.at = offsetof(struct tune_options, links),
		.help = "of tryst calibrate, for mappings; no links are measured" },
	{ .name = "rounds",
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "20",
		.lowest = LEAST_ROUNDS,
		.highest = ROUNDS_MAX,
		.at = offsetof(struct tune_options, rounds),
		.help = "runs of each setting, at most" },
	{ .name = "time",
		.type = OPT_WHOLE,
		.argument = "SECONDS",
		.initial = "3600",
		.lowest = 1,
		.highest = 1000000,
		.at = offsetof(struct tune_options, seconds),
		.help = "no round begins later" },
	{ .name = "try",
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "2",
		.lowest = 1,
		.highest = TRIED_MAX,
		.at = offsetof(struct tune_options, tried),
		.help = "settings to run: those with the best predictions" },
	{ .name = "least",
		.type = OPT_REAL,
		.argument = "PERCENT",
		.initial = "1",
		.lowest = 0,
		.highest = 100,
		.at = offsetof(struct tune_options, least_pct),
		.help = "a setting that is predicted to gain less is not run" },
	{ 0 }
};

static bool is_option(const struct candidate *c)
{
	return *c->setting == '-';
}

/*
 * Runs the command with `before` in front of the program; its output goes to DIR/output. c: the
 * candidate to apply; NULL: the command is unchanged.
 */
static int run(struct tuning *t, const char *const *before, bool without_program,
	const struct candidate *c, double *seconds)
{
	const struct launch_way way = { .before = before,
		.without_program = without_program,
		.setting = c && !is_option(c) ? c->setting : NULL,
		.option = c && is_option(c) ? c->setting : NULL,
		.output = t->log };

	return launch_run(&t->launch, &way, seconds);
}

/*
 * Measures the links under the candidate's setting into DIR/links-N. c NULL: without one.
 * *refused: the command ended before it measured anything.
 */
static void calibrate(
	struct tuning *t, int n, const struct candidate *c, sqlite3 **db, bool *refused)
{
	char file[PATH_MAX + 32], part[PATH_MAX + 48];
	const char *const words[] = { t->self, "calibrate", "--quiet", "--budget", "2",
		"--max-bytes", "4M", "--output", file, NULL };
	double seconds;

	*db = NULL;
	snprintf(file, sizeof(file), "%s/links-%d", t->dir, n);
	snprintf(part, sizeof(part), "%s.incomplete", file);
	if (run(t, words, true, c, &seconds) == 0 && !launch_stopped())
		links_open(file, db, NULL);
	*refused = !*db && !launch_stopped() && access(part, F_OK) != 0;
}

/* Notes that no links are known, and which predictions this leaves. */
static void note_no_links(struct tuning *t)
{
	double load;

	text_add(&t->notes, "Links could not be measured");
	if (getloadavg(&load, 1) == 1)
		text_addf(&t->notes, " (load average %.1f, %ld CPUs)", load,
			sysconf(_SC_NPROCESSORS_ONLN));
	text_addf(&t->notes,
		": predictions change only S, and bindings are not predicted. '%s' has the reason. "
		"If the machine was busy, repeat tryst tune on an idle one.\n",
		t->log);
}

/* Links by which candidates are predicted; NULL: unknown. */
struct known_links {
	sqlite3 *was, *is; /* measured without and with the candidate's setting */
	sqlite3 *more;     /* of kinds of links that the run does not have */
};

/*
 * Predicts the change of the run time under a candidate. *moves: the candidate puts ranks on other
 * hosts than in the run. Returns 0; -EINVAL if links that a mapping needs are unknown; or another
 * negative errno.
 */
static int predict(struct trial *trial, sqlite3 *db, struct replay_graph *g,
	const struct replay_result *before, const struct known_links *links, bool *moves)
{
	const struct candidate *c = &trial->candidate;
	struct text set = { 0 };
	struct replay_changes changes = { .progress = c->progress,
		.links_more = &links->more,
		.nlinks_more = links->more != NULL };
	struct replay_scenario scenario = { 0 };
	struct replay_hosts hosts = { 0 };
	struct replay_result after = { 0 };
	bool changed;
	int rc;

	trial->calibrated = links->was && links->is;
	trial->S = c->S;
	if (trial->calibrated) {
		changes.links_was = links->was;
		changes.links = links->is;
		trial->S = candidate_S(c, links->was, links->is, &changed);
		trial->same_S = trial->S && !changed;
	} else {
		candidate_put_change(c, &set);
		changes.set = set.at;
	}
	if (*c->map)
		changes.map = c->map;
	rc = replay_scenario_read(db, g, &changes, &scenario, &say_stderr);
	if (!rc) /* no message: links between hosts may be unknown if the run did not use them */
		rc = replay_follow(db, g, &changes, &scenario, &hosts, NULL);
	*moves = scenario.moves;
	if (!rc)
		rc = replay_run_path(g, &scenario, &after);
	trial->predicted = (double)(after.run_ns - before->run_ns) / 1e9;
	trial->off = 1.96 * sqrt(2) * after.noise_ns / 1e9;
	trial->blind = replay_is_blind(&after);
	if (after.stuck)
		trial->predicted = INFINITY;
	replay_result_release(&after);
	replay_hosts_release(&hosts);
	replay_scenario_release(&scenario);
	text_release(&set);
	return rc;
}

static int by_prediction(const void *a, const void *b)
{
	const struct trial *x = a, *y = b;

	return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}

/*
 * Adds a candidate with its prediction, or a note why it is left out. A mapping that moves no rank
 * is left out without a note. Returns 0 or a negative errno, printed.
 */
static int add_trial(struct tuning *t, const struct candidate *c, sqlite3 *db,
	struct replay_graph *g, const struct replay_result *before, struct known_links *links)
{
	struct trial *trial = &t->trial[t->ntrials];
	const char *why = NULL;
	bool refused = false, moves = false;
	int rc = 0;

	*trial = (struct trial){ .candidate = *c };
	if (c->binds && !links->was && !t->links) /* note_no_links() has said so */
		return 0;
	if (links->was && !*c->map)
		calibrate(t, ++t->ncalibrated, c, &links->is, &refused);
	if (launch_stopped()) {
		sqlite3_close(links->is);
		links->is = NULL;
		return 0;
	}
	if (refused)
		why = "left out: the command ends with an error";
	else if (c->binds && !links->is)
		why = t->links ? "not predicted: with --links, tune measures no links" :
				 "not predicted: its links could not be measured";
	if (!why) {
		rc = predict(trial, db, g, before, links, &moves);
		if ((*c->map && rc == -EINVAL) || (!rc && trial->blind)) {
			why = "not predicted: links inside a host or between hosts are unknown; "
			      "tryst calibrate measures them for --links FILE";
			rc = 0;
		} else if (trial->same_S) {
			why = "left out: it does not change S";
		}
	}
	sqlite3_close(links->is);
	links->is = NULL;
	if (why)
		text_addf(&t->notes, "%s: %s.\n", c->setting, why);
	if (rc || why || (*c->map && !moves))
		return rc;
	/* of candidates with the same prediction, only the last is kept */
	for (int k = 0; k < t->ntrials; k++)
		if (t->trial[k].predicted == trial->predicted) {
			t->trial[k] = *trial;
			return 0;
		}
	t->ntrials++;
	return 0;
}

/* Candidates with their predictions, the best first. 0 or a negative errno, printed. */
static int predict_all(
	struct tuning *t, sqlite3 *db, struct replay_graph *g, const struct replay_result *before)
{
	struct candidate list[CANDIDATES_MAX];
	struct known_links links = { 0 };
	bool refused;
	int rc = 0, n = candidates_find(db, g, list, &t->notes);

	if (n < 0)
		return db_say(db, n, "read", &say_stderr);
	if (n > 0 && !t->links) {
		calibrate(t, 0, NULL, &links.was, &refused);
		if (!links.was && !launch_stopped())
			note_no_links(t);
	}
	links.more = t->links ? t->links : links.was;
	for (int i = 0; i < n && !rc && !launch_stopped(); i++)
		if (candidate_is_overridden(&list[i], &t->launch))
			text_addf(&t->notes, "%s: left out: this command does not take it.\n",
				list[i].setting);
		else
			rc = add_trial(t, &list[i], db, g, before, &links);
	sqlite3_close(links.was);
	qsort(t->trial, (size_t)t->ntrials, sizeof(t->trial[0]), by_prediction);
	return rc;
}

/* In whole microseconds; + 0.0 takes the sign from -0. */
static void put_seconds(struct text *to, double seconds)
{
	if (fabs(seconds) < 1)
		text_addf(to, "%.3g ms", round(seconds * 1e6) / 1e3 + 0.0);
	else
		text_addf(to, "%.3g s", seconds);
}

/* Adds a change of `whole` and, if known, its interval: "-1.2 s, -10 % (-1.4 s to -1.0 s)". */
static void put_change(struct text *to, double change, double low, double high, double whole)
{
	if (isnan(change)) {
		text_add(to, "-");
		return;
	}
	put_seconds(to, change);
	if (whole > 0)
		text_addf(to, ", %.2g %%", 100 * change / whole + 0.0);
	if (!isfinite(low) || !isfinite(high))
		return;
	text_add(to, " (");
	put_seconds(to, low);
	text_add(to, " to ");
	put_seconds(to, high);
	text_add(to, ")");
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : NAN;
}

static void put_trial(const struct tuning *t, const struct trial *trial, bool tried)
{
	struct text line = { 0 };
	struct judged j;

	text_addf(&line, "%s: predicted ", trial->candidate.setting);
	if (isinf(trial->predicted))
		text_add(&line, "to hang");
	else
		put_change(&line, trial->predicted, trial->predicted - trial->off,
			trial->predicted + trial->off, t->run);
	if (trial->S)
		text_addf(&line, ", S = %" PRIu64 " B%s", trial->S,
			trial->calibrated ? "" : " (not calibrated)");
	if (tried && trial->failed)
		text_add(&line, "; a run failed");
	else if (tried && t->rounds) {
		j = judge(t->unchanged, trial->seconds, t->rounds);
		text_add(&line, "; measured ");
		put_change(&line, j.mean, j.low, j.high, mean_of(t->unchanged, t->rounds));
		text_addf(&line, " in %zu round%s", t->rounds, t->rounds == 1 ? "" : "s");
	}
	put_line("%s", line.at ? line.at : "");
	text_release(&line);
}

/* Prints why no setting would help. */
static void put_reasons(
	const struct tuning *t, const struct replay_graph *g, const struct replay_result *before)
{
	const struct replay_efficiency e = replay_efficiency(g, before, before);
	struct text line = { 0 };
	int64_t ns[REPLAY_CAUSES] = { 0 };

	for (uint32_t i = 0; i < g->nsites; i++)
		for (int c = 0; c < REPLAY_CAUSES; c++)
			ns[c] += before->site[i].wait_ns[c];
	text_add(&line, "Waits of all ranks:");
	for (int c = 0; c < REPLAY_CAUSES; c++) {
		text_addf(&line, "%s %s ", c ? "," : "", replay_cause_names[c]);
		put_seconds(&line, (double)ns[c] / 1e9);
	}
	put_line("%s.", line.at ? line.at : "");
	text_release(&line);
	put_line("Ranks compute for %.3g s on average, and one of them for %.3g s: load balance "
		 "%.0f %%. Settings do not change that; 'tryst report %s/run' names the places.",
		(double)e.mean_computation_ns / 1e9, (double)e.max_computation_ns / 1e9,
		100.0 * (double)e.mean_computation_ns /
			(double)(e.max_computation_ns > 0 ? e.max_computation_ns : 1),
		t->o->output);
}

/* One run of a round; trial NULL: unchanged. False: it failed. */
static bool time_run(struct tuning *t, struct trial *trial)
{
	double *to = trial ? &trial->seconds[t->rounds] : &t->unchanged[t->rounds];
	const int rc = run(t, NULL, false, trial ? &trial->candidate : NULL, to);

	if (launch_stopped())
		return false;
	if (t->results) {
		fprintf(t->results, "%zu,%s,%d,%.6f\n", t->rounds + 1,
			trial ? trial->candidate.setting : "unchanged", rc, *to);
		fflush(t->results);
	}
	if (rc && trial) {
		trial->failed = true;
		return true;
	}
	t->broke = rc != 0;
	return rc == 0 || !say_error("the command ended with %d: see '%s'", rc, t->log);
}

/* Runs each setting once, in random order. False: measuring must end. */
static bool run_round(struct tuning *t)
{
	struct trial *order[TRIED_MAX + 1] = { NULL }; /* NULL: unchanged */
	int n = 1;

	for (int i = 0; i < t->ntried; i++)
		if (!t->trial[i].failed)
			order[n++] = &t->trial[i];
	for (int i = n - 1; i > 0; i--) {
		const int k = (int)(random() % (i + 1));
		struct trial *kept = order[i];

		order[i] = order[k];
		order[k] = kept;
	}
	for (int i = 0; i < n; i++)
		if (!time_run(t, order[i]))
			return false;
	t->rounds++;
	return true;
}

/* Is every difference known? */
static bool all_known(const struct tuning *t)
{
	for (int i = 0; i < t->ntried; i++) {
		const struct judged j = judge(t->unchanged, t->trial[i].seconds, t->rounds);

		if (!t->trial[i].failed && !judge_is_known(&j, mean_of(t->unchanged, t->rounds)))
			return false;
	}
	return true;
}

/* Runs the best settings and the unchanged command in turn. */
static int measure(struct tuning *t)
{
	char path[PATH_MAX + 16];

	t->unchanged = calloc(ROUNDS_MAX, sizeof(*t->unchanged));
	for (int i = 0; i < t->ntried; i++)
		t->trial[i].seconds = calloc(ROUNDS_MAX, sizeof(*t->unchanged));
	for (int i = 0; i < t->ntried; i++)
		if (!t->unchanged || !t->trial[i].seconds)
			return -ENOMEM;
	snprintf(path, sizeof(path), "%s/times.csv", t->dir);
	t->results = file_stream(
		file_open_mode(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
		"w");
	if (t->results)
		fputs("round,setting,exit_code,seconds\n", t->results);
	srandom((unsigned)time(NULL));
	while (t->rounds < (size_t)t->o->rounds &&
		now_ns(CLOCK_MONOTONIC) - t->begin < t->o->seconds * 1000000000 && run_round(t))
		if (t->rounds >= LEAST_ROUNDS && all_known(t))
			break;
	if (t->results)
		fclose(t->results);
	return 0;
}

/* Prints the line by which the user's next runs use the candidate. */
static void put_use(const struct tuning *t, const struct candidate *c)
{
	struct text line = { 0 };

	if (is_option(c))
		launch_line(&t->launch, c->setting, &line);
	else
		text_addf(&line, "export %s", c->setting);
	printf("Use: %s\n", line.at ? line.at : ""); /* one line, to be copied */
	text_release(&line);
}

/* Prints what is known, also after an interruption. */
static void print(const struct tuning *t)
{
	const struct trial *best = NULL;
	double best_high = 0;

	put_line("Unchanged: %.3g s from MPI_Init to MPI_Finalize as recorded%s", t->run,
		t->rounds ? "" : ".");
	if (t->rounds)
		put_line("  and %.3g s for the whole command, the mean of %zu run%s. Changes:",
			mean_of(t->unchanged, t->rounds), t->rounds, t->rounds == 1 ? "" : "s");
	for (int i = 0; i < t->ntrials; i++)
		put_trial(t, &t->trial[i], t->unchanged && i < t->ntried);
	if (t->notes.at)
		fputs(t->notes.at, stdout);
	for (int i = 0; i < t->ntried && t->unchanged; i++) {
		const struct judged j = judge(t->unchanged, t->trial[i].seconds, t->rounds);

		if (!t->trial[i].failed && j.high < 0 && j.mean < best_high) {
			best = &t->trial[i];
			best_high = j.mean;
		}
	}
	if (best)
		put_use(t, &best->candidate);
	else if (t->unchanged && !launch_stopped() && !t->broke && t->rounds == 0)
		put_line("No round was run: --time was used up before the first.");
	else if (t->unchanged && !launch_stopped() && (t->broke || all_known(t)))
		put_line("No setting is known to be faster.");
	else if (t->unchanged && !launch_stopped())
		put_line("No setting is known to be faster after %zu round%s. A larger --%s allows "
			 "more rounds; on an idle machine fewer are enough.",
			t->rounds, t->rounds == 1 ? "" : "s",
			t->rounds < (size_t)t->o->rounds ? "time" : "rounds");
	if (launch_stopped())
		put_line("Interrupted: these are the results so far.");
}

/* Predicts from the recorded run, and measures. */
static int tune(struct tuning *t, struct dataset *data)
{
	struct replay_graph g = { 0 };
	struct replay_result before = { 0 };
	int rc = replay_load(data->db, &g, &say_stderr);

	progress_end();
	if (!rc)
		rc = replay_run_path(&g, NULL, &before);
	if (!rc) {
		t->run = (double)before.run_ns / 1e9;
		rc = predict_all(t, data->db, &g, &before);
	}
	while (!rc && t->ntried < t->ntrials && t->ntried < t->o->tried &&
		t->trial[t->ntried].predicted < -t->o->least_pct / 100 * t->run)
		t->ntried++;
	if (!rc && t->ntried && !launch_stopped())
		rc = measure(t);
	if (!rc)
		print(t);
	if (!rc && !t->ntried && !launch_stopped()) {
		if (t->ntrials)
			put_line("No setting is predicted to gain %g %%: nothing was run.",
				t->o->least_pct);
		else
			put_line(t->notes.at ? "No setting is left to try: nothing was run." :
					       "No setting is known that governs messages of this "
					       "run.");
		/* again: S of the links may have changed which sends were rendezvous */
		replay_result_release(&before);
		rc = replay_run_path(&g, NULL, &before);
		if (!rc)
			put_reasons(t, &g, &before);
	}
	replay_result_release(&before);
	replay_graph_release(&g);
	return launch_stopped() && !rc ? INTERRUPTED : rc || t->broke ? CMD_FAILED : CMD_OK;
}

/* Prints the end of the command's output: a launcher that fails says there why. */
static void put_output(const struct tuning *t)
{
	char end[4096];
	struct stat st = { 0 };
	const int fd = file_open_regular(AT_FDCWD, t->log, O_RDONLY, &st);
	const off_t from = st.st_size > (off_t)sizeof(end) ? st.st_size - (off_t)sizeof(end) : 0;
	const ssize_t n = fd < 0 ? 0 : file_read(fd, end, sizeof(end), (uint64_t)from);

	if (n > 0)
		fwrite(end, 1, (size_t)n, stderr);
	if (fd >= 0)
		close(fd);
}

/* Records one run in DIR/run, which is missing afterwards if no rank was recorded. */
static int record(struct tuning *t, char *run_dir, size_t size)
{
	const char *const words[] = { t->self, "run", "-o", run_dir, NULL };
	bool recorded;
	double seconds;
	int rc;

	snprintf(run_dir, size, "%s/run", t->dir);
	rc = run(t, words, false, NULL, &seconds);
	recorded = access(run_dir, F_OK) == 0;
	if (launch_stopped()) {
		if (recorded)
			say_error("interrupted in the recorded run: '%s' has what was recorded",
				run_dir);
		else
			say_error("interrupted before anything was recorded");
		return INTERRUPTED;
	}
	if (recorded)
		return rc ? say_error("the command ended with %d: see '%s'", rc, t->log) : CMD_OK;
	put_output(t);
	return rc ? say_error("the command ended with %d, and nothing was recorded", rc) :
		    say_error("nothing was recorded: tryst doctor tells why");
}

static int begin(struct tuning *t, char **argv)
{
	const ssize_t n = readlink("/proc/self/exe", t->self, sizeof(t->self) - 1);
	char text[PATH_MAX + 128];
	const int rc = program_find(argv[0], text, sizeof(text));

	t->begin = now_ns(CLOCK_MONOTONIC);
	if (rc) {
		program_explain(argv[0], rc, text, sizeof(text));
		return say_error("cannot run '%s': %s", argv[0], text);
	}
	if (!launch_find((const char *const *)argv, &t->launch)) {
		say_error("cannot find a program in the command: it must be LAUNCHER [OPTION...] "
			  "PROGRAM [ARGUMENT...]");
		return CMD_USAGE;
	}
	if (t->o->links && links_open(t->o->links, &t->links, &say_stderr) != 0)
		return CMD_FAILED;
	if (n <= 0 || mkdir(t->o->output, 0777) != 0)
		return say_error("cannot make '%s': %s", t->o->output, strerror(errno));
	if (!realpath(t->o->output, t->dir))
		return say_error("cannot find '%s': %s", t->o->output, strerror(errno));
	snprintf(t->log, sizeof(t->log), "%s/output", t->dir);
	return CMD_OK;
}

static int run_tune(const void *options_read, int argc, char **argv)
{
	struct tuning t = { .o = options_read };
	const struct dataset_options how = { .ended = true };
	struct dataset data = { 0 };
	char run_dir[PATH_MAX + 16];
	int rc = begin(&t, argv);

	(void)argc;
	if (rc == CMD_OK) {
		launch_watch();
		rc = record(&t, run_dir, sizeof(run_dir));
		if (access(run_dir, F_OK) != 0)
			target_remove(t.dir);
	}
	if (rc == CMD_OK && dataset_open(run_dir, &how, &say_stderr, &data) != 0)
		rc = CMD_FAILED;
	if (rc == CMD_OK && data.empty)
		rc = say_error("nothing was recorded: tryst doctor tells why");
	if (rc == CMD_OK) {
		analyze_dataset(&data, &say_stderr);
		rc = tune(&t, &data);
	}
	dataset_close(&data);
	for (int i = 0; i < t.ntrials; i++)
		free(t.trial[i].seconds);
	free(t.unchanged);
	text_release(&t.notes);
	sqlite3_close(t.links);
	return rc;
}

const struct subcommand cmd_tune = {
	.name = "tune",
	.summary = "find a setting of the MPI library that makes a program faster",
	.arguments = "-- LAUNCHER [OPTION...] PROGRAM [ARGUMENT...]",
	.description =
		"Runs the command once under tryst run, and finds settings of the MPI library that "
		"may make it faster. It measures the links under each setting by tryst calibrate, "
		"and "
		"predicts the run time with these links as tryst predict does. Then it runs the "
		"command with the best settings and without any, in turn and in random order, "
		"until "
		"each difference is known, or until --rounds or --time. It prints the predicted "
		"and "
		"the measured change of each setting, and the line to use.\n\n"
		"Settings are limits of eager messages: btl_sm_eager_limit, btl_vader_eager_limit "
		"and btl_tcp_eager_limit of Open MPI, and UCX_RNDV_THRESH. If the run showed which "
		"of them governs S, it is that one. It gets values that cover half, nine tenths or "
		"all of the run's rendezvous messages up to 256 KiB (vader), 1 MiB (sm) or 4 MiB "
		"(others). With MPICH, MPIR_CVAR_ASYNC_PROGRESS "
		"is tried if messages waited for progress. Ranks bound to cores, and unbound "
		"ranks, are tried if their links can be measured. On several hosts Open MPI's "
		"mappings node and slot are candidates, and MPICH's option -ppn=1. tune predicts "
		"them as tryst predict --map does. The variables for binding and mapping depend on "
		"the version: OMPI_MCA_hwloc_base_binding_policy and "
		"OMPI_MCA_rmaps_base_mapping_policy for Open MPI 4, "
		"PRTE_MCA_hwloc_default_binding_policy and PRTE_MCA_rmaps_default_mapping_policy "
		"for 5, PRTE_MCA_bindto and PRTE_MCA_mapby for 6. MPICH has HYDRA_BINDING. A "
		"setting is left out if an option of the launcher overrides it, if it does not "
		"change the measured S, or if the command fails with it.\n\n"
		"If no setting is predicted to gain at least --least, tune says so, tells what "
		"ranks "
		"waited for, and runs nothing. If the machine is too busy to measure links, "
		"predictions change only S, and bindings are not predicted. To predict a mapping, "
		"tune needs links inside a host and between hosts, and for another S those of the "
		"messages that it changes. If the run lacks them, --links gives them.\n\n"
		"The predicted change is that of the time from MPI_Init to MPI_Finalize, and its "
		"interval is as in tryst predict. The measured change is that of the whole "
		"command, "
		"without recording; its interval holds the mean with 99 %. A difference is known "
		"if its "
		"interval leaves out zero, or lies within 1 % of the run time.\n\n"
		"Settings are variables of the command's environment. tune changes no file. "
		"Standard "
		"input of the command is empty. DIR keeps the recorded run (run), link parameters "
		"(links-N), the output of all runs (output) and all times (times.csv). After "
		"SIGINT or "
		"SIGTERM tune ends the command, and prints the results so far.",
	.examples = "tryst tune -- mpirun -n 4 ./app input\twhich setting makes ./app faster?\n",
	.see_also = "tryst-predict(1), tryst-calibrate(1), tryst-doctor(1)",
	.options = options,
	.options_size = sizeof(struct tune_options),
	.min_operands = 1,
	.max_operands = -1,
	.stops_at_operand = true,
	.run = run_tune,
};
