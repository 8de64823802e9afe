// How far everyone is, and how far the judges agree.
import { el } from "./dom.js";

const MEASURES = { command: "Command", template: "Structure", line: "Line" };

export function paintState(state) {
  const { mine, items } = state;
  const total = mine.done + mine.left;
  const bar = document.getElementById("bar");
  bar.max = Math.max(total, 1);
  bar.value = mine.done;
  document.getElementById("bar-text").textContent = `${mine.done} of ${total} done`;
  document.querySelector("#queue-fresh b").textContent = mine.left;
  document.querySelector("#queue-second b").textContent = mine.second;

  const parts = [
    el("h2", {}, "Everyone"),
    el("p", {}, `${items.complete} of ${items.total} items have all their answers`,
      items.differ ? `; judges differ on ${items.differ}` : "", "."),
  ];
  if (state.judges.length) {
    parts.push(el("ul", { class: "judges" },
      ...state.judges.map((judge) => el("li", {}, el("span", { dir: "auto" }, judge.name), el("b", {}, String(judge.done))))));
  }
  if (state.agreement.length) parts.push(...agreement(state.agreement));
  if (state.damaged) parts.push(el("p", { class: "warn" }, `${state.damaged} damaged line in the log was passed over.`));
  document.getElementById("state").replaceChildren(...parts);
}

function agreement(rows) {
  const again = rows.some((row) => row.first.alpha !== row.last.alpha || row.first.raw !== row.last.raw);
  const cells = (look) => [percent(look.raw), number(look.alpha)].map((text) => el("td", {}, text));
  return [
    el("h2", {}, "Agreement"),
    el("table", { id: "agreement" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""), el("th", { scope: "col" }, "raw"),
        el("th", { scope: "col", title: "Krippendorff's alpha: 1 is perfect, 0 is chance" }, "α"), el("th", { scope: "col" }, "n"))),
      el("tbody", {}, ...rows.flatMap((row) => [
        el("tr", { "data-measure": row.measure }, el("th", { scope: "row" }, MEASURES[row.measure]), ...cells(row.first), el("td", {}, String(row.first.n))),
        again ? el("tr", { class: "later" }, el("th", { scope: "row" }, "after second look"), ...cells(row.last), el("td", {}, String(row.last.n))) : "",
      ]))),
    el("p", { class: "quiet" }, "Over what at least two judges saw; α is Krippendorff's."),
  ];
}

function percent(value) {
  return value === null ? "–" : `${Math.round(value * 100)} %`;
}

function number(value) {
  return value === null ? "–" : value.toFixed(2);
}
