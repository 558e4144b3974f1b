# SPDX-License-Identifier: BSD-3-Clause
# sql.awk: files of SQL as C strings, without comments and indentation. POSIX awk.
#
#	awk -v header=FILE [-v name=VARIABLE] -f sql.awk FILE...	C; FILE declares the variables
#	awk -v declare=1 -f sql.awk FILE...				their declarations
#	awk -v list=1 -f sql.awk FILE...				{ "FOLDER/NAME", VARIABLE }, a line for each
#									file that is one query
#
# VARIABLE holds the one file. Without a name, FOLDER/queries/NAME.sql is in sql_FOLDER_NAME: sql_report_pairs.
# Short statements share a file. There a line "-- query NAME: what it answers" is above each, and names it.
# A text in single quotes ends on its line, and stays as it is.
function variable(path, query,    n, part) {
	n = split(path, part, "/")
	if (query == "") {
		query = part[n]
		sub(/\.sql$/, "", query)
	}
	return "sql_" part[n - 2] "_" query
}
function end_text() {
	if (in_text && !declare && !list)
		print "\t;"
	in_text = 0
}
function begin_text() {
	if (list && !is_short)
		print "{ \"" name_of(FILENAME) "\", " text_name " },"
	else if (declare)
		print "extern const char " text_name "[];"
	else if (!list)
		print "\nconst char " text_name "[] ="
	in_text = 1
}
function name_of(path,    n, part) {
	n = split(path, part, "/")
	sub(/\.sql$/, "", part[n])
	return part[n - 2] "/" part[n]
}
function without_comment(line,    n, part, i, at, kept) {
	n = split(line, part, "'")
	for (i = 1; i <= n; i++) {
		if (i % 2) {
			at = index(part[i], "--")
			if (at)
				part[i] = substr(part[i], 1, at - 1)
			gsub(/[ \t]+/, " ", part[i])
		}
		kept = kept (i > 1 ? "'" : "") part[i]
		if (i % 2 && at)
			break
	}
	return kept
}
BEGIN {
	print "/* Made by analysis/format/db/sql.awk. */"
	if (!declare && !list)
		print "#include \"" header "\""
}
FNR == 1 {
	end_text()
	text_name = name ? name : variable(FILENAME)
	is_short = 0
}
/^-- query [a-z_]+:/ {
	end_text()
	text_name = variable(FILENAME, substr($3, 1, length($3) - 1))
	is_short = 1
}
{
	$0 = without_comment($0)
	sub(/^ /, "")
	sub(/ $/, "")
	if ($0 == "")
		next
	if (!in_text)
		begin_text()
	if (declare || list)
		next
	gsub(/\\/, "&&")
	gsub(/"/, "\\\\&")
	print "\t\"" $0 "\\n\""
}
END { end_text() }
