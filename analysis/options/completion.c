/* SPDX-License-Identifier: BSD-3-Clause */
/* completion.c: completion for bash, made from the same tables as everything else. */
#include "analysis/options/subcommand.h"

#include <string.h>

static void put_subcommands(FILE *out)
{
	fputs("\t\t_tryst_offer -W '", out);
	for (int i = 0; subcommands[i]; i++)
		if (!subcommands[i]->hidden)
			fprintf(out, "%s ", subcommands[i]->name);
	fputs("--help --version'\n", out);
}

/* The words that may follow an option: choices, files, or nothing to offer. */
static void put_values(const struct option *o, const char *name, FILE *out)
{
	fputc('\t', out);
	if (option_long(o))
		fprintf(out, "%s:--%s", name, o->name);
	if (option_letter(o))
		fprintf(out, "%s%s:-%c", option_long(o) ? "|" : "", name, option_letter(o));
	if (o->type == OPT_CHOICE) {
		char words[256];

		snprintf(words, sizeof words, "%s", o->argument);
		for (char *p = words; *p; p++)
			*p = *p == '|' ? ' ' : *p;
		fprintf(out, ") words='%s' ;;\n", words);
	} else if (o->argument && strncmp(o->argument, "DIR", 3) == 0) {
		fputs(") kind='dir' ;;\n", out);
	} else if (o->argument && strcmp(o->argument, "FILE") == 0) {
		fputs(") kind='file' ;;\n", out);
	} else {
		fputs(") return ;;\n", out);
	}
}

void completion_bash(FILE *out)
{
	fputs("# bash completion for tryst; made from its tables of options.\n"
	      "# _tryst_offer WHAT...: what compgen finds for the word at hand, a line each: names "
	      "may have spaces.\n"
	      "_tryst_offer()\n{\n"
	      "\tmapfile -t COMPREPLY < <(compgen \"$@\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n}\n"
	      "_tryst()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tlocal cmd=${COMP_WORDS[1]} words='' kind=''\n"
	      "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n",
		out);
	put_subcommands(out);
	fputs("\t\treturn\n\tfi\n\tcase $cmd:$prev in\n", out);
	for (int i = 0; subcommands[i]; i++)
		for (const struct option *o = subcommands[i]->options; o && !option_is_end(o); o++)
			if (!o->hidden && o->type != OPT_FLAG)
				put_values(o, subcommands[i]->name, out);
	fputs("\tesac\n"
	      "\tcase $kind in\n"
	      "\tdir) compopt -o filenames; _tryst_offer -d; return ;;\n"
	      "\tfile) compopt -o filenames; _tryst_offer -f; return ;;\n"
	      "\tesac\n"
	      "\tif [ -n \"$words\" ]; then\n"
	      "\t\t_tryst_offer -W \"$words\"\n\t\treturn\n\tfi\n"
	      "\tcase $cmd:$cur in\n",
		out);
	for (int i = 0; subcommands[i]; i++) {
		fprintf(out, "\t%s:-*) words='--help", subcommands[i]->name);
		for (const struct option *o = subcommands[i]->options; o && !option_is_end(o); o++)
			if (!o->hidden)
				fprintf(out, " %s%s", option_long(o) ? "--" : "-", o->name);
		fputs("' ;;\n", out);
	}
	fputs("\thelp:*)", out);
	fputs(" words='", out);
	for (int i = 0; subcommands[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", subcommands[i]->name);
	fputs("' ;;\n"
	      "\trun:*) compopt -o filenames; _tryst_offer -c -f; return ;;\n"
	      "\t*) compopt -o filenames; _tryst_offer -f; return ;;\n"
	      "\tesac\n"
	      "\t_tryst_offer -W \"$words\"\n"
	      "}\ncomplete -F _tryst tryst\n",
		out);
}
