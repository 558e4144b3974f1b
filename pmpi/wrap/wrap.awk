# SPDX-License-Identifier: BSD-3-Clause
#
# wrap.awk: the wrappers that differ only in names and argument lists, from include/mpi.def.
#
#   awk -f wrap.awk mpi.def > wrap_full.h
#
# Each is a static inline wrap_NAME(call, fn, arguments...) that calls functions of p2p.h,
# matched.h, collective.h, communicator.h and call/object.h. Large-count forms come from the same rules, as their
# arguments have the same names. Those that the installed MPI lacks are left out by the #ifdef
# HAVE_NAME that mpi.awk defines. What has more to say is written by hand in the wrap/*.h files.

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

# "const int recvcounts[]" -> recvcounts; fills type_of[] and order[]
function parse(prototype,    open, list, n, i, part, name) {
	open = index(prototype, "(")
	name = substr(prototype, 1, open - 1)
	sub(/.*[ *]/, "", name)
	list = substr(prototype, open + 1)
	sub(/\)[^)]*$/, "", list)
	params = list
	split("", has)
	nargs = 0
	if (list == "void")
		list = ""
	n = split(list, piece, ",")
	for (i = 1; i <= n; i++) {
		part = trim(piece[i])
		gsub(/\[[^]]*\]/, "", part)
		sub(/.*[ *]/, "", part)
		arg[++nargs] = part
		has[part] = trim(piece[i])
	}
	return name
}

function args(    i, s) {
	s = ""
	for (i = 1; i <= nargs; i++)
		s = s (i > 1 ? ", " : "") arg[i]
	return s
}

function head(name) {
	printf "\n#ifdef HAVE_%s\n", name
	begin("static inline", "wrap_" name, name)
}

function begin(how, what, name) {
	printf "%s int %s(struct call *c, __typeof__(next.%s) fn,\n", how, what, name
	printf "\t%s)\n{\n", params
}

function foot(name) {
	printf "}\n#endif\n"
}

# first: a statement inside the call's time
function body(first) {
	printf "\tcall_enter(c);\n%s\trc = fn(%s);\n\tcall_leave(c);\n", first, args()
}

# MPI_Ibsend_init -> B
function mode(name) {
	if (name ~ /^MPI_I?[bB]send/) return "MODE_BUFFERED"
	if (name ~ /^MPI_I?[sS]send/) return "MODE_SYNCHRONOUS"
	if (name ~ /^MPI_I?[rR]send/) return "MODE_READY"
	return "MODE_STANDARD"
}

function send_km(name, form) {
	return "KIND_MODE(KIND_SEND, " mode(name) ", " form ")"
}

function recv_km(form) {
	return "KIND_MODE(KIND_RECV, MODE_STANDARD, " form ")"
}

# The whole way of a post: what is asked, the call, what became of it. A blocking receive has a status.
function post(km, rank, done,    receives) {
	receives = "status" in has
	printf "\tstruct op op;\n%s\tint rc;\n\n", receives ? "\tbool announced;\n" : ""
	printf "\top_before(c, &op, %s, count, datatype, %s, tag, comm);\n", km, rank
	body(receives ? "\tannounced = p2p_announced(c, &op, source, tag, comm);\n" : "")
	printf "\t%s;\n\treturn rc;\n", done
}

function send(name, form, done) {
	head(name)
	post(send_km(name, form), "dest", done)
	foot(name)
}

# Where the program ignores the status, the library fills ours.
function own_status() {
	if ("status" in has)
		printf "\tMPI_Status own;\n\n\tif (status == MPI_STATUS_IGNORE)\n\t\tstatus = &own;\n"
}

function recv(name, form, done) {
	head(name)
	post(recv_km(form), "source", done)
	foot(name)
}

# A send or receive: inlined into both entries where it repeats an earlier one.
function repeated(name, km, rank, done, again) {
	printf "\n#ifdef HAVE_%s\n", name
	begin("static __attribute__((noinline))", "first_" name, name)
	post(km, rank, done)
	print "}\n"
	begin("HOT", "wrap_" name, name)
	printf "\tconst struct repeat *s = repeat_find(c, count, datatype, %s, tag, comm);\n", rank
	print "\tuint64_t id;\n\tint rc;"
	own_status()
	print ""
	printf "\tif (unlikely(!s%s)) {\n\t\tstruct call first = *c;\n\n", \
		"status" in has ? " || s->bytes >= ANNOUNCED_BYTES" : ""
	printf "\t\treturn first_%s(&first, fn, %s);\n\t}\n", name, args()
	print "\tid = repeat_before(c, s);"
	body()
	printf "\t%s(c, s, id, rc, %s, count, datatype, %s, tag, comm%s);\n\treturn rc;\n", again, km,
		rank, "status" in has ? ", status" : "request" in has ? ", request" : ""
	foot(name)
}

