# SPDX-License-Identifier: BSD-3-Clause
#
# layouts.awk: from layouts.def, which explains itself, and schema.sql. POSIX awk.
#
#	awk -f layouts.awk make=header layouts.def schema.sql >layouts.h
#	awk -f layouts.awk make=views layouts.def schema.sql
#	awk -f layouts.awk make=meanings layouts.def schema.sql >layouts_doc.h
#	awk -f layouts.awk make=fields layouts.def schema.sql	a row a field, for the tests
#
# A layout's fields, also those of layouts within it, are field[layout, 1...] and the like.

FILENAME ~ /\.sql$/ { read_schema(); next }
/^#/ || NF == 0 { next }
$1 == "layout" { layout = $2; order[++nlayouts] = layout; table = ""; next }
$1 == "table" { table = $2; tables[++ntables] = table; meaning[table] = rest(3); next }
$1 == "enum" { layout_of_enum[$2] = $4; prefix[$2] = $3; next }
table != "" { layout_of[table, $1] = $2; names[table, $1] = rest(3); next }
$1 ~ /@/ { within(); next }
{ own_field() }

# The line from word n on.
function rest(n,    i, text) {
	for (i = n; i <= NF; i++)
		text = text (i > n ? " " : "") $i
	return text
}

function add(name, at, bits, column, need, text,    n) {
	n = ++count[layout]
	field[layout, n] = name
	at_of[layout, n] = at
	bits_of[layout, n] = bits
	column_of[layout, n] = column
	need_of[layout, n] = need
	text_of[layout, n] = text
	number[layout, name] = n
}

function first_bit(range) { sub(/-.*/, "", range); return range + 0 }
function bits_in(range,    part, n) {
	n = split(range, part, "-")
	return n == 1 ? 1 : part[2] == "" ? 0 : part[2] - part[1] + 1
}

function own_field(    column, need) {
	column = $3
	need = ""
	if (match(column, /[?!]/)) {
		need = substr(column, RSTART)
		column = substr(column, 1, RSTART - 1)
	}
	add($1, first_bit($2), bits_in($2), column, need, rest(4))
}

function within(    part, from, i, chosen, all) {
	split($1, part, "@")
	from = $2
	all = NF == 2
	for (i = 3; i <= NF; i++)
		chosen[$i] = 1
	add(part[1], first_bit(part[2]), bits_in(part[2]), "-", "", "several of these in one number")
	for (i = 1; i <= count[from]; i++)
		if ((all || field[from, i] in chosen) && !((layout, field[from, i]) in number))
			add(field[from, i], first_bit(part[2]) + at_of[from, i], bits_of[from, i],
				column_of[from, i], need_of[from, i], text_of[from, i])
}

# The columns of CREATE TABLE name (...), in order.
function read_schema(    line) {
	line = $0
	sub(/--.*/, "", line)
	if (line ~ /^CREATE TABLE [a-z_]+ \(/) {
		now = $3
		schema[++nschema] = now
		sub(/^[^(]*\(/, "", line)
		statement = ""
	}
	if (now == "")
		return
	statement = statement " " line
	if (line ~ /;/) {
		split_columns()
		now = ""
	}
}

function split_columns(    part, word, n, i) {
	sub(/,[ \t]*PRIMARY KEY \([^)]*\)/, "", statement)
	sub(/\)[^)]*;.*/, "", statement)
	n = split(statement, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], word, " ")
		table_column[now, i] = word[1]
	}
	columns[now] = n
}

# busybox awk may have no powers.
function all_bits(bits,    mask) {
	for (mask = 1; bits > 0; bits--)
		mask *= 2
	return sprintf("%.0f", mask - 1)
}

# The value of a field of `packed`, in C and in SQL.
function value(packed, l, n,    text) {
	text = packed
	if (at_of[l, n] > 0)
		text = text " >> " at_of[l, n]
	return bits_of[l, n] ? text " & " all_bits(bits_of[l, n]) : text
}

function function_of(l, n,    name, type, put) {
	name = l "_" field[l, n]
	# a field that reaches to the sign has one, as in the views
	if (bits_of[l, n] == 0)
		type = at_of[l, n] >= 32 ? "int32_t" : "int64_t"
	else
		type = bits_of[l, n] <= 32 ? "uint32_t" : "int64_t"
	put = bits_of[l, n] ? "(value & " all_bits(bits_of[l, n]) ")" : "value"
	printf "enum { %s_AT = %d };\n", toupper(name), at_of[l, n]
	printf "#define %s_MASK INT64_C(%s)\n", toupper(name),
		bits_of[l, n] ? all_bits(bits_of[l, n]) : "-1"
	printf "#define SQL_%s(column) %s\n", toupper(name), value("\"(\" column \"", l, n) ")\""
	printf "static inline %s %s(int64_t packed)\n{\n\treturn (%s)(%s);\n}\n", type, name, type,
		value("packed", l, n)
	printf "static inline int64_t %s_put_%s(uint64_t value)\n{\n", l, field[l, n]
	printf "\treturn (int64_t)(%s << %d);\n}\n\n", put, at_of[l, n]
}

