/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c: rows of a query as aligned text, CSV (RFC 4180) or JSON.
 *
 * Aligned text has to know every cell before it prints the first, so it keeps the rows; the other
 * formats stream.
 */
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum unit { UNIT_TEXT, UNIT_COUNT, UNIT_NS, UNIT_BYTES, UNIT_EXACT_BYTES, UNIT_PERCENT,
	UNIT_SLOPE };

enum {
	LEAST_TEXT = 10,	/* a shortened text column keeps this much */
	CUT = 2			/* the dots in the place of what is not shown */
};

struct column {
	char *name;		/* owned: SQLite's is gone where the first step prepares the statement again */
	enum unit unit;
	bool is_text;		/* any cell is text: left-aligned, may be shortened */
	bool has_value;		/* any cell is not NULL */
	bool is_place;		/* of the program: cut in front, and never file and line */
	int width;
	int least;		/* as long as another column can give room */
};

struct cells {
	char **cell;		/* row-major, owned */
	size_t n, room;
};

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

static enum unit unit_of(const char *name)
{
	if (ends_with(name, "_ns_per_byte"))
		return UNIT_SLOPE;
	if (ends_with(name, "_ns"))
		return UNIT_NS;
	if (ends_with(name, "_max_bytes"))
		return UNIT_EXACT_BYTES;	/* a threshold is meant to the byte */
	if (strcmp(name, "bytes") == 0 || ends_with(name, "_bytes"))
		return UNIT_BYTES;
	if (ends_with(name, "_pct"))
		return UNIT_PERCENT;
	return UNIT_COUNT;
}

static const char *scaled(double value, const char *const *units, double step, int last,
	char *text, size_t size)
{
	double v = fabs(value);
	int i = 0;

	while (i < last && v >= step * 0.9995) {
		v /= step;
		i++;
	}
	if (i == 0 && v == floor(v))
		snprintf(text, size, "%s%.0f %s", value < 0 ? "-" : "", v, units[i]);
	else
		snprintf(text, size, "%s%.*f %s", value < 0 ? "-" : "",
			v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v, units[i]);
	return text;
}

const char *duration_text(double ns, char *text, size_t size)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };

	return scaled(ns, units, 1000, 3, text, size);
}

const char *bytes_text(double bytes, char *text, size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };

	return scaled(bytes, units, 1024, 4, text, size);
}

/* Groups of three digits, so that counts can be read. */
static const char *count_text(int64_t n, char *text, size_t size)
{
	char digits[32];
	int length = snprintf(digits, sizeof digits, "%lld", (long long)n), at = 0;

	for (int i = 0; i < length && at + 2 < (int)size; i++) {
		text[at++] = digits[i];
		if (digits[i] != '-' && i + 1 < length && (length - i - 1) % 3 == 0)
			text[at++] = ',';
	}
	text[at] = '\0';
	return text;
}

/*
 * A value as SQL gives it, NULL for NULL. Real numbers have 15 digits and a decimal point: SQLite wrote
 * them so until 3.52, and writes 17 digits since.
 */
static const char *value_text(sqlite3_stmt *stmt, int i, char *text, size_t size)
{
	double value = sqlite3_column_double(stmt, i);
	char *exponent;
	int length;

	if (sqlite3_column_type(stmt, i) != SQLITE_FLOAT || !isfinite(value))
		return (const char *)sqlite3_column_text(stmt, i);
	length = snprintf(text, size - 2, "%.15g", value);
	if (strchr(text, '.'))
		return text;
	exponent = strchr(text, 'e');
	if (!exponent)
		exponent = text + length;
	memmove(exponent + 2, exponent, strlen(exponent) + 1);
	memcpy(exponent, ".0", 2);
	return text;
}

static const char *cell_text(sqlite3_stmt *stmt, int i, const struct column *c, bool plain,
	char *text, size_t size)
{
	int type = sqlite3_column_type(stmt, i);
	double value;

	if (type == SQLITE_NULL)
		return plain ? "" : "-";
	if (type == SQLITE_TEXT || type == SQLITE_BLOB || plain)
		return value_text(stmt, i, text, size);
	value = sqlite3_column_double(stmt, i);
	switch (c->unit) {
	case UNIT_NS:
		return duration_text(value, text, size);
	case UNIT_BYTES:
		return bytes_text(value, text, size);
	case UNIT_EXACT_BYTES:
		snprintf(text, size, "%.0f B", value);
		return text;
	case UNIT_PERCENT:
		snprintf(text, size, "%.1f %%", value);
		return text;
	case UNIT_SLOPE:
		snprintf(text, size, "%.3g ns/B", value);
		return text;
	default:
		break;
	}
	if (type == SQLITE_INTEGER)
		return count_text(sqlite3_column_int64(stmt, i), text, size);
	snprintf(text, size, "%.4g", value);
	return text;
}

