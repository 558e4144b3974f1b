#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=60
# tryst report without a directory reports the newest run here.
. "${TEST_SRC:-.}/tests/lib.sh"

spoolgen=$TEST_BUILD/tests/spoolgen
mkdir empty here
check "nothing lies here" sh -c 'cd empty && ! "$1" report 2>err && grep -q "no run lies here: tryst report DIR" err' sh "$TRYST"
for run in old new mid; do
	check "$run is simulated" sh -c '"$1" -n 2 -r 20 -l 0 -s 3 here/"$2" >/dev/null' sh "$spoolgen" $run
	[ -f here/$run/tryst.run ] || echo "tryst run 00000000000000${#run}a" >here/$run/tryst.run
done
touch -d '2020-01-01' here/old/tryst.run
touch -d '2021-01-01' here/mid/tryst.run
mkdir here/later
check "the newest run is reported, and named" sh -c 'cd here && "$1" report -s summary 2>&1 >got | grep -q "the newest run here, .new.$"' sh "$TRYST"
check "it is what is reported" sh -c 'cd here && "$1" report -s summary new 2>/dev/null | cmp - got' sh "$TRYST"
touch -d '2030-01-01' here/old/tryst.run
check "by when it began" sh -c 'cd here && "$1" report -s summary 2>&1 >got | grep -q "the newest run here, .old.$"' sh "$TRYST"
check "a run's own directory is that run" sh -c 'cd here/mid && "$1" report -s summary 2>&1 >got | grep -q "the newest run here, .\..$"' sh "$TRYST"
cp -r here/new here/new.2
touch -d '2031-01-01' here/new.2/tryst.run
check "a run that tryst run put next to it later is named" sh -c '"$1" report -s summary here/new/ 2>&1 >got | grep -q "a later run is in .here/new.2.$"' sh "$TRYST"
check "not one that was before" sh -c 'touch -d 2000-01-01 here/new.2/tryst.run && ! "$1" report -s summary here/new 2>&1 >got | grep "later run"' sh "$TRYST"
finish
