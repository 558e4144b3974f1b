#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# A pipe, a device, a socket, a directory or a link in place of a file: every command ends, and says which.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

spoolgen=$TEST_BUILD/tests/spoolgen

# ends CODE WHAT COMMAND...: `tryst COMMAND...` comes to its end, with that code (a pattern), and says what grep finds
ends() {
	wanted=$1
	what=$2
	shift 2
	timeout 40 "$TRYST" "$@" >out.txt 2>err.txt </dev/null
	code=$?
	# shellcheck disable=SC2254 # a pattern
	case $code in
	$wanted) say "ok: $what: tryst $*: ends" ;;
	*) fail "$what: tryst $*: exit code $code, wanted $wanted: $(head -n 3 err.txt)" ;;
	esac
}

# as ends, and a line on stderr or stdout has TEXT
tells() {
	wanted=$1
	text=$2
	shift 2
	ends "$wanted" "$text" "$@"
	check "tryst $*: says '$text'" grep -qF -- "$text" out.txt err.txt
}

# odd KIND PATH: puts it there in place of what is there
odd() {
	rm -rf "$2"
	case $1 in
	pipe) mkfifo "$2" ;;
	directory) mkdir "$2" ;;
	device) ln -s /dev/zero "$2" ;;
	socket) ln socket "$2" ;;
	null) mknod "$2" c 1 3 ;;
	esac
}

fresh() {
	rm -rf bad bad.started
	cp -r "$1" bad
}

"$spoolgen" -n 2 -r 20 -s 5 rings >/dev/null
cp -r rings rows
"$TRYST" collect rows >/dev/null

kinds='pipe directory device'
mknod null c 1 3 2>/dev/null && kinds="$kinds null"
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")' && kinds="$kinds socket"
for kind in $kinds; do
	fresh rings
	odd $kind bad/rank-000001.ring
	ends 0 "$kind for a ring" sql bad 'SELECT 1'
	fresh rings
	odd $kind bad/rank-000001.spool
	ends 0 "$kind for a spool" sql bad 'SELECT 1'
	fresh rows
	odd $kind bad/rank-000001.db
	tells 1 "cannot open 'bad/rank-000001.db'" merge bad
	tells 1 "cannot open 'bad/rank-000001.db'" collect bad
	fresh rings
	odd $kind bad/run.db
	tells 0 "'bad/run.db' is not tryst's: it is left alone" sql bad 'SELECT 1'
	fresh rings
	odd $kind bad/run.db.merging
	ends 0 "$kind for a merge that was broken off" sql bad 'SELECT 1'
	fresh rings
	odd $kind bad/tryst.run
	ends 0 "$kind for the claim" sql bad 'SELECT 1'
	fresh rings
	mkdir bad/started bad.started bad.started/job
	odd $kind bad/started/host-1
	ends 0 "$kind for a mark" sql bad 'SELECT 1'
	rm bad/rank-*
	odd $kind bad.started/job/host-1
	ends "[01]" "$kind for the mark of a process that was not recorded" report bad
	for place in bad/started bad.started; do
		fresh rings
		odd $kind $place
		tells 0 "Nothing was lost." report -s losses bad
	done
	fresh rings
	mkdir bad/world-1
	odd $kind bad/world-1/tryst.run
	odd $kind bad/world-1/rank-000000.db
	odd $kind bad/ranks-000000
	ends 0 "$kind in a world" sql bad 'SELECT 1'
	odd $kind program
	[ $kind != pipe ] || chmod +x program
	ends '12[67]' "$kind for a program" run -o unrun ./program
	ends '[01]' "$kind for a program" doctor ./program
done

# a directory that may only be read is copied, and nothing else is
if [ "$(id -u)" -ne 0 ]; then
	fresh rings
	odd pipe bad/rank-000001.ring
	chmod a-w bad
	tells 0 "cannot copy rank 1" sql bad 'SELECT 1'
	chmod u+w bad
fi

# what a module is said to be
for kind in $kinds; do
	fresh rows
	odd $kind module
	sqlite3 bad/rank-000001.db "UPDATE module_row SET path = '$PWD/module', build_id = ''"
	ends 0 "$kind for a module" sql bad 'SELECT 1'
	ends 0 "$kind for a module" report bad
done

