# SPDX-License-Identifier: BSD-3-Clause
# Damaged input of every kind (tests/README says which target holds what). A target is
# tests/fuzz/NAME_target.c. tests/fuzz/test_NAME_damage replays the corpus in tests/fuzz/NAME and some
# damage from a fixed seed in `make check`; `make fuzz-NAME` searches with libFuzzer.
fuzz_targets = store calibration run input
EXTRA_DIST += tests/fuzz/fuzzer.c tests/fuzz/readers $(fuzz_targets:%=tests/fuzz/%)

fuzz_cflags = $(AM_CFLAGS) $(SQLITE_CFLAGS)
noinst_LIBRARIES += tests/libstoretarget.a tests/libcalibrationtarget.a tests/libruntarget.a \
	tests/libinputtarget.a
tests_libstoretarget_a_SOURCES = tests/fuzz/store_target.c tests/fuzz/target.h
tests_libstoretarget_a_CFLAGS = $(fuzz_cflags)
tests_libcalibrationtarget_a_SOURCES = tests/fuzz/calibration_target.c
tests_libcalibrationtarget_a_CFLAGS = $(fuzz_cflags)
tests_libruntarget_a_SOURCES = tests/fuzz/run_target.c tests/fuzz/run_target.h tests/fuzz/output.h
tests_libruntarget_a_CFLAGS = $(fuzz_cflags)
tests_libinputtarget_a_SOURCES = tests/fuzz/input_target.c pmpi/record/clock.c
tests_libinputtarget_a_CFLAGS = $(fuzz_cflags)
fuzz_link = tests/libspoolgen.a analysis/libcommand.a analysis/match/libmatch.a $(OTF2_LIBS) $(NCURSES_LIBS) $(ZLIB_LIBS)
UNIT_LINK_test_store_damage = tests/libstoretarget.a $(fuzz_link)
UNIT_LINK_test_calibration_damage = tests/libcalibrationtarget.a $(fuzz_link)
UNIT_LINK_test_run_damage = tests/libruntarget.a $(fuzz_link)
UNIT_LINK_test_input_damage = tests/libinputtarget.a pmpi/libcallsite.a \
	pmpi/measure/libplan.a $(fuzz_link)

# ---- with libFuzzer: everything compiled once for all targets, below fuzz/ ----

FUZZ_SECONDS = 60
# Files of an input are written and removed thousands of times.
FUZZ_TMPDIR = /dev/shm
FUZZ_CFLAGS = -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
fuzz_sources = $(filter %.c,$(analysis_libcommand_a_SOURCES) $(analysis_match_libmatch_a_SOURCES) \
	$(nodist_analysis_libcommand_a_SOURCES) $(nodist_analysis_match_libmatch_a_SOURCES) \
	$(analysis_format_libformat_a_SOURCES) $(nodist_analysis_format_libformat_a_SOURCES) \
	$(analysis_model_libmodel_a_SOURCES) $(nodist_include_libnames_a_SOURCES) \
	$(pmpi_measure_libplan_a_SOURCES) pmpi/callsite/cfi.c pmpi/record/clock.c pmpi/callsite/module.c tests/spoolgen.c)
# What an input may be long, and what else libFuzzer is told.
fuzz_options_store = -max_len=800
fuzz_options_calibration = -max_len=64
fuzz_options_run = -max_len=65
fuzz_options_input = -max_len=8192

fuzz/%.o: %.c | $(BUILT_SOURCES)
	@$(MKDIR_P) $(@D)
	$(AM_V_CC)clang -std=gnu11 -D_GNU_SOURCE $(FUZZ_CFLAGS) -MMD -MP $(DEFS) -I$(top_srcdir) -I. \
		$(analysis_libcommand_a_CPPFLAGS) $(SQLITE_CFLAGS) $(LIBDW_CFLAGS) $(OTF2_CFLAGS) -c $< -o $@
# SQLite's memory stands there.
fuzz/tests/fuzz/fuzzer.o: FUZZ_CFLAGS = -g -O2
fuzz/libtryst.a: $(fuzz_sources:%.c=fuzz/%.o)
	@rm -f $@
	$(AM_V_AR)$(AR) crs $@ $^
fuzz/%_fuzzer: fuzz/tests/fuzz/fuzzer.o fuzz/tests/fuzz/%_target.o fuzz/libtryst.a
	$(AM_V_CCLD)clang -g -fsanitize=fuzzer,address,undefined -o $@ $^ $(SQLITE_LIBS) $(LIBDW_LIBS) \
		$(OTF2_LIBS) $(NCURSES_LIBS) $(ZLIB_LIBS) -lm -ldl -lpthread
-include $(wildcard fuzz/*/*.d fuzz/*/*/*.d)

# New inputs stay in fuzz/found-NAME of the build; what found something belongs into tests/fuzz/NAME.
$(fuzz_targets:%=fuzz-%): fuzz-%: fuzz/%_fuzzer
	@$(MKDIR_P) fuzz/found-$*
	TMPDIR=$(FUZZ_TMPDIR) fuzz/$*_fuzzer $(fuzz_options_$*) -len_control=0 -timeout=120 -close_fd_mask=3 -artifact_prefix=fuzz/ \
		-max_total_time=$(FUZZ_SECONDS) fuzz/found-$* $(srcdir)/tests/fuzz/$*
.PHONY: $(fuzz_targets:%=fuzz-%)
.SECONDARY: fuzz/tests/fuzz/fuzzer.o $(fuzz_targets:%=fuzz/tests/fuzz/%_target.o)
