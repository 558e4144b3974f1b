/* SPDX-License-Identifier: BSD-3-Clause */
/* tables_doc.c: the meaning of tables, views and columns, once. */
#include <config.h>

#include "analysis/merge/tables_doc.h"

#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/db/queries.h"
#include "analysis/merge/layouts_doc.h"

const char tables_introduction[] =
	"Each rank of a run has one SQLite database, rank-NNNNNN.db; tryst merge puts all ranks "
	"into run.db, where the same queries answer for all of them. tryst sql and the sqlite3 "
	"command read both.\n\n"
	"Times are integer nanoseconds from the end of MPI_Init on the rank's clock, in run.db on "
	"that of the lowest rank (table clock has the error). NULL means none, or unknown. Peers "
	"are ranks of MPI_COMM_WORLD. The time that a call was blocked is compared with the time "
	"that the LogGPS model predicts if nobody is late. The difference is the excess, blocked - "
	"predicted, and keeps its sign. An excess above the noise of such messages is a wait.\n\n"
	"Tables whose names end in _row, _cell or _name hold the packed records behind the views; "
	"they may change between versions. A view whose name ends in _fields shows such a table "
	"with each packed column taken apart. Tables call_name, cause_name, protocol_name, "
	"tier_name and coll_state_name have the names behind its numbers.";

