# SPDX-License-Identifier: BSD-3-Clause
# libtryst.so, the dispatcher that is preloaded, and a shim for each MPI: the same sources, compiled
# against each mpi.h with the headers that pmpi/mpi.awk made from it (pmpi/<mpi>/ in the build tree).
EXTRA_DIST += pmpi/README pmpi/mpi.awk pmpi/wrap.awk

# ---- the dispatcher ----

lib_LTLIBRARIES += pmpi/libtryst.la
pmpi_libtryst_la_SOURCES = pmpi/dispatch.c pmpi/dispatch.h pmpi/dispatch_x86_64.S \
	pmpi/dispatch_aarch64.S
nodist_pmpi_libtryst_la_SOURCES = pmpi/trampolines.h
pmpi_libtryst_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir)/pmpi -D_GNU_SOURCE
pmpi_libtryst_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
pmpi_libtryst_la_LDFLAGS = -avoid-version -shared -Wl,-z,defs
pmpi_libtryst_la_LIBADD = include/libnames.la
BUILT_SOURCES += pmpi/trampolines.h
CLEANFILES += pmpi/trampolines.h

pmpi/trampolines.h: include/mpi.def pmpi/mpi.awk
	@$(MKDIR_P) pmpi
	$(AM_V_GEN)$(AWK) -f $(srcdir)/pmpi/mpi.awk make=trampolines \
		reading=table $(srcdir)/include/mpi.def >$@.tmp && mv $@.tmp $@

# ---- callsites, modules, the tables' lock: one build for both shims and for tests ----

noinst_LTLIBRARIES += pmpi/libcallsite.la
pmpi_libcallsite_la_SOURCES = pmpi/callsite.c pmpi/callsite.h pmpi/callsite_cfi.c \
	pmpi/callsite_cfi.h pmpi/callsite_frame.c pmpi/callsite_frame.h pmpi/callsite_table.c \
	pmpi/callsite_table.h pmpi/callsite_unwind.c pmpi/callsite_unwind.h pmpi/lock.c pmpi/lock.h \
	pmpi/module.c pmpi/module.h pmpi/arena.h
pmpi_libcallsite_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(LIBUNWIND_CFLAGS)
pmpi_libcallsite_la_CFLAGS = $(AM_CFLAGS) -O2 -fvisibility=hidden -ftls-model=initial-exec
pmpi_libcallsite_la_LIBADD = -ldl -lpthread

# Their tests: frames from compilers' various settings, and libraries to load and to unload.
UNIT_LINK_test_lock = pmpi/libcallsite.la
UNIT_LINK_test_module = pmpi/libcallsite.la -lelf
UNIT_LINK_test_callsite = pmpi/libcallsite.la
UNIT_LINK_test_callsite_tree = pmpi/libcallsite.la $(callsite_trees)
UNIT_LINK_test_callsite_unwind = pmpi/libcallsite.la
callsite_trees = tests/unit/callsite/tree_O0.o tests/unit/callsite/tree_O2.o \
	tests/unit/callsite/tree_O3.o tests/unit/callsite/tree_framed.o
callsite_libraries = tests/unit/callsite/libplugin_a.so tests/unit/callsite/libplugin_b.so \
	tests/unit/callsite/libmpi.so.40 tests/unit/callsite/libmpi_mpifh.so.40 \
	tests/unit/callsite/libbare.so
EXTRA_DIST += tests/unit/callsite_tree.c tests/unit/callsite_plugin.c tests/unit/callsite_throw.cpp
CLEANFILES += $(callsite_trees) $(callsite_libraries)
dist_pkgdata_DATA += contrib/tryst.supp

tests/unit/test_callsite_tree: $(callsite_trees)
tests/unit/test_callsite tests/unit/test_module: $(callsite_libraries)

