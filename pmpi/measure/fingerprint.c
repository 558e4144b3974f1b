/* SPDX-License-Identifier: BSD-3-Clause */
/* fingerprint.c: reading the machine, the library and its settings. */
#include "pmpi/measure/fingerprint.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MEASURE_PROGRAM
#include <mpi.h>
#define MPI(name) PMPI_##name
#else
#include "next.h"
#define MPI(name) pnext.MPI_##name
#endif
#include "analysis/format/run/proc.h"
#include "record.h"

extern char **environ;

static void add_key(struct fingerprint *f, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add_key(struct fingerprint *f, const char *key, const char *format, ...)
{
	size_t left = sizeof(f->text) - f->used;
	va_list arguments;
	int n;

	if (f->nkeys == FINGERPRINT_KEYS || left < 2)
		return;
	va_start(arguments, format);
	n = vsnprintf(f->text + f->used, left, format, arguments);
	va_end(arguments);
	f->key[f->nkeys++] = (struct link_key){ key, f->text + f->used };
	f->used += n < 0 ? 1 : (size_t)n < left ? (size_t)n + 1 : left;
}

static void add_cpu(struct fingerprint *f)
{
	FILE *cpuinfo = fopen("/proc/cpuinfo", "re");
	char name[256] = "unknown";

	if (cpuinfo) {
		proc_cpu_name(cpuinfo, name, sizeof(name));
		fclose(cpuinfo);
	}
	add_key(f, "cpu", "%s", name);
}

/* The variables by which users set transports and their limits. */
static bool sets_transport(const char *variable)
{
	static const char *const prefix[] = { "OMPI_MCA_btl", "OMPI_MCA_pml", "OMPI_MCA_mtl",
		"OMPI_MCA_opal_", "UCX_", "FI_", "PSM2_", "PSM3_", "MPIR_CVAR_", "MPICH_", "I_MPI_",
		"MV2_" };

	for (size_t i = 0; i < sizeof(prefix) / sizeof(*prefix); i++)
		if (strncmp(variable, prefix[i], strlen(prefix[i])) == 0)
			return true;
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_settings(struct fingerprint *f)
{
	char *found[64], text[2048] = "";
	size_t n = 0, used = 0;

	for (char **e = environ; *e && n < sizeof(found) / sizeof(*found); e++)
		if (sets_transport(*e))
			found[n++] = *e;
	qsort(found, n, sizeof(*found), by_text);
	for (size_t i = 0; i < n && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s ", found[i]);
	add_key(f, "settings", "%s", text);
}

int fingerprint_cpus(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 0;
}

void fingerprint_take(struct fingerprint *f, int tier, const char *transport, uint64_t other,
	int ranks_here, int cpus_allowed)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0, level = MPI_THREAD_SINGLE;

	*f = (struct fingerprint){ .nkeys = 0 };
	add_cpu(f);
	MPI(Get_library_version)(version, &length);
	version[strcspn(version, "\n")] = '\0';
	add_key(f, "mpi_library", "%s", version);
	add_key(f, "tier", "%d", tier);
	add_key(f, "transport", "%s", transport);
	if (other)
		add_key(f, "other_host", "%016llx", (unsigned long long)other);
	add_settings(f);
	add_key(f, "cpus_allowed", "%d", cpus_allowed);
	add_key(f, "ranks_on_node", "%d", ranks_here);
	MPI(Query_thread)(&level);
	add_key(f, "thread_level", "%d", level);
}
