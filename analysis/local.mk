# SPDX-License-Identifier: BSD-3-Clause
# The `tryst` command. All but main() is a library, so that tests can link it.
noinst_LTLIBRARIES += analysis/libcommand.la
analysis_libcommand_la_CPPFLAGS = $(AM_CPPFLAGS) -DTRYST_LIBDIR='"$(libdir)"' \
	-DTRYST_LIBDIR_BELOW_PREFIX='"$(patsubst $(prefix)/%,%,$(libdir))"' \
	-DTRYST_LIBEXECDIR='"$(libexecdir)"' \
	-DTRYST_LIBEXECDIR_BELOW_PREFIX='"$(patsubst $(prefix)/%,%,$(libexecdir))"'
analysis_libcommand_la_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(LIBDW_CFLAGS) $(OTF2_CFLAGS)
analysis_libcommand_la_SOURCES = \
	analysis/analyzed.c \
	analysis/analyzed.h \
	analysis/cmd.h \
	analysis/cmd_analyze.c \
	analysis/cmd_calibrate.c \
	analysis/cmd_collect.c \
	analysis/cmd_diff.c \
	analysis/cmd_doctor.c \
	analysis/cmd_env.c \
	analysis/cmd_export.c \
	analysis/cmd_merge.c \
	analysis/cmd_model.c \
	analysis/cmd_report.c \
	analysis/cmd_run.c \
	analysis/cmd_sql.c \
	analysis/collect.c \
	analysis/collect.h \
	analysis/commands.c \
	analysis/completion.c \
	analysis/dataset.c \
	analysis/dataset.h \
	analysis/diff.c \
	analysis/diff.h \
	analysis/diff_noise.c \
	analysis/diff_sites.c \
	analysis/doctor.h \
	analysis/doctor_mpi.c \
	analysis/export.h \
	analysis/export_chrome.c \
	analysis/export_comms.c \
	analysis/export_comms.h \
	analysis/export_csv.c \
	analysis/export_otf2.c \
	analysis/export_run.c \
	analysis/export_stream.c \
	analysis/help.c \
	analysis/man.c \
	analysis/merge.c \
	analysis/merge.h \
	analysis/merge_copy.c \
	analysis/merge_copy.h \
	analysis/merge_part.c \
	analysis/merge_part.h \
	analysis/merge_sites.c \
	analysis/merge_sites.h \
	analysis/merge_small.c \
	analysis/merge_small.h \
	analysis/model_file.c \
	analysis/model_file.h \
	analysis/model_input.c \
	analysis/model_input.h \
	analysis/model_picture.c \
	analysis/model_predict.c \
	analysis/model_run.c \
	analysis/model_table.c \
	analysis/model_table.h \
	analysis/options.c \
	analysis/out_file.c \
	analysis/out_file.h \
	analysis/program.c \
	analysis/program.h \
	analysis/progress.c \
	analysis/progress.h \
	analysis/report.c \
	analysis/report.h \
	analysis/report_bottlenecks.c \
	analysis/report_exact.c \
	analysis/report_functions.c \
	analysis/report_hang.c \
	analysis/report_inside.c \
	analysis/report_model.h \
	analysis/report_sample.c \
	analysis/report_sections.c \
	analysis/resolve.c \
	analysis/resolve.h \
	analysis/say.c \
	analysis/started.c \
	analysis/started.h \
	analysis/symbols.c \
	analysis/symbols.h \
	analysis/table.c \
	analysis/table.h \
	analysis/tables_doc.c \
	analysis/tables_doc.h \
	analysis/terminal.c

bin_PROGRAMS += analysis/tryst
analysis_tryst_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
analysis_tryst_SOURCES = analysis/main.c
analysis_tryst_LDADD = analysis/libcommand.la analysis/match/libmatch.la analysis/store/libstore.la \
	analysis/model/libmodel.la include/libnames.la $(SQLITE_LIBS) $(LIBDW_LIBS) $(OTF2_LIBS) -lm -ldl

# Manual pages and completion are printed by the command itself, from its tables; a page for each
# cmd_NAME.c.
command_files = $(notdir $(wildcard $(top_srcdir)/analysis/cmd_*.c))
command_pages = tryst.1 $(command_files:cmd_%.c=tryst-%.1)
nodist_man1_MANS = $(command_pages:%=analysis/man/%)
nodist_man5_MANS = analysis/man/tryst-tables.5
CLEANFILES += $(nodist_man1_MANS) $(nodist_man5_MANS) analysis/completion/tryst
$(nodist_man1_MANS) $(nodist_man5_MANS): analysis/tryst$(EXEEXT)
	@$(MKDIR_P) analysis/man
	$(AM_V_GEN)analysis/tryst --man $(@F) >$@.tmp && mv $@.tmp $@

bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = analysis/completion/tryst
analysis/completion/tryst: analysis/tryst$(EXEEXT)
	@$(MKDIR_P) analysis/completion
	$(AM_V_GEN)analysis/tryst --completion >$@.tmp && mv $@.tmp $@

# Golden texts of reports.
EXTRA_DIST += $(wildcard $(top_srcdir)/tests/golden/*.expected)

UNIT_LINK_test_diff_noise = analysis/libcommand.la analysis/match/libmatch.la
UNIT_LINK_test_report_hang = analysis/libcommand.la analysis/match/libmatch.la
UNIT_LINK_test_options = analysis/libcommand.la analysis/match/libmatch.la
UNIT_LINK_test_symbols = analysis/libcommand.la analysis/match/libmatch.la
UNIT_LINK_test_table = analysis/libcommand.la analysis/match/libmatch.la
UNIT_LINK_test_tables_doc = analysis/libcommand.la analysis/match/libmatch.la
