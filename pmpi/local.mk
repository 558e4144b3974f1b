# SPDX-License-Identifier: BSD-3-Clause
# libtryst.so, the dispatcher that is preloaded, and a shim for each MPI: the same sources, compiled
# against each mpi.h with the headers that pmpi/dispatch/mpi.awk made from it (pmpi/<mpi>/ in the build tree).
EXTRA_DIST += pmpi/README $(addsuffix /README,$(addprefix pmpi/,call callsite calibrate dispatch hosts measure record sample site start wrap))
EXTRA_DIST += pmpi/dispatch/mpi.awk pmpi/site/site.awk pmpi/wrap/wrap.awk

# ---- the dispatcher ----

preloadexec_PROGRAMS += pmpi/libtryst.so
pmpi_libtryst_so_SOURCES = pmpi/dispatch/dispatch.c pmpi/dispatch/dispatch.h pmpi/dispatch/dispatch_x86_64.S \
	pmpi/dispatch/dispatch_aarch64.S analysis/base/shown.c analysis/base/shown.h
nodist_pmpi_libtryst_so_SOURCES = pmpi/trampolines.h
pmpi_libtryst_so_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir)/pmpi -D_GNU_SOURCE
pmpi_libtryst_so_CFLAGS = $(AM_CFLAGS) $(pic_cflags)
pmpi_libtryst_so_LDFLAGS = $(shared_ldflags)
pmpi_libtryst_so_LDADD = include/libnames.a -ldl
BUILT_SOURCES += pmpi/trampolines.h
CLEANFILES += pmpi/trampolines.h

pmpi/trampolines.h: include/mpi.def pmpi/dispatch/mpi.awk
	@$(MKDIR_P) pmpi
	$(AM_V_GEN)$(AWK) -f $(srcdir)/pmpi/dispatch/mpi.awk make=trampolines \
		reading=table $(srcdir)/include/mpi.def >$@.tmp && mv $@.tmp $@

# ---- callsites, modules, the tables' lock: one build for both shims and for tests ----

noinst_LIBRARIES += pmpi/libcallsite.a
pmpi_libcallsite_a_SOURCES = pmpi/callsite/callsite.c pmpi/callsite/callsite.h pmpi/callsite/cfi.c \
	pmpi/callsite/cfi.h pmpi/callsite/frame.c pmpi/callsite/frame.h pmpi/callsite/table.c \
	pmpi/callsite/table.h pmpi/callsite/unwind.c pmpi/callsite/unwind.h pmpi/callsite/lock.c pmpi/callsite/lock.h \
	pmpi/callsite/module.c pmpi/callsite/module.h pmpi/callsite/own.c pmpi/callsite/own.h \
	pmpi/callsite/arena.h
pmpi_libcallsite_a_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(LIBUNWIND_CFLAGS)
pmpi_libcallsite_a_CFLAGS = $(AM_CFLAGS) -O2 $(pic_cflags) -ftls-model=initial-exec

# The kernel's records of samples: one build for both shims and for its test.
noinst_LIBRARIES += pmpi/libsample.a
pmpi_libsample_a_SOURCES = pmpi/sample/buffer.c pmpi/sample/buffer.h
pmpi_libsample_a_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
pmpi_libsample_a_CFLAGS = $(AM_CFLAGS) -O2 $(pic_cflags)
UNIT_LINK_test_sample_buffer = pmpi/libsample.a

# Tests of callsites: frames from compilers' various settings, and libraries to load and to unload.
UNIT_LINK_test_lock = pmpi/libcallsite.a
UNIT_LINK_test_module = pmpi/libcallsite.a -lelf
UNIT_LINK_test_own = pmpi/libcallsite.a
UNIT_LINK_test_callsite = pmpi/libcallsite.a
UNIT_LINK_test_callsite_tree = pmpi/libcallsite.a $(callsite_trees)
UNIT_LINK_test_callsite_unwind = pmpi/libcallsite.a
callsite_trees = tests/unit/callsite/tree_O0.o tests/unit/callsite/tree_O2.o \
	tests/unit/callsite/tree_O3.o tests/unit/callsite/tree_framed.o
callsite_libraries = tests/unit/callsite/libplugin_a.so tests/unit/callsite/libplugin_b.so \
	tests/unit/callsite/libmpi.so.40 tests/unit/callsite/libmpi_mpifh.so.40 \
	tests/unit/callsite/libbare.so
EXTRA_DIST += tests/unit/callsite_tree.c tests/unit/callsite_plugin.c tests/unit/callsite_throw.cpp
CLEANFILES += $(callsite_trees) $(callsite_libraries)
dist_pkgdata_DATA += contrib/tryst.supp

