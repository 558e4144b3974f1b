/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_observe.c: announced receives in a thread: what they cost, and how predictions follow them.
 */
#include <pthread.h>
#include <signal.h>

#include "tests/unit/unit.h"

static unsigned held_back;

static int count_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	held_back++;
	return pthread_sigmask(how, set, old);
}

/* A guest's system calls are counted. */
#define pthread_sigmask count_sigmask
#include "pmpi/record/observe.c"
#undef pthread_sigmask

#include "tests/unit/link_rows.h"

#define RECV KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING)

struct shim shim;
struct clock shim_clock = { .counter = false,
	.ns_per_tick = 1,
	.ns_mult = 1ULL << 32,
	.ticks_mult = 1ULL << 32 };
uint64_t repeat_generation = 1;

void ring_flush(struct thread *t)
{
	(void)t;
}

static struct call_sum sum;
static struct thread thread = { .sum = &sum };

static void begin(void)
{
	machine();
	CU_ASSERT_EQUAL(build(), 0);
	memset(follow, 0, sizeof(follow));
	memset(follows, 0, sizeof(follows));
	shim.link[TIER_NODE] = link;
	shim.have_link[TIER_NODE] = true;
	sum.tool_ticks = 0;
	held_back = 0;
}

static void some_announced(unsigned n, uint64_t bytes, double share, uint16_t flags)
{
	struct announced seen = { .bytes = bytes,
		.flags = flags,
		.link = TIER_NODE,
		.took_ticks = (uint64_t)(share * (double)live_blocking_ns(&link, RECV, 0, bytes)) };

	while (n--)
		observe_announced(&thread, &seen);
}

static void announced_receives_wait_in_their_thread_until_there_are_some(void)
{
	const uint64_t k = 300000, generation = repeat_generation;

	begin();
	some_announced(ANNOUNCED_KEPT - 1, k, 1.3, 0);
	CU_ASSERT_EQUAL(held_back, 0);
	CU_ASSERT_EQUAL(sum.tool_ticks, 0);
	CU_ASSERT_EQUAL(live_blocking_ns(&shim.link[TIER_NODE], RECV, 0, k),
		live_blocking_ns(&link, RECV, 0, k));
	some_announced(1, k, 1.3, 0);
	CU_ASSERT_EQUAL(held_back, 2);
	CU_ASSERT(sum.tool_ticks > 0);
	CU_ASSERT_DOUBLE_EQUAL((double)live_blocking_ns(&shim.link[TIER_NODE], RECV, 0, k),
		1.3 * (double)live_blocking_ns(&link, RECV, 0, k),
		0.01 * (double)live_blocking_ns(&link, RECV, 0, k));
	CU_ASSERT(repeat_generation > generation);
	CU_ASSERT_FALSE(follow_taken);
	some_announced(10 * ANNOUNCED_KEPT, k, 1.3, 0);
	CU_ASSERT_EQUAL(held_back, 22);
}

static void announced_receives_that_tell_nothing_are_not_kept(void)
{
	begin();
	some_announced(ANNOUNCED_KEPT, 300000, 1.3, OP_STRIDED);
	some_announced(ANNOUNCED_KEPT, 300000, 1.3, OP_FIRST);
	shim.have_link[TIER_NODE] = false;
	some_announced(ANNOUNCED_KEPT, 300000, 1.3, 0);
	CU_ASSERT_EQUAL(held_back, 0);
	CU_ASSERT_EQUAL(live_blocking_ns(&shim.link[TIER_NODE], RECV, 0, 300000),
		live_blocking_ns(&link, RECV, 0, 300000));
}

static const struct unit_test tests[] = {
	{ "announced receives wait in their thread until there are some",
		announced_receives_wait_in_their_thread_until_there_are_some },
	{ "announced receives that tell nothing are not kept",
		announced_receives_that_tell_nothing_are_not_kept },
	{ NULL, NULL }
};

int main(void)
{
	return unit_main("learn", tests);
}
