#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tryst model: published sets predict what their equations say; wrong input is told.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

predict() {
	"$TRYST" model predict "$@" -f csv | tail -n 1
}

# Table 5, Fast Ethernet: o 22340, L 24580; 100 B short: 12.37, 188.77, 11.53 ns/B
expect "short" "$(predict loggps-fast-ethernet -b 100)" "100,23577.0,90527.0,90527.0,181054.0"
expect "rendezvous, the receiver 1 ms late" \
	"$(predict loggps-fast-ethernet -b 20000 --late-receiver 1ms | cut -d, -f1,2)" \
	"20000,1308540.0"
expect "a late sender makes the receive longer" \
	"$(predict loggps-fast-ethernet -b 100 --late-sender 5us | cut -d, -f3)" "95527.0"
expect "w hides the flight" "$(predict loggps-fast-ethernet -b 0 -w 1s | cut -d, -f5)" "1000044680.0"
expect "w is in a round trip, not in a call" "$(predict loggps-fast-ethernet -b 0 -w 1s)" "0,,,,1000044680.0"
expect "a late side is in a call, not in a round trip" "$(predict loggps-fast-ethernet -b 0 --late-sender 5us)" \
	"0,22340.0,74260.0,69260.0,"
check "and that is said" sh -c '"$1" model predict loggps-myrinet -w 1s | grep -q \
	"^Not predicted: send, recv, message: its equation has no delay w"' sh "$TRYST"
# S = 64 KiB - 1: 20000 B are eager, 22340 + 20000 * 9.73; o and L take the sums of a fit along
expect "with another S" "$(predict loggps-fast-ethernet -b 20000 --set S=65535 | cut -d, -f1,2)" "20000,216940.0"
expect "with another o and L" "$(predict loggps-fast-ethernet -b 0 --set o=20us,L=5us)" "0,20000.0,45000.0,45000.0,90000.0"
# (6): the request of a rendezvous is o, and MPI_Wait has the rest of (5), 4 o + 2 L + o + k O_sl; eager all at the post
expect "a nonblocking send and its wait" "$(predict loggps-fast-ethernet -b 20000 --form isend | cut -d, -f1,2,4)" \
	"20000,22340.0,333120.0"
expect "an eager one" "$(predict loggps-fast-ethernet -b 100 --form isend | cut -d, -f1,2,4)" "100,23577.0,0.0"
expect "a synchronous one waits at any length" \
	"$(predict loggps-fast-ethernet -b 100 --form issend | cut -d, -f1,2,4)" "100,22340.0,139757.0"
expect "the wait of a receive" "$(predict loggps-fast-ethernet -b 100 --form irecv | cut -d, -f1,3,4)" "100,,90527.0"
expect "a delay is in no call, whichever its form" "$(predict loggps-fast-ethernet -b 20000 --form isend -w 1s |
	cut -d, -f1-5)" "20000,,,,"
expect "a blocking form has no wait" "$(predict loggps-fast-ethernet -b 100 --form send)" \
	"100,23577.0,90527.0,90527.0,181054.0"
"$TRYST" model predict loggps-myrinet --form sendrecv >said 2>&1
expect "an unknown form is refused" "$?" 2
"$TRYST" model predict loghssp-convex-10000 --form isend >said 2>&1
expect "and one of a model without forms" "$?" 2
expect "with another s" "$(predict loggps-myrinet -b 8192 --set s=16383 | cut -d, -f4)" "218372.7"
expect "two tiers" "$(predict loghssp-convex-10000 -b 10000 --same-node | cut -d, -f4)" "139990.0"
expect "a burst" "$(predict logfp-infiniband -n 1 | cut -d, -f2)" "1600.0"
expect "lengths with suffixes" \
	"$("$TRYST" model predict loggps-myrinet -b 1k,1M -f csv | cut -d, -f1 | tr '\n' ' ')" \
	"bytes 1024 1048576 "
# MM's Table 4, 10 MB in ms: 197 where the last step stays inside nodes; 334 in a ring, 267 without
# conflicts
broadcast() {
	predict mm-gige-lam -b 10000000 --map "$1" | awk -F, '{ printf "%.0f %.0f", $4 / 1e6, $5 / 1e6 }'
}
expect "a broadcast over four nodes of two ranks" "$(broadcast 4x2)" "197 197"
expect "a broadcast whose last step is a ring" "$(broadcast 0,1,1,2,2,3,3,0)" "334 267"
example=$("$TRYST" model --help | grep -o "model predict mm-.* -b [0-9a-zA-Z]*")
# shellcheck disable=SC2086
expect "the manual's example has a conflict" "$(predict ${example#model predict } | awk -F, '{ print $1, ($4 > 1.2 * $5) }')" \
	"10000000 1"