# Two ops in one call: blocking (status), or under one request.
function exchange(name, form,    sent, received) {
	sent = ("sendcount" in has ? "sendcount, sendtype" : "count, datatype") ", dest, sendtag, comm"
	received = ("recvcount" in has ? "recvcount, recvtype" : "count, datatype") ", source, recvtag, comm"
	head(name)
	printf "\tstruct op op[2];\n\tint rc;\n"
	own_status()
	printf "\n\top_before(c, &op[0], KIND_MODE(KIND_SEND, MODE_STANDARD, %s), %s);\n", form, sent
	printf "\top_before(c, &op[1], KIND_MODE(KIND_RECV, MODE_STANDARD, %s), %s);\n", form, received
	printf "\top_before_pair(c, &op[0]);\n"
	body()
	printf "\tif (likely(rc == MPI_SUCCESS)) {\n"
	printf "\t\top_after(c, &op[0], %s);\n\t\top_after(c, &op[1], %s);\n", sent, received
	printf "\t\t%s;\n\t}\n", ("request" in has) ? "request_post_pair(c, op, *request)" : "p2p_sendrecv(c, op, status)"
	printf "\tcall_end(c, CALL_PROGRESS);\n\treturn rc;\n"
	foot(name)
}

# A receive of a message that a matched probe took.
function matched(name) {
	head(name)
	printf "\tuintptr_t handle = message ? (uintptr_t)*message : 0;\n"
	printf "\tstruct op op;\n\tstruct matched m;\n\tbool known;\n\tint rc;\n"
	own_status()
	# before the call: behind it the handle may be another message's, on another thread
	printf "\n\tknown = op_take_matched(handle, &m);\n\top.id = known ? m.id : op_next_id();\n"
	body()
	printf "\tif (likely(rc == MPI_SUCCESS))\n\t\t%s;\n", ("request" in has) \
		? "matched_posted(c, &op, handle, known ? &m : NULL, count, datatype, *request)" \
		: "matched_received(c, &op, handle, known ? &m : NULL, count, datatype, status)"
	printf "\telse if (known)\n\t\tmatched_failed(c, &op, &m, count, datatype, rc, *message);\n"
	printf "\tcall_end(c, CALL_PROGRESS);\n\treturn rc;\n"
	foot(name)
}

# Partitions of one message: all of them together are the op.
function partitioned(name, kind) {
	head(name)
	printf "\tMPI_Count all = partitions > 0 ? partitions * count : 0;\n"
	printf "\tstruct op op;\n\tint rc;\n\n"
	printf "\top_before(c, &op, KIND_MODE(%s, MODE_STANDARD, FORM_PARTITIONED), all, datatype, dest, tag, comm);\n", kind
	body()
	printf "\tp2p_made(c, &op, rc, all, datatype, dest, tag, comm, request);\n\treturn rc;\n"
	foot(name)
}

# Blocking or not (flag), matched or not (message).
function probe(name,    message) {
	message = ("message" in has) ? "(uintptr_t)*message" : "0"
	head(name)
	printf "\tint rc;\n"
	own_status()
	printf "\n"
	if (!("flag" in has))
		printf "\top_probe_before(c, source, tag, comm);\n"
	body()
	if ("flag" in has) {
		printf "\tif (likely(rc == MPI_SUCCESS)) {\n"
		printf "\t\tuint64_t polled = op_poll(c, (uintptr_t)comm, source, tag, *flag != 0);\n\n"
		# a plain probe matters to its receive only if there was polling; a matched one names it
		printf "\t\tif (%s)\n", ("message" in has) ? "*flag" : "polled"
		printf "\t\t\top_probed(c, comm_get(c->t, comm), status, %s, false, polled);\n\t}\n", message
	} else {
		printf "\tif (likely(rc == MPI_SUCCESS))\n"
		printf "\t\top_probed(c, comm_get(c->t, comm), status, %s, true, 0);\n", message
	}
	printf "\tcall_end(c, CALL_PROGRESS);\n\treturn rc;\n"
	foot(name)
}

