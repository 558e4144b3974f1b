/* SPDX-License-Identifier: BSD-3-Clause */
/* test_array.c: arrays grow, and report a lack of memory. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/base/array.h"
#include "tests/unit/unit.h"

static void items_stay_where_room_grows(void)
{
	uint32_t *item = NULL, room = 0, moved = 0;

	for (uint32_t n = 0; n < 100000; n++) {
		const uint32_t before = room;

		CU_ASSERT_FATAL(array_room(&item, sizeof(*item), &room, n) == 0);
		CU_ASSERT_FATAL(room > n);
		moved += room != before;
		item[n] = n;
	}
	for (uint32_t n = 0; n < 100000; n++)
		CU_ASSERT_FATAL(item[n] == n);
	CU_ASSERT(moved < 20);
	free(item);
}

static void a_far_item_has_room_at_once(void)
{
	char *text = NULL;
	uint32_t room = 0;

	CU_ASSERT_FATAL(array_room(&text, 1, &room, 1000) == 0);
	CU_ASSERT_EQUAL(room, 1001);
	text[1000] = 'x';
	free(text);
}

static void new_items_are_zero(void)
{
	uint64_t *item = NULL;
	uint32_t n = 0;

	CU_ASSERT_FATAL(array_cover(&item, sizeof(*item), &n, 0) == 0);
	CU_ASSERT_EQUAL(n, 1);
	for (uint32_t i = 3; i < 10000; i += i / 2) {
		const uint32_t before = n;

		CU_ASSERT_FATAL(array_cover(&item, sizeof(*item), &n, i) == 0);
		CU_ASSERT_FATAL(n > i);
		for (uint32_t k = before; k < n; k++) {
			CU_ASSERT_FATAL(item[k] == 0);
			item[k] = k;
		}
	}
	for (uint32_t k = 1; k < n; k++)
		CU_ASSERT_FATAL(item[k] == k);
	free(item);
}

static void impossible_sizes_leave_the_array_alone(void)
{
	static const uint64_t far[] = { UINT32_MAX, UINT32_MAX + UINT64_C(1), UINT64_MAX };
	uint64_t *item = NULL;
	uint32_t room = 0, n;

	CU_ASSERT_FATAL(array_room(&item, sizeof(*item), &room, 0) == 0);
	item[0] = 7;
	n = room;
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(array_room(&item, sizeof(*item), &room, far[i]), -ENOMEM);
		CU_ASSERT_EQUAL(array_cover(&item, sizeof(*item), &n, far[i]), -ENOMEM);
	}
	CU_ASSERT_EQUAL(array_room(&item, SIZE_MAX / 4, &room, room), -ENOMEM);
	CU_ASSERT(room == n && item[0] == 7);
	free(item);
}

static const struct unit_test tests[] = { { "items stay where room grows",
						  items_stay_where_room_grows },
	{ "a far item has room at once", a_far_item_has_room_at_once },
	{ "new items are zero", new_items_are_zero },
	{ "impossible sizes leave the array alone", impossible_sizes_leave_the_array_alone },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("array", tests);
}
