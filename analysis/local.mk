# SPDX-License-Identifier: BSD-3-Clause
# The `tryst` command. All but main() is a library, so that tests can link it.
analysis_folders = base blame collective command dataset diff doctor export goal html mapping links match merge modelling options pack ranks \
	recipes replay report screen symbols text top traffic tune \
	worth
EXTRA_DIST += $(addsuffix /README,$(addprefix analysis/,$(analysis_folders)))
noinst_LIBRARIES += analysis/libcommand.a
analysis_libcommand_a_CPPFLAGS = $(AM_CPPFLAGS) -DTRYST_LIBDIR='"$(libdir)"' \
	-DTRYST_LIBDIR_BELOW_PREFIX='"$(patsubst $(prefix)/%,%,$(libdir))"' \
	-DTRYST_LIBEXECDIR='"$(libexecdir)"' \
	-DTRYST_LIBEXECDIR_BELOW_PREFIX='"$(patsubst $(prefix)/%,%,$(libexecdir))"'
analysis_libcommand_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(LIBDW_CFLAGS) $(OTF2_CFLAGS) $(NCURSES_CFLAGS) $(ZLIB_CFLAGS)
analysis_libcommand_a_SOURCES = \
	analysis/base/temporary.c \
	analysis/base/temporary.h \
	analysis/dataset/analyzed.c \
	analysis/dataset/analyzed.h \
	analysis/options/subcommand.h \
	analysis/command/analyze.c \
	analysis/command/calibrate.c \
	analysis/command/collect.c \
	analysis/command/diff.c \
	analysis/command/doctor.c \
	analysis/command/env.c \
	analysis/command/export.c \
	analysis/command/merge.c \
	analysis/command/model.c \
	analysis/command/pack.c \
	analysis/command/predict.c \
	analysis/command/dataset_options.h \
	analysis/command/sections.h \
	analysis/command/report.c \
	analysis/command/run.c \
	analysis/command/sql.c \
	analysis/command/top.c \
	analysis/command/tune.c \
	analysis/tune/candidates.c \
	analysis/tune/candidates.h \
	analysis/tune/judge.c \
	analysis/tune/judge.h \
	analysis/tune/launch.c \
	analysis/tune/launch.h \
	analysis/dataset/collect.c \
	analysis/dataset/collect.h \
	analysis/command/commands.c \
	analysis/options/completion.c \
	analysis/dataset/dataset.c \
	analysis/dataset/dataset.h \
	analysis/dataset/newest.c \
	analysis/dataset/newest.h \
	analysis/diff/conditions.c \
	analysis/diff/conditions.h \
	analysis/diff/diff.c \
	analysis/diff/diff.h \
	analysis/diff/noise.c \
	analysis/diff/scaling.c \
	analysis/diff/scaling.h \
	analysis/diff/sites.c \
	analysis/diff/words.c \
	analysis/diff/words.h \
	analysis/doctor/doctor.h \
	analysis/doctor/mpi.c \
	analysis/export/export.h \
	analysis/export/chrome.c \
	analysis/export/choose.c \
	analysis/export/comms.c \
	analysis/export/comms.h \
	analysis/export/csv.c \
	analysis/export/otf2.c \
	analysis/export/run.c \
	analysis/export/stream.c \
	analysis/export/goal.c \
	analysis/goal/engine.c \
	analysis/goal/engine.h \
	analysis/goal/schedule.c \
	analysis/goal/schedule.h \
	analysis/goal/write.c \
	analysis/mapping/pace.c \
	analysis/mapping/pace.h \
	analysis/traffic/traffic.c \
	analysis/traffic/traffic.h \
	analysis/mapping/hosts.c \
	analysis/mapping/hosts.h \
	analysis/mapping/mapping.c \
	analysis/mapping/mapping.h \
	analysis/mapping/sweep.c \
	analysis/mapping/sweep.h \
	analysis/html/assets.h \
	analysis/html/columns.c \
	analysis/html/columns.h \
	analysis/html/html.h \
	analysis/html/page.c \
	analysis/html/sources.c \
	analysis/html/sources.h \
	analysis/html/tables.c \
	analysis/html/timeline.c \
	analysis/html/timeline.h \
	analysis/options/file.c \
	analysis/options/help.c \
	analysis/options/man.c \
	analysis/merge/merge.c \
	analysis/merge/merge.h \
	analysis/merge/copy.c \
	analysis/merge/copy.h \
	analysis/merge/fill.c \
	analysis/merge/fill.h \
	analysis/merge/part.c \
	analysis/merge/part.h \
	analysis/merge/sites.c \
	analysis/merge/sites.h \
	analysis/merge/small.c \
	analysis/merge/small.h \
	analysis/modelling/change.c \
	analysis/modelling/file.c \
	analysis/modelling/file.h \
	analysis/modelling/input.c \
	analysis/modelling/input.h \
	analysis/modelling/picture.c \
	analysis/modelling/predict.c \
	analysis/modelling/run.c \
	analysis/modelling/table.c \
	analysis/modelling/table.h \
	analysis/options/options.c \
	analysis/text/gnuplot.c \
	analysis/text/gnuplot.h \
	analysis/pack/pack.c \
	analysis/pack/pack.h \
	analysis/pack/unpack.c \
	analysis/text/out_file.c \
	analysis/text/out_file.h \
	analysis/text/target.c \
	analysis/text/target.h \
	analysis/doctor/program.c \
	analysis/doctor/program.h \
	analysis/text/progress.c \
	analysis/text/progress.h \
	analysis/recipes/recipes.c \
	analysis/recipes/recipes.h \
	analysis/replay/balance.c \
	analysis/replay/balance.h \
	analysis/replay/graph.c \
	analysis/replay/graph.h \
	analysis/replay/links.c \
	analysis/replay/links.h \
	analysis/replay/load.c \
	analysis/replay/load.h \
	analysis/replay/message.c \
	analysis/replay/message.h \
	analysis/replay/noise.c \
	analysis/replay/path.c \
	analysis/replay/path.h \
	analysis/replay/place.c \
	analysis/replay/place.h \
	analysis/replay/run.c \
	analysis/replay/run.h \
	analysis/replay/scenario.c \
	analysis/replay/scenario.h \
	analysis/replay/tables.c \
	analysis/replay/tables.h \
	analysis/replay/turns.c \
	analysis/replay/turns.h \
	analysis/report/report.c \
	analysis/report/report.h \
	analysis/report/bottleneck_words.c \
	analysis/report/facts.c \
	analysis/report/facts.h \
	analysis/report/loss_words.c \
	analysis/report/phrase.c \
	analysis/report/phrase.h \
	analysis/report/prepare.c \
	analysis/report/render_data.c \
	analysis/report/render_text.c \
	analysis/report/both_sides.c \
	analysis/text/causes.c \
	analysis/text/causes.h \
	analysis/text/sql_functions.c \
	analysis/report/hang.c \
	analysis/report/hang_words.c \
	analysis/report/inside.c \
	analysis/report/sample.c \
	analysis/report/sections.c \
	analysis/report/sentences.c \
	analysis/report/sentences.h \
	analysis/report/summary_words.c \
	analysis/report/verdict_words.c \
	analysis/report/worth_words.c \
	analysis/worth/bottlenecks.c \
	analysis/worth/chance.c \
	analysis/worth/combine.c \
	analysis/worth/combine.h \
	analysis/worth/edit.c \
	analysis/worth/edit.h \
	analysis/worth/gain.c \
	analysis/worth/gain.h \
	analysis/worth/master.c \
	analysis/worth/patterns.c \
	analysis/worth/pieces.c \
	analysis/worth/trees.c \
	analysis/worth/worth.c \
	analysis/worth/worth.h \
	analysis/screen/screen.c \
	analysis/screen/screen.h \
	analysis/screen/words.c \
	analysis/screen/words.h \
	analysis/symbols/resolve.c \
	analysis/symbols/resolve.h \
	analysis/text/messages.c \
	analysis/text/messages.h \
	analysis/dataset/site.c \
	analysis/dataset/site.h \
	analysis/dataset/started.c \
	analysis/dataset/started.h \
	analysis/symbols/symbols.c \
	analysis/symbols/symbols.h \
	analysis/text/table.c \
	analysis/text/table.h \
	analysis/merge/tables_doc.c \
	analysis/merge/tables_doc.h \
	analysis/text/sql_functions.h \
	analysis/text/terminal.c \
	analysis/text/terminal.h \
	analysis/format/run/live.c \
	analysis/format/run/live.h \
	analysis/top/names.c \
	analysis/top/names.h \
	analysis/top/rank.c \
	analysis/top/rank.h \
	analysis/top/rank_rows.c \
	analysis/top/rank_rows.h \
	analysis/top/rows.c \
	analysis/top/rows.h \
	analysis/top/screen.c \
	analysis/top/screen.h \
	analysis/top/top.c \
	analysis/top/top.h \
	analysis/top/waits.c \
	analysis/top/waits.h