static int cells_add(struct cells *cells, const char *text)
{
	if (cells->n == cells->room) {
		size_t room = cells->room ? 2 * cells->room : 256;
		char **cell = realloc(cells->cell, room * sizeof *cell);

		if (!cell)
			return -1;
		cells->cell = cell;
		cells->room = room;
	}
	cells->cell[cells->n] = strdup(text ? text : "");
	return cells->cell[cells->n] ? (cells->n++, 0) : -1;
}

static void cells_release(struct cells *cells)
{
	for (size_t i = 0; i < cells->n; i++)
		free(cells->cell[i]);
	free(cells->cell);
}

/* Characters, not bytes: names in UTF-8 stay aligned. */
static int shown_width(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* "main solver.c:12": what is behind the function's name has to stay. */
static int least_of_place(const char *text)
{
	const char *space = strrchr(text, ' ');
	const char *colon = space ? strrchr(space, ':') : NULL;

	return colon && colon[1 + strspn(colon + 1, "0123456789")] == '\0' ? shown_width(space) - 1 + CUT : LEAST_TEXT;
}

/* Takes from the widest of some columns until `excess` is gone, or nothing is left to take. Returns what is left of it. */
static int narrow(struct column *c, int n, bool places, bool to_the_least, int excess)
{
	while (excess > 0) {
		int widest = -1;

		for (int i = 0; i < n; i++)
			if (c[i].is_text && c[i].is_place == places && c[i].width > (to_the_least ? LEAST_TEXT : c[i].least)
				&& (widest < 0 || c[i].width > c[widest].width))
				widest = i;
		if (widest < 0)
			break;
		c[widest].width--;
		excess--;
	}
	return excess;
}

/* Functions' names give room first, then other texts, and what says where in a file only in the end. */
static void fit_columns(struct column *c, int n, int columns)
{
	int excess = 2 * (n - 1) - columns;

	for (int i = 0; i < n; i++)
		excess += c[i].width;
	if (columns <= 0)
		return;
	excess = narrow(c, n, true, false, excess);
	excess = narrow(c, n, false, true, excess);
	narrow(c, n, true, true, excess);
}

static void print_cell(FILE *out, const struct column *c, const char *text, bool last)
{
	int width = shown_width(text);

	if (width <= c->width && !c->is_text)
		fprintf(out, "%*s%s", c->width - width, "", text);
	else if (width <= c->width)
		fprintf(out, "%s%*s", text, last ? 0 : c->width - width, "");
	else if (c->is_place)
		fprintf(out, "..%s", text + strlen(text) - (size_t)(c->width - CUT));
	else
		fprintf(out, "%.*s..", c->width - CUT, text);
	fputs(last ? "\n" : "  ", out);
}

/* "wait_ns" as "wait", "share_pct" as "share": the cells carry the unit. */
static void print_title(FILE *out, const struct column *c, bool plain, bool last)
{
	static const char *const ends[] = { "_ns_per_byte", "_ns", "_bytes", "_pct" };
	char title[128];
	struct column as_text = *c;

	snprintf(title, sizeof title, "%s", c->name);
	for (size_t i = 0; !plain && i < sizeof ends / sizeof *ends; i++)
		if (ends_with(title, ends[i])) {
			title[strlen(title) - strlen(ends[i])] = '\0';
			break;
		}
	for (char *p = title; !plain && *p; p++)
		if (*p == '_')
			*p = ' ';
	print_cell(out, &as_text, title, last);
}

static int title_width(const struct column *c, bool plain)
{
	static const int cut[] = { [UNIT_NS] = 3, [UNIT_PERCENT] = 4, [UNIT_SLOPE] = 12 };
	int n = (int)strlen(c->name);

	if (plain || c->unit == UNIT_TEXT || c->unit == UNIT_COUNT)
		return n;
	if (c->unit == UNIT_BYTES || c->unit == UNIT_EXACT_BYTES)
		return ends_with(c->name, "_bytes") ? n - 6 : n;
	return n - cut[c->unit];
}

static int64_t print_aligned(FILE *out, sqlite3_stmt *stmt, bool plain, int columns, int64_t most)
{
	int n = sqlite3_column_count(stmt), shown_n = n, rc;
	struct column *c = calloc((size_t)n + 1, sizeof *c);
	struct cells cells = { 0 };
	int64_t rows = -1;

	for (int i = 0; c && i < n; i++) {
		c[i].name = strdup(sqlite3_column_name(stmt, i));
		if (!c[i].name)
			goto done;
		c[i].unit = unit_of(c[i].name);
		c[i].width = title_width(&c[i], plain);
		c[i].is_place = strcmp(c[i].name, "where") == 0 || strcmp(c[i].name, "waited_at") == 0;
		c[i].least = LEAST_TEXT;
	}
	rows = 0;
	while (c && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (int i = 0; i < n && rows < most; i++) {
			char text[64];
			const char *shown = cell_text(stmt, i, &c[i], plain, text, sizeof text);
			int width = shown_width(shown ? shown : "");

			c[i].is_text |= sqlite3_column_type(stmt, i) == SQLITE_TEXT;
			c[i].has_value |= sqlite3_column_type(stmt, i) != SQLITE_NULL;
			c[i].width = width > c[i].width ? width : c[i].width;
			if (c[i].is_place && shown && least_of_place(shown) > c[i].least)
				c[i].least = least_of_place(shown);
			if (cells_add(&cells, shown) != 0)
				rc = SQLITE_NOMEM;
		}
		rows++;
		if (rc == SQLITE_NOMEM)
			break;
	}
	if (!c || rc != SQLITE_DONE)
		rows = -1;
	if (rows > 0 || (plain && rows == 0)) {
		if (!plain && n > 1 && !c[n - 1].has_value)
			shown_n--;
		fit_columns(c, shown_n, columns);
		for (int i = 0; i < shown_n; i++)
			print_title(out, &c[i], plain, i == shown_n - 1);
		for (size_t k = 0; k < cells.n; k++)
			if ((int)(k % (size_t)n) < shown_n)
				print_cell(out, &c[k % (size_t)n], cells.cell[k],
					(int)(k % (size_t)n) == shown_n - 1);
	}
done:
	cells_release(&cells);
	for (int i = 0; c && i < n; i++)
		free(c[i].name);
	free(c);
	return rows;
}

static void csv_field(FILE *out, const char *text, bool last)
{
	if (text && strpbrk(text, ",\"\n\r")) {
		fputc('"', out);
		for (; *text; text++) {
			if (*text == '"')
				fputc('"', out);
			fputc(*text, out);
		}
		fputc('"', out);
	} else if (text) {
		fputs(text, out);
	}
	fputc(last ? '\n' : ',', out);
}

static int64_t print_csv(FILE *out, sqlite3_stmt *stmt, const char *section)
{
	int n = sqlite3_column_count(stmt), rc;
	int64_t rows = 0;

	if (section)
		csv_field(out, "section", n == 0);
	for (int i = 0; i < n; i++)
		csv_field(out, sqlite3_column_name(stmt, i), i == n - 1);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW && !ferror(out)) {
		if (section)
			csv_field(out, section, n == 0);
		for (int i = 0; i < n; i++) {
			char text[64];

			csv_field(out, value_text(stmt, i, text, sizeof text), i == n - 1);
		}
		rows++;
	}
	return rc == SQLITE_DONE || rc == SQLITE_ROW ? rows : -1;
}

