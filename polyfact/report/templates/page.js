"use strict";
for (const form of document.querySelectorAll("[data-choices]")) {
  const rows = document.querySelectorAll(form.dataset.choices === "heat" ? ".heat" : ".biasline");
  const show = () => {
    const wanted = [...form.querySelectorAll("select")].map((s) => [s.dataset.field, s.value]);
    for (const row of rows) row.hidden = !wanted.every(([field, value]) => row.dataset[field] === value);
  };
  form.hidden = false;
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}
const filter = document.getElementById("filter");
filter.parentElement.hidden = false;
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of document.querySelectorAll("#all tbody tr")) {
    const text = [...row.cells].map((cell) => cell.textContent.toLowerCase());
    row.hidden = !words.every((word) => text.some((cell) => cell.includes(word)));
  }
});
const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
