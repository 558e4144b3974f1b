/* SPDX-License-Identifier: BSD-3-Clause */
#include "handles.h"

#include <stddef.h>

#ifdef OPEN_MPI

struct mpi_handles mpi_handles;

int handles_fill(void *(*data)(const char *name))
{
#define HANDLE(type, name, symbol) mpi_handles.handle_##name = (type)data(#symbol);
#include "handles_table.h"
#undef HANDLE
	mpi_handles.complete_send = (MPI_Request)data("ompi_request_empty_send");
	return H(MPI_COMM_WORLD) && H(MPI_COMM_SELF) && H(MPI_COMM_NULL) && H(MPI_REQUEST_NULL) &&
			       H(MPI_DATATYPE_NULL) && H(MPI_BYTE) && H(MPI_INFO_NULL) &&
			       H(MPI_ERRORS_RETURN) && H(MPI_MESSAGE_NO_PROC)
		       ? 0
		       : -1;
}

#else

int handles_fill(void *(*data)(const char *name))
{
	(void)data;
	return 0;
}

#endif
