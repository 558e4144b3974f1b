# SPDX-License-Identifier: BSD-3-Clause
#
# mpi.awk: C tables from include/mpi.def, narrowed to what the installed mpi.h declares.
#
#   awk -f mpi.awk make=trampolines reading=table mpi.def
#   awk -f mpi.awk make=handles reading=header HEADER
#   awk -f mpi.awk make=next mpi=NAME reading=header HEADER reading=table mpi.def
#   awk -f mpi.awk make=wrappers mpi=NAME reading=header HEADER reading=wraps wrap/*.h \
#	reading=table mpi.def
#   awk -f mpi.awk make=missing ...as wrappers...
#   awk -f mpi.awk make=unknown reading=header HEADER reading=table mpi.def
#
# make=trampolines: TRAMPOLINE(slot, symbol) of every entry that libtryst.so exports
# make=handles:     HANDLE(type, name, symbol) of the predefined handles that are addresses of data
# make=next:        next.h: struct mpi_next, typed pointers to the real functions
# make=wrappers:    wrappers.h: both entries of each function, and their table
# make=missing:     names of class `full` that have no hand-written wrapper
# make=unknown:     names of functions that HEADER declares and mpi.def lacks
#
# HEADER is pmpi/dispatch/mpi_header.h through `cc -E -dD`. POSIX awk.
#
# Revisions of the standard add and drop qualifiers of arguments. The wrappers have mpi.def's types,
# and SAME_TYPE compares without qualifiers. It reads the header's argument list for that, since C
# cannot take the arguments of a function type apart; a second comparison holds that it was read right.

reading == "header" && /^#define/ {
	split($2, part, "(")
	macro[part[1]] = 1
	if (make == "handles" && $3 ~ /^OMPI_PREDEFINED_GLOBAL\(/ && $2 ~ /^MPI_/)
		handle($0)
	next
}

reading == "header" && !/^#/ {
	statement = statement " " $0
	while (match(statement, /[;{}]/)) {
		before = substr(statement, 1, RSTART - 1)
		statement = substr(statement, RSTART + 1)
		if (before ~ /^[ \t]*MPIX?_[A-Za-z_0-9]+[ \t]*$/ || before ~ /(^|[ \t])typedef[ \t]/)
			types(before)
		else
			declaration(before)
	}
}

# A function is what stands before "(" in the header, a wrapper likewise in wrap/*.h.
reading == "header" || reading == "wraps" {
	while (match($0, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/)) {
		word = substr($0, RSTART, RLENGTH - 1)
		sub(/[ \t]*$/, "", word)
		if (reading == "header")
			declared[word] = 1
		else
			written[word] = 1
		$0 = substr($0, RSTART + RLENGTH)
	}
	next
}

/^#/ || NF == 0 { next }

$1 == "skip" {
	skipped[$2] = 1
	next
}

