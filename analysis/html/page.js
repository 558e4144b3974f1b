// SPDX-License-Identifier: BSD-3-Clause
// page.js: the sections of the page from the facts. It shows numbers and adds up none.
"use strict";

const page = document.getElementById("page");
const facts = data("facts"), tables = data("tables") || {}, words = data("words") || {};
const sources = data("sources") || {};
const isDiff = facts.schema && facts.schema.name === "tryst-diff";
const sectionsMade = [];

function section(id, title) {
	const s = add(page, "section", { id, "aria-labelledby": id + "-title" });
	add(s, "h2", { id: id + "-title" }, title);
	sectionsMade.push([id, title]);
	return s;
}

// ---- tables that sort and filter

function sorted(rows, name, down) {
	const value = r => r[name] === null || r[name] === undefined ? (down ? -Infinity : Infinity) : r[name];
	return rows.slice().sort((a, b) => {
		const x = value(a), y = value(b);
		const order = typeof x === "string" || typeof y === "string" ? String(x).localeCompare(String(y)) : x - y;
		return down ? -order : order;
	});
}

const ROWS_SHOWN = 200, LONG_TEXT = 40, SHORT_TEXT = 24, NAME_SHOWN = 100;

// A narrow page has rows as lists (page.css). It scrolls as a whole, so it begins with fewer rows,
// and a few rows need neither filter nor order.
const narrow = matchMedia("(max-width: 900px)"), LISTS_SHOWN = 8, FEW_ROWS = 3;

// In a cell, what the row has in these columns, each with its head.
function mergedColumns(td, row, columns, headOf) {
	const box = add(td, "div", { class: "dim parts" });
	for (const c of columns)
		if (row[c] !== null)
			add(box, "span", { class: "part", "data-name": c, "data-value": String(row[c]) }, headOf(c) + " " + cellText(c, row[c]));
}

// Options: first: columns that stand in front; into: the one of them that has all others below its text; heads: of columns;
// by: the column that sorts; choose: called with a row; empty: what is said without rows.
function table(parent, id, rows, options) {
	const o = options || {};
	if (!rows || !rows.length) {
		add(parent, "p", { class: "dim" }, o.empty || "Nothing.");
		return null;
	}
	const known = Object.keys(rows[0]).filter(c => rows.some(r => r[c] !== null)), first = o.first || [];
	const others = known.filter(c => !first.includes(c)), merged = known.includes(o.into) ? others : [];
	const columns = first.filter(c => known.includes(c)).concat(merged.length ? [] : others);
	const state = { by: o.by, down: true, filter: "", all: false };
	const few = rows.length <= FEW_ROWS ? " few" : "";
	const tools = add(parent, "div", { class: "tools" + few });
	const label = add(tools, "label", {}, "Filter ");
	const input = add(label, "input", { type: "search", id: id + "-filter", "aria-controls": id });
	const count = add(tools, "span", { class: "dim", id: id + "-count", role: "status" });
	const more = add(tools, "button", { type: "button", hidden: "" }, "Show all");
	const t = add(add(parent, "div", { class: "scroll", tabindex: "0", role: "region", "aria-label": id }), "table", { id, class: few });
	const head = add(add(t, "thead"), "tr"), body = add(t, "tbody");
	const isNumber = c => rows.some(r => typeof r[c] === "number");
	// without its unit, late_rank_pct would have the head of late_rank
	const headOf = c => (o.heads || {})[c] || headText(c) + (known.includes(c.replace(/_pct$/, "")) && c.endsWith("_pct") ? " share" : "");
	const heads = columns.map(c => {
		const th = add(head, "th", { scope: "col", class: isNumber(c) ? "number" : "", "data-head": headOf(c) });
		const b = add(th, "button", { type: "button", tabindex: "0" }, headOf(c));
		const turn = () => {
			state.down = state.by === c ? !state.down : isNumber(c);
			state.by = c;
			fill();
		};
		b.addEventListener("click", turn);
		return [c, th];
	});
	function fill() {
		const wanted = state.filter.toLowerCase();
		let shown = rows.filter(r => !wanted || columns.concat(merged).some(c => String(r[c] ?? "").toLowerCase().includes(wanted)));
		if (state.by)
			shown = sorted(shown, state.by, state.down);
		for (const [c, th] of heads)
			th.setAttribute("aria-sort", c !== state.by ? "none" : state.down ? "descending" : "ascending");
		const cut = state.all ? shown : shown.slice(0, narrow.matches ? LISTS_SHOWN : ROWS_SHOWN);
		body.replaceChildren();
		for (const r of cut) {
			const tr = add(body, "tr");
			for (const c of columns) {
				const letters = String(r[c] ?? "").length;
				const kind = typeof r[c] === "number" ? "number" : letters > LONG_TEXT ? "long" : letters > SHORT_TEXT ? "" : "short";
				const td = add(tr, "td", { class: kind, "data-value": String(r[c] ?? ""), "data-head": headOf(c) }, cellText(c, r[c]));
				if (c === o.into && merged.length)
					mergedColumns(td, r, merged, headOf);
			}
			if (o.choose) {
				tr.tabIndex = 0;
				tr.addEventListener("click", () => o.choose(r));
				tr.addEventListener("keydown", e => { if (e.key === "Enter") o.choose(r); });
			}
		}
		more.hidden = cut.length === shown.length;
		count.textContent = shown.length + " of " + rows.length + " rows" + (more.hidden ? "" : ", " + cut.length + " shown");
	}
	input.addEventListener("input", () => { state.filter = input.value; fill(); });
	more.addEventListener("click", () => { state.all = true; fill(); });
	narrow.addEventListener("change", fill);
	fill();
	return t;
}

