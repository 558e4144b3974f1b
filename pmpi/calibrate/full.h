/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * full.h: the calibration that `tryst calibrate` runs, in the program tryst-measure-<mpi>.
 *
 *	full.c            rounds of disjoint pairs, samples to rank 0
 *	  options.c  what the command asks for
 *	  plan.c          which pairs measure at the same time
 *	  pair.c     what a pair measures, in rounds, until precise or out of time
 *	    probe.c  S and S_p of each send form and layout
 *	    step.c   what each of the two does in one sample
 *	  group.c    bursts and concurrent transfers, which take more than two ranks
 *	  file.c     fits, and all of it into one file
 *
 * It stands on the steps of measure/pair.h, whose forms it extends to all twelve and to strided
 * data. The quick calibration runs first, in the same launch: its rows are what the shim reads.
 */
#ifndef TRYST_CALIBRATE_FULL_H
#define TRYST_CALIBRATE_FULL_H

#include <stdio.h>

#include "analysis/model/sample.h"
#include "analysis/base/say.h"
#include "pmpi/calibrate/options.h"
#include "pmpi/measure/pair.h"

/* Kinds of steps behind those of measure/pair.h; step.send_form is an enum sample_form here. */
enum full_kind {
	FULL_RTT = STEP_MORE, /* there and back, idling for delay in between */
	FULL_SEND,            /* the whole send, the receiver already waiting in MPI */
	FULL_POST,            /* its post alone */
	FULL_COMPLETE,        /* its completion alone, entered at once */
	FULL_RECV,            /* the receive of what was sent `delay` before */
	FULL_TRAIN,           /* `count` sends, then an empty answer */
	FULL_LATE_MATCH,      /* as in measure/pair.h */
	FULL_LATE_PROGRESS,
	FULL_OVERLAP_SEND, /* Isend, compute for delay, Wait: the wait */
	FULL_OVERLAP_RECV, /* Irecv, compute for delay, Wait: the wait */
	FULL_RTT_SEND /* there and back; only the send is timed, in the caches of a round trip */
};

/* Samples of one rank. */
struct full_samples {
	struct sample *s;
	size_t n, room;
	bool lost; /* memory ran out */
};

/* Adds n times in order; from and to are filled in later. */
void full_add(struct full_samples *out, const struct sample *like, const double *ns, size_t n);

/* Layout travels in the byte that measure/pair.h leaves free. */
static inline unsigned full_layout(const struct step *s)
{
	return s->pad;
}

/* A form whose receive must have been posted. */
static inline bool full_is_ready(unsigned form)
{
	return form == SAMPLE_RSEND || form == SAMPLE_IRSEND || form == SAMPLE_RSEND_INIT;
}

/* Steps of these kinds. */
extern const struct more_steps full_steps;

/* Lines on stderr in which there are names. */
extern const struct say full_stderr;

/*
 * Where progress is shown, NULL: nowhere. Launchers put pipes between a rank and its terminal, so
 * it is the controlling terminal itself where there is one and stderr is none: a log gets nothing.
 */
FILE *full_progress(const struct full_options *o);

/* Memory for buffered sends; attached to MPI as long as the program measures. 0, -ENOMEM, -EIO. */
int full_buffer_attach(void);
void full_buffer_detach(void);

/*
 * The leader: thresholds of a form and layout, and the samples that show them: S is 0 where every
 * length waits, and not measured of a ready form (it has its receive): `reach`. 0 or -EIO.
 */
int full_thresholds(struct pair *p, unsigned form, unsigned layout, uint64_t reach, uint64_t *S,
	uint64_t *S_p, struct full_samples *out);

/*
 * The leader measures a pair until all medians are precise or the deadline of the pair has come.
 * `label` (NULL: quiet) begins its progress line on a terminal. 0 or -EIO.
 */
int full_pair(
	struct pair *p, const struct full_options *o, const char *label, struct full_samples *out);

/*
 * All ranks: bursts 1:P-P:1, then flows that share nodes where there are hosts for it; a fifth and
 * half of a pair's budget at most. 0, -ENOMEM, -EIO.
 */
int full_group(struct measure *m, const struct full_options *o, const uint64_t *host_of,
	struct full_samples *out);

/*
 * Do the rows of the quick part have what predictions need of a tier? Runs take these rows
 * (--links), whatever the fits have. `say`: what is missing is told on stderr.
 */
bool full_links_suffice(const struct rec_link *links, size_t nlinks, unsigned tier, bool say);

/* Who was measured. */
struct full_pair_name {
	int32_t from, to;
	uint32_t tier;
};

/*
 * Rank 0: fits all models to each pair, writes the file. 0 or a negative errno, said on stderr;
 * -EAGAIN where a pair or what predictions need could not be measured: what there is is then
 * written beside it, as FILE.incomplete. A complete file removes that of an earlier attempt.
 */
int full_write(const struct full_options *o, const struct rec_link *links, size_t nlinks,
	const struct full_pair_name *pairs, size_t npairs, const char (*host)[64], int nranks,
	struct full_samples *samples);

#endif
