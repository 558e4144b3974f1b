/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phrase.h: a fact put into a form of words.
 *
 *	{column}        a count; a text; of a name in _ns a duration, in _bytes a size
 *	{column:,}      1,234     {column:2} 0.12 (digits behind the point)     {column:g3} 0.123
 *	{column:d}      a whole number without any unit               {column:ns} a duration
 *	{column?words}  these words where the column is unknown
 *	{column|a|b}    a where the column is 1, else b: "{count:,} message{count||s}"
 *	[ ... ]         left out where a column between the brackets is unknown
 *
 * Words are free of {}[]. A form names columns that the fact's query has (facts.h).
 */
#ifndef TRYST_REPORT_PHRASE_H
#define TRYST_REPORT_PHRASE_H

#include "analysis/report/facts.h"

void phrase(struct text *to, const struct fact *fact, const char *form);

#endif
