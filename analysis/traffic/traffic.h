/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h: when concurrent messages between hosts end.
 *
 *	a rank --connection, in order--> queue of its host, by pieces--> way in, shared
 *
 * A message goes through these states; times are in ns, counted from anywhere.
 *
 *	eager:       send posted --data--> receive over
 *	rendezvous:  send posted --request--> noticed, receive posted --answer--> noticed: send over
 *	             --data--> receive over
 *
 * A request or an answer waits in the queue, and then flies for flight_ns. Alone, data takes
 * bytes_ns, and up to spare_ns of it pass at once (a token bucket). Data that passes at once uses
 * up this allowance of its host; each ns of idle time restores 1 ns. The receive is over tail_ns
 * after the last byte has left. The send of a rendezvous is over when the answer is noticed; that
 * of an eager message has no event. The caller adds overheads, and knows when a rank notices what
 * has come to it.
 */
#ifndef TRYST_TRAFFIC_TRAFFIC_H
#define TRYST_TRAFFIC_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/model/equations/contention.h"

struct traffic_message {
	uint32_t from, to; /* ranks, by index */
	bool rendezvous;
	double bytes_ns; /* >= 0 */
	double spare_ns; /* of bytes_ns, what passes at once; at most bytes_ns */
	double flight_ns, tail_ns;
	double piece_ns; /* of a piece of the data; > 0, if bytes_ns is */
	double queue_ns; /* a connection hands over its next piece while less of it waits */
};

enum traffic_what {
	TRAFFIC_REQUEST, /* has come to the receiver */
	TRAFFIC_ANSWER,  /* ... to the sender */
	TRAFFIC_SEND_OVER,
	TRAFFIC_RECEIVE_OVER
};

struct traffic_news {
	uint32_t id;
	enum traffic_what what;
	int64_t at;
};

struct traffic;

/*
 * cuts: how flows slow each other down. ways_in_free: only on the way out of a host.
 * host_of[]: the host of each rank. Both stay the caller's and must outlive the traffic.
 * ids: messages have numbers below it. NULL without memory. traffic_free(NULL) is allowed.
 */
struct traffic *traffic_new(const struct contention *cuts, bool ways_in_free,
	const uint32_t *host_of, uint32_t nranks, uint32_t ids);
void traffic_free(struct traffic *t);

/*
 * Posts the send of message `id`, or its receive: of a rendezvous only. `at` is not earlier than
 * the last event that was taken. 0 or -ENOMEM.
 */
int traffic_send(struct traffic *t, uint32_t id, const struct traffic_message *m, int64_t at);
int traffic_receive(struct traffic *t, uint32_t id, const struct traffic_message *m, int64_t at);

/* The rank that the request or the answer came to notices it at `at`. 0 or -ENOMEM. */
int traffic_noticed(struct traffic *t, const struct traffic_news *came, int64_t at);

/* *at: the time of the next event; INT64_MAX: nothing is on its way. 0 or -ENOMEM. */
int traffic_next(struct traffic *t, int64_t *at);

/* Takes the next event; there must be one. 1: it is *news; 0: an inner event; -ENOMEM. */
int traffic_step(struct traffic *t, struct traffic_news *news);

/* The work done: 1e8 take about a second. */
double traffic_steps(const struct traffic *t);

#endif
