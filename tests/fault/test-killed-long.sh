#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: long timeout=7200
# test-killed.sh, hundreds of times.
TEST_KILLS=${TEST_KILLS:-60}
export TEST_KILLS
exec sh "$TEST_SRC/tests/fault/test-killed.sh"
