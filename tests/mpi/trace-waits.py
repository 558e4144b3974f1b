# SPDX-License-Identifier: BSD-3-Clause
"""trace-waits.py TRACE.json: "RANK CALL STATE LATE_RANK START WAIT" lines, sorted, of waits in collectives.

START and WAIT are sums over all such waits of the time since the entry of the call around and of
their length [ns].
"""
import json
import sys
from bisect import bisect_right
from collections import defaultdict
from decimal import Decimal

with open(sys.argv[1]) as file:
    trace = json.load(file, parse_float=Decimal)
calls, sums = defaultdict(list), defaultdict(lambda: [0, 0])
slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
for event in slices:
    if event["cat"] == "mpi":
        calls[event["pid"], event["tid"]].append((event["ts"], event["name"]))
for of_thread in calls.values():
    of_thread.sort()
for event in slices:
    if event["cat"] == "wait" and "late_rank" in event["args"]:
        of_thread = calls[event["pid"], event["tid"]]
        begin, name = of_thread[bisect_right(of_thread, (event["ts"], "~")) - 1]
        assert event["args"]["where"] and event["args"]["wait_ns"] == event["dur"] * 1000, event
        total = sums[event["pid"], name, event["name"], event["args"]["late_rank"]]
        total[0] += int((event["ts"] - begin) * 1000)
        total[1] += event["args"]["wait_ns"]
for line in sorted("%d %s %s %d %d %d" % (*key, *total) for key, total in sums.items()):
    print(line)