# analysis/FOLDER/queries/NAME.sql is a question, or short ones with a name each; sql_FOLDER_NAME in FOLDER/queries.h is
# the text of one.
.SECONDEXPANSION:
queries_of = $(sort $(wildcard $(top_srcdir)/analysis/$(1)/queries/*.sql))
query_folders = blame command dataset diff export format/db format/links format/rows html links match merge modelling pack ranks \
	recipes replay report symbols tune worth
query_texts = $(query_folders:%=analysis/%/queries.c)
query_names = $(query_folders:%=analysis/%/queries.h)
nodist_analysis_match_libmatch_a_SOURCES = analysis/blame/queries.c analysis/blame/queries.h \
	analysis/links/queries.c analysis/links/queries.h \
	analysis/match/queries.c analysis/match/queries.h analysis/ranks/queries.c analysis/ranks/queries.h
nodist_analysis_libcommand_a_SOURCES = analysis/command/queries.c analysis/command/queries.h \
	analysis/dataset/queries.c analysis/dataset/queries.h analysis/diff/queries.c analysis/diff/queries.h \
	analysis/export/queries.c analysis/export/queries.h analysis/html/queries.c analysis/html/queries.h \
	analysis/merge/queries.c analysis/merge/queries.h \
	analysis/modelling/queries.c analysis/modelling/queries.h analysis/pack/queries.c analysis/pack/queries.h \
	analysis/recipes/queries.c analysis/recipes/queries.h analysis/replay/queries.c analysis/replay/queries.h \
	analysis/report/queries.c analysis/report/queries.h analysis/symbols/queries.c analysis/symbols/queries.h \
	analysis/tune/queries.c analysis/tune/queries.h analysis/worth/queries.c analysis/worth/queries.h
EXTRA_DIST += $(foreach folder,$(query_folders),$(call queries_of,$(folder)))
BUILT_SOURCES += $(query_names)
CLEANFILES += $(query_texts) $(query_names)
$(query_texts): analysis/%/queries.c: $$(call queries_of,$$*) analysis/format/db/sql.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v header=$(@:.c=.h) -f $(srcdir)/analysis/format/db/sql.awk $(call queries_of,$*) >$@.tmp && mv $@.tmp $@
$(query_names): analysis/%/queries.h: $$(call queries_of,$$*) analysis/format/db/sql.awk
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -v declare=1 -f $(srcdir)/analysis/format/db/sql.awk $(call queries_of,$*) >$@.tmp && mv $@.tmp $@

# Names and questions of the recipes of tryst sql: the comment below the licence is the question.
recipe_files = $(call queries_of,recipes)
nodist_analysis_libcommand_a_SOURCES += analysis/recipes/recipe_list.h
BUILT_SOURCES += analysis/recipes/recipe_list.h
CLEANFILES += analysis/recipes/recipe_list.h
analysis/recipes/recipe_list.h: $(recipe_files)
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) 'FNR == 2 { n = split(FILENAME, part, "/"); name = part[n]; sub(/\.sql$$/, "", name); \
		print "{ \"" name "\", \"" substr($$0, 4) "\", sql_recipes_" name " }," }' $(recipe_files) >$@.tmp && mv $@.tmp $@

# Meanings of the views that layouts.def makes.
nodist_analysis_libcommand_a_SOURCES += analysis/merge/layouts_doc.h
BUILT_SOURCES += analysis/merge/layouts_doc.h
CLEANFILES += analysis/merge/layouts_doc.h
analysis/merge/layouts_doc.h: include/layouts.awk include/layouts.def include/schema.sql
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(AWK) -f $(srcdir)/include/layouts.awk make=meanings $(layouts_sources) >$@.tmp && mv $@.tmp $@

# The files of the page of report -f html, and d3 where it is installed, as bytes in C.
html_style = $(srcdir)/analysis/html/page.css
html_programs = $(srcdir)/analysis/html/marks.js $(srcdir)/analysis/html/timeline.js $(srcdir)/analysis/html/page.js
nodist_analysis_libcommand_a_SOURCES += analysis/html/assets.c
CLEANFILES += analysis/html/assets.c
EXTRA_DIST += analysis/html/page.css analysis/html/marks.js analysis/html/timeline.js analysis/html/page.js \
	analysis/html/bytes.sh
analysis/html/assets.c: $(html_style) $(html_programs) analysis/html/bytes.sh config.status
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN){ echo '#include "analysis/html/assets.h"'; \
		sh $(srcdir)/analysis/html/bytes.sh html_style $(html_style); \
		sh $(srcdir)/analysis/html/bytes.sh html_program $(html_programs); \
		sh $(srcdir)/analysis/html/bytes.sh html_d3 $(D3_FILE); } >$@.tmp && mv $@.tmp $@

# Examples of tryst sql, as text of C.
nodist_analysis_libcommand_a_SOURCES += analysis/command/sql_examples.h
BUILT_SOURCES += analysis/command/sql_examples.h
CLEANFILES += analysis/command/sql_examples.h
EXTRA_DIST += analysis/command/sql_examples.txt
analysis/command/sql_examples.h: analysis/command/sql_examples.txt
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)sed '/^#/d; s/["\\]/\\&/g; s/.*/"&\\n"/' $(srcdir)/analysis/command/sql_examples.txt >$@.tmp && mv $@.tmp $@

bin_PROGRAMS += analysis/tryst
analysis_tryst_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
analysis_tryst_SOURCES = analysis/command/main.c
analysis_tryst_LDADD = analysis/libcommand.a analysis/match/libmatch.a analysis/format/libformat.a \
	analysis/model/libmodel.a include/libnames.a $(SQLITE_LIBS) $(LIBDW_LIBS) $(OTF2_LIBS) $(NCURSES_LIBS) $(ZLIB_LIBS) -lm -ldl

# Manual pages and completion are printed by the command itself, from its tables; a page for each
# command/NAME.c. A build in the source tree has queries.c there, too.
command_files = $(filter-out main.c commands.c queries.c,$(notdir $(wildcard $(top_srcdir)/analysis/command/*.c)))
command_pages = tryst.1 $(command_files:%.c=tryst-%.1)
nodist_man1_MANS = $(command_pages:%=analysis/man/%)
nodist_man5_MANS = analysis/man/tryst-tables.5
dist_man_MANS += analysis/report/tryst-reading.7
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

UNIT_LINK_test_format_live = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_causes = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_diff_noise = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_report_hang = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_goal = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_queries = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_report_queries = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_replay = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_replay_map = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_replay_model = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_replay_map_progress = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_replay_order = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_replay_progress = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_replay_work = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_edit = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_worth = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_options = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_symbols = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_table = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_traffic = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_terminal = analysis/libcommand.a
UNIT_LINK_test_tables_doc = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_temporary = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_target = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_progress = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_top_rank = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_top_rows = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_top_waits = analysis/libcommand.a analysis/match/libmatch.a
UNIT_LINK_test_tune = analysis/libcommand.a analysis/match/libmatch.a
