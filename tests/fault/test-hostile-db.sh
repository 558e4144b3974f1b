#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# A database from a stranger, and what lies beside it, neither changes another file nor keeps a command
# from ending: it is refused in one line.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need python3 python3

"$TEST_BUILD/tests/spoolgen" -n 2 -r 20 good >/dev/null
"$TEST_BUILD/tests/spoolgen" -n 2 -r 15000 long >/dev/null
"$TRYST" collect good >/dev/null
"$TRYST" collect long >/dev/null
"$TRYST" merge good >/dev/null
"$TRYST" analyze good >/dev/null
endless="WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"

# journal.py DB NAME PAGES: a journal beside DB as a killed writer leaves it, which ends with the name of a
# super-journal ("": none) and says how many pages DB had (0: as many as it has).
cat >journal.py <<'END'
import struct, sys
db, name, pages = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
magic = bytes.fromhex("d9d505f920a163d7")
size = struct.unpack(">H", open(db, "rb").read(18)[16:])[0]
head = magic + struct.pack(">IIIII", 0, 0, pages or len(open(db, "rb").read()) // size, 512, size)
end = struct.pack(">I", 0x40000000 // size + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
open(db + "-journal", "wb").write(head.ljust(512, b"\0") + (end if name else b"\0" * 512))
END

# fresh: the run as it was, in bad, and a file that nobody may touch
fresh() {
	rm -rf bad victim
	cp -r "${1:-good}" bad
	echo precious >victim
}

# tryst COMMAND...: ends in time; its exit code in $code, all that it says in out.txt
ends() {
	timeout -s KILL 30 "$TRYST" "$@" >out.txt 2>&1
	code=$?
	check "tryst $*: ends ($code)" test $code -lt 124
}

# refuses TEXT COMMAND...: it fails and says the text, in one line
refuses() {
	wanted=$1
	shift
	ends "$@"
	check "tryst $*: fails" test $code -gt 0
	expect "tryst $*: says '$wanted'" "$(grep -cF -- "$wanted" out.txt)" 1
}

# alone TEXT FILE [COMMAND...]: no command that is given the file uses it; what they say is one line
alone() {
	text=$1
	file=$2
	shift 2
	for command in report "$@"; do
		refuses "$text" $command "$file"
		expect "tryst $command $file: lines" "$(grep -c . out.txt)" 1
	done
	refuses "$text" sql "$file" 'SELECT 1'
	expect "tryst sql $file: lines" "$(grep -c . out.txt)" 1
}

# unharmed WHAT: the victim
unharmed() {
	expect "$1: the other file is as it was" "$(cat victim)" precious
}

# A journal that names another file, which SQLite removes after a rollback
for command in "sql bad/rank-000000.db .tables" "report bad/rank-000000.db" "report bad" "merge --again bad" \
	"analyze bad" "diff bad good" "export -f chrome -o made.json bad" "collect bad" "sql bad/run.db x" "report bad/run.db"; do
	fresh
	python3 journal.py bad/rank-000000.db "$PWD/victim" 0
	python3 journal.py bad/run.db "$PWD/victim" 0
	ends $command
	unharmed "$command"
done
fresh
python3 journal.py bad/rank-000000.db "$PWD/victim" 0
alone "its journal names another file" bad/rank-000000.db analyze "diff good/run.db" "export -f chrome -o made.json"
refuses "rank 0 is left out" merge --again bad
fresh
python3 journal.py bad/run.db "$PWD/victim" 0
alone "its journal names another file" bad/run.db
ends report bad
check "the directory's database is made anew" test $code = 0
fresh
cp bad/run.db bad/run.db.merging
python3 journal.py bad/run.db.merging "$PWD/victim" 0
rm bad/run.db
ends merge bad
check "a merge does not resume by such a journal" test $code = 0
unharmed "merge"

# Names that SQLite would read as a URI: of another file, and past our VFS
for named in 'file:other.db?vfs=unix&a=' 'file:other.db'; do
	fresh
	mv bad/run.db other.db
	python3 journal.py other.db "$PWD/victim" 0
	cp other.db before.db
	rm -rf "$named"
	cp before.db "$named"
	ends analyze "$named"
	check "$named: this file is read" test $code = 0
	rm "$named"
	mv bad "$named"
	ends analyze "$named"
	check "$named: this directory is read" test $code = 0
	check "$named: its own database is made" test -f "$named/run.db"
	check "$named: the other database is as it was" cmp other.db before.db
	check "$named: its journal is there" test -f other.db-journal
	unharmed "$named"
	# the files of this run are long, and a merge attaches them
	fresh long
	rm -rf "$named"
	mv bad "$named"
	check "$named: they are long" test "$(wc -c <"$named/rank-000000.db")" -gt 1048576
	ends merge "$named"
	check "$named: its long files are merged" test $code = 0
	check "$named: the other database is not" cmp other.db before.db
	check "$named: nor is its journal touched" test -f other.db-journal
	unharmed "merge of $named"
done

# One that is as a killed writer leaves it is rolled back.
fresh
python3 journal.py bad/rank-000000.db "" 0
ends sql bad/rank-000000.db "SELECT count(*) > 0 FROM op"
check "an honest journal is rolled back" test $code = 0
check "and removed" test ! -e bad/rank-000000.db-journal
python3 journal.py bad/rank-000000.db "" 4000000
alone "its journal has more pages" bad/rank-000000.db
expect "nothing is made longer" "$(wc -c <bad/rank-000000.db)" "$(wc -c <good/rank-000000.db)"

# What is no file, or is another file as well
fresh
ln -s "$PWD/victim" bad/rank-000000.db-journal
alone "its journal is not a regular file" bad/rank-000000.db
rm bad/rank-000000.db-journal
mkfifo bad/rank-000000.db-journal
alone "its journal is not a regular file" bad/rank-000000.db
ends report bad
rm bad/rank-000000.db-journal
ln victim bad/rank-000000.db-journal
alone "its journal has several names" bad/rank-000000.db
unharmed "a second name"
fresh
ln bad/rank-000000.db other-name.db
python3 journal.py bad/rank-000000.db "" 0
ends sql bad/rank-000000.db 'SELECT 1'
check "a file with two names is not rolled back" cmp other-name.db good/rank-000000.db
fresh
ln bad/run.db other-name.db 2>/dev/null || ln -f bad/run.db other-name.db
cp other-name.db before.db
sqlite3 bad/run.db "DELETE FROM match_info"
cp other-name.db before.db
ends analyze bad
check "nor is one written" cmp other-name.db before.db
fresh
rm bad/rank-000001.db bad/run.db
mkfifo bad/rank-000001.db
for command in "report bad" "merge bad" "analyze bad" "collect bad" "diff bad good"; do
	ends $command
done
alone "not a regular file" bad/rank-000001.db
fresh
rm bad/run.db
mkfifo bad/run.db
ends report bad
mkfifo bad/run.db.merging
ends merge --again --db new.db bad
fresh
rm bad/run.db
ln victim bad/run.db.merging
ends merge bad
unharmed "a merge's file that is another one"

# Write-ahead logs are another way to write beside the file.
fresh
sqlite3 bad/rank-000000.db "PRAGMA journal_mode = WAL" >/dev/null
alone "in WAL mode" bad/rank-000000.db
expect "nothing is made beside it" "$(ls bad)" "$(ls good)"
ends report bad

# Views in the place of tables, of views, or beside them
for name in run op_row waits input; do
	fresh
	kind=$(sqlite3 bad/run.db "SELECT type FROM sqlite_master WHERE name = '$name'")
	for db in rank-000000 rank-000001 run; do
		sqlite3 bad/$db.db "DROP $kind $name" 2>/dev/null
		sqlite3 bad/$db.db "CREATE VIEW $name AS $endless SELECT x AS rank, x AS key, x AS value, x AS id FROM n"
	done
	alone "$kind '$name' differs" bad/run.db
	ends report bad
done
fresh long
sqlite3 bad/rank-000000.db "DROP TABLE op_row; CREATE VIEW op_row AS $endless SELECT x AS id, x AS code, x AS done FROM n"
ends merge bad
expect "of the rank the other tables are used" "$(sql bad/run.db "SELECT state, reason FROM input WHERE rank = 0")" \
	"partial|table 'op_row' is missing or differs"
while read -r what text sql; do
	fresh
	sqlite3 bad/run.db "$sql"
	alone "$what 'theirs' $text" bad/run.db
done <<END
trigger is CREATE TRIGGER theirs AFTER INSERT ON match_info BEGIN DELETE FROM op_row; END
view is CREATE VIEW theirs AS SELECT 1
table is CREATE VIRTUAL TABLE theirs USING fts5(x)
index is CREATE INDEX theirs ON op_row (hex(zeroblob(bytes)))
END
fresh
sqlite3 bad/run.db "CREATE TABLE theirs (x); CREATE INDEX tags ON op_row (tag); ANALYZE"
ends report bad/run.db
check "tables and indexes that somebody adds do no harm" test $code = 0

# One bit of a view's text
fresh
python3 - <<'END'
for name in "bad/run.db", "bad/rank-000000.db":
    data = bytearray(open(name, "rb").read())
    at = data.index(b"WHERE o.wait_ns > 0")
    data[at + len("WHERE o.wait_ns > ")] ^= 1
    open(name, "wb").write(data)
END
alone "view 'waits' differs" bad/run.db
alone "view 'waits' differs" bad/rank-000000.db
ends report bad
check "the directory's is made anew, and that is said" grep -q "cannot read 'bad/run.db': damaged; it is made anew" out.txt

# A table whose tree of pages has each page many times
cat >many.py <<'END'
import sqlite3, struct, sys
name, table = sys.argv[1:]
db = sqlite3.connect(name)
root, = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
size, = db.execute("PRAGMA page_size").fetchone()
db.close()
data = bytearray(open(name, "rb").read())
pages = len(data) // size
leaf = data[(root - 1) * size:root * size]
while leaf[0] == 5:	# the first leaf below
    cell = struct.unpack(">H", leaf[12:14])[0]
    child = struct.unpack(">I", leaf[cell:cell + 4])[0]
    leaf = data[(child - 1) * size:child * size]
data += leaf
below = pages + 1
for level in range(8):
    page = bytearray(size)
    struct.pack_into(">BHHHBI", page, 0, 5, 0, 100, size - 600, 0, below)
    for i in range(100):
        at = size - 6 * (i + 1)
        struct.pack_into(">IB", page, at, below, 1)
        struct.pack_into(">H", page, 12 + 2 * i, at)
    if level == 7:
        data[(root - 1) * size:root * size] = page
    else:
        data += page
        below = len(data) // size
struct.pack_into(">I", data, 28, len(data) // size)
open(name, "wb").write(data)
END
fresh long
python3 many.py bad/rank-000000.db op_row
ends merge bad
check "a table without an end is cut" test $code = 1

# Queries are for reading.
for query in "VACUUM INTO 'made.db'" "VACUUM main INTO 'made.db'" "ATTACH 'good/rank-000000.db' AS other" \
	"DELETE FROM op_row" "PRAGMA journal_mode = WAL" "PRAGMA user_version = 7" "VACUUM" \
	"SELECT load_extension('./made.so')" "CREATE TABLE theirs (x)"; do
	"$TRYST" sql good/run.db "$query" >out.txt 2>&1
	expect "$query: lines" "$(grep -c . out.txt)" 1
	check "$query: makes no file" test ! -e made.db
done
check "and changes nothing" sh -c '"$1" sql good/run.db "SELECT count(*) > 0 FROM op_row" | grep -q 1' sh "$TRYST"
finish
