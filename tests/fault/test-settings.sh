#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Nonsense in variables and in the cache: named once in a line, and the program runs as bare.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# one library: what is read here is not the MPI's
mpi=${MPIS##* }
i=0
# Each line is one run.
while read -r settings; do
	i=$((i + 1))
	to under shim_run $mpi 2 out-$i env $settings "$(mpi_program $mpi doomed)" end 100 </dev/null
	expect "$settings: exit code" $? 0
	expect "$settings: output" "$(sort under)" "rank 0 done 100
rank 1 done 100"
	check_whole "$settings" out-$i 2
	expect_sql out-$i "SELECT count(*) FROM op" "200
200"
	for setting in $settings; do
		word=${setting%%=*}
		case $setting in
		*=/*) word=${setting#*=} ;;
		esac
		expect "$setting: named once: $(cat under.err)" "$(grep '^tryst: ' under.err | grep -cF "$word")" 1
	done
done <<'END'
TRYST_MAX_OPS=many TRYST_RECORD=maybe TRYST_CLOCK=sundial TRYST_LINKS=/no/such/file
TRYST_MAX_OPS=-5 TRYST_STACK_DEPTH=9999999 TRYST_ROWS=never TRYST_NO_SUCH_THING=1
TRYST_MAX_OPS=1e99 TRYST_MESSAGES=loud TRYST_CALIBRATE=slowly TRYST_LIBUNWIND=/no/such/library
TRYST_CACHE=/etc/passwd/cache
END

# The cache of link parameters, damaged in every way.
TRYST_CACHE=$PWD/cache
export TRYST_CACHE
check "a first run fills the cache" to under shim_run $mpi 2 out-first "$(mpi_program $mpi doomed)" end 100
files=$(find cache -type f)
[ -n "$files" ] || skip "the machine was too busy to measure anything for the cache"
cp -r cache good
damage() {
	rm -rf cache
	cp -r good cache
	for file in $files; do
		case $1 in
		empty) : >"$file" ;;
		short) head -c 100 "$file" >"$file.short" && mv "$file.short" "$file" ;;
		noise) head -c 5000 /dev/urandom >"$file" ;;
		newer) sqlite3 "$file" "PRAGMA user_version = 99" 2>/dev/null || sed -i '1s/[0-9][0-9]*/99/' "$file" ;;
		wild) sqlite3 "$file" "UPDATE link_param SET value = -1e300" 2>/dev/null || sed -i 's/[0-9]/9/g' "$file" ;;
		directory) rm -f "$file" && mkdir "$file" ;;
		esac
	done
}
for way in empty short noise newer wild directory; do
	damage $way
	to under shim_run $mpi 2 out-$way "$(mpi_program $mpi doomed)" end 100
	expect "cache, $way: exit code" $? 0
	expect "cache, $way: output" "$(sort under)" "rank 0 done 100
rank 1 done 100"
	check_whole "cache, $way" out-$way 2
	check "cache, $way: at most one line: $(cat under.err)" test "$(grep -c '^tryst: ' under.err)" -le 1
done
finish