# out of node 0 two flows share from 10 ms on: 8.913 ns/B and 4.7 us
cat >pattern <<-'END'
	0 1 10000000		# bytes, from the beginning
	0 2 10000000 10ms
	3 4 1M
END
expect "transfers that begin at different times" \
	"$("$TRYST" model predict mm-gige-lam --pattern pattern -f csv | cut -d, -f1,6,9 | tail -n +2 |
	tr '\n' ' ')" "0,168257819.4,1.888 1,178257819.4,1.888 2,9350297.1,1.0 "
expect "a pattern on standard input" \
	"$("$TRYST" model predict mm-gige-lam --pattern - -f csv <pattern | wc -l)" 4
"$TRYST" model predict loggps-myrinet >out 2>&1
check "what a model has no equation for is said, once" grep -q \
	"^Not predicted: scatter, gather, burst, burst_send, broadcast: no equation of" out
"$TRYST" model list >out 2>&1
for model in LogP LogGP-1 LogGP-2 LogGPS PLogP LogfP LoP LoGHsSP AM-simple RTA RAT MM; do
	check "list has $model" grep -q "^$model " out
done
expect "variants of ours are labelled" "$("$TRYST" model list -f csv | grep -c "^LogGP-[12],.*ours: .*ours, after LogGPS")" 2
"$TRYST" model show loggps-cenju4 -f csv >out 2>&1
check "show gives the reason of what is missing" grep -q "only O_rl + G_l" out
check "which does not fit 40 columns" sh -c '! "$1" model show loggps-cenju4 --width 40 | grep -q "only O_rl + G_l"' sh "$TRYST"
check "but more of them" sh -c '"$1" model show loggps-cenju4 --width 300 | grep -q "only O_rl + G_l"' sh "$TRYST"

# a calibration of pairs whose PLogP is known: L of 1, 2, ... us, g(1) = 3 us, 10 ns for each byte more
sqlite3 pairs.links "PRAGMA application_id = 0x7472736c; PRAGMA user_version = 1;
	CREATE TABLE fingerprint (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
	CREATE TABLE link_param (tier TEXT NOT NULL, peer INTEGER, form TEXT, layout TEXT, model TEXT NOT NULL, \
name TEXT NOT NULL, bytes INTEGER, value REAL, unit TEXT, ci_low REAL, ci_high REAL, source TEXT, reason TEXT)"
sed "s/[[:space:]]*--.*//; s/^[[:space:]]*//; /^\$/d" "$TEST_SRC/include/calibration.sql" | sqlite3 pairs.links
sqlite3 pairs.links "CREATE TEMP TABLE pair AS WITH r(r) AS (VALUES (0), (1), (2)) SELECT a.r AS i, b.r AS j,
	1000.0 * row_number() OVER (ORDER BY a.r, b.r) AS L FROM r a JOIN r b WHERE a.r <> b.r;
	CREATE TEMP TABLE v(name, bytes, value);
	INSERT INTO v VALUES ('g', 1, 3000.0), ('g', 1001, 13000.0), ('o_s', 1, 400.0), ('o_r', 1, 600.0);
	INSERT INTO calibration_pair SELECT i, j, 'node', 'a', 'a' FROM pair;
	INSERT INTO fit SELECT i, j, NULL, NULL, 'PLogP', 'L', NULL, L, 'ns', NULL, NULL, NULL FROM pair
	UNION ALL SELECT i, j, NULL, NULL, 'PLogP', name, bytes, value, 'ns', NULL, NULL, NULL FROM pair JOIN v"
# the mean L is 3.5 us; LogGP's G is 13000 / 1001 ns/B: 3500 + 3000 + 2 * 1000 G + 3000
expect "PLogP over three ranks" "$(predict pairs.links --ranks 0,1,2 -b 1001)" "1001,29500.0,29500.0"
expect "LogGP over three ranks" "$(predict pairs.links --ranks 0,1,2 --convert LogGP-1 -b 1001)" \
	"1001,35474.0,35474.0"
expect "PLogP with no L at all" "$(predict pairs.links --ranks 0,1,2 -b 1001 --set L=0)" "1001,26000.0,26000.0"
expect "named" "$("$TRYST" model predict pairs.links --ranks 0,1,2 --convert LogGP-1 | head -n 1)" \
	"LogGP-1 predicts, each pair with its own parameters"

# thresholds and lengths are meant to the byte
for S in 1048575 1048576; do
	sqlite3 pairs.links "DELETE FROM fit WHERE model = 'LogGPS'; DELETE FROM link_param;
		INSERT INTO fit VALUES (0, 1, NULL, NULL, 'LogGPS', 'S', NULL, $S, 'B', NULL, NULL, NULL);
		INSERT INTO link_param VALUES ('node', NULL, NULL, NULL, 'LogGPS', 'S', NULL, $S, 'B', NULL, NULL, NULL, NULL)"
	expect "S of $S B" "$("$TRYST" model show pairs.links --width 200 | grep -c " S .* $(echo $S | sed 's/\(1\)\(048\)/\1,\2,/') ")" 2
done
expect "lengths of a byte more" "$("$TRYST" model predict loggps-myrinet -b 8191,8192 | grep -cE "^ *819[12] B ")" 2
expect "of pairs, too" "$("$TRYST" model predict pairs.links --ranks 0,1,2 -b 8191,8192 | grep -cE "^ *819[12] B ")" 2
expect "and of transfers" "$(echo 0 1 8191 | "$TRYST" model predict mm-gige-lam --pattern - | grep -c " 8191 B ")" 1

expect "T beyond its packet warns" "$("$TRYST" model predict t-t3d-16 -b 16,17,10k 2>&1 >out |
	grep -c "up to 16 B: .* too short")" 2