# How much a collective sends and receives on this rank, by its family.
function set_bytes(name,    f, n, in_, out_) {
	f = name
	sub(/^MPIX?_/, "", f)
	sub(/_c$/, "", f)
	sub(/_init$/, "", f)
	if (f ~ /^I[a-z]/)
		f = toupper(substr(f, 2, 1)) substr(f, 3)
	n = "k.size"
	in_ = out_ = n
	if (f ~ /^Neighbor_/) {
		sub(/^Neighbor_/, "", f)
		f = toupper(substr(f, 1, 1)) substr(f, 2)
		printf "\t\tcoll_degree(&k, comm);\n"
		in_ = "k.in"
		out_ = "k.out"
	}
	s = r = "0"
	if (f == "Allgather" || f == "Gather") {
		s = "coll_part(c->t, sendbuf, sendcount, sendtype, 1)"
		r = "coll_part(c->t, recvbuf, recvcount, recvtype, " in_ ")"
		if (f == "Gather") r = "k.is_root ? " r " : 0"
	} else if (f == "Allgatherv" || f == "Gatherv") {
		s = "coll_part(c->t, sendbuf, sendcount, sendtype, 1)"
		r = "COLL_SUM(c->t, recvbuf, recvcounts, recvtype, " in_ ")"
		if (f == "Gatherv") r = "k.is_root ? " r " : 0"
	} else if (f == "Allreduce" || f == "Scan" || f == "Exscan") {
		s = r = "coll_part(c->t, recvbuf, count, datatype, 1)"
	} else if (f == "Alltoall") {
		s = "sendbuf == MPI_IN_PLACE ? coll_part(c->t, recvbuf, recvcount, recvtype, " out_ ") : coll_part(c->t, sendbuf, sendcount, sendtype, " out_ ")"
		r = "coll_part(c->t, recvbuf, recvcount, recvtype, " in_ ")"
	} else if (f == "Alltoallv") {
		s = "sendbuf == MPI_IN_PLACE ? COLL_SUM(c->t, recvbuf, recvcounts, recvtype, " out_ ") : COLL_SUM(c->t, sendbuf, sendcounts, sendtype, " out_ ")"
		r = "COLL_SUM(c->t, recvbuf, recvcounts, recvtype, " in_ ")"
	} else if (f == "Alltoallw") {
		s = "sendbuf == MPI_IN_PLACE ? COLL_SUM_TYPES(c->t, recvcounts, recvtypes, " out_ ") : COLL_SUM_TYPES(c->t, sendcounts, sendtypes, " out_ ")"
		r = "COLL_SUM_TYPES(c->t, recvcounts, recvtypes, " in_ ")"
	} else if (f == "Bcast") {
		s = "k.is_root ? coll_part(c->t, buffer, count, datatype, 1) : 0"
		r = "k.is_leaf ? coll_part(c->t, buffer, count, datatype, 1) : 0"
	} else if (f == "Reduce") {
		s = "k.is_root && k.inter ? 0 : type_bytes(c->t, count, datatype)"
		r = "k.is_root ? type_bytes(c->t, count, datatype) : 0"
	} else if (f == "Reduce_scatter") {
		s = "COLL_SUM(c->t, recvbuf, recvcounts, datatype, k.members)"
		r = "type_bytes(c->t, recvcounts[k.comm->rank], datatype)"
	} else if (f == "Reduce_scatter_block") {
		s = "coll_part(c->t, recvbuf, recvcount, datatype, k.members)"
		r = "type_bytes(c->t, recvcount, datatype)"
	} else if (f == "Scatter") {
		s = "k.is_root ? coll_part(c->t, sendbuf, sendcount, sendtype, " out_ ") : 0"
		r = "k.is_root && k.inter ? 0 : coll_part(c->t, recvbuf, recvcount, recvtype, 1)"
	} else if (f == "Scatterv") {
		s = "k.is_root ? COLL_SUM(c->t, sendbuf, sendcounts, sendtype, " out_ ") : 0"
		r = "k.is_root && k.inter ? 0 : coll_part(c->t, recvbuf, recvcount, recvtype, 1)"
	} else if (f != "Barrier") {
		print "wrap.awk: no rule for the bytes of " name > "/dev/stderr"
		exit 1
	}
	printf "\t\tk.sent = %s;\n\t\tk.recv = %s;\n", s, r
}

