# SPDX-License-Identifier: BSD-3-Clause
"""clean.py text|csv|json FILE...: each is UTF-8, without a character that a terminal obeys or does not show; JSON is valid."""
import json
import sys
import unicodedata


def unique(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def refuse(text):
    raise ValueError("%s is no JSON" % text)


kind = sys.argv[1]
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")
    allowed = "\n\t" if kind == "csv" else "\n"
    wrong = [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in allowed]
    if wrong:
        sys.exit("%s has %r" % (path, wrong[:10]))
    if kind == "json":
        json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    if not text:
        sys.exit("%s is empty" % path)
