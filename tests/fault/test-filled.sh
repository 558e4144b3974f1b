#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Once a merge has named callsites, the ranks' files have the names, too, and run.db stays up to date. A file
# that must not be written stays as it is.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need nm binutils

# Four ranks as MPI_Finalize leaves them: nothing is named. Callsites are in a program with symbols.
cp "$TEST_BUILD/tests/spoolgen" program
offset=$(($(nm program | sed -n 's/^\([0-9a-f]*\) T main$/0x\1/p') + 1))
"$TEST_BUILD/tests/spoolgen" -n 4 -r 20 made >/dev/null
"$TRYST" collect made >/dev/null 2>&1
boot=$(cat /proc/sys/kernel/random/boot_id)
ended="UPDATE run SET value = 4000000 WHERE key = 'pid'; UPDATE run SET value = '$boot' WHERE key = 'boot_id'"
for db in made/rank-*.db; do
	sqlite3 "$db" "UPDATE module_row SET path = '$PWD/program', build_id = '';
		UPDATE frame_row SET offset = $offset WHERE callsite < 4;
		UPDATE frame_row SET offset = 1 WHERE callsite >= 4;
		$ended"
done
names="SELECT callsite, frame, function, file, line FROM callsite"
expect_sql made "SELECT count(*) FROM callsite WHERE function NOT NULL" "$(printf '0\n0\n0\n0')"

# named DIR: ranks whose files have names
named() {
	for named_rank in 0 1 2 3; do
		[ "$(sql "$1/rank-00000$named_rank.db" 'SELECT count(*) FROM callsite WHERE function NOT NULL')" = 0 ] ||
			printf '%s ' $named_rank
	done
}

mark() {
	sqlite3 "$1/run.db" "UPDATE run SET value = 'as it was' WHERE rank = 2 AND key = 'program'"
}

# stays WHAT DIR: the database that mark() marked is used as it is.
stays() {
	expect_sql "$2/run.db" "SELECT '$1', count(*) FROM run WHERE value = 'as it was'" "$1|1"
}

cp -r made run
check "a report" to out.txt "$TRYST" report run
expect "names the callsites in all files" "$(named run)" "0 1 2 3 "
for rank in 0 1 2 3; do
	sql run/rank-00000$rank.db "$names ORDER BY 1, 2" >own
	sql run/run.db "$names WHERE rank = $rank ORDER BY 1, 2" >merged
	check "rank $rank has the names of run.db" diff own merged
	expect_sql run/rank-00000$rank.db "SELECT DISTINCT function FROM frame_row WHERE function NOT NULL" main
	expect_sql run/rank-00000$rank.db "PRAGMA integrity_check" ok
done
expect "nothing is left beside them" "$(find run -name '*-journal' -o -name '*merging*')" ""
mark run
check "another report" to out.txt "$TRYST" report run
stays "does not merge" run
check "nor does tryst collect change a file" to out.txt "$TRYST" collect run
check "so that the next one" to out.txt "$TRYST" merge run
stays "does not merge either" run

# kept WHAT DIR NAMED: a merge of DIR gives names to the ranks NAMED alone, and the next one leaves run.db as it is.
kept() {
	cp "$2/rank-000001.db" before
	check "$1: a merge" to out.txt "$TRYST" merge "$2"
	expect "$1: ranks named" "$(named "$2")" "$3"
	check "$1: rank 1's file is as it was" cmp before "$2/rank-000001.db"
	mark "$2"
	check "$1: another merge" to out.txt "$TRYST" merge "$2"
	stays "$1" "$2"
}

cp -r made unfinished
sqlite3 unfinished/rank-000001.db "INSERT OR REPLACE INTO run VALUES (1, 'unfinished', 1)"
kept "a rank that runs" unfinished "0 2 3 "

cp -r made lives
sqlite3 lives/rank-000001.db "UPDATE run SET value = $$ WHERE key = 'pid'"
kept "a process that lives on" lives "0 2 3 "

