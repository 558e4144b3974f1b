/* SPDX-License-Identifier: BSD-3-Clause */
/* handles.c: looks predefined handles up in the MPI library (handles.h). */
#include "pmpi/dispatch/handles.h"

#include <stddef.h>

uintptr_t complete_send;

#ifdef OPEN_MPI

struct mpi_handles mpi_handles;

static int look_up_handles(void *(*data)(const char *name))
{
#define HANDLE(type, name, symbol) mpi_handles.handle_##name = (type)data(#symbol);
#include "handles_table.h"
#undef HANDLE
	return H(MPI_COMM_WORLD) && H(MPI_COMM_SELF) && H(MPI_COMM_NULL) && H(MPI_REQUEST_NULL) &&
			H(MPI_DATATYPE_NULL) && H(MPI_BYTE) && H(MPI_INFO_NULL) &&
			H(MPI_ERRORS_RETURN) && H(MPI_MESSAGE_NO_PROC) ?
		0 :
		-1;
}

#else

static int look_up_handles(void *(*data)(const char *name))
{
	(void)data;
	return 0;
}

#endif

int handles_fill(void *(*data)(const char *name))
{
	complete_send = (uintptr_t)data("ompi_request_empty_send");
	return look_up_handles(data);
}
