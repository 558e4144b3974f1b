#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: long timeout=7200
# The table of faults at length, against the library. The commands have a test of their own, since both parts
# make files in the folder that a test is given, under the same names.
FAULTS_MAX=${FAULTS_MAX:-60}
export FAULTS_MAX
exec sh "$TEST_SRC/tests/fault/test-faults.sh"
