/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * analyzed.c: analyzes a run's directory that has not been analyzed since its merge (analyzed.h).
 */
#include <config.h>

#include "analysis/dataset/analyzed.h"

#include "analysis/match/match.h"
#include "analysis/text/progress.h"

void analyze_dataset(const struct dataset *data, const struct say *say)
{
	static const struct match_options how = { .progress = progress };
	struct match_result result;
	sqlite3 *db;
	int rc;

	if (!data->dir || data->empty)
		return;
	if (db_has_rows(data->db, "match_info") != 0 ||
		db_open(data->path, DB_WRITE, &db, say) != 0)
		return;
	rc = match_run(db, &how, &result, say);
	progress_end();
	if (rc != 0 && !data->temporary)
		say_line(say,
			"'tryst report --db FILE %s' makes its database elsewhere, where there is "
			"room",
			data->dir);
	sqlite3_close(db);
}