function make_enum(e, l,    n, text) {
	print "enum " e " {"
	for (n = 1; n <= count[l]; n++) {
		text = text_of[l, n]
		sub(/^1: /, "", text)
		printf "\t%s%s = 1 << %d,\t/* %s */\n", prefix[e], toupper(field[l, n]), at_of[l, n], text
	}
	print "};\n"
}

function make_columns(t,    i) {
	printf "enum {"
	for (i = 1; i <= columns[t]; i++)
		printf "%s%s_%s,", (i % 4 == 1 ? "\n\t" : " "), toupper(t), toupper(table_column[t, i])
	printf "\n\t%s_COLUMNS\n};\n", toupper(t)
}

function make_header(    i, n, e) {
	print "/* Made by include/layouts.awk: packed integers, taken apart and put together. */"
	print "#ifndef TRYST_LAYOUTS_H\n#define TRYST_LAYOUTS_H\n\n#include <stdint.h>\n"
	for (i = 1; i <= nlayouts; i++)
		for (n = 1; n <= count[order[i]]; n++)
			function_of(order[i], n)
	for (e in layout_of_enum)
		make_enum(e, layout_of_enum[e])
	print "/* Columns of the tables that only views read, by number. */"
	for (i = 1; i <= nschema; i++)
		if (schema[i] ~ /_(row|cell)$/)
			make_columns(schema[i])
	print "\n#endif"
}

# Its name in the view of the table; "" for none.
function column_name(t, c, l, n,    name, part, pair, k, i) {
	name = column_of[l, n]
	k = split(names[t, c], part, " ")
	for (i = 1; i <= k; i++) {
		split(part[i], pair, "=")
		if (pair[1] == field[l, n])
			name = pair[2]
	}
	return name == "-" ? "" : name
}

function conditional(packed, l, n,    flag, not) {
	if (need_of[l, n] == "")
		return value(packed, l, n)
	flag = number[l, substr(need_of[l, n], 2)]
	not = need_of[l, n] ~ /^!/ ? "NOT " : ""
	return "CASE WHEN " not "(" value(packed, l, flag) ") THEN " value(packed, l, n) " END"
}

# Is the column's name that of one of its fields, which stands for it?
function is_replaced(t, c, l,    n) {
	for (n = 1; n <= count[l]; n++)
		if (column_name(t, c, l, n) == c)
			return 1
	return 0
}

function view(t,    i, n, c, l, name, text) {
	for (i = 1; i <= columns[t]; i++) {
		c = table_column[t, i]
		l = (t, c) in layout_of ? layout_of[t, c] : ""
		if (!is_replaced(t, c, l))
			text = text ",\n\t" c
		for (n = 1; n <= count[l]; n++) {
			name = column_name(t, c, l, n)
			if (name != "")
				text = text ",\n\t" conditional(c, l, n) " AS " name
		}
	}
	print "CREATE VIEW " t "_fields AS\nSELECT" substr(text, 2) "\nFROM " t ";\n"
}

function meaning_of(name, text) { printf " \\\n\t{ \"%s\", \"%s\" },", name, text }

function meanings_of(t,    i, n, c, l, name) {
	for (i = 1; i <= columns[t]; i++) {
		c = table_column[t, i]
		l = (t, c) in layout_of ? layout_of[t, c] : ""
		for (n = 1; n <= count[l]; n++) {
			name = column_name(t, c, l, n)
			if (name != "")
				meaning_of(t "_fields." name, text_of[l, n])
		}
	}
}

function make_meanings(    i) {
	print "/* Made by include/layouts.awk: what views of packed tables mean. */"
	printf "#define LAYOUT_TABLE_DOCS"
	for (i = 1; i <= ntables; i++)
		meaning_of(tables[i] "_fields", meaning[tables[i]])
	printf "\n\n#define LAYOUT_COLUMN_DOCS"
	for (i = 1; i <= ntables; i++)
		meanings_of(tables[i])
	print ""
}

function make_fields(    i, l, n) {
	for (i = 1; i <= nlayouts; i++)
		for (n = 1; n <= count[l = order[i]]; n++)
			printf "{ \"%s\", \"%s\", %s_AT, %s_MASK },\n", l, field[l, n],
				toupper(l "_" field[l, n]), toupper(l "_" field[l, n])
}

END {
	if (make == "header")
		make_header()
	else if (make == "fields")
		make_fields()
	else if (make == "meanings")
		make_meanings()
	else
		for (view_number = 1; view_number <= ntables; view_number++)
			view(tables[view_number])
}
