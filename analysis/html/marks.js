// SPDX-License-Identifier: BSD-3-Clause
// marks.js: columns of analysis/html/columns.h as typed arrays, numbers as text, colours of states.
"use strict";

// A loop is several times as fast as Uint8Array.from() with a function.
function bytesOf(text) {
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}

// Bytes of a column: base64, deflated where the page says so.
async function columnBytes(text, coding) {
	const raw = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : bytesOf(atob(text));
	if (coding !== "deflate" || raw.length === 0)
		return raw;
	// Without Blob and Response no task of the browser comes between: it would read on in the page first.
	const inflate = new DecompressionStream("deflate"), writer = inflate.writable.getWriter();
	writer.write(raw).catch(() => {});	// the reader fails, too
	writer.close().catch(() => {});
	const reader = inflate.readable.getReader(), parts = [];
	let n = 0, part;
	while (!(part = await reader.read()).done) {
		parts.push(part.value);
		n += part.value.length;
	}
	const bytes = new Uint8Array(n);
	n = 0;
	for (const p of parts) {
		bytes.set(p, n);
		n += p.length;
	}
	return bytes;
}

// Numbers of a column, `n` at most. Beyond 2^31 a shift would not do.
function columnNumbers(bytes, n) {
	const out = new Float64Array(n);
	let at = 0;
	for (let i = 0; i < n && at < bytes.length; i++) {
		let b = bytes[at++], value = b & 127, scale = 128;
		while (b > 127) {
			b = bytes[at++];
			value += (b & 127) * scale;
			scale *= 128;
		}
		out[i] = value;
	}
	return out;
}

// 0, 1, 2, 3, ... as 0, -1, 1, -2, ...
function signed(value) {
	return value % 2 ? -(value + 1) / 2 : value / 2;
}

// ---- numbers as text, by the names of their columns, as text/table.h does

function scaled(value, units, step) {
	let size = Math.abs(value), i = 0;
	while (i < units.length - 1 && size >= step * 0.9995) {
		size /= step;
		i++;
	}
	const digits = (i === 0 && size === Math.floor(size)) || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
	return (value < 0 ? "-" : "") + size.toFixed(digits) + " " + units[i];
}

function durationText(ns) {
	return scaled(ns, ["ns", "us", "ms", "s"], 1000);
}

// A time on an axis whose marks are `step` apart: as many digits as tell them apart.
function axisText(ns, step) {
	const unit = ns < 1e3 ? ["ns", 1] : ns < 1e6 ? ["us", 1e3] : ns < 1e9 ? ["ms", 1e6] : ["s", 1e9];
	return (ns / unit[1]).toFixed(Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / unit[1]) - 1e-9)))) + " " + unit[0];
}

function bytesText(bytes) {
	return scaled(bytes, ["B", "KiB", "MiB", "GiB", "TiB"], 1024);
}

// toLocaleString() would look the language up for each number.
const grouped = new Intl.NumberFormat("en");

function cellText(name, value) {
	if (value === null || value === undefined)
		return "";
	if (typeof value !== "number")
		return String(value);
	if (/_ns(_[ab])?$/.test(name))
		return durationText(value);
	if (/_pct$/.test(name))
		return value.toFixed(1) + " %";
	if (/_ns_per_byte$/.test(name))
		return value.toPrecision(3) + " ns/B";
	if (/_max_bytes$/.test(name))
		return value + " B";
	if (/(^|_)bytes$/.test(name))
		return bytesText(value);
	return Number.isInteger(value) ? grouped.format(value) : value.toPrecision(4);
}

// The head of a column, without its unit: "wait_ns" becomes "wait", as in the text. The cells carry the unit.
function headText(name) {
	return name.replace(/_(ns_per_byte|ns|bytes|pct)$/, "").replace(/_/g, " ");
}

// ---- states: Okabe and Ito's colours and Tol's, which colour-blind people tell apart; waits are never told by
// colour alone: a click names them, and the table below the timeline has them in words.
const stateColours = {
	computing: "#b8c4ce", "in MPI": "#4477aa",
	late_sender: "#d55e00", late_receiver: "#e69f00", late_progress: "#cc79a7", wrong_order: "#7a3b9a",
	flow_control: "#009e73", contention: "#117733", unhidden_transfer: "#999933", collective_skew: "#aa4499",
	unexplained: "#888888", no_cpu: "#000000",
	wait_at_barrier: "#882255", wait_at_nxn: "#b2182b", late_broadcast: "#ee6677", early_reduce: "#ff9da7",
	early_scan: "#f4a582", late_member: "#c51b7d",
};

const dark = matchMedia("(prefers-color-scheme: dark)");

// Black is no colour on a dark page.
function stateColour(name) {
	if (name === "no_cpu" && dark.matches)
		return "#ffffff";
	return stateColours[name] || "#777777";
}

// What a legend shows of a state: its colour, or the hatching of time that nobody knows.
const NOT_RECORDED = "not recorded";

function stateSwatch(name) {
	return name === NOT_RECORDED ? "repeating-linear-gradient(135deg, var(--dim) 0 1px, transparent 1px 5px)" : stateColour(name);
}

// ---- elements: text goes in by textContent alone

function add(parent, tag, attributes, text) {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		e.setAttribute(name, value);
	if (text !== undefined)
		e.textContent = text;
	parent.appendChild(e);
	return e;
}

function data(id) {
	const e = document.getElementById(id);
	return e ? JSON.parse(e.textContent) : null;
}
