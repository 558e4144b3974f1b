/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c: runs the user's command under a changed environment (launch.h). */
#include <config.h>

#include "analysis/tune/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/base/now.h"
#include "analysis/doctor/program.h"

enum { GRACE_S = 10 };

/* Options of launchers with values that may look like programs. Names are without dashes. */
static const struct {
	const char *name;
	int values;
} valued[] = { { "map-by", 1 }, { "rank-by", 1 }, { "bind-to", 1 }, { "x", 1 }, { "host", 1 },
	{ "hosts", 1 }, { "H", 1 }, { "hostfile", 1 }, { "machinefile", 1 }, { "f", 1 }, { "n", 1 },
	{ "np", 1 }, { "c", 1 }, { "mca", 2 }, { "gmca", 2 }, { "prtemca", 2 }, { "pmixmca", 2 },
	{ "genv", 2 }, { "env", 2 }, { "genvlist", 1 }, { "envlist", 1 }, { "launcher", 1 },
	{ "launcher-exec", 1 }, { "iface", 1 }, { "ppn", 1 }, { "wdir", 1 }, { "prefix", 1 },
	{ "p", 1 }, { "N", 1 }, { "w", 1 }, { "J", 1 }, { "mpi", 1 }, { "bootstrap", 1 },
	{ "bootstrap-exec", 1 }, { "rmk", 1 }, { "A", 1 }, { "account", 1 }, { "q", 1 },
	{ "qos", 1 }, { "partition", 1 }, { "C", 1 }, { "t", 1 } };

/* How many words after the option are its values. */
static int values_of(const char *option)
{
	option += strspn(option, "-");
	for (size_t i = 0; i < sizeof(valued) / sizeof(valued[0]); i++)
		if (strcmp(option, valued[i].name) == 0)
			return valued[i].values;
	return 0;
}

/* A colon ends the words of one program. */
static bool is_end(const char *word)
{
	return !word || strcmp(word, ":") == 0;
}

static const char *base_name(const char *word)
{
	const char *slash = strrchr(word, '/');

	return slash ? slash + 1 : word;
}

static bool is_launcher(const char *word)
{
	static const char *const names[] = { "mpirun", "mpiexec", "orterun", "prterun", "srun" };
	const char *name = base_name(word);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t length = strlen(names[i]);

		if (strncmp(name, names[i], length) == 0 && (!name[length] || name[length] == '.'))
			return true;
	}
	return false;
}

/* Index of the program of the words behind argv[at]; 0: there is none. */
static int program_behind(const char *const *argv, int at)
{
	char path[PATH_MAX];
	int skipped = 0;

	for (int i = at + 1; !is_end(argv[i]); i++) {
		if (skipped)
			skipped--;
		else if (argv[i][0] == '-')
			skipped = values_of(argv[i]);
		else if (!is_launcher(argv[i]) && program_find(argv[i], path, sizeof(path)) == 0)
			return i;
	}
	return 0;
}

bool launch_find(const char *const *argv, struct launch *out)
{
	int at = 0;

	*out = (struct launch){ .argv = argv, .launcher = -1 };
	if (!argv[0])
		return false;
	do {
		const int program = program_behind(argv, at);

		if (!program)
			return false;
		if (!out->program)
			out->program = program;
		for (at = program; !is_end(argv[at]); at++)
			;
	} while (argv[at]);
	for (int i = 0; i < out->program && out->launcher < 0; i++)
		if (is_launcher(argv[i]))
			out->launcher = i;
	return true;
}

/*
 * The next word behind argv[at] that belongs to the launcher, as programs and their arguments do
 * not; its index, or -1. Begin with -1.
 */
static int next_word(const struct launch *l, int at)
{
	int program;

	for (int i = 0; l->argv[i]; i++) {
		program = program_behind(l->argv, i);
		if (at < program - 1)
			return at < i ? i : at + 1;
		for (i = program; !is_end(l->argv[i]);)
			i++;
		if (!l->argv[i])
			break;
	}
	return -1;
}

/* Is the word the name, alone or in front of '='? */
static bool is_named(const char *word, const char *name)
{
	const size_t length = strlen(name);

	return strncmp(word, name, length) == 0 && (!word[length] || word[length] == '=');
}

bool launch_has_option(const struct launch *l, const char *name)
{
	for (int i = -1; (i = next_word(l, i)) >= 0;)
		if (*l->argv[i] == '-' && is_named(l->argv[i] + strspn(l->argv[i], "-"), name))
			return true;
	return false;
}

