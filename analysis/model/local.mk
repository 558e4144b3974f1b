# SPDX-License-Identifier: BSD-3-Clause
# Models: arithmetic alone, used by the shim, by the measuring programs and by the command.
noinst_LTLIBRARIES += analysis/model/libmodel.la
analysis_model_libmodel_la_SOURCES = \
	analysis/model/contention.c \
	analysis/model/contention.h \
	analysis/model/live.c \
	analysis/model/live.h \
	analysis/model/live_fit.c \
	analysis/model/live_fit.h \
	analysis/model/live_follow.c \
	analysis/model/live_follow.h \
	analysis/model/live_learn.c \
	analysis/model/live_learn.h \
	analysis/model/live_link.c \
	analysis/model/logfp.c \
	analysis/model/loggp.c \
	analysis/model/loggps.c \
	analysis/model/loggps.h \
	analysis/model/loggps_fit.c \
	analysis/model/loggps_fit.h \
	analysis/model/loghssp.c \
	analysis/model/logp.c \
	analysis/model/lop.c \
	analysis/model/mm.c \
	analysis/model/model.h \
	analysis/model/models.c \
	analysis/model/models.h \
	analysis/model/plogp.c \
	analysis/model/plogp.h \
	analysis/model/protocols.c \
	analysis/model/published.c \
	analysis/model/robust.c \
	analysis/model/robust.h \
	analysis/model/sample.c \
	analysis/model/sample.h \
	analysis/model/small.c \
	analysis/model/small.h
analysis_model_libmodel_la_LIBADD = -lm
EXTRA_DIST += analysis/model/README