tests/unit/test_callsite_tree: $(callsite_trees)
tests/unit/test_callsite tests/unit/test_module tests/unit/test_own: $(callsite_libraries)

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

shim_wraps = pmpi/wrap/recording.h pmpi/wrap/collective.h pmpi/wrap/communicator.h pmpi/wrap/environment.h pmpi/wrap/matched.h \
	pmpi/wrap/p2p.h pmpi/wrap/request.h
shim_sources = pmpi/call/call.c pmpi/call/call.h pmpi/record/clock.c pmpi/record/clock.h pmpi/call/comm.c pmpi/call/comm.h pmpi/start/cpu.c pmpi/start/cpu.h \
	pmpi/dispatch/dispatch.h pmpi/measure/fingerprint.c pmpi/measure/fingerprint.h pmpi/record/row_limit.c pmpi/record/row_limit.h \
	pmpi/dispatch/handles.c pmpi/dispatch/handles.h pmpi/start/init.c pmpi/start/init.h pmpi/dispatch/mpi_header.h pmpi/dispatch/next.c pmpi/dispatch/next_fill.h pmpi/call/object.c pmpi/call/object.h \
	pmpi/call/op.c pmpi/call/op.h \
	pmpi/record/observe.c pmpi/record/observe.h pmpi/start/params.c pmpi/start/params.h pmpi/call/persistent.c pmpi/call/persistent.h \
	pmpi/call/pending.c pmpi/call/pending.h pmpi/call/phase.c pmpi/call/phase.h pmpi/call/request.c pmpi/call/request.h \
	pmpi/record/ring.c pmpi/record/ring.h pmpi/call/repeat.h pmpi/record/isolate.h \
	pmpi/sample/sample.c pmpi/sample/sample.h pmpi/sample/sampler.c \
	pmpi/sample/sampler.h pmpi/sample/threads.c pmpi/sample/threads.h \
	pmpi/record/shim.c pmpi/record/shim.h pmpi/call/status.h pmpi/start/sync.c pmpi/start/sync.h pmpi/record/thread.c pmpi/record/thread.h pmpi/site/job_file.c pmpi/site/job_file.h pmpi/site/site.c pmpi/site/site.h \
	pmpi/start/world.c pmpi/start/world.h pmpi/wrap/wrappers.c $(shim_wraps) \
	$(measure_sources)
shim_cppflags = $(AM_CPPFLAGS) -I$(top_builddir)/pmpi -D_GNU_SOURCE
# Two words that were just stored are not loaded as one (SLP vectorisation does so): that waits for the stores.
shim_cflags = $(AM_CFLAGS) -O2 -fno-tree-slp-vectorize $(pic_cflags) -ftls-model=initial-exec
shim_ldadd = pmpi/libcallsite.a pmpi/libsample.a analysis/format/libformat.a analysis/model/libmodel.a \
	include/libnames.a $(SHIM_SQLITE_LIBS) -lm -lpthread -ldl
shim_wrap_paths = `for f in $(shim_wraps); do echo $(srcdir)/$$f; done` pmpi/wrap_full.h
shim_header = $(CC) -std=gnu11 -E -dD
shim_awk = $(AWK) -f $(srcdir)/pmpi/dispatch/mpi.awk
shim_table = reading=table $(srcdir)/include/mpi.def

BUILT_SOURCES += pmpi/wrap_full.h
CLEANFILES += pmpi/wrap_full.h

pmpi/wrap_full.h: include/mpi.def pmpi/wrap/wrap.awk
	@$(MKDIR_P) pmpi
	$(AM_V_GEN)$(AWK) -f $(srcdir)/pmpi/wrap/wrap.awk $(srcdir)/include/mpi.def >$@.tmp && mv $@.tmp $@

# The headers that mpi.awk makes for shim_kinds, in pmpi/<kind>/.
shim_kinds =
openmpi_cflags = $(OPENMPI_CFLAGS)
mpich_cflags = $(MPICH_CFLAGS)
abi_cflags = -DTRYST_STANDARD_ABI $(ABI_CFLAGS)

if OPENMPI
shim_kinds += openmpi
shimexec_PROGRAMS += pmpi/tryst-openmpi.so
pmpi_tryst_openmpi_so_SOURCES = $(shim_sources)
nodist_pmpi_tryst_openmpi_so_SOURCES = pmpi/openmpi/next.h pmpi/openmpi/site_wrappers.h pmpi/openmpi/wrappers.h \
	pmpi/openmpi/handles_table.h
