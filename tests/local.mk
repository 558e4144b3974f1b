# SPDX-License-Identifier: BSD-3-Clause
# Tests. A new one is a new file, listed nowhere:
#
#   tests/unit/test_NAME.c        CUnit program, linked with libformat, libmodel and libnames; more to
#                                 link: a line `UNIT_LINK_test_NAME = dir/libother.a` in your local.mk
#   tests/queries/FOLDER/NAME.sql   cases of the query analysis/FOLDER/queries/NAME.sql: tests/unit/test_queries.c
#   tests/fuzz/test_NAME.c        the same, for damaged input
#   tests/mpi/NAME.c              MPI program, built as tests/mpi/openmpi/NAME, tests/mpi/mpich/NAME and
#                                 tests/mpi/abi/NAME; more to link: `MPI_LINK_NAME = -lother`. Those that begin with count or
#                                 slow are libraries to preload, built by the scripts that want them
#   tests/*/test-NAME.sh          script; reads tests/lib.sh, runs on all MPI libraries that are built in
#   tests/perf/bench-NAME.sh      benchmark, for `make bench` alone
#
# tests/README says how they are run and what a script may rely on.

unit_test_files = $(wildcard $(top_srcdir)/tests/unit/test_*.c $(top_srcdir)/tests/fuzz/test_*.c)
unit_tests = $(unit_test_files:$(top_srcdir)/%.c=%)
mpi_test_files = $(filter-out count% slow%,$(notdir $(wildcard $(top_srcdir)/tests/mpi/*.c)))
test_scripts = $(wildcard $(top_srcdir)/tests/*/test-*.sh)
bench_scripts = $(wildcard $(top_srcdir)/tests/perf/bench-*.sh)

EXTRA_DIST += tests/README tests/.shellcheckrc tests/run tests/awks tests/systems/fresh tests/builds \
	tests/sanitize.mk tests/fuzz.mk tests/lib.sh tests/rules/comments.awk tests/rules/folders $(unit_test_files) \
	$(test_scripts) $(bench_scripts) \
	$(wildcard $(addprefix $(top_srcdir)/tests/,*/*.h */*.sh queries/*/*.sql fault/*.c mpi/*.c mpi/*.F90 mpi/*.cpp mpi/*.py mpi/*.json html/*.py \
		mpi/*.lammps goal/*.goal mpi/*.txt net/*.c net/own-processor perf/*.c))

mpi_tests = $(foreach kind,$(shim_kinds),$(mpi_test_files:%.c=tests/mpi/$(kind)/%))

# Where T chooses tests, only what these need is built: unit tests by name; programs whose names are words of a chosen
# script, or of one that scripts share; the instrumented library, which takes minutes, for its own tests.
chosen_of = $(foreach test,$(1),$(if $(foreach word,$(T),$(findstring $(word),$(test:tests/%=%))),$(test)))
every_script = $(test_scripts) $(bench_scripts)
chosen_scripts = $(call chosen_of,$(every_script:$(top_srcdir)/%.sh=%))
shared_scripts = $(filter-out $(every_script),$(wildcard $(top_srcdir)/tests/*.sh $(top_srcdir)/tests/*/*.sh))
chosen_words := $(if $(strip $(chosen_scripts)),$(shell cat $(chosen_scripts:%=$(top_srcdir)/%.sh) $(shared_scripts) | \
	tr -cs a-zA-Z0-9_ '\n' | sort -u))
mpi_needed = $(if $(T),$(foreach kind,$(shim_kinds),$(addprefix tests/mpi/$(kind)/,$(filter $(chosen_words),$(mpi_test_files:.c=)))),$(mpi_tests))
unit_needed = $(if $(T),$(call chosen_of,$(unit_tests)),$(unit_tests))
sanitize_needed = $(if $(T),$(if $(filter tests/sanitize/%,$(chosen_scripts)),$(sanitize_built)),$(sanitize_built))
test_binaries = $(mpi_needed) tests/net/switch tests/fault/libfaults.so $(sanitize_needed)
if CUNIT
test_binaries += $(unit_needed)
tested_units = $(unit_tests)
endif

TEST_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(CFLAGS) -MMD -MP
UNIT_LIBS = analysis/format/libformat.a analysis/model/libmodel.a include/libnames.a

# Apart from the rule, where a % would be the stem.
libraries_of = $(filter %.a,$(1))
.SECONDEXPANSION:
$(unit_tests): %: $(top_srcdir)/%.c $(UNIT_LIBS) $$(call libraries_of,$$(UNIT_LINK_$$(notdir $$*)))
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) $(TEST_CFLAGS) -MT $@ -I$(top_srcdir) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) \
		$(CPPFLAGS) $(CUNIT_CFLAGS) $(SQLITE_CFLAGS) -c $< -o $@.o
	$(AM_V_CCLD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o $(UNIT_LINK_$(notdir $*)) $(UNIT_LIBS) $(SQLITE_LIBS) \
		$(LIBDW_LIBS) $(ZLIB_LIBS) $(CUNIT_LIBS) -lm -lpthread -ldl

# All queries by name, all bits of packed columns by name, and the words for their values.
every_query = $(foreach folder,$(query_folders),$(call queries_of,$(folder)))
tests/unit/query_list.h: $(every_query) analysis/format/db/sql.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v list=1 -f $(srcdir)/analysis/format/db/sql.awk $(every_query) >$@.tmp && mv $@.tmp $@
tests/unit/packed_fields.h: include/layouts.awk include/layouts.def include/schema.sql
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -f $(srcdir)/include/layouts.awk make=fields $(layouts_sources) >$@.tmp && mv $@.tmp $@
tests/unit/packed_words.h: include/layouts.awk include/layouts.def include/schema.sql
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -f $(srcdir)/include/layouts.awk make=words $(layouts_sources) >$@.tmp && mv $@.tmp $@
tests/unit/test_queries: tests/unit/query_list.h tests/unit/packed_fields.h tests/unit/packed_words.h
CLEANFILES += tests/unit/query_list.h tests/unit/packed_fields.h tests/unit/packed_words.h

# The headers make compilers take MPI_STATUSES_IGNORE and MPI_UNWEIGHTED for arrays of no elements.
MPI_TEST_CFLAGS = $(TEST_CFLAGS) -Wno-unknown-warning-option -Wno-stringop-overflow -Wno-stringop-overread

openmpi_libs = $(OPENMPI_LIBS)
mpich_libs = $(MPICH_LIBS)
abi_libs = $(ABI_LIBS)
mpi_kind = $(notdir $(@D))
$(mpi_tests): $(top_srcdir)/tests/mpi/$$(@F).c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) $(MPI_TEST_CFLAGS) $(AM_CPPFLAGS) $($(mpi_kind)_cflags) $< -o $@ $($(mpi_kind)_libs) \
		$(MPI_LINK_$(@F)) -lm -lpthread

