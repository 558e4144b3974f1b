#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: long timeout=3600
# test-valgrind.sh over more programs and all MPI libraries.
TEST_VALGRIND_LONG="requests collectives comms errors doomed threads hammer mpi4 calls"
export TEST_VALGRIND_LONG
exec sh "$TEST_SRC/tests/sanitize/test-valgrind.sh"
