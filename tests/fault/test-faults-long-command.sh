#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: long timeout=7200
# The table of faults at length, against the commands.
FAULTS_MAX=${FAULTS_MAX:-60}
export FAULTS_MAX
exec sh "$TEST_SRC/tests/fault/test-faults-command.sh"