// Below a table: shows the source around the callsite of a chosen row, if the page has it.
function sourceOf(parent, id) {
	const box = add(parent, "pre", { id, hidden: "", "aria-live": "polite" });
	return row => {
		const source = sources[row.where];
		box.replaceChildren();
		box.hidden = false;
		if (!source) {
			box.textContent = (row.where || "unknown") + ": its source was not there when this page was made.";
			return;
		}
		source.text.forEach((line, i) => {
			const n = source.first + i, tag = n === source.line ? "mark" : "span";
			add(box, tag, {}, String(n).padStart(6) + "  " + line);
			box.append("\n");
		});
	};
}

// Sections of sentences. The browser breaks their lines. Lines of tables stay whole.
const inSentences = new Set(["summary", "run", "losses", "pending", "verdict", "conditions", "bottlenecks", "patterns", "blame", "links", "drift", "overhead"]);

// Longer words are cut in sentences: a template's name can fill a screen. Tables show names in full.
const longWord = /\S{120,}/g;

function text(parent, name) {
	const said = (words[name] || "").trim();
	if (!said)
		return;
	if (!inSentences.has(name)) {
		add(parent, "pre", {}, said);
		return;
	}
	const box = add(parent, "div", { class: name === "losses" ? "said losses" : "said" });
	for (const line of said.split("\n").filter(l => l.trim()))
		add(box, "p", { class: line.startsWith("  ") ? "of-it" : "" },
			line.trim().replace(longWord, w => w.slice(0, 80) + "..." + w.slice(-20)));
}

// The page's subject in one line: program, ranks and run time.
function subject() {
	const some = parts => parts.filter(part => part).join(", ");
	const ranksText = (n, of) => n === undefined ? "" : (of && of !== n ? n + " of " + of : n) + ((of || n) === 1 ? " rank" : " ranks");
	const time = ns => typeof ns === "number" ? durationText(ns) : "";
	const short = name => name && name.length > NAME_SHOWN ? name.slice(0, NAME_SHOWN) + "..." : name;
	const runs = facts.summary || [];
	if (!runs.length)
		return "";
	if (!isDiff)
		return some([short(runs[0].program), ranksText(runs[0].ranks_read, runs[0].ranks), time(runs[0].run_ns)]);
	const took = (facts.run || [])[0] || {};
	return runs.map((r, i) => r.side + ": " + some([short(r.program), ranksText(r.ranks), time(i ? took.b_ns : took.a_ns)])).join("; ");
}

