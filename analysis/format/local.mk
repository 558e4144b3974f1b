# SPDX-License-Identifier: BSD-3-Clause
noinst_LIBRARIES += analysis/format/libformat.a
analysis_format_libformat_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(pic_cflags)
analysis_format_libformat_a_SOURCES = \
	analysis/format/links/calibration.c \
	analysis/format/links/calibration.h \
	analysis/format/links/calibration_read.c \
	analysis/format/links/calibration_sql.h \
	analysis/format/db/db.c \
	analysis/format/db/db.h \
	analysis/format/db/layout.c \
	analysis/format/db/layout.h \
	analysis/format/db/ranges.c \
	analysis/format/db/ranges.h \
	analysis/format/db/ranks.c \
	analysis/format/db/vfs.c \
	analysis/format/db/vfs.h \
	analysis/base/array.c \
	analysis/base/array.h \
	analysis/base/bisect.h \
	analysis/base/distance.c \
	analysis/base/duration.c \
	analysis/base/duration.h \
	analysis/base/event.c \
	analysis/base/event.h \
	analysis/base/distance.h \
	analysis/base/file.c \
	analysis/base/file.h \
	analysis/format/db/small_file.c \
	analysis/format/db/small_file.h \
	analysis/format/run/launcher.c \
	analysis/format/run/launcher.h \
	analysis/format/links/links.c \
	analysis/format/links/links.h \
	analysis/format/links/cache.c \
	analysis/format/links/cache.h \
	analysis/format/links/row.c \
	analysis/format/links/row.h \
	analysis/format/run/mark.c \
	analysis/format/run/mark.h \
	analysis/base/now.h \
	analysis/format/db/pages.c \
	analysis/format/db/pages.h \
	analysis/format/run/proc.c \
	analysis/format/run/proc.h \
	analysis/format/run/ring_read.c \
	analysis/format/run/ring_read.h \
	analysis/format/run/process.c \
	analysis/format/run/process.h \
	analysis/format/rows/rows.c \
	analysis/format/rows/rows.h \
	analysis/format/db/backup.c \
	analysis/format/db/batch.c \
	analysis/format/db/codes.c \
	analysis/format/db/batch.h \
	analysis/format/rows/definitions.c \
	analysis/format/rows/after.c \
	analysis/format/rows/end.c \
	analysis/format/rows/internal.h \
	analysis/format/rows/ops.c \
	analysis/format/rows/order.c \
	analysis/format/rows/phase.c \
	analysis/format/rows/phase.h \
	analysis/format/rows/samples.c \
	analysis/format/rows/samples.h \
	analysis/format/rows/time.c \
	analysis/format/rows/time.h \
	analysis/format/rows/wait_cells.c \
	analysis/format/rows/wait_cells.h \
	analysis/format/run/run_dir.c \
	analysis/format/run/run_dir.h \
	analysis/base/say.c \
	analysis/base/say.h \
	analysis/format/run/settings.c \
	analysis/format/run/settings.h \
	analysis/base/shown.c \
	analysis/base/shown.h \
	analysis/base/text.c \
	analysis/base/text.h \
	analysis/format/run/record_shape.c \
	analysis/format/run/record_shape.h \
	analysis/format/run/spool.c \
	analysis/format/run/spool.h \
	analysis/format/db/codes.h \
	analysis/format/db/sqlite_format.h \
	analysis/format/run/world_note.c \
	analysis/format/run/world_note.h
nodist_analysis_format_libformat_a_SOURCES = analysis/format/db/schema.c analysis/format/links/calibration_sql.c \
	analysis/format/db/queries.c analysis/format/db/queries.h analysis/format/links/queries.c \
	analysis/format/links/queries.h analysis/format/rows/queries.c analysis/format/rows/queries.h
EXTRA_DIST += analysis/format/README $(addsuffix /README,$(addprefix analysis/format/,db links rows run))
EXTRA_DIST += include/calibration.sql include/schema.sql analysis/format/db/sql.awk
CLEANFILES += analysis/format/db/schema.c

# The tables and views of schema.sql, and behind them those that layouts.def makes.
analysis/format/db/schema.c: include/schema.sql include/layouts.def include/layouts.awk analysis/format/db/sql.awk
	@$(MKDIR_P) analysis/format/db
	$(AM_V_GEN){ cat $(srcdir)/include/schema.sql && \
		$(AWK) -f $(srcdir)/include/layouts.awk make=views $(layouts_sources); } >$@.sql && \
		$(AWK) -v name=db_schema -v header=analysis/format/db/db.h \
		-f $(srcdir)/analysis/format/db/sql.awk $@.sql >$@.tmp && rm $@.sql && mv $@.tmp $@

CLEANFILES += analysis/format/links/calibration_sql.c
analysis/format/links/calibration_sql.c: include/calibration.sql analysis/format/db/sql.awk
	@$(MKDIR_P) analysis/format
	$(AM_V_GEN)$(AWK) -v name=calibration_sql -v header=analysis/format/links/calibration_sql.h \
		-f $(srcdir)/analysis/format/db/sql.awk $(srcdir)/include/calibration.sql >$@.tmp && mv $@.tmp $@

# Files of simulated runs, for tests of everything that reads them.
noinst_LIBRARIES += tests/libspoolgen.a
tests_libspoolgen_a_SOURCES = tests/spoolgen.c tests/spoolgen.h
nodist_EXTRA_tests_libspoolgen_a_SOURCES = include/functions.h
noinst_PROGRAMS += tests/spoolgen
tests_spoolgen_SOURCES = tests/spoolgen_main.c
tests_spoolgen_LDADD = tests/libspoolgen.a analysis/format/libformat.a include/libnames.a -lm
UNIT_LINK_test_format_spool = tests/libspoolgen.a
UNIT_LINK_test_format_rows = tests/libspoolgen.a
