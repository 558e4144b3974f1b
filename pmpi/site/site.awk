# SPDX-License-Identifier: BSD-3-Clause
#
# site.awk: the wrappers of site mode. Read behind mpi.awk, which has parsed mpi.def and mpi.h:
#
#   awk -f mpi.awk -f site.awk make=site mpi=NAME reading=header HEADER reading=table mpi.def
#
# Each wrapper counts and times its function. bytes() has the statements that count a call's bytes;
# they stand behind a call that succeeded, so its arguments are valid. POSIX awk.

END {
	if (make == "site")
		site()
}

function takes(i, argument)
{
	return index(", " passed[i] ",", ", " argument ",") > 0
}

# The statement that counts the bytes of a successful call; "": they are not counted.
function bytes(i,	class, f, what, rooted, send)
{
	class = class_of[i]
	send = takes(i, "sendcount") ? "sendcount, sendtype" : "count, datatype"
	if (class ~ /^full\.i?send(recv)?$/)
		return "count_sent(FN_" name[i] ", " send ", dest)"
	if (class ~ /^full\.m?recv$/)
		return "count_bytes(FN_" name[i] ", status_bytes(status))"
	if (class == "rma" && takes(i, "origin_count") && takes(i, "target_rank"))
		return "count_bytes(FN_" name[i] \
			", target_rank < 0" (takes(i, "op") ? " || op == H(MPI_NO_OP)" : "") \
			" ? 0 : bytes_of(origin_count, origin_datatype))"
	if (class !~ /^full\.i?coll$/)
		return ""
	f = name[i]
	sub(/^MPI_/, "", f)
	sub(/_c$/, "", f)
	if (f ~ /^I[a-z]/)
		f = toupper(substr(f, 2, 1)) substr(f, 3)
	if (f ~ /^(Bcast|Reduce|Allreduce|Scan|Exscan)$/)
		what = "bytes_of(count, datatype)"
	else if (f ~ /^Gatherv?$/)
		what = "sendbuf == MPI_IN_PLACE ? 0 : bytes_of(sendcount, sendtype)"
	else if (f ~ /^Scatterv?$/)
		what = "recvbuf == MPI_IN_PLACE ? 0 : bytes_of(recvcount, recvtype)"
	else if (f == "Allgather")
		what = "sendbuf == MPI_IN_PLACE ? bytes_of(recvcount, recvtype) : bytes_of(sendcount, sendtype)"
	else if (f == "Allgatherv")
		what = "sendbuf == MPI_IN_PLACE ? bytes_of(recvcounts[rank_in(comm)], recvtype) : " \
			"bytes_of(sendcount, sendtype)"
	else if (f == "Alltoall")
		what = "members_of(comm) * (sendbuf == MPI_IN_PLACE ? bytes_of(recvcount, recvtype) : " \
			"bytes_of(sendcount, sendtype))"
	else if (f == "Alltoallv")
		what = "sendbuf == MPI_IN_PLACE ? bytes_of(total(recvcounts, members_of(comm)), recvtype) : " \
			"bytes_of(total(sendcounts, members_of(comm)), sendtype)"
	else
		return ""
	# MPI_ROOT and MPI_PROC_NULL are negative
	rooted = takes(i, "root") ? "root < 0 ? 0 : " : ""
	return "count_bytes(FN_" name[i] ", " rooted what ")"
}

# May a rank wait or poll in this function? False also for those that programs call rarely.
function waits(i)
{
	return class_of[i] !~ /^(count|conv|full\.(i(send|recv|sendrecv|mrecv|coll)|.*init|start|part|pcoll|request|session|type|pcontrol))$/
}

function site_entry(i, prefix, table,	counted)
{
	printf "static %s %s%s_site(%s)\n{\n", returns[i], prefix, name[i], arguments[i]
	if (name[i] ~ /^MPI_(Init|Init_thread|Finalize|Abort)$/) {
		printf "\treturn around_%s(%s.%s%s%s);\n}\n\n", name[i], table, name[i], \
			(passed[i] == "" ? "" : ", "), passed[i]
		return
	}
	counted = bytes(i)
	printf "\tuint64_t enter = call_enter(__builtin_frame_address(0));\n\t%s rc;\n", returns[i]
	if (counted ~ /status_bytes/)
		printf "\tMPI_Status own;\n\n\tif (status == MPI_STATUS_IGNORE)\n\t\tstatus = &own;\n"
	if (waits(i))
		printf "\tenter = call_look(FN_%s, enter);\n", name[i]
	printf "\trc = %s.%s(%s);\n", table, name[i], passed[i]
	printf "\tif (enter)\n\t\tcall_leave(FN_%s, enter);\n", name[i]
	if (counted != "")
		printf "\tif (enter && rc == MPI_SUCCESS)\n\t\t%s;\n", counted
	printf "\treturn rc;\n}\n\n"
}

function site(	i)
{
	note()
	quietly()
	for (i = 1; i <= count; i++) {
		if (!known(i))
			continue
		site_entry(i, "", "next")
		if (class_of[i] != "conv")
			site_entry(i, "P", "pnext")
	}
	print "static struct shim_entry entries[] = {"
	for (i = 1; i <= count; i++)
		if (known(i))
			printf "\t{FN_%s, (void *)%s_site, %s},\n", name[i], name[i], \
				(class_of[i] == "conv" ? "NULL" : "(void *)P" name[i] "_site")
	print "};\n"
	print "/* 1: bytes() in site.awk counts this function's. */"
	print "static const unsigned char has_bytes[FN_COUNT] = {"
	for (i = 1; i <= count; i++)
		if (known(i) && bytes(i) != "")
			printf "\t[FN_%s] = 1,\n", name[i]
	print "};\n\n#pragma GCC diagnostic pop"
}
