# SPDX-License-Identifier: BSD-3-Clause
# The contract. functions.h is generated; link include/libnames.a for what it declares.
EXTRA_DIST += include/mpi.def include/functions.awk include/libraries.def include/layouts.def \
	include/layouts.awk
include_HEADERS += include/tryst.h
schemasdir = $(pkgdatadir)/schemas
dist_schemas_DATA = include/schemas/diff.schema.json include/schemas/doctor.schema.json \
	include/schemas/predict.schema.json include/schemas/report.schema.json \
	include/schemas/scaling.schema.json include/schemas/site.schema.json \
	include/schemas/top.schema.json
EXTRA_DIST += include/schemas/README
dist_man_MANS += include/tryst.3
noinst_LIBRARIES += include/libnames.a
include_libnames_a_SOURCES = include/fnv.h include/record.h include/settings.def
nodist_include_libnames_a_SOURCES = include/functions.c include/functions.h include/layouts.h
include_libnames_a_CFLAGS = $(AM_CFLAGS) $(pic_cflags)
BUILT_SOURCES += include/functions.h include/layouts.h
CLEANFILES += include/functions.h include/functions.c include/layouts.h

include/functions.h: include/mpi.def include/functions.awk
	@$(MKDIR_P) include
	$(AM_V_GEN)$(AWK) -f $(srcdir)/include/functions.awk make=header $(srcdir)/include/mpi.def >$@.tmp && mv $@.tmp $@

include/functions.c: include/mpi.def include/functions.awk
	@$(MKDIR_P) include
	$(AM_V_GEN)$(AWK) -f $(srcdir)/include/functions.awk make=source $(srcdir)/include/mpi.def >$@.tmp && mv $@.tmp $@

layouts_sources = $(srcdir)/include/layouts.def $(srcdir)/include/schema.sql
include/layouts.h: include/layouts.awk include/layouts.def include/schema.sql
	@$(MKDIR_P) include
	$(AM_V_GEN)$(AWK) -f $(srcdir)/include/layouts.awk make=header $(layouts_sources) >$@.tmp && mv $@.tmp $@
