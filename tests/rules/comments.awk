# SPDX-License-Identifier: BSD-3-Clause
# awk -f comments.awk FILE...   what the files name: in comments of C, in texts everything
#
#	code FILE NAME           the code calls, declares or defines it
#	file WHERE NAME          a comment names a file of a kind that the tree has
#	function WHERE NAME      a comment names a function: a name and ()
#
# WHERE is FILE:LINE. In C a comment begins and ends with the usual marks; in *.awk, *.sh and *.mk it begins with "#"
# at the beginning of a line or behind a space. Placeholders (NAME.c, <arch>, *) name nothing, and neither do examples
# of places (main.c:12).
FNR == 1 {
	inside = 0
	kind = "text"
	if (FILENAME ~ /\.([chS]|cpp|def|sql)$/) kind = "C"
	if (FILENAME ~ /\.(awk|sh|mk)$/) kind = "script"
}
kind == "text" { named($0); next }
kind == "script" {
	at = match($0, /(^|[ \t])#/)
	code(at ? substr($0, 1, RSTART - 1) : $0)
	if (at) named(substr($0, RSTART))
	next
}
{
	rest = $0
	while (rest != "") {
		mark = inside ? "*/" : "/*"
		at = index(rest, mark)
		part = at ? substr(rest, 1, at - 1) : rest
		if (inside) named(part)
		else if (FILENAME ~ /\.sql$/ && (dashes = index(part, "--"))) {
			code(substr(part, 1, dashes - 1))
			named(substr(part, dashes))
		} else code(part)
		if (!at) break
		rest = substr(rest, at + 2)
		inside = !inside
	}
}

# A call, or a pointer to a function. Assemblers write neither with a parenthesis.
function code(text) {
	if (FILENAME ~ /\.S$/) gsub(/[A-Za-z_][A-Za-z0-9_]*/, "&(", text)
	while (match(text, /[A-Za-z_][A-Za-z0-9_]*\)?\(/)) {
		word = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		sub(/\)?\($/, "", word)
		if (!((FILENAME, word) in seen)) print "code", FILENAME, word
		seen[FILENAME, word] = 1
	}
}

function named(text) {
	while (match(text, /[A-Za-z0-9_.\/<>*%$@{}~+-]+(\(\))?/)) {
		name = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		if (name ~ /^[a-z_][a-z0-9_]*\(\)$/) print "function", FILENAME ":" FNR, substr(name, 1, length(name) - 2)
		sub(/\.+$/, "", name)
		sub(/^-+/, "", name)	# of an arrow
		if (name ~ /^[a-z0-9_.\/-]*[a-z0-9_]\.([chS]|def|sql|awk|sh|mk)$/ && text !~ /^:[0-9]/)
			print "file", FILENAME ":" FNR, name
	}
}
