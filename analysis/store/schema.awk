# SPDX-License-Identifier: BSD-3-Clause
# schema.awk: SQL as a C string, without comments and indentation. POSIX awk. -v name=VARIABLE and
# -v header=FILE say which variable that FILE declares; without them it is db_schema.
# Relies on the SQL having no "--" inside a quoted text.
BEGIN {
	print "/* Made by analysis/store/schema.awk. */"
	print "#include \"" (header ? header : "analysis/store/db.h") "\""
	print ""
	print "const char " (name ? name : "db_schema") "[] ="
}
{
	sub(/--.*$/, "")
	gsub(/[ \t]+/, " ")
	sub(/^ /, "")
	sub(/ $/, "")
	if ($0 == "")
		next
	gsub(/\\/, "&&")
	gsub(/"/, "\\\\&")
	print "\t\"" $0 "\\n\""
}
END { print "\t;" }
