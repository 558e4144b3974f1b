/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.h: what the calibration prints on stderr and on the terminal. */
#ifndef TRYST_CALIBRATE_MESSAGES_H
#define TRYST_CALIBRATE_MESSAGES_H

#include <stdio.h>

#include "analysis/base/say.h"
#include "pmpi/calibrate/options.h"

/* Lines on stderr that may hold foreign text, such as file names. */
extern const struct say full_stderr;

/*
 * The stream for progress lines, or NULL for none. Launchers put pipes between a rank and its
 * terminal. If stderr is no terminal, the stream is the controlling terminal: a log gets no
 * progress lines.
 */
FILE *full_progress(const struct full_options *o);

#endif