{
	variant = ""
	if ($1 ~ /^@/) {
		variant = substr($1, 2)
		sub(/^@[a-z]+[ \t]+/, "")
	}
	class = $1
	sub(/^[^ \t]+[ \t]+/, "")
	prototype = $0
	sub(/\(.*/, "")
	symbol = $NF
	if (variant == "") {
		name[++count] = symbol
		number[symbol] = count
	} else if (variant != mpi) {
		next
	}
	parse(number[symbol], prototype)
}

END {
	if (make == "trampolines")
		trampolines()
	else if (make == "next")
		next_header()
	else if (make == "wrappers")
		wrappers()
	else if (make == "missing")
		missing()
	else if (make == "unknown")
		unknown()
}

# "extern int MPI_Barrier(MPI_Comm comm) __attribute__((...))" -> header_arguments["MPI_Barrier"]
function declaration(text,	name, i, depth, c)
{
	if (!match(text, /(^|[ \t*])MPIX?_[A-Za-z_0-9]+[ \t]*\(/))
		return
	name = substr(text, RSTART, RLENGTH - 1)
	gsub(/[ \t*]/, "", name)
	text = substr(text, RSTART + RLENGTH)
	for (i = depth = 1; depth > 0 && i <= length(text); i++) {
		c = substr(text, i, 1)
		depth += (c == "(") - (c == ")")
	}
	if (depth == 0 && !(name in header_arguments)) {
		header_arguments[name] = substr(text, 1, i - 2)
		header_order[++header_count] = name
	}
}

# The names in a typedef, or behind the fields of one, are types.
function types(text,	word)
{
	while (match(text, /MPIX?_[A-Za-z_0-9]+/)) {
		word = substr(text, RSTART, RLENGTH)
		type[word] = 1
		text = substr(text, RSTART + RLENGTH)
	}
}

# Function i can be wrapped: mpi.h declares it, or has all its types. Other versions of the library,
# of the same ABI, may have it.
function known(i,	text, list, n, j)
{
	if (name[i] in declared)
		return 1
	n = split(returns[i] " result," arguments[i], list, ",")
	for (j = 1; j <= n; j++) {
		text = " " list[j]
		sub(/(\[[^]]*\])+[ \t]*$/, "", text)
		sub(/[A-Za-z_0-9]+[ \t]*$/, "", text)
		while (match(text, /MPIX?_[A-Za-z_0-9]+/)) {
			if (!(substr(text, RSTART, RLENGTH) in type))
				return 0
			text = substr(text, RSTART + RLENGTH)
		}
	}
	return 1
}

# An argument list without qualifiers.
function unqualified(text)
{
	text = " " text
	while (match(text, /[^A-Za-z_0-9](const|volatile|restrict|__restrict|__restrict__)[^A-Za-z_0-9]/))
		text = substr(text, 1, RSTART) " " substr(text, RSTART + RLENGTH - 1)
	return text
}

# Take "RET NAME(ARGS)" apart into returns[], arguments[] and passed[].
function parse(i, prototype,	text, n, j, argument, list)
{
	class_of[i] = class
	text = prototype
	sub(/\(.*/, "", text)
	sub(/[ \t]*[A-Za-z_0-9]+$/, "", text)
	returns[i] = text
	text = prototype
	sub(/^[^(]*\(/, "", text)
	sub(/\)[ \t]*$/, "", text)
	arguments[i] = text
	passed[i] = ""
	if (text == "void")
		return
	n = split(text, list, /,[ \t]*/)
	for (j = 1; j <= n; j++) {
		argument = list[j]
		if (argument == "...")	# only MPI_Pcontrol; nobody could know what follows
			continue
		sub(/(\[[^]]*\])+$/, "", argument)
		sub(/.*[^A-Za-z_0-9]/, "", argument)
		passed[i] = passed[i] (j > 1 ? ", " : "") argument
	}
}

function note()
{
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* Made from include/mpi.def" (make == "trampolines" ? "" : " and mpi.h") \
		" by pmpi/dispatch/mpi.awk. */"
}

# "#define MPI_BYTE OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_byte)"
function handle(line,	text, part)
{
	if (handles++ == 0)
		note()
	text = line
	sub(/.*OMPI_PREDEFINED_GLOBAL\([ \t]*/, "", text)
	sub(/[ \t]*\).*/, "", text)
	split(text, part, /[ \t]*,[ \t]*/)
	printf "HANDLE(%s, %s, %s)\n", part[1], $2, part[2]
}

function trampolines(	i)
{
	note()
	print "#define TRAMPOLINE_SLOTS " 2 * (count + 1)
	for (i = 1; i <= count; i++) {
		printf "TRAMPOLINE(%d, %s)\n", 2 * i, name[i]
		if (class_of[i] != "conv")
			printf "TRAMPOLINE(%d, P%s)\n", 2 * i + 1, name[i]
	}
}

function begin_header(guard)
{
	note()
	print "#ifndef " guard
	print "#define " guard
	print ""
}

# Deprecated and removed functions are wrapped as well: programs still call them.
function quietly()
{
	print "#pragma GCC diagnostic push"
	print "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\""
	print ""
}

function next_header(	i)
{
	begin_header("TRYST_NEXT_H")
	print "#include \"pmpi/dispatch/mpi_header.h\""
	print ""
	for (i = 1; i <= count; i++)
		if (known(i) && name[i] in macro)
			print "#undef " name[i]
	print ""
	quietly()
	print "/*"
	print " * The library's functions. next.MPI_X is the next MPI_X behind libtryst.so in the order of"
	print " * symbol search, maybe another tool's; pnext.MPI_X the next PMPI_X. NULL where the loaded"
	print " * library lacks the function. Filled by next_fill()."
	print " */"
	for (i = 1; i <= count; i++)
		if (known(i))
			print "#define HAVE_" name[i] " 1"
	print ""
	print "struct mpi_next {"
	for (i = 1; i <= count; i++)
		if (known(i))
			printf "\t%s (*%s)(%s);\n", returns[i], name[i], arguments[i]
	print "};"
	print ""
	print "extern struct mpi_next next, pnext;"
	print ""
	print "#ifdef NEXT_FUNCTIONS"
	print "/* FN_* of each member, in order. */"
	print "static const unsigned short next_functions[] = {"
	for (i = 1; i <= count; i++)
		if (known(i))
			printf "\tFN_%s,\n", name[i]
	print "};"
	print "#endif"
	print ""
	print "#pragma GCC diagnostic pop"
	print "#endif"
}

function entry(i, prefix, table,	call_arguments, separator)
{
	separator = passed[i] == "" ? "" : ", "
	printf "static %s %s%s_w(%s)\n{\n", returns[i], prefix, name[i], arguments[i]
	if ("unframed_" name[i] in written) {
		printf "\treturn unframed_%s(%s.%s, __builtin_return_address(0),\n", name[i], table, name[i]
		printf "\t\t__builtin_frame_address(0)%s%s);\n}\n\n", separator, passed[i]
		return
	}
	print "\tstruct call c;"
	print "\t" returns[i] " rc;"
	print ""
	printf "\tif (!%s(&c, FN_%s, ENTRY_%sMPI, __builtin_return_address(0),\n", \
		begin(class_of[i], name[i]), name[i], prefix
	print "\t\t__builtin_frame_address(0)))"
	printf "\t\treturn %s.%s(%s);\n", table, name[i], passed[i]
	if ("wrap_" name[i] in written) {
		printf "\trc = wrap_%s(&c, %s.%s%s%s);\n", name[i], table, name[i], \
			separator, passed[i]
	} else {
		print "\tcall_enter" (flag(class_of[i]) == "CALL_COUNT" ? "_plain" : "") "(&c);"
		printf "\trc = %s.%s(%s);\n", table, name[i], passed[i]
		print "\tcall_leave(&c);"
		print "\tcall_end_plain(&c, " flag(class_of[i]) ");"
	}
	if (returns_code(i))
		print "\tcall_result(&c, rc);"
	print "\treturn rc;"
	print "}"
	print ""
}

# Whether what it returns is MPI_SUCCESS or an error code: extensions answer questions so.
function returns_code(i)
{
	return returns[i] == "int" && class_of[i] != "conv" && name[i] !~ /^MPIX_(Query_|Request_is_complete$)/
}

function begin(class, name)
{
	if (makes(class, name))
		return "call_begin_always"
	return is_hot(class) ? "call_begin" : "call_begin_plain"
}

# What outlives the call, or ends: followed while recording is off, so that it is known afterwards.
function makes(class, name)
{
	return class ~ /^full\.(comm|maker|type|win|send_init|recv_init|pcoll|pcontrol)$/ ||
		name ~ /^MPI_(P(send|recv)_init|Request_free|File_(open|close)|Win_(create.*|allocate.*|free))$/
}

# Where call/call.h is inlined: in calls that programs make for every message.
function is_hot(class)
{
	return class ~ /^full\.(send|recv|isend|irecv|sendrecv|wait|test|start|iprobe)$/
}

function flag(class)
{
	if (class == "count" || class == "conv")
		return "CALL_COUNT"
	return "CALL_PROGRESS"
}

function wrappers(	i)
{
	begin_header("TRYST_WRAPPERS_H")
	print "#include \"pmpi/dispatch/dispatch.h\""
	print "#include \"functions.h\""
	print "#include \"next.h\""
	print ""
	quietly()
	print "#define SAME_TYPE(name, a, b) \\"
	print "\t_Static_assert(__builtin_types_compatible_p(a, b), \\"
	print "\t\t#name \": include/mpi.def disagrees with mpi.h\")"
	for (i = 1; i <= count; i++)
		if (name[i] in declared)
			same_type(i)
	print "#undef SAME_TYPE"
	print ""
	for (i = 1; i <= count; i++) {
		if (!known(i))
			continue
		entry(i, "", "next")
		if (class_of[i] != "conv")
			entry(i, "P", "pnext")
	}
	print "/* next_drop() takes out what the loaded library lacks. */"
	print "static struct shim_entry shim_entries[] = {"
	for (i = 1; i <= count; i++) {
		if (!known(i))
			continue
		printf "\t{FN_%s, (void *)%s_w, ", name[i], name[i]
		print (class_of[i] == "conv" ? "NULL" : "(void *)P" name[i] "_w") "},"
	}
	print "};"
	print ""
	print "#pragma GCC diagnostic pop"
	print "#endif"
}

# The header's function is of the type that its text says, and that type without qualifiers is mpi.def's.
function same_type(i,	header)
{
	if (!(name[i] in header_arguments)) {
		printf "SAME_TYPE(%s, __typeof__(*next.%s), __typeof__(%s));\n", name[i], name[i], name[i]
		return
	}
	header = header_arguments[name[i]]
	printf "SAME_TYPE(%s, __typeof__(%s), %s(%s));\n", name[i], name[i], returns[i], header
	printf "SAME_TYPE(%s, %s(%s), %s(%s));\n", name[i], returns[i], unqualified(arguments[i]), \
		returns[i], unqualified(header)
}

function unknown(	i)
{
	for (i = 1; i <= header_count; i++)
		if (!(header_order[i] in number) && !(header_order[i] in skipped))
			print header_order[i]
}

function missing(	i)
{
	for (i = 1; i <= count; i++)
		if (known(i) && class_of[i] ~ /^full/ && !("wrap_" name[i] in written) &&
			!("unframed_" name[i] in written))
			print name[i]
}
