/* SPDX-License-Identifier: BSD-3-Clause */
/* assets.h: the files of the page; assets.c is made from them by make. */
#ifndef TRYST_HTML_ASSETS_H
#define TRYST_HTML_ASSETS_H

#include <stddef.h>

/* Bytes of a file, without an end. */
struct html_asset {
	const unsigned char *at;
	size_t bytes;
};

extern const struct html_asset html_style, html_program;

/* d3; no bytes: this build has none. */
extern const struct html_asset html_d3;

#endif
