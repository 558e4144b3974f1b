/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causes.c: the table of causes. Message causes come first, then waits without a cause, then the
 * states of collective_wait.
 */
#include "analysis/text/causes.h"

#include <string.h>

const struct cause causes[] = {
	{ .name = "late_sender",
		.is_measured = true,
		.of_waits = "for late senders",
		.waits = "waits for late senders",
		.why = "late sender: {peer_call?the send}[ at {peer_place}] comes {late_mean_ns} "
		       "late on average",
		.remedy = "send {late_mean_ns} earlier, or receive later and compute meanwhile",
		.helps = "send earlier" },
	{ .name = "late_receiver",
		.is_measured = true,
		.of_waits = "for late receivers",
		.waits = "waits for late receivers",
		.why = "late receiver: {peer_call?the receive}[ at {peer_place}] comes "
		       "{late_mean_ns} late on average",
		.remedy = "post the receive {late_mean_ns} earlier",
		.helps = "post receive earlier" },
	{ .name = "late_progress",
		.is_measured = true,
		.of_waits = "for progress of the other side",
		.waits = "waits for progress",
		.why = "late progress: the other side computes for {mean_ns} on average while the "
		       "transfer needs it inside MPI",
		.remedy = "call MPI_Test while computing, or post and complete closer together",
		.helps = "call MPI more often" },
	{ .name = "wrong_order",
		.is_measured = true,
		.of_waits = "by wrong order",
		.waits = "waits by wrong order",
		.why = "wrong order: another message was there for {mean_ns} on average, and was "
		       "received later",
		.remedy = "work on the message that comes first (MPI_Irecv and MPI_Waitany)",
		.helps = "work on what came" },
	{ .name = "flow_control",
		.is_measured = true,
		.of_waits = "for room at receivers (flow control)",
		.waits = "waits by flow control",
		.why = "flow control: messages before it were not received for {mean_ns} on "
		       "average",
		.remedy = "receive earlier, or send fewer messages ahead",
		.helps = "receive earlier" },
	{ .name = "contention",
		.is_measured = true,
		.of_waits = "by contention",
		.waits = "contention",
		.why = "contention: the transfer took {mean_ns} longer than alone",
		.remedy = "spread the transfers over time",
		.helps = "spread messages" },
	{ .name = "unhidden_transfer",
		.waits = "unhidden transfers",
		.why = "unhidden transfer: {mean_ns} of each moved only in {peer_done_call}"
		       "[ at {peer_done_place}]",
		.remedy = "call MPI_Test while computing" },
	{ .name = "no_cpu",
		.is_measured = true,
		.of_waits = "for a CPU",
		.waits = "waits for a CPU",
		.why = "no CPU: a thread that was needed had none for {mean_ns} on average",
		.remedy = "give each rank a CPU of its own, or keep other work off its CPUs",
		.helps = "a CPU for each rank" },
	{ .name = "unexplained",
		.is_measured = true,
		.of_waits = "unexplained",
		.waits = "unexplained waits",
		.why = "unexplained by what both sides recorded: {mean_ns} on average",
		.remedy = "unknown" },
	{ .name = "unknown", .is_measured = true },
	{ .name = "not_recorded",
		.is_measured = true,
		.of_waits = "in messages without rows",
		.helps = "(live) --max-ops" },
	{ .name = "collective_skew" },
	{ .name = "wait_at_barrier",
		.is_measured = true,
		.of_waits = "for late ranks in barriers" },
	{ .name = "wait_at_nxn",
		.is_measured = true,
		.of_waits = "for late ranks in collectives of all" },
	{ .name = "late_broadcast",
		.is_measured = true,
		.of_waits = "for late roots of collectives" },
	{ .name = "early_reduce", .is_measured = true, .of_waits = "of roots for late ranks" },
	{ .name = "early_scan", .is_measured = true, .of_waits = "for lower ranks in scans" },
	{ .name = "late_member",
		.is_measured = true,
		.of_waits = "for late members of collectives" },
	{ 0 }
};

const struct cause *cause_find(const char *name)
{
	const struct cause *c = causes;

	while (c->name && !(name && strcmp(c->name, name) == 0))
		c++;
	return c;
}
