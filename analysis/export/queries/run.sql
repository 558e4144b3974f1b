-- SPDX-License-Identifier: BSD-3-Clause
-- The run as a whole.

-- query last_place: the highest number of a place
SELECT max(place) FROM export_site

-- query place_names: all places
SELECT place, text, file, line FROM export_site GROUP BY place

-- query ranks: host of each rank, and the end of its time on its own clock
SELECT rank, max(value) FILTER (WHERE key = 'host'), max(CAST(value AS INTEGER)) FILTER (WHERE key = 'end_ns')
FROM run GROUP BY rank ORDER BY rank

-- query places_of_rank: the place of each callsite of rank ?1
SELECT callsite, place FROM export_site WHERE rank = ?

-- query threads: threads of rank ?1 that called MPI; thread 0 always is one
SELECT 0 UNION SELECT thread FROM call_cell WHERE rank = ?1 UNION SELECT thread FROM in_call_row_fields
WHERE rank = ?1 ORDER BY 1

-- query call_names: names of MPI functions
SELECT id, name FROM call_name

-- query cause_names: names of causes of waits in messages
SELECT id, name FROM cause_name

-- query coll_state_names: names of causes of waits in collectives
SELECT id, name FROM coll_state_name

-- query members: members of all communicators, those of one together
SELECT uid, my_rank, rank, comm, size, name, remote_size, maker FROM comm_row
WHERE uid IS NOT NULL AND my_rank IS NOT NULL ORDER BY uid, my_rank

-- query world_size: ranks of MPI_COMM_WORLD
SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'world_size'
