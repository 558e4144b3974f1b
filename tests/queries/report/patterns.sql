-- SPDX-License-Identifier: BSD-3-Clause
-- case: by what they cost, with what aggregation would bring
-- top: 2
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'late_in_turns', NULL, NULL, 2, NULL, NULL, NULL, NULL, NULL, 500, 2.5, NULL),
	(2, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f a.c:1', 1000, 8, 1200, 6, NULL), (3, 'ring', NULL, NULL, 2, NULL, NULL, NULL, 9, 8, 400, 2, NULL);
INSERT INTO pattern_gain VALUES (2, 8, 500, 9000, 0), (2, 64, 600, 9000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows:
-- pattern|rank|peer|ranks|call|where|count|mean_bytes|time_ns|share_pct|by8_gain_ns|by64_gain_ns|bare_run_ns|remedy_gain_ns|interval_ns|withheld|steps|steps_now|untried|by|gain_ns|same_gain_ns|own_gain_ns|most_gain_ns|own_helps|without_gain_ns|told_order|both_ways
-- small_messages|0|1|2|MPI_Send|f a.c:1|1000|8|1200|6|500|600|9000|-|100|0|-|1|0|64|600|-|-|-|0|-|0|0
-- late_in_turns|-|-|2|-|-|-|-|500|2.5|-|-|-|-|100|0|-|1|0|-|-|-|-|-|0|-|1|0

-- case: a serialised exchange is told of if nonblocking sends help, or were not tried
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'serialised', NULL, NULL, 3, NULL, 'MPI_Send', 'f', 9, NULL, 500, 5, 1),
	(2, 'serialised', NULL, NULL, 3, NULL, 'MPI_Send', 'g', 9, NULL, 400, 4, 2), (3, 'serialised', NULL, NULL, 3, NULL, 'MPI_Send', 'h', 9, NULL, 300, 3, 3);
INSERT INTO remedy_tried VALUES (1, 'send_nonblocking', NULL, 300, 5, 1), (2, 'send_nonblocking', NULL, 3, 5, 0);
-- rows: values
-- serialised|-|-|3|MPI_Send|f|9|-|500|5|-|-|-|300|-|0|-|2|0|-|300|-|-|-|0|-|0|0
-- serialised|-|-|3|MPI_Send|h|9|-|300|3|-|-|-|-|-|0|-|2|0|-|-|-|-|-|0|-|1|0

-- case: ranks lacked a CPU: nothing is told of who is late
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000), (0, 'cpu_wait_ns', 4000);
-- then:
INSERT INTO pattern VALUES (1, 'one_late', 0, NULL, 3, NULL, NULL, NULL, NULL, NULL, 500, 5, NULL),
	(2, 'serialised', NULL, NULL, 3, NULL, 'MPI_Send', 'g', 9, NULL, 400, 4, 2), (3, 'ring', NULL, NULL, 3, NULL, NULL, NULL, 9, 8, 300, 3, NULL);
-- rows: values
-- ring|-|-|3|-|-|9|8|300|3|-|-|-|-|-|1|2|2|1|-|-|-|-|-|0|-|1|0

