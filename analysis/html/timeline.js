// SPDX-License-Identifier: BSD-3-Clause
// timeline.js: what all threads did, on a canvas. What is drawn is what timeline.c has put into the page: bins
// where a call is thinner than a pixel, calls where it is not.
"use strict";

// The bins have all calls, and are drawn first. readCalls() adds the calls themselves.
async function readOverview(t) {
	return { data: t, whole: false, count: 0, first: new Array(t.lanes.length + 1).fill(0), from: [], to: [],
		enter: [], leave: [], state: [], place: [],
		states: ["computing", "in MPI"].concat(t.cause_names, t.collective_names, NOT_RECORDED),
		bins: await columnBytes(t.bins.parts, t.coding) };
}

// Adds the calls and messages, a column at a time: the page answers in between. They stand behind the program.
async function readCalls(view) {
	if (document.readyState === "loading")
		await new Promise(resolve => document.addEventListener("DOMContentLoaded", resolve));
	const t = view.data, m = {}, n = t.calls, calls = data("timeline-calls"), messages = calls.messages;
	const numbers = async (text, n) => {
		await new Promise(resolve => setTimeout(resolve));
		return columnNumbers(await columnBytes(text, t.coding), n);
	};
	view.messages = messages;
	for (const name of Object.keys(calls.marks))
		m[name] = await numbers(calls.marks[name], n);
	const from = await numbers(messages.from, messages.count), to = await numbers(messages.to, messages.count);
	Object.assign(view, { count: n, enter: new Float64Array(n), leave: new Float64Array(n), call: m.call, place: m.place,
		peer: m.peer, bytes: m.bytes, state: m.state, predicted: m.predicted, blocked: m.blocked,
		wait: new Float64Array(n), waitFrom: new Float64Array(n), late: new Float64Array(n), first: [] });
	let i = 0, waits = 0;
	for (const lane of t.lanes) {
		let at = 0;
		view.first.push(i);
		for (let k = 0; k < lane.calls; k++, i++) {
			view.enter[i] = at + signed(m.gap[i]) * t.tick_ns;
			at = view.leave[i] = view.enter[i] + m.time[i] * t.tick_ns;
			if (m.state[i]) {
				view.wait[i] = m.wait[waits];
				view.waitFrom[i] = view.enter[i] + m.wait_from[waits] * t.tick_ns;
				view.late[i] = m.late_rank[waits++];
			}
		}
	}
	view.first.push(i);
	for (let k = 0; k < from.length; k++) {
		from[k] = signed(from[k]) + (k ? from[k - 1] : 0);
		to[k] = signed(to[k]) + (k ? to[k - 1] : 0);
	}
	view.from = from;
	view.to = to;
	view.whole = true;
}

