/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h: when concurrent messages between hosts end.
 *
 *	a rank --connection, in order--> queue of its host, piece by piece --> another host, shared
 *
 * A message goes through these states; times are in ns, counted from anywhere.
 *
 *	eager:       send posted --data--> receive over
 *	rendezvous:  send posted --request--> noticed, receive posted --answer--> noticed: send over
 *	             --data--> receive over
 *
 * A request or an answer takes flight_ns and no transfer. Data takes bytes_ns if it is alone, and
 * the receive is over tail_ns after its last byte has left. A send is over when its data may go:
 * its overhead is the caller's. The caller also knows when a rank notices what has come to it.
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
	double flight_ns, tail_ns;
	double piece_ns; /* its data is handed to the host in pieces of this; > 0, if bytes_ns is */
	double queue_ns; /* ... while less than this of the connection waits there */
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
 * cuts: how flows share the way into a host. NULL: there they do not slow each other down.
 * host_of[]: of each of the ranks. Both stay the caller's and must outlive the traffic.
 * ids: messages have numbers below it. NULL without memory. traffic_free(NULL) is allowed.
 */
struct traffic *traffic_new(
	const struct contention *cuts, const uint32_t *host_of, uint32_t nranks, uint32_t ids);
void traffic_free(struct traffic *t);

/*
 * The send of the message `id` is posted, or the receive, if it is a rendezvous. `at` is not
 * earlier than the last event that was taken. 0 or -ENOMEM.
 */
int traffic_send(struct traffic *t, uint32_t id, const struct traffic_message *m, int64_t at);
int traffic_receive(struct traffic *t, uint32_t id, const struct traffic_message *m, int64_t at);

/* The rank that the request or the answer came to notices it at `at`. 0 or -ENOMEM. */
int traffic_noticed(struct traffic *t, const struct traffic_news *came, int64_t at);

/* *at: the time of the next event; INT64_MAX: nothing is on its way. 0 or -ENOMEM. */
int traffic_next(struct traffic *t, int64_t *at);

/* Takes the next event; there must be one. 1: it is *news; 0: another one; -ENOMEM. */
int traffic_step(struct traffic *t, struct traffic_news *news);

/* How many flows were moved on, over all events: a measure of the time spent. */
double traffic_steps(const struct traffic *t);

#endif