-- case: what helps comes first, then what no replay has tried, then what does not help
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f', 1000, 8, 5000, 25, NULL),
	(2, 'fan_out', 0, NULL, 9, 7, 'MPI_Send', 'g', 1000, 8, 4000, 20, NULL),
	(3, 'small_messages', 1, 0, 2, 7, 'MPI_Send', 'h', 1000, 8, 1200, 6, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 50, 9000, 0), (1, 64, 60, 9000, 0), (3, 8, 500, 9000, 0), (3, 64, 600, 9000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- small_messages|1|0|2|MPI_Send|h|1000|8|1200|6|500|600|9000|-|100|0|-|1|0|64|600|-|-|-|0|-|0|0
-- fan_out|0|-|9|MPI_Send|g|1000|8|4000|20|-|-|-|-|100|0|4|8|1|-|-|-|-|-|0|-|1|0
-- small_messages|0|1|2|MPI_Send|f|1000|8|5000|25|50|60|9000|-|100|0|-|1|0|64|60|-|-|-|0|-|2|0

-- case: if chance is as long as the run, all gains are unknown, and a pattern is told of all the same
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (2, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f', 1000, 8, 4000, 20, NULL),
	(3, 'serialised', NULL, NULL, 3, NULL, 'MPI_Send', 'g', 9, NULL, 500, 5, 1);
INSERT INTO pattern_gain VALUES (2, 8, 50, 9000, 0), (2, 64, 60, 9000, 0);
INSERT INTO remedy_tried VALUES (1, 'send_nonblocking', NULL, 300, 5, 0);
INSERT INTO worth_run VALUES (10000, 10000, NULL);
-- rows: values
-- small_messages|0|1|2|MPI_Send|f|1000|8|4000|20|-|-|-|-|10000|0|-|1|0|-|-|-|-|-|0|-|1|0
-- serialised|-|-|3|MPI_Send|g|9|-|500|5|-|-|-|-|10000|0|-|2|0|-|-|-|-|-|0|-|1|0

-- case: chance can be as long as the run without tryst alone
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (2, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f', 1000, 8, 4000, 20, NULL);
INSERT INTO pattern_gain VALUES (2, 8, 50, 9000, 0), (2, 64, 60, 9000, 0);
INSERT INTO worth_run VALUES (10000, 9000, NULL);
-- rows: values
-- small_messages|0|1|2|MPI_Send|f|1000|8|4000|20|-|-|-|-|9000|0|-|1|0|-|-|-|-|-|0|-|1|0

-- case: load imbalance is told of if a replay with equal work shortens the run
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f', 9, NULL, 500, 5, NULL),
	(2, 'load_imbalance', 1, NULL, 2, NULL, 'MPI_Barrier', 'g', 9, NULL, 400, 4, NULL), (3, 'load_imbalance', 1, NULL, 2, NULL, 'MPI_Barrier', 'h', 9, NULL, 400, 4, NULL);
INSERT INTO pattern_gain VALUES (1, 0, 300, 10000, 0), (2, 0, 90, 10000, 0), (1, -1, 320, 10000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- load_imbalance|0|-|2|MPI_Barrier|f|9|-|500|5|-|-|-|300|100|0|-|1|0|-|300|-|-|-|0|320|0|0

-- case: a collective that helps with data of their own has that gain, else the gain with the same data; a master's is a bound
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'fan_out', 0, NULL, 8, 7, 'MPI_Send', 'f', 70, 8, 500, 5, NULL),
	(2, 'ring', NULL, NULL, 5, NULL, NULL, NULL, 20, 8, 400, 4, NULL), (3, 'master', 0, NULL, 8, NULL, NULL, NULL, 99, 8, 300, 3, NULL),
	(4, 'fan_in', 0, NULL, 8, 7, 'MPI_Recv', 'g', 70, 8, 200, 2, NULL);
INSERT INTO collective_gain VALUES (1, 400, 300), (2, 390, 90), (4, 50, NULL);
INSERT INTO master_gain VALUES (3, 200);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- ring|-|-|5|-|-|20|8|400|4|-|-|-|-|100|0|3|4|0|-|390|390|90|-|0|-|0|0
-- fan_out|0|-|8|MPI_Send|f|70|8|500|5|-|-|-|-|100|0|3|7|0|-|300|400|300|-|1|-|0|0
-- master|0|-|8|-|-|99|8|300|3|-|-|-|-|100|0|-|7|0|-|-|-|-|200|0|-|1|0
-- fan_in|0|-|8|MPI_Recv|g|70|8|200|2|-|-|-|-|100|0|3|7|0|-|50|50|-|-|0|-|2|0

-- case: if chance is as long as the run, the gain of a collective is unknown
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'fan_out', 0, NULL, 8, 7, 'MPI_Send', 'f', 70, 8, 500, 5, NULL);
INSERT INTO collective_gain VALUES (1, 400, 300);
INSERT INTO worth_run VALUES (10000, 10000, NULL);
-- rows: values
-- fan_out|0|-|8|MPI_Send|f|70|8|500|5|-|-|-|-|10000|0|3|7|1|-|-|-|-|-|0|-|1|0

-- case: a barrier without which the run is hardly shorter stays
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f', 9, NULL, 500, 5, NULL);
INSERT INTO pattern_gain VALUES (1, 0, 300, 10000, 0), (1, -1, 100, 10000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- load_imbalance|0|-|2|MPI_Barrier|f|9|-|500|5|-|-|-|300|100|0|-|1|0|-|300|-|-|-|0|-|0|0

-- case: messages above 1 KiB only if fewer of them help
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f', 1000, 1025, 500, 5, NULL),
	(2, 'small_messages', 0, 1, 2, 8, 'MPI_Send', 'g', 1000, 4096, 500, 5, NULL), (3, 'small_messages', 1, 0, 2, 7, 'MPI_Send', 'h', 1000, 4096, 500, 5, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 90, 9000, 0), (2, 8, 300, 9000, 0), (2, 64, 0, 9000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- small_messages|0|1|2|MPI_Send|g|1000|4096|500|5|300|0|9000|-|100|0|-|1|0|8|300|-|-|-|0|-|0|0

-- case: messages of both directions that are combined are told of once
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'small_messages', 1, 0, 2, 7, 'MPI_Sendrecv', 'f', 1000, 8, 500, 5, NULL),
	(2, 'small_messages', 0, 1, 2, 7, 'MPI_Sendrecv', 'f', 1000, 8, 500, 5, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 300, 9000, 1), (2, 8, 300, 9000, 1);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- small_messages|1|0|2|MPI_Sendrecv|f|1000|8|500|5|300|-|9000|-|100|0|-|1|0|8|300|-|-|-|0|-|0|1

-- case: the fewest pieces of a master's work in a message that bring nine tenths of the best
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'master', 0, NULL, 8, NULL, NULL, NULL, 99, 8, 300, 3, NULL), (2, 'master', 1, NULL, 8, NULL, NULL, NULL, 99, 8, 300, 3, NULL);
INSERT INTO pattern_gain VALUES (1, 2, 300, 9000, 0), (1, 4, 460, 9000, 0), (1, 8, 500, 9000, 0), (2, 2, 100, 9000, 0);
INSERT INTO master_gain VALUES (1, 200), (2, 100);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- master|0|-|8|-|-|99|8|300|3|-|-|-|-|100|0|-|7|0|4|460|-|-|200|0|-|0|0
-- master|1|-|8|-|-|99|8|300|3|-|-|-|-|100|0|-|7|0|2|100|-|-|100|0|-|2|0

-- case: the gain of a master is known if pieces of its work were replayed, though a master that takes no time was not
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'master', 0, NULL, 8, NULL, NULL, NULL, 99, 8, 400, 4, NULL), (2, 'master', 1, NULL, 8, NULL, NULL, NULL, 99, 8, 300, 3, NULL);
INSERT INTO pattern_gain VALUES (1, 2, 300, 9000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- master|0|-|8|-|-|99|8|400|4|-|-|-|-|100|0|-|7|0|2|300|-|-|-|0|-|0|0
-- master|1|-|8|-|-|99|8|300|3|-|-|-|-|100|0|-|7|1|-|-|-|-|-|0|-|1|0

-- case: messages of both directions of which only one is told; those that are combined in vain are of one direction
-- top: 5
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'small_messages', 1, 0, 2, 7, 'MPI_Sendrecv', 'f', 1000, 2000, 500, 5, NULL),
	(2, 'small_messages', 0, 1, 2, 7, 'MPI_Sendrecv', 'f', 1000, 2000, 500, 5, NULL),
	(3, 'small_messages', 0, 2, 2, 7, 'MPI_Sendrecv', 'g', 1000, 8, 500, 4, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 90, 9000, 1), (2, 8, 300, 9000, 1), (3, 8, 0, 9000, 1);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- small_messages|0|1|2|MPI_Sendrecv|f|1000|2000|500|5|300|-|9000|-|100|0|-|1|0|8|300|-|-|-|0|-|0|1
-- small_messages|0|2|2|MPI_Sendrecv|g|1000|8|500|4|0|-|9000|-|100|0|-|1|0|8|0|-|-|-|0|-|2|0
