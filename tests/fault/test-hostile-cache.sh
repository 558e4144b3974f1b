#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# Link parameters that somebody else put into the cache: MPI_Init ends as without a cache, and one rank says
# why in one line.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
TRYST_CACHE=$PWD/cache
export TRYST_CACHE

# runs MPI WHAT TEXT: the program runs as bare, and one line is said, which has the text
runs() {
	rm -rf out
	to under shim_run "$1" 2 out "$(mpi_program "$1" doomed)" end 100
	expect "$1, $2: exit code" $? 0
	expect "$1, $2: output" "$(sort under)" "rank 0 done 100
rank 1 done 100"
	check_whole "$1, $2" out 2
	expect "$1, $2: parameters from the cache" "$(sql out "SELECT count(*) FROM link_param WHERE source = 'cache'")" "0
0"
	expect "$1, $2: lines said: $(cat under.err)" "$(grep '^tryst: ' under.err | grep -cF "$3") $(grep -c '^tryst: ' under.err)" \
		"1 1"
}

for mpi in $MPIS; do
	rm -rf cache
	check "$mpi: a run fills the cache" shim_run $mpi 2 first-$mpi "$(mpi_program $mpi doomed)" end 100
	expect "$mpi: nobody else may write it" "$(find cache -perm /022)" ""
	rm -rf good
	cp -rp cache good
	chmod g+w cache
	runs $mpi "a directory that the group may write" "'$PWD/cache' is not used: others may write it: 'chmod go-w' mends that"
	"$TRYST" doctor | tr -s ' \n' ' ' >doctor.txt
	check "$mpi: tryst doctor says so" grep -qF "'$PWD/cache' is not used: others may write it" doctor.txt
	chmod 1777 cache
	runs $mpi "a directory like /tmp" "'$PWD/cache' is not used: others may write it"
	expect "$mpi: and nothing is left there" "$(ls cache)" "$(ls good)"
	if [ "$(id -u)" -eq 0 ]; then
		chmod 755 cache
		chown 12345 cache
		runs $mpi "a directory of another user" "'$PWD/cache' is not used: it belongs to another user"
	fi
	if [ -z "$(ls good)" ]; then
		say "$mpi: the machine was too busy to measure anything for the cache"
		continue
	fi
	for way in view writable foreign pipe; do
		[ $way != foreign ] || [ "$(id -u)" -eq 0 ] || continue
		text="'$PWD/cache/"
		rm -rf cache
		cp -rp good cache
		for file in cache/*; do
			case $way in
			view)
				sqlite3 "$file" "DROP TABLE fingerprint; CREATE VIEW fingerprint AS WITH RECURSIVE n(x) AS
					(SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS key, x AS value FROM n"
				;;
			writable) chmod o+w "$file" ;;
			foreign) chown 12345 "$file" ;;
			pipe) rm "$file" && mkfifo "$file" ;;
			esac
		done
		runs $mpi "$way" "$text"
	done
done
finish
