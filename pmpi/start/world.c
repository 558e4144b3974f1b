/* SPDX-License-Identifier: BSD-3-Clause */
/* world.c: directories and notes of spawned worlds. */
#include "pmpi/start/world.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/format/run/world_note.h"
#include "pmpi/dispatch/handles.h"
#include "next.h"

extern char **environ;

enum { WORLDS_MAX = 9999, RANKS_NOTED = 65536 };

/* The run's directory, which is the first world's. */
static void run_directory(char *dir, size_t size)
{
	char *slash;

	snprintf(dir, size, "%s", shim.dir);
	slash = shim.world ? strrchr(dir, '/') : NULL;
	if (slash)
		*slash = '\0';
}

/* Appends to the file, whose first line is the claim. Returns 0, or -1. */
static int write_note(const char *dir, const struct spawn *s, const struct comm *comm)
{
	FILE *f = world_note_open(dir, true);

	if (!f)
		return -1;
	fprintf(f, "spawn %016" PRIx64 " %d %d\n", s->key, s->world, shim.world);
	if (!comm->identity && comm->world && comm->size <= RANKS_NOTED) {
		fprintf(f, "ranks");
		for (int i = 0; i < comm->size; i++)
			fprintf(f, " %d", comm->world[i]);
		fprintf(f, "\n");
	}
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "TRYST_", 6) == 0 && !strchr(*e, '\n') &&
			strncmp(*e, "TRYST_DIR=", 10) != 0 &&
			strncmp(*e, "TRYST_STARTED=", 14) != 0 &&
			strncmp(*e, "TRYST_SPAWNED=", 14) != 0)
			fprintf(f, "set %s\n", *e);
	return fclose(f) == 0 ? 0 : -1;
}

/* The world number that the root has claimed for this key. */
static int find_world(uint64_t key)
{
	char dir[RUN_PATH_MAX], path[RUN_PATH_MAX + 32];
	int world, parent;
	uint64_t theirs;

	run_directory(dir, sizeof(dir));
	for (int n = 1; n <= WORLDS_MAX; n++) {
		snprintf(path, sizeof(path), "%s/world-%d", dir, n);
		if (access(path, F_OK) != 0)
			break;
		if (world_note_spawn(path, &theirs, &world, &parent) && theirs == key)
			return world;
	}
	return PEER_WORLD_UNKNOWN;
}

