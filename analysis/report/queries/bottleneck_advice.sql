-- SPDX-License-Identifier: BSD-3-Clause
-- advice: remedies for a bottleneck beyond those of its cause. balance: Blame gives most of it to computation, and
-- posting earlier would not end it. If blame is unknown: the receiver did not call MPI. A receiver outside MPI receives
-- nothing, however early it posts, unless transfers go on alone. If the receive was not posted, late progress would be
-- lateness even without a need for progress. steady: as balance, for ranks that are late in turns.
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
