-- SPDX-License-Identifier: BSD-3-Clause
-- Bottlenecks as bottleneck_words.c reads them.
SELECT rowid, kind, cause_id, most_bytes, mean_ns, late_mean_ns, late_longest_ns, S, S_p, setting,
	setting_bytes, inside_pct, synchronous_pct, peer_call, peer_place, peer_done_call,
	peer_done_place, peer_share_pct, before_pct, late_rank, late_rank_pct, late_what,
	late_activity, computing_pct, late_thread, late_ranks, through_rank, through_pct,
	async_progress, coalesce(in_turns_pct, 0) >= 90, elsewhere_pct, same_sender_pct,
	100.0 * mean_ns * count / nullif(wait_ns, 0), unconfirmed
FROM bottleneck
