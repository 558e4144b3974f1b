# SPDX-License-Identifier: BSD-3-Clause
"""As shares.c, whose functions are in the library that the argument names."""
import ctypes
import itertools
import sys
import time

from mpi4py import MPI

library = ctypes.CDLL(sys.argv[1])
spent = [0.0, 0.0]
for i in itertools.count():
    n = ctypes.c_long((20 + i * 7 % 13) * 12500)
    MPI.COMM_WORLD.Barrier()
    begin = time.thread_time()
    library.heavy(n)
    middle = time.thread_time()
    library.light(n)
    spent[1] += time.thread_time() - middle
    spent[0] += middle - begin
    if sum(spent) > 0.4:
        break
print("main %.6f %.6f" % tuple(spent), flush=True)