cp -r made far
sqlite3 far/rank-000001.db "UPDATE run SET value = 'x$boot' WHERE key = 'boot_id'"
kept "a process of another host" far "0 2 3 "
check "tryst collect" to out.txt "$TRYST" collect far
expect "names its callsites on request" "$(named far)" "0 1 2 3 "

cp -r made linked
ln linked/rank-000001.db second
kept "a file of two names" linked "0 2 3 "

cp -r made damaged
pages=$(sqlite3 damaged/rank-000001.db "PRAGMA page_count")
size=$(sqlite3 damaged/rank-000001.db "PRAGMA page_size")
truncate -s $((pages * size - size)) damaged/rank-000001.db
cp damaged/rank-000001.db before
"$TRYST" report damaged >out.txt 2>err.txt
expect "a damaged file: ranks named" "$(for rank in 0 2 3; do sql damaged/rank-00000$rank.db \
	'SELECT max(function) FROM frame_row'; done | tr '\n' ' ')" "main main main "
check "a damaged file is as it was" cmp before damaged/rank-000001.db

# Writing thousands of files would take longer than merging them.
"$TEST_BUILD/tests/spoolgen" -n 65 -r 2 many >/dev/null
"$TRYST" collect many >/dev/null 2>&1
for db in many/rank-*.db; do
	sqlite3 "$db" "PRAGMA synchronous = OFF; UPDATE module_row SET path = '$PWD/program', build_id = '';
		UPDATE frame_row SET offset = $offset; $ended"
done
check "a merge of more than 64 ranks" to out.txt "$TRYST" merge many
expect_sql many/run.db "SELECT DISTINCT function FROM callsite" main
expect "writes no file of a rank" "$(named many)" ""
check "tryst collect" to out.txt "$TRYST" collect many
expect "names their callsites on request" "$(named many)" "0 1 2 3 "

# A merge that was killed with a file half written: its journal takes the names back, and the next merge gives them.
cp -r made killed
cat >kill.sql <<END
PRAGMA cache_size = 1;
BEGIN IMMEDIATE;
UPDATE frame_row SET function = 'half' || hex(zeroblob(4000));
.system kill -9 \$PPID
END
sqlite3 killed/rank-000001.db <kill.sql >/dev/null 2>&1
check "a killed writer leaves a journal" test -s killed/rank-000001.db-journal
check "a report after it" to out.txt "$TRYST" report killed
expect_sql killed/rank-000001.db "SELECT DISTINCT function FROM frame_row WHERE function NOT NULL" main
expect_sql killed/rank-000001.db "PRAGMA integrity_check" ok

if [ "$(id -u)" = 0 ]; then
	cp -r made others
	chown 65534 others/rank-000001.db
	kept "a file of another user" others "0 2 3 "

	cp "$TRYST" own-tryst
	chmod -R a+rX .
	chmod 1777 .
	cp -r made locked
	chown -R 65534 locked
	chmod 555 locked
	check "a directory that cannot be written: a report" to out.txt \
		setpriv --reuid=65534 --regid=65534 --clear-groups ./own-tryst report locked
	expect "its files are as they were" "$(named locked)" ""

	PATH=$PATH:/usr/sbin:/sbin
	if mkdir full && mount -t tmpfs -o size=8m none full 2>/dev/null; then
		trap 'lib_rc=$?; umount -l full; lib_end' EXIT
		cp -r made full/run
		dd if=/dev/zero of=full/fill bs=4096 2>/dev/null
		"$TRYST" report --db "$PWD/full.db" full/run >out.txt 2>err.txt
		expect "a full disk: the report's exit code ($(cat err.txt))" $? 0
		expect "a full disk: the files are as they were" "$(named full/run)" ""
		for rank in 0 1 2 3; do
			check "a full disk: rank $rank" cmp full/run/rank-00000$rank.db made/rank-00000$rank.db
		done
		rm full/fill
		check "once there is room" to out.txt "$TRYST" report full/run
		expect "the files get their names" "$(named full/run)" "0 1 2 3 "
	fi
fi
finish
