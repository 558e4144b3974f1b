/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h: every model behind one interface.
 *
 *	struct sample[] -> model_fit() -> struct model_params -> model_predict() -> ns
 *	                                        ^
 *	     rows of link_param, named sets ----+
 *
 * A model is a file that defines one `struct model`, and a line in the table of models.c.
 * Parameters are a list of (name, bytes, value): exactly the rows of link_param. Each model's own
 * header has its typed parameters and equations for those who want them without the list.
 *
 * Times are ns, slopes ns/B, lengths B. A parameter that is NAN was not
 * identified; a prediction that is NAN is not defined. Both have a reason. Nothing here does I/O or
 * keeps state.
 */
#ifndef TRYST_MODEL_H
#define TRYST_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/model/sample.h"

#define MODEL_NO_BYTES UINT64_MAX /* the parameter is no function of the message's length */

/* What can be asked. A model answers some of it. */
enum model_quantity {
	MODEL_SEND,       /* time inside the send call */
	MODEL_RECV,       /* time inside the receive call */
	MODEL_MESSAGE,    /* from the send's entry until the receive returns */
	MODEL_ROUND_TRIP, /* there and back, with delay_ns before the sender's receive */
	MODEL_SCATTER,    /* linear scatter over n processes, bytes to each */
	MODEL_GATHER,     /* linear gather */
	MODEL_BURST,      /* 1:P-P:1 with P = n */
	MODEL_BURST_SEND, /* one send of it: o(P) */
	MODEL_BROADCAST,  /* binomial tree over node_of[n] */
	MODEL_QUANTITIES
};

enum model_mode { MODEL_STANDARD, MODEL_BUFFERED, MODEL_SYNCHRONOUS, MODEL_READY };

/* A question. Zero-initialised but for bytes it asks for one message, both sides in time. */
struct model_case {
	uint64_t bytes;
	double late_receiver_ns; /* t_r - t_s where above 0 */
	double late_sender_ns;   /* t_s - t_r where above 0; at most one of the two is set */
	double delay_ns;         /* w of the round trip */
	enum model_mode mode;
	int same_node;      /* two-tier models: inside a node */
	int n;              /* processes of a collective, hosts of a burst */
	const int *node_of; /* MODEL_BROADCAST: node of each of the n ranks */
};

/*
 * The parts of a case that an equation uses besides the length: lateness of one side, w, the mode,
 * the tier, n, node_of.
 */
enum model_input {
	MODEL_LATE = 1,
	MODEL_DELAY = 2,
	MODEL_MODE = 4,
	MODEL_TIER = 8,
	MODEL_COUNT = 16,
	MODEL_NODES = 32
};

/* What a parameter is. */
struct model_param {
	const char *name; /* "O_ss" */
	const char *unit; /* "ns", "ns/B", "B", "" */
	double low, high; /* what a sound value lies between */
	int by_bytes;     /* 1: a function of the length, one value a length */
	const char *meaning;
	enum sample_kind samples; /* which samples tell of it */
};

/* One value of one parameter: a row of link_param. */
struct model_value {
	int param;              /* index into model->param */
	uint64_t bytes;         /* MODEL_NO_BYTES unless by_bytes */
	double value;           /* NAN: not identified */
	double ci_low, ci_high; /* 95 %, NAN where not known */
	char reason[64];        /* why value is NAN, else "" */
};

struct model_params {
	const struct model *model;
	size_t nvalues, room;
	struct model_value *value; /* owned */
};

enum finding_kind {
	FINDING_TOO_LITTLE,    /* data for a parameter is missing */
	FINDING_NON_MONOTONE,  /* a longer message took less time, beyond the noise */
	FINDING_OUT_OF_RANGE,  /* a fit gave a value that cannot be: left out */
	FINDING_SWITCH,        /* a break that no parameter of the model explains */
	FINDING_NOT_SEPARABLE, /* only a sum is known */
	FINDING_NOISE          /* repetitions disagree so much that a fit means little */
};

/* Something that the reader of a fit must know, with the samples to look at. */
struct model_finding {
	enum finding_kind kind;
	int param;                      /* index, -1: none in particular */
	enum sample_kind samples;       /* which samples... */
	uint64_t bytes_low, bytes_high; /* ...of these lengths */
	char text[128];
};

struct model_findings {
	size_t n, room;
	struct model_finding *finding; /* owned */
};

