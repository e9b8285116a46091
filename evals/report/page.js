"use strict";
(() => {
  const controls = document.getElementById("controls");
  const list = document.getElementById("list");
  const cases = [...list.children];
  const at = (id) => document.getElementById(id);
  const words = new Map(cases.map((each) => [each, each.textContent.toLowerCase()]));
  // A run has a thousand cases: what is closed is kept off the page, so that it stays quick to read, search and check.
  const bodies = new Map();
  for (const each of cases) {
    const details = each.querySelector("details");
    bodies.set(details, [...details.childNodes].filter((node) => node.nodeName !== "SUMMARY"));
    details.addEventListener("toggle", () => show(details));
    show(details);
  }
  function show(details) {
    for (const node of bodies.get(details)) {
      if (details.open) details.append(node);
      else node.remove();
    }
  }
  const fits = {
    bad: (state) => state !== "passed", all: () => true,
    passed: (state) => state === "passed", error: (state) => state === "error",
  };
  const orders = {
    order: (a, b) => a.dataset.order - b.dataset.order,
    kind: (a, b) => a.dataset.kind.localeCompare(b.dataset.kind) || a.dataset.order - b.dataset.order,
    slowest: (a, b) => b.dataset.seconds - a.dataset.seconds,
    faults: (a, b) => b.dataset.faults - a.dataset.faults || a.dataset.order - b.dataset.order,
  };
  function filter() {
    const asked = at("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const each of cases) {
      const { state, kind, split } = each.dataset;
      const fit = fits[at("state").value](state) && (!at("kind").value || kind === at("kind").value)
        && (!at("split").value || split === at("split").value)
        && asked.every((word) => words.get(each).includes(word));
      each.hidden = !fit;
      shown += fit;
    }
    at("shown").textContent = `${shown} of ${cases.length} cases shown`;
  }
  function sort() {
    list.append(...cases.sort(orders[at("sort").value]));
  }
  controls.hidden = false;
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("input", filter);
  at("sort").addEventListener("change", sort);
  if (!cases.some((each) => each.dataset.state !== "passed")) at("state").value = "all";
  filter();
})();
