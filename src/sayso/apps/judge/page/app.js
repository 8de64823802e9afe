// One queue for every kind of item: fetch, show, save, next. Nothing is sent before it is saved on purpose.
import { ask, comeIn, tell } from "./api.js";
import { el, kbd, recall, remember, visible } from "./dom.js";
import * as label from "./label.js";
import { paintState } from "./state.js";
import * as tags from "./tags.js";
import * as verdicts from "./verdicts.js";
import * as write from "./write.js";

const KINDS = { verdicts, describe: write, phrase: write, label, tags };
const COMMON_KEYS = [
  ["Enter", "save and go on"], ["u", "undo: take the last answer back"], ["p", "pass: show this one later"],
  ["m", "write a note"], ["l", "ask everyone to look again"], ["Esc", "leave a text"], ["?", "this list"],
];
const find = (id) => document.getElementById(id);
const main = find("main");

let name = "", queue = "fresh", item = null, view = null, note = null, accept = false, busy = false, state = null;

function say(text) {
  find("status").textContent = text;
}

function fail(error) {
  find("error").replaceChildren(error ? el("b", {}, "Not done. ") : "", error ? error.message : "");
  find("error").hidden = !error;
}

// Runs one thing at a time, and shows what went wrong where everyone sees it.
async function doing(action) {
  if (busy) return;
  busy = true;
  document.body.classList.add("busy");
  try {
    fail(null);
    await action();
  } catch (error) {
    fail(error);
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

function askName(suggested) {
  item = view = null;
  name = "";
  for (const part of [find("who"), find("mine"), find("state"), document.querySelector("nav")]) part.hidden = true;
  const field = el("input", { id: "name", maxlength: "60", autocomplete: "off", required: true, value: suggested });
  main.replaceChildren(el("form", { class: "card", onsubmit: (event) => {
    event.preventDefault();
    const given = field.value.trim();
    if (given) doing(() => enter(given));
  } },
    el("h2", {}, "Who is judging?"),
    el("p", {}, "Your name stands beside your answers, so that several people can work at once. It is kept in this browser."),
    el("label", { for: "name" }, "Your name"), field, el("button", { class: "main" }, "Start")));
  field.focus();
}

async function enter(given) {
  state = await ask("state", { annotator: given });
  name = given;
  remember("sayso-name", name);
  find("who").replaceChildren(el("span", { class: "quiet" }, "judging as"), el("b", { dir: "auto" }, name));
  find("who").setAttribute("aria-label", `You are ${name}. Change the name`);
  for (const part of [find("who"), find("mine"), find("state"), document.querySelector("nav")]) part.hidden = false;
  queue = "fresh";
  await next();
}

async function next() {
  let { item: found } = await ask("next", { annotator: name, queue });
  if (!found) {
    const other = queue === "fresh" ? "second" : "fresh";
    found = (await ask("next", { annotator: name, queue: other })).item;
    if (found) {
      queue = other;
      say(queue === "second" ? "No new items. These ones need a second look." : "No more second looks.");
    }
  }
  await refresh();
  if (found) show(found, recall(draftKey(found)) ?? found.given);
  else showDone();
}

function draftKey(of) {
  return `sayso-draft:${name}:${of.id}:${of.look}`;
}

function show(found, given) {
  item = found;
  accept = false;
  view = KINDS[item.kind].show(item, given, changed);
  note = el("textarea", { id: "note", rows: "1", oninput: changed, autocomplete: "off", dir: "auto" });
  note.value = given?.note ?? "";
  main.replaceChildren(el("article", { class: "card", "aria-labelledby": "asked" },
    item.why.length ? el("p", { class: "second" }, el("b", {}, "Second look: "), visible(item.why.join("; ")),
      ". Your earlier answer is filled in; change it or keep it.") : "",
    view.node,
    el("div", { class: "note" }, el("label", { for: "note" }, "Note ", kbd("m")), note),
    el("div", { class: "actions" },
      el("button", { id: "save", type: "button", class: "main", onclick: save }, "Save and next", kbd(saveKey())),
      el("button", { id: "undo", type: "button", onclick: undo }, "Undo", kbd("u")),
      el("button", { id: "pass", type: "button", onclick: pass }, "Pass", kbd("p")),
      el("button", { id: "ask-again", type: "button", onclick: openAgain }, "Look again…", kbd("l")),
      el("span", { class: "quiet" }, `${item.judges} of ${item.wanted} ${item.wanted > 1 ? "judges" : "answers"} so far`))));
  paintQueue();
  paintKeys(KINDS[item.kind].KEYS);
  window.scrollTo(0, 0);
  view.focus();
}

function showDone() {
  item = view = null;
  const waiting = state.mine.left > 0;
  main.replaceChildren(el("section", { class: "card done", id: "done" },
    el("h2", {}, waiting ? "Nothing for you right now" : state.mine.done ? "All done, thank you" : "Nothing to do"),
    el("p", {}, waiting ? "Others are at work on the items that are left. This page looks again by itself."
      : `You have answered ${state.mine.done}. This page stays open: items that need a second look will appear here.`),
    el("button", { id: "undo", type: "button", onclick: undo }, "Undo the last answer", kbd("u"))));
  paintQueue();
  paintKeys([]);
  main.focus();
}

function paintQueue() {
  find("queue-fresh").setAttribute("aria-pressed", String(queue === "fresh"));
  find("queue-second").setAttribute("aria-pressed", String(queue === "second"));
}

function paintKeys(own) {
  find("help-keys").replaceChildren(...[...own, ...COMMON_KEYS].flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)]));
}

