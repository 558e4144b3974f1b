# SPDX-License-Identifier: BSD-3-Clause
"""check-trace.py TRACE.json: is it what viewers of trace events take?

Slices of a thread nest, an arrow has one beginning and one end, both within a slice of the thread
that they name, and does not arrive before it began. Prints numbers of slices, waits and arrows.
"""
import json
import sys
from bisect import bisect_right
from collections import defaultdict
from decimal import Decimal


def nested(slices):
    """Slices sorted by begin, the longer first: each ends before the one around it."""
    around = []
    for begin, end in sorted(slices, key=lambda s: (s[0], -s[1])):
        while around and around[-1] <= begin:
            around.pop()
        if around and end > around[-1]:
            return False
        around.append(end)
    return True


with open(sys.argv[1]) as file:
    trace = json.load(file, parse_float=Decimal)
slices, calls, waits, named = defaultdict(list), defaultdict(list), 0, set()
arrows = defaultdict(dict)
for event in trace["traceEvents"]:
    thread = event["pid"], event["tid"]
    if event["ph"] == "X":
        assert event["dur"] >= 0 and event["ts"] >= 0 and event["name"], event
        slices[thread].append((event["ts"], event["ts"] + event["dur"]))
        if event["cat"] == "wait":
            waits += 1
        else:
            calls[thread].append(slices[thread][-1])
    elif event["ph"] in "sf":
        assert event["ph"] not in arrows[event["id"]], event
        assert event["ph"] == "s" or event["bp"] == "e", event
        arrows[event["id"]][event["ph"]] = thread, event["ts"]
    else:
        assert event["ph"] == "M", event
        named.add((event["name"], thread))
for thread, of_thread in slices.items():
    assert nested(of_thread), thread
    assert ("thread_name", thread) in named and ("process_name", (thread[0], 0)) in named, thread
# Calls of a thread do not overlap: the last one that began before is the only one it can be in.
for of_thread in calls.values():
    of_thread.sort()
for name, ends in arrows.items():
    assert set(ends) == {"s", "f"}, name
    for thread, at in ends.values():
        i = bisect_right(calls[thread], (at, Decimal("Infinity"))) - 1
        assert i >= 0 and calls[thread][i][0] <= at <= calls[thread][i][1], (name, thread, at)
print(sum(map(len, calls.values())), waits, len(arrows))