void json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char ch = (unsigned char)*text;

		if (ch == '"' || ch == '\\')
			fprintf(out, "\\%c", ch);
		else if (ch < 0x20)
			fprintf(out, "\\u%04x", ch);
		else
			fputc(ch, out);
	}
	fputc('"', out);
}

static void json_value(FILE *out, sqlite3_stmt *stmt, int i)
{
	int type = sqlite3_column_type(stmt, i);
	double value;

	if (type == SQLITE_NULL) {
		fputs("null", out);
	} else if (type == SQLITE_INTEGER) {
		fprintf(out, "%lld", (long long)sqlite3_column_int64(stmt, i));
	} else if (type == SQLITE_FLOAT) {
		value = sqlite3_column_double(stmt, i);
		if (isfinite(value))
			fprintf(out, "%.15g", value);
		else
			fputs("null", out);
	} else {
		json_string(out, (const char *)sqlite3_column_text(stmt, i));
	}
}

static int64_t print_json(FILE *out, sqlite3_stmt *stmt)
{
	int n = sqlite3_column_count(stmt), rc;
	int64_t rows = 0;

	fputc('[', out);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		fputs(rows++ ? ",\n {" : "\n {", out);
		for (int i = 0; i < n; i++) {
			fputs(i ? ", " : "", out);
			json_string(out, sqlite3_column_name(stmt, i));
			fputs(": ", out);
			json_value(out, stmt, i);
		}
		fputc('}', out);
	}
	fputs(rows ? "\n]" : "]", out);
	return rc == SQLITE_DONE ? rows : -1;
}

int64_t table_print(FILE *out, sqlite3_stmt *stmt, enum table_format format, int columns,
	const char *section)
{
	switch (format) {
	case TABLE_CSV:
		return print_csv(out, stmt, section);
	case TABLE_JSON:
		return print_json(out, stmt);
	case TABLE_TEXT:
		return print_aligned(out, stmt, false, columns, INT64_MAX);
	case TABLE_PLAIN:
		break;
	}
	return print_aligned(out, stmt, true, columns, INT64_MAX);
}

int64_t table_print_first(FILE *out, sqlite3_stmt *stmt, int columns, int64_t most)
{
	return print_aligned(out, stmt, false, columns, most);
}