// ---- pictures

function svg(parent, width, height, label) {
	return d3.select(parent).append("svg").attr("width", width).attr("height", height).attr("viewBox", "0 0 " + width + " " + height)
		.attr("role", "img").attr("aria-label", label);
}

// A chart of the width that its parent has, `most` at most: drawn again when that changes, never scaled.
function chart(parent, most, draw) {
	const box = add(parent, "div", { class: "chart" });
	let drawn = 0;
	const fit = () => {
		const width = Math.min(most, box.clientWidth || most);
		if (width === drawn)
			return;
		drawn = width;
		box.replaceChildren();
		draw(box, width);
	};
	fit();
	new ResizeObserver(fit).observe(box);
}

const MARK_COLUMNS = 90;	// what a mark's text and the gap behind it take

// Powers of two between these sizes, as many as there is room for.
function sizeMarks([low, high], width) {
	const first = Math.max(0, Math.ceil(Math.log2(low))), last = Math.floor(Math.log2(high));
	return d3.range(first, last + 1, Math.max(1, Math.ceil((last - first + 1) * MARK_COLUMNS / width))).map(k => 2 ** k);
}

const partColours = { mpi: "#4477aa", waits: "#d55e00", collectives: "#999933", collective_waits: "#b2182b", tool: "#888888" };

// A bar a rank: its run, in it the time in MPI, in that the waits.
function rankBars(parent) {
	const byRank = new Map();
	for (const r of tables.rank_times || []) {
		if (!byRank.has(r.rank))
			byRank.set(r.rank, { rank: r.rank });
		byRank.get(r.rank)[r.part] = r.time_ns;
	}
	const rows = [...byRank.values()];
	if (!rows.length)
		return;
	const shown = rows.slice(0, 256), h = shown.length > 64 ? 6 : 16;
	chart(parent, 900, (box, width) => {
		const x = d3.scaleLinear([0, d3.max(rows, r => r.run || 0) || 1], [70, width - 30]);
		const s = svg(box, width, shown.length * h + 24, "Time of ranks: run, in MPI, waiting. The table below has the numbers.");
		s.append("g").attr("class", "axis").attr("transform", "translate(0," + (shown.length * h + 2) + ")")
			.call(d3.axisBottom(x).ticks(Math.max(2, Math.floor(width / MARK_COLUMNS) - 1)).tickFormat(durationText));
		shown.forEach((r, i) => {
			const bar = (ns, colour, part) => s.append("rect").attr("x", x(0)).attr("y", i * h + 1 + h * part / 2)
				.attr("width", Math.max(0, x(ns || 0) - x(0))).attr("height", (h - 2) * (1 - part)).attr("fill", colour);
			bar(r.run, stateColours.computing, 0);
			bar(r.mpi, partColours.mpi, 0.15);
			bar(r.waits, partColours.waits, 0.4);
			if (h > 10 || i % 8 === 0)
				s.append("text").attr("x", 4).attr("y", i * h + Math.min(h, 13)).text("rank " + r.rank);
		});
	});
	const legend = add(parent, "div", { class: "legend" });
	for (const [name, colour] of [["run", stateColours.computing], ["in MPI", partColours.mpi], ["waiting in messages", partColours.waits]])
		add(legend, "span", {}, name).style.setProperty("--swatch", colour);
	if (shown.length < rows.length)
		add(parent, "p", { class: "dim" }, "Bars of the first " + shown.length + " of " + rows.length + " ranks; the table has all.");
	table(parent, "ranks-table", rows.map(r => ({ rank: r.rank, run_ns: r.run ?? null, mpi_ns: r.mpi ?? null, waits_ns: r.waits ?? null,
		collectives_ns: r.collectives ?? null, collective_waits_ns: r.collective_waits ?? null, tool_ns: r.tool ?? null })), { by: "waits_ns" });
}

