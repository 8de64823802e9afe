// Questions to the server. A failure is an Error whose message can be shown as it is.

// The token goes along in a header that only this page's script sets: a cookie would go to every port of this machine.
const KEY = "sayso-token";
let token = "";

// What stood behind the # of the link becomes the token of this tab, and leaves the address bar and the history.
export async function comeIn() {
  token = kept();
  const given = location.hash.slice(1);
  if (!given) return;
  history.replaceState(null, "", location.pathname);
  token = given;
  token = (await tell("enter", {})).token;
  try {
    sessionStorage.setItem(KEY, token);
  } catch { /* a browser that keeps nothing asks for the link again after a reload */ }
}

function kept() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

// A new link pasted over the old one changes only what is behind the #.
addEventListener("hashchange", () => location.hash && location.reload());

export async function ask(name, params = {}) {
  return answer(fetch(`/api/${name}?${new URLSearchParams(params)}`, { credentials: "omit", headers: headers() }));
}

export async function tell(name, body) {
  return answer(fetch(`/api/${name}`, {
    method: "POST", credentials: "omit", headers: { ...headers(), "Content-Type": "application/json" }, body: JSON.stringify(body),
  }));
}

function headers() {
  return { Authorization: `Bearer ${token}` };
}

async function answer(pending) {
  let response;
  try {
    response = await pending;
  } catch {
    throw new Error("The server does not answer. What you entered is kept in this browser; start `sayso judge` again.");
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error ?? `The server answered ${response.status}.`);
  return body;
}
