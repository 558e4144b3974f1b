/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen.c: the text of rows.c on a terminal.
 *
 * Text becomes screen lines in one place, put_line(): what is no printable character of the
 * terminal's locale is a question mark there, whatever the text went through before.
 */
#include <config.h>

#include "analysis/top/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifndef HAVE_NCURSES

int top_screen(struct top *t, struct top_view *view, double seconds, const struct say *say)
{
	(void)t;
	(void)view;
	(void)seconds;
	(void)say;
	return -ENOSYS;
}

#else

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <unistd.h>
#include <wchar.h>

#include "analysis/base/now.h"
#include "analysis/base/shown.h"

struct screen {
	struct top *t;
	struct top_view *view;
	double seconds;
	bool paused, utf8;
	int first; /* line of the text at the top */
	int lines; /* of the text */
	char said[256];
};

/* The columns of a character on the terminal; -1: it is not shown as it is. */
static int columns_of(const struct screen *s, uint32_t code)
{
	if (code >= 0x20 && code < 0x7f)
		return 1;
	if (!s->utf8 || code == UTF8_INVALID || !shown_as_is(code))
		return -1;
	return wcwidth((wchar_t)code);
}

/* The one way of text to the terminal. */
static void put_line(const struct screen *s, int y, const char *text, size_t bytes, int attributes)
{
	int x = 0;

	attrset(attributes);
	move(y, 0);
	while (bytes) {
		uint32_t code;
		size_t n = utf8_next(text, bytes, &code);
		int columns = columns_of(s, code);

		if (x + (columns < 0 ? 1 : columns) > COLS)
			break;
		if (columns < 0)
			addch('?');
		else
			addnstr(text, (int)n);
		text += n;
		bytes -= n;
		x += columns < 0 ? 1 : columns;
	}
	clrtoeol();
	attrset(A_NORMAL);
}

static int attributes_of(const char *text, size_t bytes)
{
	if (bytes >= 2 && strncmp(text, "! ", 2) == 0)
		return A_BOLD;
	if (bytes >= 5 && strncmp(text, " rank", 5) == 0)
		return A_REVERSE;
	/* a line about a rank of a ring has one space there */
	return bytes >= 6 && strncmp(text, "rank  ", 6) == 0 ? A_REVERSE : A_NORMAL;
}

/* Word `n` of an option's words, in text[size]. Returns text. */
static const char *word_of(const char *words, int n, char *text, size_t size)
{
	while (n-- > 0)
		words += strcspn(words, "|") + 1;
	snprintf(text, size, "%.*s", (int)strcspn(words, "|"), words);
	return text;
}

static int draw(struct screen *s)
{
	char *text = NULL, status[512], order[16], kept[16];
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	int rc = out ? top_print(out, s->t, s->view, TABLE_TEXT, COLS > 40 ? COLS : 40) : -ENOMEM;
	int y = 0, at = 0;

	if (out && fclose(out) != 0)
		rc = -ENOMEM;
	for (const char *p = text; !rc && p && *p; at++) {
		size_t n = strcspn(p, "\n");

		if (at >= s->first && y < LINES - 1)
			put_line(s, y++, p, n, attributes_of(p, n));
		p += n + (p[n] == '\n');
	}
	s->lines = at;
	free(text);
	move(y, 0);
	clrtobot();
	/* at most 80 columns, unless something was said */
	snprintf(status, sizeof(status),
		"%s%sq quit  s sort: %s  f show: %s  +/- every %.1f s  space %s  arrows", s->said,
		s->said[0] ? "  " : "", word_of(TOP_SORTS, s->view->sort, order, sizeof(order)),
		word_of(TOP_SHOWS, s->view->show, kept, sizeof(kept)), s->seconds,
		s->paused ? "go on" : "pause");
	put_line(s, LINES - 1, status, strlen(status), A_REVERSE);
	refresh();
	return rc;
}

static void scroll_by(struct screen *s, int lines)
{
	s->first += lines;
	if (s->first > s->lines - 1)
		s->first = s->lines - 1;
	if (s->first < 0)
		s->first = 0;
}

/* False: the user has had enough. */
static bool obey(struct screen *s, int key)
{
	switch (key) {
	case 'q':
	case 'Q':
	case 3:
		return false;
	case 's':
		s->view->sort = (s->view->sort + 1) % SORTS;
		break;
	case 'f':
		s->view->show = (s->view->show + 1) % SHOWS;
		break;
	case '+':
		s->seconds = s->seconds < 60 ? s->seconds * 2 : s->seconds;
		break;
	case '-':
		s->seconds = s->seconds > 0.2 ? s->seconds / 2 : s->seconds;
		break;
	case ' ':
		s->paused = !s->paused;
		break;
	case KEY_UP:
		scroll_by(s, -1);
		break;
	case KEY_DOWN:
		scroll_by(s, 1);
		break;
	case KEY_PPAGE:
		scroll_by(s, 1 - LINES);
		break;
	case KEY_NPAGE:
		scroll_by(s, LINES - 1);
		break;
	default:
		break;
	}
	return true;
}

static void keep_line(void *context, const char *text)
{
	struct screen *s = context;

	snprintf(s->said, sizeof(s->said), "%s", text);
}

static int show(struct screen *s)
{
	const struct say say = { keep_line, s };
	int64_t next = now_ns(CLOCK_MONOTONIC);
	int rc = 0;

	while (!rc) {
		int64_t now = now_ns(CLOCK_MONOTONIC), left = next - now, asked;
		int key;

		if (left <= 0) {
			if (!s->paused) {
				s->said[0] = '\0';
				/* a directory that is not there may come */
				rc = top_look(s->t, &say);
				if (rc == -ENOENT)
					rc = 0;
			}
			next = now + (int64_t)(s->seconds * 1e9);
			left = next - now;
		}
		if (!rc)
			rc = draw(s);
		timeout((int)(left / 1000000) + 1);
		asked = now_ns(CLOCK_MONOTONIC);
		key = getch();
		if (key == ERR && left > 10000000 && now_ns(CLOCK_MONOTONIC) - asked < 1000000)
			return 0; /* the terminal has gone */
		if (key != ERR && !obey(s, key))
			return 0;
	}
	return rc;
}

int top_screen(struct top *t, struct top_view *view, double seconds, const struct say *say)
{
	struct screen s = { .t = t, .view = view, .seconds = seconds };
	SCREEN *screen;
	int rc;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return -ENOTTY;
	setlocale(LC_CTYPE, "");
	s.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	/* the usual way to begin ends the process where the terminal is unknown */
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return -ENOTTY;
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	curs_set(0);
	rc = show(&s);
	endwin();
	delscreen(screen);
	if (rc && s.said[0])
		say_line(say, "%s", s.said);
	return rc;
}

#endif
