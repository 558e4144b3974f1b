/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_model.h: queries about live predictions, over temp.unblocked (report.c): calls that waited for nobody, or of
 * which one side knows no more than that only full buffers can have made them wait.
 */
#ifndef TRYST_REPORT_MODEL_H
#define TRYST_REPORT_MODEL_H

#define REPORT_MODEL_SQL \
	"SELECT kind, coalesce(protocol, 'unknown') AS protocol, sum(count) AS count," \
	" sum(predicted_ns) / sum(count) AS predicted_ns, sum(blocked_ns) / sum(count) AS" \
	" blocked_ns," \
	" (sum(blocked_ns) - sum(predicted_ns)) / sum(count) AS error_ns," \
	" 100.0 * (sum(blocked_ns) - sum(predicted_ns)) / nullif(sum(predicted_ns), 0) AS error_pct" \
	" FROM unblocked GROUP BY kind, protocol ORDER BY kind DESC, protocol"

/*
 * What learned rows say: times that messages scaled (live_follow.h), and shortest calls that left their
 * prediction during the run by more than the clock's own error.
 */
#define DRIFT_ROWS \
	" FROM link_param WHERE ((name LIKE 'scale%' AND abs(value - 1) > 0.1)" \
	" OR (name = 'drift' AND abs(value - ci_low) > 1000)) GROUP BY tier, name, form, bytes"

/* Means that are beyond both twice the prediction and a microsecond more. */
#define MODEL_OFF \
	" FROM (SELECT kind, protocol, rank_list(rank) AS ranks, sum(count) AS count," \
	"  sum(blocked_ns) / sum(count) AS blocked_ns, sum(predicted_ns) / sum(count) AS predicted_ns" \
	"  FROM (SELECT * FROM unblocked ORDER BY rank) GROUP BY kind, protocol)" \
	" WHERE blocked_ns > max(2 * predicted_ns, predicted_ns + 1000)"

#define REPORT_DRIFT_TITLE "LIVE MODEL: where the run left its calibration"

#define REPORT_DRIFT_SQL \
	"SELECT tier, name, form, bytes, rank_list(rank) AS ranks, avg(value) AS value," \
	" iif(name = 'drift', avg(ci_low), NULL) AS first_value" DRIFT_ROWS \
	" UNION ALL SELECT NULL, 'error', kind || ' ' || protocol, NULL, ranks, blocked_ns, predicted_ns" \
	MODEL_OFF " ORDER BY name DESC, tier, form, bytes LIMIT :top"

/* which: calls that did so; why: what else it may be, with ", or " behind it. */
#define REPORT_DRIFT_TEXT_SQL(which, why) \
	"SELECT text FROM (SELECT tier, name, tier || CASE name WHEN 'scale'" \
	" THEN ': caches hold repeated messages, or memory is busy: of the calibrated times, messages took and" \
	" predictions are ' WHEN 'scale_next' THEN ': the same of further ones in one call: '" \
	" ELSE ': the shortest calls differ from their prediction: ' END" \
	" || group_concat(part, ', ') AS text" \
	" FROM (SELECT tier, name, iif(name LIKE 'scale%', printf('%.2g from %s to %s', avg(value), size(bytes)," \
	"  size(2 * bytes + 4)), printf('%s of %s by %s at first, %s at last', form, size(bytes)," \
	"  duration(avg(ci_low)), duration(avg(value)))) AS part" DRIFT_ROWS \
	"  ORDER BY form, bytes) GROUP BY tier, name" \
	" UNION ALL SELECT NULL, 'error', printf('%s %s: %,d calls that " which " took %s on average" \
	" instead of %s: " why "the machine was busy, or it was not when it was measured; waits of such messages" \
	" are uncertain', kind, protocol, count, duration(blocked_ns), duration(predicted_ns))" \
	MODEL_OFF ") ORDER BY name DESC, tier, text"

#endif