const TILES = 128, MATRIX_LEFT = 56, MATRIX_HEAD = 22;

// Sender down, receiver across. With many ranks a cell is a tile, which shows the most of its pairs and opens.
function matrix(parent) {
	const rows = tables.matrix || [];
	if (!rows.length) {
		add(parent, "p", { class: "dim" }, "No messages between ranks.");
		return;
	}
	const waits = new Map();
	for (const p of facts.pairs || []) {
		const cell = p.as === "sends to" ? p.waiting_rank + "," + p.peer : p.peer + "," + p.waiting_rank;
		waits.set(cell, Math.max(p.wait_ns, waits.get(cell) || 0));
	}
	const all = rows.map(r => ({ rank: r.rank, peer: r.peer, sent_count: r.sent_count, sent_bytes: r.sent_bytes,
		wait_ns: waits.get(r.rank + "," + r.peer) || 0 }));
	const most = d3.max(all, r => Math.max(r.rank, r.peer)) + 1;
	const tools = add(parent, "div", { class: "tools" });
	const select = add(add(tools, "label", {}, "Show "), "select", { id: "matrix-what" });
	for (const [value, label] of [["sent_count", "messages"], ["sent_bytes", "bytes"], ["wait_ns", "longest of the pair's waits by kind"]])
		add(select, "option", { value }, label);
	const back = add(tools, "button", { type: "button", hidden: "" }, "All ranks");
	const canvas = add(parent, "canvas", { id: "matrix-canvas", tabindex: "0", role: "img",
		"aria-label": "Matrix of ranks: sender down, receiver across. The table below has the numbers." });
	const tell = add(parent, "div", { class: "detail", role: "status", id: "matrix-detail" }, "Sender down, receiver across. A click names a pair" +
		(most > TILES ? " or opens a tile." : "."));
	let low = [0, 0], span = most;
	const tile = () => Math.ceil(span / TILES);
	// The rank of a row at the left, of a column above it, as many as there is room for.
	function labels(g, n, size) {
		const style = getComputedStyle(canvas);
		g.fillStyle = style.getPropertyValue("--front");
		g.font = "12px " + style.fontFamily;
		for (let i = 0; i < n; i += Math.ceil(16 / size)) {
			g.textAlign = "right";
			g.fillText(low[0] + i * tile(), MATRIX_LEFT - 6, MATRIX_HEAD + i * size + Math.min(size / 2, 8) + 4);
		}
		for (let i = 0; i < n; i += Math.ceil(48 / size)) {
			g.textAlign = "left";
			g.fillText(low[1] + i * tile(), MATRIX_LEFT + i * size, MATRIX_HEAD - 6);
		}
	}
	function draw() {
		const what = select.value, n = Math.ceil(span / tile()), room = Math.min(520, (parent.clientWidth || 520) - MATRIX_LEFT);
		const size = Math.max(2, Math.min(48, Math.floor(room / n)));
		const g = canvas.getContext("2d"), cells = new Map(), fine = window.devicePixelRatio || 1;
		canvas.style.width = MATRIX_LEFT + n * size + "px";
		canvas.style.height = MATRIX_HEAD + n * size + "px";
		canvas.width = (MATRIX_LEFT + n * size) * fine;
		canvas.height = (MATRIX_HEAD + n * size) * fine;
		g.scale(fine, fine);
		labels(g, n, size);
		g.translate(MATRIX_LEFT, MATRIX_HEAD);
		for (const r of all) {
			const y = Math.floor((r.rank - low[0]) / tile()), x = Math.floor((r.peer - low[1]) / tile());
			if (x >= 0 && y >= 0 && x < n && y < n)
				cells.set(y * n + x, Math.max(r[what], cells.get(y * n + x) || 0));
		}
		const colour = d3.scaleSequential(d3.interpolateCividis).domain([0, d3.max([...cells.values()]) || 1]);
		for (const [i, value] of cells) {
			if (!value)
				continue;
			g.fillStyle = colour(value);
			g.fillRect(i % n * size, Math.floor(i / n) * size, size - (size > 4), size - (size > 4));
		}
		canvas.onclick = e => {
			const y = Math.floor((e.offsetY - MATRIX_HEAD) / size) * tile() + low[0], x = Math.floor((e.offsetX - MATRIX_LEFT) / size) * tile() + low[1];
			if (e.offsetY < MATRIX_HEAD || e.offsetX < MATRIX_LEFT)
				return;
			if (tile() > 1) {
				span = tile();
				low = [y, x];
				back.hidden = false;
				draw();
				tell.textContent = "Ranks from " + y + " on to ranks from " + x + " on, " + span + " each.";
				return;
			}
			const r = all.find(p => p.rank === y && p.peer === x);
			tell.textContent = "rank " + y + " to rank " + x + ": " + (r ? cellText("count", r.sent_count) + " messages, " +
				bytesText(r.sent_bytes) + ", waited " + durationText(r.wait_ns) : "no message");
		};
	}
	select.addEventListener("change", draw);
	back.addEventListener("click", () => { low = [0, 0]; span = most; back.hidden = true; draw(); });
	draw();
	dark.addEventListener("change", draw);
	new ResizeObserver(draw).observe(tell);
	table(parent, "matrix-table", rows, { by: "sent_bytes" });
}

