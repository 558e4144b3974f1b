-- SPDX-License-Identifier: BSD-3-Clause
-- tryst model puts its results into tables in memory and prints queries on them, so that all
-- formats have one source.

-- query tables: all of them, empty
CREATE TABLE model (model, predicts, parameters, about, source);
CREATE TABLE published (name, model, platform, source);
CREATE TABLE parameter (from_rank, to_rank, model, name, bytes, value, unit, interval, note);
CREATE TABLE learned (kind, name, samples, bytes_low, bytes_high, text);
CREATE TABLE prediction (bytes, send_ns, recv_ns, wait_ns, message_ns, round_trip_ns, scatter_ns, gather_ns, burst_ns,
	burst_send_ns, broadcast_ns, no_conflicts_ns);
CREATE TABLE transfer (number, from_node, to_node, bytes, start_ns, end_ns, took_ns, alone_ns, slowdown);
CREATE TABLE all_pairs (bytes, scatter_ns, gather_ns);
CREATE TABLE note (what, why, UNIQUE (what, why) ON CONFLICT IGNORE);

-- query notes: why something was not predicted, a sentence a reason
SELECT 'Not predicted: ' || group_concat(what, ', ') || ': ' || why FROM note GROUP BY why ORDER BY min(rowid)

-- query transfers: when each transfer of a pattern ends
SELECT number AS transfer, from_node, to_node, bytes, start_ns, end_ns, took_ns, alone_ns, slowdown FROM transfer

-- query transfers_text: the same
SELECT number AS transfer, from_node, to_node, bytes AS length_bytes, start_ns, end_ns, took_ns, alone_ns, slowdown
FROM transfer

-- query all_pairs: scatter and gather over pairs with parameters of their own
SELECT * FROM all_pairs

-- query all_pairs_text: the same
SELECT bytes AS length_bytes, scatter_ns, gather_ns FROM all_pairs
