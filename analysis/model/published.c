/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * published.c: the parameters that the models' sources print, as named sets.
 *
 * CPM prints none. AM's Table 3 has overheads of MPI calls. They serve its simple approach, and T,
 * which has the same. AM prints no overheads for the messages of TA, RTA and RAT. For LogGP-1,
 * LogGPS's Table 9 refers to figures in which only L is legible. A set is a run of lines of
 * `values`. Parameters that its source does not print are absent, and become NAN with the reason
 * "not published" when the set is loaded.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "analysis/model/model.h"

const struct model_published model_published[] = { { "loggps-cenju4", "LogGPS", "NEC Cenju-4",
							   "LogGPS, Table 5" },
	{ "loggps-myrinet", "LogGPS", "PC cluster, Myrinet, MPICH", "LogGPS, Table 5" },
	{ "loggps-fast-ethernet", "LogGPS", "PC cluster, Fast Ethernet, MPICH", "LogGPS, Table 5" },
	{ "loggp2-myrinet", "LogGP-2", "PC cluster, Myrinet, MPICH", "LogGPS, Table 9" },
	{ "logfp-infiniband", "LogfP", "InfiniBand, RDMA write", "LogfP, section 5" },
	{ "loghssp-convex-100", "LoGHsSP", "Convex Exemplar, 100 B", "AM, Table 4, lower ends" },
	{ "loghssp-convex-10000", "LoGHsSP", "Convex Exemplar, 10000 B",
		"AM, Table 4, upper ends" },
	{ "simple-t3d-16", "AM-simple", "Cray T3D, standard, 16 B", "AM, Table 3" },
	{ "simple-t3d-10000", "AM-simple", "Cray T3D, standard, 10000 B", "AM, Table 3" },
	{ "simple-t3d-ssend-16", "AM-simple", "Cray T3D, synchronous, 16 B", "AM, Table 3" },
	{ "simple-t3d-ssend-10000", "AM-simple", "Cray T3D, synchronous, 10000 B", "AM, Table 3" },
	{ "simple-now-16", "AM-simple", "workstations, Ethernet, 16 B", "AM, Table 3" },
	{ "simple-now-10000", "AM-simple", "workstations, Ethernet, 10000 B", "AM, Table 3" },
	{ "t-t3d-16", "T", "Cray T3D, standard, 16 B", "AM, Table 3" },
	{ "t-now-16", "T", "workstations, Ethernet, 16 B", "AM, Table 3" },
	{ "mm-gige-lam", "MM", "Gigabit Ethernet, LAM/MPI", "MM, Tables 1, 2 and 4" },
	{ "mm-gige-mpich", "MM", "Gigabit Ethernet, MPICH", "MM, Tables 1, 2 and 4" },
	{ "mm-myrinet-mx", "MM", "Myrinet, MPICH-MX", "MM, Tables 1, 2 and 4" },
	{ NULL, NULL, NULL, NULL } };

