// NL2Bash §3.1: one sentence for a command. Okapi figure 2: two different phrasings for a call.
import { code, el, visible } from "./dom.js";

export const KEYS = [["Ctrl Enter", "save, also from inside a text"], ["e", "write in the first text"]];

export function show(item, given, changed) {
  const wanted = item.kind === "phrase" ? ["First phrasing", "Second phrasing"] : ["What it does, in one sentence"];
  const texts = wanted.map((name, n) => {
    const area = el("textarea", {
      id: `text-${n}`, rows: "2", spellcheck: "true", "aria-describedby": `problem-${n}`, oninput: changed,
      autocomplete: "off", dir: "auto",
    });
    area.value = given?.texts?.[n] ?? "";
    return { area, name, problem: el("ul", { id: `problem-${n}`, class: "problems" }) };
  });
  const head = item.kind === "phrase"
    ? [el("h2", { id: "asked" }, "Ask for this in your own words, in two different ways"),
       code(item.text),
       el("p", { class: "canonical", dir: "auto" }, visible(item.canonical)),
       el("p", { class: "rule" }, "As you would say it to an assistant. Keep every detail; use other words than above.")]
    : [el("h2", { id: "asked" }, "Describe this command"),
       code(item.text),
       el("p", { class: "rule" }, "One sentence that asks for exactly what the command does, with its names and numbers.")];
  const node = el("div", {}, ...head,
    ...texts.map((one, n) => el("div", { class: "text" }, el("label", { for: `text-${n}` }, one.name), one.area, one.problem)));

  return {
    node,
    focus: () => texts[0].area.focus(),
    missing: () => 0,
    value: () => ({ texts: texts.map((one) => one.area.value) }),
    problems(found) {
      texts.forEach((one, n) => {
        const mine = found.filter((problem) => problem.field === n);
        one.problem.replaceChildren(...mine.map((problem) =>
          el("li", { class: problem.fatal ? "fatal" : "" }, problem.fatal ? "" : el("b", {}, "Check: "), visible(problem.message))));
        if (mine.length) one.area.setAttribute("aria-invalid", String(mine.some((problem) => problem.fatal)));
        else one.area.removeAttribute("aria-invalid");
      });
      const first = found[0];
      if (first) texts[first.field].area.focus();
    },
    key(event) {
      if (event.key !== "e") return false;
      texts[0].area.focus();
      return true;
    },
  };
}