struct model {
	const char *name;    /* "LogGPS": as in link_param */
	const char *source;  /* where the equations stand */
	const char *summary; /* one line */
	const struct model_param *param;
	int nparams;
	int variant; /* for files that define several models by a table */
	/* 1: fit from pairs inside a node and between nodes together */
	int two_tiers;
	uint32_t quantities; /* bits 1 << enum model_quantity that it defines */
	/* those of MODEL_LATE, _DELAY, _MODE and _TIER that its equations take */
	uint32_t inputs;
	/* NAN with *why set where the model or its parameters do not say. */
	double (*predict)(const struct model_params *p, enum model_quantity q,
		const struct model_case *c, const char **why);
	/* Sets values in p, adds findings. 0, or -ENOMEM. NULL: the source gives no procedure. */
	int (*fit)(
		struct model_params *p, const struct sample *s, size_t n, struct model_findings *f);
};

/* All models, ended by NULL, in the order of `tryst model list`. */
extern const struct model *const models[];

/* By name, letter case ignored. NULL: none. */
const struct model *model_find(const char *name);

/* Index of a parameter in m->param by its exact name, or -1. */
int model_param_find(const struct model *m, const char *name);

const char *model_quantity_name(enum model_quantity q); /* "round_trip" */
const char *finding_kind_name(enum finding_kind kind);  /* "too_little" */

/* Makes p empty, for model m; model_params_release() frees it. */
void model_params_init(struct model_params *p, const struct model *m);
void model_params_release(struct model_params *p);

/*
 * Sets or replaces a value; `reason` (NULL: none) is copied, cut to 63 characters. -ENOMEM, or
 * -EINVAL for an unknown index. A NAN value without a reason gets "not identified".
 */
int model_set(struct model_params *p, int param, uint64_t bytes, double value, double ci_low,
	double ci_high, const char *reason);

/* A value that is no function of length, or NAN. */
double model_get(const struct model_params *p, int param);

/* The row itself, or NULL. */
const struct model_value *model_value(const struct model_params *p, int param, uint64_t bytes);

/*
 * A parameter that is a function of length: linear between the given lengths, by the outermost
 * two beyond them (never below 0), constant where there is one. NAN where there is none.
 */
double model_get_at(const struct model_params *p, int param, uint64_t bytes);

/* Bits of enum model_input: what the model's equation of q takes. 0 where it has none. */
uint32_t model_inputs(const struct model *m, enum model_quantity q);

/*
 * The prediction in ns, or NAN with *why (may be NULL) set to a text that lives forever: quantity
 * not in the model's source, a parameter that is not known, or a case with lateness, a delay or a
 * mode that model_inputs() lacks. same_node is ignored by models of one tier.
 */
double model_predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why);

/*
 * Fits m to the samples of one ordered pair (or of several taken as one). `p` is initialised here
 * and must be released, also after an error, as must `f`. Values outside of their parameter's range
 * never remain in p: they become NAN with a reason, and a finding. Returns 0, -ENOMEM, or -ENOTSUP
 * where the model's source has no procedure to fit it.
 */
int model_fit(struct model_params *p, const struct model *m, const struct sample *s, size_t n,
	struct model_findings *f);

/*
 * The last step of model_fit(). Sets values outside of their parameter's range to NAN, and adds a
 * finding for each. Returns 0 or -ENOMEM.
 */
int model_refuse_out_of_range(struct model_params *p, struct model_findings *f);

/* Makes f empty; model_findings_release() frees it. */
void model_findings_init(struct model_findings *f);
void model_findings_release(struct model_findings *f);

/* Adds one finding; the text is made as by printf and cut. -ENOMEM. */
int model_find_add(struct model_findings *f, enum finding_kind kind, int param,
	enum sample_kind samples, uint64_t bytes_low, uint64_t bytes_high, const char *format, ...)
	__attribute__((format(printf, 7, 8)));

/* Relative error of a prediction in percent, the sign of (predicted - measured). */
double model_error_percent(double predicted, double measured);

/* Published sets of parameters, by name (published.c). */
struct model_published {
	const char *name; /* "loggps-myrinet" */
	const char *model;
	const char *platform;
	const char *source;
};

extern const struct model_published model_published[]; /* ended by a NULL name */

/* Fills p (initialised here) from a set. 0, -ENOENT, -ENOMEM. */
int model_published_load(struct model_params *p, const char *name);

#endif
