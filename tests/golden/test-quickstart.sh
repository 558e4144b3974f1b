#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A step of quickstart tells that it goes on, in a log once a minute; what fails shows its output.
. "${TEST_SRC:-.}/tests/lib.sh"
need script bsdutils

{
	echo 'log=$PWD/log'
	sed -n '/^die()/,/^}/p; /^minute=/p; /^tick()/,/^}/p; /^step()/,/^}/p' "$TEST_SRC/quickstart"
	echo 'step "a slow step" sh -c "echo compiling; sleep 3"'
	echo 'step "one that fails" sh -c "echo no such file; exit 3"'
} >steps
sh steps >out 2>err
expect "a step that fails ends it" $? 1
expect "in a log there is a line a step" "$(cat out)" "a slow step ...
one that fails ..."
sed 's/^minute=60/minute=2/; s/sleep 3/sleep 6/' steps >quick
sh quick >slow 2>/dev/null
check "a minute later it says so, and where its output is" grep -q "^  still at it, 1 min; its output is in $PWD/log" slow
check "and what failed" grep -q "no such file" err
expect "its help is its first comment" "$("$TEST_SRC/quickstart" -h)" \
	"$(sed -n '3,/^$/{s/^# \{0,1\}//p}' "$TEST_SRC/quickstart")"
script -qec 'sh steps' /dev/null >terminal </dev/null
check "on a terminal time goes on" grep -q " 1 s  compiling" terminal
check "and is gone at the end" sh -c 'tr "\r" "\n" <terminal | tail -n 3 | grep -q "quickstart: one that fails: failed"'
finish
