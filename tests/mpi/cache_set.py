# SPDX-License-Identifier: BSD-3-Clause
"""cache_set.py CACHE TIME_FACTOR: adds a set of the tier node to a cache that has one of the tier self.

Launches measure messages to themselves on any machine, so its fingerprint is this machine's. The set's numbers
are made up; TIME_FACTOR makes them slower.
"""
import glob
import os
import sqlite3
import sys
import time

COLUMNS = "tier, model, name, form, bytes, value, unit, source, reason"
S = 4040


def file_name(keys):
    """As links_cache.c: a sum of one FNV-1a a key."""
    mask, total = (1 << 64) - 1, len(keys)
    for key, value in keys:
        h = 0xCBF29CE484222325
        for c in key.encode() + b"\0" + value.encode() + b"\0":
            h = (h ^ c) * 0x100000001B3 & mask
        total += h ^ h >> 29
    return "%016x.links" % (total & mask)


def main():
    cache, factor = sys.argv[1], float(sys.argv[2])
    for path in glob.glob(os.path.join(cache, "*.links")):
        keys = dict(sqlite3.connect(path).execute("SELECT key, value FROM fingerprint"))
        if keys["tier"] == "0":
            own = path
    source = sqlite3.connect(own)
    keys = dict(source.execute("SELECT key, value FROM fingerprint"))
    assert os.path.basename(own) == file_name(keys.items()), "the hash is not links_cache.c's"
    keys["tier"] = "1"
    db = sqlite3.connect(os.path.join(cache, file_name(keys.items())))
    db.execute("PRAGMA user_version = %d" % source.execute("PRAGMA user_version").fetchone()[0])
    db.execute("PRAGMA application_id = %d" % source.execute("PRAGMA application_id").fetchone()[0])
    for (sql,) in source.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"):
        db.execute(sql)
    db.executemany("INSERT INTO fingerprint VALUES (?, ?)", keys.items())
    db.executemany("INSERT INTO origin VALUES (?, ?)", [("measured_at", int(time.time())), ("by", "an earlier launch")])
    rows = [("L", 500, "ns"), ("o", 200, "ns"), ("G_s", 0.1, "ns/B"), ("G_l", 0.1, "ns/B")]
    rows = [(name, value * factor, unit, None) for name, value, unit in rows]
    rows += [("s", 256, "B", None), ("S", S, "B", None), ("S_p", S, "B", None),
             ("S_setting", S + 56, "B", "btl_vader_eager_limit")]
    for name, value, unit, reason in rows:
        db.execute("INSERT INTO link_param (%s) VALUES ('node', 'LogGPS', ?, NULL, NULL, ?, ?, 'measured', ?)" % COLUMNS,
                   (name, value, unit, reason))
    for form in "send", "recv":
        db.execute("INSERT INTO link_param (%s) VALUES ('node', 'LogGPS', 'noise', ?, ?, 2000, 'ns', 'measured', NULL)"
                   % COLUMNS, (form, 1 << 40))
    db.commit()


main()
