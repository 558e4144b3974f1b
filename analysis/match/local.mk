# SPDX-License-Identifier: BSD-3-Clause
# Messages matched across ranks, exact waits and their causes.
noinst_LIBRARIES += analysis/match/libmatch.a
analysis_match_libmatch_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
nodist_EXTRA_analysis_match_libmatch_a_SOURCES = include/functions.h
analysis_match_libmatch_a_SOURCES = \
	analysis/blame/activity.c \
	analysis/blame/activity.h \
	analysis/collective/progress.c \
	analysis/collective/progress.h \
	analysis/blame/blame.c \
	analysis/blame/blame.h \
	analysis/blame/blame_result.h \
	analysis/ranks/bounds.c \
	analysis/ranks/bounds.h \
	analysis/ranks/bounds_line.c \
	analysis/ranks/cells.c \
	analysis/ranks/cells.h \
	analysis/ranks/clocks.c \
	analysis/ranks/clocks.h \
	analysis/match/collectives.c \
	analysis/match/collectives.h \
	analysis/collective/waits.c \
	analysis/collective/waits.h \
	analysis/links/flows.c \
	analysis/links/flows.h \
	analysis/base/heap.c \
	analysis/base/heap.h \
	analysis/ranks/busy.c \
	analysis/ranks/busy.h \
	analysis/match/match.c \
	analysis/match/match.h \
	analysis/ranks/op.h \
	analysis/match/wrong_order.c \
	analysis/match/wrong_order.h \
	analysis/blame/unrecorded.c \
	analysis/blame/unrecorded.h \
	analysis/blame/origins.c \
	analysis/blame/origins.h \
	analysis/match/no_cpu.c \
	analysis/match/no_cpu.h \
	analysis/ranks/off_cpu.c \
	analysis/ranks/off_cpu.h \
	analysis/match/output.c \
	analysis/match/output.h \
	analysis/blame/path.c \
	analysis/links/pace.c \
	analysis/links/pace.h \
	analysis/match/predict.c \
	analysis/match/predict.h \
	analysis/match/pool.c \
	analysis/match/pool.h \
	analysis/ranks/queue.c \
	analysis/ranks/queue.h \
	analysis/ranks/ranks.c \
	analysis/ranks/ranks.h \
	analysis/links/run_links.c \
	analysis/links/run_links.h \
	analysis/match/settle.c \
	analysis/match/settle.h \
	analysis/match/slots.c \
	analysis/match/slots.h \
	analysis/match/state.h \
	analysis/blame/log.c \
	analysis/blame/log.h \
	analysis/blame/history.c \
	analysis/blame/history.h \
	analysis/blame/waits.c \
	analysis/blame/waits.h \
	analysis/match/waits.c \
	analysis/match/waits.h \
	analysis/ranks/worker.c \
	analysis/ranks/worker.h

UNIT_LINK_test_match = analysis/match/libmatch.a
UNIT_LINK_test_match_coll = analysis/match/libmatch.a
UNIT_LINK_test_match_first = analysis/match/libmatch.a
UNIT_LINK_test_match_waits = analysis/match/libmatch.a
UNIT_LINK_test_match_no_cpu = analysis/match/libmatch.a
UNIT_LINK_test_match_pace = analysis/match/libmatch.a
UNIT_LINK_test_blame = analysis/match/libmatch.a
UNIT_LINK_test_run_links = analysis/match/libmatch.a
UNIT_LINK_test_output = analysis/match/libmatch.a
UNIT_LINK_test_clocks = analysis/match/libmatch.a
