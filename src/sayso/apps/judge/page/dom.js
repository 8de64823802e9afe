// Elements from values. Text only ever becomes text nodes, so nothing in a command is read as HTML.

export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

// Controls and direction overrides would show a command in another order than the shell reads it.
const HIDDEN = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff])/;

export function visible(text) {
  const nodes = text.split(HIDDEN).map((part) => {
    if (!HIDDEN.test(part)) return document.createTextNode(part);
    const name = "U+" + part.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    return el("span", { class: "hidden-char", title: "a character that cannot be seen" }, name);
  });
  const all = document.createDocumentFragment();
  all.append(...nodes);
  return all;
}

// Words stay whole where they fit, so that no line ends in the dash of a flag.
export function code(text, kind = "command") {
  const words = text.split(/(\s+)/).map((part) => (/\S/.test(part) ? el("span", { class: "word" }, visible(part)) : visible(part)));
  return el("pre", { class: kind }, el("code", { dir: "ltr" }, ...words));
}

export function kbd(key) {
  return el("kbd", { "aria-hidden": "true" }, key);
}

export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch { /* a browser that keeps nothing still judges */ }
}

export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

// A key for each name: its first letter that nothing else has, else any letter that is left. App-wide keys stay free.
export function keysFor(names, ...taken) {
  const used = new Set([..."uplm?", ...taken]), keys = new Map();
  for (const name of names) {
    const key = [...name.toLowerCase().replace(/[^a-z0-9]/g, ""), ..."123456789abcdefghijkoqrstvwxyz"].find((one) => !used.has(one));
    if (key) { used.add(key); keys.set(name, key); }
  }
  return keys;
}
