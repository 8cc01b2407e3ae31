// A report's tables and timelines: headings sort, links and clicks choose the moment that all parts of the page show.
// The moment is told as an event of the document, named "moment", whose detail is its number.
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const tell = (moment) => document.dispatchEvent(new CustomEvent("moment", { detail: moment }));
const linked = (link) => Number(link.getAttribute("href").slice("#moment=".length));

// Sorting: a heading is a button; the second click turns the order around. Cells without a number come last.
for (const table of all("table.sortable")) {
  const body = table.tBodies[0];
  all("thead th", table).forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const isNumber = all("[data-sort]", body).some((cell) => cell.cellIndex === column);
      const key = (row) => isNumber ? row.cells[column].dataset.sort : row.cells[column].textContent;
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
        return sign * (isNumber ? x - y : x.localeCompare(y, "en", { numeric: true }));
      };
      body.replaceChildren(...all("tr", body).sort(order));
    });
  });
  // The rows of the moment are marked.
  const spans = all("tr", body).map((row) => {
    const moments = all("a[href^='#moment=']", row).map(linked);
    return [row, moments[0], moments.length > 1 ? moments[1] : moments[0]];
  });
  document.addEventListener("moment", ({ detail }) => {
    for (const [row, first, last] of spans) row.classList.toggle("now", first <= detail && detail <= last);
  });
}

// A timeline has a line at the moment, and a click there chooses another.
for (const line of all("g.timeline")) {
  const [left, right, top, bottom, instants] =
    ["left", "right", "top", "bottom", "instants"].map((name) => Number(line.dataset[name]));
  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", top);
  cursor.setAttribute("y2", bottom);
  line.append(cursor);
  document.addEventListener("moment", ({ detail }) => {
    const x = left + (right - left) * (detail + 0.5) / Math.max(instants, 1);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  });
  const svg = line.ownerSVGElement;
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
    const moment = Math.floor((x - left) / (right - left) * instants);
    if (moment >= 0 && moment < instants) tell(moment);
  });
}

// Also where the address has the moment already.
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.("a[href^='#moment=']");
  if (link) tell(linked(link));
});
const followed = () => {
  const found = /^#moment=(\d+)$/.exec(location.hash);
  tell(found ? Number(found[1]) : 0);
};
addEventListener("hashchange", followed);
addEventListener("DOMContentLoaded", followed);