const struct table_doc table_docs[] = {
	{ "run",
		"Facts about the run as each rank saw it: program, arguments, host, pid, "
		"host_kind (if hosts differ in their CPUs: the lowest rank on hosts like this "
		"rank's, as in column peer of link_param), core_map (the CPUs that the rank may "
		"use), cpu_ns and cpu_wait_ns (how long its first thread ran, and was ready to run "
		"while others had the CPU), mpi_library, shim (which one recorded: openmpi, mpich "
		"or abi), world_size, run_id, clock, end_ns (the entry of MPI_Finalize, by the "
		"rank's own clock; without MPI_Finalize, the entry of exit(), and exited is 1; "
		"without both, the last known time, also from an earlier look at the rank), "
		"found_dead_ns (when its process was seen to be gone), in_init (1: the rank had "
		"not left MPI_Init, and has no times), clean_finalize (1: it completed "
		"MPI_Finalize), unfinished (1: it was running), ops (sends and receives that were "
		"numbered; some neither have a row nor count as dropped: ops of a call that failed "
		"or had not returned at the end, such as MPI_Sendrecv's two, and messages that "
		"MPI_Mprobe or MPI_Improbe took and nobody received), op_rows, dropped (rows not "
		"recorded; dropped_ops, ... by table), calls_left (calls left by an exception or "
		"by a jump out of an error handler: counted, without time or row), overheads in "
		"ns." },
	{ "link_param",
		"Link parameters, a value a row: measured, read from the cache or a file, or "
		"learned; a value that could not be known is NULL and has a reason." },
	{ "link", "The LogGPS parameters of each tier, a column each." },
	{ "callsite", "Call stacks: frame 0 is the first outside the MPI library." },
	{ "communicator", "Communicators as each rank numbers them." },
	{ "op",
		"Each send and each receive: posted by one call, completed by the same or "
		"another." },
	{ "waits", "The ops with wait_ns > 0, with the line of the program that posted them." },
	{ "calls",
		"Each call that posts or completes messages, and each collective, in common time. "
		"Order the calls of a rank by enter_ns. A call that completes several ops has one "
		"row, without peer and bytes." },
	{ "collective", "Each collective call, also the ones that make communicators." },
	{ "in_call",
		"The call each thread was in when it was last seen: where a hung or killed rank "
		"stood. A rank that ended well has none." },
	{ "pending", "Operations that were posted and had not completed at the end." },
	{ "busy", "Intervals inside MPI calls that make progress, joined where closer than 1 us." },
	{ "rma_window", "Windows of one-sided communication as each rank numbers them." },
	{ "io_file", "Opened files as each rank numbers them." },
	{ "rma",
		"Each one-sided operation, and each call that synchronises, makes or frees a "
		"window. bytes are those of the target's memory." },
	{ "io",
		"Each file operation. bytes is the amount read or written; for a split collective, "
		"its end has the amount." },
	{ "rma_by_callsite",
		"rma by callsite, call and window: where fences, locks, completes and waits "
		"block." },
	{ "io_by_file", "io by file and call." },
	{ "rma_wait",
		"In run.db: how long each member of a fence, or of another collective call on a "
		"window, was in it before the last one came." },
	{ "phase",
		"Phases that the program marked with tryst.h or MPI_Pcontrol, and intervals that "
		"it kept out of the records." },
	{ "wait_by_phase", "Operations that completed in each phase, and their waits there." },
	{ "phase_profile", "How long phases took." },
	{ "clock",
		"Offsets between clocks: in a rank's file those that were measured, in run.db "
		"those of all ranks to the lowest one. Between two rows offset and error are "
		"interpolated." },
	{ "call_profile",
		"Time and count of every MPI call by callsite. Complete even if op rows were "
		"dropped. The sum is the time in MPI. It includes MPI_Init and MPI_Finalize, in "
		"which tryst itself measures and writes. Calls before MPI_Init (MPI_Initialized, "
		"MPI_Get_version, ...) are counted, without time or place. Calls after "
		"MPI_Finalize are not counted, because MPI_Finalize writes the rows." },
	{ "thread_time",
		"Where each thread's time went from the end of MPI_Init to MPI_Finalize: in MPI, "
		"in tryst, outside of both. All threads have the rank's wall time; time before a "
		"thread's beginning and after its end counts as outside." },
	{ "wait_profile",
		"Messages and waits summed by callsite, peer, protocol, size and cause. Complete "
		"even if op rows were dropped." },
	{ "wait_by_protocol", "wait_profile by protocol, without messages to MPI_PROC_NULL." },
	{ "wait_by_cause", "wait_profile by cause." },
	{ "wait_by_callsite", "wait_profile by callsite, with the line of the program." },
	{ "wait_by_peer", "wait_profile by peer." },
	{ "comm_matrix", "Who sent how much to whom." },
	{ "model_error",
		"Predicted and blocked time of sends that wait only if buffers are full." },
	{ "rendezvous_bottlenecks",
		"Callsites and peers by the time that rendezvous messages waited, and the remedy "
		"if one side can know it." },
	{ "computation",
		"Samples of what ranks computed between two calls that may move messages, by "
		"function and line. Samples show only the program's own code, never the kernel's. "
		"Keys of run: sample_period_ns (CPU time between two samples), sample_stack_bytes "
		"(with this key, the program's line that called a library has the library's "
		"samples), samples_refused "
		"(why the kernel gave none), samples_in_calls (of the first thread), "
		"unsampled_threads, unlocked_threads (of these, those "
		"for which no more memory could be locked), small_buffers (threads whose records "
		"get less memory because of that limit), samples_lost_bytes (of the kernel's "
		"records that were overwritten before they were read), samples_lost_in_calls (of "
		"these, bytes that a thread recorded in a call while it polled), samples_dropped "
		"(records)." },
	{ "off_cpu",
		"Times of 20 us and more in which a thread had no CPU. Inside calls only those in "
		"which it was ready to run." },
	{ "cpu_time",
		"CPU time of each rank's first thread, divided by the samples. The kernel's code "
		"is never "
		"sampled, so kernel_ns is what the samples leave: system calls, page faults, and "
		"the "
		"kernel's copies of messages (single copy between processes, TCP)." },
	{ "cpu_loss",
		"CPU loss of each rank: times outside of calls in which it was ready to run and "
		"others had the CPU. Histograms show the lengths of the losses and the times "
		"between them." },
	{ "match",
		"Each message with both its ops, from tryst analyze: the parts of the ops' excess, "
		"from both sides. Beyond 5 million messages, only those that waited have a row." },
	{ "waits_between_lines",
		"Which line of the program waits for which, and why. Messages of match are summed "
		"by the lines that posted the waiting op and the op of the other side." },
	{ "match_summary", "How many ops were matched, and how many were not, with the reason." },
	{ "unmatched",
		"Sends that nobody received, and receives that completed without a send: the first "
		"thousand in time." },
	{ "match_info",
		"Numbers about the analysis: messages, unmatched, violations of the clocks, ..." },
	{ "exact_profile",
		"Matched ops summed by callsite, peer, protocol, size and exact cause, with "
		"blocked_ns shared among ops by the times of both sides. It includes waits of ops "
		"without partner, as their own side knows them." },
	{ "exact_by_callsite", "exact_profile by callsite, with the line of the program." },
	{ "exact_by_cause",
		"The waits of exact_profile by cause, as the report counts them, with the line of "
		"the program. The time of a wait with several causes is split among them, and the "
		"wait is counted under the largest." },
	{ "exact_by_pair", "exact_profile by pair of ranks." },
	{ "exact_by_communicator", "exact_profile by communicator." },
	{ "exact_by_protocol", "exact_profile by protocol of the message." },
	{ "rendezvous_exact",
		"Rendezvous messages that waited, by callsite and peer, and by how much earlier "
		"the other side would have had to act." },
	{ "collective_wait",
		"Waits in collectives, by Scalasca's definitions and two finer ones of tryst." },
	{ "collective_wait_by_callsite", "collective_wait by callsite." },
	{ "collective_wait_by_communicator", "collective_wait by communicator." },
	{ "collective_wait_by_late_rank", "collective_wait by the rank that was waited for." },
	{ "unhidden",
		"Transfers that stood still until the completing call although both sides had "
		"posted, by callsite and peer." },
	{ "live_accuracy", "The live estimates of waits against the exact ones." },
	{ "blame", "Activities of late ranks, and the waits that these activities cost others." },
	{ "critical_path", "Time on the critical path, by rank and activity." },
	{ "scenario",
		"In run.db: what tryst predict gave last for each list of changes. Predictions are "
		"removed if the run is analyzed or merged again." },
	{ "scenario_rank", "In run.db: the ranks as measured and under a scenario." },
	{ "scenario_callsite",
		"In run.db: waits by cause and callsite as measured and under a scenario." },
	{ "scenario_path", "In run.db: the critical path as measured and under a scenario." },
	{ "input", "In run.db: the rank files that it was made from." },
	{ "merge_info", "In run.db: how it was merged (max_ops, clocks, layout)." },
	LAYOUT_TABLE_DOCS{ NULL, NULL }
};