expect "LogGP of calls does not" "$("$TRYST" model predict simple-t3d-16 -b 16,10k 2>&1 >out)" ""

# a fit whose L is not known: o changes one_way and the handshake by the difference
cp pairs.links sum.links
sqlite3 sum.links "INSERT INTO fit VALUES (0, 1, NULL, NULL, 'LogGPS', 'L', NULL, NULL, 'ns', NULL, NULL, 'overlap'),
	(0, 1, NULL, NULL, 'LogGPS', 'o', NULL, 300, 'ns', NULL, NULL, NULL),
	(0, 1, NULL, NULL, 'LogGPS', 'one_way', NULL, 500, 'ns', NULL, NULL, NULL),
	(0, 1, NULL, NULL, 'LogGPS', 'rendezvous', NULL, 1500, 'ns', NULL, NULL, NULL),
	(0, 1, NULL, NULL, 'LogGPS', 'sum_s', NULL, 0.5, 'ns/B', NULL, NULL, NULL),
	(0, 1, NULL, NULL, 'LogGPS', 'sum_r', NULL, 0.5, 'ns/B', NULL, NULL, NULL)"
expect "as it is" "$(predict sum.links -b 0 | cut -d, -f4) $(predict sum.links -b 2M | cut -d, -f4)" "500.0 1050576.0"
expect "with an o of 100 ns more" "$(predict sum.links -b 0 --set o=400 | cut -d, -f4) $(predict sum.links -b 2M --set o=400 |
	cut -d, -f4)" "700.0 1051176.0"

# PLogP whose L is known in L + g, too, at two lengths
cp pairs.links curve.links
sqlite3 curve.links "INSERT INTO fit SELECT 0, 1, NULL, NULL, 'PLogP', 'one_way', column1, column2, 'ns', NULL, NULL, NULL
	FROM (VALUES (1, 4000.0), (1001, 14000.0))"
expect "PLogP with an L of 5 us more" "$(predict curve.links -m PLogP -b 501,1001 --set L=6us | cut -d, -f1,4)" "1001,19000.0"