function coll(name, done) {
	head(name)
	printf "\tstruct coll k;\n\tint rc;\n\n\tcoll_before(c, &k, comm);\n"
	body()
	printf "\tif (likely(rc == MPI_SUCCESS) && coll_describe(c, &k, comm, %s)) {\n", ("root" in has) ? "root" : "COLL_NO_ROOT"
	set_bytes(name)
	printf "\t\t%s;\n\t}\n\tcall_end_plain(c, CALL_PROGRESS);\n\treturn rc;\n", done
	foot(name)
}

# A maker: the parent is the first communicator, the result the last argument of type MPI_Comm *.
# collective: all members of the parent take part, so it has a number there, and a row, while recording is on.
function maker(name, collective,    i, parent, made) {
	parent = made = ""
	for (i = 1; i <= nargs; i++) {
		if (has[arg[i]] ~ /MPI_Comm \*/)
			made = arg[i]
		else if (has[arg[i]] ~ /MPI_Comm / && parent == "")
			parent = arg[i]
	}
	head(name)
	if (collective) {
		printf "\tconst bool on = shim.recording;\n\tstruct coll k = {0};\n\tint rc;\n\n"
		printf "\tif (likely(on))\n\t\tcoll_before(c, &k, %s);\n", parent
	} else {
		printf "\tint rc;\n\n"
	}
	body()
	if (collective)
		printf "\tif (likely(on && rc == MPI_SUCCESS) && coll_describe(c, &k, %s, COLL_NO_ROOT))\n\t\trequest_coll(c, &k);\n", parent
	printf "\tif (likely(rc == MPI_SUCCESS))\n\t\tcomm_made(c->t, c->fn, %s, *%s);\n", (parent == "" ? "NULL" : "comm_get(c->t, " parent ")"), made
	printf "\tcall_end_plain(c, CALL_PROGRESS);\n\treturn rc;\n"
	foot(name)
}

# A call of windows or files. before: declarations; find: the object o of a call that has succeeded;
# after: statements on it.
function object_call(name, find, before, after) {
	head(name)
	printf "\tint rc;\n%s\n", before
	body()
	printf "\tif (likely(rc == MPI_SUCCESS)) {\n"
	printf "\t\tstruct object *o = %s;\n\n%s\t}\n", find, after
	printf "\tcall_end_plain(c, CALL_PROGRESS);\n\treturn rc;\n"
	foot(name)
}

# Its row. collective: it has a number on its object; peer and bytes are C expressions.
function object_row(kind, collective, peer, bytes) {
	return sprintf("\t\t%s(c, %s, o, %s, %s, %s%s);\n", ("request" in has) ? "object_posted" : "object_done", kind, \
		collective ? "object_together(o)" : "TRANSFER_ALONE", peer, bytes, ("request" in has) ? ", *request" : "")
}

# bytes: of the target's memory that the call reads or writes
function rma(name,    kind, bytes, row) {
	kind = "OBJECT_WINDOW"
	if (name == "MPI_Win_free") {
		object_end(name, kind, "win")
	} else if (has["win"] ~ /\*/) {
		object_call(name, sprintf("object_made(c, %s, (uintptr_t)*win, comm, %s, %s, \"\")", kind, \
			("size" in has) ? "(uint64_t)size" : "0", ("disp_unit" in has) ? "(int)disp_unit" : "0"), "", \
			object_row(kind, 1, "-1", "0"))
	} else if ("target_rank" in has) {
		bytes = ("target_count" in has) ? "target_count, target_datatype" : "1, datatype"
		object_call(name, "window_of(c, win)", "", \
			object_row(kind, 0, "target_rank", "type_bytes(c->t, " bytes ")"))
	} else {
		row = object_row(kind, name == "MPI_Win_fence", ("rank" in has) ? "rank" : "-1", "0")
		object_call(name, "window_of(c, win)", "", ("flag" in has) ? "\t\tif (*flag)\n\t" row : row)
	}
}

function object_end(name, kind, handle) {
	head(name)
	printf "\tstruct object *o = object_leaves(c, %s, %s ? (uintptr_t)*%s : 0);\n\tint rc;\n\n", kind, handle, handle
	body()
	printf "\tobject_left(c, %s, o, rc == MPI_SUCCESS);\n", kind
	printf "\tcall_end_plain(c, CALL_PROGRESS);\n\treturn rc;\n"
	foot(name)
}

