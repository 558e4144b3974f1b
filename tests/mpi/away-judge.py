# SPDX-License-Identifier: BSD-3-Clause
"""away-judge.py LOG RUN.DB CALL RANK [some]: are the waits of state late_progress those that away.c logged?

A rank waits for the one that was longest outside MPI between post and wait, while it waited itself, of
those that came back before it left, from when all had posted on. `some`: not all need all, so that some
need not be told, and a rank may wait before all have posted.
"""
import sqlite3
import sys
from collections import defaultdict

log, database, call, away = sys.argv[1:5]
some = len(sys.argv) > 5
rounds = defaultdict(dict)
for line in open(log):
    rank, number, *times = map(int, line.split())
    rounds[number][rank] = times
db = sqlite3.connect("file:%s?mode=ro" % database, uri=True)
like = call + "%"
seqs = [row[0] for row in db.execute(
    "SELECT DISTINCT seq FROM collective WHERE lower(call) LIKE ? ORDER BY seq", (like,))]
told = {(seq, rank): (late, ns) for seq, rank, late, ns in db.execute(
    "SELECT seq, rank, late_rank, wait_ns FROM collective_wait WHERE state = 'late_progress' AND lower(call) LIKE ?", (like,))}
assert len(seqs) == len(rounds), (seqs, sorted(rounds))
right = cases = by_away = told_away = 0
for number, seq in enumerate(seqs):
    ranks = rounds[number]
    last_post = max(times[0] for times in ranks.values())
    for rank, (_, _, wait, done) in ranks.items():
        since = wait if some else max(wait, last_post)
        longest = {k: times[2] - max(since, times[1]) for k, times in ranks.items() if k != rank and times[2] <= done}
        most = max(0, *longest.values(), 0)
        late, ns = told.get((seq, rank), (None, 0))
        # the first call of a function takes the library's linker some time before it is entered
        slack = 500000 + most / 100
        good = abs(ns - most) <= slack and (ns <= slack or longest.get(late, 0) >= most - slack)
        good = good or (some and ns <= most + slack)
        cases += 1
        right += good
        if not good:
            print("round", number, "rank", rank, "told", late, ns, "logged", longest)
        by_away += max(longest.get(int(away), 0), 0)
        told_away += ns if late == int(away) else 0
print("%d of %d right, %.1f of %.1f ms for rank %s" % (right, cases, told_away / 1e6, by_away / 1e6, away))
sys.exit(right * 10 < cases * 9 or by_away < 100e6 or told_away < (0.5 if some else 0.8) * by_away)