/* ns and ns/B; the sources print us, us/B and MB/s. */
static const struct {
	const char *set, *param;
	double value;
	const char *reason;
} values[] = {
	{ "loggps-cenju4", "L", 510, NULL },
	{ "loggps-cenju4", "o", 4260, NULL },
	{ "loggps-cenju4", "O_ss", 19.61, NULL },
	{ "loggps-cenju4", "O_rs", 1.98, NULL },
	{ "loggps-cenju4", "G_s", 0.04, NULL },
	{ "loggps-cenju4", "O_sl", 7.02, NULL },
	{ "loggps-cenju4", "O_rl", NAN, "only O_rl + G_l = 0.28 is published" },
	{ "loggps-cenju4", "G_l", NAN, "only O_rl + G_l = 0.28 is published" },
	{ "loggps-cenju4", "sum_l", 7.02 + 0.28, NULL },
	{ "loggps-cenju4", "s", 1028, NULL },
	{ "loggps-cenju4", "S", 1028, NULL },

	{ "loggps-myrinet", "L", 850, NULL },
	{ "loggps-myrinet", "o", 6730, NULL },
	{ "loggps-myrinet", "O_ss", 5.02, NULL },
	{ "loggps-myrinet", "O_rs", 4.72, NULL },
	{ "loggps-myrinet", "G_s", 15.17, NULL },
	{ "loggps-myrinet", "O_sl", 4.80, NULL },
	{ "loggps-myrinet", "O_rl", 3.86, NULL },
	{ "loggps-myrinet", "G_l", 0.04, NULL },
	{ "loggps-myrinet", "s", 8191, NULL },
	{ "loggps-myrinet", "S", 16383, NULL },

	{ "loggps-fast-ethernet", "L", 24580, NULL },
	{ "loggps-fast-ethernet", "o", 22340, NULL },
	{ "loggps-fast-ethernet", "O_ss", 12.37, NULL },
	{ "loggps-fast-ethernet", "O_rs", 11.53, NULL },
	{ "loggps-fast-ethernet", "G_s", 188.77, NULL },
	{ "loggps-fast-ethernet", "O_sl", 9.73, NULL },
	{ "loggps-fast-ethernet", "O_rl", 9.89, NULL },
	{ "loggps-fast-ethernet", "G_l", 65.09, NULL },
	{ "loggps-fast-ethernet", "s", 1023, NULL },
	{ "loggps-fast-ethernet", "S", 16383, NULL },

	{ "loggp2-myrinet", "L", 7000, NULL },
	{ "loggp2-myrinet", "o", 3830, NULL },
	{ "loggp2-myrinet", "G", 24.98, NULL },
	{ "loggp2-myrinet", "o_l", 72880, NULL },
	{ "loggp2-myrinet", "G_l", 8.85, NULL },
	{ "loggp2-myrinet", "s", 8191, NULL },

	{ "logfp-infiniband", "o_min", 180, NULL },
	{ "logfp-infiniband", "o_max", 1600 - 180, "o(1) = 1600 ns is o_min + o_max" },
	{ "logfp-infiniband", "f", 10, "read from a figure" },

	{ "loghssp-convex-100", "L", 4000, NULL },
	{ "loghssp-convex-100", "o_s", 30000, NULL },
	{ "loghssp-convex-100", "o_r", 30000, NULL },
	{ "loghssp-convex-100", "G", 50, NULL },
	{ "loghssp-convex-100", "H", 2, NULL },
	{ "loghssp-convex-100", "s_s", 2000, NULL },
	{ "loghssp-convex-100", "s_r", 2000, NULL },
	{ "loghssp-convex-100", "S", 10, NULL },
	{ "loghssp-convex-100", "P", 4, NULL },
	{ "loghssp-convex-10000", "L", 10000, NULL },
	{ "loghssp-convex-10000", "o_s", 200000, NULL },
	{ "loghssp-convex-10000", "o_r", 200000, NULL },
	{ "loghssp-convex-10000", "G", 50, NULL },
	{ "loghssp-convex-10000", "H", 2, NULL },
	{ "loghssp-convex-10000", "s_s", 20000, NULL },
	{ "loghssp-convex-10000", "s_r", 20000, NULL },
	{ "loghssp-convex-10000", "S", 10, NULL },
	{ "loghssp-convex-10000", "P", 4, NULL },

	{ "simple-t3d-16", "L", 3100, NULL },
	{ "simple-t3d-16", "o_s", 30000, NULL },
	{ "simple-t3d-16", "o_r", 15000, NULL },
	{ "simple-t3d-16", "G", 40, NULL },
	{ "simple-t3d-10000", "L", 3100, NULL },
	{ "simple-t3d-10000", "o_s", 130000, NULL },
	{ "simple-t3d-10000", "o_r", 80000, NULL },
	{ "simple-t3d-10000", "G", 40, NULL },
	{ "simple-t3d-ssend-16", "L", 3100, NULL },
	{ "simple-t3d-ssend-16", "o_s", 24000, NULL },
	{ "simple-t3d-ssend-16", "o_r", 15000, NULL },
	{ "simple-t3d-ssend-16", "G", 40, NULL },
	{ "simple-t3d-ssend-10000", "L", 3100, NULL },
	{ "simple-t3d-ssend-10000", "o_s", 100000, NULL },
	{ "simple-t3d-ssend-10000", "o_r", 80000, NULL },
	{ "simple-t3d-ssend-10000", "G", 40, NULL },
	{ "simple-now-16", "L", 124000, NULL },
	{ "simple-now-16", "o_s", 1000000, NULL },
	{ "simple-now-16", "o_r", 1000000, NULL },
	{ "simple-now-16", "G", 200, NULL },
	{ "simple-now-10000", "L", 124000, NULL },
	{ "simple-now-10000", "o_s", 1100000, NULL },
	{ "simple-now-10000", "o_r", 1000000, NULL },
	{ "simple-now-10000", "G", 200, NULL },
	{ "t-t3d-16", "L", 3100, NULL },
	{ "t-t3d-16", "o_s", 30000, NULL },
	{ "t-t3d-16", "o_r", 15000, NULL },
	{ "t-t3d-16", "G", 40, NULL },
	{ "t-t3d-16", "envelope", 16, "a length that Table 3 has parameters of" },
	{ "t-now-16", "L", 124000, NULL },
	{ "t-now-16", "o_s", 1000000, NULL },
	{ "t-now-16", "o_r", 1000000, NULL },
	{ "t-now-16", "G", 200, NULL },
	{ "t-now-16", "envelope", 16, "a length that Table 3 has parameters of" },

	{ "mm-gige-lam", "L", 4700, NULL },
	{ "mm-gige-lam", "b", 1000 / 112.2, NULL },
	{ "mm-gige-lam", "c", 1.866, "from Table 4: T_A less two steps" },
	{ "mm-gige-lam", "cut_pair", 1, NULL },
	{ "mm-gige-lam", "cut_chain_end", 0.5, NULL },
	{ "mm-gige-lam", "cut_chain_middle", 2, NULL },
	{ "mm-gige-lam", "cut_enter", 0, NULL },
	{ "mm-gige-lam", "cut_leave", 3, NULL },
	{ "mm-gige-lam", "cut_between", 0.5, NULL },
	{ "mm-gige-lam", "cut_single", 0, NULL },
	{ "mm-gige-mpich", "L", 5800, NULL },
	{ "mm-gige-mpich", "b", 1000 / 112.1, NULL },
	{ "mm-gige-mpich", "c", 2.158, "from Table 4: T_A less two steps" },
	{ "mm-gige-mpich", "cut_pair", 1, NULL },
	{ "mm-gige-mpich", "cut_chain_end", 0.75, NULL },
	{ "mm-gige-mpich", "cut_chain_middle", 4.0 / 3, NULL },
	{ "mm-gige-mpich", "cut_enter", 0, NULL },
	{ "mm-gige-mpich", "cut_leave", 3, NULL },
	{ "mm-gige-mpich", "cut_between", 0.5, NULL },
	{ "mm-gige-mpich", "cut_single", 0, NULL },
	{ "mm-myrinet-mx", "L", 3500, NULL },
	{ "mm-myrinet-mx", "b", 1000 / 219.4, NULL },
	{ "mm-myrinet-mx", "c", 1.284, "from Table 4: T_A less two steps" },
	{ "mm-myrinet-mx", "cut_pair", 1, NULL },
	{ "mm-myrinet-mx", "cut_chain_end", 1, NULL },
	{ "mm-myrinet-mx", "cut_chain_middle", 1, NULL },
	{ "mm-myrinet-mx", "cut_enter", 0, NULL },
	{ "mm-myrinet-mx", "cut_leave", 0, NULL },
	{ "mm-myrinet-mx", "cut_between", 0, NULL },
	{ "mm-myrinet-mx", "cut_single", 0, NULL },
};

int model_published_load(struct model_params *p, const char *name)
{
	const struct model_published *set = model_published;
	const struct model *m;
	int rc = 0;

	while (set->name && strcmp(set->name, name) != 0)
		set++;
	model_params_init(p, NULL);
	if (!set->name)
		return -ENOENT;
	m = model_find(set->model);
	model_params_init(p, m);
	for (int i = 0; i < m->nparams && rc == 0; i++)
		if (!m->param[i].by_bytes)
			rc = model_set(p, i, MODEL_NO_BYTES, NAN, NAN, NAN, "not published");
	for (size_t i = 0; i < sizeof(values) / sizeof(*values) && rc == 0; i++)
		if (strcmp(values[i].set, name) == 0)
			rc = model_set(p, model_param_find(m, values[i].param), MODEL_NO_BYTES,
				values[i].value, NAN, NAN, values[i].reason);
	return rc;
}
