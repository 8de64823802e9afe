// README lines: mark ranges of lines as steps. Labels are written out beside the lines, colour only repeats them.
import { el, kbd, keysFor, visible } from "./dom.js";

export const KEYS = [
  ["↑ ↓ Home End", "move; with Shift, select more lines"],
  ["b i t o …", "mark as build, install, test, other: the key beside the name"],
  ["c", "clear the mark"],
];

export function show(item, given, changed) {
  const labels = item.lines.map(() => "");
  for (const part of given?.ranges ?? []) labels.fill(part.label, part.first - 1, part.last);
  let at = 0, from = 0;

  const rows = item.lines.map((line, n) => el("div", { role: "option", id: `line-${n}`, class: "line" },
    el("span", { class: "number", "aria-hidden": "true" }, String(n + 1)),
    el("span", { class: "label" }),
    el("code", { dir: "ltr" }, line ? visible(line) : "\u00a0"),
    item.differ.includes(String(n + 1)) ? el("span", { class: "tag" }, "judges differ") : ""));
  const list = el("div", {
    role: "listbox", "aria-multiselectable": "true", tabindex: "0", class: "lines", "aria-label": `Lines of ${item.text}`,
    "aria-describedby": "label-rule",
  }, ...rows);

  const paint = () => {
    const [low, high] = [Math.min(at, from), Math.max(at, from)];
    rows.forEach((row, n) => {
      row.setAttribute("aria-selected", String(n >= low && n <= high));
      row.dataset.label = labels[n];
      row.children[1].textContent = labels[n];
    });
    list.setAttribute("aria-activedescendant", `line-${at}`);
  };
  const move = (to, extend) => {
    at = Math.min(Math.max(to, 0), rows.length - 1);
    if (!extend) from = at;
    paint();
    rows[at].scrollIntoView({ block: "nearest" });
  };
  const mark = (label) => {
    labels.fill(label, Math.min(at, from), Math.max(at, from) + 1);
    paint();
    changed();
  };

  let dragging = false;
  rows.forEach((row, n) => {
    row.addEventListener("mousedown", (event) => { dragging = true; move(n, event.shiftKey); list.focus(); event.preventDefault(); });
    row.addEventListener("mouseenter", () => { if (dragging) move(n, true); });
  });
  list.addEventListener("mouseup", () => { dragging = false; });
  list.addEventListener("mouseleave", () => { dragging = false; });

  const keys = keysFor(item.labels, "c");
  const buttons = [...item.labels, ""].map((label) => el("button", {
    type: "button", "data-label": label, onclick: () => { mark(label); list.focus(); },
  }, label || "clear", kbd(label ? keys.get(label) : "c")));
  const node = el("div", {},
    el("h2", { id: "asked" }, "Mark the steps in ", el("span", { class: "path" }, visible(item.text))),
    el("p", { class: "rule", id: "label-rule" }, "Select the lines of a step, then say which kind it is. Leave everything else unmarked."),
    el("div", { class: "toolbar", role: "group", "aria-label": "Mark the selected lines" }, ...buttons),
    list);
  paint();

  return {
    node,
    focus: () => list.focus(),
    missing: () => 0,
    value: () => ({ ranges: ranges(labels) }),
    key(event) {
      const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: at + 20, PageUp: at - 20 };
      if (event.key in steps && document.activeElement === list) return move(steps[event.key], event.shiftKey), true;
      const label = item.labels.find((name) => keys.get(name) === event.key);
      if (label) return mark(label), true;
      if (event.key === "c") return mark(""), true;
      return false;
    },
  };
}

export function ranges(labels) {
  const found = [];
  labels.forEach((label, n) => {
    const last = found.at(-1);
    if (label && last && last.label === label && last.last === n) last.last = n + 1;
    else if (label) found.push({ first: n + 1, last: n + 1, label });
  });
  return found;
}
