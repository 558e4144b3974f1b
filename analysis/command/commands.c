/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commands.c: the table of subcommands. A new one is a file and a line here.
 */
#include "analysis/options/subcommand.h"

#include <string.h>

extern const struct subcommand cmd_run, cmd_collect, cmd_merge, cmd_report, cmd_sql, cmd_env,
	cmd_doctor, cmd_export, cmd_diff, cmd_analyze, cmd_calibrate, cmd_model, cmd_predict,
	cmd_tune, cmd_top, cmd_pack, cmd_help;

const struct subcommand *const subcommands[] = { &cmd_run, &cmd_report, &cmd_top, &cmd_diff,
	&cmd_sql, &cmd_collect, &cmd_merge, &cmd_analyze, &cmd_export, &cmd_pack, &cmd_calibrate,
	&cmd_model, &cmd_predict, &cmd_tune, &cmd_env, &cmd_doctor, &cmd_help, NULL };

const struct subcommand *subcommand_find(const char *name)
{
	for (int i = 0; subcommands[i]; i++)
		if (strcmp(subcommands[i]->name, name) == 0)
			return subcommands[i];
	return NULL;
}
