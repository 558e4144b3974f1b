# SPDX-License-Identifier: BSD-3-Clause
# sql.awk: files of SQL as C strings, without comments and indentation. POSIX awk.
#
#	awk -v header=FILE [-v name=VARIABLE] -f sql.awk FILE...	C; FILE declares the variables
#	awk -v declare=1 -f sql.awk FILE...				their declarations
#	awk -v list=1 -f sql.awk FILE...				{ "ROOM/NAME", VARIABLE }, a line each
#
# VARIABLE holds the one file. Without a name, ROOM/queries/NAME.sql is in sql_ROOM_NAME: sql_report_pairs.
# A text in single quotes ends on its line, and stays as it is.
function variable(path,    n, part, file) {
	n = split(path, part, "/")
	file = part[n]
	sub(/\.sql$/, "", file)
	return "sql_" part[n - 2] "_" file
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
	if (list)
		print "{ \"" name_of(FILENAME) "\", " variable(FILENAME) " },"
	else if (declare)
		print "extern const char " variable(FILENAME) "[];"
	else
		print (NR > 1 ? "\t;" : "") "\nconst char " (name ? name : variable(FILENAME)) "[] ="
}
declare || list { next }
{
	$0 = without_comment($0)
	sub(/^ /, "")
	sub(/ $/, "")
	if ($0 == "")
		next
	gsub(/\\/, "&&")
	gsub(/"/, "\\\\&")
	print "\t\"" $0 "\\n\""
}
END { if (!declare && !list) print "\t;" }
