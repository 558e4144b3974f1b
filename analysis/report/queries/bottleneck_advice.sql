-- SPDX-License-Identifier: BSD-3-Clause
-- advice: what helps against a bottleneck other than against all of its cause. balance: Blame
-- gives most of it to computation, and posting earlier would not end it; where blame is not
-- known, the receiver did not call MPI. A receiver that calls no MPI receives nothing, whenever it
-- posts, unless transfers go on alone. Late progress would be late, had the transfer needed
-- nothing, where the receive was not posted. steady: the same, of ranks that are late in turns.
-- send_first: both messages of a wrong order are of one sender. named: somebody has most of it,
-- or several ranks do the same.
UPDATE bottleneck
SET advice = CASE
	WHEN b.balanced THEN iif(b.in_turns, 'steady', 'balance')
	WHEN cause = 'wrong_order' AND same_sender_pct >= 50 THEN 'send_first' END
FROM (
	SELECT rowid AS id, in_turns, iif(computing_pct NOT NULL, computing_pct >= 50,
			coalesce(inside_pct < 50, 0)) AND CASE cause
		WHEN 'late_receiver'
			THEN NOT coalesce(async_progress, 0) AND (named OR coalesce(inside_pct < 50, 0))
		WHEN 'late_sender' THEN named
		WHEN 'late_progress' THEN coalesce(before_pct > 50, 0)
		ELSE 0 END AS balanced
	FROM (
		SELECT rowid, *, coalesce(in_turns_pct, 0) >= 90 AS in_turns,
			late_rank NOT NULL OR late_ranks NOT NULL
				OR coalesce(in_turns_pct, 0) >= 90 AS named
		FROM bottleneck)) b
WHERE b.id = bottleneck.rowid;