static void remove_world(int world)
{
	char dir[RUN_PATH_MAX], path[RUN_PATH_MAX + 64];

	run_directory(dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/world-%d/" RUN_CLAIM_FILE, dir, world);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
}

/* Copies the value of a key, "" if there is none. Returns false if the info lacks the key. */
static bool info_value(MPI_Info info, const char *key, char value[MPI_MAX_INFO_VAL + 1])
{
	int flag = 0, length = 0;

	value[0] = '\0';
	if (info == H(MPI_INFO_NULL))
		return false;
	pnext.MPI_Info_get_valuelen(info, key, &length, &flag);
	if (flag && length < MPI_MAX_INFO_VAL)
		pnext.MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
	return flag;
}

/*
 * Open MPI's major version; 0 for other libraries, which cannot set variables of spawned processes.
 */
static int open_mpi_version(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0, major = 0;

	pnext.MPI_Get_library_version(version, &length);
	return sscanf(version, "Open MPI v%d", &major) == 1 ? major : 0;
}

/*
 * A copy of the program's info, with `text` appended to its key of variables. MPI_INFO_NULL if
 * there is no room, or if the program sets one of these variables itself. Open MPI 5 renamed the
 * key, and warns of the old one on stderr.
 */
static MPI_Info with_environment(MPI_Info info, const char *text, int version)
{
	char env[MPI_MAX_INFO_VAL + 1];
	MPI_Info copy = H(MPI_INFO_NULL);
	const char *key = "env";
	int rc;

	if (!info_value(info, key, env) && version >= 5) {
		key = "PMIX_ENVAR";
		info_value(info, key, env);
	}
	if (strstr(env, "LD_PRELOAD="))
		return copy;
	if (strlen(env) + 1 + strlen(text) >= MPI_MAX_INFO_VAL)
		return copy;
	if (env[0])
		strcat(env, "\n");
	strcat(env, text);
	rc = info == H(MPI_INFO_NULL) ? pnext.MPI_Info_create(&copy) :
					pnext.MPI_Info_dup(info, &copy);
	if (rc != MPI_SUCCESS)
		return H(MPI_INFO_NULL);
	pnext.MPI_Info_set(copy, key, env);
	return copy;
}

/* Passes the children the variables that make them record. False: it cannot. */
static bool pass_on(struct spawn *s, const char *dir, int count, const MPI_Info *infos)
{
	char text[2 * RUN_PATH_MAX];
	const char *preload = getenv("LD_PRELOAD");
	int version = open_mpi_version();

	/* A program that removed the library from its environment wants its children without it. */
	if (!version || !preload || !strstr(preload, "libtryst.so") ||
		snprintf(text, sizeof(text), "LD_PRELOAD=%s\nTRYST_SPAWNED=%s", preload, dir) >=
			(int)sizeof(text))
		return false;
	s->infos = count == 1 ? &s->one : malloc((size_t)count * sizeof(*s->infos));
	if (!s->infos)
		return false;
	for (s->ninfos = 0; s->ninfos < count; s->ninfos++) {
		s->infos[s->ninfos] = with_environment(infos[s->ninfos], text, version);
		if (s->infos[s->ninfos] == H(MPI_INFO_NULL)) {
			shim_say("spawned processes are not recorded: no room in MPI_Info for '%s'",
				dir);
			return false;
		}
	}
	s->use = s->infos;
	return true;
}

static void spawn_release(struct spawn *s)
{
	for (int i = 0; i < s->ninfos; i++)
		pnext.MPI_Info_free(&s->infos[i]);
	if (s->infos != &s->one)
		free(s->infos);
	s->ninfos = 0;
	s->infos = NULL;
}

void world_spawn_before(
	struct call *c, struct spawn *s, MPI_Comm comm, int root, int count, const MPI_Info *infos)
{
	struct comm *known = comm_find(c->t, comm);
	char run[RUN_PATH_MAX], dir[RUN_PATH_MAX];

	*s = (struct spawn){ .world = PEER_WORLD_UNKNOWN, .use = infos };
	if (!known || known->remote_size || !shim.dir[0])
		return;
	s->key = known->uid + 0x9e3779b97f4a7c15ULL * ++known->objects;
	if (known->rank != root || count < 1 || !infos)
		return;
	run_directory(run, sizeof(run));
	s->world = run_world_claim(run, shim.run_id, dir, sizeof(dir), NULL);
	if (s->world < 0) {
		s->world = PEER_WORLD_UNKNOWN;
	} else if (!pass_on(s, dir, count, infos) || write_note(dir, s, known) != 0) {
		spawn_release(s);
		s->use = infos;
		remove_world(s->world);
		s->world = PEER_WORLD_UNKNOWN;
	}
}

void world_spawn_after(struct call *c, struct spawn *s, MPI_Comm comm, MPI_Comm made)
{
	spawn_release(s);
	if (made == H(MPI_COMM_NULL)) {
		if (s->world > 0)
			remove_world(s->world);
		return;
	}
	if (s->key && s->world < 0)
		s->world = find_world(s->key);
	comm_foreign(c->t, c->fn, comm_get(c->t, comm), made, s->key, s->world, NULL);
}

bool world_read_note(struct world_note *note)
{
	const char *dir = getenv("TRYST_SPAWNED");

	memset(note, 0, sizeof(*note));
	if (!dir || snprintf(note->dir, sizeof(note->dir), "%s", dir) >= (int)sizeof(note->dir))
		return false;
	return run_dir_id(dir, &note->run_id) == 0 &&
		world_note_spawn(dir, &note->key, &note->world, &note->parent_world);
}