# bursts that LogfP describes: L 3 us, o(P) = 180 + 1420 / P ns, g 900 ns, f 10; round trips of one length
# longer; flows of 100 ms alone, that share where two leave a node; broadcasts over three hosts, a step of
# 100 ms and one of 175 ms
burst='6000 + 1600 + iif(P <= 10, P * o, o + max((P - 1) * o, (P - 10) * 900.0))'
flows="('alone', 0, 1.0), ('out', 1, 2.0), ('in', 1, 2.0), ('in_apart', 1, 1.5), ('mixed_in', 1, 1.0), ('mixed_out', 1, 1.75)"
cp pairs.links groups.links
sqlite3 groups.links "CREATE TEMP TABLE k(k); WITH r(r) AS (VALUES (0) UNION ALL SELECT r + 1 FROM r WHERE r < 19)
	INSERT INTO k SELECT r FROM r;
	UPDATE calibration_pair SET tier = 'network', to_host = 'b' || to_rank;
	INSERT INTO sample SELECT 0, 0, kind, NULL, NULL, NULL, P, 1, 0, k, 0, iif(kind = 'burst', $burst, o)
	FROM k JOIN (SELECT 1 + k AS P, 180 + 1420.0 / (1 + k) AS o FROM k) JOIN (SELECT 'burst' AS kind UNION SELECT 'burst_send');
	INSERT INTO sample SELECT 0, 0, 'flow', NULL, NULL, column1, nullif(column2, 0), 10000000, 0, k, 0, 1e8 * column3
	FROM k JOIN (VALUES $flows);
	INSERT INTO sample SELECT 0, 0, 'broadcast', NULL, NULL, NULL, 3, 10000000, 0, k, 0, 2.75e8 FROM k;
	INSERT INTO sample SELECT 0, 1, 'rtt', NULL, NULL, NULL, NULL, bytes, 0, k, k % 2, 2 * (5000 + 10 * bytes)
	FROM k JOIN (SELECT 100 * (1 + k) AS bytes FROM k UNION SELECT 10000000);
	INSERT INTO fit SELECT DISTINCT from_rank, to_rank, NULL, NULL, column1, column2, NULL, NULL, NULL, NULL, NULL, NULL
	FROM fit JOIN (VALUES ('LogfP', 'L'), ('LoP', 'l1'), ('MM', 'L')) WHERE from_rank = 0 AND to_rank = 1"
"$TRYST" model compare --refit groups.links -f csv >out 2>&1
expect "LogfP and LoP are not judged by round trips" "$(grep -cE ",(LogfP|LoP),.*,round_trip," out)" 0
expect "MM is" "$(grep -c "MM,.*,round_trip," out)" 21
expect "LogfP by each burst and its sends, LoP too" "$(grep -c "LogfP,.*,burst," out) $(grep -c "LogfP,.*,burst_send," out) \
$(grep -c "LoP,.*,burst," out)" "20 20 20"
expect "which it describes" "$(awk -F, '/LogfP,.*,burst/ && ($10 > 1 || $10 < -1)' out)" ""
expect "each flow" "$(awk -F, '/MM,.*,flow,/ && $10 < 1 && $10 > -1 { print $13 }' out | sort | tr '\n' ' ')" \
	"alone in in_apart mixed_in mixed_out out "
expect "broadcasts" "$(awk -F, '/,broadcast,/ && $10 < 1 && $10 > -1 { print $4, $11, $12 }' out | sort | tr '\n' ' ')" \
	"MM broadcast 3 repeatability broadcast 3 "
"$TRYST" model compare --refit groups.links >out 2>&1
check "in text, too" grep -q "^Error of bursts and broadcasts by hosts and of concurrent" out

# a run whose receives all waited, the longer the message the more: no overhead of a link
"$TEST_BUILD/tests/spoolgen" -n 2 -r 500 -s 5 -i 0 waits >/dev/null
"$TRYST" merge waits >/dev/null
"$TRYST" model fit waits >out 2>&1
check "of all pairs, any" grep -q "^any-any .* O_rs  *0 " out
sqlite3 waits/run.db "UPDATE op_row SET blocked = 1000 + bytes * 19370 WHERE code >> 10 & 3 = 2"
"$TRYST" model fit -f csv waits >out 2>&1
check "what no link can have is no result" grep -q '^,,LogGPS,O_rs,,,ns/B,,"fitted 1.937e+04: calls that waited' out
check "and a finding" grep -q "^out_of_range,O_rs,.*the fit gives O_rs = 1.937e+04 ns/B, less than 1 MB/s" out

# refuse WHAT TEXT ARGUMENTS...: fails, and says so
refuse() {
	what=$1 text=$2
	shift 2
	"$TRYST" model "$@" >out 2>&1 && fail "$what: accepted"
	check "$what" grep -q -- "$text" out
}
refuse "no such model" "no model 'X'" predict loggps-myrinet -m X
refuse "a model that the set does not have" "has parameters of LogGPS" predict loggps-myrinet -m LogP
refuse "no such file" "cannot open 'nowhere'" show nowhere
refuse "no number" "bad list of lengths" predict loggps-myrinet -b 8,x
refuse "no time" "bad time '5 minutes'" predict loggps-myrinet -w "5 minutes"
refuse "both late" "cannot both be late" predict loggps-myrinet --late-sender 1 --late-receiver 1
refuse "no map" "bad map '0,x'" predict mm-gige-lam --map 0,x
refuse "no pattern" "cannot open 'nowhere'" predict mm-gige-lam --pattern nowhere
echo "0 1" >bad
refuse "half a transfer" "'bad', line 1" predict mm-gige-lam --pattern bad
refuse "a model without conflicts" "does not say how transfers disturb" predict loggps-myrinet \
	--pattern pattern
