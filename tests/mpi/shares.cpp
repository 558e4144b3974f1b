// SPDX-License-Identifier: BSD-3-Clause
// shares.cpp: as shares.c; the functions are members of a class template, and light() is inlined.
#include <mpi.h>

#include <cstdio>
#include <ctime>

template <class real>
class field {
public:
	__attribute__((noinline)) void heavy(long n)
	{
		real x = value;
		for (long i = 0; i < 3 * n; i++)
			x = x * real(1.0000001) + real(1e-9);
		value = x;
	}

	void light(long n)
	{
		real x = value;
		for (long i = 0; i < n; i++)
			x = x * real(1.0000001) + real(1e-9);
		value = x;
	}

private:
	volatile real value = 1;
};

static double cpu_s()
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

int main(int argc, char **argv)
{
	field<double> f;
	double heavy_s = 0, light_s = 0;

	MPI_Init(&argc, &argv);
	for (int i = 0; heavy_s + light_s < 0.4; i++) {
		const long n = (20 + i * 7 % 13) * 12500L;
		MPI_Barrier(MPI_COMM_WORLD);
		const double begin = cpu_s();
		f.heavy(n);
		const double middle = cpu_s();
		f.light(n);
		light_s += cpu_s() - middle;
		heavy_s += middle - begin;
	}
	std::printf("main %.6f %.6f\n", heavy_s, light_s);
	MPI_Finalize();
	return 0;
}
