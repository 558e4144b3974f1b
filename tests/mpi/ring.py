# SPDX-License-Identifier: BSD-3-Clause
"""A ring of Python objects and of buffers; prints a line by rank 0."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
for i in range(10):
    request = comm.Irecv(bytearray(100), source=left, tag=i)
    comm.Send(bytes(100), dest=right, tag=i)
    request.Wait()
value = comm.sendrecv({"rank": rank}, dest=right, source=left)
assert value["rank"] == left
total = comm.allreduce(rank)
assert total == size * (size - 1) // 2
if rank == 0:
    print("python ring done")
