/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "analysis/dataset/analyzed.h"

#include "analysis/match/match.h"

void analyze_dataset(const struct dataset *data, const struct say *say)
{
	struct match_result result;
	sqlite3_stmt *s = NULL;
	sqlite3 *db;
	bool done;

	if (!data->dir || data->empty)
		return;
	done = sqlite3_prepare_v2(data->db, "SELECT 1 FROM match_info", -1, &s, NULL) !=
			SQLITE_OK ||
		sqlite3_step(s) == SQLITE_ROW;
	sqlite3_finalize(s);
	if (done || db_open(data->path, DB_WRITE, &db, say) != 0)
		return;
	if (match_run(db, &(struct match_options){ 0 }, &result, say) != 0 && !data->temporary)
		say_line(say,
			"'tryst report --db FILE %s' makes its database elsewhere, where there is "
			"room",
			data->dir);
	sqlite3_close(db);
}
