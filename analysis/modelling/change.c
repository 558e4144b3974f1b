/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change.c: `tryst model predict --set`: a parameter gets another value.
 *
 * Fits keep sums, which are sound even if their parts are not. If a part changes, its sums change
 * by the same difference, so all else stays as measured. An unknown part cannot be changed, since
 * the difference of its sums would be unknown, too.
 */
#include <config.h>

#include "analysis/text/messages.h"
#include "analysis/modelling/input.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* sum = ... + times * part + ... */
static const struct {
	const char *model, *sum, *part;
	double times;
} sums[] = {
	{ "LogP", "one_way", "L", 1 },
	{ "LogP", "one_way", "o", 2 },
	{ "LogGP-1", "one_way", "L", 1 },
	{ "LogGP-1", "one_way", "o", 2 },
	{ "LogGP-2", "one_way", "L", 1 },
	{ "LogGP-2", "one_way", "o", 2 },
	{ "LogGP-2", "one_way_l", "L", 1 },
	{ "LogGP-2", "one_way_l", "o_l", 2 },
	{ "LogGPS", "one_way", "L", 1 },
	{ "LogGPS", "one_way", "o", 2 },
	{ "LogGPS", "rendezvous", "one_way", 2 },
	{ "LogGPS", "sum_s", "O_ss", 1 },
	{ "LogGPS", "sum_s", "O_rs", 1 },
	{ "LogGPS", "sum_s", "G_s", 1 },
	{ "LogGPS", "sum_l", "O_sl", 1 },
	{ "LogGPS", "sum_l", "O_rl", 1 },
	{ "LogGPS", "sum_l", "G_l", 1 },
	{ "LogGPS", "sum_r", "O_sr", 1 },
	{ "LogGPS", "sum_r", "O_rr", 1 },
	{ "LogGPS", "sum_r", "G_r", 1 },
	{ "PLogP", "one_way", "L", 1 }, /* at each length */
	{ "LoGHsSP", "one_way", "L", 1 },
	{ "LoGHsSP", "one_way", "o_s", 1 },
	{ "LoGHsSP", "one_way", "o_r", 1 },
};

/* Is the parameter known, at one length or at all? */
static bool is_known(const struct model_params *p, int param)
{
	for (size_t i = 0; i < p->nvalues; i++)
		if (p->value[i].param == param && !isnan(p->value[i].value))
			return true;
	return false;
}

/* A function of the length has all its values moved by `more`. */
static int move_curve(struct model_params *p, int param, double more)
{
	for (size_t i = 0; i < p->nvalues; i++) {
		const struct model_value *v = &p->value[i];

		if (v->param == param && !isnan(v->value) &&
			model_set(p, param, v->bytes, v->value + more, NAN, NAN, NULL) < 0)
			return say_error("out of memory");
	}
	return CMD_OK;
}

/* Sets a parameter, and its sums that are known by the difference. CMD_OK, or another exit code
 * after printing the error. */
static int change(struct model_params *p, int param, double value)
{
	const struct model_value *old = model_value(p, param, MODEL_NO_BYTES);
	const struct model_param *d = &p->model->param[param];
	double more = value - (old ? old->value : NAN);

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		int sum = model_param_find(p->model, sums[i].sum), rc;

		if (strcmp(sums[i].model, p->model->name) != 0 ||
			strcmp(sums[i].part, d->name) != 0 || !is_known(p, sum))
			continue;
		if (isnan(more)) {
			say_error("--set %s: %s of '%s' is known only in %s%s%s", d->name, d->name,
				p->model->name, sums[i].sum, old ? ": " : "",
				old ? old->reason : "");
			return CMD_USAGE;
		}
		rc = p->model->param[sum].by_bytes ?
			move_curve(p, sum, sums[i].times * more) :
			change(p, sum, model_get(p, sum) + sums[i].times * more);
		if (rc != CMD_OK)
			return rc;
	}
	if (model_set(p, param, MODEL_NO_BYTES, value, NAN, NAN, NULL) < 0)
		return say_error("out of memory");
	return CMD_OK;
}

/* The value behind NAME=, by the parameter's unit; NAN: an error was printed. */
static double value_of(const struct model_param *d, const char *text)
{
	const char *list = text;
	char *end;
	double value;

	if (strcmp(d->unit, "B") == 0) {
		int64_t bytes = model_next_bytes(&list);

		return bytes < 0 ? NAN : (double)bytes;
	}
	if (strcmp(d->unit, "ns") == 0)
		return model_time_of(text);
	value = strtod(text, &end);
	if (end == text || *end || !isfinite(value))
		return say_error("bad value '%s' of %s", text, d->name), NAN;
	return value;
}

static int change_one(struct model_params *p, char *word)
{
	char *equals = strchr(word, '=');
	int param;
	double value;

	if (!equals)
		return say_error("--set wants NAME=VALUE, not '%s'", word), CMD_USAGE;
	*equals = '\0';
	param = model_param_find(p->model, word);
	if (param < 0 || p->model->param[param].by_bytes) {
		say_error(param < 0 ? "%s has no parameter '%s'" :
				      "%s: '%s' is a function of the length: --set has no curve",
			p->model->name, word);
		return CMD_USAGE;
	}
	value = value_of(&p->model->param[param], equals + 1);
	if (isnan(value))
		return CMD_USAGE;
	if (value < p->model->param[param].low || value > p->model->param[param].high)
		return say_error("--set %s=%s: impossible", word, equals + 1), CMD_USAGE;
	/* jump_l = s (G_s - G_l) is a product: a change of one of these makes it that again */
	if (strcmp(p->model->name, "LogGPS") == 0 &&
		(strcmp(word, "s") == 0 || strcmp(word, "G_s") == 0 || strcmp(word, "G_l") == 0)) {
		int jump = model_param_find(p->model, "jump_l");

		if (isnan(model_get(p, model_param_find(p->model, "G_s")) +
			    model_get(p, model_param_find(p->model, "G_l")))) {
			say_error("--set %s: G_s or G_l of LogGPS is not identified", word);
			return CMD_USAGE;
		}
		if (model_set(p, jump, MODEL_NO_BYTES, NAN, NAN, NAN, "s (G_s - G_l)") < 0)
			return say_error("out of memory");
	}
	return change(p, param, value);
}

int model_change(struct model_params *p, const char *list)
{
	char *words = strdup(list), *next = words, *word;
	int rc = words ? CMD_OK : say_error("out of memory");

	while (rc == CMD_OK && (word = strtok_r(next, ",", &next)))
		rc = change_one(p, word);
	free(words);
	return rc;
}
