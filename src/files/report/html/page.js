"use strict";
(function () {
	var table = document.querySelector("table.results");
	var form = document.querySelector("form.filters");
	var sections = Array.from(document.querySelectorAll("details[data-section]"));

	/* a link into a section opens it */
	function open_target() {
		var id = location.hash.slice(1);
		var target = id && document.getElementById(id);
		var section = target && target.closest("details");
		if (section && !section.open) {
			section.open = true;
			target.scrollIntoView();
		}
	}
	window.addEventListener("hashchange", open_target);
	open_target();

	/* on paper: what changed or failed, and what was opened */
	var opened = [];
	window.addEventListener("beforeprint", function () {
		opened = sections.filter(function (s) {
			return s.hasAttribute("data-print") && !s.open;
		});
		opened.forEach(function (s) { s.open = true; });
	});
	window.addEventListener("afterprint", function () {
		opened.forEach(function (s) { s.open = false; });
	});

	if (!table || !form)
		return;
	var body = table.tBodies[0];
	var rows = Array.from(body.rows);

	/* ---- sorting ---- */
	function value_of(row, column) {
		var cell = row.cells[column];
		var value = cell.dataset.value;
		if (value !== undefined)
			return Number(value);
		return cell.classList.contains("number") ? NaN : cell.textContent;
	}
	function compare(a, b) {
		if (typeof a === "string")
			return a.localeCompare(b, undefined, {numeric: true});
		return a - b;
	}
	function sort(header, column) {
		var down = header.getAttribute("aria-sort") === "ascending";
		Array.from(header.parentNode.cells).forEach(function (c) {
			c.removeAttribute("aria-sort");
		});
		header.setAttribute("aria-sort", down ? "descending" : "ascending");
		var keyed = rows.map(function (row) {
			return {row: row, key: value_of(row, column)};
		});
		keyed.sort(function (x, y) {
			/* what has no value stays at the end */
			var a = Number.isNaN(x.key), b = Number.isNaN(y.key);
			if (a || b)
				return a - b;
			return down ? compare(y.key, x.key) : compare(x.key, y.key);
		});
		keyed.forEach(function (k) { body.appendChild(k.row); });
	}
	Array.from(table.tHead.rows[0].cells).forEach(function (header, column) {
		if (header.tagName !== "TH")
			return;
		var button = document.createElement("button");
		button.type = "button";
		while (header.firstChild)
			button.appendChild(header.firstChild);
		header.appendChild(button);
		button.addEventListener("click", function () { sort(header, column); });
	});

	/* ---- filtering ---- */
	var texts = rows.map(function (row) {
		var text = {text: row.cells[0].textContent.toLowerCase()};
		row.querySelectorAll("[data-name]").forEach(function (cell) {
			text[cell.dataset.name] = cell.dataset.verdict || cell.textContent;
		});
		return text;
	});
	function filter() {
		var wanted = {};
		Array.from(form.elements).forEach(function (e) {
			if (e.name && e.value)
				wanted[e.name] = e.value;
		});
		var needle = (wanted.text || "").toLowerCase();
		var seen = new Set();
		var shown = 0;
		rows.forEach(function (row, i) {
			var t = texts[i];
			var fits = t.text.includes(needle) &&
				(!wanted.metric || t.metric === wanted.metric) &&
				(!wanted.candidate || t.candidate === wanted.candidate) &&
				(!wanted.verdict || t.verdict.endsWith(wanted.verdict));
			row.hidden = !fits;
			shown += fits;
			if (fits)
				seen.add(row.dataset.section);
		});
		sections.forEach(function (s) {
			s.hidden = !seen.has(s.dataset.section);
		});
		form.querySelector("output").value = shown + " of " + rows.length + " rows";
	}
	form.addEventListener("input", filter);
	form.addEventListener("submit", function (e) { e.preventDefault(); });
	form.hidden = false;
	filter();
})();
