/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.c: reads the launcher's variables from the environment (launcher.h). */
#include "analysis/format/run/launcher.h"

#include <stddef.h>
#include <stdlib.h>

/* The number in the first of these variables that is set; else `none`. Ends with NULL. */
static int first_of(const char *const *names, int none)
{
	for (; *names; names++) {
		const char *value = getenv(*names);

		if (value && *value)
			return atoi(value);
	}
	return none;
}

int launcher_rank(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
		"SLURM_PROCID", "FLUX_TASK_RANK", "PALS_RANKID", NULL };

	return first_of(names, -1);
}

int launcher_size(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
		"SLURM_STEP_NUM_TASKS", NULL };

	return first_of(names, 0);
}

int launcher_local_rank(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_LOCAL_RANK", "PMIX_LOCAL_RANK",
		"MPI_LOCALRANKID", "SLURM_LOCALID", "FLUX_TASK_LOCAL_ID", "PALS_LOCAL_RANKID",
		NULL };

	return first_of(names, -1);
}
