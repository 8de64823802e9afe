// Questions to the server. A failure is an Error whose message can be shown as it is.

export async function ask(name, params = {}) {
  return answer(fetch(`/api/${name}?${new URLSearchParams(params)}`, { credentials: "same-origin" }));
}

export async function tell(name, body) {
  return answer(fetch(`/api/${name}`, {
    method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  }));
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