const struct column_doc column_docs[] = { { "scenario", "number of the scenario" },
	{ "changes", "the changes, as options of tryst predict" },
	{ "run_before_ns", "from the last end of MPI_Init to the last end of a rank, as measured" },
	{ "run_same_ns", "the same, replayed without a change" },
	{ "run_after_ns", "the same, replayed under the scenario" },
	{ "run_low_ns",
		"95 of 100 runs under the scenario take at least this long and at most "
		"run_high_ns, as far as the noise inside the run tells; NULL: too little of the "
		"run was repeated" },
	{ "run_high_ns", "see run_low_ns" }, { "moved", "sends that use another protocol" },
	{ "stuck", "threads that would wait for each other for ever" },
	{ "end_before_ns", "end of the rank, after the first rank's end of MPI_Init, as measured" },
	{ "end_after_ns", "the same under the scenario" },
	{ "computation_before_ns", "time outside of MPI calls, sum over threads, as measured" },
	{ "computation_after_ns", "the same under the scenario" },
	{ "inside_before_ns", "time inside MPI calls, sum over threads, as measured" },
	{ "inside_after_ns", "the same under the scenario" },
	{ "wait_before_ns", "waits, as measured" }, { "wait_after_ns", "waits under the scenario" },
	{ "path_before_ns", "time on the critical path, as measured" },
	{ "path_after_ns", "time on the critical path under the scenario" },
	{ "scenario_callsite.cause", "late_sender, late_receiver, collective or late_progress" },
	{ "scenario_path.what", "call, or computation before the call" },
	{ "calls.ops", "how many ops the call posted or completed; of a collective 1" },
	{ "calls.call", "MPI function" }, { "calls.callsite", "callsite of the call" },
	{ "calls.enter_ns", "when the call was entered" },
	{ "calls.leave_ns", "when it returned; NULL: it did not" },
	{ "calls.peer", "rank on the other side; NULL: none, or several" },
	{ "calls.bytes", "payload; of a collective the bytes sent; NULL: of several ops" },
	{ "calls.blocked_ns", "time blocked in the call; NULL: another call completed its op" },
	{ "peer_call", "MPI function that posted the op of the other side" },
	{ "peer_function", "function of the program that posted it" },
	{ "peer_file", "its source file" }, { "peer_line", "line in that file" },
	{ "waits_between_lines.waits", "how many messages waited" },
	{ "waits_between_lines.wait_ns", "sum of their waits" },
	{ "rank", "rank in MPI_COMM_WORLD that recorded the row" },
	{ "thread", "thread of the rank, 0 the first that called MPI" },
	{ "key", "name of the fact" },
	{ "tier", "how two ranks are joined: self, node (shared memory), network" },
	{ "peer", "rank on the other side; NULL: none (MPI_PROC_NULL)" },
	{ "link_param.peer",
		"lowest rank of the hosts on the other side, if these are of another kind than the "
		"rank's own (CPUs of another name or number); NULL: any peer of the tier" },
	{ "link.peer",
		"lowest rank of the hosts on the other side, if these are of another kind; NULL: "
		"any peer of the tier" },
	{ "peer_world",
		"world of the peer (its records are in world-<n>, 0: beside these worlds); NULL: "
		"the rank's own; -1: an unknown one" },
	{ "form", "blocking, nonblocking, persistent, partitioned" },
	{ "link_param.form", "send form that the value is for (send, isend, ...); NULL: any" },
	{ "layout", "contiguous or strided; NULL: any" },
	{ "model", "model that the parameter belongs to: LogGPS, ..." },
	{ "link_param.name",
		"name of the parameter; age: seconds since an earlier set was measured, at the "
		"launch; drift: by how much the shortest calls differ from their prediction; "
		"scale: time of messages divided by the calibrated time, which differs if caches "
		"hold the messages or memory is busy; scale_next: the scale of further messages in "
		"one call; noise_seen: differences between times of messages of this length that "
		"are no wait" },
	{ "value", "its value" }, { "link_param.value", "value, in `unit`; NULL: not identified" },
	{ "unit", "ns, ns/B or B" }, { "ci_low", "lower end of the 95 % confidence interval" },
	{ "ci_high", "upper end of the 95 % confidence interval" },
	{ "source",
		"measured; cache: from an earlier launch or tryst calibrate, confirmed by a check; "
		"unconfirmed: as cache, but no check confirmed it, and the machine was too busy to "
		"measure; file; learned; default" },
	{ "link_param.reason", "why the value is NULL; for age: who measured the set" },
	{ "reason", "why the value is NULL" }, { "input.reason", "what is wrong with the file" },
	{ "L_ns", "latency of the network" }, { "o_ns", "overhead of a message on either side" },
	{ "one_way_ns", "2o+L: a short message from one side to the other" },
	{ "rendezvous_ns", "T4+T5: the handshake of a rendezvous message" },
	{ "O_ss", "overhead a byte of sending a short message" },
	{ "O_sl", "overhead a byte of sending a long message" },
	{ "O_rs", "overhead a byte of receiving a short message" },
	{ "O_rl", "overhead a byte of receiving a long message" },
	{ "G_s", "gap a byte of short messages [ns/B]" },
	{ "G_l", "gap a byte of long messages [ns/B]" },
	{ "short_max_bytes", "s: largest short message" },
	{ "eager_max_bytes", "S: largest message that is sent without its receive being posted" },
	{ "local_max_bytes",
		"S_p: largest message whose send completes without the receiver's progress" },
	{ "async_progress", "1 where large transfers move while the program computes" },
	{ "callsite", "callsite of the call that posted; numbers are the rank's own" },
	{ "computation.callsite", "callsite of the call that the thread entered next" },
	{ "computation.after_callsite", "of the call that it left before; NULL: MPI_Init" },
	{ "computation.thread", "thread of the rank; below 0: one that never called MPI" },
	{ "samples", "number of samples" },
	{ "computation.cpu_ns", "CPU time that they stand for" },
	{ "off_cpu.thread", "thread of the rank; below 0: one that never called MPI" },
	{ "off_cpu.enter_ns", "when it lost the CPU" },
	{ "off_cpu.leave_ns", "when it had one again" }, { "off_ns", "how long" },
	{ "off_cpu.what",
		"preempted: ready to run, outside of calls; gave_up: asleep or blocked outside of "
		"calls, including the time until it had a CPU again; polling: ready to run inside "
		"a call, in which it may have yielded" },
	{ "off_cpu.callsite", "of the call that it entered next; polling: of the call it was in" },
	{ "off_cpu.after_callsite", "of the call that it left before; NULL: MPI_Init, or polling" },
	{ "off_cpu_id", "number of the row" },
	{ "off_cpu_row_fields.enter", "when the thread lost the CPU" },
	{ "off_cpu_row_fields.span", "how long it had none" },
	{ "off_cpu_row_fields.thread", "thread of the rank; below 0: one that never called MPI" },
	{ "off_cpu_row_fields.callsite",
		"of the call entered next; polling: of the call it was in" },
	{ "off_cpu_row_fields.after", "callsite of the call left before; 0: MPI_Init, or polling" },
	{ "cpu_time.cpu_ns", "CPU time from the end of MPI_Init to MPI_Finalize" },
	{ "outside_ns", "samples outside of calls" }, { "inside_ns", "samples inside calls" },
	{ "kernel_ns",
		"CPU time in the kernel, inside and outside of calls; NULL if samples were lost" },
	{ "host", "name of the rank's host" }, { "cpu_loss.count", "number of losses" },
	{ "loss_ns", "their sum" }, { "longest_ns", "the longest one" },
	{ "below_100us", "losses shorter than 100 us" }, { "below_1ms", "shorter than 1 ms" },
	{ "below_10ms", "shorter than 10 ms" }, { "below_100ms", "shorter than 100 ms" },
	{ "longer", "100 ms and longer" },
	{ "since_1ms", "losses less than 1 ms after the one before" },
	{ "since_10ms", "less than 10 ms after it" },
	{ "since_100ms", "less than 100 ms after it" }, { "since_1s", "less than 1 s after it" },
	{ "since_longer", "1 s and more after it" },
	{ "schedstat_ns",
		"the kernel's sum of all times in which the first thread was ready to run and had "
		"no CPU, also inside calls" },
	{ "incomplete", "1: records were lost, or threads had none, so losses are missing" },
	{ "site", "the same number where the stack is the same, on all ranks of run.db" },
	{ "frame", "0: the innermost" }, { "build_id", "identifies the module's file" },
	{ "module", "path of the program or library" },
	{ "offset", "return address, less the module's load address" },
	{ "function",
		"function; NULL: unknown, or not named yet. tryst collect names the callsites in "
		"the files of all ranks; in runs of up to 64 ranks, the first merge or report "
		"does. A file that must not be written stays unnamed" },
	{ "file", "source file" }, { "io.file", "number of the file, in the order of opening" },
	{ "io_file.file", "number of the file, in the order of opening" },
	{ "io_by_file.file", "number of the file, in the order of opening" },
	{ "io_file.name", "its name as it was opened" }, { "io_by_file.name", "name of the file" },
	{ "io_file.amode", "access mode, the library's MPI_MODE_* added up" },
	{ "io.seq", "number of a collective call on the file, equal on all members" },
	{ "io_id", "number of the operation, by completion" },
	{ "rma_id", "number of the operation, by completion" },
	{ "members", "ranks whose calls are known" },
	{ "rma_wait.wait_ns", "time until the last member came, or until the call returned" },
	{ "collective_wait.wait_ns",
		"time from the entry until the late member came, or until the call returned" },
	{ "collective_wait.start_ns",
		"when the wait began, since the entry of the call in which it waited" },
	{ "collective_wait_by_callsite.wait_ns", "sum of these waits" },
	{ "collective_wait_by_communicator.wait_ns", "sum of these waits" },
	{ "collective_wait_by_late_rank.wait_ns", "sum of these waits" },
	{ "rma_wait.seq", "number of the call on the window, equal on all members" },
	{ "rma.seq", "number of a collective call on the window, equal on all members" },
	{ "disp_unit", "displacement unit in bytes" },
	{ "rma_window.bytes", "of this rank's part" },
	{ "rma.peer", "target rank; NULL: none, or not one alone" },
	{ "max_blocked_ns", "the longest single blocked_ns" },
	{ "input.file", "path of the database; empty in an archive" },
	{ "line", "line in the source file" },
	{ "comm", "number of the communicator on this rank" },
	{ "uid", "the same on all members of the communicator" },
	{ "parent", "communicator that it was made from" },
	{ "maker", "MPI function that made it" }, { "size", "ranks in it" },
	{ "my_rank", "this rank's number in it" }, { "name", "name that the program gave" },
	{ "remote_size", "ranks in the remote group; NULL: an intracommunicator" },
	{ "op_id",
		"number of the op on its rank, from 1, in the order of posting; a receive of a "
		"message that MPI_Mprobe or MPI_Improbe took is numbered at that probe" },
	{ "pending.op_id", "number of the op; of a collective its seq; NULL: any other call" },
	{ "in_call.op_id", "op_id of the op in flight in the call" },
	{ "in_call.seq", "number of the collective in its communicator; NULL: the call is none" },
	{ "kind", "send or recv" },
	{ "pending.kind", "send, recv, collective, or call: a call that had not returned" },
	{ "mode", "standard, buffered, synchronous or ready" },
	{ "call", "MPI function that posted it (persistent: MPI_Start)" },
	{ "in_call.call", "MPI function" }, { "call_profile.call", "MPI function" },
	{ "asked_peer", "peer that was asked for; NULL: MPI_ANY_SOURCE" },
	{ "tag", "tag of the message" },
	{ "asked_tag", "tag that was asked for; NULL: MPI_ANY_TAG" },
	{ "not_there",
		"rank that the call names but its communicator lacks: an error; -1: a rank below "
		"0" },
	{ "bytes", "payload" },
	{ "link_param.bytes", "size of message that the value is for; NULL: any" },
	{ "protocol", "short (up to s), eager (up to S) or rendezvous" },
	{ "post_enter_ns", "when the posting call was entered" },
	{ "post_leave_ns", "when it returned; NULL: it did not" },
	{ "complete_call", "MPI function that completed it" },
	{ "complete_enter_ns", "when the completing call was entered" },
	{ "complete_leave_ns", "when it returned" },
	{ "blocked_ns", "time blocked in the completing call, this op's share" },
	{ "predicted_ns",
		"what the model predicts for that share if nobody had been late; exact waits "
		"within a node take it at the pace of the run's own messages" },
	{ "excess_ns", "blocked - predicted" },
	{ "wait_ns",
		"the excess if it is above the noise, else 0. For the first message of a pair, "
		"which may set up the connection, it is 0. excess_ns has this time, and the "
		"exact_ tables have the part in which the other side was late" },
	{ "max_wait_ns", "the longest single wait" },
	{ "cause_hint",
		"late_sender, late_receiver, late_progress, flow_control, as one side can know "
		"it" },
	{ "poll_ns",
		"time from the first unsuccessful test for the op to its success. After more than "
		"50 us outside MPI, the time begins anew" },
	{ "complete_callsite", "callsite of the completing call" },
	{ "flags", "any_source, first (of the pair: connection set-up), strided, ..." },
	{ "op_key", "the op's key over all ranks: (rank << 40) + op_id; searched by index" },
	{ "seq", "number on its communicator, equal on all members" },
	{ "root", "root of the operation; NULL: none" }, { "sent_bytes", "bytes sent" },
	{ "recv_bytes", "bytes received" }, { "sent_count", "messages sent" },
	{ "recv_count", "messages received" }, { "enter_ns", "when it began" },
	{ "leave_ns", "when it ended" },
	{ "age_ns",
		"time from its post, or entry, until the last thing known of the rank; for a rank "
		"that died silently, until it was found dead" },
	{ "pending.cancelled",
		"1: a receive that MPI_Cancel was called for, and that no call completed" },
	{ "pending.in_call", "1: the posting call itself had not returned" },
	{ "window", "number of the window, in the order of making" },
	{ "at_ns", "when, on the rank's clock" }, { "level", "level of MPI_Pcontrol" },
	{ "phase.name", "name of the phase" },
	{ "phase.seq", "number of the phase on its rank, by its begin" },
	{ "phase", "name of the phase; NULL: outside all" },
	{ "wait_by_phase.kind", "send, recv, collective, rma or io" },
	{ "wait_by_phase.wait_ns",
		"waits of messages; NULL: not known for this kind, or nothing was predicted" },
	{ "phase_profile.max_ns", "the longest one" },
	{ "phase_profile.time_ns", "time in all of them" },
	{ "offset_ns", "the reference's clock showed at_ns + offset_ns" },
	{ "error_ns", "bound of the offset's error; NULL: unknown" },
	{ "reference", "rank whose clock is the reference" },
	{ "model_error.error_ns", "blocked - predicted, summed" },
	{ "error_percent", "the same as a percentage of the prediction" }, { "count", "how many" },
	{ "time_ns", "time inside the calls" }, { "mpi_ns", "time inside MPI calls" },
	{ "outside_ns", "wall_ns less mpi_ns and tool_ns: the program's own time" },
	{ "wall_ns", "time from the end of MPI_Init to the entry of MPI_Finalize" },
	{ "max_ns", "the longest single call" }, { "tool_ns", "tryst's own time in these calls" },
	{ "errors", "how many of them returned an error code" },
	{ "thread_time.tool_ns", "tryst's own time in the thread's calls" },
	{ "bytes_log2", "n for sizes from 2^(n-1) to below 2^n; 0 for empty messages" },
	{ "min_bytes", "smallest size, from its power of two" },
	{ "max_bytes", "largest size, from its power of two" },
	{ "remedy", "what would remove the wait, 'raise S'; 'unknown' where one side cannot know" },
	{ "unconfirmed", "1: no check confirmed the link's numbers" },
	{ "send_rank", "rank that sent" }, { "send_op", "its op_id" },
	{ "recv_rank", "rank that received" }, { "recv_op", "its op_id" },
	{ "send_enter_ns", "when the send was posted, on the common clock" },
	{ "recv_enter_ns", "when the receive was posted, on the common clock" },
	{ "waiting_rank", "the rank that waited; NULL: neither" },
	{ "late_ns", "the other side's post came after the blocking call was entered" },
	{ "progress_ns", "the other side was outside MPI while its progress was needed" },
	{ "order_ns",
		"another message was there, was received later, and could have been worked on "
		"meanwhile" },
	{ "flow_ns", "messages before it had not been received" },
	{ "contention_ns", "other transfers shared the way" },
	{ "other_ns", "the rest of the excess, signed" },
	{ "no_cpu_ns",
		"of these parts: what would not have been waited if a thread that was needed had "
		"always had a CPU" },
	{ "other_no_cpu_ns", "the part of no_cpu_ns that is in other_ns" },
	{ "blocked_outside_ns", "of lateness: the other side slept or was blocked outside MPI" },
	{ "no_cpu", "as no_cpu_ns of match" },
	{ "blocked_outside", "as blocked_outside_ns of match" },
	{ "unhidden_ns", "what a transfer begun at the post would have saved; in no sum" },
	{ "cause", "the largest part; NULL where nobody waited" },
	{ "send_key", "op_key of the send" }, { "recv_key", "op_key of the receive" },
	{ "matched", "1: matched" }, { "match_summary.reason", "why it was not matched" },
	{ "unmatched.reason", "not_received or not_sent" }, { "ops", "how many ops" },
	{ "match_info.key", "name of the number" }, { "match_info.value", "the number" },
	{ "waits", "how many of them waited" },
	{ "lateness_ns",
		"of ops with a late_ns: time from the entry of the call in which they blocked to "
		"the other side's post. Each counts in full, so the times of one call overlap" },
	{ "order_same_ns", "of order_ns, where the other message was of the same sender" },
	{ "exact_by_cause.bytes", "payload of the waits that are counted" },
	{ "exact_by_cause.call_id", "number of call" }, { "max_lateness_ns", "the longest one" },
	{ "live_ns", "the waits as they were seen live" },
	{ "live_blocked_ns", "blocked_ns as it was shared live" },
	{ "exact_profile.max_bytes", "largest size" },
	{ "earlier_ns", "by how much earlier the other side should act, mean" },
	{ "earlier_max_ns", "the same, at most" },
	{ "collective_wait.state",
		"wait_at_barrier, wait_at_nxn, late_broadcast, early_reduce (until the first "
		"member came), early_scan, late_member (after these, until the last member came, "
		"or the one that held up the library's own way through the members), late_progress "
		"(of nonblocking ones, after these: a member that had posted was outside MPI)" },
	{ "collective_wait_by_callsite.state", "as in collective_wait" },
	{ "collective_wait_by_communicator.state", "as in collective_wait" },
	{ "collective_wait_by_late_rank.state", "as in collective_wait" },
	{ "late_rank", "rank that was waited for" }, { "bias_ns", "mean of live - exact" },
	{ "on_cpu_count", "how many without those that lost their CPU" },
	{ "on_cpu_bias_ns", "bias_ns of these" },
	{ "on_cpu_median_error_ns", "median_error_ns of these" },
	{ "on_cpu_right_cause", "right_cause of these" },
	{ "on_cpu_error_ns", "error_ns of these" },
	{ "on_cpu_error_percent", "error_percent of these" },
	{ "message", "call, kind and protocol of the op in one number" },
	{ "model_lost_cell_fields.count", "sends that lost their CPU" },
	{ "model_lost_cell_fields.predicted_ns", "what was predicted for them" },
	{ "model_lost_cell_fields.excess_ns", "how much longer they blocked, live" },
	{ "median_error_ns", "median of |live - exact|, to 12 %" },
	{ "right_cause",
		"share of waits whose live hint is the exact cause, or the cause that held the op "
		"while another op of its call has the time" },
	{ "what",
		"call: the call, with the polling that it ended. All others lie before this call. "
		"computation; other_call: MPI calls without a row of their own, such as "
		"MPI_Comm_free and polling that no op ended; not_recorded: no rows were kept of "
		"this time (TRYST_MAX_OPS); start: MPI_Init, which others had left" },
	{ "after_callsite", "callsite of the call before that" },
	{ "direct_ns", "cost of waits for this rank" },
	{ "passed_ns",
		"cost of waits for others, which were late because they waited for this rank" },
	{ "blame.no_cpu_ns",
		"of blame_ns: the late thread was ready to run and had no CPU, longer than the "
		"waiting one" },
	{ "blame.blocked_outside_ns", "of blame_ns: it slept or was blocked outside MPI" },
	{ "critical_path.no_cpu_ns", "of path_ns: the thread was ready to run and had no CPU" },
	{ "critical_path.blocked_outside_ns", "of path_ns: it slept or was blocked outside MPI" },
	{ "collective_wait.no_cpu_ns", "of wait_ns: CPU loss of the late member" },
	{ "collective_wait.blocked_outside_ns",
		"of wait_ns: the late member slept or was blocked outside MPI" },
	{ "blame_cell_fields.no_cpu", "as no_cpu_ns of blame, in 1/256 ns" },
	{ "blame_cell_fields.blocked", "as blocked_outside_ns of blame, in 1/256 ns" },
	{ "critical_path_cell_fields.no_cpu_ns", "as in critical_path" },
	{ "critical_path_cell_fields.blocked_ns", "as blocked_outside_ns of critical_path" },
	{ "blame_ns", "both together" }, { "path_ns", "time on the critical path" },
	{ "imbalance_ns", "its part beyond the mean of all ranks' time in the same activity" },
	{ "percent", "share of the critical path" },
	{ "file_bytes", "size of the file when it was read; null: it could not be opened" },
	{ "mtime_ns", "its time of change, since 1970" },
	{ "state", "whole, unfinished, partial (damaged, used as far as it goes) or left_out" },
	{ "id", "key of the row over all ranks; searched by index" },
	{ "code", "several numbers in one, which the columns behind it show" },
	{ "post", "when the posting call was entered" },
	{ "span", "time in that call; NULL: it did not return" },
	{ "predicted", "what the model predicts; NULL: nothing" },
	{ "done", "completing call and its callsite in one; NULL: the post; 0: pending" },
	{ "gap",
		"from the post's return to the entry of the completing call; NULL: the post "
		"completed it" },
	{ "complete", "time in the completing call; NULL: the post completed it" },
	{ "blocked", "share of the completing call; NULL: all of it" },
	{ "poll", "polling time; NULL: 0" }, { "enter", "when the call was entered" },
	{ "object", "number of the window or file; 0: none" },
	{ "in_call_row_fields.op", "id in op_row_fields of the op in flight in it" },
	{ "send", "id of the send in op_row_fields" },
	{ "recv", "id of the receive in op_row_fields" },
	{ "send_enter", "when the send was posted, on the common clock" },
	{ "recv_enter", "when the receive was posted, less send_enter" },
	{ "late", "as late_ns of match" }, { "progress", "as progress_ns of match" },
	{ "wrong_order", "as order_ns of match" }, { "flow", "as flow_ns of match" },
	{ "contention", "as contention_ns of match" }, { "other", "as other_ns of match" },
	{ "unhidden", "as unhidden_ns of match" },
	{ "receives_too",
		"how many of the waits were sends in a call that waited as long for a message" },
	{ "exact_done_cell_fields.done_callsite", "callsite of the call in which the op waited" },
	{ "wait", "how long" },
	{ "start", "when the wait began, since the entry of the call in which it waited" },
	{ "slot", "which of 128 equal parts of the run" }, { "ns", "waits in this part" },
	{ "error_class",
		"eight an octave of |live - exact|: x below 8, then 8 log2(x) and three bits" },
	{ "agreed", "how many live hints were the exact cause" },
	{ "accuracy_cell_fields.error_ns", "live - exact, summed" },
	{ "blame_of_row_fields.n", "number of the bottleneck, from 1" },
	{ "after", "callsite of the call before; 0: none" },
	{ "direct", "as direct_ns of blame, in 1/256 ns" },
	{ "passed", "as passed_ns of blame, in 1/256 ns" },
	{ "of1", "part of both for waits of bottleneck 1 in blame_of_row_fields" },
	{ "of2", "the same of 2" }, { "of3", "the same of 3" }, { "of4", "the same of 4" },
	{ "of5", "the same of 5" }, { "of6", "the same of 6" }, { "of7", "the same of 7" },
	{ "of8", "the same of 8" }, LAYOUT_COLUMN_DOCS{ NULL, NULL } };

