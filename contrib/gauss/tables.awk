# SPDX-License-Identifier: BSD-3-Clause
# results.csv as tables in the form of the paper's Tables 7 and 10.
FNR == 1 { next }
{
	if (!($1 in seen)) {
		seen[$1] = 1
		size[++sizes] = $1
	}
	seconds[$1, $2 "-" $3, $4] = $5
}

function percent(got, wanted) {
	return wanted > 0 ? sprintf("%.1f", 100 * (got - wanted) / wanted) : "-"
}

function show(title, models, n, i, w, m) {
	printf "\n%s\n\n%6s", title, "n"
	for (w = 1; w <= 3; w++) {
		if (models[1] == "measured")
			printf " | %-29s", names[w]
		else
			printf " | %-35s", names[w]
	}
	printf "\n%6s", ""
	for (w = 1; w <= 3; w++) {
		printf " |"
		for (m = 1; m <= n; m++)
			if (models[m] == "measured")
				printf " %9s", "Meas."
			else
				printf " %9s %7s", models[m], "Err."
	}
	printf "\n"
	for (i = 1; i <= sizes; i++) {
		printf "%6d", size[i]
		for (w = 1; w <= 3; w++) {
			printf " |"
			for (m = 1; m <= n; m++) {
				got = seconds[size[i], which[w], models[m]]
				if (models[m] == "measured")
					printf " %9.3f", got
				else
					printf " %9.3f %7s", got, percent(got, seconds[size[i], which[w], "measured"])
			}
		}
		printf "\n"
	}
}

END {
	split("original-16383 original-65536 fragmented-16383", which, " ")
	split("original code, S=16383;original code, S=65536;fragmented code, S=16383", names, ";")
	split("measured LogGPS", table7, " ")
	show("As Table 7: measured and predicted times, LogGPS", table7, 2)
	split("LogGP-1 LogGP-2", table10, " ")
	show("As Table 10: predicted times, LogGP", table10, 2)
	split("measured replay", own, " ")
	show("tryst predict without --model: measured times of the recorded run, changed by LogGPS", own, 2)
	print "\nTimes in seconds, errors in percentage of the measured time."
}
