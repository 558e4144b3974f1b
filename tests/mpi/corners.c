/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * corners.c: what seldom happens to requests, probes and communicators, one rank talking to itself.
 * Each case has tags of its own, by which test-corners.sh finds its rows. Prints `done` at the end;
 * exits with 77 where MPI gives less than MPI_THREAD_MULTIPLE.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NESTED = 20000, POSTED = 40000, TOGETHER = 64, MATCHED = 20, COME_AND_GO = 300 };

static char in[256], out[256];
static MPI_Request posted[POSTED];
static volatile int all_posted;
static MPI_Message handed;
static MPI_Comm base[2];

static void post(MPI_Request *request, int bytes, int tag)
{
	MPI_Irecv(in, bytes, MPI_BYTE, 0, tag, MPI_COMM_SELF, request);
}

static void send(int bytes, int tag)
{
	MPI_Send(out, bytes, MPI_BYTE, 0, tag, MPI_COMM_SELF);
}

static void sound(int tag)
{
	MPI_Request request;

	post(&request, 4, tag);
	send(4, tag);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Tags 1 to 3: a send that fails is nobody's first message. A bcast that fails has a number. */
static void failures(void)
{
	MPI_Request request;

	MPI_Send(out, -2, MPI_BYTE, 0, 1, MPI_COMM_SELF);
	MPI_Send_init(out, 4, MPI_BYTE, 0, 2, MPI_COMM_SELF, &request);
	MPI_Request_free(&request);
	sound(2);
	sound(3);
	MPI_Barrier(MPI_COMM_SELF);
	MPI_Bcast(out, 4, MPI_BYTE, 5, MPI_COMM_SELF);
	MPI_Barrier(MPI_COMM_SELF);
}

/* Tags 20 to 23: a message is probed and taken by what does not use the probe's time. */
static void probed(void)
{
	MPI_Request request, sent;

	for (int tag = 20; tag < 23; tag++) {
		MPI_Isend(out, 4, MPI_BYTE, 0, tag, MPI_COMM_SELF, &sent);
		MPI_Probe(0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
		if (tag == 20) {
			post(&request, 4, tag);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		} else if (tag == 21) {
			MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
			MPI_Recv(in, 4, MPI_BYTE, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
		} else {
			post(&request, 4, 23);
			MPI_Sendrecv(out, 4, MPI_BYTE, 0, 23, in, 4, MPI_BYTE, 0, tag,
				MPI_COMM_SELF, MPI_STATUS_IGNORE);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
		MPI_Wait(&sent, MPI_STATUS_IGNORE);
		MPI_Isend(out, 8, MPI_BYTE, 0, tag, MPI_COMM_SELF, &sent);
		MPI_Recv(in, 8, MPI_BYTE, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
		MPI_Wait(&sent, MPI_STATUS_IGNORE);
	}
}

static void *receive_matched(void *arg)
{
	MPI_Mrecv(in, 4, MPI_BYTE, &handed, MPI_STATUS_IGNORE);
	return arg;
}

/* Tags 30 and 31: probed here, received by another thread; 40 on: many matched at a time. */
static void matched(void)
{
	MPI_Message message[MATCHED];
	MPI_Request sent[MATCHED];
	pthread_t thread;

	MPI_Isend(out, 4, MPI_BYTE, 0, 30, MPI_COMM_SELF, &sent[0]);
	MPI_Mprobe(0, 30, MPI_COMM_SELF, &handed, MPI_STATUS_IGNORE);
	if (pthread_create(&thread, NULL, receive_matched, NULL))
		exit(2);
	pthread_join(thread, NULL);
	MPI_Isend(out, 2, MPI_BYTE, 0, 31, MPI_COMM_SELF, &sent[1]);
	MPI_Mprobe(0, 31, MPI_COMM_SELF, &message[0], MPI_STATUS_IGNORE);
	MPI_Mrecv(in, 4, MPI_BYTE, &message[0], MPI_STATUS_IGNORE);
	MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
	for (int i = 0; i < MATCHED; i++) {
		MPI_Isend(out, 4, MPI_BYTE, 0, 40 + i, MPI_COMM_SELF, &sent[i]);
		MPI_Mprobe(0, 40 + i, MPI_COMM_SELF, &message[i], MPI_STATUS_IGNORE);
	}
	for (int i = MATCHED - 1; i >= 0; i--)
		MPI_Mrecv(in, 4, MPI_BYTE, &message[i], MPI_STATUS_IGNORE);
	MPI_Waitall(MATCHED, sent, MPI_STATUSES_IGNORE);
}

/* Tag 80: tested once, then left alone for 20 ms. */
static void polled(void)
{
	MPI_Request request;
	int flag;

	post(&request, 4, 80);
	MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	usleep(20000);
	send(4, 80);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Tags 90 and 91: persistent requests that are started after their communicator was freed. */
static void outlived(void)
{
	MPI_Request request[2];
	MPI_Comm comm;
	void *junk;

	MPI_Comm_split(MPI_COMM_SELF, 0, 0, &comm);
	MPI_Recv_init(in, 4, MPI_BYTE, MPI_ANY_SOURCE, 90, comm, &request[0]);
	MPI_Send_init(out, 4, MPI_BYTE, 0, 90, comm, &request[1]);
	MPI_Comm_free(&comm);
	junk = malloc(96);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, request);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
	free(junk);
}

static int query(void *extra, MPI_Status *status)
{
	MPI_Request *request = malloc(NESTED * sizeof(MPI_Request)), few[2];
	int flag;

	(void)extra;
	for (int i = 0; i < NESTED; i++)
		request[i] = MPI_REQUEST_NULL;
	few[0] = few[1] = MPI_REQUEST_NULL;
	MPI_Testall(2, few, &flag, MPI_STATUSES_IGNORE);
	MPI_Testall(NESTED, request, &flag, MPI_STATUSES_IGNORE);
	free(request);
	MPI_Status_set_elements(status, MPI_BYTE, 0);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = MPI_UNDEFINED;
	status->MPI_TAG = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static int nothing(void *extra)
{
	(void)extra;
	return MPI_SUCCESS;
}

static int no_cancel(void *extra, int complete)
{
	(void)extra;
	(void)complete;
	return MPI_SUCCESS;
}

/* Tag 100: MPI_Waitall over two requests, in which a callback tests many others. */
static void nested(void)
{
	MPI_Request request[3];

	post(&request[0], 4, 100);
	MPI_Isend(out, 4, MPI_BYTE, 0, 100, MPI_COMM_SELF, &request[1]);
	MPI_Grequest_start(query, nothing, no_cancel, NULL, &request[2]);
	MPI_Grequest_complete(request[2]);
	MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
}

static void *post_many(void *arg)
{
	for (int i = 0; i < POSTED; i++)
		post(&posted[i], 0, 1000 + i % 7);
	all_posted = 1;
	return arg;
}

/* Tags 200 on and 1000 on: the table of requests grows while another thread completes some. */
static void growing(void)
{
	MPI_Request request[2 * TOGETHER];
	pthread_t thread;

	if (pthread_create(&thread, NULL, post_many, NULL))
		exit(2);
	while (!all_posted) {
		for (int i = 0; i < TOGETHER; i++)
			post(&request[i], 1, 200 + i);
		for (int i = 0; i < TOGETHER; i++)
			MPI_Isend(out, 1, MPI_BYTE, 0, 200 + i, MPI_COMM_SELF,
				&request[TOGETHER + i]);
		MPI_Waitall(2 * TOGETHER, request, MPI_STATUSES_IGNORE);
	}
	pthread_join(thread, NULL);
	for (int i = 0; i < POSTED; i++) {
		MPI_Cancel(&posted[i]);
		MPI_Wait(&posted[i], MPI_STATUS_IGNORE);
	}
}

static void *come_and_go(void *arg)
{
	for (int i = 0; i < COME_AND_GO; i++) {
		MPI_Comm comm;

		MPI_Comm_dup(*(MPI_Comm *)arg, &comm);
		MPI_Barrier(comm);
		MPI_Comm_free(&comm);
	}
	return NULL;
}

/*
 * Two threads hand communicators' handles to each other: each barrier is its communicator's first.
 */
static void handles(void)
{
	pthread_t thread;

	for (int i = 0; i < 2; i++)
		MPI_Comm_dup(MPI_COMM_SELF, &base[i]);
	if (pthread_create(&thread, NULL, come_and_go, &base[0]))
		exit(2);
	come_and_go(&base[1]);
	pthread_join(thread, NULL);
	for (int i = 0; i < 2; i++)
		MPI_Comm_free(&base[i]);
}

/* Tag 110: the same receive twice, more than 2^32 ns apart. */
static void repeated(void)
{
	MPI_Request sent;

	for (int i = 0; i < 3; i++) {
		if (i == 1)
			usleep(4400000);
		MPI_Isend(out, 4, MPI_BYTE, 0, 110, MPI_COMM_SELF, &sent);
		MPI_Recv(in, 4, MPI_BYTE, 0, 110, MPI_COMM_SELF, MPI_STATUS_IGNORE);
		MPI_Wait(&sent, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level < MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 77;
	}
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	failures();
	probed();
	matched();
	polled();
	outlived();
	nested();
	growing();
	handles();
	repeated();
	puts("done");
	MPI_Finalize();
	return 0;
}