/* Each name follows a space. */
const struct table_group table_groups[] = {
	{ "The run and its machine",
		" run clock link link_param cpu_time cpu_loss off_cpu computation thread_time" },
	{ "Places and things of the program",
		" callsite communicator rma_window io_file phase phase_profile" },
	{ "Calls and messages, a row each", " calls op waits collective rma io busy" },
	{ "Ends that were not reached", " in_call pending unmatched" },
	{ "Profiles, as each side knows them",
		" call_profile wait_profile wait_by_protocol wait_by_cause wait_by_callsite "
		"wait_by_peer wait_by_phase comm_matrix rendezvous_bottlenecks rma_by_callsite "
		"io_by_file model_error" },
	{ "Exact waits, after tryst analyze",
		" match match_summary match_info waits_between_lines exact_profile "
		"exact_by_callsite exact_by_cause exact_by_pair exact_by_communicator "
		"exact_by_protocol rendezvous_exact unhidden live_accuracy rma_wait" },
	{ "Waits in collectives",
		" collective_wait collective_wait_by_callsite collective_wait_by_communicator "
		"collective_wait_by_late_rank" },
	{ "Reasons, and what would help",
		" blame critical_path scenario scenario_rank scenario_callsite scenario_path" },
	{ "How run.db was made", " input merge_info" }, { NULL, NULL }
};

sqlite3 *tables_open(void)
{
	sqlite3 *db;

	if (db_open_memory(&db) != 0 || db_make_schema(db, NULL) != 0 ||
		db_exec_quiet(db, sql_db_merge_tables) != 0 ||
		db_exec_quiet(db, sql_db_scenario_tables) != 0) {
		sqlite3_close(db);
		return NULL;
	}
	return db;
}

const struct table_doc *table_doc_find(const char *table)
{
	for (const struct table_doc *t = table_docs; t->name; t++)
		if (strcmp(t->name, table) == 0)
			return t;
	return NULL;
}

const struct column_doc *column_doc_find(const char *table, const char *column)
{
	const struct column_doc *general = NULL;
	size_t length = strlen(table);

	for (const struct column_doc *c = column_docs; c->name; c++) {
		if (strncmp(c->name, table, length) == 0 && c->name[length] == '.' &&
			strcmp(c->name + length + 1, column) == 0)
			return c;
		if (strcmp(c->name, column) == 0)
			general = c;
	}
	return general;
}
