# SPDX-License-Identifier: BSD-3-Clause
# Models: arithmetic alone, used by the shim, by the measuring programs and by the command.
noinst_LIBRARIES += analysis/model/libmodel.a
analysis_model_libmodel_a_CFLAGS = $(AM_CFLAGS) $(pic_cflags)
analysis_model_libmodel_a_SOURCES = \
	analysis/model/equations/contention.c \
	analysis/model/equations/contention.h \
	analysis/model/live/live.c \
	analysis/model/live/live.h \
	analysis/model/live/fit.c \
	analysis/model/live/fit.h \
	analysis/model/live/known.h \
	analysis/model/live/recalibrate.c \
	analysis/model/live/recalibrate.h \
	analysis/model/live/envelope.c \
	analysis/model/live/envelope.h \
	analysis/model/live/link.c \
	analysis/model/equations/logfp.c \
	analysis/model/equations/loggp.c \
	analysis/model/equations/loggps.c \
	analysis/model/equations/loggps.h \
	analysis/model/equations/loggps_fit.c \
	analysis/model/equations/loggps_fit.h \
	analysis/model/equations/loggps_pieces.c \
	analysis/model/equations/loggps_pieces.h \
	analysis/model/equations/loggps_model.c \
	analysis/model/equations/loghssp.c \
	analysis/model/equations/logp.c \
	analysis/model/equations/lop.c \
	analysis/model/equations/mm.c \
	analysis/model/model.h \
	analysis/model/models.c \
	analysis/model/models.h \
	analysis/model/equations/plogp.c \
	analysis/model/equations/plogp.h \
	analysis/model/equations/protocols.c \
	analysis/model/published.c \
	analysis/model/robust.c \
	analysis/model/robust.h \
	analysis/model/sample.c \
	analysis/model/sample.h \
	analysis/model/small.c \
	analysis/model/small.h
EXTRA_DIST += analysis/model/README analysis/model/equations/README analysis/model/live/README
