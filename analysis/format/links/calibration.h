/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibration.h: raw samples and models' fits in a file of link parameters.
 *
 * The tables are those of include/calibration.sql. A cached file of the quick calibration has only
 * link parameters, and is read as a calibration without samples.
 */
#ifndef TRYST_FORMAT_LINKS_CALIBRATION_H
#define TRYST_FORMAT_LINKS_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/model/model.h"
#include "analysis/format/links/links.h"
#include "analysis/base/say.h"

struct calibration_pair {
	int32_t from, to; /* ranks */
	uint32_t tier;    /* enum link_tier */
	char from_host[64], to_host[64];
};

/* One model's parameters for one pair. Findings are written, but not read back. */
struct calibration_fit {
	int32_t from, to;
	/* enum sample_form, sample_layout; 0: standard, contiguous */
	uint8_t form, layout;
	struct model_params params;
	struct model_findings findings;
};

struct calibration_residual {
	int32_t from, to;
	const struct model *model;
	enum model_quantity quantity;
	uint64_t bytes;
	int64_t delay_ns;
	double measured_ns, predicted_ns;
};

struct calibration {
	struct calibration_pair *pair;
	size_t npairs;
	struct sample *sample;
	size_t nsamples;
	struct calibration_fit *fit;
	size_t nfits;
	struct calibration_residual *residual; /* not read back */
	size_t nresiduals;
};

/* Frees all that is in `c`, not `c` itself. */
void calibration_release(struct calibration *c);

/* Bytes of the longest round trip from rank `from` to rank `to`; -1 if there is none. */
int64_t calibration_longest_bytes(const struct calibration *c, int32_t from, int32_t to);

/*
 * Writes `path`: link parameters and their fingerprint, as links_write() does, and the calibration.
 * Replaces an existing file only if it holds link parameters, else -EEXIST. Returns 0 or a negative
 * errno, printed.
 */
int calibration_write(const char *path, const struct link_key *keys, size_t nkeys,
	const struct rec_link *link, size_t nlinks, const struct calibration *c,
	const struct say *say);

/*
 * Removes `path`, if it exists. -EEXIST if it does not hold link parameters; it then stays.
 * Returns 0 or a negative errno, printed.
 */
int calibration_remove(const char *path, const struct say *say);

/*
 * Reads `path` into *out (calibration_release(), also after an error). Returns 0; -ENOENT; -EPROTO:
 * a newer version's; -EINVAL: damaged or not ours; another negative errno. Says one line, with
 * the file's name and the reason, for each error.
 */
int calibration_read(const char *path, struct calibration *out, const struct say *say);

/* "self", "node", "network"; "?" beyond. */
const char *calibration_tier_name(unsigned tier);

#endif
