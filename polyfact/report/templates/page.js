"use strict";
const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

for (const form of all("[data-choices]")) {
  const section = form.closest("section");
  const kind = form.dataset.choices;
  const blocks = all(`.${kind}, .line`, section);
  const nothing = one(`[data-nothing="${kind}"]`, section);
  const show = () => {
    const wanted = all("select", form).map((select) => [select.dataset.field, select.value]);
    const fits = (block) => wanted.every(([field, value]) => value === "*" || (block.dataset[field] ?? value) === value);
    for (const block of blocks) block.hidden = !fits(block);
    for (const group of all("tbody:has(.line)", section)) group.hidden = !all(".line", group).some((line) => !line.hidden);
    section.classList.toggle("alone", wanted.some(([field, value]) => field === "model" && value !== "*"));
    if (nothing) nothing.hidden = all(`.${kind}`, section).some((block) => !block.hidden);
  };
  const narrow = one("[data-narrow]", form);
  if (narrow && matchMedia("(max-width: 40rem)").matches) narrow.value = narrow.dataset.narrow;
  form.hidden = false;
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}

for (const table of all("[data-more]")) {
  const further = all(".more", table).length;
  if (!further) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `Show ${further} more`;
  table.classList.add("few");
  table.parentElement.after(button);
  button.addEventListener("click", () => { table.classList.remove("few"); button.remove(); });
}

const every = () => {
  const { columns, strings, rows } = JSON.parse(one("#embedded").textContent);
  const AT_ONCE = 200;
  const place = Object.fromEntries(columns.map((name, index) => [name, index]));
  const measures = new Set(["value", "low", "high", "chance", "ceiling"].map((name) => place[name]));
  const counts = new Set([place.n, place.clusters]);
  const isNumber = (column) => measures.has(column) || counts.has(column);
  const shown = (row, column) => {
    const value = row[column];
    if (counts.has(column)) return String(value);
    if (!measures.has(column)) return strings[value];
    return value === null ? "—" : value.toFixed(3).replace(/^(-?)0\./, "$1.").replace("-", "−");
  };
  const text = new Map();
  const cells = (row) => {
    if (!text.has(row)) text.set(row, columns.map((_, column) => shown(row, column).toLowerCase()));
    return text.get(row);
  };
  const body = one("#all tbody");
  const filter = one("#filter");
  const pickers = [];
  let found = rows;
  let drawn = 0;

  const draw = () => {
    const part = document.createDocumentFragment();
    for (const row of found.slice(drawn, drawn + AT_ONCE)) {
      const line = document.createElement("tr");
      columns.forEach((_, column) => {
        const cell = line.insertCell();
        cell.textContent = shown(row, column);
        if (isNumber(column)) cell.className = "num";
      });
      part.append(line);
    }
    body.append(part);
    drawn = Math.min(found.length, drawn + AT_ONCE);
    one("#count").textContent = `${found.length} of ${rows.length} rows` + (drawn < found.length ? `, ${drawn} shown` : "");
    one("#further").hidden = drawn === found.length;
  };
  const again = () => { body.replaceChildren(); drawn = 0; draw(); };
  const narrow = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const picked = pickers.filter(({ select }) => select.value !== "*").map(({ select, column }) => [column, Number(select.value)]);
    found = rows.filter((row) => picked.every(([column, value]) => row[column] === value)
      && words.every((word) => cells(row).some((cell) => cell.includes(word))));
    again();
  };
  for (const name of ["model", "metric", "split_by"]) {
    const column = place[name];
    const values = [...new Set(rows.map((row) => row[column]))].filter((value) => strings[value]);
    if (values.length < 2) continue;
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.id = `pick-${name}`;
    select.add(new Option("all", "*"));
    for (const value of values) select.add(new Option(strings[value], value));
    label.append(`${name.replace("_", " ")} `, select);
    one("#pickers").append(label, " ");
    pickers.push({ select, column });
    select.addEventListener("change", narrow);
  }
  const heads = one("#all thead").insertRow();
  columns.forEach((name, column) => {
    const head = document.createElement("th");
    const button = document.createElement("button");
    head.scope = "col";
    button.type = "button";
    button.textContent = name;
    head.append(button);
    heads.append(head);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const compare = isNumber(column) ? (a, b) => a[column] - b[column] : (a, b) => strings[a[column]].localeCompare(strings[b[column]]);
      const isNothing = (row) => isNumber(column) ? row[column] === null : strings[row[column]] === "";
      const sorted = (a, b) => isNothing(a) - isNothing(b) || (isNothing(a) ? 0 : (up ? 1 : -1) * compare(a, b));
      rows.sort(sorted);
      narrow();
    });
  });
  filter.closest("p").hidden = false;
  filter.addEventListener("input", narrow);
  one("#further").addEventListener("click", draw);
  draw();
};
one("#every").addEventListener("toggle", every, { once: true });

const theme = one("#theme");
const root = document.documentElement;
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
const name = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
theme.hidden = false;
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
name();
