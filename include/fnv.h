/* SPDX-License-Identifier: BSD-3-Clause */
/* fnv.h: the hash FNV-1a of 64 bits. */
#ifndef TRYST_FNV_H
#define TRYST_FNV_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FNV_START UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* `hash` goes on with these bytes; FNV_START is the hash of none. */
static inline uint64_t fnv_bytes(uint64_t hash, const void *data, size_t bytes)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ byte[i]) * FNV_PRIME;
	return hash;
}

/* The same with a text, without its NUL. */
static inline uint64_t fnv_text(uint64_t hash, const char *text)
{
	return fnv_bytes(hash, text, strlen(text));
}

#endif