refuse "no conversion" "only PLogP's parameters convert" predict loggps-myrinet --convert LogP
refuse "a model without scatters" "LogP has no equation of a scatter or a gather" predict pairs.links \
	--ranks 0,1,2 --convert LogP
refuse "LogGP has no late receiver" "LogGP-2 does not use --late-receiver" predict loggp2-myrinet --late-receiver 1us
refuse "nor has T" "T does not use --late-sender" predict t-t3d-16 --late-sender 1us
refuse "nor MM" "MM does not use --late-receiver" predict mm-gige-lam --late-receiver 1us
refuse "nor LoGH{sSP}" "LoGHsSP does not use --late-receiver" predict loghssp-convex-100 --late-receiver 1us
refuse "LogGP has no delay" "LogGP-2 does not use --delay" predict loggp2-myrinet -w 1us
refuse "T has no round trip" "T does not use --delay" predict t-t3d-16 -w 1us
refuse "one tier" "LogGPS does not use --same-node" predict loggps-myrinet --same-node
refuse "no bursts" "LogGPS does not use --hosts" predict loggps-myrinet -n 4
refuse "no broadcasts" "LogGPS does not use --map" predict loggps-myrinet --map 2x2
refuse "one mode" "LogP does not use --synchronous" predict pairs.links -m PLogP --convert LogP --synchronous
refuse "hosts that the pattern names" "MM does not use --hosts in a pattern" predict mm-gige-lam -n 4 --pattern pattern
refuse "hosts that the ranks are" "PLogP does not use --hosts over --ranks" predict pairs.links -n 4 --ranks 0,1,2
refuse "a ready send whose receive comes late" "posted already" predict loggps-myrinet --form rsend --late-receiver 1us
refuse "a pair among ranks" "--from and --to are not used with --ranks" predict pairs.links --from 0 --ranks 0,1,2
refuse "ranks and a map" "--ranks is not used with --pattern or --map" predict pairs.links --map 0,1 --ranks 0,1,2
refuse "ranks of a set" "a set has no ranks for --from and --to" predict loggps-myrinet --to 4
refuse "lengths of a pattern" "--bytes is not used with --pattern" predict mm-gige-lam -b 8 --pattern pattern
refuse "a picture of predictions" "predict does not use --picture" predict loggps-myrinet --picture x.svg
refuse "a late side in a comparison" "compare does not use --late-sender" compare groups.links --late-sender 1us
refuse "lengths of a set" "show does not use --bytes" show loggps-myrinet -b 8
refuse "a pair of all models" "list does not use --from" list --from 1
refuse "late and delayed" "LogGPS has no equation with a late side and a --delay" predict loggps-myrinet \
	-w 1us --late-sender 1us
refuse "no value" "--set wants NAME=VALUE" predict loggps-myrinet --set S
refuse "no such parameter" "LogGPS has no parameter 'x'" predict loggps-myrinet --set x=1
refuse "no such time" "bad time 'far'" predict loggps-myrinet --set L=far
refuse "below 0" "impossible" predict logfp-infiniband --set f=0
refuse "a curve" "is a function of the length" predict pairs.links -m PLogP --set g=1
refuse "a part of a sum alone" "G_l is not identified\|G_s or G_l of LogGPS is not identified" predict loggps-cenju4 --set s=512
refuse "a part that is known in a sum" "L of 'LogGPS' is known only in one_way: overlap" predict sum.links --set L=1us
refuse "unknown action" "unknown action 'guess'" guess
refuse "no operand" "compare wants one FILE\$" compare
refuse "no operand" "predict wants one FILE or SET" predict
: >empty.links
refuse "an empty file" "empty.links" compare empty.links
# shellcheck disable=SC2086
set -- $MPIS
for bad in 8x "" 8,,9 -1 5M 8,4G; do
	"$TRYST" calibrate --mpi "$1" -s "$bad" >out 2>&1 && fail "calibrate -s '$bad': accepted"
	check "calibrate -s '$bad' is refused" grep -qE "list of (sizes|lengths)|not measured" out
done
"$TRYST" calibrate >out 2>&1 && fail "calibrate without a launcher: accepted"
check "calibrate wants a launcher" grep -q "no MPI launcher" out
finish