function changed() {
  accept = false;
  find("save").replaceChildren("Save and next", kbd(saveKey()));
  remember(draftKey(item), entered());
  const missing = view.missing();
  if (item.kind === "verdicts") say(missing ? `${missing} to go` : "All judged: Enter saves");
}

// Enter inside a text is a new line there.
function saveKey() {
  return item.kind === "describe" || item.kind === "phrase" ? "Ctrl Enter" : "Enter";
}

function entered() {
  return { ...view.value(), note: note.value };
}

const save = () => doing(async () => {
  if (!item) return;
  const missing = view.missing();
  if (missing) {
    view.open();
    throw new Error(`${missing} ${missing > 1 ? "candidates have" : "candidate has"} no verdict yet.`);
  }
  const body = { annotator: name, item: item.id, look: item.look, answer: entered(), accept };
  const { saved, problems } = await tell("answer", body);
  if (!saved) {
    view.problems?.(problems);
    const fatal = problems.some((problem) => problem.fatal);
    accept = !fatal;
    if (!fatal) find("save").replaceChildren("Save anyway", kbd(saveKey()));
    say(problems.map((problem) => problem.message).join("; "));
    return;
  }
  remember(draftKey(item), null);
  say("Saved");
  await next();
});

const undo = () => doing(async () => {
  const { item: found } = await tell("undo", { annotator: name });
  await refresh();
  show(found, found.given);
  say("Taken back. Change it and save it again.");
});

const pass = () => doing(async () => {
  if (!item) return;
  await tell("skip", { annotator: name, item: item.id });
  await next();
  say("Passed: it comes back at the end");
});

function openAgain() {
  if (!item) return;
  find("again-why").value = "";
  find("again").returnValue = "";
  find("again").showModal();
}

find("again").addEventListener("close", () => {
  if (find("again").returnValue !== "send" || !item) return;
  doing(async () => {
    const { asked } = await tell("again", { annotator: name, item: item.id, why: find("again-why").value });
    await refresh();
    say(asked === 1 ? "One person is asked to look again" : `${asked} people are asked to look again`);
  });
});
find("again-why").addEventListener("keydown", (event) => {
  if (event.key === "Enter") { event.preventDefault(); find("again").close("send"); }
});

const pick = (which) => doing(async () => {
  queue = which;
  const { item: found } = await ask("next", { annotator: name, queue });
  if (found) show(found, recall(draftKey(found)) ?? found.given);
  else {
    say(which === "second" ? "Nothing needs a second look" : "No new items");
    await next();
  }
});
find("queue-fresh").addEventListener("click", () => pick("fresh"));
find("queue-second").addEventListener("click", () => pick("second"));
find("who").addEventListener("click", () => askName(name));
find("help-open").addEventListener("click", () => find("help").showModal());
find("keys-on").addEventListener("change", (event) => remember("sayso-keys", event.target.checked));

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.isComposing || busy || !name) return;
  const writing = event.target.matches("textarea, input:not([type=radio], [type=checkbox])");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && item) return event.preventDefault(), save();
  if (event.key === "Escape" && writing) return event.target.blur(), main.focus();
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter") {
    if (event.target.matches("button, a") || !item) return;
    event.preventDefault();
    return save();
  }
  if (event.key.length === 1 && !find("keys-on").checked) return;
  const common = { u: undo, p: pass, l: openAgain, m: () => note?.focus(), "?": () => find("help").showModal() };
  if (view?.key(event)) event.preventDefault();
  else if (event.key in common) {
    event.preventDefault();
    common[event.key]();
  }
});

async function refresh() {
  state = await ask("state", { annotator: name });
  paintState(state);
}

let isAway = false;
setInterval(async () => {
  if (!name || busy || document.hidden) return;
  try {
    await refresh();
    if (isAway) fail(null);
    isAway = false;
    if (!item && name && (state.mine.left || state.mine.second)) await doing(next);
  } catch (error) {
    isAway = true;
    fail(error);
  }
}, 3000);

doing(async () => {
  find("keys-on").checked = recall("sayso-keys") ?? true;
  await comeIn();
  const { annotator } = await ask("hello");
  const known = recall("sayso-name");
  paintKeys([]);
  if (typeof known === "string" && known) await enter(known);
  else askName(annotator);
});
