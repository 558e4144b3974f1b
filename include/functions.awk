# SPDX-License-Identifier: BSD-3-Clause
#
# functions.awk: the numbers, names and kinds of MPI functions, from mpi.def alone.
#
#   awk -f functions.awk make=header mpi.def >functions.h
#   awk -f functions.awk make=source mpi.def >functions.c
#
# POSIX awk. Names stand in one string with offsets, so that the table needs no relocation.

/^#/ || NF == 0 || $1 == "skip" || $1 ~ /^@/ { next }

{
	sub(/\(.*/, "")
	name[++count] = $NF
	kind[count] = kind_of($1)
}

function kind_of(class)
{
	if (class ~ /^full\.([ip]?coll|maker)$/)
		return "COLLECTIVE"
	if (class == "full.comm")
		return "COMM"
	if (class == "rma" || class == "full.win")
		return "ONE_SIDED"
	return class == "io" ? "FILE" : "OTHER"
}

function note()
{
	print "/* SPDX-License-Identifier: BSD-3-Clause */"
	print "/* Made from include/mpi.def by include/functions.awk. */"
}

function header(	i)
{
	note()
	print "#ifndef TRYST_FUNCTIONS_H"
	print "#define TRYST_FUNCTIONS_H"
	print ""
	print "#include <stdint.h>"
	print ""
	print "enum function {"
	print "\tFN_NONE,"
	for (i = 1; i <= count; i++)
		printf "\tFN_%s,\n", name[i]
	print "\tFN_COUNT"
	print "};"
	print ""
	print "/* By the classes of mpi.def. */"
	print "enum function_kind {"
	print "\tFUNCTION_OTHER,"
	print "\tFUNCTION_COLLECTIVE,	/* also where all members of a communicator make another one */"
	print "\tFUNCTION_COMM,	/* otherwise makes, names or ends communicators */"
	print "\tFUNCTION_ONE_SIDED,"
	print "\tFUNCTION_FILE"
	print "};"
	print ""
	print "/* Other for FN_NONE and beyond FN_COUNT. */"
	print "enum function_kind function_kind(unsigned fn);"
	print ""
	print "/* The name of an FN_*, e.g. \"MPI_Send\"; \"\" for FN_NONE, \"?\" beyond FN_COUNT. */"
	print "const char *function_name(unsigned fn);"
	print ""
	print "/* The FN_* of a name as above; FN_NONE where there is none such. */"
	print "unsigned function_by_name(const char *name);"
	print ""
	print "/* FNV-1a over all names in order: equal where the numbers FN_* mean the same. */"
	print "uint64_t function_names_hash(void);"
	print ""
	print "#endif"
}

function source(	i, at)
{
	note()
	print "#include <string.h>"
	print ""
	print "#include \"fnv.h\""
	print "#include \"functions.h\""
	print ""
	print "static const char names[] ="
	print "\t\"\\0\""
	for (i = 1; i <= count; i++)
		printf "\t\"%s\\0\"\n", name[i]
	print "\t;"
	print ""
	print "static const uint16_t name_at[FN_COUNT] = {"
	print "\t0,"
	at = 1
	for (i = 1; i <= count; i++) {
		printf "\t%d,\n", at
		at += length(name[i]) + 1
	}
	print "};"
	print ""
	print "_Static_assert(sizeof(names) <= UINT16_MAX, \"offsets fit\");"
	print ""
	print "const char *function_name(unsigned fn)"
	print "{"
	print "\treturn fn < FN_COUNT ? names + name_at[fn] : \"?\";"
	print "}"
	print ""
	print "unsigned function_by_name(const char *name)"
	print "{"
	print "\tfor (unsigned fn = FN_NONE + 1; fn < FN_COUNT; fn++)"
	print "\t\tif (strcmp(names + name_at[fn], name) == 0)"
	print "\t\t\treturn fn;"
	print "\treturn FN_NONE;"
	print "}"
	print ""
	print "enum function_kind function_kind(unsigned fn)"
	print "{"
	print "\tstatic const uint8_t kind[FN_COUNT] = {"
	for (i = 1; i <= count; i++)
		if (kind[i] != "OTHER")
			printf "\t\t[FN_%s] = FUNCTION_%s,\n", name[i], kind[i]
	print "\t};"
	print ""
	print "\treturn fn < FN_COUNT ? (enum function_kind)kind[fn] : FUNCTION_OTHER;"
	print "}"
	print ""
	print "uint64_t function_names_hash(void)"
	print "{"
	print "\treturn fnv_bytes(FNV_START, names, sizeof(names));"
	print "}"
}

END {
	if (make == "header")
		header()
	else
		source()
}
