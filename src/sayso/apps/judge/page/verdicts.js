// NL2Bash §4: for each candidate, is the command correct, and if not, is at least its structure?
import { code, el, kbd, visible } from "./dom.js";

const CHOICES = [
  { key: "y", mark: "✓✓", name: "Correct", say: "command and structure are right", command: true, template: true },
  { key: "s", mark: "✓", name: "Structure only", say: "right utilities and flags, wrong arguments", command: false, template: true },
  { key: "n", mark: "✗", name: "Wrong", say: "neither the command nor its structure is right", command: false, template: false },
];

export const KEYS = [
  ["1 … 9", "go to that candidate"],
  ["j  k", "next, previous candidate"],
  ["y", "correct: it does what was asked"],
  ["s", "structure only: right utilities and flags, wrong arguments"],
  ["n", "wrong"],
];

export function show(item, given, changed) {
  const said = new Map((given?.verdicts ?? []).map((one) => [one.text, one]));
  const boxes = item.options.map((option, n) => candidate(item, option, n, said.get(option.text), changed));
  const node = el("div", {},
    el("h2", { id: "asked" }, "Request"),
    el("p", { class: "request", dir: "auto" }, visible(item.text)),
    el("p", { class: "rule" }, "Would each command do what is asked? ", el("b", {}, "Structure only"),
      " means: the right utilities and flags, but an argument is wrong."),
    ...boxes.map((box) => box.node));
  let at = Math.max(0, boxes.findIndex((box) => !box.choice()));

  const go = (n) => {
    at = Math.min(Math.max(n, 0), boxes.length - 1);
    boxes[at].node.focus();
    boxes[at].node.scrollIntoView({ block: "nearest" });
  };
  boxes.forEach((box, n) => box.node.addEventListener("focusin", () => { at = n; }));

  return {
    node,
    focus: () => go(at),
    open: () => go(boxes.findIndex((box) => !box.choice())),
    missing: () => boxes.filter((box) => !box.choice()).length,
    value: () => ({
      verdicts: boxes.filter((box) => box.choice()).map((box) => ({
        text: box.text, command: box.choice().command, template: box.choice().template,
      })),
    }),
    key(event) {
      const choice = CHOICES.find((one) => one.key === event.key);
      if (choice) {
        boxes[at].pick(choice);
        const open = boxes.findIndex((box, n) => n > at && !box.choice());
        const next = open >= 0 ? open : boxes.findIndex((box) => !box.choice());
        if (next >= 0) go(next);
        else boxes[at].node.focus();
        return true;
      }
      if (event.key === "j") return go(at + 1), true;
      if (event.key === "k") return go(at - 1), true;
      if (/^[1-9]$/.test(event.key) && Number(event.key) <= boxes.length) return go(Number(event.key) - 1), true;
      return false;
    },
  };
}

function candidate(item, option, n, said, changed) {
  const inputs = CHOICES.map((choice) => el("input", {
    type: "radio", name: `candidate-${n}`, value: choice.key, "aria-label": `${choice.name}: ${choice.say}`,
    checked: Boolean(said && said.command === choice.command && said.template === choice.template),
    onchange: changed,
  }));
  const node = el("fieldset", { class: "candidate", tabindex: "-1", "aria-labelledby": `legend-${n} text-${n}` },
    el("legend", { id: `legend-${n}` }, `Candidate ${n + 1} of ${item.options.length}`,
      item.differ.includes(option.text) ? el("span", { class: "tag" }, "judges differ") : ""),
    el("div", { id: `text-${n}` }, code(option.text)),
    option.template && option.template !== option.text
      ? el("p", { class: "template" }, "Structure ", el("code", { dir: "ltr" }, visible(option.template))) : "",
    el("div", { class: "choices" }, ...CHOICES.map((choice, i) =>
      el("label", { title: choice.say }, inputs[i], el("span", { class: "mark", "aria-hidden": "true" }, choice.mark),
        el("span", {}, choice.name), kbd(choice.key)))));
  return {
    node,
    text: option.text,
    choice: () => CHOICES[inputs.findIndex((input) => input.checked)],
    pick(choice) {
      inputs[CHOICES.indexOf(choice)].checked = true;
      changed();
    },
  };
}
