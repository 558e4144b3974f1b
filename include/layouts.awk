# SPDX-License-Identifier: BSD-3-Clause
#
# layouts.awk: from layouts.def, which explains itself, and schema.sql. POSIX awk.
#
#	awk -f layouts.awk make=header layouts.def schema.sql >layouts.h
#	awk -f layouts.awk make=views layouts.def schema.sql
#	awk -f layouts.awk make=meanings layouts.def schema.sql >layouts_doc.h
#	awk -f layouts.awk make=fields layouts.def schema.sql	a row a field, for the tests
#	awk -f layouts.awk make=words layouts.def schema.sql	a row a word, for the tests
#
# A layout's fields, also those of layouts within it, are field[layout, 1...] and the like.

FILENAME ~ /\.sql$/ { read_schema(); next }
/^#/ || NF == 0 { next }
$1 == "layout" { layout = $2; order[++nlayouts] = layout; table = ""; next }
$1 == "range" { layout = $2; is_range[layout] = 1; table = ""; next }
$1 == "words" { read_words(); next }
$1 == "class" { class_column[$2] = $3; class_words[$2] = rest(4); next }
$1 == "table" { table = $2; tables[++ntables] = table; meaning[table] = rest(3); next }
$1 == "enum" { layout_of_enum[$2] = $4; prefix[$2] = $3; next }
table != "" && $1 == "?" { classes[table] = rest(2); next }
table != "" && $1 ~ /^\+/ {
	joined[table, ++njoined[table]] = substr($1, 2)
	layout_of[table, substr($1, 2)] = $2
	joined_text[table, substr($1, 2)] = rest(3)
	next
}
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
	if (layout in is_range)
		add($1, $2, "", column, need, rest(4))
	else
		add($1, first_bit($2), bits_in($2), column, need, rest(4))
}

# words NAME: word[NAME, 1...] and what they stand for, or the table that has them.
function add_word(name, value, text) {
	word[name, ++nwords[name]] = text
	value_of[name, nwords[name]] = value
	number_of[name, text] = value
}

function read_words(    i) {
	names_words[++nnames] = $2
	if (NF == 3)
		words_in[$3] = $2
	for (i = 3; i < NF; i += 2)
		add_word($2, $i, $(i + 1))
}

