# SPDX-License-Identifier: BSD-3-Clause
# The library once more, instrumented, for the tests in tests/sanitize/: sanitize/address (also
# undefined behaviour) and sanitize/thread in the build tree, each a directory to preload from.
# One MPI library is enough: what differs between the two is compiled against either header anyway.

if OPENMPI
SANITIZE_MPI = openmpi
sanitize_cflags = $(OPENMPI_CFLAGS)
sanitize_libs = $(OPENMPI_LIBS)
else
SANITIZE_MPI = mpich
sanitize_cflags = $(MPICH_CFLAGS)
sanitize_libs = $(MPICH_LIBS)
endif

sanitize_flags_address = -fsanitize=address,undefined -fno-sanitize-recover=undefined
# What the fence orders in module.c is atomic by itself: the checker has nothing to say there.
sanitize_flags_thread = -fsanitize=thread -Wno-unknown-warning-option -Wno-tsan
# -fsanitize=object-size alone finds nothing without optimising: check-asan and fuzz.mk have it.
SANITIZE_CFLAGS = -g1 -O0 -fno-omit-frame-pointer

sanitize_shim_sources = $(filter %.c,$(shim_sources) $(pmpi_libcallsite_a_SOURCES) \
	$(pmpi_libsample_a_SOURCES) $(analysis_format_libformat_a_SOURCES) $(nodist_analysis_format_libformat_a_SOURCES) \
	$(analysis_model_libmodel_a_SOURCES) $(nodist_include_libnames_a_SOURCES))
sanitize_dispatch_sources = pmpi/dispatch/dispatch.c pmpi/dispatch/dispatch_x86_64.S pmpi/dispatch/dispatch_aarch64.S \
	analysis/base/shown.c include/functions.c
sanitize_compile = $(CC) -std=gnu11 $(WARN_CFLAGS) $(SANITIZE_CFLAGS) -fPIC -fvisibility=hidden \
	-ftls-model=initial-exec -MMD -MP $(DEFS) -I. $(shim_cppflags) \
	-I$(top_builddir)/pmpi/$(SANITIZE_MPI) $(sanitize_cflags) $(LIBUNWIND_CFLAGS)

sanitize_built = $(addprefix sanitize/address/,libtryst.so tryst-$(SANITIZE_MPI).so) \
	$(addprefix sanitize/thread/,libtryst.so tryst-$(SANITIZE_MPI).so threads hammer handover ends)

sanitize_objects = $(patsubst %,sanitize/$(1)/%.o,$(basename $(2)))

sanitize/address/%.o: %.c | $(BUILT_SOURCES)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(sanitize_compile) $(sanitize_flags_address) -c $< -o $@
sanitize/thread/%.o: %.c | $(BUILT_SOURCES)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(sanitize_compile) $(sanitize_flags_thread) -c $< -o $@
sanitize/address/%.o: %.S
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(sanitize_compile) -c $< -o $@
sanitize/thread/%.o: %.S
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(sanitize_compile) -c $< -o $@

sanitize/address/tryst-$(SANITIZE_MPI).so: $(call sanitize_objects,address,$(sanitize_shim_sources))
	$(AM_V_CCLD)$(CC) -shared $(sanitize_flags_address) -o $@ $^ $(SHIM_SQLITE_LIBS) -ldl -lpthread -lm
sanitize/thread/tryst-$(SANITIZE_MPI).so: $(call sanitize_objects,thread,$(sanitize_shim_sources))
	$(AM_V_CCLD)$(CC) -shared $(sanitize_flags_thread) -o $@ $^ $(SHIM_SQLITE_LIBS) -ldl -lpthread -lm
sanitize/address/libtryst.so: $(call sanitize_objects,address,$(sanitize_dispatch_sources))
	$(AM_V_CCLD)$(CC) -shared $(sanitize_flags_address) -o $@ $^ -ldl
sanitize/thread/libtryst.so: $(call sanitize_objects,thread,$(sanitize_dispatch_sources))
	$(AM_V_CCLD)$(CC) -shared $(sanitize_flags_thread) -o $@ $^ -ldl
sanitize_program = $(CC) $(MPI_TEST_CFLAGS) $(sanitize_cflags) $(SANITIZE_CFLAGS) \
	$(sanitize_flags_$(1)) $< -o $@ $(sanitize_libs) -lpthread
sanitize/address/%: tests/mpi/%.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(call sanitize_program,address)
sanitize/thread/%: tests/mpi/%.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(call sanitize_program,thread)

# Not those of check-asan and its like, whole builds whose paths are others.
-include $(wildcard $(foreach d,address thread,$(addprefix sanitize/$(d)/,*.d */*.d */*/*.d)))

# ---- at length: everything under a checker, in builds of their own below sanitize/ ----

# A whole build, with both MPI libraries, and all tests that make sense there.
check_whole_address = unit/ fuzz/ golden/ mpi/test-requests mpi/test-collectives mpi/test-comms mpi/test-errors \
	mpi/test-threads mpi/test-hammer mpi/test-mpi4 mpi/test-big fault/test-ends fault/test-killed \
	fault/test-settings fault/test-command
check_whole_undefined = $(check_whole_address)
# unit/test_callsite* measure time that this checker multiplies.
check_whole_thread = unit/test_module unit/test_lock mpi/test-threads mpi/test-hammer
check-asan: SAN = address
check-ubsan: SAN = undefined
check-tsan: SAN = thread
check-asan check-ubsan check-tsan:
	@$(MKDIR_P) sanitize/whole-$(SAN)
	cd sanitize/whole-$(SAN) && { test -f Makefile || $(abs_top_srcdir)/configure -q CC='$(CC)' \
		CFLAGS='-g -O1 -fno-omit-frame-pointer -fsanitize=$(SAN) -fno-sanitize-recover=all'; }
	$(MAKE) -C sanitize/whole-$(SAN) check sanitize_built= TEST_JOBS=1 \
		T='$(check_whole_$(SAN))'
# Unit tests but those that measure time, and the library in MPI programs on both MPI libraries.
check-valgrind: test-programs
	@failed=; for t in $(filter-out tests/unit/test_callsite%,$(tested_units)); do \
		if valgrind -q --error-exitcode=9 --suppressions=$(top_srcdir)/contrib/tryst.supp ./$$t \
			>$$t.valgrind 2>&1; then echo "passed   $$t"; \
		else echo "FAILED   $$t"; tail -n 40 $$t.valgrind; failed=1; fi; \
	done; [ -z "$$failed" ]
	$(run_tests) -l $(abs_top_srcdir)/tests/sanitize/test-valgrind-long.sh
.PHONY: check-asan check-ubsan check-tsan check-valgrind

# Other compilers and options, each MPI library alone, a release.
check-builds:
	$(SHELL) $(abs_top_srcdir)/tests/builds $(T)
.PHONY: check-builds