// Means by size, measured and predicted; s, S and S_p of the links.
function sizesChart(box, width, rows) {
	const height = 340, left = 80, right = width - 30;
	const x = d3.scaleLog(d3.extent(rows, r => r.mean_bytes).map((v, i) => i ? v * 2 : v / 2), [left, right]);
	const values = rows.flatMap(r => [r.blocked_mean_ns, r.predicted_mean_ns].filter(v => v > 0));
	const y = d3.scaleLog([d3.min(values) / 2, d3.max(values) * 2], [height - 30, 10]);
	const s = svg(box, width, height, "Mean time by message size: measured (circles), predicted by LogGPS (line). The table below has the numbers.");
	const axis = (across, down, marks) => s.append("g").attr("class", "axis").attr("transform", "translate(" + across + "," + down + ")").call(marks);
	axis(0, height - 30, d3.axisBottom(x).tickValues(sizeMarks(x.domain(), right - left)).tickFormat(bytes => bytesText(bytes).replace(/\.0+ /, " ")));
	axis(left, 0, d3.axisLeft(y).ticks(5, durationText));
	for (const kind of ["send", "recv"]) {
		const points = sorted(rows.filter(r => r.kind === kind && r.predicted_mean_ns > 0), "mean_bytes", false)
			.map(r => [x(r.mean_bytes), y(r.predicted_mean_ns)]);
		const ends = points.length === 1 ? [-12, 12].map(by => [points[0][0] + by, points[0][1]]) : points;
		s.append("path").attr("class", "mark predicted " + kind)
			.attr("stroke-dasharray", kind === "recv" ? "6 3" : null).attr("d", d3.line()(ends));
	}
	for (const r of rows) {
		const mark = s.append(r.kind === "send" ? "circle" : "rect").attr("class", "mark " + r.kind);
		if (r.kind === "send")
			mark.attr("cx", x(r.mean_bytes)).attr("cy", y(r.blocked_mean_ns)).attr("r", 4);
		else
			mark.attr("x", x(r.mean_bytes) - 4).attr("y", y(r.blocked_mean_ns) - 4).attr("width", 8).attr("height", 8);
		mark.append("title").text(r.kind + ", " + (r.protocol || "no protocol") + ": measured " + durationText(r.blocked_mean_ns) +
			", predicted " + durationText(r.predicted_mean_ns || 0));
	}
	for (const link of (facts.links || []).filter(l => l.tier !== "self"))
		for (const [name, at] of [["s", link.short_max_bytes], ["S_p", link.local_max_bytes], ["S", link.eager_max_bytes]])
			if (at > x.domain()[0] && at < x.domain()[1]) {
				s.append("line").attr("x1", x(at)).attr("x2", x(at)).attr("y1", 10).attr("y2", height - 30).attr("class", "mark limit");
				s.append("text").attr("x", x(at) + 2).attr("y", name === "S" ? 20 : name === "s" ? 34 : 48).text(name + " " + link.tier);
			}
}

