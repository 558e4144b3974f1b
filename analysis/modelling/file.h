/* SPDX-License-Identifier: BSD-3-Clause */
/* file.h: what `tryst model` shows: calibrations, as tables in memory. */
#ifndef TRYST_MODELLING_FILE_H
#define TRYST_MODELLING_FILE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/model.h"
#include "analysis/format/links/calibration.h"

/* Says lines of analysis/format as errors of the subcommand. */
extern const struct say model_say;

/*
 * Loads parameters of `model` (NULL: LogGPS, or the first model there) from a published set or a
 * file, for messages from rank `from` to rank `to` (-1: any). The caller releases `p`, also after
 * an error. Returns 0 or -1 after printing the error.
 */
int model_params_load(
	const char *name, const char *model, int from, int to, struct model_params *p);

/* Is it the name of a published set of parameters? */
bool model_is_published(const char *name);

/*
 * Takes what the file knows of LogGPS for sends or receives of this form (enum sample_form), in
 * place of the values of p, which model_params_load() made of the same file. 0, or -1 said.
 */
int model_form_load(const char *name, int form, int from, int to, struct model_params *p);

/*
 * Makes the table comparison(from_rank, to_rank, tier, model, regime, bytes, delay_ns, measured_ns,
 * predicted_ns, error_pct, what, hosts, flow) in `db` from a calibration. It has the times that no
 * fit saw, with every model's prediction of them. `what` is round_trip, burst, burst_send, flow or
 * broadcast; `hosts` are a burst's or a broadcast's, or the other flows. Round trips do not judge
 * models of bursts. Samples of groups are judged by every second repetition, with fits to the
 * others. Rows of the model 'repeatability' compare the truth's median with that of the samples
 * that fits saw. 0, or -1 after printing the error.
 */
int model_comparison(sqlite3 *db, const struct calibration *c);

/*
 * Fits all models again to the samples of a calibration, as `tryst calibrate` of this version
 * would: files outlive fits. 0, or -1 after printing the error.
 */
int model_refit(struct calibration *c);

/* Draws the comparison of one pair by gnuplot into `path` (.svg, .png or .pdf). 0, or -1 after
 * printing the error. */
int model_picture(sqlite3 *db, int from, int to, const char *path);

/* What a recorded run's own messages tell. */
struct model_run {
	struct sample *s; /* to be freed */
	size_t n;
	struct loggps_borders known; /* thresholds that the run's own calibration probed */
	bool has_borders;            /* for all of these messages */
};

/*
 * Reads samples of the messages from rank `from` to rank `to` (-1: any) of a recorded run (a
 * directory or run.db). They are the fastest quarter of blocking sends and receives, by pair and
 * length: nobody was late for these. Thresholds come from the run, if it measured them for the tier
 * of these ranks. Returns 0, or -1 after printing the error.
 */
int model_run_read(const char *path, int64_t from, int64_t to, struct model_run *run);

/*
 * In a run any call may have waited, also those of the fastest quarter. So if a fit to a run gives
 * a time a byte that no link can have, it becomes NAN, with a reason and a finding. Returns 0 or
 * -ENOMEM.
 */
int model_run_refuse(struct model_params *p, struct model_findings *f);

#endif
