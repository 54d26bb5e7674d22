"use strict";
// Sorts tables by a column, and filters cases and submissions. The page is complete without it.
const UNITS = { s: 1000, ms: 1, MiB: 1, "%": 1, of: 1 };
const key = (cell) => {
  const found = cell.textContent.match(/([\d.]+) (s|ms|MiB|%|of)/);
  return found ? Number(found[1]) * UNITS[found[2]] : null;
};
const text = (cell) => cell.textContent.trim();
const compare = (a, b) => {
  const [x, y] = [key(a), key(b)];
  if (x !== null && y !== null) return x - y;
  if (x !== y) return x === null ? 1 : -1;
  return text(a).localeCompare(text(b), undefined, { numeric: true });
};
for (const table of document.querySelectorAll("table.sortable")) {
  // Large tables have several bodies of the same size.
  const bodies = [...table.tBodies];
  const size = bodies[0] ? bodies[0].rows.length : 0;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const byName = (a, b) =>
        text(a.cells[0]).localeCompare(text(b.cells[0]), undefined, { numeric: true });
      const by = column === 0 ? byName : (a, b) => compare(a.cells[column], b.cells[column]);
      const rows = bodies.flatMap((body) => [...body.rows]).sort(by);
      if (descending) rows.reverse();
      bodies.forEach((body, k) => body.append(...rows.slice(k * size, (k + 1) * size)));
    });
  });
}
const form = document.getElementById("filter");
const verdicts = new Set();
document.querySelectorAll(".matrix td[class]").forEach((cell) => verdicts.add(cell.className));
[...verdicts].sort().forEach((code) => form.verdict.add(new Option(code, code)));
const filter = () => {
  const verdict = form.verdict.value;
  const part = form.submission.value.trim().toLowerCase();
  const named = (name) => name.toLowerCase().includes(part);
  const wanted = (code) =>
    verdict === "" || (verdict === "-AC" ? code !== "" && code !== "AC" : code === verdict);
  let [shown, all] = [0, 0];
  for (const table of document.querySelectorAll(".matrix")) {
    const heads = [...table.tHead.rows[0].cells];
    const visible = heads.map((head, column) => column === 0 || named(text(head)));
    heads.forEach((head, column) => { head.hidden = !visible[column]; });
    for (const body of table.tBodies) {
      let rows = 0;
      for (const row of body.rows) {
        let found = false;
        [...row.cells].forEach((cell, column) => {
          cell.hidden = !visible[column];
          found ||= column > 0 && visible[column] && wanted(cell.className);
        });
        row.hidden = !found;
        all += 1;
        rows += found ? 1 : 0;
      }
      shown += rows;
      body.hidden = rows === 0;
    }
  }
  for (const row of document.querySelectorAll(".submissions tbody tr")) {
    row.hidden = !named(text(row.cells[0]));
  }
  for (const details of document.querySelectorAll("details.submission")) {
    details.hidden = !named(text(details.querySelector("summary")));
  }
  form.querySelector("output").textContent = `${shown} of ${all} ${all === 1 ? "case" : "cases"} shown`;
};
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
// Lays out the rows that are not shown yet while the browser is idle, so that a screen reader finds
// them and the height of the table is exact.
const later = [...document.querySelectorAll(".many tbody")];
const whenIdle = window.requestIdleCallback || ((work) => setTimeout(work, 50));
const layOut = () => {
  const body = later.shift();
  if (body) {
    body.style.contentVisibility = "visible";
    whenIdle(layOut);
  }
};
addEventListener("load", () => setTimeout(layOut, 500));
// A link to a closed submission opens it.
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", open);
open();