tests/unit/callsite/tree_O0.o: TREE_CFLAGS = -O0
tests/unit/callsite/tree_O2.o: TREE_CFLAGS = -O2 -fomit-frame-pointer
# There return addresses may be signed.
tests/unit/callsite/tree_O3.o: TREE_CFLAGS = -O3 $(if $(filter aarch64,$(host_cpu)),-mbranch-protection=pac-ret)
tests/unit/callsite/tree_framed.o: TREE_CFLAGS = -O2 -fno-omit-frame-pointer
$(callsite_trees): tests/unit/callsite_tree.c tests/unit/callsite_tree.h
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) -std=gnu11 $(WARN_CFLAGS) $(CFLAGS) $(TREE_CFLAGS) \
		-DTREE_NAME=$(subst tree_,,$(basename $(@F))) -c $(srcdir)/tests/unit/callsite_tree.c -o $@

tests/unit/callsite/libbare.so: BARE_CFLAGS = -fno-omit-frame-pointer \
	-fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions
$(callsite_libraries): tests/unit/callsite_plugin.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) -std=gnu11 $(WARN_CFLAGS) $(CFLAGS) $(BARE_CFLAGS) -shared -fPIC -Wl,-soname,$(@F) \
		-o $@ $(srcdir)/tests/unit/callsite_plugin.c

# ---- the shims ----

shim_wraps = pmpi/bare.h pmpi/wrap_coll.h pmpi/wrap_comm.h pmpi/wrap_env.h pmpi/wrap_matched.h \
	pmpi/wrap_p2p.h pmpi/wrap_request.h
shim_sources = pmpi/call.c pmpi/call.h pmpi/clock.c pmpi/clock.h pmpi/comm.c pmpi/comm.h pmpi/cpu.c pmpi/cpu.h \
	pmpi/dispatch.h pmpi/fingerprint.c pmpi/fingerprint.h pmpi/fold.c pmpi/fold.h \
	pmpi/handles.c pmpi/handles.h pmpi/init.c pmpi/init.h pmpi/mpi_header.h pmpi/next.c pmpi/next_fill.h pmpi/object.c pmpi/object.h \
	pmpi/op.c pmpi/op.h \
	pmpi/learn.c pmpi/learn.h pmpi/params.c pmpi/params.h pmpi/persistent.c pmpi/persistent.h \
	pmpi/pending.c pmpi/pending.h pmpi/phase.c pmpi/phase.h pmpi/request.c pmpi/request.h \
	pmpi/ring.c pmpi/ring.h pmpi/shape.h pmpi/guest.h \
	pmpi/shim.h pmpi/status.h pmpi/sync.c pmpi/sync.h pmpi/thread.c pmpi/thread.h pmpi/world.c pmpi/world.h pmpi/wrappers.c $(shim_wraps) \
	$(measure_sources)
shim_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_srcdir)/pmpi \
	-I$(top_srcdir)/pmpi/measure -I$(top_srcdir)/analysis/model \
	-I$(top_srcdir)/analysis/store -I$(top_builddir)/pmpi \
	-D_GNU_SOURCE
# Two words that were just stored are not loaded as one (SLP vectorisation does so): that waits for the stores.
shim_cflags = $(AM_CFLAGS) -O2 -fno-tree-slp-vectorize -fvisibility=hidden -ftls-model=initial-exec
shim_ldflags = -module -avoid-version -shared -Wl,-z,defs -export-symbols-regex '^tryst_shim_load$$'
shim_libadd = pmpi/libcallsite.la analysis/store/libstore.la analysis/model/libmodel.la \
	include/libnames.la $(SHIM_SQLITE_LIBS)
shim_wrap_paths = `for f in $(shim_wraps); do echo $(srcdir)/$$f; done` pmpi/wrap_full.h
shim_header = $(CC) -std=gnu11 -E -dD
shim_awk = $(AWK) -f $(srcdir)/pmpi/mpi.awk
shim_table = reading=table $(srcdir)/include/mpi.def

BUILT_SOURCES += pmpi/wrap_full.h
CLEANFILES += pmpi/wrap_full.h

pmpi/wrap_full.h: include/mpi.def pmpi/wrap.awk
	@$(MKDIR_P) pmpi
	$(AM_V_GEN)$(AWK) -f $(srcdir)/pmpi/wrap.awk $(srcdir)/include/mpi.def >$@.tmp && mv $@.tmp $@

# The headers that mpi.awk makes for shim_kinds, in pmpi/<kind>/.
shim_kinds =
openmpi_cflags = $(OPENMPI_CFLAGS)
mpich_cflags = $(MPICH_CFLAGS)
abi_cflags = -DTRYST_STANDARD_ABI $(ABI_CFLAGS)