# bytes: what was moved; for the two calls of a split collective, at its end
function io(name,    kind, together, asked, own, row) {
	kind = "OBJECT_FILE"
	together = name ~ /_(open|all|all_c|all_begin|all_begin_c|all_end|set_view|set_size|preallocate|set_atomicity|seek_shared|sync)$|_ordered/
	asked = ("count" in has) ? "type_bytes(c->t, count, datatype)" : "0"
	own = ""
	if ("status" in has)
		own = "\tMPI_Status own;\n\n\tfile_status_unknown(&own);\n\tif (status == MPI_STATUS_IGNORE)\n\t\tstatus = &own;\n"
	if (name == "MPI_File_close") {
		object_end(name, kind, "fh")
	} else if (name == "MPI_File_open") {
		object_call(name, "object_made(c, " kind ", (uintptr_t)*fh, comm, 0, amode, filename)", "", \
			object_row(kind, 1, "-1", "0"))
	} else if (!("fh" in has)) {
		object_call(name, "NULL", "", object_row(kind, 0, "-1", "0"))
	} else if (name ~ /_begin(_c)?$/) {
		object_call(name, "file_of(c, fh)", "", "\t\tif (o)\n\t\t\to->split_bytes = " asked ";\n" \
			object_row(kind, together, "-1", "0"))
	} else {
		if (name ~ /_end$/)
			asked = "o ? o->split_bytes : 0"
		if ("status" in has)
			asked = "file_moved(status, " asked ")"
		object_call(name, "file_of(c, fh)", own, object_row(kind, together, "-1", asked))
	}
}

BEGIN {
	print "/* Made by wrap.awk from mpi.def; do not edit. */"
}

/^(full\.|rma |io )/ {
	class = $1
	line = $0
	sub(/^[^ \t]+[ \t]+/, "", line)
	name = parse(line)
	if (class == "rma")
		rma(name)
	else if (class == "io")
		io(name)
	else if (class == "full.send")
		repeated(name, send_km(name, "FORM_BLOCKING"), "dest",
			"p2p_sent(c, &op, rc, count, datatype, dest, tag, comm)", "p2p_sent_again")
	else if (class == "full.isend")
		repeated(name, send_km(name, "FORM_NONBLOCKING"), "dest",
			"p2p_posted(c, &op, rc, count, datatype, dest, tag, comm, request)", "p2p_posted_again")
	else if (class == "full.send_init")
		send(name, "FORM_PERSISTENT", "p2p_made(c, &op, rc, count, datatype, dest, tag, comm, request)")
	else if (class == "full.recv")
		repeated(name, recv_km("FORM_BLOCKING"), "source",
			"p2p_received(c, &op, rc, announced, count, datatype, source, tag, comm, status)",
			"p2p_received_again")
	else if (class == "full.irecv")
		repeated(name, recv_km("FORM_NONBLOCKING"), "source",
			"p2p_posted(c, &op, rc, count, datatype, source, tag, comm, request)", "p2p_posted_again")
	else if (class == "full.recv_init")
		recv(name, "FORM_PERSISTENT", "p2p_made(c, &op, rc, count, datatype, source, tag, comm, request)")
	else if (class == "full.sendrecv")
		exchange(name, "FORM_BLOCKING")
	else if (class == "full.isendrecv")
		exchange(name, "FORM_NONBLOCKING")
	else if (class ~ /^full\.i?mrecv$/)
		matched(name)
	else if (class ~ /^full\.i?probe$/)
		probe(name)
	else if (name == "MPI_Psend_init")
		partitioned(name, "KIND_SEND")
	else if (name == "MPI_Precv_init")
		partitioned(name, "KIND_RECV")
	else if (class == "full.coll")
		coll(name, "request_coll(c, &k)")
	else if (class == "full.icoll")
		coll(name, "request_post_coll(c, &k, *request)")
	else if (class == "full.pcoll")
		coll(name, "persistent_make_coll(&k, *request)")
	else if (class == "full.comm" && name !~ /_free$|_disconnect$|_set_name$|_idup|_get_parent$|_spawn|_from_group$/)
		maker(name, 0)
	else if (class == "full.maker")
		maker(name, 1)
}
