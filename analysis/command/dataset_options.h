/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_options.h: the options of commands that read a run. */
#ifndef TRYST_COMMAND_DATASET_OPTIONS_H
#define TRYST_COMMAND_DATASET_OPTIONS_H

#include <stddef.h>

#include "analysis/options/subcommand.h"

/* The option --ended of the struct `owner`, whose member `ended` is a bool. */
#define ENDED_OPTION(owner)                                                                        \
	{                                                                                          \
		.name = "ended", .type = OPT_FLAG, .at = offsetof(owner, ended),                   \
		.help = "the job has ended, also where that cannot be seen from here"              \
	}

/* The option --db, whose member `db` is a path or NULL, and --ended. */
#define DATASET_OPTIONS(owner)                                                                     \
	{ .name = "db",                                                                            \
		.type = OPT_TEXT,                                                                  \
		.argument = "FILE",                                                                \
		.at = offsetof(owner, db),                                                         \
		.help = "database to merge the ranks into [DIR/run.db, or a temporary one]" },     \
		ENDED_OPTION(owner)

#endif
