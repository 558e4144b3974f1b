/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.h: the steps of the full calibration. They extend those of pmpi/measure/step.h to all twelve
 * send forms and to strided data.
 */
#ifndef TRYST_CALIBRATE_STEP_H
#define TRYST_CALIBRATE_STEP_H

#include "analysis/model/sample.h"
#include "pmpi/measure/step.h"

/* Kinds of steps behind those of measure/step.h; step.send_form is an enum sample_form here. */
enum full_kind {
	FULL_RTT = STEP_MORE, /* there and back, idling for delay in between */
	FULL_SEND,            /* the whole send, the receiver already waiting in MPI */
	FULL_POST,            /* its post alone */
	FULL_COMPLETE,        /* its completion alone, entered at once */
	FULL_RECV,            /* the receive of what was sent `delay` before */
	FULL_TRAIN,           /* `count` sends, then an empty answer */
	FULL_LATE_MATCH,      /* as in measure/step.h */
	FULL_LATE_PROGRESS,
	FULL_OVERLAP_SEND, /* Isend, compute for delay, Wait: the wait */
	FULL_OVERLAP_RECV, /* Irecv, compute for delay, Wait: the wait */
	FULL_RTT_SEND /* there and back; only the send is timed, in the caches of a round trip */
};

/* Layout travels in the byte that measure/step.h leaves free. */
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

/* Memory for buffered sends; attached to MPI as long as the program measures. 0, -ENOMEM, -EIO. */
int full_buffer_attach(void);
void full_buffer_detach(void);

#endif
