#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bytes.sh NAME FILE...: the bytes of the files, one after the other, as a struct html_asset NAME in C; none without files.
name=$1
shift
echo "static const unsigned char ${name}_bytes[] = {"
[ $# -eq 0 ] || cat "$@" | od -An -v -t u1 | sed 's/[0-9][0-9]*/&,/g'
echo "0 };"
echo "const struct html_asset $name = { .at = ${name}_bytes, .bytes = sizeof ${name}_bytes - 1 };"
