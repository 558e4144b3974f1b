#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# contrib/gauss/tables.awk shows results.csv in the form of Tables 7 and 10 of the LogGPS paper.
. "${TEST_SRC:-.}/tests/lib.sh"

printf 'n,program,S,model,seconds\n%s' "$(for what in original,16383 original,65536 fragmented,16383; do
	echo "256,$what,measured,2.0"
	echo "256,$what,replay,2.1"
	echo "256,$what,LogGPS,1.9"
	echo "256,$what,LogGP-1,3.0"
	echo "256,$what,LogGP-2,1.0"
done)" >results.csv
$awk -F, -f "$TEST_SRC/contrib/gauss/tables.awk" results.csv >tables
expect "a table as Table 7 has the errors of LogGPS" "$($awk '$1 == 256' tables | sed -n 1p | tr -s ' |' ' ')" \
	" 256 2.000 1.900 -5.0 2.000 1.900 -5.0 2.000 1.900 -5.0"
expect "a table as Table 10 those of LogGP" "$($awk '$1 == 256' tables | sed -n 2p | tr -s ' |' ' ')" \
	" 256 3.000 50.0 1.000 -50.0 3.000 50.0 1.000 -50.0 3.000 50.0 1.000 -50.0"
finish
