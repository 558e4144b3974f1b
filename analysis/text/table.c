/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c: rows of a query as aligned text, CSV (RFC 4180) or JSON (RFC 8259).
 *
 * Aligned text has to know every cell before it prints the first, so it keeps the rows; the other
 * formats stream. Names and values come from other people's files: all formats print UTF-8 in which
 * no control character stands but newlines and CSV's tabs (analysis/base/shown.h).
 */
#include <config.h>

#include "analysis/text/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/base/array.h"
#include "analysis/base/shown.h"

enum unit {
	UNIT_TEXT,
	UNIT_COUNT,
	UNIT_NS,
	UNIT_BYTES,
	UNIT_EXACT_BYTES,
	UNIT_PERCENT,
	UNIT_SLOPE
};

enum {
	LEAST_TEXT = 10, /* a shortened text column keeps this much */
	MOST_PLACE = 60, /* no column is left out to make a place wider */
	CUT = 2          /* two dots replace the part that is not shown */
};

struct column {
	/* a copy of the name: SQLite's own is gone if the first step prepares the statement again
	 */
	char *name;
	enum unit unit;
	bool is_text;   /* any cell is text: left-aligned, may be shortened */
	bool has_value; /* any cell is not NULL */
	bool is_place;  /* of the program: cut in front; file and line are never cut */
	bool is_left_out;
	int spare; /* as in struct table_source */
	int width;
	int least; /* the least width while another column can give room */
};

struct cells {
	char **cell; /* row-major, owned */
	size_t n;
	uint32_t room;
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
	/* thresholds, and lengths that stand beside one, are exact to the byte */
	if (ends_with(name, "_max_bytes") || strcmp(name, "length_bytes") == 0)
		return UNIT_EXACT_BYTES;
	if (strcmp(name, "bytes") == 0 || ends_with(name, "_bytes"))
		return UNIT_BYTES;
	if (ends_with(name, "_pct"))
		return UNIT_PERCENT;
	return UNIT_COUNT;
}

static const char *scaled(
	double value, const char *const *units, double step, int last, char *text, size_t size)
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
			v >= 99.95         ? 0 :
				v >= 9.995 ? 1 :
					     2,
			v, units[i]);
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
const char *count_text(int64_t n, char *text, size_t size)
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

/* A value as text of so many bytes. */
struct value {
	const char *text; /* NULL: SQL's NULL, or no memory */
	size_t bytes;
	char number[64];
	char *hex; /* of a blob, owned */
};

/*
 * Real numbers have 15 digits and a decimal point: SQLite wrote them so until 3.52, and writes 17
 * digits since.
 */
static const char *real_text(double value, char *text, size_t size)
{
	int length = snprintf(text, size - 2, "%.15g", value);
	char *exponent;

	if (strchr(text, '.'))
		return text;
	exponent = strchr(text, 'e');
	if (!exponent)
		exponent = text + length;
	memmove(exponent + 2, exponent, strlen(exponent) + 1);
	memcpy(exponent, ".0", 2);
	return text;
}

