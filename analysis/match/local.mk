# SPDX-License-Identifier: BSD-3-Clause
# Messages matched across ranks, exact waits and their causes.
noinst_LTLIBRARIES += analysis/match/libmatch.la
analysis_match_libmatch_la_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
nodist_EXTRA_analysis_match_libmatch_la_SOURCES = include/functions.h
analysis_match_libmatch_la_SOURCES = \
	analysis/match/activity.c \
	analysis/match/activity.h \
	analysis/match/away.c \
	analysis/match/away.h \
	analysis/match/blame.c \
	analysis/match/blame.h \
	analysis/match/blame_result.h \
	analysis/match/bounds.c \
	analysis/match/bounds.h \
	analysis/match/bounds_line.c \
	analysis/match/cells.c \
	analysis/match/cells.h \
	analysis/match/clocks.c \
	analysis/match/clocks.h \
	analysis/match/coll.c \
	analysis/match/coll.h \
	analysis/match/flows.c \
	analysis/match/flows.h \
	analysis/match/heap.c \
	analysis/match/heap.h \
	analysis/match/inside.c \
	analysis/match/inside.h \
	analysis/match/match.c \
	analysis/match/match.h \
	analysis/match/op.h \
	analysis/match/order.c \
	analysis/match/order.h \
	analysis/match/others.c \
	analysis/match/others.h \
	analysis/match/origins.c \
	analysis/match/origins.h \
	analysis/match/output.c \
	analysis/match/output.h \
	analysis/match/path.c \
	analysis/match/queue.c \
	analysis/match/queue.h \
	analysis/match/ranks.c \
	analysis/match/ranks.h \
	analysis/match/run_links.c \
	analysis/match/run_links.h \
	analysis/match/settle.c \
	analysis/match/slots.c \
	analysis/match/slots.h \
	analysis/match/state.h \
	analysis/match/strips.c \
	analysis/match/strips.h \
	analysis/match/trail.c \
	analysis/match/trail.h \
	analysis/match/trail_waits.c \
	analysis/match/trail_waits.h \
	analysis/match/waits.c \
	analysis/match/worker.c \
	analysis/match/worker.h

UNIT_LINK_test_match = analysis/match/libmatch.la
UNIT_LINK_test_match_coll = analysis/match/libmatch.la
UNIT_LINK_test_match_waits = analysis/match/libmatch.la
UNIT_LINK_test_blame = analysis/match/libmatch.la
UNIT_LINK_test_run_links = analysis/match/libmatch.la
UNIT_LINK_test_output = analysis/match/libmatch.la
UNIT_LINK_test_clocks = analysis/match/libmatch.la