bool launch_sets(const struct launch *l, const char *name)
{
	for (int i = -1; (i = next_word(l, i)) >= 0;) {
		const bool first =
			i > 0 && *l->argv[i - 1] == '-' && values_of(l->argv[i - 1]) == 2;

		if (is_named(l->argv[i], name) && (first || l->argv[i][strlen(name)]))
			return true;
	}
	return false;
}

bool launch_is_by(const struct launch *l, const char *name)
{
	return l->launcher >= 0 && strcmp(base_name(l->argv[l->launcher]), name) == 0;
}

/* The words of the command; the caller frees the array. NULL without memory. */
static char **words_of(const struct launch *l, const struct launch_way *way)
{
	size_t n = 0, more = 0, programs = 1, at = 0;
	const int launcher = way->option ? l->launcher : -1;
	char **words;
	int i = 0, program;

	for (; l->argv[n]; n++)
		programs += is_end(l->argv[n]);
	while (way->before && way->before[more])
		more++;
	words = calloc(n + 1 + programs * more + 1, sizeof(*words));
	if (!words)
		return NULL;
	do {
		program = program_behind(l->argv, i);
		for (; i < program; i++) {
			words[at++] = (char *)l->argv[i];
			if (i == launcher)
				words[at++] = (char *)way->option;
		}
		for (size_t k = 0; k < more; k++)
			words[at++] = (char *)way->before[k];
		for (; !is_end(l->argv[i]); i++)
			if (!way->without_program)
				words[at++] = (char *)l->argv[i];
	} while (l->argv[i]);
	return words;
}

/* In the child: becomes the command. */
static void become(char **words, const struct launch_way *way)
{
	const int in = file_open(AT_FDCWD, "/dev/null", O_RDONLY);
	const int out = file_open_mode(AT_FDCWD, way->output, O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
		dup2(out, STDERR_FILENO) < 0 || (way->setting && putenv((char *)way->setting) != 0))
		_exit(126);
	execvp(words[0], words);
	_exit(127);
}

static volatile sig_atomic_t stopped;
/* The process group of the running command; 0: none runs. */
static volatile sig_atomic_t group;

/* Hands the signal on to the command. If it then runs for GRACE_S longer, kills it. */
static void stop(int number)
{
	if (number != SIGALRM) {
		stopped = number;
		alarm(GRACE_S);
	}
	if (group > 0)
		kill(-(pid_t)group, number == SIGALRM ? SIGKILL : number);
}

/* Starts the command in a process group of its own. Returns its id, or a negative errno. */
static pid_t start(char **words, const struct launch_way *way)
{
	sigset_t signals, kept;
	pid_t child = -EINTR;

	/* a signal comes before the command starts, or ends it: the child must not run stop() */
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &kept);
	if (!stopped) {
		child = fork();
		if (child < 0)
			child = -errno;
	}
	if (child == 0) {
		setpgid(0, 0);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGALRM, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		sigprocmask(SIG_SETMASK, &kept, NULL);
		become(words, way);
	}
	if (child > 0) {
		setpgid(child, child);
		group = child;
	}
	sigprocmask(SIG_SETMASK, &kept, NULL);
	return child;
}

int launch_run(const struct launch *l, const struct launch_way *way, double *seconds)
{
	char **words = words_of(l, way);
	const int64_t begin = now_ns(CLOCK_MONOTONIC);
	int status = 0, rc = 0;
	pid_t child = words ? start(words, way) : -ENOMEM;

	free(words);
	if (child < 0)
		return child;
	while (!rc && waitpid(child, &status, 0) != child)
		rc = errno == EINTR ? 0 : -errno;
	group = 0;
	if (stopped) /* processes that the command left behind */
		kill(-child, SIGKILL);
	if (rc)
		return rc;
	*seconds = (double)(now_ns(CLOCK_MONOTONIC) - begin) / 1e9;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void launch_line(const struct launch *l, const char *option, struct text *to)
{
	char **words = words_of(l, &(struct launch_way){ .option = option });

	for (int i = 0; words && words[i]; i++) {
		if (i)
			text_add(to, " ");
		text_add_quoted(to, words[i]);
	}
	free(words);
}

void launch_watch(void)
{
	const struct sigaction action = { .sa_handler = stop };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	/* the end of a child that is ignored cannot be waited for */
	signal(SIGCHLD, SIG_DFL);
}

bool launch_stopped(void)
{
	return stopped != 0;
}
