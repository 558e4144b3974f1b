/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A C++ program whose exceptions pass frames from which callsites were taken. Prints what a throw
 * costs before libunwind was loaded and afterwards, and fails if the unwinder has changed or a
 * callsite has.
 */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <stdexcept>

struct callsite_cache;
extern "C" {
int callsite_start(unsigned depth, const char *libunwind,
	void (*emit)(void *, const void *, size_t), void *context, char *why, size_t why_bytes);
struct callsite_cache *callsite_cache_new(void (*spent)(void *, unsigned, uint32_t, uint64_t),
	void *context);
uint32_t callsite_get(struct callsite_cache *, unsigned, void *, void *);
}

static struct callsite_cache *cache;
static uint32_t last_id;

static void drop(void *, const void *, size_t)
{
}

static __attribute__((noinline)) void call()
{
	last_id = callsite_get(cache, 1, __builtin_return_address(0), __builtin_frame_address(0));
}

struct guard {
	unsigned *count;
	~guard()
	{
		++*count;
	}
};

static __attribute__((noinline)) void dive(unsigned depth, unsigned *unwound)
{
	guard g{unwound};

	if (depth > 0) {
		dive(depth - 1, unwound);
		return;
	}
	call();
	throw std::runtime_error("thrown");
}

/* Nanoseconds a throw through six frames, the best of rounds; negative where one went astray. */
static double throw_ns(uint32_t *id)
{
	enum { ROUNDS = 25, THROWS = 100 };
	double best = 1e9;

	for (int round = 0; round < ROUNDS; round++) {
		auto begin = std::chrono::steady_clock::now();

		for (int i = 0; i < THROWS; i++) {
			unsigned unwound = 0;

			try {
				dive(5, &unwound);
				return -1;
			} catch (const std::runtime_error &error) {
				if (unwound != 6 || std::strcmp(error.what(), "thrown") != 0)
					return -2;
			}
			if (*id && last_id != *id)
				return -3;
			*id = last_id;
		}
		std::chrono::duration<double, std::nano> took =
			std::chrono::steady_clock::now() - begin;
		best = std::min(best, took.count() / THROWS);
	}
	return best;
}

int main()
{
	void *unwinder = dlsym(RTLD_DEFAULT, "_Unwind_RaiseException");
	char why[256] = "";
	uint32_t id = 0;
	double before, after;

	before = throw_ns(&id);
	if (callsite_start(8, nullptr, drop, nullptr, why, sizeof(why)) < 0) {
		std::printf("%s\n", why);
		return 1;
	}
	cache = callsite_cache_new(nullptr, nullptr);
	after = throw_ns(&id);
	std::printf("a throw: %.0f ns before, %.0f ns with callsites, ratio %.2f\n", before, after,
		after / before);
	if (before < 0 || after < 0 || id < 2)
		return 2;
	if (dlsym(RTLD_DEFAULT, "_Unwind_RaiseException") != unwinder ||
		dlsym(RTLD_DEFAULT, "unw_step"))
		return 3;
	return after < 2 * before ? 0 : 4;
}