# the debug file that a module names
objcopy=$(command -v objcopy) && printf 'int main(void) { return 0; }\n' >module.c && "$cc" -g -o whole module.c && {
	for kind in $kinds; do
		for place in . .debug; do
			case $place$kind in .debugdirectory | .debugnull | .debugsocket) continue ;; esac
			rm -rf below
			mkdir -p below/.debug
			"$objcopy" --only-keep-debug whole below/$place/module.dbg
			"$objcopy" --strip-debug --remove-section=.note.gnu.build-id \
				--add-gnu-debuglink=below/$place/module.dbg whole below/module
			odd $kind below/$place/module.dbg
			fresh rows
			sqlite3 bad/rank-000001.db "UPDATE module_row SET path = '$PWD/below/module', build_id = ''"
			ends 0 "$kind for a debug file in $place" sql bad 'SELECT 1'
		done
	done

	# Units that name a file of their own
	(cd below && "$cc" -g -gsplit-dwarf -c -o split.o ../module.c && "$cc" -o split split.o) || exit 1
	named=$(cd below && echo *.dwo)
	address=$(nm below/split | sed -n 's/ T main$//p')
	for kind in $kinds; do
		odd $kind "below/$named"
		fresh rows
		sqlite3 bad/rank-000001.db "UPDATE module_row SET path = '$PWD/below/split', build_id = '', base = 0;
			UPDATE frame_row SET offset = $((0x$address + 4)), function = NULL, file = NULL, line = NULL"
		ends 0 "$kind for a file of a unit" merge bad
		expect_sql bad/run.db "SELECT DISTINCT line FROM frame_row WHERE rank = 1" 1
	done

	# A directory of that name hides no debug file that lies elsewhere.
	rm -rf below
	mkdir -p below/.debug/module.debug below/module.debug
	"$objcopy" --only-keep-debug whole below/.debug/module.dbg
	"$objcopy" --strip-debug --remove-section=.note.gnu.build-id --add-gnu-debuglink=below/.debug/module.dbg \
		whole below/module
	address=$(nm whole | sed -n 's/ T main$//p')
	for directory in module.dbg .debug/module; do
		rm -rf below/module.dbg below/.debug/module
		mkdir below/$directory
		fresh rows
		sqlite3 bad/rank-000001.db "UPDATE module_row SET path = '$PWD/below/module', build_id = '', base = 0;
			UPDATE frame_row SET offset = $((0x$address + 4)), function = NULL, file = NULL, line = NULL"
		ends 0 "a directory $directory" merge bad
		expect_sql bad/run.db "SELECT DISTINCT line FROM frame_row WHERE rank = 1" 1
	done
}

# The file that debug data share with those of other programs: it has the name of this unit's directory.
cat >shared.s <<'END'
	.text
	.file 1 "module.c"
	.globl main
main:
	.loc 1 1
	nop
	.loc 1 2
	nop
.Lend:
	.section .debug_abbrev,"",%progbits
.Labbrev:
	/* compile unit: comp_dir (GNU_strp_alt), low_pc, high_pc, stmt_list */
	.byte 1, 0x11, 0, 0x1b
	.uleb128 0x1f21
	.byte 0x11, 1, 0x12, 7, 0x10, 0x17, 0, 0, 0
	.section .debug_info,"",%progbits
	.4byte .Lunit_end - .Lunit
.Lunit:
	.2byte 4
	.4byte .Labbrev
	.byte 8, 1
	.4byte 0
	.8byte main, .Lend - main
	.4byte .Lline
.Lunit_end:
	.section .debug_line,"",%progbits
.Lline:
	.section .gnu_debugaltlink,"",%progbits
	.asciz "NAME"
	.fill 20, 1, 7
	.section .note.GNU-stack,"",%progbits
END
mkdir -p shared/.dwz shared/.debug
# Each kind by one name; by others, the one that would be waited for.
few=$kinds
for name in common.dbg ./common.dbg "$PWD/shared/common.dbg"; do
	sed "s|NAME|$name|" shared.s >named.s
	"$cc" -o shared/module named.s || exit 1
	address=$(nm shared/module | sed -n 's/ T main$//p')
	rm -rf named
	cp -r rows named
	sqlite3 named/rank-000001.db "UPDATE module_row SET path = '$PWD/shared/module', build_id = '', base = 0;
		UPDATE frame_row SET offset = $((0x$address + 1)), function = NULL, file = NULL, line = NULL"
	for place in none . .dwz .debug; do
		for kind in $few; do
			rm -rf shared/common.dbg shared/.*/common.dbg
			[ $place = none ] || odd $kind shared/$place/common.dbg
			fresh named
			ends 0 "$kind for shared debug data $name in $place" merge bad
			if [ $place = . ]; then
				expect_sql bad/run.db "SELECT DISTINCT function FROM frame_row WHERE rank = 1" main
			else
				expect_sql bad/run.db "SELECT DISTINCT function, line FROM frame_row WHERE rank = 1" "main|1"
			fi
			[ $place != none ] || break
		done
	done
	few=pipe
done
finish