// The last call of a lane that begins at `ns` or before; first - 1: none.
function lastBefore(view, lane, ns) {
	let low = view.first[lane], high = view.first[lane + 1];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (view.enter[middle] <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

function laneOf(view, mark) {
	let low = 0, high = view.data.lanes.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (view.first[middle + 1] <= mark)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

function callWords(view, i) {
	const t = view.data, lane = t.lanes[laneOf(view, i)], words = [];
	words.push("rank " + lane.rank + (lane.thread ? ", thread " + lane.thread : "") + ": " + (t.call_names[view.call[i]] || "MPI_?") +
		" at " + (t.places[view.place[i]] || "unknown"));
	words.push("from " + durationText(view.enter[i]) + " on, for " + durationText(view.leave[i] - view.enter[i]));
	if (view.peer[i])
		words.push("peer " + (view.peer[i] - 1) + ", " + bytesText(view.bytes[i]));
	words.push(view.predicted[i] ? "predicted " + durationText(view.predicted[i] - 1) : "not predicted");
	// -1 is unknown: numbers below 0 are one less than the difference.
	const rest = signed(view.blocked[i]);
	if (rest !== -1 && view.peer[i])
		words.push("blocked " + durationText(view.leave[i] - view.enter[i] - (rest < 0 ? rest + 1 : rest) * t.tick_ns));
	if (view.state[i])
		words.push("waited " + durationText(view.wait[i]) + (view.state[i] > 1 ? ": " + view.states[view.state[i]] : ", cause unknown") +
			(view.late[i] ? ", for rank " + (view.late[i] - 1) : ""));
	return words.join("; ");
}

class Timeline {
	constructor(parent, view) {
		this.view = view;
		this.end = Math.max(view.data.end_ns, 1);
		this.from = 0;
		this.until = this.end;
		this.top = 0;
		this.row = Math.max(3, Math.min(26, Math.floor(560 / view.data.lanes.length)));
		this.chosen = -1;
		this.bright = null;
		this.rows = Math.min(view.data.lanes.length, Math.max(1, Math.floor(560 / this.row)));
		this.canvas = add(parent, "canvas", { tabindex: "0", role: "application", id: "timeline-canvas",
			"aria-label": "Timeline of all ranks. Arrow keys move, plus and minus zoom, 0 shows all, n and p choose the next and previous call, up and down the rank." });
		this.detail = add(parent, "div", { class: "detail", id: "timeline-detail", role: "status", "aria-live": "polite" },
			"A click on a call shows its line, peer, size, prediction and wait. Keys: arrows, + - 0, n p.");
		this.listen();
		this.draw();
	}

	zoom(factor, middle) {
		const span = Math.min(this.end, Math.max(50, (this.until - this.from) * factor));
		const part = (middle - this.from) / (this.until - this.from);
		this.show(middle - part * span, span);
	}

	show(from, span) {
		this.from = Math.max(0, Math.min(from, this.end - span));
		this.until = this.from + span;
		this.later();
	}

	later() {
		if (!this.waiting)
			requestAnimationFrame(() => { this.waiting = false; this.draw(); });
		this.waiting = true;
	}

	timeAt(x) {
		return this.from + (x - this.left) / (this.width - this.left) * (this.until - this.from);
	}

	place(event) {
		const box = this.canvas.getBoundingClientRect();
		return [event.clientX - box.left, event.clientY - box.top];
	}

	listen() {
		const c = this.canvas;
		let drag = null;
		c.addEventListener("wheel", e => {
			e.preventDefault();
			this.zoom(e.deltaY > 0 ? 1.25 : 0.8, this.timeAt(this.place(e)[0]));
		}, { passive: false });
		c.addEventListener("pointerdown", e => {
			drag = { x: this.place(e)[0], y: this.place(e)[1], from: this.from, top: this.top, moved: false };
			c.setPointerCapture(e.pointerId);
		});
		c.addEventListener("pointermove", e => {
			if (!drag)
				return;
			const [x, y] = this.place(e), span = this.until - this.from;
			drag.moved = drag.moved || Math.abs(x - drag.x) + Math.abs(y - drag.y) > 3;
			this.moveTop(drag.top - Math.round((y - drag.y) / this.row));
			this.show(drag.from - (x - drag.x) / (this.width - this.left) * span, span);
		});
		c.addEventListener("pointerup", e => {
			if (drag && !drag.moved)
				this.pick(...this.place(e));
			drag = null;
		});
		c.addEventListener("pointercancel", () => { drag = null; });
		c.addEventListener("keydown", e => this.key(e));
		new ResizeObserver(() => this.later()).observe(c);
		dark.addEventListener("change", () => this.later());
	}

	moveTop(top) {
		this.top = Math.max(0, Math.min(top, this.view.data.lanes.length - this.rows));
		this.later();
	}

	key(e) {
		const span = this.until - this.from, middle = (this.from + this.until) / 2;
		const keys = {
			ArrowLeft: () => this.show(this.from - span / 4, span), ArrowRight: () => this.show(this.from + span / 4, span),
			ArrowUp: () => this.step(-1), ArrowDown: () => this.step(1),
			PageUp: () => this.moveTop(this.top - this.rows), PageDown: () => this.moveTop(this.top + this.rows),
			"+": () => this.zoom(0.5, middle), "=": () => this.zoom(0.5, middle), "-": () => this.zoom(2, middle),
			0: () => this.show(0, this.end), n: () => this.choose(this.chosen + 1), p: () => this.choose(this.chosen - 1),
		};
		if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey)
			return;
		e.preventDefault();
		keys[e.key]();
	}

	// The same time on the next rank that has calls.
	step(by) {
		const view = this.view, n = view.data.lanes.length;
		if (!view.whole)
			return;
		const at = this.chosen < 0 ? this.from : view.enter[this.chosen];
		let next = (this.chosen >= 0 ? laneOf(view, this.chosen) : by > 0 ? -1 : n) + by;
		while (next >= 0 && next < n && view.first[next] === view.first[next + 1])
			next += by;
		if (next < 0 || next >= n)
			return;
		this.choose(Math.max(lastBefore(view, next, at), view.first[next]));
	}

	choose(i) {
		const view = this.view;
		if (!view.count)
			return;
		this.chosen = Math.max(0, Math.min(i, view.count - 1));
		const lane = laneOf(view, this.chosen), span = this.until - this.from;
		if (lane < this.top || lane >= this.top + this.rows)
			this.moveTop(lane);
		if (view.enter[this.chosen] < this.from || view.leave[this.chosen] > this.until)
			this.show(view.enter[this.chosen] - span / 2, span);
		this.detail.textContent = callWords(view, this.chosen);
		this.later();
	}

	pick(x, y) {
		const lane = this.top + Math.floor((y - this.head) / this.row), at = this.timeAt(x);
		if (lane < 0 || lane >= this.view.data.lanes.length || y < this.head || !this.view.whole)
			return;
		const slack = 2 * (this.until - this.from) / this.width;
		let i = lastBefore(this.view, lane, at + slack);
		if (i >= this.view.first[lane] && this.view.leave[i] + slack >= at) {
			this.choose(i);
		} else {
			const l = this.view.data.lanes[lane], last = i >= this.view.first[lane] ? this.view.data.places[this.view.place[i]] || "unknown" : "";
			const what = at >= l.end_ns ? "ended at " + durationText(l.end_ns) + ", nothing" : at >= l.recorded_ns ? NOT_RECORDED : "computing";
			this.detail.textContent = "rank " + l.rank + ": " + what + " at " + durationText(at) + (last ? ", after " + last : "");
		}
	}

	// Marks for which this is true stand out; null: all do.
	highlight(test) {
		this.bright = test;
		this.later();
	}

	draw() {
		const c = this.canvas, g = c.getContext("2d"), scale = window.devicePixelRatio || 1;
		const style = getComputedStyle(document.documentElement);
		this.head = 26;
		this.left = 74;
		this.width = c.clientWidth || 800;
		const height = this.head + this.rows * this.row + 4;
		c.style.height = height + "px";
		c.width = Math.round(this.width * scale);
		c.height = Math.round(height * scale);
		g.setTransform(scale, 0, 0, scale, 0, 0);
		this.front = style.getPropertyValue("--front");
		this.dim = style.getPropertyValue("--dim");
		this.hatched = this.hatching(g);
		this.drawAxis(g);
		this.singles = 0;
		for (let i = 0; i < this.rows; i++)
			this.drawLane(g, this.top + i, this.head + i * this.row);
		this.arrows = this.drawArrows(g);
		c.dataset.from = this.from;
		c.dataset.until = this.until;
		c.dataset.arrows = this.arrows;
		c.dataset.singles = this.singles;
	}

	// Time of which no calls were recorded, in this colour scheme.
	hatching(g) {
		const tile = document.createElement("canvas"), size = 6;
		tile.width = tile.height = size;
		const h = tile.getContext("2d");
		h.strokeStyle = this.dim;
		for (const by of [-size, 0, size]) {
			h.moveTo(by, size);
			h.lineTo(by + size, 0);
		}
		h.stroke();
		return g.createPattern(tile, "repeat");
	}

	paint(state) {
		const name = this.view.states[state];
		return name === NOT_RECORDED ? this.hatched : stateColour(name);
	}

	drawAxis(g) {
		const x = d3.scaleLinear([this.from, this.until], [this.left, this.width]);
		g.fillStyle = this.front;
		g.font = "12px system-ui, sans-serif";
		const ticks = x.ticks(Math.max(2, Math.floor(this.width / 150)));
		for (const tick of ticks) {
			const text = axisText(tick, ticks.length > 1 ? ticks[1] - ticks[0] : this.until - this.from);
			if (x(tick) + 3 + g.measureText(text).width <= this.width)
				g.fillText(text, x(tick) + 3, 14);
			g.fillRect(x(tick), 4, 1, this.head - 4);
		}
	}

	drawLane(g, lane, y) {
		const view = this.view, lanes = view.data.lanes, h = this.row > 8 ? this.row - 3 : this.row;
		const first = Math.max(lastBefore(view, lane, this.from), view.first[lane]), last = lastBefore(view, lane, this.until);
		const pixels = this.width - this.left, l = lanes[lane], ns = (this.until - this.from) / pixels;
		g.fillStyle = this.front;
		if (this.row >= 12 || lane % Math.ceil(14 / this.row) === 0)
			g.fillText(l.rank + (l.thread ? "." + l.thread : ""), 4, y + Math.min(h, 14));
		if (!view.whole || last - first > 4 * pixels || (view.data.least_ns > ns && !this.bright)) {
			this.drawBins(g, lane, y, h);
			return;
		}
		g.globalAlpha = this.bright ? 0.35 : 1;
		let at = this.from;
		for (const [until, colour] of [[l.recorded_ns, stateColours.computing], [l.end_ns, this.hatched]]) {
			const end = Math.min(until, this.until);
			if (end <= at)
				continue;
			g.fillStyle = colour;
			g.fillRect(this.left + (at - this.from) / ns, y, (end - at) / ns, h);
			at = end;
		}
		for (let i = first; i <= last; i++) {
			if (view.leave[i] < this.from)
				continue;
			const x = this.left + Math.max(0, (view.enter[i] - this.from) / ns);
			const w = Math.min(this.width, this.left + (view.leave[i] - this.from) / ns) - x;
			this.singles++;
			g.globalAlpha = this.bright && !this.bright(i, lane) ? 0.25 : 1;
			g.fillStyle = stateColours["in MPI"];
			g.fillRect(x, y, Math.max(w, 0.6), h);
			if (view.state[i]) {
				const from = Math.max(x, this.left + (view.waitFrom[i] - this.from) / ns);
				g.fillStyle = stateColour(view.states[view.state[i]]);
				g.fillRect(from, y, Math.max(0.6, Math.min(view.wait[i] / ns, x + w - from)), h);
			}
			if (i === this.chosen) {
				g.strokeStyle = this.front;
				g.lineWidth = 2;
				g.strokeRect(x - 1, y - 1, Math.max(w, 2) + 2, h + 2);
			}
		}
		g.globalAlpha = 1;
	}

	// A pixel shows the parts of its bin, one above the other.
	drawBins(g, lane, y, h) {
		const b = this.view.data.bins, wide = this.end / b.count;
		const first = Math.floor(this.from / wide), last = Math.min(b.count - 1, Math.floor(this.until / wide));
		for (let i = first; i <= last; i++) {
			const x = this.left + Math.max(0, (i * wide - this.from) / (this.until - this.from) * (this.width - this.left));
			const w = Math.max(1, Math.min(this.width, this.left + ((i + 1) * wide - this.from) / (this.until - this.from) *
				(this.width - this.left)) - x);
			let top = y;
			for (let s = 0; s < b.states; s++) {
				const part = this.view.bins[(lane * b.count + i) * b.states + s] / b.full * h;
				if (part <= 0)
					continue;
				g.fillStyle = this.paint(s);
				g.fillRect(x, top, w, Math.min(part, y + h - top));
				top += part;
			}
		}
	}

	drawArrows(g) {
		const view = this.view, ns = (this.until - this.from) / (this.width - this.left), arrows = [];
		const y = lane => this.head + (lane - this.top + 0.5) * this.row;
		for (let k = 0; k < view.from.length && arrows.length <= 400; k++)
			if (view.enter[view.from[k]] <= this.until && view.leave[view.to[k]] >= this.from &&
				(view.enter[view.from[k]] >= this.from || view.leave[view.to[k]] <= this.until))
				arrows.push(k);
		if (arrows.length > 400 || this.row < 8)
			return 0;
		g.strokeStyle = g.fillStyle = this.front;
		g.lineWidth = 1;
		g.save();
		g.beginPath();
		g.rect(this.left, this.head, this.width - this.left, this.rows * this.row);
		g.clip();
		for (const k of arrows) {
			const x0 = this.left + (view.enter[view.from[k]] - this.from) / ns, x1 = this.left + (view.leave[view.to[k]] - this.from) / ns;
			const y0 = y(laneOf(view, view.from[k])), y1 = y(laneOf(view, view.to[k])), a = Math.atan2(y1 - y0, x1 - x0);
			g.beginPath();
			g.moveTo(x0, y0);
			g.lineTo(x1, y1);
			g.stroke();
			g.beginPath();
			g.moveTo(x1, y1);
			g.lineTo(x1 - 7 * Math.cos(a - 0.4), y1 - 7 * Math.sin(a - 0.4));
			g.lineTo(x1 - 7 * Math.cos(a + 0.4), y1 - 7 * Math.sin(a + 0.4));
			g.fill();
		}
		g.restore();
		return arrows.length;
	}
}