function sizes(parent) {
	const rows = (tables.sizes || []).filter(r => r.mean_bytes > 0 && r.blocked_mean_ns > 0);
	if (rows.length) {
		chart(parent, 760, (box, width) => sizesChart(box, width, rows));
		add(parent, "p", { class: "dim" }, "Lines: the LogGPS prediction, sends full and receives dashed; a short line if there is one size. " +
			"Circles: sends as measured; squares: receives.");
	}
	table(parent, "sizes-table", tables.sizes, { empty: "No messages." });
}

// Who waits for whom: an arrow from the waiting rank to the other side, as wide as the wait.
function blameGraph(parent) {
	const pairs = (facts.pairs || []).filter(p => p.wait_ns > 0).slice(0, 60);
	const ranks = [...new Set(pairs.flatMap(p => [p.waiting_rank, p.peer]))].sort((a, b) => a - b);
	if (ranks.length > 1) {
		chart(parent, 420, (box, size) => {
			const r = size / 2 - 40, at = new Map(ranks.map((k, i) => [k, i / ranks.length * 2 * Math.PI]));
			const s = svg(box, size, size, "Who waits for whom: lines from waiting ranks to their peers. Section pairs of the text has the numbers.");
			const wide = d3.scaleSqrt([0, d3.max(pairs, p => p.wait_ns)], [0.5, 9]);
			const point = k => [size / 2 + r * Math.sin(at.get(k)), size / 2 - r * Math.cos(at.get(k))];
			for (const p of pairs) {
				const [x0, y0] = point(p.waiting_rank), [x1, y1] = point(p.peer), bend = 0.25;
				const cx = (x0 + x1) / 2 + (y1 - y0) * bend, cy = (y0 + y1) / 2 - (x1 - x0) * bend;
				s.append("path").attr("d", "M" + x0 + "," + y0 + "Q" + cx + "," + cy + " " + x1 + "," + y1)
					.attr("class", "mark " + (p.as === "sends to" ? "send" : "recv")).style("stroke-width", wide(p.wait_ns) + "px")
					.append("title").text("rank " + p.waiting_rank + " " + p.as + " " + p.peer + ": waited " + durationText(p.wait_ns));
				s.append("circle").attr("cx", x1).attr("cy", y1).attr("r", 4).attr("fill", "#888888");
			}
			for (const k of ranks) {
				const [x, y] = point(k);
				s.append("text").attr("x", size / 2 + (x - size / 2) * 1.1).attr("y", size / 2 + (y - size / 2) * 1.1 + 4).attr("text-anchor", "middle").text(k);
			}
		});
		add(parent, "p", { class: "dim" }, "Each line leads from a waiting rank to the rank of the other side (dot), and is as wide as the wait; " + pairs.length + " pairs.");
	}
	table(parent, "blame-table", facts.blame, { by: "blame_ns" });
}

// ---- the timeline

