// JuICe tables 3 to 5: choose every tag that fits, also none.
import { code, el, kbd, keysFor, visible } from "./dom.js";

export const KEYS = [["the key beside a tag", "choose it, or take it back"]];

export function show(item, given, changed) {
  const chosen = new Set(given?.tags ?? []);
  const keys = keysFor(item.labels);
  const boxes = new Map(item.labels.map((tag, n) => {
    const box = el("input", { type: "checkbox", id: `tag-${n}`, value: tag, onchange: () => set(tag, box.checked) });
    box.checked = chosen.has(tag);
    return [tag, box];
  }));
  const set = (tag, on) => {
    boxes.get(tag).checked = on;
    if (on) chosen.add(tag);
    else chosen.delete(tag);
    changed();
  };
  const node = el("div", {},
    el("h2", { id: "asked" }, "Which of these fit?"),
    el("p", { class: "request", dir: "auto" }, visible(item.text)),
    item.lines.length ? code(item.lines.join("\n")) : "",
    el("p", { class: "rule" }, "Choose every one that fits; none is an answer too."),
    el("div", { class: "choices tags", role: "group", "aria-labelledby": "asked" },
      ...item.labels.map((tag) => el("label", { "data-tag": tag }, boxes.get(tag), visible(tag), keys.has(tag) ? kbd(keys.get(tag)) : "",
        item.differ.includes(tag) ? el("span", { class: "tag" }, "judges differ") : ""))));
  return {
    node,
    focus: () => boxes.get(item.labels[0]).focus(),
    missing: () => 0,
    value: () => ({ tags: item.labels.filter((tag) => chosen.has(tag)) }),
    key(event) {
      const tag = item.labels.find((name) => keys.get(name) === event.key);
      if (tag) set(tag, !chosen.has(tag));
      return Boolean(tag);
    },
  };
}