# INSERT INTO cause_name VALUES (1, 'late_sender'), ...;
function read_rows(table, line,    pair) {
	while (match(line, /\([0-9]+, '[a-z_]+'\)/)) {
		split(substr(line, RSTART + 1, RLENGTH - 2), pair, ", ")
		gsub(/'/, "", pair[2])
		add_word(words_in[table], pair[1], pair[2])
		line = substr(line, RSTART + RLENGTH)
	}
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
	if (line ~ /^INSERT INTO [a-z_]+ VALUES/)
		filled = $3
	if (filled in words_in)
		read_rows(filled, line)
	if (line ~ /;/)
		filled = ""
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
	if (l in is_range)
		return bound(packed, at_of[l, n])
	if (at_of[l, n] > 0)
		text = text " >> " at_of[l, n]
	return bits_of[l, n] ? text " & " all_bits(bits_of[l, n]) : text
}

# The bound of a range, in SQL.
function bound(c, kind) {
	if (kind == "least")
		return "iif(" c ", 1 << " c " - 1, 0)"
	if (kind == "most")
		return "(1 << " c ") - 1"
	return "iif(" c " < 8, " c ", ((8 + " c " % 8) << (" c " / 8)) / 8)"
}

# The words behind a column NAME_id or OF_NAME_id: NAME; "" for none.
function words_of(column,    base, i) {
	if (column !~ /_id$/)
		return ""
	base = "_" substr(column, 1, length(column) - 3)
	for (i = 1; i <= nnames; i++)
		if (length(base) > length(names_words[i]) &&
			substr(base, length(base) - length(names_words[i])) == "_" names_words[i])
			return names_words[i]
	return ""
}

function word_column(column) { return substr(column, 1, length(column) - 3) }

# The word for a number, in SQL.
function word_for(number, name,    i, text, table) {
	if (!nwords[name]) {
		for (table in words_in)
			if (words_in[table] == name)
				return "(SELECT name FROM " table " WHERE id = " number ")"
	}
	text = "CASE " number
	for (i = 1; i <= nwords[name]; i++)
		text = text " WHEN " value_of[name, i] " THEN '" word[name, i] "'"
	return text " END"
}

# Is a number's word one of the class's? In SQL.
function in_class(number, class,    part, n, i, name, list) {
	name = class_column[class]
	n = split(class_words[class], part, " ")
	for (i = 1; i <= n; i++) {
		if (!nwords[name])
			list = list ", '" part[i] "'"
		else
			list = list ", " (part[i] == "-" ? 0 : number_of[name, part[i]])
	}
	return (nwords[name] ? number : word_for(number, name)) " IN (" substr(list, 3) ")"
}

# Columns put together, in SQL: those of the table with the names of the layout's fields.
function join(l,    n, text) {
	for (n = 1; n <= count[l]; n++)
		text = text " + " (at_of[l, n] ? "(" field[l, n] " << " at_of[l, n] ")" : field[l, n])
	return substr(text, 4)
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
		if (column_name(t, c, l, n) == c ||
			(words_of(column_name(t, c, l, n)) != "" && word_column(column_name(t, c, l, n)) == c))
			return 1
	return 0
}

# The classes of a column of the view, each behind a comma.
function classes_of(t, column, number,    part, n, i, text) {
	n = split(classes[t], part, " ")
	for (i = 1; i <= n; i++)
		if (class_column[part[i]] "_id" == column)
			text = text ",\n\t" in_class(number, part[i]) " AS " part[i]
	return text
}

function view(t,    i, n, c, l, name, text, number) {
	for (i = 1; i <= columns[t]; i++) {
		c = table_column[t, i]
		l = (t, c) in layout_of ? layout_of[t, c] : ""
		if (!is_replaced(t, c, l))
			text = text ",\n\t" c
		for (n = 1; n <= count[l]; n++) {
			name = column_name(t, c, l, n)
			if (name == "")
				continue
			number = conditional(c, l, n)
			text = text ",\n\t" number " AS " name
			number = "(" number ")"
			if (words_of(name) != "")
				text = text ",\n\t" word_for(number, words_of(name)) " AS " word_column(name)
			text = text classes_of(t, name, number)
		}
	}
	for (i = 1; i <= njoined[t]; i++)
		text = text ",\n\t" join(layout_of[t, joined[t, i]]) " AS " joined[t, i]
	print "CREATE VIEW " t "_fields AS\nSELECT" substr(text, 2) "\nFROM " t ";\n"
}

function meaning_of(name, text) { printf " \\\n\t{ \"%s\", \"%s\" },", name, text }

function meaning_of_word(name,    i, text, words) {
	words = words_of(name)
	if (!nwords[words])
		return "name of " name
	for (i = 1; i <= nwords[words]; i++)
		text = text ", " word[words, i]
	return name " as a word: " substr(text, 3)
}

function meanings_of_classes(t,    part, n, i) {
	n = split(classes[t], part, " ")
	for (i = 1; i <= n; i++)
		meaning_of(t "_fields." part[i], "1: " class_column[part[i]] " is one of: " \
			class_meaning(class_words[part[i]]))
	for (i = 1; i <= njoined[t]; i++)
		meaning_of(t "_fields." joined[t, i], joined_text[t, joined[t, i]])
}

function class_meaning(text) {
	gsub(/ +/, ", ", text)
	sub(/-/, "unknown", text)
	return text
}

function meanings_of(t,    i, n, c, l, name) {
	for (i = 1; i <= columns[t]; i++) {
		c = table_column[t, i]
		l = (t, c) in layout_of ? layout_of[t, c] : ""
		for (n = 1; n <= count[l]; n++) {
			name = column_name(t, c, l, n)
			if (name == "")
				continue
			meaning_of(t "_fields." name, text_of[l, n])
			if (words_of(name) != "")
				meaning_of(t "_fields." word_column(name), meaning_of_word(name))
		}
	}
	meanings_of_classes(t)
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

function make_words(    i, n) {
	for (i = 1; i <= nnames; i++)
		for (n = 1; n <= nwords[names_words[i]]; n++)
			printf "{ \"%s\", \"%s\", %d },\n", names_words[i], word[names_words[i], n],
				value_of[names_words[i], n]
}

END {
	if (make == "header")
		make_header()
	else if (make == "fields")
		make_fields()
	else if (make == "words")
		make_words()
	else if (make == "meanings")
		make_meanings()
	else
		for (view_number = 1; view_number <= ntables; view_number++)
			view(tables[view_number])
}