async function timeline(parent) {
	const t = data("timeline-data");
	if (!t) {
		add(parent, "p", { class: "dim" }, "No timeline: it needs all ranks in one database.");
		return;
	}
	const view = await readOverview(t);
	const legend = add(parent, "div", { class: "legend" });
	const cut = t.lanes.filter(l => l.recorded_ns < l.end_ns);
	const used = view.states.map((name, s) => s < 2 || (name === NOT_RECORDED && cut.length > 0));
	const fillLegend = () => {
		legend.replaceChildren();
		view.states.map((name, s) => s).filter(s => used[s]).forEach(s => {
			add(legend, "span", {}, view.states[s].replace(/_/g, " ")).style.setProperty("--swatch", stateSwatch(view.states[s]));
		});
	};
	// The legend needs both: some calls are only in the bins, and some states are too short for a bin.
	for (let i = 0; i < view.bins.length; i++)
		if (view.bins[i])
			used[i % t.bins.states] = true;
	fillLegend();
	dark.addEventListener("change", fillLegend);
	const tools = add(parent, "div", { class: "tools" });
	const select = add(add(tools, "label", {}, "Bring out "), "select", { id: "timeline-bring" });
	add(select, "option", { value: "" }, "nothing");
	add(select, "option", { value: "path" }, "activities of the critical path");
	(facts.bottlenecks || []).slice(0, 50).forEach((b, i) => add(select, "option", { value: String(i) }, b.cause + " in " + b.call + " at " + b.where));
	const line = new Timeline(parent, view);
	window.timelineShown = line;
	const coarse = t.calls < t.of_all;
	const limits = add(parent, "p", { class: "dim", id: "timeline-limits" }, cellText("count", t.of_all) + " calls, " +
		(coarse ? "of which the " + cellText("count", t.calls) + " that took " + durationText(t.least_ns) + " or longer can be shown singly; the overview has all" : cut.length ? "all that were recorded" : "all of them here") +
		(cut.length ? "; the hatched time, from " + durationText(Math.min(...cut.map(l => l.recorded_ns))) + " on, was " + NOT_RECORDED +
			(cut.length < t.lanes.length ? " on " + cellText("count", cut.length) + " of " + cellText("count", t.lanes.length) + " lines" : "") : "") +
		(t.tick_ns > 1 ? "; times are to " + t.tick_ns + " ns" : ""));
	const pathPlaces = new Set((facts.path || []).map(p => p.where));
	select.addEventListener("change", () => {
		const b = (facts.bottlenecks || [])[Number(select.value)];
		if (select.value === "")
			line.highlight(null);
		else if (select.value === "path")
			line.highlight(i => pathPlaces.has("in " + t.call_names[view.call[i]] + " at " + t.places[view.place[i]]));
		else
			line.highlight(i => t.places[view.place[i]] === (b.waited_at || b.where) && view.states[view.state[i]] === b.cause);
	});
	return async () => {
		await readCalls(view);
		limits.textContent += "; " + cellText("count", view.messages.count) + " of " +
			cellText("count", view.messages.of_all) + " messages have arrows.";
		for (let i = 0; i < view.count; i++)
			used[view.state[i] || 1] = true;
		fillLegend();
		line.later();
	};
}

// ---- the page

// Heads of columns with `what` of two runs.
function diffHeads(what) {
	return { a_ns: what + " in A", b_ns: what + " in B", a_count: "count in A", b_count: "count in B", b_cause: "cause in B",
		change_ns: "change from A to B", change_pct: "change in %" };
}

// Settings that were given. is_same: all ranks have the value.
function settings(parent) {
	const all = facts.settings || [], unset = all.filter(r => r.value === "").map(r => r.name);
	table(parent, "settings-table", all.filter(r => r.value !== "").map(r => ({ name: r.name, value: r.value,
		ranks: r.is_same ? "all" : "one of them; others differ" })), { empty: "None was given." });
	if (unset.length)
		add(parent, "p", { class: "dim" }, "Not set: " + unset.join(", ") + ".");
}

