/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit.h: the main() of a CUnit program.
 *
 *	static const struct unit_test tests[] = {
 *		{ "the median of two values is their mean", median_of_two },
 *		{ NULL, NULL }
 *	};
 *	int main(void) { return unit_main("robust", tests); }
 */
#ifndef TRYST_UNIT_H
#define TRYST_UNIT_H

#include <CUnit/Basic.h>
#include <stdio.h>

/*
 * Of a function whose address is judged: compilers would else make copies of it for some arguments.
 */
#if __has_attribute(noipa)
#define ONE_COPY __attribute__((noipa))
#else
#define ONE_COPY __attribute__((noinline))
#endif

struct unit_test {
	const char *sentence;
	void (*run)(void);
};

/* Runs all tests, up to the one without a name. Returns 0 if nothing failed, else 1. */
static inline int unit_main(const char *module, const struct unit_test *tests)
{
	CU_pSuite suite;
	int failed = 1;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	suite = CU_add_suite(module, NULL, NULL);
	for (; suite && tests->run; tests++)
		if (!CU_add_test(suite, tests->sentence, tests->run))
			suite = NULL;
	if (suite) {
		CU_basic_set_mode(CU_BRM_VERBOSE);
		CU_basic_run_tests();
		failed = CU_get_number_of_tests_run() == 0 || CU_get_number_of_failures() > 0;
	} else {
		fprintf(stderr, "%s: %s\n", module, CU_get_error_msg());
	}
	CU_cleanup_registry();
	return failed;
}

#endif