if OPENMPI
shim_kinds += openmpi
pkglib_LTLIBRARIES += pmpi/tryst-openmpi.la
pmpi_tryst_openmpi_la_SOURCES = $(shim_sources)
nodist_pmpi_tryst_openmpi_la_SOURCES = pmpi/openmpi/next.h pmpi/openmpi/wrappers.h \
	pmpi/openmpi/handles_table.h
pmpi_tryst_openmpi_la_CPPFLAGS = $(shim_cppflags) -I$(top_builddir)/pmpi/openmpi $(openmpi_cflags)
pmpi_tryst_openmpi_la_CFLAGS = $(shim_cflags)
pmpi_tryst_openmpi_la_LDFLAGS = $(shim_ldflags)
pmpi_tryst_openmpi_la_LIBADD = $(shim_libadd)
BUILT_SOURCES += $(nodist_pmpi_tryst_openmpi_la_SOURCES)
CLEANFILES += pmpi/openmpi/handles_table.h

pmpi/openmpi/handles_table.h: pmpi/openmpi/mpi.i pmpi/mpi.awk
	$(AM_V_GEN)$(shim_awk) make=handles reading=header pmpi/openmpi/mpi.i >$@.tmp && mv $@.tmp $@
endif

if MPICH
shim_kinds += mpich
pkglib_LTLIBRARIES += pmpi/tryst-mpich.la
pmpi_tryst_mpich_la_SOURCES = $(shim_sources)
nodist_pmpi_tryst_mpich_la_SOURCES = pmpi/mpich/next.h pmpi/mpich/wrappers.h
pmpi_tryst_mpich_la_CPPFLAGS = $(shim_cppflags) -I$(top_builddir)/pmpi/mpich $(mpich_cflags)
pmpi_tryst_mpich_la_CFLAGS = $(shim_cflags)
pmpi_tryst_mpich_la_LDFLAGS = $(shim_ldflags)
pmpi_tryst_mpich_la_LIBADD = $(shim_libadd)
BUILT_SOURCES += $(nodist_pmpi_tryst_mpich_la_SOURCES)
endif

if STANDARD_ABI
shim_kinds += abi
pkglib_LTLIBRARIES += pmpi/tryst-abi.la
pmpi_tryst_abi_la_SOURCES = $(shim_sources)
nodist_pmpi_tryst_abi_la_SOURCES = pmpi/abi/next.h pmpi/abi/wrappers.h
pmpi_tryst_abi_la_CPPFLAGS = $(shim_cppflags) -I$(top_builddir)/pmpi/abi $(abi_cflags)
pmpi_tryst_abi_la_CFLAGS = $(shim_cflags)
pmpi_tryst_abi_la_LDFLAGS = $(shim_ldflags)
pmpi_tryst_abi_la_LIBADD = $(shim_libadd)
BUILT_SOURCES += $(nodist_pmpi_tryst_abi_la_SOURCES)
endif

CLEANFILES += $(foreach kind,$(shim_kinds),$(addprefix pmpi/$(kind)/,mpi.i next.h wrappers.h))

$(shim_kinds:%=pmpi/%/mpi.i): pmpi/%/mpi.i: pmpi/mpi_header.h config.status
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(shim_header) $($*_cflags) $(srcdir)/pmpi/mpi_header.h >$@.tmp && mv $@.tmp $@

$(shim_kinds:%=pmpi/%/next.h): pmpi/%/next.h: pmpi/%/mpi.i pmpi/mpi.awk include/mpi.def
	$(AM_V_GEN)$(shim_awk) make=next mpi=$* reading=header $< $(shim_table) >$@.tmp && mv $@.tmp $@

$(shim_kinds:%=pmpi/%/wrappers.h): pmpi/%/wrappers.h: pmpi/%/mpi.i pmpi/mpi.awk include/mpi.def $(shim_wraps) \
		pmpi/wrap_full.h
	$(AM_V_GEN)$(shim_awk) make=wrappers mpi=$* reading=header $< \
		reading=wraps $(shim_wrap_paths) $(shim_table) >$@.tmp && mv $@.tmp $@