async function makePage() {
	document.body.dataset.state = "making";
	const name = document.title.replace(/ - tryst$/, ""), about = subject();
	add(page, "h1", {}, about || name);
	if (about) {
		add(page, "p", { class: "dim" }, (isDiff ? "Two runs: " : "Run ") + name);
		document.title = about + " - " + document.title;
	}
	const nav = add(page, "nav", { "aria-label": "Sections", id: "sections" });
	const open = add(nav, "button", { type: "button", "aria-expanded": "false", "aria-controls": "sections" }, "Sections");
	open.addEventListener("click", () => open.setAttribute("aria-expanded", String(nav.classList.toggle("open"))));
	const verdict = section("verdict", "Verdict");
	const has = name => (facts[name] || []).length;
	if (/^!/m.test(words.losses || ""))
		text(verdict, "losses");
	for (const name of isDiff ? ["summary", "run", "verdict", "conditions"] : ["verdict"].concat(has("pending") ? ["pending"] : [], ["summary"]))
		text(verdict, name);
	if (isDiff) {
		for (const [name, title, what] of [["time", "Time", "time"], ["waits", "Waits", "wait"], ["blame", "Blame", "blame"],
			["calls", "Time in MPI", "time"]])
			table(section(name, title + " of both runs"), name + "-table", facts[name], { heads: diffHeads(what) });
	} else {
		const b = section("bottlenecks", "Bottlenecks");
		text(b, "bottlenecks");
		table(b, "bottlenecks-table", facts.bottlenecks, { empty: "None.", choose: r => source(r), into: "why",
			first: ["where", "call", "cause", "wait_ns", "worth_ns", "why", "remedy"] });
		const source = sourceOf(b, "bottlenecks-source");
		table(section("remedies", "Remedies, by replay"), "remedies-table", facts.remedies, { empty: "None was replayed." });
		const patterns = section("patterns", "Patterns");
		if (has("patterns"))
			text(patterns, "patterns");
		else
			add(patterns, "p", { class: "dim" }, "None was found.");
		const t = section("timeline", "Timeline");
		const time = section("time", "Time");
		table(time, "time-table", facts.time);
		table(time, "causes-table", facts.causes, { by: "wait_ns", empty: "No waits in messages." });
		const c = section("callsites", "Callsites");
		table(c, "callsites-table", facts.callsites, { by: "wait_ns", choose: r => callsiteSource(r) });
		const callsiteSource = sourceOf(c, "callsites-source");
		rankBars(section("ranks", "Ranks"));
		matrix(section("matrix", "Matrix of ranks"));
		sizes(section("sizes", "Prediction and measurement by size"));
		const blame = section("blame", "Blame");
		text(blame, "blame");
		blameGraph(blame);
		const path = section("path", "Critical path");
		table(path, "path-table", facts.path, { by: "path_ns" });
		const coll = section("collectives", "Collectives");
		table(coll, "collectives-table", facts.collectives, { by: "wait_ns", empty: "No waits in collectives." });
		const scenarios = section("scenarios", "Scenarios");
		table(scenarios, "scenarios-table", tables.scenarios, { empty: "None: tryst predict makes them." });
		const links = section("links", "Links, clocks, losses");
		text(links, "links");
		table(links, "links-table", facts.links, { empty: "No link is known." });
		table(links, "clocks-table", tables.clocks, { empty: "One clock." });
		table(links, "losses-table", facts.losses, { empty: "Nothing was lost." });
		const rest = section("rest", "Model, accuracy, overhead, settings");
		for (const name of ["model", "drift", "accuracy", "overhead"])
			text(rest, name);
		settings(rest);
		for (const [id, title] of sectionsMade)
			add(nav, "a", { href: "#" + id }, title);
		const comes = add(t, "p", { class: "dim", id: "timeline-comes", role: "status" },
			"This is the overview. Single calls are being unpacked ...");
		const readOn = await timeline(t);
		return async () => {
			if (readOn)
				await readOn();
			comes.remove();
		};
	}
	for (const [id, title] of sectionsMade)
		add(nav, "a", { href: "#" + id }, title);
}

// State made: all can be read, and the timeline has its overview. State whole: it also has its calls.
makePage().then(async readOn => {
	document.body.dataset.state = "made";
	window.pageMade = performance.now();
	await new Promise(resolve => setTimeout(resolve, 30));
	if (readOn)
		await readOn();
	window.pageWhole = performance.now();
	document.body.dataset.state = "whole";
}).catch(e => {
	document.body.dataset.state = "failed";
	add(page, "p", { role: "alert" }, "This page cannot be shown: " + e.message);
	throw e;
});