/* To be freed; NULL without memory. */
static char *hex_text(const unsigned char *blob, size_t bytes)
{
	char *text = malloc(2 * bytes + 1);

	if (!text)
		return NULL;
	text[0] = '\0';
	for (size_t i = 0; i < bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", blob[i]);
	return text;
}

static void value_read(struct value *v, const struct table_cell *cell)
{
	*v = (struct value){ .text = cell->text, .bytes = cell->bytes };
	if (cell->type == CELL_TEXT)
		return;
	if (cell->type == CELL_BLOB)
		v->text = v->hex = hex_text((const unsigned char *)cell->text, cell->bytes);
	else if (cell->type == CELL_INTEGER)
		snprintf(v->number, sizeof v->number, "%lld", (long long)cell->integer);
	else if (cell->type == CELL_REAL && isfinite(cell->real))
		real_text(cell->real, v->number, sizeof v->number);
	else if (cell->type == CELL_REAL)
		snprintf(v->number, sizeof v->number, "%s", cell->real < 0 ? "-Inf" : "Inf");
	if (cell->type == CELL_INTEGER || cell->type == CELL_REAL)
		v->text = v->number;
	v->bytes = v->text ? strlen(v->text) : 0;
}

static void value_release(struct value *v)
{
	free(v->hex);
}

/* A number as people read it, by its column's unit. */
static const char *number_text(
	const struct table_cell *cell, enum unit unit, char *text, size_t size)
{
	double value = cell->real;

	switch (unit) {
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
	if (cell->type == CELL_INTEGER)
		return count_text(cell->integer, text, size);
	snprintf(text, size, "%.4g", value);
	return text;
}

/* What a cell shows, to be freed; NULL without memory. */
static char *cell_text(const struct table_cell *cell, const struct column *c, bool plain)
{
	struct value v;
	char *shown;

	if (cell->type == CELL_NULL)
		return strdup(plain ? "" : "-");
	if (cell->type == CELL_TEXT || cell->type == CELL_BLOB || plain) {
		value_read(&v, cell);
		shown = v.text ? shown_copy(v.text, v.bytes) : NULL;
		value_release(&v);
		return shown;
	}
	return strdup(number_text(cell, c->unit, v.number, sizeof v.number));
}

/* Takes over `text`. */
static int cells_add(struct cells *cells, char *text)
{
	if (array_room(&cells->cell, sizeof *cells->cell, &cells->room, cells->n)) {
		free(text);
		return -1;
	}
	cells->cell[cells->n++] = text;
	return 0;
}

static void cells_release(struct cells *cells)
{
	for (size_t i = 0; i < cells->n; i++)
		free(cells->cell[i]);
	free(cells->cell);
}

/* "main solver.c:12": what is behind the function's name has to stay. */
static int least_of_place(const char *text)
{
	const char *space = strrchr(text, ' ');
	const char *colon = space ? strrchr(space, ':') : NULL;

	return colon && colon[1 + strspn(colon + 1, "0123456789")] == '\0' ?
		shown_width(space) - 1 + CUT :
		LEAST_TEXT;
}

/*
 * Narrows the widest of some columns until `excess` is gone, or no column can give more. Returns
 * the rest of `excess`.
 */
static int narrow(struct column *c, int n, bool places, bool to_the_least, int excess)
{
	while (excess > 0) {
		int widest = -1;

		for (int i = 0; i < n; i++)
			if (c[i].is_text && c[i].is_place == places &&
				c[i].width > (to_the_least ? LEAST_TEXT : c[i].least) &&
				(widest < 0 || c[i].width > c[widest].width))
				widest = i;
		if (widest < 0)
			break;
		c[widest].width--;
		excess--;
	}
	return excess;
}

/* Leaves out columns until `excess` is gone. Returns the excess that remains. */
static int leave_out(struct column *c, int n, int excess)
{
	int ignored = 0;

	for (int i = 0; i < n; i++)
		if (c[i].is_place && c[i].width > MOST_PLACE)
			ignored += c[i].width - MOST_PLACE;
	while (excess > ignored) {
		int most = 0;

		for (int i = 1; i < n; i++)
			if (!c[i].is_left_out && c[i].spare > c[most].spare)
				most = i;
		if (c[most].spare == 0)
			break;
		c[most].is_left_out = true;
		excess -= c[most].width + 2;
		c[most].width = 0;
		c[most].spare = 0;
	}
	return excess;
}

/*
 * Columns that readers can do without go first. Then functions' names give room, then other texts,
 * and last files with their lines.
 */
static void fit_columns(struct column *c, int n, int columns)
{
	int excess = 2 * (n - 1) - columns;

	for (int i = 0; i < n; i++)
		excess += c[i].width;
	if (columns <= 0)
		return;
	excess = leave_out(c, n, excess);
	excess = narrow(c, n, true, false, excess);
	excess = narrow(c, n, false, true, excess);
	narrow(c, n, true, true, excess);
}

/* Bytes of the longest beginning of `text` that takes at most `columns`. */
static size_t head_of(const char *text, int columns)
{
	const char *at = text, *end;

	while (*at && (columns -= shown_columns(at, &end)) >= 0)
		at = end;
	return (size_t)(at - text);
}

/* The longest end of `text` that takes at most `columns`. */
static const char *tail_of(const char *text, int columns)
{
	for (int width = shown_width(text); width > columns;)
		width -= shown_columns(text, &text);
	return text;
}

static void print_cell(FILE *out, const struct column *c, const char *text, bool last)
{
	int width = shown_width(text), bytes = (int)strlen(text);
	const char *before = "", *after = "";

	if (c->is_left_out)
		return;
	if (width > c->width && c->is_place) {
		text = tail_of(text, c->width - CUT);
		bytes = (int)strlen(text);
		width = CUT + shown_width(text);
		before = "..";
	} else if (width > c->width) {
		bytes = (int)head_of(text, c->width - CUT);
		width = CUT + shown_width(text) - shown_width(text + bytes);
		after = "..";
	}
	fprintf(out, "%*s%s%.*s%s%*s%s", c->is_text ? 0 : c->width - width, "", before, bytes, text,
		after, c->is_text && !last ? c->width - width : 0, "", last ? "\n" : "  ");
}

/* "wait_ns" as "wait", "share_pct" as "share": the cells carry the unit. */
static void print_title(FILE *out, const struct column *c, bool plain, bool last)
{
	static const char *const ends[] = { "_ns_per_byte", "_ns", "_bytes", "_pct" };
	char title[128];
	struct column as_text = *c;

	shown_text(c->name, title, sizeof title);
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
	int n = shown_width(c->name);

	if (plain || c->unit == UNIT_TEXT || c->unit == UNIT_COUNT)
		return n;
	if (c->unit == UNIT_BYTES || c->unit == UNIT_EXACT_BYTES)
		return ends_with(c->name, "_bytes") ? n - 6 : n;
	return n - cut[c->unit];
}

/* Columns by their names. 0, or -1 without memory. */
static int columns_begin(struct column *c, const struct table_source *rows, bool plain)
{
	for (int i = 0; i < rows->ncolumns; i++) {
		const char *name = rows->name(rows->from, i);

		c[i].name = name ? shown_copy(name, strlen(name)) : NULL;
		if (!c[i].name)
			return -1;
		c[i].unit = unit_of(c[i].name);
		c[i].width = title_width(&c[i], plain);
		c[i].is_place =
			strcmp(c[i].name, "where") == 0 || strcmp(c[i].name, "waited_at") == 0;
		c[i].least = LEAST_TEXT;
		c[i].spare = rows->spare ? rows->spare(rows->from, i) : 0;
	}
	return 0;
}

/* Keeps a row, and widens its columns as needed. Returns 0, or -1 without memory. */
static int keep_row(
	struct cells *cells, struct column *c, const struct table_source *rows, bool plain)
{
	for (int i = 0; i < rows->ncolumns; i++) {
		struct table_cell cell;
		char *shown;
		int width;

		rows->cell(rows->from, i, &cell);
		shown = cell_text(&cell, &c[i], plain);
		if (!shown)
			return -1;
		width = shown_width(shown);
		c[i].is_text |= cell.type == CELL_TEXT;
		c[i].has_value |= cell.type != CELL_NULL;
		c[i].width = width > c[i].width ? width : c[i].width;
		if (c[i].is_place && least_of_place(shown) > c[i].least)
			c[i].least = least_of_place(shown);
		if (cells_add(cells, shown) != 0)
			return -1;
	}
	return 0;
}

static void print_kept(
	FILE *out, const struct cells *cells, struct column *c, int n, bool plain, int columns)
{
	int last = !plain && n > 1 && !c[n - 1].has_value ? n - 2 : n - 1;

	fit_columns(c, last + 1, columns);
	while (last > 0 && c[last].is_left_out)
		last--;
	for (int i = 0; i <= last; i++)
		print_title(out, &c[i], plain, i == last);
	for (size_t k = 0; k < cells->n; k++) {
		int i = (int)(k % (size_t)n);

		if (i <= last)
			print_cell(out, &c[i], cells->cell[k], i == last);
	}
}

static int64_t print_aligned(
	FILE *out, const struct table_source *rows, bool plain, int columns, int64_t most)
{
	struct column *c = calloc((size_t)rows->ncolumns + 1, sizeof *c);
	struct cells cells = { 0 };
	int64_t n = 0;
	int rc = -ENOMEM;

	if (c && columns_begin(c, rows, plain) == 0)
		while ((rc = rows->next(rows->from)) > 0)
			if (n++ < most && keep_row(&cells, c, rows, plain) != 0)
				break;
	if (rc)
		n = -1;
	if (n > 0 || (plain && n == 0))
		print_kept(out, &cells, c, rows->ncolumns, plain, columns);
	cells_release(&cells);
	for (int i = 0; c && i < rows->ncolumns; i++)
		free(c[i].name);
	free(c);
	return n;
}

/* True if a spreadsheet would take the text for a formula. A number is none. */
static bool is_formula(const char *text, size_t bytes)
{
	char *end;

	if (bytes == 0 || !memchr("=+-@\t", *text, 5))
		return false;
	if (strspn(text, "+-.0123456789eE") != bytes)
		return true;
	strtod(text, &end);
	return end != text + bytes;
}

static void csv_text(FILE *out, const char *text, size_t bytes)
{
	for (size_t at = 0, n; at < bytes; at += n) {
		char escape[SHOWN_MOST];
		uint32_t code;

		n = utf8_next(text + at, bytes - at, &code);
		if (code == '"') {
			fputs("\"\"", out);
		} else if (shown_as_is(code) || code == '\n' || code == '\t') {
			fwrite(text + at, 1, n, out);
		} else {
			shown_escape(text + at, n, escape);
			fputs(escape, out);
		}
	}
}

static void csv_field(FILE *out, const char *text, size_t bytes, bool guarded, bool last)
{
	bool quoted =
		memchr(text, ',', bytes) || memchr(text, '"', bytes) || memchr(text, '\n', bytes);

	if (quoted)
		fputc('"', out);
	if (guarded && is_formula(text, bytes))
		fputc('\'', out);
	csv_text(out, text, bytes);
	if (quoted)
		fputc('"', out);
	fputc(last ? '\n' : ',', out);
}

static void csv_cell(FILE *out, const struct table_cell *cell, bool guarded, bool last)
{
	struct value v;

	value_read(&v, cell);
	csv_field(out, v.text ? v.text : "", v.bytes, guarded && cell->type == CELL_TEXT, last);
	value_release(&v);
}

/* `guarded`: for a spreadsheet. */
static int64_t print_csv(
	FILE *out, const struct table_source *rows, const char *section, bool guarded)
{
	int n = rows->ncolumns, rc;
	int64_t nrows = 0;

	if (section)
		csv_field(out, "section", strlen("section"), false, n == 0);
	for (int i = 0; i < n; i++) {
		const char *name = rows->name(rows->from, i);

		csv_field(out, name ? name : "", name ? strlen(name) : 0, guarded, i == n - 1);
	}
	while ((rc = rows->next(rows->from)) > 0 && !ferror(out)) {
		if (section)
			csv_field(out, section, strlen(section), false, n == 0);
		for (int i = 0; i < n; i++) {
			struct table_cell cell;

			rows->cell(rows->from, i, &cell);
			csv_cell(out, &cell, guarded, i == n - 1);
		}
		nrows++;
	}
	return rc < 0 ? -1 : nrows;
}

static void json_escape(FILE *out, uint32_t code)
{
	if (code == '"' || code == '\\')
		fprintf(out, "\\%c", (char)code);
	else if (code == UTF8_INVALID)
		fputs("\\ufffd", out);
	else if (code < 0x10000)
		fprintf(out, "\\u%04x", code);
	else
		fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
			0xdc00 + (code & 0x3ff));
}

static void json_text(FILE *out, const char *text, size_t bytes)
{
	fputc('"', out);
	for (size_t at = 0, n; at < bytes; at += n) {
		uint32_t code;

		n = utf8_next(text + at, bytes - at, &code);
		if (shown_as_is(code) && code != '"' && code != '\\')
			fwrite(text + at, 1, n, out);
		else
			json_escape(out, code);
	}
	fputc('"', out);
}

void json_string(FILE *out, const char *text)
{
	json_text(out, text, strlen(text));
}

static void json_value(FILE *out, const struct table_cell *cell)
{
	struct value v;

	if (cell->type == CELL_INTEGER) {
		fprintf(out, "%lld", (long long)cell->integer);
	} else if (cell->type == CELL_NULL || (cell->type == CELL_REAL && !isfinite(cell->real))) {
		fputs("null", out);
	} else if (cell->type == CELL_REAL) {
		fprintf(out, "%.15g", cell->real);
	} else {
		value_read(&v, cell);
		json_text(out, v.text ? v.text : "", v.bytes);
		value_release(&v);
	}
}

static bool is_among(char **names, int n, const char *name)
{
	while (n-- > 0)
		if (strcmp(names[n], name) == 0)
			return true;
	return false;
}

/*
 * The keys of the columns. The second column of one name is NAME_2. The caller frees each key and
 * the array. NULL without memory.
 */
static char **json_keys(const struct table_source *rows)
{
	int n = rows->ncolumns;
	char **keys = calloc((size_t)n + 1, sizeof *keys);

	for (int i = 0; keys && i < n; i++) {
		const char *name = rows->name(rows->from, i);
		char *key = name ? strdup(name) : NULL;

		for (int k = 2; key && is_among(keys, i, key); k++) {
			free(key);
			if (asprintf(&key, "%s_%d", name, k) < 0)
				key = NULL;
		}
		keys[i] = key;
		if (!key) {
			while (i > 0)
				free(keys[--i]);
			free(keys);
			return NULL;
		}
	}
	return keys;
}

static int64_t print_json(FILE *out, const struct table_source *rows)
{
	int n = rows->ncolumns, rc = -ENOMEM;
	char **keys = json_keys(rows);
	int64_t nrows = 0;

	fputc('[', out);
	while (keys && (rc = rows->next(rows->from)) > 0) {
		fputs(nrows++ ? ",\n {" : "\n {", out);
		for (int i = 0; i < n; i++) {
			struct table_cell cell;

			fputs(i ? ", " : "", out);
			json_string(out, keys[i]);
			fputs(": ", out);
			rows->cell(rows->from, i, &cell);
			json_value(out, &cell);
		}
		fputc('}', out);
	}
	fputs(nrows ? "\n]" : "]", out);
	for (int i = 0; keys && i < n; i++)
		free(keys[i]);
	free(keys);
	return rc == 0 ? nrows : -1;
}

void table_cell_read(sqlite3_stmt *stmt, int column, struct table_cell *cell)
{
	int type = sqlite3_column_type(stmt, column);

	*cell = (struct table_cell){ .type = CELL_NULL };
	if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
		cell->type = type == SQLITE_INTEGER ? CELL_INTEGER : CELL_REAL;
		cell->integer = sqlite3_column_int64(stmt, column);
		cell->real = sqlite3_column_double(stmt, column);
	} else if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
		cell->type = type == SQLITE_TEXT ? CELL_TEXT : CELL_BLOB;
		cell->text = type == SQLITE_TEXT ? (const char *)sqlite3_column_text(stmt, column) :
						   sqlite3_column_blob(stmt, column);
		cell->bytes = (size_t)sqlite3_column_bytes(stmt, column);
	}
}

static const char *query_name(void *from, int column)
{
	return sqlite3_column_name(from, column);
}

static int query_next(void *from)
{
	return db_step(from);
}

static void query_cell(void *from, int column, struct table_cell *cell)
{
	table_cell_read(from, column, cell);
}

int64_t table_print_rows(FILE *out, const struct table_source *rows, enum table_format format,
	int columns, const char *section, int64_t most)
{
	switch (format) {
	case TABLE_CSV:
	case TABLE_SPREADSHEET:
		return print_csv(out, rows, section, format == TABLE_SPREADSHEET);
	case TABLE_JSON:
		return print_json(out, rows);
	case TABLE_TEXT:
	case TABLE_PLAIN:
		break;
	}
	return print_aligned(out, rows, format == TABLE_PLAIN, columns, most);
}

int64_t table_print(
	FILE *out, sqlite3_stmt *stmt, enum table_format format, int columns, const char *section)
{
	const struct table_source rows = { .ncolumns = sqlite3_column_count(stmt),
		.name = query_name,
		.next = query_next,
		.cell = query_cell,
		.from = stmt };

	return table_print_rows(out, &rows, format, columns, section, INT64_MAX);
}