pmpi_tryst_openmpi_so_CPPFLAGS = $(shim_cppflags) -I$(top_builddir)/pmpi/openmpi $(openmpi_cflags)
pmpi_tryst_openmpi_so_CFLAGS = $(shim_cflags)
pmpi_tryst_openmpi_so_LDFLAGS = $(shared_ldflags)
pmpi_tryst_openmpi_so_LDADD = $(shim_ldadd)
BUILT_SOURCES += $(nodist_pmpi_tryst_openmpi_so_SOURCES)
CLEANFILES += pmpi/openmpi/handles_table.h

pmpi/openmpi/handles_table.h: pmpi/openmpi/mpi.i pmpi/dispatch/mpi.awk
	$(AM_V_GEN)$(shim_awk) make=handles reading=header pmpi/openmpi/mpi.i >$@.tmp && mv $@.tmp $@
endif

if MPICH
shim_kinds += mpich
shimexec_PROGRAMS += pmpi/tryst-mpich.so
pmpi_tryst_mpich_so_SOURCES = $(shim_sources)
nodist_pmpi_tryst_mpich_so_SOURCES = pmpi/mpich/next.h pmpi/mpich/site_wrappers.h pmpi/mpich/wrappers.h
pmpi_tryst_mpich_so_CPPFLAGS = $(shim_cppflags) -I$(top_builddir)/pmpi/mpich $(mpich_cflags)
pmpi_tryst_mpich_so_CFLAGS = $(shim_cflags)
pmpi_tryst_mpich_so_LDFLAGS = $(shared_ldflags)
pmpi_tryst_mpich_so_LDADD = $(shim_ldadd)
BUILT_SOURCES += $(nodist_pmpi_tryst_mpich_so_SOURCES)
endif

if STANDARD_ABI
shim_kinds += abi
shimexec_PROGRAMS += pmpi/tryst-abi.so
pmpi_tryst_abi_so_SOURCES = $(shim_sources)
nodist_pmpi_tryst_abi_so_SOURCES = pmpi/abi/next.h pmpi/abi/site_wrappers.h pmpi/abi/wrappers.h
pmpi_tryst_abi_so_CPPFLAGS = $(shim_cppflags) -I$(top_builddir)/pmpi/abi $(abi_cflags)
pmpi_tryst_abi_so_CFLAGS = $(shim_cflags)
pmpi_tryst_abi_so_LDFLAGS = $(shared_ldflags)
pmpi_tryst_abi_so_LDADD = $(shim_ldadd)
BUILT_SOURCES += $(nodist_pmpi_tryst_abi_so_SOURCES)
endif

CLEANFILES += $(foreach kind,$(shim_kinds),$(addprefix pmpi/$(kind)/,mpi.i mpi.stamp next.h site_wrappers.h wrappers.h))

# After each configure the library may be another one. The shims are compiled again only if its header differs: mpi.i
# keeps its time then, and is older than its stamp.
$(shim_kinds:%=pmpi/%/mpi.stamp): pmpi/%/mpi.stamp: pmpi/dispatch/mpi_header.h config.status
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(shim_header) $($*_cflags) $(srcdir)/pmpi/dispatch/mpi_header.h >$(@D)/mpi.i.tmp
	@if cmp -s $(@D)/mpi.i.tmp $(@D)/mpi.i; then rm $(@D)/mpi.i.tmp; else mv $(@D)/mpi.i.tmp $(@D)/mpi.i; fi
	@touch $@

$(shim_kinds:%=pmpi/%/mpi.i): pmpi/%/mpi.i: pmpi/%/mpi.stamp
	@test -f $@ || { rm -f $< && $(MAKE) $(AM_MAKEFLAGS) $<; }

$(shim_kinds:%=pmpi/%/next.h): pmpi/%/next.h: pmpi/%/mpi.i pmpi/dispatch/mpi.awk include/mpi.def
	$(AM_V_GEN)$(shim_awk) make=next mpi=$* reading=header $< $(shim_table) >$@.tmp && mv $@.tmp $@

$(shim_kinds:%=pmpi/%/wrappers.h): pmpi/%/wrappers.h: pmpi/%/mpi.i pmpi/dispatch/mpi.awk include/mpi.def $(shim_wraps) \
		pmpi/wrap_full.h
	$(AM_V_GEN)$(shim_awk) make=wrappers mpi=$* reading=header $< \
		reading=wraps $(shim_wrap_paths) $(shim_table) >$@.tmp && mv $@.tmp $@

$(shim_kinds:%=pmpi/%/site_wrappers.h): pmpi/%/site_wrappers.h: pmpi/%/mpi.i pmpi/dispatch/mpi.awk pmpi/site/site.awk \
		include/mpi.def
	$(AM_V_GEN)$(shim_awk) -f $(srcdir)/pmpi/site/site.awk make=site mpi=$* reading=header $< \
		$(shim_table) >$@.tmp && mv $@.tmp $@
