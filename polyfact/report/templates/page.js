"use strict";
const one = (selector) => document.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

for (const form of all("[data-choices]")) {
  const kind = form.dataset.choices;
  const blocks = all(`.${kind}[data-${form.querySelector("select").dataset.field}]`);
  const show = () => {
    const wanted = all("select", form).map((select) => [select.dataset.field, select.value]);
    for (const block of blocks) {
      block.hidden = !wanted.every(([field, value]) => value === "*" || block.dataset[field] === value);
    }
    const nothing = one(`[data-nothing="${kind}"]`);
    if (nothing) nothing.hidden = blocks.some((block) => !block.hidden);
  };
  form.hidden = false;
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}

const body = one("#all tbody");
const filter = one("#filter");
const count = () => {
  const rows = [...body.rows];
  one("#count").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
};
filter.closest("p").hidden = false;
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of body.rows) {
    const cells = [...row.cells].map((cell) => cell.textContent.toLowerCase());
    row.hidden = !words.every((word) => cells.some((cell) => cell.includes(word)));
  }
  count();
});
count();

const numberOf = (text) => (text.trim() === "—" ? NaN : Number(text.replace("−", "-")));
const after = (a, b) => {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (a === "—" || b === "—") return (a === "—") - (b === "—") || 0;
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
};
for (const head of all("#all thead th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of all("#all thead th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const column = head.cellIndex;
    const keyed = [...body.rows].map((row) => [row.cells[column].textContent, row]);
    const undefinedLast = (a, b) => (a[0] === "—" || b[0] === "—" ? after(a[0], b[0]) : (up ? 1 : -1) * after(a[0], b[0]));
    body.append(...keyed.sort(undefinedLast).map(([, row]) => row));
  });
}

const theme = one("#theme");
const root = document.documentElement;
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
const name = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
theme.hidden = false;
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
name();