# What joins the hosts of tests/net/hosts.sh.
tests/net/switch: $(top_srcdir)/tests/net/switch.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)$(CC) $(TEST_CFLAGS) $< -o $@

tests/fault/libfaults.so: tests/fault/faults.c
	@$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(CC) -std=gnu11 $(WARN_CFLAGS) -g -O1 -fno-builtin -shared -fPIC $< -o $@ -ldl

-include $(wildcard tests/unit/*.d tests/fuzz/*.d tests/mpi/*/*.d)

# After all else, in a make of its own: `all` is another, too, and two at once would link the same libraries.
test-programs: all
	@$(MAKE) $(AM_MAKEFLAGS) test-binaries
test-binaries: $(test_binaries)
run_tests = $(SHELL) $(abs_top_srcdir)/tests/run
abs_test_scripts = $(test_scripts:$(top_srcdir)/%=$(abs_top_srcdir)/%)
abs_bench_scripts = $(bench_scripts:$(top_srcdir)/%=$(abs_top_srcdir)/%)

# make check T='unit/test_x mpi/test-y' runs these alone.
check-local: test-programs
	@$(run_tests) $(tested_units) $(abs_test_scripts) $(if $(T),-- $(T))
check-long: test-programs
	@$(run_tests) -l $(tested_units) $(abs_test_scripts) $(if $(T),-- $(T))
bench: test-programs
	@$(run_tests) -v $(abs_bench_scripts) $(if $(T),-- $(T))

clean-local:
	rm -rf sanitize fuzz tests/log tests/mpi/openmpi tests/mpi/mpich tests/mpi/abi
	rm -f tests/net/switch tests/fault/libfaults.so
	rm -f $(unit_tests) tests/*/*.o tests/*/*.d tests/*/*.valgrind
.PHONY: test-programs test-binaries check-long bench

include tests/sanitize.mk
include tests/fuzz.mk
