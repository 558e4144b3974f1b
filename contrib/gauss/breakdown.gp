# SPDX-License-Identifier: BSD-3-Clause
# breakdown.dat in the form of the paper's Fig. 6: gnuplot -e "out='FILE.svg'" breakdown.gp
set terminal svg size 900,360 font "sans,11"
set output out
set style data histograms
set style histogram rowstacked
set style fill solid 0.8 border -1
set boxwidth 0.7
set yrange [0:100]
set ylabel "% of all ranks' time"
set xlabel "n"
set multiplot layout 1,3
do for [what in "original-16383 original-65536 fragmented-16383"] {
	set title what." (LogGPS)"
	set key below
	pick = "< awk '$2 == \"".what."\"' breakdown.dat"
	plot pick using 3:xtic(1) title "computation", \
		"" using 4 title "communication", \
		"" using 5 title "wait for senders", \
		"" using 6 title "wait for receivers"
}
unset multiplot
