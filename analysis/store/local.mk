# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += analysis/store/libstore.la
analysis_store_libstore_la_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) -fvisibility=hidden
analysis_store_libstore_la_SOURCES = \
	analysis/store/calibration.c \
	analysis/store/calibration.h \
	analysis/store/calibration_read.c \
	analysis/store/calibration_sql.h \
	analysis/store/db.c \
	analysis/store/db.h \
	analysis/store/db_ranks.c \
	analysis/store/distance.c \
	analysis/store/distance.h \
	analysis/store/file.c \
	analysis/store/file.h \
	analysis/store/image.c \
	analysis/store/image.h \
	analysis/store/launcher.c \
	analysis/store/launcher.h \
	analysis/store/links.c \
	analysis/store/links.h \
	analysis/store/links_cache.c \
	analysis/store/links_cache.h \
	analysis/store/links_row.c \
	analysis/store/links_row.h \
	analysis/store/mark.c \
	analysis/store/mark.h \
	analysis/store/now.h \
	analysis/store/pages.c \
	analysis/store/pages.h \
	analysis/store/proc.c \
	analysis/store/proc.h \
	analysis/store/process.c \
	analysis/store/process.h \
	analysis/store/rows.c \
	analysis/store/rows.h \
	analysis/store/rows_batch.c \
	analysis/store/rows_batch.h \
	analysis/store/rows_defs.c \
	analysis/store/rows_end.c \
	analysis/store/rows_internal.h \
	analysis/store/rows_ops.c \
	analysis/store/rows_order.c \
	analysis/store/rows_phase.c \
	analysis/store/rows_phase.h \
	analysis/store/rows_time.c \
	analysis/store/rows_time.h \
	analysis/store/rows_wait.c \
	analysis/store/rows_wait.h \
	analysis/store/run_dir.c \
	analysis/store/run_dir.h \
	analysis/store/say.c \
	analysis/store/say.h \
	analysis/store/settings.c \
	analysis/store/settings.h \
	analysis/store/spool.c \
	analysis/store/spool.h \
	analysis/store/sqlite_format.h \
	analysis/store/world_note.c \
	analysis/store/world_note.h
nodist_analysis_store_libstore_la_SOURCES = analysis/store/schema.c analysis/store/calibration_sql.c
EXTRA_DIST += analysis/store/README include/calibration.sql include/schema.sql analysis/store/schema.awk
CLEANFILES += analysis/store/schema.c

analysis/store/schema.c: include/schema.sql analysis/store/schema.awk
	@$(MKDIR_P) analysis/store
	$(AM_V_GEN)$(AWK) -f $(srcdir)/analysis/store/schema.awk $(srcdir)/include/schema.sql >$@.tmp && mv $@.tmp $@

CLEANFILES += analysis/store/calibration_sql.c
analysis/store/calibration_sql.c: include/calibration.sql analysis/store/schema.awk
	@$(MKDIR_P) analysis/store
	$(AM_V_GEN)$(AWK) -v name=calibration_sql -v header=analysis/store/calibration_sql.h \
		-f $(srcdir)/analysis/store/schema.awk $(srcdir)/include/calibration.sql >$@.tmp && mv $@.tmp $@

# Files of simulated runs, for tests of everything that reads them.
noinst_LTLIBRARIES += tests/libspoolgen.la
tests_libspoolgen_la_SOURCES = tests/spoolgen.c tests/spoolgen.h
nodist_EXTRA_tests_libspoolgen_la_SOURCES = include/functions.h
noinst_PROGRAMS += tests/spoolgen
tests_spoolgen_SOURCES = tests/spoolgen_main.c
tests_spoolgen_LDADD = tests/libspoolgen.la analysis/store/libstore.la include/libnames.la -lm
UNIT_LINK_test_store_spool = tests/libspoolgen.la
UNIT_LINK_test_store_rows = tests/libspoolgen.la
